"""Mixed tables by their columns, and one column of two tables as numbers: NaN where a value is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice.similarity._cells import MEASURED, CellColumn, column_of, from_origin
from suffice.tables.frames import frame_of
from suffice.tables.requiring import refuse_repeated, refuse_sparse


@dataclass(frozen=True, eq=False)
class TableColumns:
    """A table by its columns; `flat` says that it was one row."""

    names: list[Any]
    columns: list[CellColumn]
    n: int
    flat: bool


@dataclass(frozen=True, eq=False)
class Codes:
    """A column of two tables as numbers, and how many values there may be."""

    x: np.ndarray
    y: np.ndarray
    levels: int


def columns_of(values: Any, name: str) -> TableColumns:
    """A frame, an array, a list of rows, or one row."""
    refuse_sparse(values, "gower")
    if (frame := frame_of(values)) is not None:
        names, flat = frame.labels, False
        refuse_repeated(names, name)
        arrays = [frame.column(j) for j in range(len(names))]
    else:
        array = values if isinstance(values, np.ndarray) else _objects(values, name)
        flat = array.ndim == 1
        array = array[None] if flat else array
        if array.ndim != 2:
            raise InvalidInput(f"{name} must be a row or a table; got shape {array.shape}.")
        arrays, names = list(array.T), list(range(array.shape[1]))
    if not names:
        raise InvalidInput(f"{name} must have at least one column.")
    return TableColumns(
        names, [column_of(n, a, name) for n, a in zip(names, arrays, strict=True)], len(arrays[0]), flat
    )


def _objects(values: Any, name: str) -> np.ndarray:
    """Rows of anything, without turning numbers into text."""
    try:
        array = np.array(values, dtype=object)
        if array.ndim == 1 and any(isinstance(v, list | tuple | np.ndarray) for v in array):
            raise ValueError
    except ValueError:
        raise InvalidInput(f"{name} must have rows of the same length.") from None
    return array


def by_column(option: str, values: Any, names: list[Any]) -> dict[Any, Any]:
    """What an option says of each column: a mapping of some, or a sequence for all."""
    if values is None:
        return {}
    if isinstance(values, Mapping):
        for name in values:
            if name not in names:
                hint = did_you_mean(str(name), [str(n) for n in names])
                raise InvalidParameter(f"{option} names the column {name!r}, which is not there.{hint}")
        return dict(values)
    if isinstance(values, str) or np.ndim(values) == 0 or len(values) != len(names):
        raise InvalidParameter(
            f"{option} must say something of each of the {len(names)} columns; got {values!r}."
        )
    return dict(zip(names, values, strict=True))


def codes(a: CellColumn, b: CellColumn, scale: str, order: Any) -> Codes:
    """The column of both tables on a scale."""
    if scale in ("interval", "ratio"):
        for column in (a, b):
            if column.kind not in (*MEASURED, "empty"):
                raise InvalidInput(f"Column {a.name!r} is {scale} but holds values that are not numbers.")
        return Codes(*from_origin(a, b), 0)
    known = _levels(a, b, scale, order)
    place = {value: i for i, value in enumerate(known)}
    return Codes(_placed(a, place), _placed(b, place), len(known))


def _levels(a: CellColumn, b: CellColumn, scale: str, order: Any) -> list[Any]:
    """The values of a column of words, from the lowest."""
    if scale == "presence":
        return [0, 1]
    if order is not None:
        return _checked_order(a.name, order)
    seen = dict.fromkeys(a.present + b.present)
    if scale == "nominal":
        return list(seen)
    declared = [c.order for c in (a, b) if c.order is not None]
    if declared:
        if declared[0] != declared[-1]:
            raise InvalidInput(
                f"Column {a.name!r} has the order {declared[0]} in x and {declared[-1]} in y; give orders."
            )
        return declared[0]
    try:
        return sorted(seen)
    except TypeError:
        raise InvalidInput(f"The values of column {a.name!r} have no order; give orders.") from None


def _checked_order(name: Any, order: Any) -> list[Any]:
    levels = [] if isinstance(order, str) or not hasattr(order, "__iter__") else list(order)
    if not levels or len(set(levels)) < len(levels):
        raise InvalidParameter(
            f"orders must list the different values of column {name!r} from the lowest; got {order!r:.60}."
        )
    return levels


def _placed(column: CellColumn, place: dict[Any, int]) -> np.ndarray:
    rows, out = np.flatnonzero(~column.missing), np.full(len(column.values), np.nan)
    for i, value in zip(rows, column.present, strict=True):
        try:
            out[i] = place[value]
        except (KeyError, TypeError):
            known = ", ".join(map(repr, list(place)[:8]))
            raise InvalidInput(
                f"Column {column.name!r} holds {value!r} in row {i}, which is not one of {known}."
            ) from None
    return out
