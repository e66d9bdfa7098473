"""Dask arrays and dataframes. Their partitions are computed on the workers and stay there; statistics travel.

Without a cluster, the partitions are computed here, a few at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.frames import require
from suffice._core.records import record
from suffice.engine.sources.arrays import MemoryPart


@record
class DaskPart:
    """One partition: what computes it, and where its rows stand."""

    payload: tuple[Any, ...]
    table: bool
    file: int
    start: int

    @property
    def name(self) -> str:
        return f"partition {self.file}" if self.start == 0 else f"the partition from row {self.start}"

    def batches(self) -> Iterator[Any]:
        values = require("dask").compute(*self.payload, scheduler="synchronous")
        yield from _here(self.table, self.name, self.file, self.start, *values).batches()

    def bound(self, function: Callable[[Any], Any]) -> Any:
        """The function applied to this part, where its rows are."""
        delayed = require("dask").delayed
        return delayed(_apply, pure=False)(
            function, self.table, self.name, self.file, self.start, *self.payload
        )


def _apply(function: Callable[[Any], Any], *part: Any) -> Any:
    return function(_here(*part))


def _here(table: bool, name: str, file: int, start: int, *values: Any) -> MemoryPart:
    return MemoryPart(values[0] if table else tuple(map(_array, values)), name, file, start)


def _array(value: Any) -> Any:
    return value if value is None or hasattr(value, "tocsr") else np.asarray(value)


def open_dask(value: Any) -> DaskArrays | DaskFrame:
    """A source from a tuple of Dask arrays or from a dataframe."""
    if isinstance(value, tuple):
        return DaskArrays.of(value)
    if getattr(value, "ndim", 0) == 2 and not hasattr(value, "chunks"):
        return DaskFrame(value)
    raise InvalidInput(
        f"A Dask source is a dataframe or a tuple of arrays (X, y); got {type(value).__name__}."
    )


@record
class DaskArrays:
    """Arrays whose rows are cut alike. Where the sizes of chunks are known, rows are counted through."""

    arrays: tuple[Any, ...]
    again: bool = True

    @classmethod
    def of(cls, values: tuple[Any, ...]) -> DaskArrays:
        da = require("dask.array")
        if any(hasattr(a, "to_dask_array") for a in values):
            raise InvalidInput(
                "A pair of Dask dataframes or series is no source: give the whole dataframe, and target='...'."
            )
        X, *others = (None if a is None else _whole_rows(a, da) for a in values)
        if X is None:
            raise InvalidInput("The first array of a Dask source is X; got None.")
        cut = [X, *(None if a is None else _cut_like(a, X) for a in others)]
        if len({a.numblocks[0] for a in cut if a is not None}) > 1:
            raise InvalidInput("The Dask arrays of a source need chunks with the same rows; rechunk them.")
        return cls(tuple(cut))

    @property
    def names(self) -> None:
        return None

    @property
    def n_parts(self) -> int:
        return self.arrays[0].numblocks[0]

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[DaskPart]:
        sizes = self.arrays[0].chunks[0]
        known = not np.isnan(np.array(sizes, dtype=float)).any()
        starts = np.concatenate([[0], np.cumsum(sizes)]) if known else None
        pieces = [
            [None] * len(sizes) if a is None else a.to_delayed().reshape(len(sizes), -1)[:, 0]
            for a in self.arrays
        ]
        for i in range(len(sizes)):
            file, start = (i, 0) if starts is None else (0, int(starts[i]))
            yield DaskPart(tuple(p[i] for p in pieces), False, file, start)


def _whole_rows(a: Any, da: Any) -> Any:
    """A Dask array whose chunks have all columns."""
    a = a if hasattr(a, "chunks") else da.from_array(np.asarray(a))
    return a.rechunk({1: -1}) if a.ndim == 2 and a.numblocks[1] > 1 else a


def _cut_like(a: Any, X: Any) -> Any:
    if np.isnan(np.array([*a.chunks[0], *X.chunks[0]], dtype=float)).any():
        return a
    if a.shape[0] != X.shape[0]:
        raise InvalidInput(
            f"The arrays of a source need the same number of rows; got {X.shape[0]} and {a.shape[0]}."
        )
    return a.rechunk({0: X.chunks[0]})


@record
class DaskFrame:
    """A dataframe; the number of a partition and the place in it are what a row is known by."""

    frame: Any
    again: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(str, self.frame.columns))

    @property
    def n_parts(self) -> int:
        return self.frame.npartitions

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[DaskPart]:
        labels = dict(zip(self.names, self.frame.columns, strict=True))
        frame = self.frame if columns is None else self.frame[[labels[c] for c in columns]]
        for i, piece in enumerate(frame.to_delayed()):
            yield DaskPart((piece,), True, i, 0)
