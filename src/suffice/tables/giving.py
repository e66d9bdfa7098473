"""Tables in the kind of the caller's: rows of them, further columns, and new ones of the same library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.frames import require, to_frame
from suffice.tables.columns import is_series
from suffice.tables.frames import library_frame


def take_rows(a: Any, rows: np.ndarray) -> Any:
    """Rows of a table, a series or an array, by their numbers."""
    frame = library_frame(a)
    return frame.take(rows) if frame is not None else a.iloc[rows] if is_series(a) else a[rows]


def like(X: Any, matrix: np.ndarray) -> Any:
    """A matrix as the kind of table that X is, under the same names."""
    frame = library_frame(X)
    return (
        matrix if frame is None else frame.like({name: matrix[:, j] for j, name in enumerate(frame.labels)})
    )


def inserted(X: Any, j: int, name: str, values: np.ndarray) -> Any:
    """The table with one column more, at place j; a table without names is an array then."""
    frame = library_frame(X)
    if frame is not None and frame.worded:
        return frame.inserted(j, name, values)
    cells = np.asarray(X.toarray() if sparse.issparse(X) else X)
    cells = cells if cells.dtype.kind == "f" else cells.astype(float if cells.dtype.kind in "iub" else object)
    return np.insert(cells, j, values, axis=1)


def appended(X: Any, columns: Mapping[str, np.ndarray]) -> Any:
    """The table with further columns at its end, of the same kind."""
    if not columns:
        return X
    if (frame := library_frame(X)) is not None:
        for name, values in columns.items():
            frame = library_frame(frame.inserted(len(frame.labels), name, values))
            assert frame is not None
        return frame.table
    more = np.column_stack(list(columns.values()))
    return (
        sparse.hstack([X, more], format="csr")
        if sparse.issparse(X)
        else np.column_stack([np.asarray(X), more])
    )


def library_of(X: Any) -> str | None:
    """The library of a frame; None for what is no frame."""
    frame = library_frame(X)
    return None if frame is None else frame.library


def framed(columns: Mapping[str, np.ndarray], library: str) -> Any:
    """A table of a library, by its name."""
    if library == "pyarrow":
        return require(library).table({name: values.tolist() for name, values in columns.items()})
    return to_frame(dict(columns), library)
