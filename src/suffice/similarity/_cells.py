"""One column of a mixed table: its cells as they came, and what they are.

kind       cells                                             difference of two of them
numbers    whole numbers, floats, decimals, fractions         a number
times      datetimes of any unit, dates, months               exact, in attoseconds, whatever the units were
spans      lengths of time                                    likewise
flags      true and false                                     none
words      anything else that can be looked up                none
empty      nothing but gaps                                   goes with every other kind

Cells keep their identity: whole numbers that a float would merge stay apart, since values are compared as they came
and differences are taken from a common origin before they become floats.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.tables.cells import gaps
from suffice.tables.columns import array_of, knows_zone, type_of

ATTOSECONDS = {
    "W": 604_800 * 10**18, "D": 86_400 * 10**18, "h": 3600 * 10**18, "m": 60 * 10**18, "s": 10**18, "ms": 10**15,
    "us": 10**12, "ns": 10**9, "ps": 10**6, "fs": 10**3, "as": 1,
}  # fmt: skip
MEASURED = ("numbers", "times", "spans")


@dataclass(frozen=True, eq=False)
class CellColumn:
    """Cells and which of them are missing; an order that was declared with them; whether times know their zone."""

    name: Any
    values: np.ndarray
    missing: np.ndarray
    kind: str
    order: list[Any] | None = None
    zoned: bool = False

    @property
    def present(self) -> list[Any]:
        """The cells that are there, as Python's values."""
        return self.values[~self.missing].tolist()


def column_of(name: Any, raw: Any, table: str) -> CellColumn:
    """A column of a frame or an array."""
    values = array_of(raw)
    values = values if values.dtype.kind in "biufmM" else values.astype(object)
    missing = gaps(values)
    kind = _kind(values, missing, name, table)
    zoned = knows_zone(type_of(raw))
    if kind in ("times", "spans"):
        if values.dtype == object:
            zoned = zoned or _zone_of(values[~missing], name, table)
            values = _as_times(values, missing, kind)
        values = _in_attoseconds(values, missing, name)
    elif kind == "numbers":
        _refuse_infinite(values, missing, name, table)
    return CellColumn(name, values, missing, kind, _declared_order(raw), zoned)


def from_origin(a: CellColumn, b: CellColumn) -> tuple[np.ndarray, np.ndarray]:
    """Both columns as floats with NaN for gaps, counted from their smallest cell where floats would lose digits."""
    if all(c.values.dtype.kind in "fb" or _small(c) for c in (a, b)):
        return _floats(a, 0), _floats(b, 0)
    origin = min(map(exactly, a.present + b.present), default=0)
    return _floats(a, origin), _floats(b, origin)


def span_as_number(span: Any) -> int | None:
    """A length of time in attoseconds; None for anything else."""
    if isinstance(span, timedelta | np.timedelta64):
        span = _length(span)
        unit, count = np.datetime_data(span)
        if unit in ATTOSECONDS and not np.isnat(span):
            return int(span.astype(np.int64)) * count * ATTOSECONDS[unit]
    return None


# -- kinds ----------------------------------------------------------------------------------------------
def _kind(values: np.ndarray, missing: np.ndarray, name: Any, table: str) -> str:
    if missing.all():
        return "empty"
    if values.dtype != object:
        return {"b": "flags", "M": "times", "m": "spans"}.get(values.dtype.kind, "numbers")
    there = values[~missing]
    odd = next((i for i, v in enumerate(there) if not _looked_up(v)), None)
    if odd is not None:
        row = int(np.flatnonzero(~missing)[odd])
        raise InvalidInput(
            f"{table} holds {there[odd]!r:.40} in row {row}, column {name!r}, which is no single value; leave the "
            "column out, or make columns of what is in it."
        )
    kinds = {_kind_of(v) for v in there}
    return kinds.pop() if len(kinds) == 1 else "words"


