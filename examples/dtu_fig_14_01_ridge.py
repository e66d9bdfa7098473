"""DTU Figs 14.1–14.3: a degree-6 polynomial on nine points, held back by a penalty.

The text standardizes the columns with divisor N − 1 and leaves the constant free: `Ridge.book(…, "dtu")`. Too
little penalty follows the noise, too much forgets the data; the ten test points tell which is which.
"""

import numpy as np
from _figure import GREY, INK, ORANGE, figure, save

from suffice.bases import Polynomial
from suffice.datasets import sinusoid
from suffice.linear import Ridge

train, test = sinusoid(9, 0.3, random_state=9), sinusoid(10, 0.3, random_state=109)
x = np.linspace(-0.03, 1.03, 300)[:, None]
penalties = np.logspace(-6, 1, 80)


def fit(penalty):
    """Degree six with the text's penalty."""
    return Ridge.book(penalty, "dtu", basis=Polynomial(6)).fit(train.X, train.y)


fits = [fit(p) for p in penalties]
scale = fits[0].statistics_.raw_scale()
errors = {
    "training, 9 points": [np.mean((train.y - f.predict(train.X)) ** 2) for f in fits],
    "test, 10 points": [np.mean((test.y - f.predict(test.X)) ** 2) for f in fits],
}
best = float(penalties[np.argmin(errors["test, 10 points"])])
shown = {1e-6: "too little", best: "best on the test points", 1.0: "too much"}

fig, axes = figure(1, 3, size=(14, 4.1))
for i, (p, word) in enumerate(shown.items()):
    axes[0].plot(x, fit(p).predict(x), color=f"C{i}", label=f"λ = {p:.1g}: {word}")
axes[0].scatter(train.X, train.y, s=26, color=INK, zorder=5, label="training")
axes[0].scatter(test.X, test.y, s=26, facecolors="none", edgecolors=ORANGE, zorder=5, label="test")
axes[0].set(xlabel="x", ylabel="y", ylim=(-2.2, 2.6), title="Degree 6 with three penalties")
axes[1].plot(penalties, [f.coef_ * scale for f in fits], linewidth=1.3)
axes[1].set(
    xlabel="λ",
    ylabel="weight of the standardized column",
    title="Weights shrink, together and alone",
    ylim=(-40, 40),
)
for (name, values), color in zip(errors.items(), (GREY, ORANGE), strict=True):
    axes[2].plot(penalties, values, color=color, label=name)
axes[2].plot(list(shown), [np.mean((test.y - fit(p).predict(test.X)) ** 2) for p in shown], "o", color=ORANGE)
axes[2].set(
    xlabel="λ",
    ylabel="mean squared error",
    yscale="log",
    title="Training error rises, test error has a valley",
)
for ax in axes[1:]:
    ax.set_xscale("log")
for ax in (axes[0], axes[2]):
    ax.legend(loc="upper right" if ax is axes[0] else "upper left", fontsize=8.5)
save(fig, __file__)
