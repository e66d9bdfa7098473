"""Subsets of columns: sorted tuples of positions, or numbers whose bits say which columns are in."""

from __future__ import annotations

from itertools import combinations

import numpy as np

Subset = tuple[int, ...]


def toggle(subset: Subset, column: int) -> Subset:
    """The subset with the column if it was out, without it if it was in.

    >>> toggle((0, 2), 1), toggle((0, 2), 2)
    ((0, 1, 2), (0,))
    """
    return tuple(sorted(set(subset) ^ {column}))


def members(code: int, n: int) -> Subset:
    """The columns whose bits are set.

    >>> members(5, 4)
    (0, 2)
    """
    return tuple(j for j in range(n) if code >> j & 1)


def of_size(n: int, size: int) -> list[Subset]:
    """Subsets of n columns of one size, in the order of the numbers whose bits they are.

    >>> of_size(3, 2) == [members(code, 3) for code in (3, 5, 6)]
    True
    """
    return sorted(combinations(range(n), size), key=lambda s: s[::-1])


def masks(subsets: list[Subset], n: int) -> np.ndarray:
    """A row of truth values per subset, one for each of n columns."""
    out = np.zeros((len(subsets), n), dtype=bool)
    for row, subset in zip(out, subsets, strict=True):
        row[list(subset)] = True
    return out
