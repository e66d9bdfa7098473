"""The door for times: plain numbers, or datetimes of numpy, pandas, polars, Arrow, Python and ISO text.

Times with a zone are read in one of two ways. On an *axis* they are instants, so they become UTC; on a
*calendar* the hour is what the clock on the wall said, so the zone is dropped.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.numerics import first_nonfinite
from suffice.tables.cells import is_missing
from suffice.tables.columns import array_of, knows_zone, type_of, wall_clock

DAY = np.timedelta64(1, "D")


def read_axis(what: str, values: Any) -> np.ndarray:
    """A vector of float64, or of datetime64 instants; finite, in the caller's order."""
    array = _plain(values, wall=False)
    if array.ndim != 1:
        raise InvalidInput(f"{what} must be a vector; got shape {array.shape}.")
    if array.dtype.kind in "iuf":
        array = array.astype(float)
        if place := first_nonfinite(array):
            raise InvalidInput(f"{what} contains {place}; every row needs its time.")
        return array
    return _datetimes(what, array, wall=False)


def read_times(values: Any, n: int) -> np.ndarray:
    """The axis of n observations, of which there must be one."""
    time = read_axis("time", values)
    if len(time) != n:
        raise InvalidInput(f"time must have one entry per row of values ({n}); got {len(time)}.")
    if n == 0:
        raise InvalidInput("time and values are empty; at least one observation is needed.")
    return time


def read_clock(what: str, values: Any) -> np.ndarray:
    """A vector of datetime64 as the clock on the wall showed them."""
    array = _plain(values, wall=True)
    if array.dtype.kind in "iufbc":
        raise InvalidInput(
            f"{what} must be datetimes; got numbers ({array.dtype}). Convert them first, for instance "
            "seconds since 1970 with numpy.asarray(seconds, dtype='datetime64[s]')."
        )
    return _datetimes(what, array, wall=True)


def elapsed(time: np.ndarray, origin: Any) -> np.ndarray:
    """time − origin as numbers: in the unit of plain times, in days for datetimes."""
    gap = time - origin
    return gap / DAY if gap.dtype.kind == "m" else gap


def check_order(what: str, time: np.ndarray, *, strict: bool) -> None:
    """Raise unless the times increase (or, if not strict, never decrease)."""
    wrong = time[1:] <= time[:-1] if strict else time[1:] < time[:-1]
    if wrong.any():
        row = int(np.argmax(wrong)) + 1
        rule = "increase from row to row" if strict else "never decrease"
        raise InvalidInput(
            f"{what} must {rule}; row {row} ({time[row]}) follows {time[row - 1]}. Sort the rows by time"
            f"{' and keep one per time' if strict else ''}."
        )


def for_frame(time: np.ndarray) -> np.ndarray:
    """A copy that frames take: datetimes in microseconds, or in nanoseconds where they are as fine."""
    if time.dtype.kind != "M":
        return time.copy()
    fine = np.datetime_data(time.dtype)[0] in ("ns", "ps", "fs", "as")
    return time.astype("M8[ns]" if fine else "M8[us]")


def has_zone(values: Any) -> bool | None:
    """Whether times say in which zone they are; None for numbers, and where there is no time."""
    if knows_zone(type_of(values)):
        return True
    array = np.asarray(values)
    if array.dtype.kind not in "USO":
        return False if array.dtype.kind == "M" else None
    moments = (_moment("time", row, v) for row, v in enumerate(array.ravel().tolist()))
    first = next((m for m in moments if m is not None), None)
    return None if first is None else first.tzinfo is not None


def check_same_zone(what: str, values: Any, other: str, reference: Any) -> None:
    """Times with a zone go with such times: without one nobody knows how far apart they are."""
    zones = has_zone(values), has_zone(reference)
    if None not in zones and zones[0] != zones[1]:
        words = {True: "has a time zone", False: "has none"}
        raise InvalidInput(
            f"{what} {words[bool(zones[0])]}, {other} {words[bool(zones[1])]}; give both one, with pandas' tz_localize "
            "say, or neither."
        )


def check_same_kind(what: str, time: np.ndarray, other: str, reference: np.ndarray) -> None:
    """Numbers go with numbers, datetimes with datetimes."""
    if (time.dtype.kind == "M") != (reference.dtype.kind == "M"):
        words = {True: "datetimes", False: "numbers"}
        raise InvalidInput(
            f"{what} holds {words[time.dtype.kind == 'M']}, {other} {words[reference.dtype.kind == 'M']}; "
            "give both in the same way."
        )


def _plain(values: Any, wall: bool) -> np.ndarray:
    """An array; columns with a zone lose it by their own means."""
    if not knows_zone(type_of(values)):
        return np.asarray(values)
    return wall_clock(values) if wall else array_of(values)


def _datetimes(what: str, array: np.ndarray, wall: bool) -> np.ndarray:
    if array.dtype.kind in "USO":
        array = _parsed(what, array, wall)
    if array.dtype.kind != "M":
        raise InvalidInput(f"{what} must hold times; got {array.dtype}.")
    if np.isnat(array).any():
        raise InvalidInput(f"{what} is missing at row {int(np.argmax(np.isnat(array)))}; remove the row.")
    return array


def _parsed(what: str, array: np.ndarray, wall: bool) -> np.ndarray:
    moments = [_moment(what, row, value) for row, value in enumerate(array.ravel().tolist())]
    zoned = [m is not None and m.tzinfo is not None for m in moments]
    if any(zoned) and not all(zoned):
        raise InvalidInput(f"{what} has a time zone at row {zoned.index(True)} but not in every row.")
    if any(zoned) and not wall:
        moments = [m.astimezone(UTC) for m in moments if m is not None]
    plain = [None if m is None else m.replace(tzinfo=None) for m in moments]
    return np.array(plain, dtype="datetime64[us]").reshape(array.shape)


def _moment(what: str, row: int, value: Any) -> datetime | None:
    """One cell as a Python datetime; None if it is missing."""
    if is_missing(value):
        return None
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            pass
    elif isinstance(value, datetime):
        return value.to_pydatetime(warn=False) if hasattr(value, "to_pydatetime") else value
    elif isinstance(value, np.datetime64):
        return value.astype("datetime64[us]").item()
    elif isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    raise InvalidInput(
        f"{what} is {value!r:.60} at row {row}, which is not a datetime. ISO text such as '2019-09-06T13:20' is "
        "understood; parse other formats first, for instance with pandas.to_datetime."
    )
