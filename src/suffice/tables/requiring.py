"""What doors demand of a table, and the one sentence for each refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.errors import HeaderMismatch, InvalidInput
from suffice.tables.cells import is_missing, kind_of
from suffice.tables.columns import array_of
from suffice.tables.frames import frame_of, labels_of

UNSTORED = "a cell that is not stored would be the value 0"


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
            f"Expected 2D array, got {told} array instead. Reshape your data: X.reshape(-1, 1) for one column, "
            "X.reshape(1, -1) for one row."
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
    same_names(names, known)
    same_number(d, width, owner)


def same_number(d: int, width: int, owner: str) -> None:
    """Raise for other than as many columns as at the fit, in scikit-learn's words."""
    if d != width:
        raise HeaderMismatch(f"X has {d} features, but {owner} is expecting {width} features as input.")


def same_names(names: Sequence[str] | None, known: Sequence[str] | None) -> None:
    """Raise for other names than those of the fit, or another order; None has no names."""
    if names is not None and known is not None and tuple(names) != tuple(known):
        odd = next((n for n in names if n not in known), next((n for n in known if n not in names), names[0]))
        word = "unknown" if odd not in known else "missing" if odd not in names else "in another place"
        raise HeaderMismatch(
            f"The feature names should match those of the fit, {tuple(known[:8])!r}; got {tuple(names[:8])!r}: {odd!r} "
            f"is {word}."
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
