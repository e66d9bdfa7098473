"""Tables of any columns: the door of transformers that take text.

A column is an array of numbers or booleans as they come (NaN for a gap), or of strings (None for a gap). Values keep
their kind: 1 and "1" are never taken for each other, and whole numbers stay whole.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import _check_feature_names, _check_n_features

from suffice._core.errors import InvalidInput
from suffice._core.frames import require
from suffice._core.table_checks import validate_data
from suffice._estimator import remember_columns
from suffice.engine.sources.arrays import is_table
from suffice.engine.values import array, column, gaps, is_arrow, is_time, n_rows, names_of
from suffice.statistics import Header

EXACT = 2**53  # up to here every whole number is a float


class TypedColumns:
    """Columns side by side; rows are taken from all of them."""

    ndim = 2

    def __init__(self, columns: list[np.ndarray], n: int):
        self.columns, self.shape = columns, (n, len(columns))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> TypedColumns:
        return TypedColumns([c[rows] for c in self.columns], len(np.arange(len(self))[rows]))


def open_cells(estimator: Any, X: Any, like: Header | None) -> tuple[TypedColumns, Header]:
    """Any table as columns, and its header; with `like`, it must have the columns of an earlier one."""
    owner = type(estimator).__name__
    if sparse.issparse(X):
        raise InvalidInput(
            f"{owner} does not take sparse tables: a cell that is not stored would be the value 0. Pass X.toarray()."
        )
    probe = copy.copy(estimator)
    if like is not None:
        remember_columns(probe, like)
    try:
        raw = _of_table(probe, X, like) if is_table(X) else _of_array(probe, X, like)
    except TypeError as error:
        raise InvalidInput(f"X must be a table; got {type(X).__name__}: {error}") from error
    names = like.features if like is not None else getattr(probe, "feature_names_in_", None)
    header = Header(len(raw), None if names is None else tuple(map(str, names)), None, 0)
    columns = [typed(c, n) for c, n in zip(raw, header.feature_names, strict=True)]
    return TypedColumns(columns, len(columns[0])), header


def _of_table(probe: Any, X: Any, like: Header | None) -> list[np.ndarray]:
    n, names = n_rows(X), names_of(X)
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InvalidInput(f"There are {names.count(twice)} columns called {twice!r}; rename them.")
    X = _whole(X)
    _check_feature_names(probe, X, reset=like is None)
    if not names or not n:
        what = "feature" if not names else "sample"
        raise InvalidInput(
            f"Found array with 0 {what}(s) (shape=({n}, {len(names)})) while a minimum of 1 is required."
        )
    _check_n_features(probe, X, reset=like is None)
    return [_column(X, name) for name in names]


def _column(X: Any, name: str) -> np.ndarray:
    """A column; whole numbers beside gaps, which an array has as floats, as they were where floats would merge them."""
    values = array(X, name)
    if values.dtype.kind != "f" or not np.nanmax(np.abs(values), initial=0.0) >= EXACT:
        return values
    raw = column(X, name)
    if "int" not in str(getattr(raw, "dtype", getattr(raw, "type", ""))).lower():
        return values
    cells = raw.to_pylist() if hasattr(raw, "to_pylist") else raw.to_list()
    return np.array(cells, dtype=object)


def _whole(X: Any) -> Any:
    """A record batch as a table, which scikit-learn reads the names of."""
    return require("pyarrow").Table.from_batches([X]) if is_arrow(X) and not hasattr(X, "to_batches") else X


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


# -- columns --------------------------------------------------------------------------------------------
def typed(values: np.ndarray, name: str) -> np.ndarray:
    """A column of numbers, or of strings and None; infinity, times and mixtures are refused by name."""
    if values.dtype.kind == "f" and np.isinf(values).any():
        row = int(np.argmax(np.isinf(values)))
        raise InvalidInput(
            f"X contains {values[row]:g} at row {row}, column {name!r}. Remove such rows, or mark the cell as missing."
        )
    if values.dtype.kind in "iufb":
        return values
    if values.dtype.kind in "UT":
        return values.astype(object)
    if values.dtype != object:
        what = {
            "m": "lengths of time; divide them by a unit",
            "S": "bytes; decode them with .astype(str)",
        }.get(values.dtype.kind, "times; make columns of them with CalendarFeatures")
        what = what if values.dtype.kind in "mMS" else f"{values.dtype}; make numbers or text of them"
        raise InvalidInput(f"Column {name!r} holds {what}, or leave it out: only numbers and text are taken.")
    return values if _is_text(values, name) else _from_objects(values, name)


def _is_text(values: np.ndarray, name: str) -> bool:
    """Whether a column holds strings, and None at most besides: asked of its different values, which are few."""
    try:
        found = set(values.tolist()) - {None}
    except TypeError:  # lists and dicts cannot be looked up
        return False
    if not found or not all(isinstance(v, str) for v in found):
        return False
    if odd := next((v for v in found if v.endswith("\0")), None):  # arrays of text would cut it off
        raise InvalidInput(f"Column {name!r} holds {odd!r:.60}, which ends in a NUL character; strip it.")
    return True


def _from_objects(values: np.ndarray, name: str) -> np.ndarray:
    if any(
        t.__name__ == "NAType" for t in set(map(type, values.tolist()))
    ):  # pandas' NA refuses to be compared
        values = np.array([None if type(v).__name__ == "NAType" else v for v in values], dtype=object)
    missing = gaps(values)
    there = values[~missing]
    kinds = {_kind(t) for t in set(map(type, there.tolist()))}
    if kinds == {"text"}:
        out = values.copy()
        out[missing] = None
        return out
    if len(kinds) > 1 or not kinds <= {"number", "flag"}:
        raise _mixed(there, name)
    plain = np.array(there.tolist())
    if not missing.any() and plain.dtype.kind in "iub":
        return typed(plain, name)
    _refuse_merged(there, name)
    out = np.full(len(values), np.nan)
    out[~missing] = there.astype(float)
    return typed(out, name)


def _refuse_merged(there: np.ndarray, name: str) -> None:
    """Whole numbers that share an array with gaps or fractions become floats, of which large ones are equal."""
    odd = next((v for v in there if isinstance(v, int | np.integer) and not fits_float(int(v))), None)
    if odd is not None:
        raise InvalidInput(
            f"Column {name!r} holds {odd!r:.60}, which no float holds exactly, beside gaps or other numbers that need "
            "floats; make text of the column if its numbers are names, with .astype(str)."
        )


def fits_float(value: int) -> bool:
    """Whether a whole number is a float."""
    return -EXACT <= value <= EXACT or (abs(value) < 2**1023 and int(float(value)) == value)


def merges(values: np.ndarray) -> bool:
    """Whether a column of whole numbers has one that is no float."""
    if values.dtype.kind not in "iu" or not len(values):
        return False
    low, high = int(values.min()), int(values.max())
    return (low < -EXACT or high > EXACT) and not all(map(fits_float, values.tolist()))


def _mixed(there: np.ndarray, name: str) -> InvalidInput:
    first, kind = there[0], _kind(type(there[0]))
    other = next((f" and {v!r:.40}" for v in there if _kind(type(v)) != kind), "")
    what = "times" if is_time(first) else f"{first!r:.40}{other}"
    return InvalidInput(
        f"Column {name!r} holds {what}: its values must be all text or all numbers. "
        "Write them the same way, or leave the column out."
    )


def _kind(kind: type) -> str:
    if issubclass(kind, str):
        return "text"
    if issubclass(kind, bool | np.bool_):
        return "flag"
    number = issubclass(kind, int | float | np.integer | np.floating) or kind.__name__ == "Decimal"
    return "number" if number else kind.__name__


def present(values: np.ndarray) -> np.ndarray:
    """Where a column has a value."""
    if values.dtype.kind == "f":
        return ~np.isnan(values)
    return (
        np.not_equal(values, np.array(None)) if values.dtype == object else np.ones(len(values), dtype=bool)
    )
