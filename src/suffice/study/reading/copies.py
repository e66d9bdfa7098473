"""Rows that are copies of others: on both sides of a split they would be tested on what was trained on.

Equal rows are no news where columns have few values. They are called copies if one column, or the target, tells at
least half of the different rows apart by itself, and if there are far more equal rows than independent columns give.
"""

from __future__ import annotations

import numpy as np

from suffice.prepare.looking._checks.rows import mixed

MANY = 0.05  # of the rows: fewer copies change little
APART = 0.5  # of the different rows that one column tells apart
STEP = np.uint64(0x9E3779B97F4A7C15)


def copies(Z: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    """A mark per row, the same for rows that are equal, the target included; None if there are few copies."""
    n = len(y)
    codes = np.unique(y, return_inverse=True)[1]
    marks = mixed(codes.astype(np.uint64))
    for j in range(Z.shape[1]):
        marks = mixed((marks + STEP) ^ mixed((Z[:, j] + 0.0).view(np.uint64)))
        if j in (0, 3, 15) and _few(marks):
            return None
    if _few(marks):
        return None
    _, first, group = np.unique(marks, return_index=True, return_inverse=True)
    columns = [codes[first], *(Z[first, j] for j in range(Z.shape[1]))]
    counts = [np.unique(c, return_counts=True)[1] for c in columns]
    if max(map(len, counts)) < APART * len(first):
        return None
    with np.errstate(divide="ignore"):
        agree = [np.log(np.sum(c * (c - 1.0)) / max(len(first) * (len(first) - 1.0), 1.0)) for c in counts]
    expected = n * (n - 1) / 2 * np.exp(np.sum(agree))
    return group.astype(str) if n - len(first) > 10 * expected else None


def _few(marks: np.ndarray) -> bool:
    return len(np.unique(marks)) > (1 - MANY) * len(marks)
