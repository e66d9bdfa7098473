"""Rows or columns with gaps, left out (DTU §2.2): two of the four routes around missing cells.

The others are a model that takes gaps as they are, and filling them in (`SimpleImputer`). What is dropped is told,
since rows with gaps seldom are rows like the others.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.utils import _safe_indexing

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice, check_number
from suffice._core.html_tables import html_table
from suffice._core.records import frozen_array, record
from suffice.tables.cells import gaps
from suffice.tables.columns import array_of
from suffice.tables.frames import frame_of
from suffice.tables.requiring import refuse_repeated


@record
class Dropped:
    """What is left of a table, and what is not.

    `rows` and `columns` are the positions of what was dropped, `names` the names of dropped columns, and `shares` the
    share of missing cells of every row or column of the given table, along `axis`.
    """

    table: Any
    axis: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    names: tuple[str, ...]
    shares: np.ndarray

    def _repr_html_(self) -> str:
        gone = self.rows if self.axis == "rows" else self.columns
        named = {"name": list(self.names)} if self.names else {}
        shares = self.shares[list(gone)]
        return html_table({self.axis[:-1]: list(gone), **named, "share of missing cells": shares}, repr(self))

    def __repr__(self) -> str:
        n, total = len(self.rows) + len(self.columns), len(self.shares)
        named = f" ({', '.join(self.names[:8])})" if self.names else ""
        return f"Dropped({n} of {total} {self.axis}{named})"


def drop_missing(table: Any, axis: Literal["rows", "columns"] = "rows", threshold: float = 0.0) -> Dropped:
    """A table without the rows, or the columns, that have gaps.

    Parameters
    ----------
    table
        An array, a list of rows, or a pandas, polars or Arrow table; the rest is of the same kind.
    axis
        What is dropped: "rows" or "columns".
    threshold
        The share of missing cells up to which a row or column stays; zero drops it for a single gap.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.prepare import drop_missing
    >>> X = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0]])
    >>> drop_missing(X)
    Dropped(1 of 2 rows)
    >>> drop_missing(X, "columns").table
    array([[1., 3.],
           [4., 6.]])
    """
    check_choice("axis", axis, ("rows", "columns"))
    if check_number("threshold", threshold, low=0.0) > 1:
        raise InvalidParameter(f"threshold must be a share from 0 to 1; got {threshold!r}.")
    gap, names = _gaps(table)
    shares = gap.mean(axis=1 if axis == "rows" else 0)
    gone, kept = np.flatnonzero(shares > threshold), np.flatnonzero(shares <= threshold)
    if not len(kept):
        raise InvalidInput(
            f"Every one of the {len(shares)} {axis} has a share of missing cells above {threshold:g} (at least "
            f"{shares.min():.3g}), so nothing would be left. Raise the threshold or fill the gaps."
        )
    places = tuple(gone.tolist())
    if axis == "rows":
        return Dropped(_rows(table, kept), axis, places, (), (), frozen_array(shares))
    dropped = tuple(names[j] for j in places)
    return Dropped(_columns(table, kept), axis, (), places, dropped, frozen_array(shares))


def _gaps(table: Any) -> tuple[np.ndarray, tuple[str, ...]]:
    """Where cells are missing, and what the columns are called."""
    if (frame := frame_of(table)) is not None:
        names = frame.names
        if not names:
            raise InvalidInput("The table has no columns; at least one is needed.")
        refuse_repeated(names)
        return _not_empty(
            np.column_stack([gaps(array_of(frame.column(j))) for j in range(len(names))])
        ), names
    values = table.toarray() if sparse.issparse(table) else table
    values = np.asarray(values, dtype=object) if isinstance(table, list) else np.asarray(values)
    if values.ndim != 2:
        raise InvalidInput(f"table must have two dimensions, rows and columns; got shape {values.shape}.")
    return _not_empty(gaps(values)), tuple(f"x{j}" for j in range(values.shape[1]))


def _not_empty(gap: np.ndarray) -> np.ndarray:
    if not gap.size:
        raise InvalidInput(f"The table is empty (shape {gap.shape}); at least one row and column are needed.")
    return gap


def _rows(table: Any, kept: np.ndarray) -> Any:
    if (frame := frame_of(table)) is not None:
        return frame.take(kept)
    return [table[i] for i in kept] if isinstance(table, list) else _safe_indexing(table, kept)


def _columns(table: Any, kept: np.ndarray) -> Any:
    if (frame := frame_of(table)) is not None:
        return frame.select(kept.tolist())
    if isinstance(table, list):
        return [[row[j] for j in kept] for row in table]
    return _safe_indexing(table, kept, axis=1)
