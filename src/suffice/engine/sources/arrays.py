"""Rows that are already here: pairs of arrays, tables in memory, and batches that an iterator hands over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.engine.values import n_rows
from suffice.tables.adapters import FrameAdapter
from suffice.tables.frames import frame_of

SLICE, CELLS = 131_072, 3_000_000  # of a part: rows at most, and numbers


@record
class MemoryPart:
    """A batch in memory."""

    batch: Any
    name: str
    file: int = 0
    start: int = 0

    def batches(self) -> Iterator[Any]:
        yield self.batch


@record
class ArraySource:
    """X, y and weights with the same number of rows, cut into slices; None where there is no y."""

    arrays: tuple[Any, ...]
    again: bool = True

    @classmethod
    def of(cls, values: tuple[Any, ...]) -> ArraySource:
        arrays = tuple(None if a is None else _sliceable(a) for a in values)
        lengths = {a.shape[0] if len(a.shape) else -1 for a in arrays if a is not None}
        if not arrays or arrays[0] is None or len(lengths) > 1 or -1 in lengths:
            raise InvalidInput(f"The arrays of a source need the same number of rows; got {_shapes(arrays)}.")
        return cls(arrays)

    @property
    def names(self) -> None:
        return None

    @property
    def n_parts(self) -> int:
        return len(self._cuts())

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[MemoryPart]:
        for cut in self._cuts():
            batch = tuple(None if a is None else _sliced(a, cut) for a in self.arrays)
            yield MemoryPart(batch, f"rows {cut.start} and on", 0, cut.start)

    def _cuts(self) -> list[slice]:
        first = self.arrays[0]
        return _cuts(first.shape[0], first.shape[1] if len(first.shape) > 1 else 1)


@record
class TableSource:
    """A pandas or polars frame or an Arrow table, cut into slices."""

    frame: FrameAdapter
    again: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        return self.frame.names

    @property
    def n_parts(self) -> int:
        return len(_cuts(self.frame.n, len(self.names)))

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[MemoryPart]:
        wanted = None if columns is None else [self.frame.place(name) for name in columns]
        table = self.frame.table if wanted is None else self.frame.select(wanted)
        for cut in _cuts(self.frame.n, len(self.names)):
            yield MemoryPart(_sliced(table, cut), f"rows {cut.start} and on", 0, cut.start)


@record
class BatchSource:
    """Batches as an iterator hands them over, of any kind. Rows of pairs and tables are counted as they come."""

    batches: Iterable[Any]
    names: tuple[str, ...] | None = None  # where the first batch is a table

    @property
    def again(self) -> bool:
        return not isinstance(self.batches, Iterator)

    @property
    def n_parts(self) -> int | None:
        return len(self.batches) if isinstance(self.batches, Sequence) else None

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[MemoryPart]:
        start = 0
        for i, batch in enumerate(self.batches):
            yield MemoryPart(batch, f"batch {i}", 0, start)
            start += n_rows(batch)


def _cuts(n: int, width: int) -> list[slice]:
    step = min(SLICE, max(1024, CELLS // max(width, 1)))
    return [slice(a, min(a + step, n)) for a in range(0, max(n, 1), step)]


def _sliced(table: Any, cut: slice) -> Any:
    frame = frame_of(table)
    return table[cut] if frame is None else frame.cut(cut)


def _sliceable(value: Any) -> Any:
    """A table, an array, or a sparse matrix whose rows can be cut."""
    if hasattr(value, "tocsr"):
        return value.tocsr()
    if hasattr(value, "shape"):
        return value
    try:
        return np.asarray(value)
    except ValueError:
        raise InvalidInput(
            f"A tuple is a pair (X, y) of arrays, but one of its entries is a ragged {type(value).__name__}; "
            "batches go into a list."
        ) from None


def _shapes(arrays: tuple[Any, ...]) -> str:
    return ", ".join("None" if a is None else f"shape {a.shape}" for a in arrays) or "none"
