"""Tables for arithmetic: times and text are refused, also where an array of floats would take them for numbers.

A table made of nothing but datetimes turns into floats without a word, and so does the text "1"; beside a column of
numbers both are refused. What a column holds must not depend on its neighbors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.engine.values import is_arrow

TIMES = ("date", "time", "duration", "period", "month_day_nano")  # how the libraries' types begin
TEXT = ("str", "utf8", "object", "large_str", "large_utf8", "<u", "|s", "bytes", "binary")


def refuse_times_and_text(X: Any) -> None:
    """Raise for a table that holds times or text."""
    if isinstance(X, list | tuple):
        try:
            X = np.asarray(X)
        except ValueError:  # rows of different lengths, which the door names
            return
    if isinstance(X, np.ndarray):
        _refuse("X", X.dtype, X)
    elif hasattr(X, "schema") or hasattr(X, "iloc"):
        for name, kind, values in _columns(X):
            _refuse(f"Column {str(name)!r}", kind, values)


def _columns(table: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Names, types and columns of a frame or an Arrow table."""
    if is_arrow(table):
        yield from ((f.name, f.type, table.column(i)) for i, f in enumerate(table.schema))
    elif hasattr(table, "iloc") and table.ndim == 2:
        yield from (
            (n, kind, table.iloc[:, j]) for j, (n, kind) in enumerate(table.dtypes.items()) if _odd(kind)
        )
    elif hasattr(table, "schema"):
        yield from ((n, kind, table[n]) for n, kind in table.schema.items())


def _odd(kind: Any) -> bool:
    return getattr(kind, "kind", "O") in "mM" or str(kind).lower().startswith(TIMES + TEXT)


def _refuse(what: str, kind: Any, values: Any) -> None:
    if not _odd(kind):
        return
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
