"""Tables of numbers and text: each column an array of numbers (NaN for a gap), or of strings (None for one)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.frames import NamedArray
from suffice.tables.columns import array_of, is_held_as_category, type_of
from suffice.tables.frames import frame_of
from suffice.tables.requiring import matrix_of, refuse_empty, refuse_repeated, refuse_sparse


class TypedTable:
    """Columns side by side; rows are taken from all of them. `natural` says what each was as it came."""

    ndim = 2

    def __init__(self, columns: list[np.ndarray], n: int, natural: tuple[str, ...] = ()):
        self.columns, self.natural, self.shape = columns, natural, (n, len(columns))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> TypedTable:
        """Some of the rows, by a slice or by their numbers."""
        n = len(np.arange(len(self))[rows])
        return TypedTable([c[rows] for c in self.columns], n, self.natural)


def read_cells(X: Any, owner: str) -> tuple[tuple[str, ...] | None, list[np.ndarray], list[bool]]:
    """Names, where the columns have some, the columns as arrays, and which are held as categories."""
    refuse_sparse(X, owner)
    if isinstance(X, NamedArray):
        return X.names, list(np.asarray(X).T), [False] * X.shape[1]
    if (frame := frame_of(X)) is None:
        columns = list(matrix_of(X).T)
        return None, columns, [False] * len(columns)
    names = frame.names
    refuse_repeated(names)
    refuse_empty(frame.n, len(names))
    held = [frame.column(j) for j in range(len(names))]
    categories = [is_held_as_category(type_of(column)) for column in held]
    return names if frame.worded else None, [array_of(c) for c in held], categories
