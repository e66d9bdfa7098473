"""Where rows come from. A source yields parts; a part can be sent to a worker and yields batches there.

    arrays.py   pairs of arrays, tables in memory, iterators of batches
    formats.py  the registry of file formats, and which files a path stands for; parquet.py, csv.py, loose.py (CSV cell
                by cell), sheets.py and tables.py read them, the last two row by row (grids.py)
    lazy.py     Arrow datasets, polars LazyFrames, DuckDB relations and other Arrow streams
    dask.py     Dask arrays and dataframes: the batches stay on the workers

A row is known by the number of its file and its place in that file (one file where there are none), whoever reads
it: that decides its fold.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

from suffice._core.errors import InvalidInput
from suffice.tables.frames import frame_of


class Part(Protocol):
    """Some rows of a source, to be read wherever the work is done."""

    @property
    def name(self) -> str: ...  # for messages
    @property
    def file(self) -> int: ...
    @property
    def start(self) -> int: ...  # place of its first row in the file
    def batches(self) -> Iterator[Any]: ...  # tables, or tuples of arrays; never all rows at once


@runtime_checkable
class Headed(Protocol):
    """A part whose first rows cost less than a batch."""

    def head(self) -> Iterator[Any]: ...


@runtime_checkable
class Source(Protocol):
    """Parts in a fixed order. `names` is None where batches are tuples of arrays; `again`: can be read twice."""

    @property
    def names(self) -> tuple[str, ...] | None: ...
    @property
    def again(self) -> bool: ...
    @property
    def n_parts(self) -> int | None: ...
    def parts(self, columns: Sequence[str] | None = None) -> Iterator[Part]: ...


def as_source(value: Any) -> Source:
    """The source that a value stands for."""
    from suffice.engine.sources import arrays, dask, formats, lazy

    room = type(value).__module__.partition(".")[0]
    if isinstance(value, Source):
        return value
    if isinstance(value, str | os.PathLike) or _all_paths(value):
        return formats.open_files(value)
    if room == "dask" or (
        isinstance(value, tuple) and any(type(a).__module__.startswith("dask") for a in value)
    ):
        return dask.open_dask(value)
    if isinstance(value, tuple):
        return arrays.ArraySource.of(value)
    if lazy.is_dataset(value):
        return lazy.DatasetSource(value)
    if lazy.is_lazy_frame(value):
        return lazy.LazyFrameSource(value)
    if (frame := frame_of(value)) is not None:
        return arrays.TableSource(frame)
    if lazy.is_stream(value):
        return lazy.StreamSource(value)
    if hasattr(value, "shape") or isinstance(value, dict):
        raise InvalidInput(
            f"A source of one {type(value).__name__} is unclear: give a tuple (X, y) or (X,), or a table."
        )
    if isinstance(value, bytes | bytearray) or hasattr(value, "read"):
        raise InvalidInput(f"A source of files is given by their paths, as text; got {type(value).__name__}.")
    if isinstance(value, Iterable):
        return arrays.BatchSource(value)
    raise InvalidInput(
        f"A source is a pair (X, y), a table, paths of files, an Arrow dataset, a LazyFrame, a DuckDB "
        f"relation, a Dask collection or an iterator of batches; got {type(value).__name__}."
    )


def _all_paths(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(v, str | os.PathLike) for v in value)
    )
