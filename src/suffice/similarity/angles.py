r"""Similarities of directions and of profiles: 1 = alike (DTU §4.4).

Cosine            s(x, y) = xᵀy / (‖x‖ ‖y‖)                         (4.24, 4.26)
Extended Jaccard  s(x, y) = xᵀy / (‖x‖² + ‖y‖² − xᵀy)                (4.25)
Correlation       the cosine of x − x̄ and y − ȳ, over coordinates     (4.7)

A vector of zeros has no direction, and a constant one no correlation: those are NaN. The extended Jaccard coefficient
of two vectors of zeros is 1, for they are equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.errors import Unsupported
from suffice.similarity._blocks import BlockPlan, Fill, table
from suffice.similarity._euclid import loops_for, products_with, squares, unit
from suffice.similarity._tables import Pair, Rows, pair


def cosine(x: Any, y: Any = None) -> Any:
    """The cosine of the angle: does not change when a vector is scaled, such as a document that is twice as long.

    Two vectors give a number, two tables all pairs, one table all pairs of its rows; tables may be sparse. A vector of
    zeros has no direction: NaN.

    Examples
    --------
    >>> from suffice.similarity import cosine
    >>> round(cosine([1, 0, 1, 0], [3, 3, 3, 3]), 12), cosine([1, 2], [-2, 1])
    (0.707106781187, 0.0)
    """
    both = pair(x, y)
    return both.answer(table(cosine_plan(both)))


def correlation(x: Any, y: Any = None) -> Any:
    """Pearson's correlation over the coordinates of two vectors, or of the rows of tables.

    The correlation of columns is that of the rows of the transposed table. A constant vector has none: NaN.

    Examples
    --------
    >>> from suffice.similarity import correlation
    >>> round(correlation([1, 2, 3, 4], [7, 5, 3, 1]), 12)
    -1.0
    """
    both = pair(x, y)
    return both.answer(table(correlation_plan(both)))


def extended_jaccard(x: Any, y: Any = None) -> Any:
    """Jaccard's coefficient for numbers (Tanimoto's): the product, out of all that is not shared and what is.

    On zeros and ones it is `jaccard`. Two vectors of zeros are alike: 1. Tables may be sparse.

    Examples
    --------
    >>> from suffice.similarity import extended_jaccard
    >>> extended_jaccard([1, 0, 1, 1], [1, 1, 0, 1]), extended_jaccard([2, 4], [1, 2])
    (0.5, 0.6666666666666666)
    """
    both = pair(x, y)
    return both.answer(table(extended_plan(both)))


def cosine_plan(both: Pair) -> BlockPlan:
    """Products over lengths."""
    return BlockPlan(_cosines(both, both.x, both.y), both.x.shape[0], both.y.shape[0], both.mirrored)


def correlation_plan(both: Pair) -> BlockPlan:
    """The same of centered rows."""
    if both.sparse:
        raise Unsupported("correlation centers its rows; call .toarray() on a sparse table first.")
    return BlockPlan(
        _cosines(both, _centered(both.x), _centered(both.y)), len(both.x), len(both.y), both.mirrored
    )


def extended_plan(both: Pair) -> BlockPlan:
    """Products over what the two squares hold besides them."""
    scale = unit(both.x, both.y)
    x, y = both.x / scale, both.y / scale
    squares_x, squares_y, product = squares(x), squares(y), products_with(y)

    def fill(rows: slice, start: int, out: np.ndarray) -> None:
        product(x[rows], start, out)
        rest = squares_x[rows, None] + squares_y[start:]
        rest -= out
        empty = rest == 0
        np.divide(out, rest, out=out, where=~empty)
        out[empty] = 1.0

    return BlockPlan(fill, x.shape[0], y.shape[0], both.mirrored)


def _cosines(both: Pair, x: Rows, y: Rows) -> Fill:
    """Products over lengths, kept between −1 and 1; NaN for rows without a direction."""
    x, y = _in_own_units(x), _in_own_units(y)
    squares_x, squares_y, product = squares(x), squares(y), products_with(y)
    none_x, none_y = squares_x == 0, squares_y == 0
    inverse_x, inverse_y = (1.0 / np.sqrt(np.where(s > 0, s, 1.0)) for s in (squares_x, squares_y))
    take, some = loops_for(both).over_lengths, bool(none_x.any() or none_y.any())

    def fill(rows: slice, start: int, out: np.ndarray) -> None:
        product(x[rows], start, out)
        take(inverse_x[rows], inverse_y[start:], out)
        if some:
            out[none_x[rows]] = np.nan
            out[:, none_y[start:]] = np.nan

    return fill


def _in_own_units(table: Rows) -> Rows:
    """Every row divided by the power of two below its largest entry, so that squares stay in the range of numbers."""
    if not sparse.issparse(table):
        return np.ldexp(table, -np.frexp(np.max(np.abs(table), axis=1))[1][:, None])
    largest = np.asarray(abs(table).max(axis=1).toarray()).ravel()
    entries = np.ldexp(table.data, -np.repeat(np.frexp(largest)[1], np.diff(table.indptr)))
    return sparse.csr_array((entries, table.indices, table.indptr), shape=table.shape)


def _centered(table: np.ndarray) -> np.ndarray:
    """Rows about their means; constant rows are zeros exactly."""
    out = _in_own_units(table)
    constant = np.all(out == out[:, :1], axis=1)
    out -= out.mean(axis=1, keepdims=True)
    out[constant] = 0.0
    return out
