"""DTU §10.2: forward and backward selection disagree, and neither need find the best subset.

Left, the sixteen models of Table 10.1: forward selection starts from the constant prediction and stops at features
1, 2, 4; backward selection starts from all and stops at 1, 3, the best of all. Right, ten columns of which three carry
the signal and two imitate it: both walks run to the end, beside the best of 1,024 subsets; circles are where they stop.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, figure, save, whole_numbers

from suffice.evaluation import select_features
from suffice.linear import LinearRegression

table = {"": 0.91, "1": 0.86, "2": 0.92, "3": 0.88, "4": 0.83, "12": 0.78, "13": 0.62, "14": 0.78, "23": 0.74}
table |= {"24": 0.72, "34": 0.76, "123": 0.64, "124": 0.68, "134": 0.73, "234": 0.78, "1234": 0.79}
WALKS = {"forward": BLUE, "backward": ORANGE}

fig, (left, right) = figure(1, 2, size=(12.5, 4.8))
for subset, error in table.items():
    for other in table:
        if len(other) == len(subset) + 1 and set(subset) < set(other):
            left.plot([len(subset), len(other)], [error, table[other]], color=GREY, linewidth=0.5, alpha=0.6)
for walk, color in WALKS.items():
    found = select_features(table, direction=walk)
    sizes = [len(s) for s in found.path]
    label = f"{walk}: ends at {', '.join(found.selected)}"
    left.plot(sizes, found.errors, "o-", color=color, linewidth=2.4, label=label)
names = {}
for subset, error in table.items():
    names.setdefault((len(subset), error), []).append(subset or "none")
for place, here in names.items():
    left.annotate(", ".join(here), place, (7, 5), textcoords="offset points", fontsize=8, color=INK)
left.plot([len(s) for s in table], list(table.values()), ".", color=INK, markersize=5)
left.set(
    xlabel="features in the model", ylabel="estimated error", xlim=(-0.2, 4.4), title="Table 10.1, two walks"
)
left.legend(loc="lower left")

rng = np.random.default_rng(15)
X = rng.standard_normal((70, 10))
y = X[:, 0] - X[:, 1] + 0.6 * X[:, 2] + rng.standard_normal(70)
X[:, 3] = X[:, 0] - X[:, 1] + 0.6 * rng.standard_normal(70)
X[:, 4] = X[:, 3] + 0.4 * rng.standard_normal(70)
best = select_features(LinearRegression(), X, y, "exhaustive")
right.plot(range(11), best.errors, color=GREEN, linewidth=6, alpha=0.35, label="best of each size")
for walk, color in WALKS.items():
    to_the_end = select_features(LinearRegression(), X, y, walk, n_features=10 if walk == "forward" else 0)
    stop = select_features(LinearRegression(), X, y, walk)
    sizes = [len(s) for s in to_the_end.path]
    label = f"{walk}: stops at {len(stop.selected)} of 10"
    bars = {"capsize": 2, "elinewidth": 0.8}
    right.errorbar(sizes, to_the_end.errors, to_the_end.std_errors, color=color, label=label, **bars)
    right.plot(len(stop.selected), stop.error, "o", color=color, markersize=9, markerfacecolor="none")
right.set(xlabel="columns in the model", ylabel="squared error, 10 folds", title="Ten columns, three needed")
right.legend(loc="upper right")
for ax in (left, right):
    whole_numbers(ax)
save(fig, __file__)
