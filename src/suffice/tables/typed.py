"""Tables of numbers and text: each column an array of numbers (NaN for a gap), or of strings (None for one)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.frames import NamedArray
from suffice.tables.cells import as_objects, fits_float, floats, gaps, kind_of, kinds_of
from suffice.tables.columns import array_of, is_held_as_category, type_of
from suffice.tables.frames import frame_of
from suffice.tables.requiring import matrix_of, refuse_empty, refuse_repeated, refuse_sparse

NOT_TAKEN = {
    "span": "lengths of time; divide them by a unit",
    "time": "times; make columns of them with CalendarFeatures",
    "bytes": "bytes; decode them with .astype(str)",
}
WORDS = {"m": "span", "M": "time", "S": "bytes"}  # of numpy's kinds
TAKEN = ("number", "flag", "text")


class TypedTable:
    """Columns side by side; rows are taken from all of them. `natural` says what each was as it came."""

    ndim = 2

    def __init__(self, columns: list[np.ndarray], n: int, natural: tuple[str, ...] = ()):
        self.columns, self.natural, self.shape = columns, natural, (n, len(columns))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> TypedTable:
        """Some of the rows, by a slice or by their numbers."""
        n = len(np.arange(len(self))[rows])
        return TypedTable([c[rows] for c in self.columns], n, self.natural)


def read_cells(X: Any, owner: str) -> tuple[tuple[str, ...] | None, list[np.ndarray], list[bool]]:
    """Names, where the columns have some, the columns as arrays, and which are held as categories."""
    refuse_sparse(X, owner)
    if isinstance(X, NamedArray):
        return X.names, list(np.asarray(X).T), [False] * X.shape[1]
    if (frame := frame_of(X)) is None:
        columns = list(matrix_of(X).T)
        return None, columns, [False] * len(columns)
    names = frame.names
    refuse_repeated(names)
    refuse_empty(frame.n, len(names))
    held = [frame.column(j) for j in range(len(names))]
    categories = [is_held_as_category(type_of(column)) for column in held]
    return names if frame.worded else None, [array_of(c) for c in held], categories


# -- one kind of cells per column ---------------------------------------------------------------------------
def one_kind(values: np.ndarray, name: str) -> str:
    """number, flag or text: what all cells of a column are; "nothing" of gaps alone. All else is refused by name."""
    plain = {"b": "flag", "U": "text", "T": "text"} | dict.fromkeys("iuf", "number")
    if values.dtype != object:
        if values.dtype.kind not in plain:
            raise _not_taken(name, WORDS.get(values.dtype.kind, str(values.dtype)))
        return plain[values.dtype.kind]
    if set(map(type, values)) <= {str, type(None)}:
        there, kinds = values, {"text"} if any(v is not None for v in values) else set()
    else:
        there = values[~gaps(values)]
        kinds = kinds_of(there)
    if kinds == {"number", "flag"}:
        return "number"
    if len(kinds) > 1 or not kinds <= {*TAKEN}:
        raise _mixed(there, name)
    return kinds.pop() if kinds else "nothing"


def _not_taken(name: str, kind: str) -> InvalidInput:
    what = NOT_TAKEN.get(kind, f"{kind}; make numbers or text of them")
    return InvalidInput(f"Column {name!r} holds {what}, or leave it out: only numbers and text are taken.")


def _mixed(there: np.ndarray, name: str) -> InvalidInput:
    first, kind = there[0], kind_of(there[0])
    other = next((f" and {v!r:.40}" for v in there if kind_of(v) != kind), "")
    if kind in NOT_TAKEN and not other:
        return _not_taken(name, kind)
    return InvalidInput(
        f"Column {name!r} holds {first!r:.40}{other}; an argument must be a string or a number throughout its column. "
        "Write its values the same way, or leave the column out."
    )


def present(values: np.ndarray) -> np.ndarray:
    """Where a column of one kind has a value."""
    if values.dtype.kind == "f":
        return ~np.isnan(values)
    return (
        np.not_equal(values, np.array(None)) if values.dtype == object else np.ones(len(values), dtype=bool)
    )


def typed(values: np.ndarray, name: str) -> np.ndarray:
    """A column of numbers as they come, or of strings and None."""
    if is_text(values, name):
        return values
    return text(values, name) if one_kind(values, name) == "text" else exact_numbers(values, name)


def is_text(values: np.ndarray, name: str) -> bool:
    """Whether a column holds strings, and None at most besides: asked of its different values, which are few."""
    if values.dtype != object:
        return False
    try:
        found = set(values.tolist()) - {None}
    except TypeError:  # lists and dicts cannot be looked up
        return False
    if not found or not all(isinstance(v, str) for v in found):
        return False
    if odd := next((v for v in found if v.endswith("\0")), None):  # arrays of text would cut it off
        raise InvalidInput(f"Column {name!r} holds {odd!r:.60}, which ends in a NUL character; strip it.")
    return True


def text(values: np.ndarray, name: str) -> np.ndarray:
    """A column of text as strings and None."""
    out = as_objects([v if isinstance(v, str) else None for v in values.tolist()])
    is_text(out, name)
    return out


def numbers(values: np.ndarray, name: str) -> np.ndarray:
    """A column of numbers, flags or nothing but gaps as float64, NaN for a gap; infinity is refused."""
    out = floats(values)
    refuse_infinite(out, name)
    return out


def exact_numbers(values: np.ndarray, name: str) -> np.ndarray:
    """Numbers as they come where they are an array of them; whole ones that floats would merge are refused."""
    if values.dtype != object:
        if values.dtype.kind == "f":
            refuse_infinite(values, name)
        return values
    there = values[~gaps(values)]
    plain = np.array(there.tolist())
    if len(there) == len(values) and plain.dtype.kind in "iub":
        return plain
    _refuse_merged(there, name)
    return numbers(values, name)


def refuse_infinite(values: np.ndarray, name: str) -> None:
    """Raise for infinity in a column of floats."""
    if np.isinf(values).any():
        row = int(np.argmax(np.isinf(values)))
        raise InvalidInput(
            f"X contains {values[row]:g} at row {row}, column {name!r}. Remove such rows, or mark the cell as missing."
        )


def _refuse_merged(there: np.ndarray, name: str) -> None:
    """Whole numbers that share an array with gaps or fractions become floats, of which large ones are equal."""
    odd = next((v for v in there if isinstance(v, int | np.integer) and not fits_float(int(v))), None)
    if odd is not None:
        raise InvalidInput(
            f"Column {name!r} holds {odd!r:.60}, which no float holds exactly, beside gaps or other numbers that need "
            "floats; make text of the column if its numbers are names, with .astype(str)."
        )
