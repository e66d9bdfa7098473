"""DTU Fig. 10.13: a recording becomes a table, for three choices of embedding size p and horizon h.

Every cell stands where `embed` puts it, under the name it gives the column. Below each table, the steps that
its first row knows (filled) and the one that it predicts (ring).
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, figure, save
from matplotlib.patches import FancyBboxPatch
from pandas import DataFrame

from suffice.prepare import embed

step = np.arange(1, 6)
recording = DataFrame({"x1": 10 * step + 1, "x2": 10 * step + 2, "y": step})  # a cell's value is its index
COLORS = {"x1": GREEN, "x2": BLUE, "y": ORANGE}


def draw(ax, place, name, values):
    """A column: its name, and cells in the colour of its source."""
    source, box = name.split("[")[0], {"boxstyle": "round,pad=0,rounding_size=0.14", "alpha": 0.22}
    ax.text(place + 0.5, -0.15, name, ha="center", va="bottom", size=8, color=GREY, rotation=45)
    for row, value in enumerate(values):
        corner = (place + 0.08, row + 0.08)
        ax.add_patch(FancyBboxPatch(corner, 0.84, 0.84, color=COLORS[source], linewidth=0, **box))
        label = rf"$\tilde {source[0]}_{{{value:g}}}$"
        ax.text(place + 0.5, row + 0.5, label, ha="center", va="center", size=12, color=INK)


fig, axes = figure(1, 4, size=(13, 4.3), width_ratios=[3.4, 5, 5, 8])
for j, name in enumerate(recording):
    draw(axes[0], j, name, recording[name])
words = "steps that the first row\nknows ● and predicts ○"
axes[0].text(1.5, 5.75, words, ha="center", va="center", size=8, color=GREY)
axes[0].set(title="The recording", xlim=(-0.2, 3.2))

for ax, (p, h) in zip(axes[1:], ((1, 1), (1, 2), (2, 1)), strict=True):
    table = embed(recording["y"], recording[["x1", "x2"]], p, h)
    width = len(table.names)
    for j, name in enumerate(table.names):
        draw(ax, j, name, table.X[:, j])
    draw(ax, width + 0.6, table.target_name, table.y)
    for row in 0.5 + np.arange(len(table.y)):
        ax.annotate("", (width + 0.55, row), (width + 0.05, row), arrowprops={"arrowstyle": "->"})
    target, at = table.rows[0] + 1, width / 2 + 0.8 + 0.55 * (step - 3)
    known = (step > target - h - p) & (step <= target - h)
    ax.scatter(at, np.full(5, 5.6), s=np.where(known, 60, 8), color=np.where(known, INK, GREY))
    ax.scatter(at[target - 1], 5.6, s=110, facecolor="white", edgecolor=ORANGE, linewidths=2)
    for where, t in zip(at, step, strict=True):
        ax.text(where, 6.1, t, ha="center", va="center", size=8, color=GREY)
    ax.set(title=f"p = {p}, h = {h}: {len(table.y)} rows", xlim=(-0.2, width + 1.8))
for ax in axes:
    ax.set(ylim=(6.4, -1.4), aspect="equal")
    ax.axis("off")
save(fig, __file__)
