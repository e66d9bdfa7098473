r"""The family of Minkowski (DTU §4.3).

p ≥ 1        d(x, y) = (Σ|xₖ − yₖ|ᵖ)^{1/p}                                  (4.17)
p = ∞        d(x, y) = max|xₖ − yₖ|                                          (4.18)
0 < p < 1    d(x, y) = Σ|xₖ − yₖ|ᵖ, without the root so that it is a metric   (4.20)
p = 0        d(x, y) = the number of coordinates that differ                   (4.21)
Frobenius    d(X, Y) = √ΣΣ(Xᵢⱼ − Yᵢⱼ)²                                          (4.19)
"""

from __future__ import annotations

import math
import numbers
from itertools import product
from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.similarity import _twins
from suffice.similarity._blocks import BlockPlan, Fill, table
from suffice.similarity._euclid import entries, euclidean, loops_for, repair, safe_norm, unit
from suffice.similarity._tables import Pair, check_names, pair, rows, written

NAMED = {0.0: "different", 0.5: "roots", 1.0: "absolute", 3.0: "cubes", math.inf: "largest"}
WRITTEN = 2**21  # entries of a sparse table that are written out at a time
VANISHING = 1e-200  # a sum of powers from which digits may have vanished


def minkowski(x: Any, y: Any = None, p: float = 2) -> Any:
    """Distances of the p-norm: two vectors give a number, two tables all pairs, one table all pairs of its rows.

    Parameters
    ----------
    x, y
        Vectors or tables (arrays, frames; sparse for p = 1 and p = 2).
    p
        2 is Euclid's distance, 1 the city block's, infinity the largest difference. Between 0 and 1 the root is left
        out, which makes it a metric; 0 counts the coordinates that differ.

    Examples
    --------
    >>> from suffice.similarity import minkowski
    >>> minkowski([0, 0], [3, 4]), minkowski([0, 0], [3, 4], p=1), minkowski([0, 0], [3, 4], p=float("inf"))
    (5.0, 7.0, 4.0)
    >>> minkowski([[0, 0], [3, 4]], [[0, 1], [3, 4], [0, 0]], p=0)
    array([[1., 2., 0.],
           [2., 0., 2.]])
    """
    both = opened(x, y, p)
    return both.answer(table(plan(both, p=p)))


def opened(x: Any, y: Any = None, p: Any = 2) -> Pair:
    """The tables to compare; where only equality counts, whole numbers that floats would merge stay apart."""
    both = pair(x, y)
    if check_power(p) != 0 or both.sparse or max(_largest(both.x), _largest(both.y)) < 2**53:
        return both
    left = written(x, "x").reshape(both.x.shape)
    right = left if both.alone else written(y, "y").reshape(both.y.shape)
    a, b = np.empty(left.shape), np.empty(right.shape)
    for k in range(left.shape[1]):
        place: dict[Any, int] = {}
        a[:, k], b[:, k] = (
            [place.setdefault(v, len(place)) for v in t[:, k].tolist()] for t in (left, right)
        )
    return Pair(a, a if both.alone else b, both.alone, both.flat)


def _largest(cells: np.ndarray) -> float:
    return float(np.max(np.abs(cells), initial=0.0))


def plan(both: Pair, p: float = 2) -> BlockPlan:
    """How to fill all pairs."""
    power = check_power(p)
    fill = euclidean(both) if power == 2 else _thin(both, power) if both.sparse else _dense(both, power)
    return BlockPlan(fill, both.x.shape[0], both.y.shape[0], both.mirrored)


def check_power(p: Any) -> float:
    """p as a number, 0 to infinity."""
    if isinstance(p, bool) or not isinstance(p, numbers.Real) or not float(p) >= 0:
        raise InvalidParameter(f"p must be a number >= 0, or infinity; got {p!r}.")
    return float(p)


def _dense(both: Pair, p: float) -> Fill:
    """Sums over coordinates, rooted for p above 1; a common unit where powers would leave the range of numbers."""
    rooted = p > 1 and p != math.inf
    scale = _unit_of_powers(both, p) if rooted else 1.0
    x, across = both.x / scale, np.ascontiguousarray(both.y.T / scale)
    take = getattr(loops_for(both), NAMED[p]) if p in NAMED else _twins.powers(p)

    def fill(some: slice, start: int, out: np.ndarray) -> None:
        take(x[some], across[:, start:], out)
        if rooted:
            i, j = np.nonzero(out < VANISHING)
            np.cbrt(out, out=out) if p == 3 else np.power(out, 1 / p, out=out)
            out *= scale
            repair(
                i, j, lambda i, j: safe_norm(both.x[i + some.start] - both.y[j + start], p), x.shape[1], out
            )

    return fill


