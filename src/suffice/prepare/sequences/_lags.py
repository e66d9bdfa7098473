"""Where the row so many steps before stands, in series with gaps: `embed` for recordings that are not complete."""

from __future__ import annotations

import numpy as np

NOWHERE = -1


def rows_before(step: np.ndarray, back: int, series: np.ndarray | None = None) -> np.ndarray:
    """For each row, the row of the same series `back` steps before it; -1 where there is none.

    `step` is a whole number per row; a series has at most one row per step.
    """
    if not len(step):
        return np.empty(0, dtype=np.int64)
    key = _keys(step, back, series)
    order = np.argsort(key, kind="stable")
    place = np.minimum(np.searchsorted(key[order], key - back), len(key) - 1)
    found = order[place]
    return np.where(key[found] == key - back, found, NOWHERE)


def values_before(y: np.ndarray, step: np.ndarray, back: int, series: np.ndarray | None = None) -> np.ndarray:
    """The value `back` steps before each row; NaN where it is not known."""
    rows = rows_before(step, back, series)
    return np.where(rows == NOWHERE, np.nan, y[rows])


def _keys(step: np.ndarray, back: int, series: np.ndarray | None) -> np.ndarray:
    """One number per row, so far apart between series that no lag reaches another one."""
    step = step.astype(np.int64) - int(step.min())
    if series is None:
        return step
    code = np.unique(series, return_inverse=True)[1].astype(np.int64)
    return code * (int(step.max()) + abs(back) + 1) + step
