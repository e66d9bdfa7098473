"""The door of mixtures of counts: tables, sparse or not, whose cells are what they must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from suffice._components.cells import canonical, with_data
from suffice._core.errors import InvalidInput

LARGEST = 2.0**53  # above, a double is not every whole number


def as_counts(X: Any) -> Any:
    """Rows as the components see them: float64, in memory order, or sparse rows with every cell stored once."""
    if not sparse.issparse(X):
        return np.ascontiguousarray(X, dtype=float)
    return canonical(X.tocsr().astype(float))


def refuse_cells(
    X: Any, wrong: Callable[[np.ndarray], np.ndarray], names: tuple[str, ...], rule: str, way_out: str
) -> None:
    """Raise if some cell breaks a rule, with its value, row and column."""
    with np.errstate(invalid="ignore"):
        bad = wrong(X.data if sparse.issparse(X) else X)
    if not bad.any():
        return
    row, column = (int(index[0]) for index in with_data(X, bad).nonzero())
    raise InvalidInput(f"{rule}; got {X[row, column]:g} at row {row}, column {names[column]!r}. {way_out}")


def unknown_as_empty(X: Any) -> Any:
    """Zeros in rows of which no cell is known; under a given total, none says as little as nothing counted."""
    if sparse.issparse(X):
        return X
    unknown = np.isnan(X[:, :1]).all(axis=1)
    unknown[unknown] = np.isnan(X[unknown]).all(axis=1)
    return np.where(unknown[:, None], 0.0, X) if unknown.any() else X


def no_count(cells: np.ndarray) -> np.ndarray:
    """Which cells are neither whole numbers nor missing."""
    return (cells > LARGEST) | (~np.isnan(cells) & (cells != np.floor(cells)))
