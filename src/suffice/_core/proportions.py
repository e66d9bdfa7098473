"""Jeffreys' interval for a frequency: every room that counts successes takes it from here."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import betaincinv


def jeffreys(m: Any, n: Any, confidence: float) -> tuple[np.ndarray, np.ndarray]:
    """Low and high ends for m of n: quantiles of Beta(m + ½, n − m + ½), 0 for m = 0, 1 for m = n, NaN for n = 0.

    >>> low, high = jeffreys([6, 0], [8, 8], 0.95)
    >>> low.round(4), high.round(4)
    (array([0.4084, 0.    ]), array([0.944 , 0.2622]))
    """
    m, n = np.asarray(m, dtype=float), np.asarray(n, dtype=float)
    tail, known = (1 - confidence) / 2, n > 0
    with np.errstate(invalid="ignore"):
        rest = np.maximum(n - m, 0.0)
        low = np.where(m <= 0, 0.0, betaincinv(m + 0.5, rest + 0.5, tail))
        high = np.where(rest <= 0, 1.0, betaincinv(m + 0.5, rest + 0.5, 1 - tail))
    return np.where(known, low, np.nan), np.where(known, high, np.nan)
