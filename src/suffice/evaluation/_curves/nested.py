"""Training sets of growing size: which rows a learning curve takes, and in which order."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.random import streams
from suffice.statistics.folds import Folds, Pairs

POINTS = 8  # sizes of a curve when none are asked for
FIRST = 0.1  # the smallest of them, as a share of the training rows


def training_sizes(sizes: Any, most: int) -> np.ndarray:
    """Numbers of rows from numbers or fractions of `most`, ascending and without repetition.

    >>> training_sizes([0.5, 10, 40], most=40)
    array([10, 20, 40])
    """
    if sizes is None:
        return np.unique(np.rint(np.geomspace(max(FIRST * most, 1), most, POINTS)).astype(int))
    values = [sizes] if np.ndim(sizes) == 0 else list(sizes)
    if not values:
        raise InvalidParameter("sizes must name at least one number of training rows; got none.")
    return np.unique([_size(v, most) for v in values])


def _size(value: Any, most: int) -> int:
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and 1 <= value <= most:
        return int(value)
    if isinstance(value, float | np.floating) and 0 < value <= 1:
        return max(round(float(value) * most), 1)
    raise InvalidParameter(
        f"sizes must be integers from 1 to {most}, the rows of the smallest training set, or fractions above 0 "
        f"and up to 1; got {value!r}. Larger training sets need more folds."
    )


def training_orders(
    folds: Folds, labels: np.ndarray | None, shuffle: bool, repeats: int, random_state: Any
) -> list[np.ndarray]:
    """The training rows of fold after fold in the order in which sizes take them, once per repeat."""
    k = len(folds)
    if not isinstance(shuffle, bool | np.bool_):
        raise InvalidParameter(f"shuffle must be True or False; got {shuffle!r}.")
    if not shuffle:
        return [folds.train(i) for i in range(k)] * repeats
    return [
        shuffled(folds.train(j % k), labels, rng) for j, rng in enumerate(streams(random_state, repeats * k))
    ]


def shuffled(rows: np.ndarray, labels: np.ndarray | None, rng: np.random.Generator) -> np.ndarray:
    """Rows in random order; with labels, every beginning holds each class by its share, up to rounding.

    The i-th of the n rows of a class stands at (i + u)/n of the way, with one u ~ U(0, 1) per class.
    """
    rows = rng.permutation(rows)
    if labels is None:
        return rows
    _, code, count = np.unique(labels[rows], return_inverse=True, return_counts=True)
    rank = np.empty(len(rows))
    rank[np.argsort(code, kind="stable")] = np.concatenate([np.arange(c) for c in count])
    return rows[np.argsort((rank + rng.random(len(count))[code]) / count[code], kind="stable")]


def nested_folds(orders: list[np.ndarray], folds: Folds, sizes: np.ndarray, n: int) -> Pairs:
    """The first rows of every order, by size, with the test rows of its fold: repeats × folds × sizes."""
    tests = [np.arange(n)[folds.test(i)] for i in range(len(folds))]
    return Pairs(tuple((o[:m], tests[j % len(tests)]) for j, o in enumerate(orders) for m in sizes))
