"""Tables with missing cells: filled in, in a copy of the caller's kind."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.records import record
from suffice.tables.frames import frame_of

NUMBERS = ("int", "uint", "float", "double", "half")  # how types of numbers begin, in any library
MIXED = ("object", "category")  # types whose cells say what they are
TEXT = ("str", "utf8", "large_str", "large_utf8")


@record
class Holes:
    """A table as it came, its missing cells (M, 2), what codes stand for, and which are yes or no."""

    table: Any
    cells: np.ndarray
    categories: Any
    booleans: frozenset[int] = frozenset()

    def filled(self, values: np.ndarray) -> Any:
        """A copy of the same kind in which cell m has value m."""
        columns = {int(j): self.cells[:, 1] == j for j in np.unique(self.cells[:, 1])}
        found = {j: (self.cells[at, 0], self.decoded(j, values[at])) for j, at in columns.items()}
        frame = frame_of(self.table)
        if frame is None:
            return _filled_array(self.table, found)
        fillings = {}
        for j, (rows, decoded) in found.items():
            kind = frame.types[j]
            mixed = str(kind).lower() in MIXED
            fillings[j] = (rows, *_alike(decoded, kind, list(frame.column(j)) if mixed else []))
        return frame.filled(fillings)

    def decoded(self, j: int, values: np.ndarray) -> np.ndarray:
        """Values of column j in the words of the fit."""
        if j in self.categories:
            return np.asarray(self.categories[j])[values.astype(int)]
        return values == 1 if j in self.booleans else values

    @property
    def labels(self) -> np.ndarray | None:
        """What the rows of a pandas table are called, unless that is their number."""
        frame = frame_of(self.table)
        if frame is None or frame.index is None:
            return None
        index = np.asarray(frame.index.to_numpy())
        return None if np.array_equal(index, np.arange(len(index))) else index


def _filled_array(table: Any, found: dict[int, tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    out = np.array(table.toarray() if sparse.issparse(table) else table)
    out = out.astype(object) if out.dtype.kind not in "fiub" else out
    for j, (rows, values) in found.items():
        out[rows, j] = _alike(values, out.dtype, out[:, j].tolist() if out.dtype == object else [])[0]
    return out


def _alike(values: np.ndarray, dtype: Any, cells: list[Any]) -> tuple[np.ndarray, bool]:
    """Values like the cells around them: yes or no, or whole; and whether the column keeps its type."""
    name = str(dtype).lower()
    objects = name == "object"
    if name == "null" or (
        name.startswith(TEXT) and values.dtype.kind in "bf"
    ):  # of a column without known cells
        return values, False
    if values.dtype.kind == "b" and (name.startswith(NUMBERS) or any(map(_is_number, cells))):
        values = values.astype(float)
    if values.dtype.kind != "f":
        return values, True
    if name.startswith("bool") or (objects and any(isinstance(c, bool | np.bool_) for c in cells)):
        binary = bool(np.isin(values, (0.0, 1.0)).all())
        return (values == 1 if binary else values), binary or objects
    if name.startswith(("int", "uint")):
        whole = np.array_equal(values, np.round(values))
        return (values.astype(np.int64) if whole else values), whole
    return values, True


def _is_number(cell: Any) -> bool:
    return isinstance(cell, Real) and not isinstance(cell, bool) and not np.isnan(float(cell))
