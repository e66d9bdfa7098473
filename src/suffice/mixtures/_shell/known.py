"""What is known of a row, as a mixture takes it: values by column, and tables that lack the column to predict."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, did_you_mean
from suffice.tables.frames import frame_of


def with_column(X: Any, j: int, names: tuple[str, ...]) -> Any:
    """The table; with an empty column j where it has one column too few, and not this one by name."""
    shape, frame = np.shape(X), frame_of(X)
    if len(shape) != 2 or shape[1] != len(names) - 1 or (frame is not None and names[j] in frame.labels):
        return X
    if frame is not None and frame.worded:
        return frame.inserted(j, names[j], np.full(frame.n, np.nan))
    cells = np.asarray(dense(X))
    cells = cells if cells.dtype.kind == "f" else cells.astype(float if cells.dtype.kind in "iub" else object)
    return np.insert(cells, j, np.nan, axis=1)


def plain_value(value: Any) -> Any:
    """A single number, word or truth value of NumPy as one of Python."""
    return value.item() if isinstance(value, np.generic | np.ndarray) and np.ndim(value) == 0 else value


def place_among(listed: list[Any], value: Any, name: str) -> int:
    """The place of a value in the list of those that a column has."""
    text = isinstance(listed[0], str)
    if isinstance(value, str if text else numbers.Real) and value in listed:
        return listed.index(value)
    if isinstance(value, str) and not text:
        hint = f" Its values are numbers, such as {listed[0]!r}."
        hint = f" Did you mean the number {value}?" if value in map(str, listed) else hint
    elif not isinstance(value, str):
        shown = ", ".join(map(repr, listed[:8])) + (", …" if len(listed) > 8 else "")
        hint = f" It has {shown}; leave it out if it is not known."
    else:
        hint = did_you_mean(value, tuple(listed))
    raise InvalidInput(f"Column {name!r} has no value {value!r}.{hint}")


def dense(X: Any) -> Any:
    """A table without sparsity."""
    return X.toarray() if hasattr(X, "toarray") else X
