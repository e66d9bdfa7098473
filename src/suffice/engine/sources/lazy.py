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
from suffice.engine.columns import n_rows, names_of
from suffice.engine.sources.arrays import Here

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
    def name(self) -> str:
        return repr(getattr(self.fragment, "path", f"fragment {self.file}"))

    def batches(self) -> Iterator[Any]:
        columns = None if self.columns is None else list(self.columns)
        try:
            yield from self.fragment.to_batches(
                schema=self.schema, columns=columns, batch_size=BATCH_ROWS, use_threads=False
            )
        except (require("pyarrow").ArrowException, OSError, ValueError, TypeError) as error:
            raise UnreadableSource(
                f"{self.name} cannot be read: {str(error).strip().splitlines()[0]}"
            ) from error


@record
class DatasetSource:
    """A `pyarrow.dataset.Dataset`, a part per fragment."""

    dataset: Any
    again: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.dataset.schema.names)

    @property
    def n_parts(self) -> int:
        return sum(1 for _ in self.dataset.get_fragments())

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[FragmentPart]:
        wanted = None if columns is None else tuple(columns)
        for i, fragment in enumerate(self.dataset.get_fragments()):
            yield FragmentPart(fragment, self.dataset.schema, wanted, i)


# -- streams ------------------------------------------------------------------------------------------------
def _counted(batches: Iterator[Any], word: str) -> Iterator[Here]:
    start = 0
    for i, batch in enumerate(batches):
        yield Here(batch, f"batch {i} of the {word}", 0, start)
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

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[Here]:
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
        return names_of(self.stream) if hasattr(self.stream, "num_rows") else tuple(self.stream.schema.names)

    @property
    def n_parts(self) -> None:
        return None

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[Here]:
        source = self.stream
        if columns is not None and type(source).__module__.partition(".")[0] in ("duckdb", "_duckdb"):
            source = source.select(*columns) if hasattr(source, "select") else source
        if hasattr(source, "to_arrow_reader"):
            reader = source.to_arrow_reader(BATCH_ROWS)
        elif hasattr(source, "fetch_record_batch"):
            reader = source.fetch_record_batch(BATCH_ROWS)
        else:
            reader = require("pyarrow").RecordBatchReader.from_stream(source)
        return _counted(iter(reader), "stream")
