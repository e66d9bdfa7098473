"""DTU Fig. 10.14: three ways to split rows that follow one another, without and with padding; the first 4 folds.

Each square is a row of lags and its target. Padding leaves out of training what shares values with a test row.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, RULE, figure, save
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch
from sklearn.model_selection import KFold

from suffice.evaluation import Consecutive, Padded, Rolling

N, FOLDS, SHOWN, PADDING = 30, 5, 4, 2
random = KFold(FOLDS, shuffle=True, random_state=7)
SCHEMES = {
    "Random": (random, Padded(random, PADDING)),
    "Consecutive": (Consecutive(FOLDS), Consecutive(FOLDS, padding=PADDING)),
    "Rolling": (Rolling(FOLDS), Rolling(FOLDS, padding=PADDING)),
}
FUTURE, LEFT_OUT, TRAINING, TEST = range(4)
colors = ListedColormap(["white", RULE, BLUE, ORANGE])


def painted(splitter, rolling):
    """What each fold does with each row."""
    picture = np.full((SHOWN, N), LEFT_OUT)
    for row, (train, test) in zip(picture, splitter.split(np.zeros((N, 1))), strict=False):
        row[train], row[test] = TRAINING, TEST
        if rolling:
            row[test.max() + 1 :] = FUTURE
    return picture


fig, axes = figure(3, 2, size=(13, 4.5), sharex=True, sharey=True)
for (name, pair), line in zip(SCHEMES.items(), axes, strict=True):
    for splitter, ax in zip(pair, line, strict=True):
        picture = painted(splitter, name == "Rolling")
        ax.pcolormesh(picture, cmap=colors, vmin=0, vmax=3, edgecolor="white", linewidth=1.6)
        size = np.mean([len(train) for train, _ in splitter.split(np.zeros((N, 1)))])
        padded = f", padding {PADDING}" if ax is line[1] else ""
        ax.set_title(f"{name}{padded}: {size:.0f} rows to train on, on average")
        ax.set(
            ylim=(SHOWN, 0), yticks=np.arange(SHOWN) + 0.5, yticklabels=range(1, SHOWN + 1), aspect="equal"
        )
        ax.grid(visible=False)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
    line[0].set_ylabel("fold")
for ax in axes[-1]:
    ax.set(
        xlabel="row, in the order of time", xticks=np.arange(0, N, 5) + 0.5, xticklabels=range(1, N + 1, 5)
    )
keys = {"training": BLUE, "test": ORANGE, "left out": RULE}
handles = [Patch(color=color, label=name) for name, color in keys.items()]
handles.append(Patch(facecolor="white", edgecolor=GREY, label="not yet seen"))
fig.legend(handles=handles, loc="outside lower center", ncols=4, labelcolor=INK)
save(fig, __file__)
