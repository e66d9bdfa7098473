r"""How often each value 0, 1, … of each column occurred: values that add, for many columns at once.

The counts of all columns stand behind one another in a single vector, column j in `sizes[j]` places. A value first seen
in a later part lengthens its column; a column's length is the largest value with positive weight, plus one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import NumericalError
from suffice._core.records import frozen_array, record
from suffice.statistics.header import Header

GONE = 1e-9  # of all rows: what is left of a count below that is rounding


@record
class CodeCounts:
    """Weights of the values of each column; a missing cell is in none of them.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.generative._columns.code_counts import gather_codes
    >>> from suffice.statistics import Header
    >>> (a,) = gather_codes(Header(2), np.array([[0, 2], [1, -1]]), None, np.zeros(2, dtype=int), 1)
    >>> (b,) = gather_codes(Header(2), np.array([[3, 0]]), None, np.zeros(1, dtype=int), 1)
    >>> (a + b).sizes, (a + b).counts
    (array([4, 3]), array([1., 1., 0., 1., 1., 0., 1.]))
    """

    header: Header
    rows: int
    weight: float
    sizes: np.ndarray
    counts: np.ndarray

    def spread(self, sizes: np.ndarray) -> np.ndarray:
        """The counts with every column lengthened to these sizes."""
        if np.array_equal(sizes, self.sizes):
            return self.counts
        out = np.zeros(int(sizes.sum()))
        shift = np.repeat(starts(sizes) - starts(self.sizes), self.sizes)
        out[np.arange(len(self.counts)) + shift] = self.counts
        return out

    def __add__(self, other: CodeCounts) -> CodeCounts:
        if not isinstance(other, CodeCounts):
            return NotImplemented
        self.header.check(other.header)
        sizes = np.maximum(self.sizes, other.sizes)
        total = self.spread(sizes) + other.spread(sizes)
        return made(self.header, self.rows + other.rows, self.weight + other.weight, sizes, total)

    def __sub__(self, other: CodeCounts) -> CodeCounts:
        if not isinstance(other, CodeCounts):
            return NotImplemented
        self.header.check(other.header)
        sizes = np.maximum(self.sizes, other.sizes)
        left, least = self.spread(sizes) - other.spread(sizes), GONE * self.weight
        if np.any(left < -least):
            j = int(columns_of(sizes)[np.argmin(left)])
            raise NumericalError(
                f"Cannot take out more of a value of column {self.header.feature_names[j]!r} than is in: "
                f"{left.min():g} would be left."
            )
        left = np.where(left > least, left, 0.0)
        rows = max(self.rows - other.rows, 1)  # a row of weight 3 stays when weight 1 of it goes
        return made(self.header, rows, self.weight - other.weight, sizes, left)


def made(header: Header, rows: int, weight: float, sizes: np.ndarray, counts: np.ndarray) -> CodeCounts:
    """Columns are cut after their last value that has a count."""
    used = np.flatnonzero(counts > 0)
    column = columns_of(sizes)[used]
    short = np.zeros_like(sizes)
    short[column] = used - starts(sizes)[column] + 1  # the last of a column is written last
    kept = np.arange(len(counts)) - np.repeat(starts(sizes), sizes) < np.repeat(short, sizes)
    return CodeCounts(
        header, rows, float(weight), frozen_array(short, dtype=np.intp), frozen_array(counts[kept])
    )


def starts(sizes: np.ndarray) -> np.ndarray:
    """Where the columns begin in the vector of all counts."""
    return np.cumsum(sizes) - sizes


def columns_of(sizes: np.ndarray) -> np.ndarray:
    """The column of each place in the vector of all counts."""
    return np.repeat(np.arange(len(sizes)), sizes)


def gather_codes(
    header: Header, X: np.ndarray, weight: np.ndarray | None, codes: np.ndarray, n_classes: int
) -> tuple[CodeCounts | None, ...]:
    """Counts within each class, of rows of whole numbers (−1: missing); None for a class without weight."""
    if weight is not None:
        kept = weight > 0
        X, weight, codes = X[kept], weight[kept], codes[kept]
    sizes = np.maximum(X.max(axis=0, initial=-1) + 1, 0).astype(np.intp)
    total = int(sizes.sum())
    counts = _tally(X, weight, codes, sizes, n_classes).reshape(n_classes, total)
    rows = np.bincount(codes, minlength=n_classes).tolist()
    weights = np.bincount(codes, weight, minlength=n_classes).astype(float).tolist()
    return tuple(
        made(header, rows[c], weights[c], sizes, counts[c]) if rows[c] else None for c in range(n_classes)
    )


def _tally(X: np.ndarray, weight: Any, codes: np.ndarray, sizes: np.ndarray, n_classes: int) -> np.ndarray:
    """One count of the places (class, column, value) that the cells of all rows fall into, some columns at a time."""
    total = int(sizes.sum())
    out = np.zeros(n_classes * total)
    step = max((1 << 18) // max(len(X), 1), 1)
    begin = starts(sizes)
    for a in range(0, X.shape[1], step):
        some = X[:, a : a + step]
        low, width = int(begin[a]), int(sizes[a : a + step].sum())
        place = (codes * width)[:, None] + (begin[a : a + step] - low) + some
        w = None if weight is None else np.broadcast_to(weight[:, None], some.shape)
        if some.min(initial=0) < 0:
            there = some >= 0
            place, w = place[there], None if w is None else w[there]
        found = np.bincount(place.ravel(), None if w is None else w.ravel(), minlength=n_classes * width)
        out.reshape(n_classes, total)[:, low : low + width] = found.reshape(n_classes, width)
    return out
