"""Small numerical helpers that several rooms share."""

from __future__ import annotations

import numpy as np

LOG_2PI = float(np.log(2 * np.pi))


def log_sum_exp(a: np.ndarray, axis: int = -1) -> np.ndarray:
    """log Σ exp(a) without overflow; −inf for an empty or all −inf slice."""
    top = np.max(a, axis=axis, keepdims=True, initial=-np.inf)
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(np.sum(np.exp(a - safe), axis=axis)) + np.squeeze(safe, axis=axis)


def strided_sample(n: int, most: int = 1024) -> slice:
    """A slice that picks at most `most` of `n` rows, evenly; all of them when they are few."""
    return slice(None, None, max(1, -(-n // most)))
