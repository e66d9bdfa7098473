r"""The exact distribution of Friedman's statistic under its null hypothesis.

Every order of a row's ranks is equally likely, rows are independent, and the statistic grows with Σⱼ Rⱼ², the squares
of the rank sums. Rows are added one by one; of each set of rank sums only the sorted one is kept, since relabeling
the methods changes nothing. Tied ranks stay tied: the distribution is conditional on the ties. Ranks are doubled, so
that all sums are integers and nothing is rounded.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

MOST_METHODS = 6
MOST_WORK = 3_000_000  # rank sums looked at: about a second


def exact_p(ranks: np.ndarray) -> float | None:
    """P(Σ R² ≥ the observed one); None where counting would take too long."""
    n, k = ranks.shape
    if k > MOST_METHODS:
        return None
    doubled = np.rint(2 * ranks).astype(np.int64)
    sums, chances, work = np.zeros((1, k), dtype=np.int64), np.ones(1), 0
    for row in doubled:
        orders = _orders(row)
        work += len(orders) * len(sums)
        if work > MOST_WORK:
            return None
        sums, chances = _add(sums, chances, orders, base=2 * k * n + 1)
    as_far = (sums**2).sum(axis=1) >= (doubled.sum(axis=0) ** 2).sum()
    return float(min(1.0, chances[as_far].sum()))


def _orders(row: np.ndarray) -> np.ndarray:
    """All different orders of the ranks of one row."""
    return np.array(sorted(set(permutations(row.tolist()))), dtype=np.int64)


def _add(
    sums: np.ndarray, chances: np.ndarray, orders: np.ndarray, base: int
) -> tuple[np.ndarray, np.ndarray]:
    """Rank sums after one more row, sorted within, equal ones merged."""
    every = np.sort((sums[:, None, :] + orders).reshape(-1, sums.shape[1]), axis=1)
    key = every @ base ** np.arange(sums.shape[1], dtype=np.int64)
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    return every[first], np.bincount(which, np.repeat(chances / len(orders), len(orders)))
