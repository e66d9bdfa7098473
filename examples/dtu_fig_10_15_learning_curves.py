"""DTU Figs 10.15–10.16: five learning curves and what they say.

The text draws cartoons; these are real fits to simulated data, with the baseline (the mean) dashed and a target dotted.
The title of each is the diagnosis that `learning_curve` makes from the gap, the fall per doubling, and their errors.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, ORANGE, band, figure, save
from sklearn.neighbors import KNeighborsRegressor

from suffice.evaluation import learning_curve
from suffice.linear import LinearRegression

rng = np.random.default_rng(3)


def line(n, p, signal):
    """A linear law with unit noise."""
    X = rng.standard_normal((n, p))
    return X, X @ np.full(p, np.sqrt(signal / p)) + rng.standard_normal(n)


def bowl(n):
    """A law that no line can follow."""
    X = rng.uniform(-2, 2, (n, 2))
    return X, 0.6 * X[:, 0] + 0.8 * X[:, 0] ** 2 + 0.5 * rng.standard_normal(n)


def nothing(n):
    """No law at all."""
    return rng.standard_normal((n, 4)), rng.standard_normal(n)


cases = [
    (LinearRegression(), line(600, 30, 3.0), 1.0, "30 weights, 540 rows: the gap closes at the target"),
    (KNeighborsRegressor(1), nothing(500), 0.3, "the nearest neighbour remembers noise"),
    (LinearRegression(), bowl(500), 0.25, "a line cannot bend, with any number of rows"),
    (KNeighborsRegressor(2), nothing(500), 0.2, "two neighbours learn little, and the wrong thing"),
    (LinearRegression(), line(200, 60, 0.8), 1.0, "60 weights, 180 rows: still on the way"),
]
fig, axes = figure(1, 5, size=(17.5, 4.2))
for ax, (model, (X, y), target, words) in zip(axes, cases, strict=True):
    curve = learning_curve(
        model, X, y, target=target, sizes=np.linspace(0.25, 1, 10), repeats=2, random_state=0
    )
    for mean, error, color, name in (
        (curve.test, curve.test_error, ORANGE, "new rows"),
        (curve.train, curve.train_error, BLUE, "rows seen"),
    ):
        band(ax, curve.sizes, mean - error, mean + error, color=color)
        ax.plot(curve.sizes, mean, "o-", color=color, markersize=3.5, label=name)
    ax.axhline(curve.baseline, color=GREY, linestyle="--", linewidth=1.4, label="baseline")
    ax.axhline(target, color=GREEN, linestyle=":", linewidth=1.8, label="target")
    ax.set(title=curve.diagnosis.capitalize(), xlabel=f"training rows\n{words}")
    ax.set_ylim(-0.08, 1.3 * max(curve.baseline, curve.test[-1]))
    print(f"{curve.diagnosis}: {curve.sentence}")
axes[0].set_ylabel("squared error")
axes[0].legend(loc="upper right", fontsize=8.5)
save(fig, __file__)
