"""The doors of transformers that take text: columns by their places, or by their names.

A column is an array of numbers or booleans as they come (NaN for a gap), or of strings (None for a gap). Values keep
their kind: 1 and "1" are never taken for each other, and whole numbers stay whole.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from sklearn.utils.validation import _check_feature_names, _check_n_features

from suffice._core.errors import InvalidInput
from suffice._core.table_checks import validate_data
from suffice._estimator import remember_columns
from suffice.statistics import Header
from suffice.tables.adapters import FrameAdapter, LibraryFrame
from suffice.tables.columns import array_of
from suffice.tables.frames import ArrowTable, frame_of
from suffice.tables.opening import Table, require_rows
from suffice.tables.requiring import refuse_empty, refuse_repeated, refuse_sparse, same_columns
from suffice.tables.typed import TypedTable, typed


def open_cells(estimator: Any, X: Any, like: Header | None) -> tuple[TypedTable, Header]:
    """Any table as columns, and its header; with `like`, it must have the columns of an earlier one."""
    refuse_sparse(X, type(estimator).__name__)
    probe, frame = copy.copy(estimator), frame_of(X)
    if like is not None:
        remember_columns(probe, like)
    try:
        raw = _of_array(probe, X, like) if frame is None else _of_frame(probe, frame, like)
    except TypeError as error:
        raise InvalidInput(f"X must be a table; got {type(X).__name__}: {error}") from error
    names = like.features if like is not None else getattr(probe, "feature_names_in_", None)
    header = Header(len(raw), None if names is None else tuple(map(str, names)), None, 0)
    columns = [typed(c, n) for c, n in zip(raw, header.feature_names, strict=True)]
    return TypedTable(columns, len(columns[0])), header


def _of_frame(probe: Any, frame: FrameAdapter, like: Header | None) -> list[np.ndarray]:
    refuse_repeated(frame.names)
    d = len(frame.names)
    if isinstance(frame, LibraryFrame):
        whole = frame.whole if isinstance(frame, ArrowTable) else frame.table  # no names of a batch are read
        _check_feature_names(probe, whole, reset=like is None)
        refuse_empty(frame.n, d)
        _check_n_features(probe, whole, reset=like is None)
    elif like is None:
        refuse_empty(frame.n, d)
        remember_columns(probe, Header(d, frame.names, None, 0))
    else:
        same_columns(frame.names, d, like.features, like.n_features, type(probe).__name__)
    return [array_of(frame.column(j)) for j in range(d)]


def _of_array(probe: Any, X: Any, like: Header | None) -> list[np.ndarray]:
    X = _listed(X) if isinstance(X, list | tuple) else X
    X = validate_data(probe, X, dtype=None, ensure_all_finite=False, reset=like is None)
    return list(X.T)


def _listed(X: Any) -> np.ndarray:
    """Lists of rows: where one cell is text, numbers stay numbers."""
    try:
        plain = np.asarray(X)
    except ValueError:
        raise InvalidInput("X must be a table: its rows have different lengths.") from None
    return np.array(X, dtype=object) if plain.dtype.kind in "US" else plain


def open_named(owner: Any, X: Any, fitting: bool = False) -> Table:
    """A table whose columns are x0, x1, … where they have no names; a fit needs a row."""
    refuse_sparse(X, type(owner).__name__)
    require_rows(X)
    table = Table.of(X)
    n = table.n if table.columns else len(X)
    refuse_empty(n if fitting else max(n, 1), len(table.columns))
    return table
