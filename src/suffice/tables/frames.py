"""Frames of pandas, polars and Arrow: what each library calls the same few things.

    frame_of(X)   its `FrameAdapter`: names, columns, rows, and new frames of the same library; None for anything else

What a column of theirs holds, `columns.array_of` says. No other file asks what kind a table is. Types are asked, since
a frame looks among its columns for an attribute.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from suffice._core.frames import require

Filling = tuple[np.ndarray, np.ndarray, bool]  # rows, their values, and whether the column keeps its type


class FrameAdapter(ABC):
    """A table of named columns, whatever library holds it."""

    library: str

    def __init__(self, table: Any):
        self.table = table

    @property
    @abstractmethod
    def labels(self) -> list[Any]:
        """What the table calls its columns."""

    @property
    @abstractmethod
    def types(self) -> list[Any]:
        """What the library calls the types of the columns."""

    @property
    @abstractmethod
    def n(self) -> int:
        """How many rows there are."""

    @abstractmethod
    def column(self, j: int) -> Any:
        """One column as the library holds it."""

    @abstractmethod
    def take(self, rows: Any) -> Any:
        """Rows by their numbers."""

    @abstractmethod
    def cut(self, rows: slice) -> Any:
        """Rows that follow one another, without a copy."""

    @abstractmethod
    def select(self, places: Sequence[int]) -> Any:
        """Some of the columns."""

    @abstractmethod
    def inserted(self, j: int, name: str, values: np.ndarray) -> Any:
        """A copy with one column more, at place j."""

    @abstractmethod
    def filled(self, columns: Mapping[int, Filling]) -> Any:
        """A copy with other values in some rows of some columns."""

    @property
    def names(self) -> tuple[str, ...]:
        """The labels as text."""
        return tuple(map(str, self.labels))

    @property
    def worded(self) -> bool:
        """Whether columns have names, not the numbers that a frame gives them where nobody named them."""
        return all(isinstance(label, str) for label in self.labels)

    @property
    def index(self) -> Any:
        """What the rows are called; None in libraries where rows have no names."""
        return self.table.index if isinstance(self, PandasFrame) else None

    def like(self, columns: Mapping[Any, Any]) -> Any:
        """A frame of the same library with other columns."""
        return (
            require(self.library).table(columns)
            if isinstance(self, ArrowTable)
            else type(self.table)(columns)
        )


@final
class PandasFrame(FrameAdapter):
    """A frame of pandas, or of a library that has its methods."""

    library = "pandas"

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

    def filled(self, columns: Mapping[int, Filling]) -> Any:
        out = self.table.copy()
        for j, (rows, values, keep) in columns.items():
            column = self.column(j).copy()
            column = column if keep else column.astype(object if values.dtype.kind == "b" else float)
            if hasattr(column, "cat"):  # a value of the fit need not be a category here
                known = column.cat.categories
                column = column.cat.add_categories([v for v in np.unique(values) if v not in known])
            column.iloc[rows] = values.astype(column.dtype) if column.dtype == np.float32 else values
            out.isetitem(j, column)
        return out


@final
class PolarsFrame(FrameAdapter):
    """A frame of polars."""

    library = "polars"

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

    def filled(self, columns: Mapping[int, Filling]) -> Any:
        out = self.table.clone()
        for j, (rows, values, keep) in columns.items():
            column = self.column(j)
            cells = _with(column.to_list(), rows, values)
            kind = column.dtype if keep else None
            out.replace_column(j, type(column)(column.name, cells, dtype=kind, strict=False))
        return out


@final
class ArrowTable(FrameAdapter):
    """A table or a record batch of Arrow."""

    library = "pyarrow"

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

    def filled(self, columns: Mapping[int, Filling]) -> Any:
        out, array = self.whole, require("pyarrow").array
        for j, (rows, values, keep) in columns.items():
            known = out.schema.field(j)
            column = array(_with(self.column(j).to_pylist(), rows, values), type=known.type if keep else None)
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
    if hasattr(kind, "iloc") and X.ndim == 2:
        return PandasFrame(X)
    if hasattr(kind, "get_columns") and hasattr(kind, "to_series"):
        return PolarsFrame(X)
    return ArrowTable(X) if hasattr(kind, "num_rows") and hasattr(kind, "schema") else None


def is_frame(X: Any) -> bool:
    """Whether a value is a frame of some library."""
    return frame_of(X) is not None


def _with(cells: list[Any], rows: np.ndarray, values: np.ndarray) -> list[Any]:
    for row, value in zip(rows, values.tolist(), strict=True):
        cells[row] = value
    return cells
