"""The door: one or two vectors or tables, checked once, as rows of float64.

A vector is one row, and its axis is left out of the answer. A table is an array, a frame or a scipy.sparse matrix; one
table alone is compared with itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.errors import InvalidInput, Unsupported
from suffice.tables.cells import is_missing
from suffice.tables.frames import labels_of
from suffice.tables.requiring import array_from

Rows = Any  # float64 (N, D): an array, or a sparse matrix in CSR form with sorted columns


@dataclass(frozen=True, eq=False)
class Pair:
    """Rows to compare with rows; `alone` says that both are the same table, `flat` which axes the answer lacks."""

    x: Rows
    y: Rows
    alone: bool
    flat: tuple[bool, bool]

    @property
    def sparse(self) -> bool:
        """Whether the tables are sparse: one that is not is turned into one that is."""
        return sparse.issparse(self.x)

    @property
    def mirrored(self) -> bool:
        """Whether half of the pairs are enough; sums over sparse rows are symmetric as they are."""
        return self.alone and not self.sparse

    def answer(self, table: np.ndarray) -> Any:
        """The table of all pairs without the axes of vectors; a number for two of them."""
        out = table[0] if self.flat[0] else table
        out = out[..., 0] if self.flat[1] else out
        return float(out) if np.ndim(out) == 0 else out


def pair(x: Any, y: Any = None, *, binary: bool = False) -> Pair:
    """Two vectors, two tables, one of each, or one table."""
    first, flat = rows(x, "x", binary=binary)
    if y is None:
        if flat:
            raise InvalidInput("x is one vector, which makes no pair; give y, or a table of several rows.")
        return Pair(first, first, True, (False, False))
    second, flat_too = rows(y, "y", binary=binary)
    check_names(x, y)
    if first.shape[1] != second.shape[1]:
        raise InvalidInput(
            f"x and y must have the same number of columns; got {first.shape[1]} and {second.shape[1]}."
        )
    if sparse.issparse(first) or sparse.issparse(second):
        first, second = _compressed(first), _compressed(second)
    return Pair(first, second, False, (flat, flat_too))


def rows(values: Any, name: str, *, binary: bool = False) -> tuple[Rows, bool]:
    """A table of finite numbers with at least one column, and whether it was one vector."""
    names = labels_of(values)
    table = _numbers(values, name)
    flat = table.ndim == 1
    table = table[None] if flat else table
    if table.ndim != 2 or table.shape[1] == 0:
        raise InvalidInput(
            f"{name} must be a vector or a table with at least one column; got shape {table.shape}."
        )
    _check_cells(table, name, names, binary)
    return table, flat


def check_names(x: Any, y: Any, first: str = "x", second: str = "y") -> None:
    """Two tables with names must have the same ones in the same order; numbers are no names beside words."""
    a, b = labels_of(x), labels_of(y)
    if a is None or b is None or a == b or len(a) != len(b) or _worded(a) != _worded(b):
        return
    k = next(k for k in range(len(a)) if a[k] != b[k])
    found = f"column {k} is {a[k]!r} in {first} and {b[k]!r} in {second}"
    if set(a) == set(b):
        raise InvalidInput(
            f"{first} and {second} have the same columns in another order: {found}. Columns are compared by their "
            f"place; put those of {second} into the order of {first}."
        )
    raise InvalidInput(
        f"{first} and {second} must have the same columns: {found}. Rename them, or pass arrays to compare by place."
    )


def _worded(names: list[Any]) -> bool:
    """Whether columns have names, not the numbers that a frame gives them where nobody named them."""
    return all(isinstance(name, str) for name in names)


def written(values: Any, name: str) -> np.ndarray:
    """The cells of a table that is not sparse, as they come."""
    array = array_from(name, values)
    if array.dtype.kind not in "biufO":
        raise Unsupported(
            f"{name} must be made of numbers; got entries of type {array.dtype}. Mixed tables: see gower."
        )
    return array


def _numbers(values: Any, name: str) -> Rows:
    if sparse.issparse(values):
        if values.ndim != 2:
            raise InvalidInput(f"{name} must be a sparse table; got shape {values.shape}.")
        if values.dtype.kind not in "biuf":
            raise Unsupported(f"{name} must be made of numbers; got entries of type {values.dtype}.")
        return _compressed(values)
    array = written(values, name)
    if array.dtype == object:
        array = _of_objects(array, name, labels_of(values))
    return np.ascontiguousarray(array, dtype=float) if array.ndim else array.astype(float)


def _of_objects(array: np.ndarray, name: str, names: list[Any] | None) -> np.ndarray:
    """Floats, with NaN for what a frame writes where there is no value; the first entry that is no number is named."""
    cells = array.ravel().tolist()
    if set(map(type, cells)) <= {int, float, bool} and max(map(abs, cells), default=0) < 2**1023:
        return array.astype(float)
    out = np.empty(array.shape)
    for at, value in enumerate(array.flat):
        try:
            if isinstance(value, str | bytes):
                raise TypeError
            out.flat[at] = np.nan if is_missing(value) else float(value)
        except (TypeError, ValueError, OverflowError):
            where = f"row {at}" if array.ndim < 2 else _place(at, array.shape[-1], names)
            raise Unsupported(
                f"{name} must be made of numbers; got {value!r:.40} in {where}. Mixed tables: see gower."
            ) from None
    return out


def _place(at: int, width: int, names: list[Any] | None) -> str:
    row, column = divmod(at, width)
    return f"row {row}, column {repr(names[column]) if names is not None else column}"


def _compressed(table: Any) -> sparse.csr_array:
    """CSR with sorted columns and no entry twice."""
    out = sparse.csr_array(table).astype(float)
    if not out.has_canonical_format:
        out = out.copy()
        out.sum_duplicates()
    return out


def _check_cells(table: Rows, name: str, names: list[Any] | None, binary: bool) -> None:
    """Refuse the first cell that is not finite, or not 0 or 1 where only those make sense."""
    values = table.data if sparse.issparse(table) else table
    bad = ~np.isfinite(values)
    wanted = "finite numbers; fill or drop missing values first, or see gower"
    if binary and not bad.any():
        bad, wanted = (values != 0) & (values != 1), "zeros and ones; see extended_jaccard for other numbers"
    if bad.any():
        row, column, value = _first(table, bad)
        what = repr(names[column]) if names is not None else str(column)
        raise InvalidInput(
            f"{name} holds {value:g} in row {row}, column {what}; it must be made of {wanted}."
        )


def _first(table: Rows, bad: np.ndarray) -> tuple[int, int, float]:
    """Row, column and value of the first bad cell."""
    at = int(np.argmax(bad.ravel()))
    if sparse.issparse(table):
        return (
            int(np.searchsorted(table.indptr, at, side="right") - 1),
            int(table.indices[at]),
            float(table.data[at]),
        )
    row, column = divmod(at, table.shape[1])
    return row, column, float(table[row, column])
