"""DTU Fig. 8.8: the probability of a class as a surface over two inputs.

Logistic regression bends a plane into a sheet between zero and one; its contours are parallel lines. The rows of the
figure are not printed; here they are two overlapping clouds.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, mosaic, save

from suffice import plots
from suffice.datasets import two_clouds
from suffice.glm import LogisticRegression

data = two_clouds(150, (0.9, 0.5), random_state=2)
model = LogisticRegression(prior_precision=0).fit(data.X, data.y)
solid = {("plane", "sheet"): {"projection": "3d"}}
fig, axes = mosaic([["plane", "sheet", "map"]], size=(17, 5.2), per_subplot_kw=solid)
edge = np.linspace(-4, 4, 60)
a, b = np.meshgrid(edge, edge)
grid = np.column_stack([a.ravel(), b.ravel()])
z = model.decision_function(grid).reshape(a.shape)
p = model.predict_proba(grid)[:, 1].reshape(a.shape)
w = model.coef_[0]
for name, height, title, unit in (
    ("plane", z, f"z = {model.intercept_[0]:.2f} + {w[0]:.2f} x₁ + {w[1]:.2f} x₂".replace("-", "−"), "z"),
    ("sheet", p, "P(y = 1 | x) = σ(z)", "P"),
):
    axes[name].plot_surface(a, b, height, cmap="PuOr_r", alpha=0.75, linewidth=0, rcount=60, ccount=60)
    axes[name].contour(a, b, height, levels=[0.0 if name == "plane" else 0.5], colors=[INK], linewidths=2)
    axes[name].set(xlabel="x₁", ylabel="x₂", zlabel=unit, title=title)
    axes[name].view_init(24, -125)
    axes[name].set_box_aspect(None, zoom=1.12)
for label, color in ((0, BLUE), (1, ORANGE)):
    rows = data.X[data.y == label]
    axes["sheet"].scatter(*rows.T, np.full(len(rows), label), color=color, s=10, depthshade=False)
plots.class_regions(model, data.X, data.y, of=1, levels=np.arange(1, 10) / 10, ax=axes["map"])
axes["map"].set(xlabel="x₁", ylabel="x₂")
axes["map"].set_title("The same from above", pad=24)
save(fig, __file__)
