"""PRML Figs 3.5–3.6: the trade of bias for variance, seen on 100 data sets of 25 points.

24 Gaussians and a constant, penalty λ on all weights (eq. 3.27). The data sets share their x, so one fit with
100 targets is all 100 fits.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, PINK, mosaic, save

from suffice.bases import GaussianBasis
from suffice.datasets import sinusoid
from suffice.linear import Ridge

sets = [sinusoid(25, 0.3, "grid", random_state=s) for s in range(100)]
X, Y = sets[0].X, np.column_stack([s.y for s in sets])
test = sinusoid(1000, 0.3, random_state=1000)
x = np.linspace(0, 1, 200)[:, None]
truth = np.sin(2 * np.pi * x[:, 0])
basis = GaussianBasis(np.linspace(0, 1, 24), width=0.1)


def fit(log_penalty):
    """One Ridge for all data sets."""
    return Ridge.book(np.exp(log_penalty), "prml", basis=basis).fit(X, Y)


fig, axes = mosaic(
    [["a0", "a1", "a2", "sum"], ["b0", "b1", "b2", "sum"]], size=(15, 6), width_ratios=[1, 1, 1, 1.5]
)
titles = ("Stiff: high bias", "In between", "Loose: high variance")
for i, (log_penalty, title) in enumerate(zip((2.6, -0.31, -2.4), titles, strict=True)):
    curves = fit(log_penalty).predict(x)
    axes[f"a{i}"].plot(x, curves[:, :20], color=ORANGE, linewidth=0.7, alpha=0.6)
    axes[f"a{i}"].set(title=f"{title}, ln λ = {log_penalty:g}".replace("-", "−"), ylabel="20 fits")
    axes[f"b{i}"].plot(x, truth, color=GREEN, label="sin 2πx")
    axes[f"b{i}"].plot(x, curves.mean(axis=1), "--", color=ORANGE, label="mean of 100 fits")
    axes[f"b{i}"].set(xlabel="x", ylabel="mean")
    for ax in (axes[f"a{i}"], axes[f"b{i}"]):
        ax.set_ylim(-1.5, 1.5)
axes["b0"].legend(loc="upper right")

grid = np.linspace(-3, 2.7, 40)
models = [fit(g) for g in grid]
curves = np.array([m.predict(X) for m in models])  # (penalties, 25, 100)
bias = np.mean((curves.mean(axis=2) - np.sin(2 * np.pi * X[:, 0])) ** 2, axis=1)
variance = np.mean(curves.var(axis=2), axis=1)
error = [np.mean((test.y[:, None] - m.predict(test.X)) ** 2) for m in models]
for values, color, label in (
    (bias, BLUE, "bias²"),
    (variance, ORANGE, "variance"),
    (bias + variance, PINK, "their sum"),
):
    axes["sum"].plot(grid, values, color=color, label=label)
axes["sum"].plot(grid, np.array(error) - 0.09, color=INK, linestyle=":", label="test error − noise variance")
axes["sum"].axvline(grid[np.argmin(bias + variance)], color=GREY, linewidth=1, linestyle="--")
axes["sum"].set(xlabel="ln λ", ylim=(0, 0.15), title="The best penalty buys variance with bias")
axes["sum"].legend(loc="upper left")
save(fig, __file__)
