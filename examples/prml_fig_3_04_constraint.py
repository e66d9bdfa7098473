"""PRML Fig. 3.4: the least error within a budget Σ|w|^q ≤ η lies where an error contour first touches the region.

Two correlated columns. The budget of the square (q = 2) is a disc, that of the absolute value (q = 1) a diamond, whose
corner sets w₁ to exactly zero. `with_budget` finds the penalty λ that meets η, so both views have one solution.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save

from suffice.linear import Lasso, LinearRegression, Ridge, budget_of, with_budget

rng = np.random.default_rng(3)
X = rng.standard_normal((60, 2)) @ [[1.0, 0.35], [0.0, 0.9]]
y = X @ [0.45, 1.6] + 0.6 * rng.standard_normal(60)
X, y = X - X.mean(axis=0), y - y.mean()
free = LinearRegression().fit(X, y).coef_
axis = np.linspace(-1.3, 2.6, 400)
w = np.stack(np.meshgrid(axis, axis), axis=-1)
error = 0.5 * np.sum((y - w.reshape(-1, 2) @ X.T) ** 2, axis=1).reshape(400, 400)

fig, axes = figure(1, 2, size=(11, 5.2))
for ax, model, q in zip(axes, (Ridge(), Lasso()), (2, 1), strict=True):
    found = with_budget(model, 1.0, X, y)
    touch = 0.5 * np.sum((y - found.predict(X)) ** 2)
    least = error.min()
    levels = least + (touch - least) * np.array([0.05, 0.3, 0.62, 1.0])
    ax.contourf(*w.T, np.sum(np.abs(w) ** q, axis=-1).T, levels=[0, 1], colors=[ORANGE], alpha=0.25)
    ax.contour(*w.T, error.T, levels=levels, colors=BLUE, linewidths=[0.8, 0.8, 0.8, 2])
    ax.plot(*free, "+", color=INK, markersize=9, label="least squares")
    ax.plot(
        *found.coef_, "o", color=INK, markersize=6, label=f"w* = ({found.coef_[0]:.2f}, {found.coef_[1]:.2f})"
    )
    ax.axhline(0, color=GREY, linewidth=0.6)
    ax.axvline(0, color=GREY, linewidth=0.6)
    penalty = f"alpha = {found.alpha:.3g}, η = Σ|w|{'²' if q == 2 else ''} = {budget_of(found):.2f}"
    ax.set(aspect="equal", xlabel="w₁", ylabel="w₂", title=f"q = {q}: {penalty}")
    ax.legend(loc="lower right")
save(fig, __file__)
