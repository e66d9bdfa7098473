"""The cells of a column in the form that `columns.py` promises, whatever they were."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal

import numpy as np

from suffice.tables.cells import EXACT, as_objects, is_missing, kind_of_type, may_lack

LONGEST = 2**63


def tidy(values: np.ndarray) -> np.ndarray:
    """A column in the form that the module promises."""
    kind = values.dtype.kind
    if kind in "iubmM":
        return values
    if kind == "f":
        return values.astype(float, copy=False)
    return _tidy_cells(values if kind == "O" else as_objects(values.tolist()))


def _tidy_cells(values: np.ndarray) -> np.ndarray:
    kinds = set(map(type, values))
    if kinds <= {str, type(None)}:
        return values
    if any(issubclass(k, bytes) or may_lack(k) for k in kinds):
        values = as_objects([_cell(v) for v in values])
        kinds = set(map(type, values))
    words = {kind_of_type(kind) for kind in kinds - {type(None)}}
    if words == {"flag"}:
        return values if any(v is None for v in values) else values.astype(bool)
    if words == {"number"} and all(
        issubclass(k, int | float | np.number | Decimal | type(None)) for k in kinds
    ):
        return _numbers(values)
    return _times(values, kinds) if words <= {"time", "span"} and words else values


def _cell(value: Any) -> Any:
    """A cell; None for every way to say that there is none."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return None if may_lack(type(value)) and is_missing(value) else value


def _numbers(values: np.ndarray) -> np.ndarray:
    """Numbers as machine numbers; whole ones too long for that stay as they are."""
    known = [v for v in values if v is not None]
    whole = all(isinstance(v, int | np.integer) for v in known)
    largest = max(abs(v) for v in known) if whole else 0
    if largest >= LONGEST or (largest > EXACT and len(known) < len(values)):
        return values
    if whole and len(known) == len(values):
        return values.astype(np.int64)
    return np.array([np.nan if v is None else float(v) for v in values])


def _times(values: np.ndarray, kinds: set[type]) -> np.ndarray:
    kinds = kinds - {type(None)}
    if all(issubclass(k, date | np.datetime64) for k in kinds):
        unit: Literal["us", "ns"] = "ns" if any(getattr(v, "nanosecond", 0) for v in values) else "us"
        return np.array(
            [None if v is None else _instant(v, unit) for v in values], dtype=f"datetime64[{unit}]"
        )
    if all(issubclass(k, timedelta | np.timedelta64) for k in kinds):
        return np.array(list(values), dtype="timedelta64[us]")
    return values


def _instant(value: Any, unit: Literal["us", "ns"]) -> np.datetime64:
    if isinstance(value, datetime) and value.tzinfo is not None:
        value = value.astimezone(UTC).replace(tzinfo=None)
    return np.datetime64(value.to_datetime64() if hasattr(value, "to_datetime64") else value, unit)
