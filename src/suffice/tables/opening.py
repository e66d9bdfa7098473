"""Anything in memory as a table: frames, arrays, sparse matrices, dicts of columns, lists of rows, data sets.

Names are text; a name met again gets its number, `x`, `x (2)`. Columns without names are x0, x1, …
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.tables.adapters import FrameAdapter
from suffice.tables.cells import as_objects
from suffice.tables.columns import TableColumn, array_of, name_of
from suffice.tables.frames import frame_of
from suffice.tables.requiring import refuse_flat

DENSE = 50_000_000  # cells of a sparse table that is written out
DATA_SET = ("X", "y", "feature_names", "target_name")
Pairs = Iterator[tuple[Any, Any]]


@record
class Table:
    """Columns of equal length under names that differ; `given` are the names as they came."""

    columns: tuple[TableColumn, ...]
    given: tuple[str, ...]

    @classmethod
    def of(cls, table: Any, names: Sequence[Any] | None = None) -> Table:
        """Of anything in memory. `names` are for an array or a list of rows, which have none."""
        pairs = [(str(name), column) for name, column in _pairs(table, names)]
        given = tuple(name for name, _ in pairs)
        columns = tuple(open_column(n, c) for n, (_, c) in zip(unique(given), pairs, strict=True))
        if len({len(c) for c in columns}) > 1:
            told = ", ".join(f"{c.name!r}: {len(c)}" for c in columns[:12])
            raise InvalidInput(f"The columns of a table must have as many rows each; got {told}.")
        return cls(columns, given)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)

    @property
    def n(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, rows: Any) -> Table:
        """Some of the rows, by a slice or by their numbers."""
        return Table(tuple(c[rows] for c in self.columns), self.given)

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """Columns by name."""
        return {c.name: c.values for c in self.columns}

    @property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """Values from the lowest, of the columns that the table holds as ordered categories."""
        return {c.name: c.levels for c in self.columns if c.levels is not None}

    @property
    def categories(self) -> frozenset[str]:
        """Names of the columns that the table holds as categories without an order."""
        return frozenset(c.name for c in self.columns if c.category)


def open_columns(table: Any, names: Sequence[Any] | None = None) -> dict[str, np.ndarray]:
    """Columns by name, of anything in memory."""
    return Table.of(table, names).arrays


def open_column(name: str, column: Any) -> TableColumn:
    """A column of a dict: a series, an index, an array or a list."""
    if isinstance(column, str | bytes) or not (hasattr(column, "__len__") or hasattr(column, "to_pylist")):
        raise InvalidInput(f"Column {name!r} must be a vector; got {column!r:.80}.")
    if isinstance(column, set | frozenset | Mapping):
        raise InvalidInput(
            f"Column {name!r} must be a vector; got a {type(column).__name__}, which has no order."
        )
    if (
        len(shape := np.shape(column) if isinstance(column, np.ndarray) else getattr(column, "shape", (0,)))
        != 1
    ):
        raise InvalidInput(f"Column {name!r} must be a vector; got shape {shape}.")
    return TableColumn.of(name, column)


def unique(names: Sequence[str]) -> list[str]:
    """Names, a repeated one with its number."""
    taken, out = set(names), []
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = number = seen.get(name, 0) + 1
        while number > 1 and f"{name} ({number})" in taken:
            number += 1
        out.append(name if number == 1 else f"{name} ({number})")
        taken.add(out[-1])
    return out


def is_data_set(table: Any) -> bool:
    """Whether a value is a data set of `suffice.datasets`, or one like it."""
    return all(hasattr(table, name) for name in DATA_SET)


def has_names(X: Any) -> bool:
    """Whether the columns of a table have names of their own."""
    if isinstance(X, list | tuple):
        return bool(X) and all(isinstance(row, Mapping) for row in X)
    fields = isinstance(X, np.ndarray) and X.dtype.names
    return bool(fields) or isinstance(X, Mapping) or frame_of(X) is not None or is_data_set(X)


def require_rows(X: Any) -> None:
    """Raise for a table without names whose cells do not stand in rows and columns."""
    if has_names(X):
        return
    if isinstance(X, list | tuple):
        refuse_flat(1 + any(isinstance(row, list | tuple | np.ndarray) for row in X))
    elif hasattr(X, "__array__"):
        array = np.asarray(X)
        refuse_flat(array.ndim, array.dtype.kind)


# -- kinds of tables ----------------------------------------------------------------------------------------
def _pairs(table: Any, names: Sequence[Any] | None) -> Pairs:
    """Names and columns as they came."""
    if isinstance(table, str | bytes) or hasattr(table, "__fspath__"):
        raise InvalidInput(f"A table is needed; got {table!r:.80}. Read the file first.")
    if isinstance(table, Mapping):
        return iter(table.items())
    if is_data_set(table):
        return _of_data_set(table)
    kind = type(table)
    if hasattr(kind, "collect") or hasattr(kind, "compute"):
        raise InvalidInput(f"A table in memory is needed; got {kind.__name__}. Collect it first.")
    if (frame := frame_of(table)) is not None:
        return _of_frame(frame)
    if sparse.issparse(table):
        return _of_matrix(_dense(table), names)
    if isinstance(table, list | tuple):
        return _of_rows(table, names)
    if hasattr(table, "__array__"):
        return _of_array(table, names)
    raise InvalidInput(f"A table is needed: a frame, an array or a dict of columns; got {kind.__name__}.")


def _of_frame(frame: FrameAdapter) -> Pairs:
    """Columns by place, for names may repeat."""
    return ((name, frame.column(j)) for j, name in enumerate(frame.names))


def _of_data_set(table: Any) -> Pairs:
    matrix = np.asarray(table.X)
    if hasattr(table, "time"):
        yield "time", table.time
    yield from ((name, matrix[:, j]) for j, name in enumerate(table.feature_names))
    yield table.target_name, np.asarray(table.y)


def _dense(table: Any) -> np.ndarray:
    if table.shape[0] * table.shape[1] > DENSE:
        raise InvalidInput(
            f"A sparse table of {table.shape} cells is too large to open; choose some columns."
        )
    return table.toarray()


def _of_array(table: Any, names: Sequence[Any] | None) -> Pairs:
    """An array of any library, or a series."""
    array = array_of(table if isinstance(table, np.ndarray) else np.asarray(table))
    if array.ndim == 1 and not isinstance(table, np.ndarray):
        return _of_columns([table], [name_of(table, "x0")] if names is None else names)
    if array.dtype.names:
        return ((name, array[name]) for name in array.dtype.names)
    return _of_matrix(array, names)


def _of_rows(rows: Sequence[Any], names: Sequence[Any] | None) -> Pairs:
    """A list of rows, each a list or a dict, or of the cells of one column."""
    if rows and all(isinstance(row, Mapping) for row in rows):
        keys = dict.fromkeys(key for row in rows for key in row)
        return ((key, as_objects([row.get(key) for row in rows])) for key in keys)
    lists = [isinstance(row, list | tuple | np.ndarray) for row in rows]
    if not any(lists):
        return _of_matrix(as_objects(rows), names)
    widths = {len(row) if many else 1 for row, many in zip(rows, lists, strict=True)}
    if len(widths) > 1 or not all(lists):
        raise InvalidInput(f"The rows of a table must have as many cells each; got {sorted(widths)}.")
    out = np.empty((len(rows), widths.pop()), dtype=object)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            out[i, j] = cell
    return _of_matrix(out, names)


def _of_matrix(array: np.ndarray, names: Sequence[Any] | None) -> Pairs:
    if array.ndim not in (1, 2):
        raise InvalidInput(f"A table has rows and columns; got an array of shape {array.shape}.")
    columns = [array] if array.ndim == 1 else list(array.T)
    return _of_columns(columns, [f"x{j}" for j in range(len(columns))] if names is None else names)


def _of_columns(columns: Sequence[Any], names: Sequence[Any]) -> Pairs:
    if len(names := list(names)) != len(columns):
        raise InvalidInput(f"names must have one name per column ({len(columns)}); got {len(names)}.")
    return zip(names, columns, strict=True)
