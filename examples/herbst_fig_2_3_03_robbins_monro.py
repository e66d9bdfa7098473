"""Herbst & du Preez Figs. 2.3.3 and 2.3.4: a root found from noisy values, one at a time.

Above: f(θ) = E z(θ) is seen through noise only; steps of 1/n lead to its root θ*. Below: for the mean of a
normal distribution f(μ) = (μ − μ*)/σ² is a line, and with steps σ²/n the path is the running mean. The notes print
no data: function, noise and seeds are ours, picked for a clear picture.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save

from suffice.distributions import Normal, robbins_monro, sequential_mean


def curve(theta):
    """Rises through zero at θ* = 1."""
    return 2 * np.tanh(theta - 1)


fig, axes = figure(2, 2, size=(11.5, 7), width_ratios=[1, 1.4])
n, std, truth = 100, 1.5, 0.8
noise, x = Normal(0, 0.7).sample(n, rng=7), Normal(truth, std).sample(n, rng=6)
first = robbins_monro(lambda theta, e: curve(theta) + e, -1.5, noise)
second = robbins_monro(lambda mean, row: (mean - row) / std**2, -1.5, x, lambda k: std**2 / k)
assert np.allclose(second[1:], sequential_mean(x))
seen = curve(first[:-1]) + noise, (second[:-1] - x) / std**2
lines = (curve, lambda mean: (mean - truth) / std**2)
for row, path, z, f, root, name in zip(axes, (first, second), seen, lines, (1.0, truth), "θμ", strict=True):
    at = np.linspace(-2, 3.2, 200)
    row[0].scatter(path[:-1], z, s=10, color=GREY, alpha=0.7, label="seen")
    row[0].plot(at, f(at), color=BLUE, label=f"f({name})")
    row[0].plot(root, 0, "o", color=ORANGE, label=f"{name}* = {root:g}")
    row[0].axhline(0, color=INK, linewidth=0.8)
    row[0].set(xlabel=name, ylabel="z", ylim=(-3.2, 3.2), title=f"z({name}) and its mean f({name})")
    row[0].legend(loc="upper left", ncols=3, columnspacing=1, handletextpad=0.4)
    row[1].plot(np.arange(n + 1), path, color=BLUE)
    row[1].axhline(root, color=ORANGE, linestyle="--", linewidth=1)
    row[1].set(xlabel="step n", ylabel=name, title=f"After {n} steps {path[-1]:.2f}")
save(fig, __file__)