def _unit_of_powers(both: Pair, p: float) -> float:
    """The largest difference there can be for large p, whose powers overflow soonest; else as for squares."""
    largest = 2.0 * max(float(np.max(np.abs(t), initial=0.0)) for t in (both.x, both.y))
    if p <= 3 or largest == 0:
        return unit(both.x, both.y)
    return float(2.0 ** np.frexp(largest)[1]) if np.isfinite(largest) else 2.0**1023


def _thin(both: Pair, p: float) -> Fill:
    """City-block distances of sparse rows; without compiled loops some of them are written out at a time."""
    if p != 1:
        raise Unsupported(
            f"p must be 1 or 2 for sparse tables; got {p:g}. Write the table out with .toarray() first."
        )
    found, x, y = loops_for(both), both.x, both.y

    def compiled(some: slice, start: int, out: np.ndarray) -> None:
        a, b = x[some], y[start:]
        found.absolute_of_sparse(a.indptr, a.indices, a.data, b.indptr, b.indices, b.data, out)

    def written_out(some: slice, start: int, out: np.ndarray) -> None:
        step = max(1, WRITTEN // x.shape[1])
        for a, b in product(range(0, len(out), step), range(0, out.shape[1], step)):
            rows_x = x[some.start + a : min(some.start + a + step, some.stop)].toarray()
            columns = np.ascontiguousarray(y[start + b : start + b + step].toarray().T)
            _twins.absolute(rows_x, columns, out[a : a + step, b : b + step])

    return written_out if found is _twins else compiled


def norm(x: Any, p: float = 2) -> Any:
    """The length of a vector, or of every row of a table: its distance from the origin (4.16).

    Examples
    --------
    >>> from suffice.similarity import norm
    >>> norm([3, -4]), norm([3, -4], p=1), norm([3, 0], p=0)
    (5.0, 7.0, 1.0)
    >>> norm([[3, 4], [0, 1]])
    array([5., 1.])
    """
    power, (values, flat) = check_power(p), rows(x, "x")
    out = _lengths(np.abs(values), power)
    return float(out[0]) if flat else out


def _lengths(size: Any, p: float) -> np.ndarray:
    """The norm of rows of absolute values."""
    if sparse.issparse(size):
        return _lengths_of_sparse(size, p)
    if p == math.inf:
        return np.max(size, axis=1, initial=0.0)
    if p <= 1:
        return np.count_nonzero(size, axis=1).astype(float) if p == 0 else np.sum(size**p, axis=1)
    return safe_norm(size, p)


def _lengths_of_sparse(size: Any, p: float) -> np.ndarray:
    """The same of rows that keep their non-zero entries, all rows at once."""
    held = np.diff(size.indptr)
    some = held > 0
    starts = size.indptr[:-1][some]

    def by_row(of: np.ufunc, entries: np.ndarray) -> np.ndarray:
        out = np.zeros(len(held))
        out[some] = of.reduceat(entries, starts) if len(starts) else 0.0
        return out

    if p <= 1:
        return by_row(np.add, (size.data != 0).astype(float) if p == 0 else size.data**p)
    largest = by_row(np.maximum, size.data)
    if p == math.inf:
        return largest
    ratio = size.data / np.repeat(np.where(largest > 0, largest, 1.0), held)
    return largest * by_row(np.add, ratio**p) ** (1 / p)


def frobenius(x: Any, y: Any = None) -> float:
    """The distance ‖X − Y‖ of two matrices of one shape, or the norm of one: √tr XᵀX (4.19).

    Examples
    --------
    >>> from suffice.similarity import frobenius
    >>> frobenius([[1, 2], [2, 4]]), frobenius([[1, 2], [2, 4]], [[1, 2], [2, 1]])
    (5.0, 3.0)
    """
    first, _ = rows(x, "x")
    if y is not None:
        second, _ = rows(y, "y")
        check_names(x, y)
        if first.shape != second.shape:
            raise InvalidInput(f"x and y must have the same shape; got {first.shape} and {second.shape}.")
        first = first - second
    return float(safe_norm(np.ravel(entries(first))[None], 2.0)[0])
