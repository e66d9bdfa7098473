"""What doors demand of a table, and the one sentence for each refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.errors import HeaderMismatch, InvalidInput
from suffice.tables.cells import as_objects, fits_float, floats, gaps, is_missing, kind_of, kinds_of
from suffice.tables.columns import array_of
from suffice.tables.frames import frame_of, labels_of

UNSTORED = "a cell that is not stored would be the value 0"
NOT_TAKEN = {
    "span": "lengths of time; divide them by a unit",
    "time": "times; make columns of them with CalendarFeatures",
    "bytes": "bytes; decode them with .astype(str)",
}
WORDS = {"m": "span", "M": "time", "S": "bytes"}  # of numpy's kinds
TAKEN = ("number", "flag", "text")


# -- shapes -------------------------------------------------------------------------------------------------
def refuse_sparse(X: Any, owner: str, what: str = "sparse tables", why: str = UNSTORED) -> None:
    """Raise for a sparse table."""
    if sparse.issparse(X):
        raise InvalidInput(f"{owner} does not take {what}: {why}. Pass X.toarray().")


def refuse_repeated(names: Sequence[Any], what: str = "The table") -> None:
    """Raise for a name that several columns share."""
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InvalidInput(f"{what} has {names.count(twice)} columns called {str(twice)!r}; rename them.")


def refuse_empty(n: int, d: int) -> None:
    """Raise for a table without rows or columns, in scikit-learn's words."""
    if not n or not d:
        what = "sample" if d else "feature"
        raise InvalidInput(
            f"Found array with 0 {what}(s) (shape=({n}, {d})) while a minimum of 1 is required."
        )


def refuse_flat(ndim: int, kind: str = "O") -> None:
    """Raise for what has no rows and columns, and for complex numbers."""
    if kind == "c":
        raise InvalidInput("Complex data not supported: X must hold real numbers, booleans or text.")
    if ndim != 2:
        told = "scalar" if ndim == 0 else f"{ndim}D"
        raise InvalidInput(
            f"Expected 2D array, got {told} array instead: X must have a row per observation. Reshape your data: "
            "X.reshape(-1, 1) for one column, X.reshape(1, -1) for one row."
        )


def matrix_of(X: Any) -> np.ndarray:
    """An array or a list of rows with two dimensions, of whatever type; numbers of lists do not become text."""
    try:
        table = array_of(X) if isinstance(X, np.ndarray) else np.asarray(X)
    except ValueError:
        raise InvalidInput("X must be a table: its rows have different lengths.") from None
    if table.dtype.kind in "US" and isinstance(X, list | tuple):
        table = np.array(X, dtype=object)
    refuse_flat(table.ndim, table.dtype.kind)
    refuse_empty(*table.shape)
    return table


def array_from(name: str, values: Any) -> np.ndarray:
    """An array; rows of different lengths are refused."""
    try:
        return np.asarray(values)
    except ValueError:
        raise InvalidInput(f"{name} must have rows of the same length.") from None


def same_columns(
    names: Sequence[str] | None, d: int, known: Sequence[str] | None, width: int, owner: str
) -> None:
    """Raise unless a table has the columns of the fit: `known` names, and `width` of them."""
    if names is not None and known is not None and tuple(names) != tuple(known):
        odd = next((n for n in names if n not in known), next((n for n in known if n not in names), names[0]))
        word = "unknown" if odd not in known else "missing" if odd not in names else "in another place"
        raise HeaderMismatch(
            f"The feature names should match those of the fit, {tuple(known[:8])!r}; got {tuple(names[:8])!r}: {odd!r} "
            f"is {word}."
        )
    if d != width:
        raise HeaderMismatch(f"X has {d} features, but {owner} is expecting {width} features as input.")


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
    return text(values, name) if one_kind(values, name) == "text" else exact_numbers(values, name)


def text(values: np.ndarray, name: str) -> np.ndarray:
    """A column of text as strings and None."""
    found = values.astype(object) if values.dtype != object else values
    if odd := next((v for v in set(found.tolist()) if isinstance(v, str) and v.endswith("\0")), None):
        raise InvalidInput(f"Column {name!r} holds {odd!r:.60}, which ends in a NUL character; strip it.")
    if set(map(type, found)) <= {str, type(None)}:
        return found
    return as_objects([v if isinstance(v, str) else None for v in found])


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


# -- numbers alone ------------------------------------------------------------------------------------------
TIMES = ("date", "time", "duration", "period", "month_day_nano")  # how the libraries' types begin
TEXT = ("str", "utf8", "object", "large_str", "large_utf8", "<u", "|s", "bytes", "binary")


ODD = {"text": "text", "time": "dates", "span": "lengths of time"}


def first_not_a_number(X: Any) -> str:
    """What to say of the first cell that is text, a time or a gap that is no NaN; nothing if there is none."""
    table, names = np.asarray(X, dtype=object), labels_of(X)
    for (row, column), value in np.ndenumerate(table) if table.ndim == 2 else ():
        kind = kind_of(value)
        if kind not in ODD and (kind == "number" or not is_missing(value)):
            continue
        what, advice = ODD.get(kind, "gaps"), "encode it as numbers" if kind in ODD else "fill them in first"
        name = f"x{column}" if names is None else str(names[column])
        return f" Column {name!r} holds {what} ({value!r} at row {row}); {advice} or leave it out."
    return ""


def refuse_times_and_text(X: Any) -> None:
    """Raise for a table that holds times or text.

    A table made of nothing but datetimes turns into floats without a word, and so does the text "1"; beside a column of
    numbers both are refused. What a column holds must not depend on its neighbors.
    """
    if (frame := frame_of(X)) is not None:
        for j, (label, kind) in enumerate(zip(frame.labels, frame.types, strict=True)):
            if _odd(kind):
                _refuse_odd(f"Column {str(label)!r}", kind, frame.column(j))
    elif isinstance(X, list | tuple | np.ndarray):
        try:
            X = np.asarray(X)
        except ValueError:  # rows of different lengths, which the door names
            return
        if _odd(X.dtype):
            _refuse_odd("X", X.dtype, X)


def _odd(kind: Any) -> bool:
    return getattr(kind, "kind", "O") in "mM" or str(kind).lower().startswith(TIMES + TEXT)


def _refuse_odd(what: str, kind: Any, values: Any) -> None:
    if getattr(kind, "kind", "O") in "mM" or str(kind).lower().startswith(TIMES):
        raise InvalidInput(
            f"{what} holds times ({kind}), not numbers; make numbers of them first, with CalendarFeatures say."
        )
    odd = next((v for v in np.asarray(values).ravel() if isinstance(v, str | bytes)), None)
    if odd is not None:
        raise InvalidInput(
            f"{what} holds text ({odd!r:.40}), not numbers; convert it with .astype(float) if it spells numbers, or "
            "see OneHotEncoder."
        )
