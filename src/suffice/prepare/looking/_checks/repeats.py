r"""Rows that equal others: copies, or the ties of columns with few values?

Rows drawn independently from any distribution tie as well, where columns have few values. With f_k the number of
different rows that come k times, such ties have f_k² ≤ f_{k−1} f_{k+1} (k+1)/k up to chance: the counts are a mixture
of Poisson variables, whose k! f_k are the moments of a measure. Persons who are seen three or five times break this.
Copies that come as chance has it do not; they show where one column has so many values that ties in it are no chance.
Either way there must be far more equal pairs than independent columns give.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from suffice.prepare.looking._checks.rows import MIX, mixed

MANY = 0.05  # of the rows: fewer copies change little
APART = 0.5  # of the different rows that one column tells apart
BEYOND = 3.0  # times what independent columns give
WHOLE = 2**64


def column_marks(codes: Sequence[np.ndarray]) -> list[np.ndarray]:
    """A 64-bit mark per cell, another in every column; marks of a row are added to one of the row."""
    places = [np.uint64(int(MIX[2]) * (j + 1) % WHOLE) for j in range(len(codes))]
    return [mixed(mixed(c.astype(np.uint64)) ^ place) for c, place in zip(codes, places, strict=True)]


def row_marks(columns: Sequence[np.ndarray]) -> np.ndarray:
    """The marks of rows; rows that are equal have the same."""
    total = np.zeros(len(columns[0]), dtype=np.uint64)
    for marks in columns:
        total += marks
    return total


def few_repeats(marks: np.ndarray) -> bool:
    """Whether hardly a row equals an earlier one."""
    return len(np.unique(marks)) > (1 - MANY) * len(marks)


def are_copies(marks: np.ndarray, columns: Sequence[np.ndarray]) -> bool:
    """Whether rows with equal marks are copies, rather than ties of coarse columns."""
    _, first, counts = np.unique(marks, return_index=True, return_counts=True)
    if len(first) > (1 - MANY) * len(marks) or len(first) < 2:
        return False
    columns = [c for c in columns if (c != c[0]).any()]
    pairs = float(np.sum(counts * (counts - 1.0))) / 2
    if len(columns) < 2 or pairs <= BEYOND * _pairs_by_chance(len(marks), [c[first] for c in columns]):
        return False
    apart = max(len(np.unique(c)) for c in columns) >= APART * len(first)
    return (apart and pairs > BEYOND * _pairs_by_chance(len(marks), columns)) or not _like_chance(counts)


def _pairs_by_chance(n: int, columns: Sequence[np.ndarray]) -> float:
    """Equal pairs among n rows if columns were independent."""
    return n * (n - 1) / 2 * float(np.prod([_agreement(c) for c in columns]))


def _agreement(marks: np.ndarray) -> float:
    """How often two rows agree in a column."""
    counts = np.unique(marks, return_counts=True)[1].astype(float)
    return float(np.sum(counts * (counts - 1))) / max(len(marks) * (len(marks) - 1.0), 1.0)


def _like_chance(counts: np.ndarray) -> bool:
    """Whether rows that come more often than independent draws allow are few."""
    f = np.bincount(counts, minlength=3).astype(float)
    k = np.arange(2, len(f))
    before, after = f[1:-1], np.append(f[3:], 0.0)
    most = np.sqrt((before + 1) * (after + 1) * (k + 1) / k)
    excess = np.where(f[2:] > 10 + 3 * most, k * f[2:], 0.0)
    return float(excess.sum()) < 2 * MANY * float(counts.sum())
