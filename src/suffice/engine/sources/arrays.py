"""Rows that are already here: pairs of arrays, tables in memory, and batches that an iterator hands over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.engine.columns import n_rows, names_of

SLICE = 131_072  # rows of a part


@record
class Here:
    """A batch in memory."""

    batch: Any
    name: str
    file: int = 0
    start: int = 0

    def batches(self) -> Iterator[Any]:
        yield self.batch


@record
class ArraySource:
    """Arrays with the same number of rows, cut into slices."""

    arrays: tuple[Any, ...]
    again: bool = True

    @classmethod
    def of(cls, values: tuple[Any, ...]) -> ArraySource:
        arrays = tuple(a if hasattr(a, "shape") else np.asarray(a) for a in values if a is not None)
        lengths = {a.shape[0] if len(a.shape) else -1 for a in arrays}
        if len(lengths) != 1 or -1 in lengths:
            shapes = ", ".join(str(a.shape) for a in arrays)
            raise InvalidInput(f"The arrays of a source need the same number of rows; got shapes {shapes}.")
        return cls(arrays)

    @property
    def names(self) -> None:
        return None

    @property
    def n_parts(self) -> int:
        return len(self._cuts())

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[Here]:
        for cut in self._cuts():
            yield Here(tuple(_sliced(a, cut) for a in self.arrays), f"rows {cut.start} and on", 0, cut.start)

    def _cuts(self) -> list[slice]:
        return _cuts(self.arrays[0].shape[0])


@record
class TableSource:
    """A pandas or polars frame or an Arrow table, cut into slices."""

    table: Any
    again: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        return names_of(self.table)

    @property
    def n_parts(self) -> int:
        return len(_cuts(n_rows(self.table)))

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[Here]:
        table = self.table if columns is None else _projected(self.table, list(columns))
        for cut in _cuts(n_rows(table)):
            yield Here(_sliced(table, cut), f"rows {cut.start} and on", 0, cut.start)


@record
class BatchSource:
    """Batches as an iterator hands them over, of any kind. Rows of pairs and tables are counted as they come."""

    batches: Iterable[Any]

    @property
    def again(self) -> bool:
        return not isinstance(self.batches, Iterator)

    @property
    def names(self) -> None:
        return None

    @property
    def n_parts(self) -> int | None:
        return len(self.batches) if isinstance(self.batches, Sequence) else None

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[Here]:
        start = 0
        for i, batch in enumerate(self.batches):
            yield Here(batch, f"batch {i}", 0, start)
            start += n_rows(batch)


def is_table(value: Any) -> bool:
    """Whether a value is a pandas or polars frame, an Arrow table or an Arrow batch."""
    cls = type(value)
    return cls.__module__.partition(".")[0] in ("pandas", "polars", "pyarrow") and cls.__name__ in (
        "DataFrame", "Table", "RecordBatch",
    )  # fmt: skip


def _cuts(n: int) -> list[slice]:
    return [slice(a, min(a + SLICE, n)) for a in range(0, max(n, 1), SLICE)]


def _sliced(table: Any, cut: slice) -> Any:
    if hasattr(table, "iloc"):
        return table.iloc[cut]
    if is_table(table):
        return table.slice(cut.start, cut.stop - cut.start)
    return table[cut]


def _projected(table: Any, columns: list[str]) -> Any:
    return table[columns] if hasattr(table, "iloc") else table.select(columns)
