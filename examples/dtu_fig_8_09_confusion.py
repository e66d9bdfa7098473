"""DTU Fig. 8.9: from probabilities to a confusion matrix, with a mark for each of ten rows.

Every row has a probability σ(z); above ½ class 1 is predicted. Seven of ten are right, as in the text: accuracy 7/10,
error rate 3/10. The rows of the figure are not printed; these are made up to give its counts.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, figure, save

from suffice import plots
from suffice.evaluation import confusion
from suffice.glm import LogisticRegression

y = np.repeat([0, 1], [6, 4])
x = np.random.default_rng(54).normal(np.where(y, 1.0, -1.0), 1.3)[:, None]
model = LogisticRegression(prior_precision=0).fit(x, y)
said, chance = model.predict(x), model.predict_proba(x)[:, 1]
table = confusion(y, said)
right = (said == y).sum()
assert right == 7

fig, (left, middle, last) = figure(1, 3, size=(15, 4.4), width_ratios=[1.5, 1, 1])
grid = np.linspace(-3.4, 3.4, 200)[:, None]
left.plot(grid, model.predict_proba(grid)[:, 1], color=INK, linewidth=1.2)
left.axhline(0.5, color=INK, linewidth=0.8, linestyle="--")
for label, color, mark in ((0, BLUE, "o"), (1, ORANGE, "s")):
    mine = y == label
    left.scatter(x[mine], chance[mine], color=color, marker=mark, s=45, zorder=4, label=f"class {label}")
left.scatter(
    x[said != y], chance[said != y], s=190, facecolors="none", edgecolors=INK, label="wrong", zorder=5
)
left.set(xlabel="x", ylabel="P(y = 1 | x)", title="Ten rows and their probabilities")
left.legend(loc="upper left")
places = dict.fromkeys([(t, s) for t in (0, 1) for s in (0, 1)], 0)
for truth, guess in zip(y.tolist(), said.tolist(), strict=True):
    k = places[truth, guess]
    places[truth, guess] += 1
    middle.text(guess - 0.3 + 0.15 * (k % 5), truth - 0.1 + 0.2 * (k // 5), "|", fontsize=20, va="center",
                color=BLUE if truth == guess else ORANGE)  # fmt: skip
middle.set(
    xlim=(-0.5, 1.5), ylim=(1.5, -0.5), xticks=[0, 1], yticks=[0, 1], xlabel="predicted", ylabel="true"
)
middle.grid(False)
middle.axhline(0.5, color=INK, linewidth=0.9)
middle.axvline(0.5, color=INK, linewidth=0.9)
middle.set_title("A mark for each row …")
plots.confusion(table, show="counts", ax=last)
last.set_title(f"… counted: accuracy {right}/10, error rate {10 - right}/10")
save(fig, __file__)
