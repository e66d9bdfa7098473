"""PRML Fig. 3.3: where Σ|w|^q is constant, for q = ½, 1, 2 and 4, and what the same penalty makes of one weight.

Below, the weight that minimizes ½(w − ŵ)² + (λ/2)|w|^q with λ = 1, as the unpenalized ŵ grows: up to q = 1 small
weights become exactly zero; q = 2 shrinks all by the same factor; q = 4 leaves small weights alone.
"""

import warnings

import numpy as np
from _figure import BLUE, GREY, INK, figure, save

from suffice.linear import QNormRegression

axis, grid = np.linspace(-1.6, 1.6, 401), np.linspace(-3, 3, 241)
a, b = np.meshgrid(axis, axis)
warnings.filterwarnings("ignore", "With q=0.5")  # a single weight: the local minimum found is the lowest

fig, axes = figure(2, 4, size=(13.5, 6.4))
for (top, bottom), q in zip(axes.T, (0.5, 1.0, 2.0, 4.0), strict=True):
    size = np.abs(a) ** q + np.abs(b) ** q
    top.contourf(a, b, size, levels=[0, 1], colors=[BLUE], alpha=0.15)
    top.contour(a, b, size, levels=[0.5, 1.0, 1.5], colors=BLUE, linewidths=[1, 2, 1])
    top.axhline(0, color=GREY, linewidth=0.6)
    top.axvline(0, color=GREY, linewidth=0.6)
    top.set(
        aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1], title=f"q = {q:g}", xlabel="w₁", ylabel="w₂"
    )
    top.grid(False)
    model = QNormRegression(q, 1.0, fit_intercept=False)
    shrunk = [model.fit([[1.0]], [w]).coef_[0] for w in grid]
    jumps = np.where(np.abs(np.diff(shrunk, prepend=shrunk[0])) > 0.2, np.nan, shrunk)
    bottom.plot(grid, grid, color=GREY, linewidth=1, linestyle="--", label="no penalty")
    bottom.plot(grid, jumps, color=BLUE, label="penalized")
    bottom.axhline(0, color=INK, linewidth=0.6)
    bottom.set(aspect="equal", xlabel="unpenalized weight", ylabel="weight")
axes[1, 0].legend(loc="upper left")
save(fig, __file__)
