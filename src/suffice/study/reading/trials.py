"""Whether a target is the share of successes among so many trials, whose number stands in another column.

A share s/m times its m is whole. Shares are printed with few decimals, so s is whole to within m times half a unit of
the last one; a column is found out only where that is so in every row and would hardly be by chance.
"""

from __future__ import annotations

import numpy as np

DECIMALS = 12  # beyond which a number counts as exact
CHANCE = 1e-6  # the probability that another column is whole by accident


def trials_of(y: np.ndarray, Z: np.ndarray, whole: float = 1.0) -> int | None:
    """The column of whole numbers that makes whole numbers of the shares; None without one."""
    share = y / whole
    if not np.any((share > 0) & (share < 1)):
        return None
    unit = 0.5 * _unit(y) / whole
    for j, m in enumerate(np.asarray(Z, dtype=float).T):
        if np.all((m >= 1) & (m == np.round(m))) and np.ptp(m) > 0 and _whole(share, m, unit):
            return j
    return None


def _unit(y: np.ndarray) -> float:
    """One in the last decimal of the numbers."""
    for k in range(DECIMALS):
        if np.allclose(np.round(y, k), y, rtol=0, atol=10.0**-DECIMALS):
            return 10.0**-k
    return 10.0**-DECIMALS


def _whole(share: np.ndarray, m: np.ndarray, unit: float) -> bool:
    """Whether all products are whole to within what rounding does, and would not be by accident."""
    product, slack = share * m, m * unit + 1e-9
    inside = (share > 0) & (share < 1)
    by_chance = float(np.sum(np.log(np.clip(2 * slack[inside], 1e-12, 1.0))))
    return bool(np.all(np.abs(product - np.round(product)) <= slack)) and by_chance < np.log(CHANCE)
