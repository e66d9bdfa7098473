"""Tables with missing cells: filled in, in a copy of the caller's kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.records import record


@record
class Holes:
    """A table as it came, its missing cells (M, 2), and what the codes of some columns stand for."""

    table: Any
    cells: np.ndarray
    words: Any

    def filled(self, values: np.ndarray) -> Any:
        """A copy of the same kind in which cell m has value m."""
        columns = {int(j): self.cells[:, 1] == j for j in np.unique(self.cells[:, 1])}
        said = {j: self._said(j, values[at]) for j, at in columns.items()}
        rows = {j: self.cells[at, 0] for j, at in columns.items()}
        if hasattr(self.table, "isetitem"):
            return _filled_pandas(self.table, rows, said)
        if hasattr(self.table, "replace_column"):
            return _filled_polars(self.table, rows, said)
        if hasattr(type(self.table), "num_rows"):
            return _filled_arrow(self.table, rows, said)
        return _filled_array(self.table, rows, said)

    def _said(self, j: int, values: np.ndarray) -> np.ndarray:
        return np.asarray(self.words[j])[values.astype(int)] if j in self.words else values


def _filled_pandas(table: Any, rows: dict[int, np.ndarray], said: dict[int, np.ndarray]) -> Any:
    out = table.copy()
    for j, values in said.items():
        column = table.iloc[:, j].copy()
        values, kept = _alike(values, column.dtype, column.tolist())
        column = column if kept else column.astype(float)
        column.iloc[rows[j]] = values.astype(column.dtype) if column.dtype == np.float32 else values
        out.isetitem(j, column)
    return out


def _filled_polars(table: Any, rows: dict[int, np.ndarray], said: dict[int, np.ndarray]) -> Any:
    out = table.clone()
    for j, values in said.items():
        column = out.to_series(j)
        values, kept = _alike(values, column.dtype, [])
        cells = _with(column.to_list(), rows[j], values)
        out.replace_column(
            j, type(column)(column.name, cells, dtype=column.dtype if kept else None, strict=False)
        )
    return out


def _filled_arrow(table: Any, rows: dict[int, np.ndarray], said: dict[int, np.ndarray]) -> Any:
    for j, values in said.items():
        field = table.schema.field(j)
        values, kept = _alike(values, field.type, [])
        cells = _with(table.column(j).to_pylist(), rows[j], values)
        table = table.set_column(j, field if kept else field.name, [cells])
    return table


def _filled_array(table: Any, rows: dict[int, np.ndarray], said: dict[int, np.ndarray]) -> np.ndarray:
    out = np.array(table.toarray() if hasattr(table, "toarray") else table)
    out = out.astype(object) if out.dtype.kind not in "fiub" else out
    for j, values in said.items():
        out[rows[j], j] = _alike(values, out.dtype, out[:, j].tolist() if out.dtype == object else [])[0]
    return out


def _alike(values: np.ndarray, dtype: Any, cells: list[Any]) -> tuple[np.ndarray, bool]:
    """Values like the cells around them: yes or no, or whole; and whether the column keeps its type."""
    name = str(dtype).lower()
    objects = name == "object"
    if values.dtype.kind != "f":
        return values, True
    if name.startswith("bool") or (objects and any(isinstance(c, bool | np.bool_) for c in cells)):
        binary = bool(np.isin(values, (0.0, 1.0)).all())
        return (values == 1 if binary else values), binary or objects
    if name.startswith(("int", "uint")):
        whole = np.array_equal(values, np.round(values))
        return (values.astype(np.int64) if whole else values), whole
    return values, True


def _with(cells: list[Any], rows: np.ndarray, values: np.ndarray) -> list[Any]:
    for row, value in zip(rows, values.tolist(), strict=True):
        cells[row] = value
    return cells
