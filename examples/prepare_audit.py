"""What an audit finds in the cars of DTU Table 2.1, and which cells it means.

The nine printed rows of the raw table: an identifier that comes twice, a miles-per-gallon that is missing, a safety of
−100 where 1 to 5 are legal. Printed: the scale of each column with its reason, and the findings. Drawn: the table, its
cells colored by the gravest finding that names them.
"""

import numpy as np
from _figure import GOLD, GREY, INK, ORANGE, RULE, figure, save
from matplotlib.colors import ListedColormap

from suffice.prepare import attribute_types, audit

cars = {
    "ID": [1, 2, 3, 3, 4, 5, 6, 7, 142],
    "MPG": [18, 28, 26, 29, None, 24, 17.5, 25, 15],
    "Cylinders": [8, 4, 4, 4, 8, 4, 6, 4, 8],
    "Horsepower": [150, 79, 79, 70, 175, 90, 95, 87, 198],
    "Weight": [3436, 2625, 2255, 1937, 3850, 2430, 3193, 2672, 4341],
    "Year": [70, 82, 76, 76, 70, 70, 76, 70, 70],
    "Safety": [4, 4, 3, 1, 2, 3, 4, -100, 2],
    "Acceleration": [11, 18.6, 17.7, 14.2, 11, 14.5, 17.8, 17.5, 10],
    "Origin": ["France", "USA", "USA", "Germany", "USA", "Germany", "USA", "France", "USA"],
}
types, report = attribute_types(cars), audit(cars)
print(types, report, sep="\n\n")

names, n = list(cars), len(cars["ID"])
gravity = {"note": 1, "warning": 2, "error": 3}
cells = np.zeros((n, len(names)))
for found in report:
    for name in found.columns:
        rows = list(found.rows)
        cells[rows, names.index(name)] = np.maximum(cells[rows, names.index(name)], gravity[found.severity])

fig, ax = figure(size=(9.5, 4.2))
ax.pcolormesh(cells, cmap=ListedColormap(["white", RULE, GOLD, ORANGE]), vmin=0, vmax=3, edgecolors=RULE)
for j, name in enumerate(names):
    for i, value in enumerate(cars[name]):
        shown = "missing" if value is None else str(value)
        ax.text(j + 0.5, i + 0.5, shown, ha="center", va="center", color=GREY if value is None else INK)
labels = [f"{a.name}\n{a.scale}\n{a.continuity}" for a in types.values()]
ax.set_xticks(np.arange(len(names)) + 0.5, labels, fontsize=8.5)
ax.set_yticks(np.arange(n) + 0.5, range(n))
ax.xaxis.tick_top()
ax.tick_params(length=0)
ax.set(ylim=(n, 0), ylabel="row")
ax.set_xlabel(f"{len(report)} findings: " + "; ".join(f"{f.kind} ({f.columns[0]})" for f in report))
ax.grid(visible=False)
save(fig, __file__)
