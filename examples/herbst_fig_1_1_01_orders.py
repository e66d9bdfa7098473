"""Herbst & du Preez Figs. 1.1.1 and 1.1.2: polynomials through noisy points of a sine, and a penalty on their weights.

Above: degrees 0, 1, 3 and 9 by least squares; degree 9 passes through all ten points and is useless between them.
Below: degree 9 again, with the penalty (λ/2)‖w‖² of eq. 1.3, constant included: `Ridge.book(λ, "herbst")`. The notes
draw x at random and print no data; these are the ten equally spaced points circulated with Bishop's text.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, ORANGE, mosaic, points, save

from suffice.bases import Polynomial
from suffice.datasets import sinusoid_10
from suffice.linear import LinearRegression, Ridge

data = sinusoid_10()
x = np.linspace(0, 1, 300)[:, None]
truth = np.sin(2 * np.pi * x)


def penalized(log_penalty):
    """Degree nine with λ = exp(log_penalty)."""
    return Ridge.book(np.exp(log_penalty), "herbst", basis=Polynomial(9)).fit(data.X, data.y)


def draw(ax, model, title):
    """The curve of a model among the points, and the largest of its weights."""
    ax.plot(x, truth, color=GREEN, linewidth=1.3, label="sin 2πx")
    ax.plot(x, model.predict(x), color=ORANGE, label="fit")
    points(ax, data)
    largest = np.abs(np.r_[model.intercept_, model.coef_]).max()
    ax.set(xlabel="x", ylim=(-1.7, 1.7), title=f"{title}: largest weight {largest:,.1f}")


fig, axes = mosaic("0139;abcd", size=(15, 7.2))
for degree in (0, 1, 3, 9):
    fit = LinearRegression(basis=Polynomial(degree)).fit(data.X, data.y)
    draw(axes[str(degree)], fit, f"M = {degree}")
for name, log_penalty in (("a", -18), ("b", -8), ("c", 0)):
    draw(axes[name], penalized(log_penalty), f"M = 9, ln λ = {log_penalty}".replace("-", "−"))
axes["0"].legend(loc="lower left")
for name in "0a":
    axes[name].set_ylabel("t")

logs = np.linspace(-36, 3, 120)
fits = [penalized(v) for v in logs]
axes["d"].plot(logs, [np.sqrt(f.noise_variance_ml_) for f in fits], color=GREY, label="the ten points")
error = [np.sqrt(np.mean((f.predict(x) - truth[:, 0]) ** 2)) for f in fits]
axes["d"].plot(logs, error, color=BLUE, label="the sine itself")
axes["d"].set(xlabel="ln λ", ylabel="root mean square distance to", ylim=(0, 1), title="How much penalty?")
axes["d"].legend(loc="upper center")
save(fig, __file__)
