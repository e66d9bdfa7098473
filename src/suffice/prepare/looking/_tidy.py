"""The cells of one column in the form that `_columns` promises, whatever they were."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal

import numpy as np

NUMBER = (int, float, np.integer, np.floating, Decimal)
FLAG = (bool, np.bool_)
EXACT = 2**53
LONGEST = 2**63


def as_objects(cells: Any) -> np.ndarray:
    """Cells as they are, lists among them too."""
    out = np.empty(len(cells), dtype=object)
    for i, cell in enumerate(cells):
        out[i] = cell
    return out


def tidy(values: np.ndarray) -> np.ndarray:
    """A column in the form that the module promises."""
    kind = values.dtype.kind
    if kind in "iubmM":
        return values
    if kind == "f":
        return values.astype(float, copy=False)
    if kind == "S":
        return as_objects([_decoded(v) for v in values])
    return _cells(values if kind == "O" else as_objects(values.tolist()))


def _cells(values: np.ndarray) -> np.ndarray:
    kinds = set(map(type, values))
    if kinds <= {str, type(None)}:
        return values
    if any(issubclass(k, bytes | float | np.floating | Decimal) or _may_lack(k) for k in kinds):
        values = as_objects([_cell(v) for v in values])
        kinds = set(map(type, values))
    kinds.discard(type(None))
    if not kinds:
        return values
    if all(issubclass(k, FLAG) for k in kinds):
        return values if any(v is None for v in values) else values.astype(bool)
    if all(issubclass(k, NUMBER) and not issubclass(k, FLAG) for k in kinds):
        return _numbers(values)
    return _times(values, kinds)


def _may_lack(kind: type) -> bool:
    return kind.__name__ in ("NAType", "NaTType", "datetime64", "timedelta64")


def _cell(value: Any) -> Any:
    """A cell; None for every way to say that there is none."""
    if isinstance(value, bytes):
        return _decoded(value)
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, Decimal):
        return None if value.is_nan() else value
    if isinstance(value, float | np.floating | np.datetime64 | np.timedelta64):
        return None if value != value else value
    return value


def _decoded(value: bytes) -> str:
    return value.decode("utf-8", "backslashreplace")


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
    if type(value).__name__ == "Timestamp":
        value = value.to_datetime64()
    return np.datetime64(value, unit)
