"""Single cells: which stand for nothing, what the others are, and which whole numbers a float would merge.

The only file that knows how libraries write a gap.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

GAPS = ("NAType", "NaTType")  # of pandas, whose NA refuses to be compared
MAY_LACK = (float, complex, np.inexact, Decimal, np.datetime64, np.timedelta64)
EXACT = 2**53  # up to here every whole number is a float
NUMERIC = ("number", "flag")
KINDS = {
    "text": (str,),
    "flag": (bool, np.bool_),
    "span": (timedelta, np.timedelta64),
    "time": (date, time, np.datetime64),
    "number": (Real, Decimal),
}


# -- gaps ---------------------------------------------------------------------------------------------------
def is_missing(value: Any) -> bool:
    """Whether a cell stands for none: None, NaN, NaT, or the NA of pandas."""
    if value is None or type(value).__name__ in GAPS:
        return True
    if isinstance(value, Decimal):  # a signaling NaN refuses to be compared
        return value.is_nan()
    different = value != value
    return isinstance(different, bool | np.bool_) and bool(different)


def may_lack(kind: type) -> bool:
    """Whether cells of this type may stand for none, other than None."""
    return issubclass(kind, MAY_LACK) or kind.__name__ in GAPS


def gaps(values: np.ndarray) -> np.ndarray:
    """Where an array of any shape has no value."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind in "mM":
        return np.isnat(values)
    if values.dtype != object:
        return np.zeros(values.shape, dtype=bool)
    try:
        return np.asarray(np.equal(values, np.array(None)) | np.not_equal(values, values), dtype=bool)
    except (TypeError, ValueError, ArithmeticError):  # cells that refuse to be compared, such as arrays
        found = np.fromiter(map(is_missing, values.flat), dtype=bool, count=values.size)
        return found.reshape(values.shape)


# -- kinds --------------------------------------------------------------------------------------------------
def kind_of_type(kind: type) -> str:
    """number, flag, time, span or text; the name of the type for anything else."""
    if kind.__name__ == "Period":
        return "time"
    return next((word for word, types in KINDS.items() if issubclass(kind, types)), kind.__name__)


def kind_of(value: Any) -> str:
    """What a cell is."""
    return kind_of_type(type(value))


def kinds_of(cells: Iterable[Any]) -> set[str]:
    """What several cells are."""
    return {kind_of_type(kind) for kind in set(map(type, cells))}


def is_time(value: Any) -> bool:
    """Whether a value is a date, a time or a span of time."""
    return kind_of(value) in ("time", "span")


def first_odd(values: np.ndarray) -> int | None:
    """Where the first cell is that is neither a number nor a gap; None where all are."""
    if values.dtype.kind in "iufb" or not len(values):
        return None
    if values.dtype != object:
        return 0
    cells = zip(gaps(values), values, strict=True)
    return next((i for i, (gap, v) in enumerate(cells) if not gap and kind_of(v) not in NUMERIC), None)


def floats(values: np.ndarray) -> np.ndarray:
    """Numbers as float64, NaN for gaps."""
    if values.dtype != object:
        return values.astype(float) if len(values) else np.empty(values.shape)
    there = ~gaps(values)
    out = np.full(values.shape, np.nan)
    out[there] = values[there].astype(float)
    return out


# -- large whole numbers ------------------------------------------------------------------------------------
def fits_float(value: int) -> bool:
    """Whether a whole number is a float."""
    return -EXACT <= value <= EXACT or (abs(value) < 2**1023 and int(float(value)) == value)


def merges(values: np.ndarray) -> bool:
    """Whether a column of whole numbers has one that is no float."""
    if values.dtype.kind not in "iu" or not len(values):
        return False
    low, high = int(values.min()), int(values.max())
    return (low < -EXACT or high > EXACT) and not all(map(fits_float, values.tolist()))


# -- words --------------------------------------------------------------------------------------------------
def as_objects(cells: Any) -> np.ndarray:
    """Cells as they are, lists among them too."""
    return np.fromiter(cells, dtype=object, count=len(cells))


def word(value: Any) -> str:
    """A value in a message."""
    return "a gap" if is_missing(value) else repr(str(value))
