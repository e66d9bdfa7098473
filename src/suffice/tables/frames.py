"""Frames of pandas, polars and Arrow: what each library calls the same few things.

    frame_of(X)   its `FrameAdapter`: names, columns, rows, and new frames of the same library; None for anything else

What a column of theirs holds, `columns.array_of` says. No other file asks what kind a table is. Types are asked, since
a frame looks among its columns for an attribute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from suffice._core.frames import require
from suffice.tables.adapters import Changes, FrameAdapter, LibraryFrame
from suffice.tables.columns import is_series


@final
class PandasFrame(LibraryFrame):
    """A frame of pandas, or of a library that has its methods."""

    library = "pandas"

    @property
    def index(self) -> Any:
        return self.table.index

    def like(self, columns: Mapping[Any, Any]) -> Any:
        return type(self.table)(columns)

    @property
    def labels(self) -> list[Any]:
        return list(self.table.columns)

    @property
    def types(self) -> list[Any]:
        return list(self.table.dtypes)

    @property
    def n(self) -> int:
        return len(self.table)

    def column(self, j: int) -> Any:
        return self.table.iloc[:, j]

    def take(self, rows: Any) -> Any:
        return self.table.iloc[rows]

    def cut(self, rows: slice) -> Any:
        return self.table.iloc[rows]

    def select(self, places: Sequence[int]) -> Any:
        return self.table.iloc[:, list(places)]

    def inserted(self, j: int, name: str, values: np.ndarray) -> Any:
        out = self.table.copy()
        out.insert(j, name, values)
        return out

    def filled(self, changes: Changes) -> Any:
        out = self.table.copy()
        for j, change in changes.items():
            out.isetitem(j, self._filled(j, *change))
        return out

    def _filled(self, j: int, rows: np.ndarray, values: np.ndarray, keep: bool) -> Any:
        column = self.column(j).copy()
        column = column if keep else column.astype(object if values.dtype.kind == "b" else float)
        if hasattr(column, "cat"):  # a value of the fit need not be a category here
            known = column.cat.categories
            column = column.cat.add_categories([v for v in np.unique(values) if v not in known])
        column.iloc[rows] = values.astype(column.dtype) if column.dtype == np.float32 else values
        return column


@final
class PolarsFrame(LibraryFrame):
    """A frame of polars."""

    library = "polars"
    index = None

    def like(self, columns: Mapping[Any, Any]) -> Any:
        return type(self.table)(columns)

    @property
    def labels(self) -> list[Any]:
        return list(self.table.columns)

    @property
    def types(self) -> list[Any]:
        return list(self.table.dtypes)

    @property
    def n(self) -> int:
        return self.table.height

    def column(self, j: int) -> Any:
        return self.table.to_series(j)

    def take(self, rows: Any) -> Any:
        return self.table[rows]

    def cut(self, rows: slice) -> Any:
        return self.table.slice(rows.start, rows.stop - rows.start)

    def select(self, places: Sequence[int]) -> Any:
        return self.table.select([self.table.columns[j] for j in places])

    def inserted(self, j: int, name: str, values: np.ndarray) -> Any:
        return self.table.clone().insert_column(j, require("polars").Series(name, values))

    def filled(self, changes: Changes) -> Any:
        out = self.table.clone()
        for j, (rows, values, keep) in changes.items():
            column = self.column(j)
            cells = _with(column.to_list(), rows, values)
            kind = column.dtype if keep else None
            out.replace_column(j, type(column)(column.name, cells, dtype=kind, strict=False))
        return out


@final
class ArrowTable(LibraryFrame):
    """A table or a record batch of Arrow."""

    library = "pyarrow"
    index = None

    def like(self, columns: Mapping[Any, Any]) -> Any:
        return require(self.library).table(columns)

    @property
    def labels(self) -> list[Any]:
        return list(self.table.schema.names)

    @property
    def types(self) -> list[Any]:
        return list(self.table.schema.types)

    @property
    def n(self) -> int:
        return self.table.num_rows

    def column(self, j: int) -> Any:
        return self.table.column(j)

    def take(self, rows: Any) -> Any:
        return self.table.take(rows)

    def cut(self, rows: slice) -> Any:
        return self.table.slice(rows.start, rows.stop - rows.start)

    def select(self, places: Sequence[int]) -> Any:
        return self.table.select(list(places))

    def inserted(self, j: int, name: str, values: np.ndarray) -> Any:
        return self.whole.add_column(j, name, [values])

    def filled(self, changes: Changes) -> Any:
        out = self.whole
        for j, (rows, values, keep) in changes.items():
            known = self.table.schema.field(j)
            cells = _with(self.column(j).to_pylist(), rows, values)
            column = require("pyarrow").array(cells, type=known.type if keep else None)
            out = out.set_column(j, known.with_type(column.type), column)
        return out

    @property
    def whole(self) -> Any:
        """A table, also of a record batch."""
        batch = not hasattr(self.table, "to_batches")
        return require("pyarrow").Table.from_batches([self.table]) if batch else self.table


def frame_of(X: Any) -> FrameAdapter | None:
    """What reads a frame of any library; None for what is no frame."""
    kind = type(X)
    if kind is np.ndarray:
        return None
    if isinstance(X, FrameAdapter):
        return X
    if hasattr(kind, "iloc") and X.ndim == 2:
        return PandasFrame(X)
    if hasattr(kind, "get_columns") and hasattr(kind, "to_series"):
        return PolarsFrame(X)
    return ArrowTable(X) if hasattr(kind, "num_rows") and hasattr(kind, "schema") else None


def library_frame(X: Any) -> LibraryFrame | None:
    """What reads and changes a frame of a library; None for anything else."""
    frame = frame_of(X)
    return frame if isinstance(frame, LibraryFrame) else None


def is_frame(X: Any) -> bool:
    """Whether a value is a frame of some library."""
    return frame_of(X) is not None


def labels_of(X: Any) -> list[Any] | None:
    """Names of the columns of a frame, or of the entries of a series (a row of a frame); None of anything else."""
    if (frame := frame_of(X)) is not None:
        return frame.labels
    labels = list(X.index) if is_series(X) else [None]
    return labels if all(isinstance(label, str) for label in labels) else None


def _with(cells: list[Any], rows: np.ndarray, values: np.ndarray) -> list[Any]:
    for row, value in zip(rows, values.tolist(), strict=True):
        cells[row] = value
    return cells
