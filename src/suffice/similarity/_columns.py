"""Columns of a mixed table as numbers: quantities as they are, words by their codes, NaN where a value is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice.similarity._tables import column_names


@dataclass(frozen=True, eq=False)
class Column:
    """The values of a column, which are missing, and whether the others are all quantities."""

    name: Any
    values: np.ndarray
    missing: np.ndarray
    numeric: bool


@dataclass(frozen=True, eq=False)
class Columns:
    """A table by its columns; `flat` says that it was one row."""

    names: list[Any]
    columns: list[Column]
    n: int
    flat: bool


@dataclass(frozen=True, eq=False)
class Codes:
    """A column of two tables as numbers, and how many values there may be."""

    x: np.ndarray
    y: np.ndarray
    levels: int


def columns_of(values: Any, name: str) -> Columns:
    """A frame, an array, a list of rows, or one row."""
    names = column_names(values)
    if names is not None:
        if len(set(names)) < len(names):
            twice = next(n for n in names if names.count(n) > 1)
            raise InvalidInput(f"{name} has two columns named {twice!r}; rename one.")
        arrays, flat = [np.asarray(values[n]) for n in names], False
    else:
        array = values if isinstance(values, np.ndarray) else _objects(values, name)
        flat = array.ndim == 1
        array = array[None] if flat else array
        if array.ndim != 2:
            raise InvalidInput(f"{name} must be a row or a table; got shape {array.shape}.")
        arrays, names = [array[:, k] for k in range(array.shape[1])], list(range(array.shape[1]))
    if not names:
        raise InvalidInput(f"{name} must have at least one column.")
    return Columns(
        names, [_column(n, a, name) for n, a in zip(names, arrays, strict=True)], len(arrays[0]), flat
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


def _column(name: Any, values: np.ndarray, table: str) -> Column:
    if values.dtype.kind in "mM":
        missing = np.isnat(values)
        return Column(name, np.where(missing, 0, values.astype(np.int64)).astype(float), missing, True)
    missing = (
        np.isnan(values)
        if values.dtype.kind == "f"
        else np.array([_is_missing(v) for v in values], dtype=bool)
    )
    numeric = all(isinstance(v, Real) and not isinstance(v, bool | np.bool_) for v in values[~missing])
    numeric = numeric and values.dtype.kind != "b"
    if numeric:
        values = np.where(missing, 0, values).astype(float)
        if np.isinf(values).any():
            row = int(np.argmax(np.isinf(values)))
            raise InvalidInput(
                f"{table} holds {values[row]} in row {row}, column {name!r}; it must be finite or missing."
            )
    return Column(name, values, missing, numeric)


def _is_missing(value: Any) -> bool:
    """None, NaN, and what pandas writes for them."""
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float) and value != value)
    )


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


def codes(a: Column, b: Column, scale: str, order: Any) -> Codes:
    """The column of both tables on a scale."""
    if scale in ("interval", "ratio"):
        for column in (a, b):
            if not column.numeric:
                raise InvalidInput(f"Column {a.name!r} is {scale} but holds values that are not numbers.")
        return Codes(_with_gaps(a.values, a), _with_gaps(b.values, b), 0)
    known = _levels(a, b, scale, order)
    place = {value: i for i, value in enumerate(known)}
    return Codes(_placed(a, place), _placed(b, place), len(known))


def _levels(a: Column, b: Column, scale: str, order: Any) -> list[Any]:
    """The values of a column of words, from the lowest."""
    if scale == "presence":
        return [0, 1]
    if order is not None:
        return list(order)
    seen = dict.fromkeys(v for c in (a, b) for v in c.values[~c.missing].tolist())
    if scale == "nominal":
        return list(seen)
    try:
        return sorted(seen)
    except TypeError:
        raise InvalidInput(f"The values of column {a.name!r} have no order; give orders.") from None


def _placed(column: Column, place: dict[Any, int]) -> np.ndarray:
    out = np.full(len(column.values), np.nan)
    for i in np.flatnonzero(~column.missing):
        value = column.values[i]
        try:
            out[i] = place[value]
        except (KeyError, TypeError):
            known = ", ".join(map(repr, list(place)[:8]))
            raise InvalidInput(
                f"Column {column.name!r} holds {value!r} in row {i}, which is not one of {known}."
            ) from None
    return out


def _with_gaps(values: np.ndarray, column: Column) -> np.ndarray:
    return np.where(column.missing, np.nan, values)
