"""PRML Fig. 3.2: least squares drops a perpendicular from the targets onto what the columns can reach.

Three rows, so the targets are a point t in space; two columns (a constant and x) span a plane. The fitted values
y = H t are the foot of the perpendicular: H² = H, and the residual t − y is orthogonal to both columns.
"""

import matplotlib.pyplot as plt
import numpy as np
from _figure import BLUE, GREEN, INK, ORANGE, STYLE, save

from suffice.linear import LinearRegression

X, t = np.array([[-1.0], [0.2], [1.0]]), np.array([0.0, 2.0, 0.8])
fit = LinearRegression().fit(X, t)
y = fit.hat_matrix(X) @ t
columns = np.column_stack([np.ones(3), X[:, 0]])
plane = np.array([[0, 0], [1.9, 0], [1.9, 1.3], [0, 1.3]]) @ columns.T

plt.rcParams.update(STYLE)
fig = plt.figure(figsize=(8, 6.6), layout="constrained")
ax = fig.add_subplot(projection="3d")
ax.plot_trisurf(*plane.T, triangles=[[0, 1, 2], [0, 2, 3]], color=BLUE, alpha=0.15)
for end, color, name, side in (
    (columns[:, 0], BLUE, "  φ₀ = 1", "left"),
    (columns[:, 1], BLUE, "φ₁ = x  ", "right"),
    (t, INK, "  t, the targets", "left"),
    (y, ORANGE, "y = H t, the fit  ", "right"),
):
    ax.quiver(0, 0, 0, *end, color=color, linewidth=2, arrow_length_ratio=0.06)
    ax.text(*end, name, color=color, fontweight="bold", ha=side)
ax.plot(*np.column_stack([y, t]), "--", color=GREEN, linewidth=2)
ax.text(*((t + y) / 2 + [0, 0, 0.12]), "t − y", color=GREEN, fontweight="bold")
ax.set(xlabel="row 1", ylabel="row 2", zlabel="row 3", box_aspect=(1, 1, 1))
ax.view_init(elev=14, azim=-12)
largest = np.abs(columns.T @ (t - y)).max()
fig.suptitle(
    f"The residual is orthogonal to every column: |Φᵀ(t − y)| = {largest:.0e}", color=INK, fontweight="bold"
)
save(fig, __file__)