def _kind_of(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "flags"
    if isinstance(value, timedelta | np.timedelta64):
        return "spans"
    if isinstance(value, date | np.datetime64) or type(value).__name__ == "Period":
        return "times"
    return "numbers" if isinstance(value, Real | Decimal) else "words"


def _looked_up(value: Any) -> bool:
    try:
        return isinstance(value, Hashable) and hash(value) is not None
    except TypeError:  # a tuple of lists
        return False


def _declared_order(raw: Any) -> list[Any] | None:
    """The values of an ordered categorical of pandas, or of an enumeration of polars, from the lowest."""
    dtype = getattr(raw, "dtype", None)
    if getattr(dtype, "ordered", False) or type(dtype).__name__ == "Enum":
        return np.asarray(dtype.categories).tolist()  # type: ignore[union-attr]
    return None


# -- numbers --------------------------------------------------------------------------------------------
def _refuse_infinite(values: np.ndarray, missing: np.ndarray, name: Any, table: str) -> None:
    for row in np.flatnonzero(~missing) if values.dtype == object else np.flatnonzero(np.isinf(values)):
        value = values[row]
        if isinstance(value, float | np.floating | Decimal) and abs(value) == float("inf"):
            raise InvalidInput(
                f"{table} holds {value} in row {row}, column {name!r}; it must be finite or missing."
            )


def _small(column: CellColumn) -> bool:
    """Whether floats hold all cells exactly."""
    if column.kind not in ("numbers", "empty"):
        return False
    if column.values.dtype == object:
        return all(isinstance(v, float | np.floating) or abs(v) < 2**53 for v in column.present)
    return all(abs(int(f(column.values))) < 2**53 for f in (np.min, np.max)) if len(column.values) else True


def _floats(column: CellColumn, origin: Any) -> np.ndarray:
    out = np.full(len(column.values), np.nan)
    if column.values.dtype == object or origin:
        try:
            out[~column.missing] = [float(exactly(v) - origin if origin else v) for v in column.present]
        except OverflowError:
            raise InvalidInput(
                f"Column {column.name!r} holds numbers beyond the range of floats; rescale it, or call it nominal by "
                "scales."
            ) from None
        return out
    out[~column.missing] = column.values[~column.missing]
    return out


def exactly(value: Any) -> int | Fraction:
    """A number that is subtracted from others without rounding."""
    if isinstance(value, Integral):
        return int(value)
    return Fraction(value if isinstance(value, Decimal | Fraction) else float(value))


# -- times ----------------------------------------------------------------------------------------------
def _zone_of(there: np.ndarray, name: Any, table: str) -> bool:
    zoned = {getattr(v, "tzinfo", None) is not None for v in there}
    if len(zoned) > 1:
        raise InvalidInput(f"{table} has a time zone in some rows of column {name!r} but not in all of them.")
    return zoned == {True}


def _as_times(values: np.ndarray, missing: np.ndarray, kind: str) -> np.ndarray:
    """Objects of any library as datetime64 or timedelta64; times with a zone as instants."""
    cells = [_moment(v) if kind == "times" else _length(v) for v in values[~missing]]
    finest = np.result_type(*{c.dtype for c in cells})
    out = np.full(len(values), np.array("NaT", finest))
    out[~missing] = cells
    return out


def _moment(value: Any) -> np.datetime64:
    if type(value).__name__ == "Period":
        value = value.start_time
    if hasattr(value, "to_datetime64"):
        return value.to_datetime64()
    if isinstance(value, datetime) and value.tzinfo is not None:
        value = value.astimezone(UTC).replace(tzinfo=None)
    return np.datetime64(value)


def _length(value: Any) -> np.timedelta64:
    return value.to_timedelta64() if hasattr(value, "to_timedelta64") else np.timedelta64(value)


def _in_attoseconds(values: np.ndarray, missing: np.ndarray, name: Any) -> np.ndarray:
    """Whole numbers of any size, so that units need not agree."""
    unit, count = np.datetime_data(values.dtype)
    if unit in ("Y", "M") and values.dtype.kind == "M":
        values, unit, count = values.astype("M8[D]"), "D", 1
    if unit not in ATTOSECONDS:
        raise InvalidInput(f"Column {name!r} holds lengths of time without a fixed unit ({values.dtype}).")
    out = np.zeros(len(values), dtype=object)
    out[~missing] = [v * count * ATTOSECONDS[unit] for v in values[~missing].astype(np.int64).tolist()]
    return out
