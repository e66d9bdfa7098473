r"""Where expectation–maximization begins: responsibilities of the components in the rows, before there are components.

kmeans             clusters of Lloyd's algorithm, seeded by k-means++
k-means++          rows chosen far apart (k-means++), each row going to the nearest
random_from_data   rows chosen at random, each row going to the nearest
random             responsibilities at random

Columns are measured in units of their spread, so that the start, like the model, does not depend on those of the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import NoInformation, check_choice, hold_warnings, warn
from suffice.engine.threads import count
from suffice.inference import lloyd, seeds

PASSES = 50  # of Lloyd's algorithm: what comes after it needs a start, not an end
METHODS = ("kmeans", "k-means++", "random", "random_from_data")


def starting_responsibilities(
    unit: np.ndarray, weight: np.ndarray | None, n_components: int, how: str, rng: np.random.Generator
) -> np.ndarray:
    """Responsibilities (N, K) for rows of numbers whose distances can be compared; NaN is a missing cell."""
    check_choice("init_params", how, METHODS)
    if how == "random":
        responsibilities = rng.uniform(size=(len(unit), n_components))
        return responsibilities / responsibilities.sum(axis=1, keepdims=True)
    order = own_order(unit, weight)
    ordered, weights = unit[order], None if weight is None else weight[order]
    choice: Any = "random" if how == "random_from_data" else "k-means++"
    with hold_warnings() as held:  # in words of its own; and a start need not be the end of Lloyd's algorithm
        chosen = ordered[seeds(ordered, n_components, rng, how=choice, weight=weights)]
    if held:
        warn(
            f"n_components={n_components} components begin from fewer different rows; choose fewer.",
            NoInformation,
        )
    with hold_warnings():
        passes = PASSES if how == "kmeans" else 1
        found = lloyd(ordered, chosen, weight=weights, tol=1e-4, max_iter=passes, threads=count())
    labels = np.empty(len(unit), dtype=int)
    labels[order] = (
        found.labels
    )  # whole numbers are often halfway: the last digit must not depend on the order
    return one_hot(labels, n_components)


def own_order(X: np.ndarray, weight: np.ndarray | None = None) -> np.ndarray:
    """An order of rows by what is in them, so that a draw does not depend on how they were handed over.

    Equal rows come by weight.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        key = np.nan_to_num(X) @ np.sqrt(1.0 + np.arange(X.shape[1]))
    return np.argsort(key, kind="stable") if weight is None else np.lexsort((weight, key))


def in_units(X: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    """Columns less their mean, over their standard deviation; known cells count.

    Sums are taken in the rows' own order, so that their last digit does not depend on another.
    """
    order = own_order(X, weight)
    mean, spread = _mean_and_spread(X[order], None if weight is None else weight[order])
    return (X - mean) / np.where(spread > 0, spread, 1.0)


def _mean_and_spread(X: np.ndarray, weight: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    w = np.where(np.isnan(X), 0.0, 1.0 if weight is None else weight[:, None])
    n = np.maximum(w.sum(axis=0), np.finfo(float).tiny)
    mean = np.nansum(w * np.nan_to_num(X), axis=0) / n
    return mean, np.sqrt((w * np.square(np.nan_to_num(X - mean))).sum(axis=0) / n)


def one_hot(labels: Any, n: int) -> np.ndarray:
    """Ones at the labels."""
    return np.eye(n)[np.asarray(labels)]
