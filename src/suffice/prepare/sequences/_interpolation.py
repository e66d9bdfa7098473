"""Values between observations: the step of a grid that each falls into, what a step gets, the line to the next one."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.prepare.sequences._time import elapsed


def places(time: np.ndarray, start: Any, step: Any) -> np.ndarray:
    """Which step each time falls into; a time within rounding of a boundary belongs to the later one."""
    if time.dtype.kind == "M":
        return (time - start) // step
    steps = (time - start) / step
    nearest = np.round(steps)
    slack = 8 * np.finfo(float).eps * np.maximum(np.abs(time), abs(start)) / step
    return np.where(np.abs(steps - nearest) <= slack, nearest, np.floor(steps)).astype(np.int64)


def means(place: np.ndarray, values: np.ndarray, n: int) -> np.ndarray:
    """The mean of each column in each of n steps; NaN where there is nothing."""
    out = np.full((n, values.shape[1]), np.nan)
    for j, column in enumerate(values.T):
        seen = ~np.isnan(column)
        count = np.bincount(place[seen], minlength=n)
        size = power_of_two(column[seen])  # so that a sum of large numbers is no larger than a number can be
        total = np.bincount(place[seen], weights=column[seen] / size, minlength=n)
        np.divide(total, count, out=out[:, j], where=count > 0)
        out[:, j] *= size
    return out


def lasts(place: np.ndarray, values: np.ndarray, n: int) -> np.ndarray:
    """The last value of each column in each of n steps; NaN where there is nothing."""
    out = np.full((n, values.shape[1]), np.nan)
    for j, column in enumerate(values.T):
        seen = ~np.isnan(column)
        out[place[seen], j] = column[seen]  # of several rows in one step the last is kept
    return out


def interpolate_column(
    time: np.ndarray, column: np.ndarray, at: np.ndarray, name: str, outside: str
) -> np.ndarray:
    """One column at other times."""
    seen = ~np.isnan(column)
    if not seen.any():
        raise InvalidInput(f"Column {name!r} has no observation; there is nothing to interpolate.")
    known, y = time[seen], column[seen]
    before, after = at < known[0], at > known[-1]
    beyond = before | after
    if outside == "error" and beyond.any():
        raise InvalidInput(
            f"at = {at[np.argmax(beyond)]} lies outside the observations of {name!r} ({known[0]} to {known[-1]}). "
            'Say what to do there with outside="hold", "linear" or "missing".'
        )
    x, u = elapsed(known, known[0]), elapsed(at, known[0])
    out = on_the_line(u, x, y)
    if outside == "missing":
        out[beyond] = np.nan
    if outside == "linear" and beyond.any():
        if len(x) < 2:
            raise InvalidInput(f"Column {name!r} has one observation; a line needs two.")
        for side, (i, j) in ((before, (0, 1)), (after, (-1, -2))):
            out[side] = y[i] + (u[side] - x[i]) / (x[j] - x[i]) * (y[j] - y[i])
    return out


def on_the_line(u: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Between the two nearest points; beyond the ends their values. No slope is formed, which might overflow."""
    if len(x) == 1:
        return np.full(len(u), y[0])
    u = np.clip(u, x[0], x[-1])
    right = np.clip(np.searchsorted(x, u, side="right"), 1, len(x) - 1)
    left, size = right - 1, power_of_two(y)
    share = (u - x[left]) / (x[right] - x[left])
    a, b = y[left] / size, y[right] / size
    return np.where(share == 1, y[right], size * (a + share * (b - a)))


def power_of_two(values: np.ndarray) -> float:
    """A unit in which large numbers can be added; one for others, so that none of their digits change."""
    largest = float(np.max(np.abs(values), initial=0.0))
    return 2.0**64 if largest > 2.0**959 else 1.0
