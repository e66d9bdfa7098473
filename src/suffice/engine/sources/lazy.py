"""Tables that are computed when they are read: Arrow datasets, polars LazyFrames, DuckDB relations, Arrow streams.

The fragments of a dataset are read by the workers. The others are streams: this process reads them, and the workers
get batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from suffice._core.errors import UnreadableSource
from suffice._core.frames import require
from suffice._core.records import record
from suffice.engine.sources.arrays import MemoryPart
from suffice.engine.sources.kinds import disagreement, kind_of, reading_errors, unreadable
from suffice.engine.sources.parquet import batch_rows, buffered, too_large
from suffice.engine.values import n_rows

BATCH_ROWS = 65_536


def is_dataset(value: Any) -> bool:
    return any(
        cls.__module__ == "pyarrow._dataset" and cls.__name__ == "Dataset" for cls in type(value).__mro__
    )


def is_lazy_frame(value: Any) -> bool:
    return type(value).__module__.startswith("polars") and type(value).__name__ == "LazyFrame"


def is_stream(value: Any) -> bool:
    """Whether a value hands over Arrow batches by the Arrow PyCapsule protocol."""
    return hasattr(value, "__arrow_c_stream__")


# -- Arrow datasets -----------------------------------------------------------------------------------------
@record
class FragmentPart:
    """One file of a dataset, with the values that its folder stands for."""

    fragment: Any
    schema: Any
    columns: tuple[str, ...] | None
    file: int
    start: int = 0

    @property
    def path(self) -> str:
        return getattr(self.fragment, "path", f"fragment {self.file}")

    @property
    def name(self) -> str:
        return repr(self.path)

    def batches(self) -> Iterator[Any]:
        try:
            odd = self._disagreement()
            groups = getattr(self.fragment, "row_groups", None) or ()  # of a Parquet file
            width = len(self.schema if self.columns is None else self.columns)
            if odd is None and any(too_large([g], width) for g in groups):
                yield from self._buffered([g.id for g in groups], batch_rows(width))
            elif odd is None:
                options = {"batch_size": BATCH_ROWS, "batch_readahead": 1, "use_threads": False}
                columns = None if self.columns is None else list(self.columns)
                yield from self.fragment.to_batches(schema=self.schema, columns=columns, **options)
        except reading_errors() as error:
            raise unreadable(self.path, error) from error
        if odd is not None:
            raise UnreadableSource(odd)

    @property
    def folders(self) -> dict[str, Any]:
        """Columns that are folders, and their values."""
        return require("pyarrow.dataset").get_partition_keys(self.fragment.partition_expression)

    def _disagreement(self) -> str | None:
        """Arrow would fill a column that is missing with gaps, and read text as numbers where it can."""
        expected = {f.name: kind_of(f.type) for f in self.schema}
        held = {f.name: kind_of(f.type) for f in self.fragment.physical_schema}
        held |= {name: expected[name] for name in self.folders if name in expected}
        return disagreement(self.path, held, "the dataset", expected, self.columns)

    def _buffered(self, groups: list[int], rows: int) -> Iterator[Any]:
        """Arrow reads row groups whole; those that are too large are read as single files are."""
        pa, folders = require("pyarrow"), self.folders
        wanted = self.schema.names if self.columns is None else self.columns
        inside = [name for name in wanted if name not in folders]
        for batch in buffered(self.fragment.open(), rows, groups, inside):
            table = pa.table(batch)
            for name in (name for name in wanted if name in folders):
                table = table.append_column(name, pa.repeat(folders[name], batch.num_rows))
            yield table


@record
class DatasetSource:
    """A `pyarrow.dataset.Dataset`, a part per fragment; a filtered or projected one is a stream."""

    dataset: Any
    again: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.dataset.schema.names)

    @property
    def n_parts(self) -> int | None:
        fragments = self._fragments()
        return None if fragments is None else len(fragments)

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[FragmentPart | MemoryPart]:
        wanted = None if columns is None else tuple(columns)
        fragments = self._fragments()
        if fragments is None:
            batches = self.dataset.to_batches(columns=columns, batch_size=BATCH_ROWS)
            yield from _counted(iter(batches), "dataset")
            return
        for i, fragment in enumerate(fragments):
            yield FragmentPart(fragment, self.dataset.schema, wanted, i)

    def _fragments(self) -> list[Any] | None:
        try:
            return list(self.dataset.get_fragments())
        except ValueError:  # Arrow's word that there is a filter or a projection
            return None


# -- streams ------------------------------------------------------------------------------------------------
def _counted(batches: Iterator[Any], word: str) -> Iterator[MemoryPart]:
    start = 0
    for i, batch in enumerate(batches):
        yield MemoryPart(batch, f"batch {i} of the {word}", 0, start)
        start += n_rows(batch)


@record
class LazyFrameSource:
    """A polars query; its engine streams the result."""

    frame: Any
    again: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.frame.collect_schema().names())

    @property
    def n_parts(self) -> None:
        return None

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[MemoryPart]:
        frame = self.frame if columns is None else self.frame.select(list(columns))
        stream: Callable[..., Any] | None = getattr(frame, "collect_batches", None)
        if stream is not None:
            batches = iter(stream(chunk_size=BATCH_ROWS, maintain_order=True))
        else:  # older polars can only collect the whole result
            batches = frame.collect(engine="streaming").iter_slices(BATCH_ROWS)
        return _counted(batches, "LazyFrame")


@record
class StreamSource:
    """Anything that hands over Arrow batches, such as a DuckDB relation; a reader can be read once."""

    stream: Any

    @property
    def again(self) -> bool:
        return type(self.stream).__name__ != "RecordBatchReader"

    @property
    def names(self) -> tuple[str, ...]:
        columns = getattr(self.stream, "columns", None)
        if isinstance(columns, list | tuple):
            return tuple(map(str, columns))
        schema: Any = getattr(self.stream, "schema", None)
        known = hasattr(schema, "names")
        return tuple(schema.names if known else _reader(self.stream).schema.names)

    @property
    def n_parts(self) -> None:
        return None

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[MemoryPart]:
        source = self.stream
        if columns is not None and type(source).__module__.partition(".")[0] in ("duckdb", "_duckdb"):
            source = source.select(*map(_quoted, columns))
        return _counted(iter(_reader(source)), "stream")


def _reader(source: Any) -> Any:
    if hasattr(source, "to_arrow_reader"):
        return source.to_arrow_reader(BATCH_ROWS)
    if hasattr(source, "fetch_record_batch"):
        return source.fetch_record_batch(BATCH_ROWS)
    return require("pyarrow").RecordBatchReader.from_stream(source)


def _quoted(name: str) -> str:
    """A column name in SQL, whatever it is."""
    return '"' + name.replace('"', '""') + '"'
