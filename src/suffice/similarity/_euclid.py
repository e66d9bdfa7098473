r"""Euclidean distances of all pairs by matrix products, with the digits that those lose put back.

    ‖x − y‖² = ‖x‖² + ‖y‖² − 2xᵀy

costs one product of matrices, but for near rows is a small difference of large numbers. So columns are centered first,
and every pair that keeps less than a hundredth of ‖x‖² + ‖y‖² is computed again from x − y: equal rows are at distance
zero exactly, and no pair loses more than two digits. A common power of two keeps squares within the range of numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.compiling import loops
from suffice.similarity import _twins
from suffice.similarity._blocks import Fill
from suffice.similarity._tables import Pair, Rows

LOOPS = "suffice.similarity._loops"
MANY = 2**24  # coordinates of pairs after which it pays to start the compiled loops
NEAR = 0.01  # the share of the squares that must be left
CHUNK = 2**20  # coordinates of the pairs computed again at a time
Again = Callable[[np.ndarray, np.ndarray], np.ndarray]
# the third power of a number up to it, or down to its inverse, is far from the ends of the range
SAFE = 2.0**300


def loops_for(pair: Pair) -> Any:
    """The compiled loops where there is enough to do, else their twins."""
    size = pair.x.shape[0] * pair.y.shape[0] * pair.x.shape[1]
    return (loops(LOOPS) if size >= MANY else None) or _twins


def unit(*tables: Rows) -> float:
    """A power of two near the largest entry where that is far from one, else one."""
    largest = max(float(np.max(np.abs(entries(t)), initial=0.0)) for t in tables)
    return 1.0 if largest == 0.0 or 1 / SAFE < largest < SAFE else float(2.0 ** (np.frexp(largest)[1] - 1))


def entries(table: Rows) -> np.ndarray:
    """The numbers that are kept of a table."""
    return table.data if sparse.issparse(table) else table


def squares(table: Rows) -> np.ndarray:
    """‖x‖² of every row."""
    if sparse.issparse(table):
        return np.asarray(table.multiply(table).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", table, table)


def products_with(y: Rows) -> Callable[[Rows, int, np.ndarray], None]:
    """(x, start, out) → x y[start:]ᵀ in a place that is given; threads run it side by side."""
    across = sparse.csr_array(y.T) if sparse.issparse(y) else y.T

    def dense(x: Rows, start: int, out: np.ndarray) -> None:
        np.dot(x, across[:, start:], out=out)

    def thin(x: Rows, start: int, out: np.ndarray) -> None:
        (x @ across).toarray(out=out)  # of sparse tables all rows are asked for

    return thin if sparse.issparse(y) else dense


def euclidean(pair: Pair, root: np.ndarray | None = None) -> Fill:
    """Distances of the rows, or of the rows times `root`."""
    x, y, scale = _moved(pair, root)
    squares_x, squares_y = squares(x), squares(y)
    product, found, again = products_with(y), loops_for(pair), _from_differences(pair, root)
    quick = root is None and not pair.sparse
    plain = (pair.x / scale, pair.y / scale) if quick else (x, y)

    def fill(rows: slice, start: int, out: np.ndarray) -> None:
        product(x[rows], start, out)
        lost = found.roots_of_squares(squares_x[rows], squares_y[start:], NEAR, out)
        if lost and quick:
            found.from_differences(plain[0][rows], plain[1][start:], out)
        if scale != 1.0:
            out *= scale
        if lost:  # in the unit of the data, for a pair of tiny rows would vanish in that of the largest
            i, j = np.nonzero(out < 0)
            repair(i, j, lambda i, j: again(i + rows.start, j + start), x.shape[1], out)

    return fill


def _moved(pair: Pair, root: np.ndarray | None) -> tuple[Rows, Rows, float]:
    """Rows about their mean in a convenient unit; sparse ones stay where they are."""
    x, y = pair.x, pair.y
    first = unit(x, y)
    x, y = x / first, y / first
    if not pair.sparse:
        middle = (x.sum(axis=0) + y.sum(axis=0)) / max(len(x) + len(y), 1)
        x, y = x - middle, y - middle
    if root is None:
        return x, y, first
    x, y = np.dot(x, root), np.dot(y, root)
    second = unit(x, y)
    return x / second, y / second, first * second


def repair(i: np.ndarray, j: np.ndarray, again: Again, width: int, out: np.ndarray) -> None:
    """Compute some pairs of a block again, a bounded number of coordinates at a time."""
    step = max(1, CHUNK // width)
    for a in range(0, len(i), step):
        some = slice(a, a + step)
        out[i[some], j[some]] = again(i[some], j[some])


def _from_differences(pair: Pair, root: np.ndarray | None) -> Again:
    """Distances of pairs of rows from their differences."""

    def dense(i: np.ndarray, j: np.ndarray) -> np.ndarray:
        gap = pair.x[i] - pair.y[j]
        return safe_norm(gap if root is None else rows_times(gap, root), 2.0)

    def thin(i: np.ndarray, j: np.ndarray) -> np.ndarray:
        gap = pair.x[i] - pair.y[j]
        size = unit(gap)
        return size * np.sqrt(squares(gap / size))

    return thin if pair.sparse else dense


def rows_times(gap: np.ndarray, root: np.ndarray) -> np.ndarray:
    """Rows times a matrix, each in its own unit."""
    size = np.max(np.abs(gap), axis=1, keepdims=True, initial=0.0)
    return np.dot(gap / np.where(size > 0, size, 1.0), root) * size


def safe_norm(gap: np.ndarray, p: float) -> np.ndarray:
    """(Σ|g|ᵖ)^{1/p} of every row in units of its largest entry."""
    size = np.max(np.abs(gap), axis=1, initial=0.0)
    ratio = np.abs(gap) / np.where(size > 0, size, 1.0)[:, None]
    return size * (np.sqrt(squares(ratio)) if p == 2 else np.sum(ratio**p, axis=1) ** (1 / p))
