"""Where a function jumps: on a fine grid, steps that are unlike those around them, followed by bisection."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.ndimage import median_filter

_BETWEEN = np.arange(32) / 32
_AROUND = 13  # steps among which one is unlike the median
_UNLIKE = 8.0
_ROUNDING = 1e-9
_MOST = 400  # more are no rarity, and left to halving


def jumps(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """The places between the smallest and the largest x, to the last digit, at which f jumps or nearly does."""
    x = np.unique(x[np.isfinite(x)])
    if len(x) < _AROUND:
        return np.empty(0)
    x = np.r_[(x[:-1, None] + np.diff(x)[:, None] * _BETWEEN).ravel(), x[-1]]
    values = f(x)
    step = np.abs(np.diff(values))
    usual = median_filter(np.where(np.isfinite(step), step, np.inf), size=_AROUND, mode="nearest")
    at = np.flatnonzero(
        step > _UNLIKE * usual + _ROUNDING * np.minimum(np.abs(values[1:]), np.abs(values[:-1]))
    )
    return _bisected(f, x[at], x[at + 1]) if 0 < len(at) <= _MOST else np.empty(0)


def _bisected(f: Callable[[np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The larger change of f in each interval, halving after halving."""
    at_low, at_high = f(low), f(high)
    for _ in range(60):
        middle = low + (high - low) / 2
        now = f(middle)
        up = np.abs(now - at_low) <= np.abs(now - at_high)
        low, at_low = np.where(up, middle, low), np.where(up, now, at_low)
        high, at_high = np.where(up, high, middle), np.where(up, at_high, now)
    return np.unique(high)
