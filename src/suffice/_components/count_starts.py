r"""Where mixtures of counts begin: coordinates of rows whose distances mean something, and components that are alike.

Rows of a large sparse table are told apart by their coordinates along its first K singular directions, found by
products with the table alone (randomized subspace iteration; Halko, Martinsson and Tropp 2011).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from suffice._components.cells import Cells
from suffice._core.linalg import qr_pivoted, svd
from suffice.engine import Rows
from suffice.engine.reduce import merged

DENSE = 1 << 22  # cells of a sparse table that may be filled in
SPARE = 8  # directions beyond those asked for, which make these accurate


def coordinates(X: Any, K: int) -> np.ndarray:
    """Rows of numbers whose distances are those of the rows of X, or nearly."""
    if not sparse.issparse(X):
        return X
    if X.shape[0] * X.shape[1] <= DENSE:
        return X.toarray()
    X = Cells.of(X).values
    directions = np.random.default_rng(0).standard_normal((X.shape[1], min(K + SPARE, *X.shape)))
    for _ in range(3):
        directions = qr_pivoted(X.T @ (X @ directions))[0]
    along = X @ directions
    return along @ svd(along)[2][:K].T


def alike(one: Any, rows: Rows, K: int) -> Any:
    """K copies of the single component, of the family of `one`, that fits all rows."""
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    return fitted_to(one, rows, weight[:, None]).ordered(np.zeros(K, dtype=int))


def fitted_to(components: Any, rows: Rows, responsibilities: np.ndarray) -> Any:
    """What responsibilities (N, K), which contain weights of rows, make of components."""
    step = components.block
    blocks = [slice(a, a + step) for a in range(0, len(rows), step)]
    sums = merged(components.evaluate(rows.X[b]).weighted_sums(responsibilities[b]) for b in blocks)
    return components.maximized(sums)
