"""What discrete distributions share: integers, ladders of sums, and the first value that reaches p."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.distributions._checks import sample_values

_MOST = np.int64(np.iinfo(np.int64).max)


# -- integers ------------------------------------------------------------------------------------------
def sample_counts(x: Any, high: float = np.inf) -> np.ndarray:
    """A vector of integers from 0 to `high` for a fit."""
    x = sample_values(x, ndim=1)
    bad = (x < 0) | (x > high) | (x != np.floor(x))
    if bad.any():
        domain = "integers >= 0" if high == np.inf else f"integers from 0 to {high:g}"
        raise InvalidInput(f"x must be {domain}; got {x[bad][0]}.")
    return x


def on_integers(x: Any, high: Any = np.inf) -> tuple[Any, Any]:
    """x where it is an integer from 0 to `high`, 0 elsewhere; and whether it is one."""
    inside = (x >= 0) & (x <= high) & (x == np.floor(x)) & np.isfinite(x)
    return np.where(inside, x, 0.0), inside


def masked(value: Any, inside: Any, x: Any) -> Any:
    """A log density inside the support, −inf outside, NaN at NaN."""
    return np.where(inside, value + 0.0, np.where(np.isnan(x), np.nan, -np.inf))[()]  # never −0.0


def steps(x: Any, f: Callable[[Any], Any], below: float, above: float, high: Any = np.inf) -> Any:
    """A step function: `f` of the integer at or below x, in 0 … high − 1; constants outside."""
    k = np.floor(x)
    inside = (k >= 0) & (k < high) & np.isfinite(k)
    value = np.where(inside, f(np.where(inside, k, 0.0)) + 0.0, np.where(k < 0, below, above))
    return np.where(np.isnan(x), np.nan, value)[()]


def first_integer(reaches: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """The smallest integer above `low` that reaches, by bisection; `high` does."""
    low, high = np.broadcast_arrays(low, high)
    while True:
        middle = np.floor((low + high) / 2)
        open_ = (low < middle) & (middle < high)  # from 2⁵³ on not all integers are doubles
        if not np.any(open_):
            return high[()]
        hit = reaches(middle)
        low, high = np.where(open_ & ~hit, middle, low), np.where(open_ & hit, middle, high)


def first_number(reaches: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """The smallest double from `low` on that reaches, by bisecting their order; `high` does."""
    low, high = np.broadcast_arrays(_rank(low) - 1, _rank(high))
    while np.any(open_ := low < high - 1):
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        hit = reaches(_number(middle))
        low, high = np.where(open_ & ~hit, middle, low), np.where(open_ & hit, middle, high)
    return _number(high)[()] + 0.0


def first_atom(reaches: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """The smallest double from `low` on that reaches; `high` does.

    A whole number first, for most atoms are such; doubles before it only where one of them reaches too.
    """
    found = first_integer(reaches, np.ceil(low) - 1, np.ceil(high))
    before = np.nextafter(found, -np.inf)
    between = (before >= low) & reaches(before)
    if not np.any(between):
        return found
    return first_number(reaches, np.where(between, np.maximum(low, found - 1), found), found)


def _rank(x: Any) -> np.ndarray:
    """Doubles as integers in the same order."""
    bits = np.asarray(x, dtype=float).view(np.int64)
    return np.where(bits < 0, bits ^ _MOST, bits)


def _number(rank: np.ndarray) -> np.ndarray:
    """The double of that rank."""
    return np.asarray(np.where(rank < 0, rank ^ _MOST, rank)).view(float)


# -- ladders -------------------------------------------------------------------------------------------
def sums(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums from below and from above at the K + 1 gaps, exactly 0 and 1 at the ends of the support."""
    edge = np.zeros((*p.shape[:-1], 1))
    below = np.concatenate([edge, np.cumsum(p, axis=-1)], axis=-1)
    above = np.concatenate([np.cumsum(p[..., ::-1], axis=-1)[..., ::-1], edge], axis=-1)
    return np.where(above == 0, 1.0, np.minimum(below, 1.0)), np.where(
        below == 0, 1.0, np.minimum(above, 1.0)
    )


def rung(values: np.ndarray, x: Any, side: str = "right") -> np.ndarray:
    """How many of the sorted values (..., K) are ≤ x, or < x for side "left"."""
    if values.ndim == 1:
        return np.asarray(np.searchsorted(values, x, side=side))  # type: ignore[call-overload]
    gap = np.asarray(x)[..., None]
    return np.sum(values <= gap if side == "right" else values < gap, axis=-1)


def entry_at(table: np.ndarray, index: np.ndarray) -> np.ndarray:
    """table[..., index], with the batch of the table and the shape of the index broadcast."""
    if table.ndim == 1:
        return np.asarray(table[index])
    shape = np.broadcast_shapes(table.shape[:-1], index.shape)
    table = np.broadcast_to(table, (*shape, table.shape[-1]))
    return np.take_along_axis(table, np.broadcast_to(index, shape)[..., None], axis=-1)[..., 0]


def at_rung(table: np.ndarray, values: np.ndarray, x: Any) -> Any:
    """Entries (..., K + 1) of a table at the gap between values that holds x; NaN at NaN."""
    return np.where(np.isnan(x), np.nan, entry_at(table, rung(values, x)))[()]


def log_at_value(share: np.ndarray, values: np.ndarray, x: Any) -> Any:
    """log of the share of the value x; −inf for what is none of the values."""
    index = np.minimum(rung(values, x, "left"), values.shape[-1] - 1)
    with np.errstate(divide="ignore"):
        return masked(np.log(entry_at(share, index)), entry_at(values, index) == x, x)


def entropy_of_counts(log_prob: Callable[[Any], Any], mean: Any, std: Any, batch: tuple[int, ...]) -> Any:
    """−Σ P log P over the integers within 12 standard deviations and 60 of the mean."""
    reach = int(np.ceil(12 * np.max(std, initial=0.0))) + 60
    k = np.floor(mean) + np.arange(-reach, reach + 1).reshape(-1, *[1] * len(batch))
    logs = log_prob(k)
    return 0.0 - np.sum(np.where(logs > -np.inf, np.exp(logs) * np.maximum(logs, -1e300), 0.0), axis=0)[()]
