"""FCML Fig. 4.3, Comment 4.3 and Fig. 4.5: Newton's steps, Taylor's polynomials, Laplace's approximation.

Left: the logistic posterior of overlapping points from two starts; whole steps, as the text takes them, run away from
the far one, and steps that are halved until they climb do not. Middle: exp and its expansions about zero. Right: a
Gamma density and its normal approximation, in a good and a bad case. The text prints neither data nor parameters:
those are ours.
"""

import warnings

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save

from suffice.distributions import Gamma
from suffice.inference import laplace, newton, taylor
from suffice.likelihoods import BernoulliLogit

rng, logit = np.random.default_rng(0), BernoulliLogit()
t = np.arange(100) % 2
X = rng.standard_normal((100, 2)) + np.where(t[:, None], 0.4, -0.4)


def log_joint(w):
    return float(logit.log_prob(t, X @ w).sum() - 0.05 * w @ w)


def slope(w):
    return X.T @ logit.gradient(t, X @ w) - 0.1 * w


def bend(w):
    return -(X.T * logit.curvature(t, X @ w)) @ X - 0.1 * np.eye(2)


fig, (left, middle, *right) = figure(1, 4, size=(15, 3.9), width_ratios=[1.3, 1, 1, 1])
grid = np.linspace(-9, 9, 61)
heights = [[log_joint(np.array([u, v])) for u in grid] for v in grid]
left.contour(grid, grid, heights, levels=25, colors=[GREY], linewidths=0.5, alpha=0.6)
for control, color, name in (("line", BLUE, "halved"), ("none", ORANGE, "whole")):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that whole steps do not converge is the picture
        path = newton(log_joint, [5.0, -5.0], slope, bend, maximize=True, control=control, max_iter=8).path
    left.plot(*path.T, "o-", color=color, markersize=4, label=f"{name} steps from (5, −5)")
left.set(xlim=(-9, 9), ylim=(-9, 9), xlabel="w₁", ylabel="w₂", title="Newton on a logistic posterior")
left.legend(loc="lower left", fontsize=8)
x = np.linspace(-3, 3, 200)
middle.plot(x, np.exp(x), color=INK, linewidth=2, label="exp")
for order, color in ((1, GREY), (2, ORANGE), (4, BLUE)):
    middle.plot(x, taylor([1.0] * (order + 1))(x), color=color, label=f"order {order}")
middle.set(ylim=(-3, 12), xlabel="w", title="Taylor about 0")
middle.legend(fontsize=8)
for ax, (shape, rate) in zip(right, ((20.0, 0.5), (2.0, 100.0)), strict=True):
    exact = Gamma(shape, rate)
    found = laplace(
        lambda y, a=shape, b=rate: (a - 1) * np.log(y[0]) - b * y[0] if y[0] > 0 else -np.inf,
        [exact.mean],
        lambda y, a=shape, b=rate: (a - 1) / y - b,
        lambda y, a=shape: np.diag(-(a - 1) / y**2),
    ).distribution
    y = np.linspace(max(found.mean - 4 * found.std, 1e-6 * found.mean), exact.quantile(0.999), 300)
    y = np.linspace(min(y[0], found.mean - 3 * found.std), y[-1], 300)
    ax.plot(
        y,
        np.where(y > 0, exact.prob(np.maximum(y, 1e-9)), 0.0),
        color=INK,
        label=f"Gamma({shape:g}, {rate:g})",
    )
    ax.plot(y, found.prob(y), "--", color=ORANGE, label=f"N({found.mean:g}, {found.var:.3g})")
    ax.set(xlabel="y", title="Laplace, " + ("good" if shape > 5 else "bad"))
    ax.legend(fontsize=8)
save(fig, __file__)
