"""DTU Fig. 4.2: the points of the plane whose p-distance from the origin is at most one.

The ball grows with p, from a star to a square. Below p = 1 it is not convex, so the rooted form is no norm; without the
root the ball is the same set, and the distance a metric.
"""

import numpy as np
from _figure import BLUE, INK, figure, save

from suffice.similarity import check_norm, minkowski

POWERS = {"½": 0.5, "1": 1, "3/2": 1.5, "2": 2, "3": 3, "∞": np.inf}
ORIGIN, WITNESS = np.zeros(2), np.array([0.6, 0.6])
LABEL = {"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1}

axis = np.linspace(-1.25, 1.25, 301)
a, b = np.meshgrid(axis, axis)
grid = np.column_stack([a.ravel(), b.ravel()])
corners = [[1.0, 0.0], [0.0, 1.0], WITNESS]

fig, axes = figure(2, 3, size=(10.5, 7.2), sharex=True, sharey=True)
for ax, (name, p) in zip(axes.flat, POWERS.items(), strict=True):
    distance = minkowski(grid, ORIGIN, p=p).reshape(a.shape)
    is_norm = check_norm(lambda x, p=p: minkowski(x, ORIGIN, p=p), corners).holds
    ax.contourf(a, b, distance, levels=[-1, 1], colors=[BLUE], alpha=0.2)
    ax.contour(a, b, distance, levels=[1], colors=[BLUE], linewidths=1.8)
    ax.plot(*WITNESS, "o", color=INK, markersize=4)
    ax.annotate(
        f"{minkowski(WITNESS, ORIGIN, p=p):.3f}",
        WITNESS,
        xytext=(5, 5),
        textcoords="offset points",
        color=INK,
        bbox=LABEL,
    )
    ax.set(title=f"p = {name}{'' if is_norm else ', not a norm'}", aspect="equal")
for ax in axes[1]:
    ax.set_xlabel("x₁")
for ax in axes[:, 0]:
    ax.set_ylabel("x₂")
fig.suptitle("Unit balls, and the distance of (0.6, 0.6) from the origin", color=INK)
save(fig, __file__)
