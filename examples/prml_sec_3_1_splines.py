"""PRML §3.1: pieces of polynomials in place of one. Twelve free numbers each, on a curve that changes its pace."""

import numpy as np
from _figure import GREY, INK, band, figure, save

from suffice.bases import Polynomial, SplineBasis
from suffice.linear import LinearRegression

rng = np.random.default_rng(4)
x = np.sort(rng.uniform(0, 1, 160))
grid = np.linspace(0, 1, 600)


def curve(x):
    """Slow on the left, quick on the right."""
    return np.sin(2 * np.pi * 3 * x**3)


y = curve(x) + 0.15 * rng.normal(size=160)
knots = np.array([0.0, 0.35, 0.52, 0.63, 0.71, 0.77, 0.83, 0.89, 0.94, 1.0])
bases = {"Polynomial(11)": Polynomial(11), "SplineBasis, 10 knots": SplineBasis(knots)}
fig, axes = figure(1, 2, size=(12, 4), sharey=True)
for ax, (name, basis) in zip(axes, bases.items(), strict=True):
    model = LinearRegression(basis=basis).fit(x[:, None], y)
    low, high = model.predict_dist(grid[:, None], noise=False).interval(0.95)
    error = np.sqrt(np.mean((model.predict(x[:, None]) - curve(x)) ** 2))
    ax.scatter(x, y, s=10, color=GREY, label="data")
    ax.plot(grid, curve(grid), "--", color=INK, linewidth=1, label="truth")
    ax.plot(grid, model.predict(grid[:, None]), label=f"{len(model.coef_) + 1} weights")
    band(ax, grid, low, high, "95 % for the curve")
    if isinstance(basis, SplineBasis):
        ax.plot(knots, np.full(len(knots), -2.15), "|", color=INK, markersize=12, label="knots")
    ax.set(xlabel="x", ylim=(-2.4, 2.4), title=f"{name}: off by {error:.3f} on average")
    ax.legend(loc="upper left", ncols=3)
save(fig, __file__)
