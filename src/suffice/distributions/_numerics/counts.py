"""Vectors of counts with a given total: their domain, their most probable value, their expectations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.distributions._checks import check_broadcast, parameter, real, sample_values


def whole(name: str, value: Any) -> np.ndarray:
    """A parameter that is an integer ≥ 0, as float64, or an error that names it."""
    array = parameter(name, value, low=0.0)
    if np.any(array != np.floor(array)):
        raise InvalidParameter(f"{name} must be an integer; got {array[array != np.floor(array)].flat[0]}.")
    return array


def last_axis(x: Any, size: int, batch_shape: tuple[int, ...]) -> np.ndarray:
    """Vectors (..., K) that broadcast with the batch."""
    array = np.asarray(real(x))
    if array.ndim < 1 or array.shape[-1] != size:
        raise InvalidInput(f"x must have {size} coordinates in its last axis; got shape {array.shape}.")
    check_broadcast(array.shape[:-1], batch_shape)
    return array


def are_counts(x: np.ndarray, n: Any) -> np.ndarray:
    """Whether the last axis holds whole numbers ≥ 0 that sum to n."""
    with np.errstate(invalid="ignore"):
        return np.all((x >= 0) & (x == np.floor(x)), axis=-1) & (x.sum(axis=-1) == n)


def rows_of_counts(x: Any) -> tuple[np.ndarray, float]:
    """A table of counts for a fit, and the total that its rows share."""
    table = sample_values(x, ndim=2)
    totals = table.sum(axis=1)
    total = float(totals[0]) if len(table) else 0.0
    bad = ~are_counts(table, total)
    if bad.any():
        row = int(np.argmax(bad))
        raise InvalidInput(
            f"x must hold whole counts >= 0 with the same total in every row, {total:g}; "
            f"row {row} is {table[row].tolist()}."
        )
    return table, total


def apportion(n: np.ndarray, votes: np.ndarray) -> np.ndarray:
    """Counts (..., K) summing to n, each unit given to the largest votes/(count + 1).

    No coordinate gets less than the whole part of its share, so only the last few units are handed out
    one by one.
    """
    share = n[..., None] * votes / votes.sum(axis=-1, keepdims=True)
    counts = np.floor(share)
    left = n - counts.sum(axis=-1)
    while np.any(left > 0):
        best = np.argmax(votes / (counts + 1), axis=-1)[..., None]
        more = np.take_along_axis(counts, best, axis=-1) + (left > 0)[..., None]
        np.put_along_axis(counts, best, more, axis=-1)
        left = left - (left > 0)
    return counts


def expected(log_prob: Callable, f: Callable, n: float, mean: float = 0.0, std: float = np.inf) -> float:
    """Σ P(x) f(x) over x = 0 … n, or those within 12 standard deviations and 60 of the mean."""
    low, high = max(0.0, np.floor(mean - 12 * std - 60)), min(n, np.ceil(mean + 12 * std + 60))
    x = np.arange(low, high + 1)
    p = np.exp(log_prob(x))
    return float(p @ f(x) / p.sum())
