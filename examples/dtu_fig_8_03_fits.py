"""DTU Figs 8.1–8.5: what "linear model" covers: lines, planes, curves, and fits in one and two dimensions.

The cubic and the trigonometric model have the printed weights (1, −1, −1, 2) and (1, −2, 1); the quadratic
surface those of Example 2, which least squares finds again.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, mosaic, points, save

from suffice.bases import CustomBasis, Polynomial
from suffice.datasets import quadratic_curve, quadratic_surface
from suffice.linear import LinearRegression

solid = {name: {"projection": "3d"} for name in ("plane", "first", "second")}
fig, axes = mosaic(
    [["line", "curves", "fits"], ["plane", "first", "second"]], size=(13, 8), per_subplot_kw=solid
)

x = np.linspace(-2, 2, 300)[:, None]
axes["line"].plot(x, 1 - x, label="y = 1 − x")
axes["line"].set(xlabel="x", ylabel="y", title="A line: w = (1, −1)")
trigonometric = CustomBasis([lambda X: np.cos(X), lambda X: np.sin(4 * X)])
axes["curves"].plot(x, 1 + Polynomial(3)(x) @ [-1, -1, 2], label="1 − x − x² + 2x³")
axes["curves"].plot(x, 1 + trigonometric(x) @ [-2, 1], color=ORANGE, label="1 − 2 cos x + sin 4x")
axes["curves"].set(xlabel="x", ylabel="y", ylim=(-6, 6), title="Still linear in the weights")

data = quadratic_curve(30, (0.5, 1.0, -0.6), 0.4, -2, 2, random_state=2)
points(axes["fits"], data)
for order, color in ((1, GREY), (2, BLUE)):
    fit = LinearRegression(basis=Polynomial(order)).fit(data.X, data.y)
    axes["fits"].plot(
        x, fit.predict(x), color=color, label=f"order {order}: mean loss {fit.noise_variance_ml_:.2f}"
    )
axes["fits"].set(xlabel="x", ylabel="y", title="One input: order 1 and order 2")
for name in ("line", "curves", "fits"):
    axes[name].legend(loc="lower left" if name == "line" else "lower right")

a, b = np.meshgrid(np.linspace(-2, 2, 25), np.linspace(-2, 2, 25))
grid = np.column_stack([a.ravel(), b.ravel()])
surface = quadratic_surface(random_state=1)
line = LinearRegression().fit(surface.X, surface.y)
curved = LinearRegression(basis=Polynomial(2, interactions=True)).fit(surface.X, surface.y)
heights = {
    "plane": (grid @ [1, 0.5], "A plane: w = (0, 1, ½)"),
    "first": (line.predict(grid), f"First order misses: loss {line.noise_variance_ml_:.3f}"),
    "second": (curved.predict(grid), f"Second order finds the weights: loss {curved.noise_variance_ml_:.4f}"),
}
for name, (height, title) in heights.items():
    axes[name].plot_surface(a, b, height.reshape(a.shape), cmap="YlGnBu_r", alpha=0.65, linewidth=0)
    if name != "plane":
        axes[name].scatter(*surface.X.T, surface.y, s=8, color=INK, depthshade=False)
    axes[name].set(xlabel="x₁", ylabel="x₂", zlabel="y", title=title)
save(fig, __file__)
