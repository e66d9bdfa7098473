"""Which rows and columns a mixture is fitted to."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.engine import Rows


def without_idle(X: Any, weight: np.ndarray | None) -> Any:
    """X with nothing known of the rows that do not count."""
    if weight is None or np.all(weight > 0) or hasattr(X, "tocsr"):
        return X
    return np.where(weight[:, None] > 0, X, np.nan)


def counted(rows: Rows) -> Rows:
    """Rows of weight above zero."""
    return rows if rows.weight is None or np.all(rows.weight > 0) else rows[rows.weight > 0]


def refuse_empty_columns(X: Any, names: tuple[str, ...]) -> None:
    """Raise for a column without a known cell."""
    if hasattr(X, "tocsr"):
        return
    empty = np.isnan(X).all(axis=0) if np.isnan(X).any() else np.zeros(X.shape[1], dtype=bool)
    if empty.any():
        raise InvalidInput(
            f"Column {names[int(np.argmax(empty))]!r} has no known cell in {X.shape[0]} rows; leave it out."
        )
