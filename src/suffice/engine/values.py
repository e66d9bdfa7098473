"""The columns of a batch as arrays, whatever kind of table it is: Arrow, pandas or polars.

A gap is NaN among numbers and None among others.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, did_you_mean

NUMBER = (bool, int, float, np.number, np.bool_, Decimal)
REMEDY = {
    "an input": "Leave it out with columns=, or name it in categories=.",
    "the weight": "Weights say how often a row counts.",
    "a target": "Several targets must all be numbers.",
}


# -- tables -----------------------------------------------------------------------------------------------
def is_arrow(batch: Any) -> bool:
    """Whether a batch is an Arrow table or record batch; a frame looks among its columns before it says no."""
    return hasattr(type(batch), "num_rows")


def n_rows(batch: Any) -> int:
    """Rows of a table or of a tuple of arrays; zero for a batch of no known kind, whose rows have no numbers."""
    first = batch[0] if isinstance(batch, tuple) and batch else batch
    if is_arrow(first):
        return first.num_rows
    shape = getattr(first, "shape", ())
    return shape[0] if shape else len(first) if isinstance(first, list) else 0


def names_of(batch: Any) -> tuple[str, ...]:
    """Column names of a frame, an Arrow table or batch, as text."""
    names = batch.schema.names if is_arrow(batch) else batch.columns
    return tuple(map(str, names))


def column(batch: Any, name: str) -> Any:
    """One column as its library holds it."""
    if is_arrow(batch):
        if (j := batch.schema.get_field_index(name)) >= 0:
            return batch.column(j)
    elif name in batch.columns and len((found := batch[name]).shape) == 1:
        return found
    return _column_by_text(batch, name)


def _column_by_text(batch: Any, name: str) -> Any:
    """A column whose name is no text but reads like it; or why there is none."""
    names = names_of(batch)
    times = names.count(name)
    if times == 0:
        raise InvalidInput(f"There is no column {name!r} in this batch.{did_you_mean(name, names)}")
    if times > 1:
        raise InvalidInput(f"There are {times} columns called {name!r} in this batch; rename them.")
    return batch.iloc[:, names.index(name)]


def array(batch: Any, name: str) -> np.ndarray:
    """One column as an array; a gap is NaN among numbers and None among others."""
    values = column(batch, name)
    if is_arrow(batch):
        return _from_arrow(values)
    return _from_pandas(values) if hasattr(type(values), "iloc") else _from_polars(values)


def _from_arrow(values: Any) -> np.ndarray:
    if str(values.type).startswith("dictionary"):
        values = values.cast(values.type.value_type)
    if str(values.type).startswith("decimal"):
        values = values.cast("float64")
    return values.to_numpy() if hasattr(values, "chunks") else values.to_numpy(zero_copy_only=False)


def _from_pandas(values: Any) -> np.ndarray:
    out = np.asarray(values.to_numpy())
    if out.dtype == object and (missing := values.isna().to_numpy()).any():
        out = out.copy()
        out[missing] = None
    return out


def _from_polars(values: Any) -> np.ndarray:
    wide = str(values.dtype).startswith(("Decimal", "Int128", "UInt128"))  # numpy has no such numbers
    return np.asarray((values.cast(float) if wide else values).to_numpy())


# -- arrays -----------------------------------------------------------------------------------------------
def numbers(
    values: np.ndarray, name: str, role: str = "an input", rows: np.ndarray | None = None, start: int = 0
) -> np.ndarray:
    """A column of numbers; gaps among them become NaN, anything else is named with its place."""
    if values.dtype.kind in "iufb":
        return values
    odd = _first_odd(values)
    if odd is None:
        return np.array([np.nan if v is None else float(v) for v in values], dtype=float)
    what = "times" if is_time(values[odd]) else "text" if isinstance(values[odd], str) else "no numbers"
    remedy = "Make numbers of it first." if what != "text" and role == "an input" else REMEDY[role]
    raise InvalidInput(
        f"Column {name!r} is {role} but holds {what}: {word(values[odd])} at row {place(odd, rows, start)}. {remedy}"
    )


def _first_odd(values: np.ndarray) -> int | None:
    """Where the first value is that is neither a number nor a gap."""
    if values.dtype != object:
        return 0 if len(values) else None
    return next((i for i, v in enumerate(values) if not (is_gap(v) or isinstance(v, NUMBER))), None)


def is_time(value: Any) -> bool:
    """Whether a value is a date, a time or a span of time."""
    return isinstance(value, np.datetime64 | np.timedelta64) or type(value).__name__ in (
        "date", "datetime", "time", "timedelta", "Timestamp", "Timedelta",
    )  # fmt: skip


def is_gap(value: Any) -> bool:
    """Whether a value stands for none: None, NaN, NaT."""
    if value is None:
        return True
    different = value != value
    return isinstance(different, bool | np.bool_) and bool(different)


def gaps(values: np.ndarray) -> np.ndarray:
    """Where a column has no value."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype == object:
        try:
            return np.equal(values, np.array(None)) | np.not_equal(values, values)
        except (TypeError, ValueError):  # cells that cannot be compared, such as arrays
            return np.fromiter(map(is_gap, values), dtype=bool, count=len(values))
    return np.isnat(values) if values.dtype.kind in "mM" else np.zeros(len(values), dtype=bool)


def place(i: int, rows: np.ndarray | None, start: int) -> int:
    """The number of a row in its file: the i-th of the chosen rows of a batch that begins at `start`."""
    return start + int(i if rows is None else rows[i])


def word(value: Any) -> str:
    """A value in a message."""
    return "a gap" if is_gap(value) else repr(str(value))
