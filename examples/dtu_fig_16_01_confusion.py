"""DTU Figs 16.1 and 16.11: counts of right and wrong. On few positives accuracy and scaled accuracy disagree.

Left: ten rows and a boundary, as in Fig. 16.1 (its rows are not printed; these are made up). Middle and right: the two
tables of quiz 16.3, whose numbers the solution prints. Logistic regression has the higher accuracy, the tree the higher
scaled accuracy.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, figure, save

from suffice import plots
from suffice.evaluation import Confusion, confusion

rng = np.random.default_rng(361)
y = np.repeat([1, 0], [4, 6])
X = rng.normal(np.where(y[:, None] == 1, 0.7, -0.7), 0.8, (10, 2))
said = (X.sum(axis=1) > 0).astype(int)
cells = {(1, 1): "TP", (1, 0): "FN", (0, 1): "FP", (0, 0): "TN"}

fig, axes = figure(1, 4, size=(17, 4.2))
axes[0].plot([-2.5, 2.5], [2.5, -2.5], color=INK, linewidth=1, linestyle="--")
for label, color in ((1, BLUE), (0, ORANGE)):
    axes[0].scatter(*X[y == label].T, color=color, label=f"class {label}")
for place, truth, guess in zip(X, y, said, strict=True):
    axes[0].annotate(cells[truth, guess], place, (5, 4), textcoords="offset points", fontsize=8.5)
axes[0].set(xlim=(-2.5, 2.5), ylim=(-2.5, 2.5), title="Ten rows and a boundary")
axes[0].legend(loc="lower left")
plots.confusion(confusion(y, said), ax=axes[1])
axes[1].set_title("… and their table")
printed = {"Logistic regression": (12, 69, 10, 215), "Tree": (26, 55, 34, 191)}
for (name, (tp, fn, fp, tn)), ax in zip(printed.items(), axes[2:], strict=True):
    table = Confusion.of_counts(tp=tp, fn=fn, fp=fp, tn=tn)
    plots.confusion(table, ax=ax)
    ax.set_title(f"{name}\naccuracy {float(table.accuracy):.3f}, scaled {float(table.scaled_accuracy):.3f}")
save(fig, __file__)
