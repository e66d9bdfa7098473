"""Tables to draw along: columns, names, and a grid of the same kind of table."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.tables.frames import frame_of
from suffice.tables.giving import like
from suffice.tables.requiring import first_not_a_number


def as_array(X: Any) -> np.ndarray:
    """The cells of a table, (N, D)."""
    try:
        cells = np.asarray(X, dtype=float)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"X must be a table of numbers.{first_not_a_number(X) or f' {error}'}") from error
    if cells.ndim != 2 or cells.size == 0:
        raise InvalidInput(f"X must be a table with rows and columns; got shape {cells.shape}.")
    return cells


def column_names(X: Any) -> list[str]:
    """Names of the columns: the table's own, or x0, x1, …"""
    frame = frame_of(X)
    return [f"x{j}" for j in range(as_array(X).shape[1])] if frame is None else list(frame.names)


def series_name(y: Any, default: str) -> str:
    """The name of a column that has one."""
    return str(getattr(y, "name", None) or default)


def column_index(X: Any, feature: int | str) -> int:
    """The position of a column given by name or number."""
    names = column_names(X)
    if isinstance(feature, str) and feature in names:
        return names.index(feature)
    if isinstance(feature, int) and not isinstance(feature, bool) and 0 <= feature < len(names):
        return feature
    raise InvalidInput(f"feature must be one of {names} or below {len(names)}; got {feature!r}.")


def grid_along(X: Any, column: int, n: int = 240, margin: float = 0.04) -> tuple[np.ndarray, Any]:
    """Evenly spaced values of one column, and tables of the kind of X that hold the others at their medians."""
    cells = as_array(X)
    low, high = cells[:, column].min(), cells[:, column].max()
    room = margin * (high - low) or 0.5
    values = np.linspace(low - room, high + room, n)
    rows = np.tile(np.median(cells, axis=0), (n, 1))
    rows[:, column] = values
    return values, like(X, rows)
