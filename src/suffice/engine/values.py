"""The columns of a batch as arrays, whatever kind of table it is, and the rows of one that is no table.

A gap is NaN among numbers and None among others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.tables.cells import first_odd, floats, kind_of, word
from suffice.tables.columns import array_of
from suffice.tables.frames import frame_of

REMEDY = {
    "an input": "Leave it out with columns=, or name it in categories=.",
    "the weight": "Weights say how often a row counts.",
    "a target": "Several targets must all be numbers.",
}


def n_rows(batch: Any) -> int:
    """Rows of a table or of a tuple of arrays; zero for a batch of no known kind, whose rows have no numbers."""
    first = batch[0] if isinstance(batch, tuple) and batch else batch
    if (frame := frame_of(first)) is not None:
        return frame.n
    shape = getattr(first, "shape", ())
    return shape[0] if shape else len(first) if isinstance(first, list) else 0


def array(batch: Any, name: str) -> np.ndarray:
    """One column of a table as an array."""
    frame = frame_of(batch)
    assert frame is not None
    return array_of(frame.named(name))


def numbers(
    values: np.ndarray, name: str, role: str = "an input", rows: np.ndarray | None = None, start: int = 0
) -> np.ndarray:
    """A column of numbers; gaps among them become NaN, anything else is named with its place."""
    if values.dtype.kind in "iufb":
        return values
    if (odd := first_odd(values)) is None:
        return floats(values)
    kind = kind_of(values[odd])
    what = "times" if kind in ("time", "span") else "text" if kind == "text" else "no numbers"
    remedy = "Make numbers of it first." if what != "text" and role == "an input" else REMEDY[role]
    raise InvalidInput(
        f"Column {name!r} is {role} but holds {what}: {word(values[odd])} at row {place(odd, rows, start)}. {remedy}"
    )


def place(i: int, rows: np.ndarray | None, start: int) -> int:
    """The number of a row in its file: the i-th of the chosen rows of a batch that begins at `start`."""
    return start + int(i if rows is None else rows[i])
