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
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, NotFinite
from suffice._core.linalg import cross_products, inverse_of_triangle, qr_fold, qr_stacked, try_cholesky
from suffice.statistics.layout import Layout

LARGE = 1e140
MILD = 1_000.0  # the largest variance inflation for which cross-products are formed
MANY = 4096  # rows from which cross-products pay
STEP = 8192
SAMPLE = 512


def factor_of_rows(layout: Layout, X: Any, Y: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    """R of the rows. Empty and zero-weight parts are fine; float32 and sparse rows are cast by block."""
    p = 1 + len(layout.shift)
    with np.errstate(all="ignore"):
        factor = _from_products(layout, X, Y, weight) if X.shape[0] >= max(MANY, 32 * p) else None
        if factor is None:
            parts = blocks(layout, X, Y, weight, free=p)
            few = X.shape[0] < p
            factor = qr_stacked(*(b[p:] for b in parts), np.zeros((0, p))) if few else qr_fold(parts, p)
    _check_scale(factor, layout)
    return factor


def _from_products(layout: Layout, X: Any, Y: np.ndarray, weight: np.ndarray | None) -> np.ndarray | None:
    """The Cholesky factor of the cross-products, or None where the columns are not mild."""
    some = slice(None, None, -(-X.shape[0] // (SAMPLE + 4 * len(layout.shift))))
    sample = next(blocks(layout, X[some], Y[some], None))
    center = layout.shift + sample[:, 1:].mean(axis=0)
    sample[:, 1:] -= sample[:, 1:].mean(axis=0)
    if _mild_factor(cross_products(sample)) is None:
        return None
    products = np.zeros((sample.shape[1],) * 2)
    for block in blocks(layout, X, Y, weight, shift=center):
        products += cross_products(block)
    factor = _mild_factor(products)
    if factor is not None:
        factor[0, 1:] += factor[0, 0] * (center - layout.shift)  # back to the common shift
    return factor


def _mild_factor(products: np.ndarray) -> np.ndarray | None:
    """The triangle of positive definite cross-products; None where a column's inflation is too large."""
    length = np.sqrt(np.diagonal(products))
    if not np.all((length > 0) & (length < np.inf)):
        return None
    L, found = try_cholesky(products / length / length[:, None])
    if not found.all() or not np.sum(inverse_of_triangle(L) ** 2, axis=0).max() <= MILD:
        return None
    return np.triu(L.T * length)


def blocks(
    layout: Layout,
    X: Any,
    Y: np.ndarray,
    weight: np.ndarray | None,
    free: int = 0,
    shift: np.ndarray | None = None,
) -> Iterator[np.ndarray]:
    """√w [1, Φ − c, Y − d] for a few thousand rows at a time, under `free` rows that the caller fills."""
    n, p = X.shape[0], 1 + len(layout.shift)
    shift = layout.shift if shift is None else shift
    step = max(STEP, 8 * p) if not free else n if n < 10 * p or p > 300 else max(2048, 8 * p)
    block = np.empty((0, p))
    for a in range(0, n, max(step, 1)):
        rows = slice(a, min(a + step, n))
        design = layout.design(X[rows])
        m, d = design.shape
        if len(block) != free + m:  # one buffer serves all full blocks
            block = np.empty((free + m, p), order="F")
        body = block[free:]
        body[:, 0] = 1.0
        body[:, 1 : 1 + d] = design  # copying before subtracting is three times faster
        body[:, 1 + d :] = Y[rows]
        body[:, 1:] -= shift
        if weight is not None:
            body *= np.sqrt(weight[rows])[:, None]
        yield block


def _check_scale(factor: np.ndarray, layout: Layout) -> None:
    """Sums of squares must neither overflow nor vanish; columns of a basis may vanish (a bump far away)."""
    size = np.abs(factor[:, 1:]).max(axis=0)
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
