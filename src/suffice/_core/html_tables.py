"""A table for notebooks: what a record shows of its columns, without any package for frames."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from suffice._core.frames import to_frame
from suffice._core.showing import escape

MOST_ROWS = 10
MOST_COLUMNS = 12


def html_table(columns: Mapping[str, Sequence[Any] | np.ndarray], title: str = "") -> str:
    """The first rows and columns of a table as HTML, and how many are left out."""
    names = list(columns)[:MOST_COLUMNS]
    n = max((len(values) for values in columns.values()), default=0)
    shown = [list(columns[name][:MOST_ROWS]) for name in names]
    head = "".join(f"<th>{escape(str(name))}</th>" for name in names)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell(v))}</td>' for v in row)}</tr>" for row in zip(*shown, strict=True)
    )
    above = f"<p>{escape(title)}</p>" if title else ""
    return f"{above}<table><tr>{head}</tr>{body}</table>{_left_out(n, len(columns))}"


class Tabular(ABC):
    """A record that is a table: it says its columns, and a line above them for notebooks."""

    @abstractmethod
    def _columns(self) -> dict[str, Any]:
        """Columns by name."""

    @property
    @abstractmethod
    def _title(self) -> str:
        """What stands above the table."""

    @final
    def frame(self, kind: str = "pandas") -> Any:
        """The columns as a pandas or polars DataFrame."""
        return to_frame(self._columns(), kind)

    @final
    def _repr_html_(self) -> str:
        return html_table(self._columns(), self._title)


def cell(value: Any) -> str:
    """A value in few letters."""
    real = isinstance(value, float | np.floating)
    return f"{value:.6g}" if real else "" if value is None else str(value)


def _left_out(rows: int, columns: int) -> str:
    parts = [
        f"{n - most} more {what}{'s' if n - most > 1 else ''}"
        for n, most, what in ((rows, MOST_ROWS, "row"), (columns, MOST_COLUMNS, "column"))
        if n > most
    ]
    return f"<p>… and {', '.join(parts)}</p>" if parts else ""
