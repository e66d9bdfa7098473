"""FCML Fig. 1.4 and Table 1.1: three points, a line, and all the arithmetic it takes.

The means in the bottom row give w₁ = (41.57 − 3 · 11.1)/(11.67 − 3²) = 8.27/2.67 = 3.1 and w₀ = 11.1 − 3.1 · 3 = 1.8.
Right: the loss over both weights, a bowl with one lowest point, because its Hessian is positive definite.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, points, save

from suffice.datasets import three_points
from suffice.inference import definiteness
from suffice.linear import SimpleLinearRegression

data = three_points()
line = SimpleLinearRegression().fit(data.X, data.y)
table, means = line.table(), line.table().means
print(table)

fig, (left, middle, right) = figure(1, 3, size=(13.5, 4))
x = np.array([[0.0], [6.0]])
points(left, data, "three points", s=40)
left.plot(x, line.predict(x), label=f"{line.intercept_:.1f} + {line.coef_[0]:.1f} x")
left.plot(
    means["x"], means["t"], "+", color=ORANGE, markersize=13, markeredgewidth=2, label="means", zorder=6
)
left.set(xlabel="x", ylabel="t", title="The line passes through the means")
left.legend()

middle.axis("off")
middle.set_title("The working table")
rows = [row.split() for row in str(table).splitlines() if not row.startswith("-")]
drawn = middle.table(cellText=rows[1:], colLabels=rows[0], loc="center", edges="horizontal", cellLoc="right")
drawn.scale(1, 1.9)
drawn.auto_set_font_size(False)
drawn.set_fontsize(11)
for (row, _), cell in drawn.get_celld().items():
    cell.set_edgecolor(GREY)
    cell.get_text().set_color(ORANGE if row == len(rows) - 1 else INK)

w0, w1 = np.meshgrid(np.linspace(-8, 12, 200), np.linspace(0.2, 6, 200))
loss = np.mean((data.y - w0[..., None] - w1[..., None] * data.X[:, 0]) ** 2, axis=-1)
right.contour(w0, w1, loss, levels=np.geomspace(0.3, 150, 9), colors=BLUE, linewidths=1.2)
right.plot(line.intercept_, line.coef_[0], "o", color=ORANGE, label="(1.8, 3.1)")
hessian = 2 * np.array([[1, means["x"]], [means["x"], means["xx"]]])
right.set(xlabel="w₀", ylabel="w₁", title=f"Its Hessian is {definiteness(hessian)} definite: one minimum")
right.legend(loc="upper right")
save(fig, __file__)
