"""The door of what takes a table by the names of its columns, and an array by their places."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.errors import InvalidInput
from suffice.tables.opening import Table, has_names


def open_any(owner: Any, X: Any, fitting: bool = False) -> Table:
    """A table, whose columns are x0, x1, … where they have none; a fit needs a row."""
    who = type(owner).__name__
    if sparse.issparse(X):
        raise InvalidInput(
            f"{who} does not take sparse tables: a cell that is not stored would be the value 0. Pass X.toarray()."
        )
    if not has_names(X):
        X = _checked_array(X)
    table = Table.of(X)
    n, d = table.n if table.columns else _length(X), len(table.columns)
    if not d or (fitting and not n):
        what = "sample" if d else "feature"
        raise InvalidInput(
            f"Found array with 0 {what}(s) (shape=({n}, {d})) while a minimum of 1 is required."
        )
    return table


def _checked_array(X: Any) -> Any:
    """An array or a list of rows with two dimensions."""
    if isinstance(X, list | tuple):
        flat = not any(isinstance(row, list | tuple | np.ndarray) for row in X)
        shape: tuple[int, ...] = (len(X),) if flat else (len(X), 0)
        kind = "O"
    elif hasattr(X, "__array__"):
        X = X if np.ma.isMaskedArray(X) else np.asarray(X)
        shape, kind = X.shape, X.dtype.kind
    else:
        return X  # `Table` says what a table is
    if kind == "c":
        raise InvalidInput(f"Complex data not supported; got an array of {X.dtype}.")
    if len(shape) != 2:
        told = {0: "scalar", 1: "1D"}.get(len(shape), f"{len(shape)}D")
        raise InvalidInput(
            f"Expected 2D array, got {told} array instead. Reshape your data: X.reshape(-1, 1) for one column, "
            "X.reshape(1, -1) for one row."
        )
    return X


def _length(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
