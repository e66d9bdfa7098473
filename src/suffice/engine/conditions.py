"""Conditions on rows: (column, operator, value). A row counts if it fulfils all; a gap fulfils none."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice.tables.cells import gaps, is_time

Condition = tuple[str, str, Any]
LISTS = ("in", "not in")


def _among(values: np.ndarray, listed: Iterable[Any]) -> np.ndarray:
    out = np.zeros(len(values), dtype=bool)
    for value in listed:
        out |= np.asarray(values == value, dtype=bool)
    return out


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "in": _among, "not in": lambda values, listed: ~_among(values, listed),
}  # fmt: skip


def as_conditions(where: Any) -> tuple[Condition, ...]:
    """A list of conditions, or one of them, checked.

    >>> as_conditions(("age", ">=", 18))
    (('age', '>=', 18),)
    """
    if where is None:
        return ()
    alone = isinstance(where, tuple) and len(where) == 3 and isinstance(where[0], str)
    return tuple(_condition(c) for c in ([where] if alone else where))


def _condition(condition: Any) -> Condition:
    if isinstance(condition, str) or not isinstance(condition, Iterable) or len(tuple(condition)) != 3:
        raise InvalidParameter(
            f"where must be a list of (column, operator, value), such as ('age', '>=', 18); got {condition!r}."
        )
    name, symbol, value = condition
    if symbol not in OPERATORS:
        raise InvalidParameter(f"The operator of {condition!r} must be one of {', '.join(OPERATORS)}.")
    if symbol in LISTS and (isinstance(value, str) or not isinstance(value, Iterable)):
        raise InvalidParameter(f"where: {symbol!r} needs a list of values; got {value!r}.")
    return name, symbol, tuple(value) if symbol in LISTS else value


def holds(values: np.ndarray, name: str, symbol: str, value: Any) -> np.ndarray:
    """Where a condition is true of a column."""
    present = ~gaps(values)
    out = np.zeros(len(values), dtype=bool)
    try:
        out[present] = OPERATORS[symbol](values[present], _comparable(value, values.dtype))
    except (TypeError, ValueError) as error:
        raise InvalidParameter(
            f"where: column {name!r} ({values.dtype}) cannot be compared by {symbol!r} with {value!r}."
        ) from error
    return out


def _comparable(value: Any, dtype: np.dtype) -> Any:
    """Dates in any writing, for a column of times."""
    if dtype.kind != "M":
        return value
    if isinstance(value, tuple):
        return tuple(_comparable(v, dtype) for v in value)
    return np.datetime64(value) if isinstance(value, str) or is_time(value) else value
