"""PRML Figs 3.5–3.6: the trade of bias for variance, seen on 100 data sets of 25 points.

24 Gaussians and a constant, penalty λ on all weights (eq. 3.27), so 25 weights for 25 points. All penalties come from
one decomposition per data set. The text prints neither the width of the Gaussians nor where the points lie: a width of
1/24 on a grid puts the minimum near its −0.31.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, PINK, mosaic, save

from suffice.bases import GaussianBasis
from suffice.datasets import sinusoid
from suffice.evaluation import bias_variance_path
from suffice.linear import Ridge

model = Ridge.book(1.0, "prml", basis=GaussianBasis(np.linspace(0, 1, 24), width=1 / 24))
x, new = np.linspace(0, 1, 200)[:, None], sinusoid(1000, 0.3, random_state=1)


def truth(X):
    """The mean of every data set."""
    return np.sin(2 * np.pi * X[:, 0])


def simulate(rng):
    """25 points on a grid."""
    data = sinusoid(25, 0.3, "grid", random_state=rng)
    return data.X, data.y


def path(logs, test):
    """Bias² and variance by ln λ, always on the same 100 data sets."""
    return bias_variance_path(
        model, simulate, truth, "alpha", np.exp(logs), test=test, noise=0.09, random_state=0
    )


fig, axes = mosaic(
    [["a0", "a1", "a2", "sum"], ["b0", "b1", "b2", "sum"]], size=(15, 6), width_ratios=[1, 1, 1, 1.5]
)
titles, logs = ("Stiff: high bias", "In between", "Loose: high variance"), (2.6, -0.31, -2.4)
for i, (log, title, parts) in enumerate(zip(logs, titles, path(logs, x).parts, strict=True)):
    axes[f"a{i}"].plot(x, parts.predictions[:20].T, color=ORANGE, linewidth=0.7, alpha=0.6)
    axes[f"a{i}"].set(title=f"{title}, ln λ = {log:g}".replace("-", "−"), ylabel="20 fits", ylim=(-1.5, 1.5))
    axes[f"b{i}"].plot(x, parts.truth, color=GREEN, label="sin 2πx")
    axes[f"b{i}"].plot(x, parts.mean_prediction, "--", color=ORANGE, label="mean of 100 fits")
    axes[f"b{i}"].set(xlabel="x", ylabel="mean", ylim=(-1.5, 1.5))
axes["b0"].legend(loc="upper right")

logs = np.linspace(-3, 2.6, 57)
trade = path(logs, (new.X, new.y))
curves = {"bias²": trade.bias2, "variance": trade.variance, "their sum": trade.bias2 + trade.variance}
for (name, values), color in zip(curves.items(), (BLUE, ORANGE, PINK), strict=True):
    axes["sum"].plot(logs, values, color=color, label=name)
axes["sum"].plot(logs, trade.test_error - 0.09, color=INK, linestyle=":", label="test error − noise variance")
axes["sum"].axvline(np.log(trade.best), color=GREY, linewidth=1, linestyle="--")
axes["sum"].set(xlabel="ln λ", ylim=(0, 0.15), title="The best penalty buys variance with bias")
axes["sum"].legend(loc="upper left")
save(fig, __file__)
