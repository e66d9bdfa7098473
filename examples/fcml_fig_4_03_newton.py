"""FCML Fig. 4.3, Comment 4.3 and Fig. 4.5: Newton's steps, Taylor's polynomials, Laplace's approximation.

Left: a logistic posterior of overlapping points; whole steps, as the text takes them, run away from a far start, and
steps that are halved until they climb do not. Middle: exp and its expansions about zero. Right: a Gamma density and its
normal approximation, in a good and a bad case. The text prints neither data nor parameters: those are ours.
"""

import warnings

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save

from suffice.distributions import Gamma, Normal
from suffice.inference import gradient, hessian, laplace, newton, taylor
from suffice.likelihoods import BernoulliLogit

t = np.arange(100) % 2
X = np.random.default_rng(0).standard_normal((100, 2)) + np.where(t[:, None], 0.4, -0.4)


def log_joint(w):
    return float(BernoulliLogit().log_prob(t, X @ w).sum() - 0.05 * w @ w)


fig, (left, middle, *right) = figure(1, 4, size=(15, 3.9), width_ratios=[1.3, 1, 1, 1])
grid = np.linspace(-9, 9, 61)
heights = [[log_joint(np.array([u, v])) for u in grid] for v in grid]
left.contour(grid, grid, heights, levels=25, colors=[GREY], linewidths=0.5, alpha=0.6)
derivatives = (lambda w: gradient(log_joint, w)), (lambda w: hessian(log_joint, w))
for control, color, name in (("line", BLUE, "halved"), ("none", ORANGE, "whole")):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that whole steps do not converge is the picture
        found = newton(log_joint, [5.0, -5.0], *derivatives, maximize=True, control=control, max_iter=8)
    left.plot(*found.path.T, "o-", color=color, markersize=4, label=f"{name} steps from (5, −5)")
left.set(xlim=(-9, 9), ylim=(-9, 9), xlabel="w₁", ylabel="w₂", title="Newton on a logistic posterior")
left.legend(loc="lower left", fontsize=8)
x = np.linspace(-3, 3, 200)
middle.plot(x, np.exp(x), color=INK, linewidth=2, label="exp")
for order, color in ((1, GREY), (2, ORANGE), (4, BLUE)):
    middle.plot(x, taylor([1.0] * (order + 1))(x), color=color, label=f"order {order}")
middle.set(ylim=(-3, 12), xlabel="w", title="Taylor about 0")
middle.legend(fontsize=8)
for ax, exact in zip(right, (Gamma(20.0, 0.5), Gamma(2.0, 5.0)), strict=True):
    near: Normal = laplace(
        lambda y, d=exact: float(d.log_prob(y[0])) if y[0] > 0 else -np.inf, [exact.mean]
    ).distribution
    y = np.linspace(near.mean - 3 * near.std, exact.quantile(0.999), 300)
    ax.plot(y, exact.prob(y), color=INK, label=f"Gamma({exact.shape:g}, {exact.rate:g})")
    ax.plot(y, near.prob(y), "--", color=ORANGE, label=f"N({near.mean:.3g}, {near.var:.3g})")
    ax.set(xlabel="y", title="Laplace, " + ("good" if exact.shape > 5 else "bad"))
    ax.legend(fontsize=8)
save(fig, __file__)
