"""The door of the series tools: columns of numbers, with their names, from arrays and tables of any kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_integer
from suffice._core.numerics import first_nonfinite
from suffice._core.records import record
from suffice.tables.cells import first_odd, floats
from suffice.tables.columns import array_of, is_held_as_category, name_of, type_of
from suffice.tables.frames import frame_of
from suffice.tables.requiring import array_from, refuse_repeated


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
    if (frame := frame_of(values)) is not None:
        refuse_repeated(frame.names, what)
        names, columns, vector = list(frame.names), [frame.column(j) for j in range(len(frame.names))], False
    else:
        names, columns, vector = _array_columns(what, values, stem)
    if not names:
        raise InvalidInput(f"{what} has no columns; at least one is needed.")
    arrays = [array_of(column) for column in columns]
    return NumberTable(
        np.column_stack([_numbers(what, name, array) for name, array in zip(names, arrays, strict=True)]),
        tuple(names),
        vector,
        frame is not None,
        tuple(n for n, c, a in zip(names, columns, arrays, strict=True) if _is_category(c, a)),
    )


def _array_columns(what: str, values: Any, stem: str) -> tuple[list[str], list[Any], bool]:
    array = array_from(what, values)
    if array.ndim == 1:
        return [name_of(values, stem)], [array if type_of(values) is None else values], True
    if array.ndim != 2:
        raise InvalidInput(f"{what} must be a vector or a table; got shape {array.shape}.")
    return [f"{stem}{j}" for j in range(array.shape[1])], list(array.T), False


def _is_category(column: Any, array: np.ndarray) -> bool:
    kind = type_of(column)
    return is_held_as_category(kind) or array.dtype.kind == "b" or str(kind).lower().startswith("bool")


def _numbers(what: str, name: str, array: np.ndarray) -> np.ndarray:
    """Numbers as floats, NaN for gaps; the first cell that is none is named."""
    if (odd := first_odd(array)) is not None:
        raise _not_numbers(what, name, array, odd)
    return floats(array)


def _not_numbers(what: str, name: str, array: np.ndarray, row: int) -> InvalidInput:
    value = str(array[row]) if array.dtype.kind == "U" else array[row]
    label = what if name == what else f"{what}, column {name!r},"
    return InvalidInput(
        f"{label} must be numbers; got {value!r:.60} at row {row}. Encode it as numbers or leave it out."
    )


def refuse_nonfinite(what: str, columns: NumberTable, advice: str, *, missing: bool = False) -> None:
    """Raise for infinity, and for NaN unless `missing` cells are allowed, naming row, column and next step."""
    values = np.where(np.isnan(columns.values), 0.0, columns.values) if missing else columns.values
    values, names = (values[:, 0], ()) if columns.vector else (values, columns.names)
    if place := first_nonfinite(values, names):
        raise InvalidInput(f"{what} contains {place}. {advice}")


def check_count(name: str, value: Any, low: int = 1) -> int:
    """A whole number of at least `low`."""
    check_integer(name, value, low)
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
