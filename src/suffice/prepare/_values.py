"""The door of the series tools: columns of numbers, with their names, from arrays and tables of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.numerics import first_nonfinite
from suffice._core.records import record


@record
class NumberTable:
    """Numbers (N, M) and their names; whether they came as one vector, with names, and which are categories."""

    values: np.ndarray
    names: tuple[str, ...]
    vector: bool = False
    named: bool = False
    categorical: tuple[str, ...] = ()

    def shaped(self, values: np.ndarray) -> np.ndarray:
        """Results of a vector are a vector."""
        return values[:, 0] if self.vector else values


def read_columns(what: str, values: Any, stem: str) -> NumberTable:
    """Columns of a table, an array or a vector; those without a name are `stem`, or `stem0`, `stem1` …"""
    given = _table_names(values)
    if given is None:
        names, columns, vector = _array_columns(what, values, stem)
    else:
        names, vector = given, False
        _refuse_repeated(what, names)
        columns = [values[name] for name in names]
    if not names:
        raise InvalidInput(f"{what} has no columns; at least one is needed.")
    pairs = [(str(name), column) for name, column in zip(names, columns, strict=True)]
    return NumberTable(
        np.column_stack([_numbers(what, name, column) for name, column in pairs]),
        tuple(name for name, _ in pairs),
        vector,
        given is not None,
        tuple(name for name, column in pairs if _is_category(column)),
    )


def _table_names(values: Any) -> list | None:
    """Column names of a pandas, polars or Arrow table; None for anything else."""
    if hasattr(values, "column_names"):
        return list(values.column_names)
    return list(values.columns) if hasattr(values, "columns") else None


def _array_columns(what: str, values: Any, stem: str) -> tuple[list, list, bool]:
    array = np.asarray(values)
    if array.ndim == 1:
        name = getattr(values, "name", None)
        return [stem if name in (None, "") else name], [values], True
    if array.ndim != 2:
        raise InvalidInput(f"{what} must be a vector or a table; got shape {array.shape}.")
    return [f"{stem}{j}" for j in range(array.shape[1])], list(array.T), False


def _refuse_repeated(what: str, names: Sequence[Any]) -> None:
    repeated = next((n for i, n in enumerate(names) if n in names[:i]), None)
    if repeated is not None:
        raise InvalidInput(f"{what} has two columns named {str(repeated)!r}; rename one.")


def _is_category(column: Any) -> bool:
    kind = str(getattr(column, "dtype", getattr(column, "type", ""))).lower()
    return kind.startswith(("bool", "categor", "enum", "dictionary")) or np.asarray(column).dtype.kind == "b"


def _numbers(what: str, name: str, column: Any) -> np.ndarray:
    array = np.asarray(column)
    if array.dtype.kind in "iufb":
        return array.astype(float)
    if array.dtype != object:
        raise _not_numbers(what, name, array, 0)
    out = np.empty(len(array))
    for row, value in enumerate(array):
        out[row] = _number(what, name, array, row, value)
    return out


def _number(what: str, name: str, array: np.ndarray, row: int, value: Any) -> float:
    if is_missing(value):
        return float("nan")
    if isinstance(value, str | bytes):
        raise _not_numbers(what, name, array, row)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise _not_numbers(what, name, array, row) from None


def _not_numbers(what: str, name: str, array: np.ndarray, row: int) -> InvalidInput:
    value = array.dtype if len(array) == 0 else str(array[row]) if array.dtype.kind == "U" else array[row]
    label = what if name == what else f"{what}, column {name!r},"
    return InvalidInput(
        f"{label} must be numbers; got {value!r:.60} at row {row}. Encode it as numbers or leave it out."
    )


def is_missing(value: Any) -> bool:
    """None, NaN, NaT or the NA of pandas (which refuses to be compared)."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def refuse_nonfinite(what: str, columns: NumberTable, advice: str, *, missing: bool = False) -> None:
    """Raise for infinity, and for NaN unless `missing` cells are allowed, naming row, column and next step."""
    values = np.where(np.isnan(columns.values), 0.0, columns.values) if missing else columns.values
    values, names = (values[:, 0], ()) if columns.vector else (values, columns.names)
    if place := first_nonfinite(values, names):
        raise InvalidInput(f"{what} contains {place}. {advice}")


def check_count(name: str, value: Any, low: int = 1) -> int:
    """A whole number of at least `low`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low:
        raise InvalidParameter(f"{name} must be an integer >= {low}; got {value!r}.")
    return int(value)


def check_dtype(name: str, value: Any) -> np.dtype:
    """A type of numbers."""
    try:
        kind = np.dtype(value)
    except TypeError:
        kind = np.dtype(object)
    if kind.kind not in "iufb":
        raise InvalidParameter(f"{name} must be a type of numbers, such as numpy.float64; got {value!r}.")
    return kind
