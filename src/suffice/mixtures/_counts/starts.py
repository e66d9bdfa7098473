r"""Where mixtures of counts begin.

Distances    rows of a large sparse table are told apart by their coordinates along its first K singular directions,
             found by products with the table alone (randomized subspace iteration; Halko, Martinsson and Tropp 2011)
Softening    θ_k ← (1 − ε) θ_k + ε Σ_j π_j θ_j, as if every row belonged a little to all components: a probability of
             zero at the start would exclude rows for ever, as they could never get a share in the component
Reopening    what was fitted to a sample, a little softer and with a trace of what it does not hold: rows that come
             later may
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from suffice._components.cells import Cells
from suffice._core.errors import InvalidParameter
from suffice._core.linalg import qr_pivoted, svd
from suffice._core.records import frozen_array
from suffice.engine import Rows
from suffice.engine.reduce import merged

SOFT = 0.1
REOPENED = 0.01  # the same for parameters that were fitted to a sample
TRACE = 1e-6  # of what no row of the sample holds
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


def softened(table: np.ndarray, weights: np.ndarray, soft: float = SOFT) -> np.ndarray:
    """Parameters (K, D) of a start, a little nearer to each other."""
    return (1 - soft) * table + soft * (weights @ table)


def reopened(table: np.ndarray, weights: np.ndarray, even: Any) -> np.ndarray:
    """Parameters (K, D) fitted to a sample, under which nothing is impossible that `even` ones allow."""
    return (1 - TRACE) * softened(table, weights, REOPENED) + TRACE * even


def alike(one: Any, rows: Rows, K: int) -> Any:
    """K copies of the single component, of the family of `one`, that fits all rows."""
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    blocks = [slice(a, a + one.block) for a in range(0, len(rows), one.block)]
    sums = merged(one.see(rows.X[b]).weigh(weight[b, None]) for b in blocks)
    return one.maximized(sums).ordered(np.zeros(K, dtype=int))


def given_table(name: str, value: Any, shape: tuple[int, int], high: float = np.inf) -> np.ndarray:
    """Parameters of a start that the user gave, from 0 to `high`."""
    try:
        table = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidParameter(f"{name} must be numbers; got {value!r:.80}.") from None
    if table.shape != shape:
        raise InvalidParameter(
            f"{name} must have shape {shape}, a row per component and a number per column of X; got {table.shape}."
        )
    if not np.all((table >= 0) & (table <= high) & np.isfinite(table)):
        bad = table[~((table >= 0) & (table <= high) & np.isfinite(table))][0]
        to = ">= 0 and finite" if high == np.inf else f"from 0 to {high:g}"
        raise InvalidParameter(f"{name} must be {to}; got {bad:g}.")
    return frozen_array(table)
