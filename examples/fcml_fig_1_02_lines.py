"""FCML Figs 1.2–1.3: what the two numbers of a line do, and two ways to say how wrong it is.

Left and middle: intercept and gradient, one at a time. Right: squared and absolute loss of a constant w for five
numbers around 5, one of them far away; the squared loss is smallest at their mean, the absolute at their median.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save

from suffice.inference import turning_point

x = np.linspace(0, 4, 2)
fig, (first, second, third) = figure(1, 3, size=(13, 3.9))
for w0 in (-2, 0, 2, 4):
    first.plot(x, w0 + 1.5 * x, label=f"w₀ = {w0}".replace("-", "−"))
for w1 in (-1, 0, 1, 2):
    second.plot(x, 2 + w1 * x, label=f"w₁ = {w1}".replace("-", "−"))
first.set(xlabel="x", ylabel="w₀ + 1.5 x", title="The intercept lifts the line …")
second.set(xlabel="x", ylabel="2 + w₁ x", title="… and the gradient tilts it")
for ax in (first, second):
    ax.legend()

t = np.array([3.6, 4.3, 5.0, 5.2, 10.4])
w = np.linspace(1, 11.5, 400)
losses = {
    "squared": (lambda v: np.mean((t - v) ** 2), np.mean(t), BLUE),
    "absolute": (lambda v: np.mean(np.abs(t - v)), np.median(t), ORANGE),
}
for name, (loss, best, color) in losses.items():
    third.plot(w, [loss(v) for v in w], color=color, label=f"{name}, smallest at {best:.1f}")
    third.plot([best, best], [0, loss(best)], "--", color=color, linewidth=1.2)
third.plot(t, np.zeros_like(t), "|", color=INK, markersize=12, label="the numbers")
kind = turning_point(losses["squared"][0], np.mean(t)).kind
third.annotate(
    f"slope 0, curving\nup: a {kind}", (5.7, 7.5), (5.7, 10.5), ha="center", va="center", color=BLUE
)
third.set(xlabel="w", ylabel="average loss", ylim=(-0.6, 28), title="A loss chooses: the mean, or the median")
third.axhline(0, color=GREY, linewidth=0.8)
third.legend(loc="upper center")
save(fig, __file__)
