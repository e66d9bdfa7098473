r"""One pass over rows: from A = √w [1, Φ − c, Y − d], a few thousand rows at a time, to R with RᵀR = AᵀA.

Two ways, chosen by what the columns are like:

mild      no column is nearly a combination of the others (variance inflation at most 1,000). Cross-products of
          the rows, measured from their own center and in units of their columns' lengths, have a condition that
          costs at most three digits of sixteen, and are as fast as the memory. R is their Cholesky factor.
any       Householder reflections, which never square a condition.

Few rows are always factored.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from suffice._core.compiling import loops
from suffice._core.errors import InvalidInput, NotFinite
from suffice._core.frames import Columnar
from suffice._core.linalg import cross_products, inverse_of_triangle, qr_fold, qr_trapezoid, try_cholesky
from suffice.statistics.layout import Layout

LARGE = 1e140
MILD = 1_000.0  # the largest variance inflation for which cross-products are formed
MANY = 4096  # rows from which cross-products pay
STEP = 16_380  # rows of a block; columns a power of two apart would push each other out of the cache
SAMPLE = 512
LOOPS = "suffice.statistics._loops"
LARGE_BATCH = 500_000  # cells of a batch from which the compiled loop pays
WIDE = 64  # columns up to which it does; beyond, the cross-products are the work
NEAR = 360_000  # bytes of rows that stay in the cache


class GroupedRows(NamedTuple):
    """Rows of a table, the plan they are read by, and the group of each: `group` numbers them from 0, None is one."""

    layout: Layout
    X: Any
    Y: np.ndarray
    weight: np.ndarray | None
    group: np.ndarray | None
    n_groups: int


def factor_of_rows(layout: Layout, X: Any, Y: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    """R of the rows, with no more rows than these. Zero-weight rows are fine; float32 and sparse ones are cast."""
    return factors_of_groups(layout, X, Y, weight, None, 1)[0]


def factors_of_groups(
    layout: Layout, X: Any, Y: np.ndarray, weight: np.ndarray | None, group: np.ndarray | None, n_groups: int
) -> list[np.ndarray]:
    """R of the rows of each group, in one pass over all of them; `group` numbers them from 0, None is one group."""
    factors: list[Any] = [None] * n_groups
    with np.errstate(all="ignore"):
        p = 1 + len(layout.shift)
        if X.shape[0] >= max(MANY, 32 * p, n_groups * p):  # products of fewer rows than columns are singular
            factors = _from_products(GroupedRows(layout, X, Y, weight, group, n_groups))
        for i in range(n_groups):
            if factors[i] is None:
                rows: Any = slice(None) if group is None else np.flatnonzero(group == i)
                part = None if weight is None else weight[rows]
                factors[i] = _reflected(layout, X[rows], Y[rows], part)
    for factor in factors:
        _check_scale(factor, layout)
    return factors


def _reflected(layout: Layout, X: Any, Y: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    p = 1 + len(layout.shift)
    if weight is not None and np.count_nonzero(weight) < min(p, len(weight)):
        used = np.flatnonzero(weight)  # the others leave no rows in the triangle
        X, Y, weight = X[used], Y[used], weight[used]
    if X.shape[0] < p:  # they fit into one block
        return qr_trapezoid(np.zeros((0, p)), *blocks(layout, X, Y, weight))
    return qr_fold(blocks(layout, X, Y, weight, free=p), p)


def _from_products(rows: GroupedRows) -> list[Any]:
    """The Cholesky factors of the cross-products of groups, None for those whose columns are not mild."""
    layout, X, Y = rows.layout, rows.X, rows.Y
    some = slice(None, None, -(-X.shape[0] // (SAMPLE + 4 * len(layout.shift))))
    sample = next(blocks(layout, X[some], Y[some], None))
    center = layout.shift + sample[:, 1:].mean(axis=0)
    sample[:, 1:] -= sample[:, 1:].mean(axis=0)
    if _mild_factors(cross_products(sample)[None])[0] is None:
        return [None] * rows.n_groups
    add = _compiled_products if _compilable(layout, X, Y) else _products
    factors = _mild_factors(add(rows, center))
    for factor in factors:
        if factor is not None:
            factor[0, 1:] += factor[0, 0] * (center - layout.shift)  # back to the common shift
    return factors


def _products(rows: GroupedRows, shift: np.ndarray) -> np.ndarray:
    """Cross-products of the rows of each group: (groups, p, p)."""
    out = np.zeros((rows.n_groups, *(1 + len(shift),) * 2))
    for i, block in _blocks_of_groups(rows, shift):
        out[i] += cross_products(block)
    return out


def _compilable(layout: Layout, X: Any, Y: np.ndarray) -> bool:
    """Whether columns as a reader left them can be summed where they are; starting the compiled loop takes a while."""
    if (
        not isinstance(X, Columnar)
        or layout.header.basis is not None
        or not LARGE_BATCH <= X.size <= WIDE * len(X)
    ):
        return False
    columns = [*X.columns, *Y.T]
    plain = all(c.dtype == np.float64 and c.flags.c_contiguous and c.flags.aligned for c in columns)
    return plain and loops(LOOPS) is not None


def _compiled_products(rows: GroupedRows, shift: np.ndarray) -> np.ndarray:
    """The same, without the interpreter's lock and without putting columns side by side first."""
    p = 1 + len(shift)
    places = np.array([c.ctypes.data for c in (*rows.X.columns, *rows.Y.T)], dtype=np.intp)
    weight = np.empty(0) if rows.weight is None else rows.weight
    group = np.empty(0, dtype=np.uint8) if rows.group is None else rows.group
    out = np.zeros((rows.n_groups, p, p))
    at_hand = max(1024, NEAR // (8 * p))
    loops(LOOPS).products_of_groups(places, len(rows.X), shift, weight, group, at_hand, out)
    return out


def _blocks_of_groups(table: GroupedRows, shift: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """(group, block): rows are put in the order of their groups a few thousand at a time, while they are near."""
    layout, X, Y, weight, group, n_groups = table
    if group is None:
        yield from ((0, block) for block in blocks(layout, X, Y, weight, shift=shift))
        return
    p, d = 1 + len(layout.shift), layout.n_columns
    step = 2 * max(STEP, 8 * p)
    rows_at_hand, rows_of_group = np.empty((2, min(step, len(group)) * p))
    for a in range(0, len(group), step):
        part = group[a : a + step]
        order = np.argsort(part, kind="stable")
        rows = a + order
        hand = rows_at_hand[: len(rows) * p].reshape((-1, p), order="F")
        hand[:, 0], hand[:, 1 + d :] = 1.0, Y[rows]
        _put_design(layout, X, rows, hand[:, 1 : 1 + d])
        ends = np.searchsorted(part[order], np.arange(n_groups + 1)).tolist()
        for i, (b, e) in enumerate(pairwise(ends)):
            # in one piece: twice as fast to sum
            block = rows_of_group[: (e - b) * p].reshape((-1, p), order="F")
            np.subtract(hand[b:e], np.append(0.0, shift), out=block)
            if weight is not None:
                block *= np.sqrt(weight[rows[b:e]])[:, None]
            yield i, block


def _put_design(layout: Layout, X: Any, rows: Any, out: np.ndarray) -> None:
    if isinstance(X, Columnar) and layout.header.basis is None:
        X.put(rows, out)
    else:
        out[:] = layout.design(X[rows])


def _mild_factors(products: np.ndarray) -> list[Any]:
    """The triangles of a stack of cross-products; None where one is singular or a column's inflation too large."""
    length = np.sqrt(np.diagonal(products, axis1=-2, axis2=-1))
    usable = np.all((length > 0) & (length < np.inf), axis=-1)
    length = np.where(usable[:, None], length, 1.0)
    scaled = np.where(
        usable[:, None, None], products / length[:, None] / length[..., None], np.eye(length.shape[1])
    )
    L, found = try_cholesky(scaled)
    factors = np.triu(L.mT * length[:, None])
    return [
        factors[i]
        if usable[i] and found[i] and np.square(inverse_of_triangle(L[i])).sum(axis=0).max() <= MILD
        else None
        for i in range(len(products))
    ]


def blocks(
    layout: Layout,
    X: Any,
    Y: np.ndarray,
    weight: np.ndarray | None,
    free: int = 0,
    shift: np.ndarray | None = None,
    buffer: np.ndarray | None = None,
) -> Iterator[np.ndarray]:
    """√w [1, Φ − c, Y − d] for a few thousand rows at a time, under `free` rows that the caller fills.

    All blocks are in one piece of memory, which may be given.
    """
    n, p = X.shape[0], 1 + len(layout.shift)
    shift = layout.shift if shift is None else shift
    step = max(STEP, 8 * p) if not free else n if n < 10 * p or p > 300 else max(2048, 8 * p)
    buffer = np.empty((free + min(step, n)) * p) if buffer is None else buffer
    for a in range(0, n, max(step, 1)):
        rows = slice(a, min(a + step, n))
        m, d = rows.stop - a, layout.n_columns
        block = buffer[: (free + m) * p].reshape((free + m, p), order="F")
        body = block[free:]
        body[:, 0] = 1.0
        body[:, 1 + d :] = Y[rows]
        _put_design(layout, X, rows, body[:, 1 : 1 + d])  # copying before subtracting is three times faster
        body[:, 1:] -= shift
        if weight is not None:
            body *= np.sqrt(weight[rows])[:, None]
        yield block


def _check_scale(factor: np.ndarray, layout: Layout) -> None:
    """Sums of squares must neither overflow nor vanish; columns of a basis may vanish (a bump far away)."""
    size = np.abs(factor[:, 1:]).max(axis=0, initial=0.0)
    if not np.isfinite(size).all():
        raise NotFinite(
            "X or y holds NaN or infinity, or numbers too large to be summed; remove or rescale them."
        )
    small = (size > 0) & (size < 1 / LARGE)
    if layout.header.basis is not None:
        small[: layout.n_columns] = False
    for j in np.flatnonzero((size > LARGE) | small)[:1]:
        name = (*layout.header.column_names, *["y"] * layout.header.n_outputs)[j]
        raise InvalidInput(
            f"Column {name!r} has numbers of the order {size[j]:.0e}, whose squares "
            f"{'overflow' if size[j] > LARGE else 'vanish'}; rescale it."
        )


def count(n: int, weight: np.ndarray | None) -> tuple[int, float, float]:
    """Rows that count, their total weight, and the sum of its logarithms."""
    if weight is None:
        return n, float(n), 0.0
    used = weight[weight > 0]
    return int(used.size), float(used.sum()), float(np.log(used).sum())
