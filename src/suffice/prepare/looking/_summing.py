"""A batch of a table to summaries that add: one per column, correlations of pairs, and the first rows as they are.

Correlations are of pairs: each uses the rows where both columns have a finite number. They are left out of tables with
more than `MOST_PAIRED` columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice._core.records import record
from suffice.engine.sources.grids import Grid, objects
from suffice.engine.values import is_arrow, n_rows
from suffice.statistics.column_summary import ColumnSummary, Numbers, Texts, as_float, sorted_out
from suffice.statistics.pairs import LOWEST, PairMoments
from suffice.statistics.sketches import Frequent, Registers, hash_bytes
from suffice.statistics.tallies import MOST, Crowd, WordCounts

MOST_PAIRED = 100
HEAD = 10_000  # first rows, by which attributes are judged


@record
class TableSummary:
    """Columns, pairs of them, and up to `HEAD` first rows of the first file."""

    columns: tuple[ColumnSummary, ...]
    pairs: PairMoments | None
    head: tuple[np.ndarray, ...]

    def __add__(self, other: TableSummary) -> TableSummary:
        if len(self.columns) != len(other.columns):
            raise InvalidInput(f"Batches have {len(self.columns)} and {len(other.columns)} columns.")
        columns = tuple(a + b for a, b in zip(self.columns, other.columns, strict=True))
        pairs = None if self.pairs is None or other.pairs is None else self.pairs + other.pairs
        head = tuple(_longer(a, b) for a, b in zip(self.head, other.head, strict=True))
        return TableSummary(columns, pairs, head)


def _longer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if not len(b) or len(a) >= HEAD:
        return a
    if a.dtype != b.dtype and a.dtype.kind + b.dtype.kind not in ("if", "fi"):
        a, b = a.astype(object), b.astype(object)
    return np.concatenate([a, b])[:HEAD] if len(a) else b


@record
class Summing:
    """The work on a batch: `places` are the columns that are wanted, None for all."""

    places: tuple[int, ...] | None = None

    def __call__(self, batch: Any, file: int, start: int) -> TableSummary:
        columns = list(columns_of(batch))
        if self.places is not None:
            columns = [columns[j] for j in self.places]
        return summed(columns, n_rows(batch), file == 0 and start < HEAD)


def chosen(names: tuple[str, ...], columns: Any) -> tuple[int, ...] | None:
    """Places of the columns that are asked for."""
    if columns is None:
        return None
    listed = (columns,) if isinstance(columns, str) else tuple(columns)
    for name in listed:
        if name not in names:
            raise InvalidParameter(
                f"columns: there is no column {name!r} in the table.{did_you_mean(name, names)}"
            )
    return tuple(names.index(name) for name in listed)


def summed(columns: list[Any], rows: int, with_head: bool) -> TableSummary:
    """Columns of a batch to their summaries."""
    found = [summarized(c) for c in columns]
    pairs = None
    if len(columns) <= MOST_PAIRED:
        pairs = _paired([numbers for _, numbers in found], rows)
    head = tuple(_first(c) if with_head else np.empty(0) for c in columns)
    return TableSummary(tuple(s for s, _ in found), pairs, head)


def _paired(columns: list[np.ndarray | None], rows: int) -> PairMoments:
    """Pairs among columns of numbers; the others count as gaps."""
    d = len(columns)
    n, mean, scatter, together = np.zeros((4, d, d))
    exponent = np.full(d, LOWEST)
    here = [j for j, c in enumerate(columns) if c is not None]
    if here and rows:
        found = PairMoments.of(np.column_stack([columns[j] for j in here]))  # type: ignore[misc]
        at = np.ix_(here, here)
        n[at], mean[at], scatter[at], together[at] = found.n, found.mean, found.scatter, found.together
        exponent[here] = found.exponent
    return PairMoments(n, mean, scatter, together, exponent)


def columns_of(batch: Any) -> Iterator[Any]:
    """The columns of a batch as their library holds them."""
    if isinstance(batch, Grid) or is_arrow(batch):
        yield from batch.columns
    elif hasattr(batch, "iloc"):
        yield from (batch.iloc[:, j] for j in range(batch.shape[1]))
    elif hasattr(batch, "get_columns"):
        yield from (_arrow_or_array(c) for c in batch.get_columns())
    else:
        raise InvalidInput(f"A batch of type {type(batch).__name__} has no columns; give a table.")


def _arrow_or_array(series: Any) -> Any:
    try:
        return series.to_arrow()
    except ImportError:
        return objects(series.to_list())


# -- one column -------------------------------------------------------------------------------------------------
def summarized(column: Any) -> tuple[ColumnSummary, np.ndarray | None]:
    """The summary of a column, and its numbers row by row where it has any (NaN elsewhere)."""
    if hasattr(column, "null_count") and hasattr(column, "type"):
        return _of_arrow(column)
    values = _plain(column)
    if values.dtype.kind in "iuf":
        return ColumnSummary.of(values), values.astype(float)
    if values.dtype == object and (words := _words(values)) is not None:
        return _of_arrow(words)
    s = ColumnSummary.of(values)
    return s, _cells_as_numbers(values) if s.numbers.n else None


def _words(values: np.ndarray) -> Any:
    """A column of texts and gaps as Arrow has it, which counts faster; None where it is none, or Arrow is not here."""
    if not {type(v) for v in values} <= {str, type(None)}:
        return None
    try:
        import pyarrow as pa

        return pa.array(values, pa.large_string())
    except (ImportError, UnicodeEncodeError):
        return None


def _plain(column: Any) -> np.ndarray:
    """A pandas column or an array as an array; numbers with gaps stay numbers."""
    if not hasattr(column, "iloc"):
        return np.asarray(column)
    kind = getattr(column.dtype, "kind", "O")
    if kind in "iuf" and column.isna().any() and hasattr(column.dtype, "na_value"):
        return column.to_numpy(dtype=float, na_value=np.nan)
    if kind == "M" and getattr(column.dtype, "tz", None) is not None:
        return column.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
    if kind == "m":
        return column.dt.total_seconds().to_numpy()
    values = np.asarray(column.to_numpy())
    if values.dtype == object and (gone := column.isna().to_numpy()).any():
        values = values.copy()
        values[gone] = None
    return values


def _cells_as_numbers(values: np.ndarray) -> np.ndarray:
    cells: list[Any] = values.tolist()
    return np.array([as_float(v) if sorted_out(v)[0] == "number" else np.nan for v in cells], dtype=float)


def _of_arrow(column: Any) -> tuple[ColumnSummary, np.ndarray | None]:
    import pyarrow as pa

    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(column, pa.ChunkedArray):  # no chunk at all
        column = pa.nulls(0)
    column, t = _simple(column)
    gaps, types = column.null_count, pa.types
    if types.is_null(t):
        return ColumnSummary(len(column), len(column)), None
    if types.is_integer(t) or types.is_floating(t):
        aligned = column.to_numpy(zero_copy_only=False)
        held = column.drop_null().to_numpy(zero_copy_only=False) if gaps else aligned
        return ColumnSummary.of_numbers(held, gaps), aligned.astype(float, copy=False)
    held = column.drop_null()
    if types.is_boolean(t):
        return ColumnSummary.of_numbers(held.to_numpy(zero_copy_only=False), gaps), None
    if types.is_timestamp(t):
        return ColumnSummary.of_times(held.to_numpy(zero_copy_only=False), gaps), None
    return ColumnSummary(len(column), gaps, texts=_texts(held)), None


def _simple(column: Any) -> tuple[Any, Any]:
    """A column of one of few types: dictionaries and decimals decoded, dates as times, spans in seconds."""
    import pyarrow as pa

    t, types = column.type, pa.types
    if types.is_dictionary(t):
        return _simple(column.cast(t.value_type))
    if types.is_decimal(t) or types.is_float16(t):
        column = column.cast(pa.float64())
    elif types.is_date(t) or types.is_timestamp(t):
        column = column.cast(pa.timestamp("us"), safe=False)
    elif types.is_duration(t):
        column = _seconds(column)
    elif types.is_time(t) or types.is_string(t) or types.is_string_view(t):
        column = column.cast(pa.large_string())
    elif not (types.is_primitive(t) or types.is_null(t) or types.is_large_string(t)):
        cells = [None if v is None else _written(v) for v in column.to_pylist()]
        column = pa.array(cells, pa.large_string())
    return column, column.type


def _written(value: Any) -> str:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def _seconds(column: Any) -> Any:
    import pyarrow as pa

    unit = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[column.type.unit]
    numbers = column.cast(pa.int64()).to_numpy(zero_copy_only=False).astype(float) / unit
    return pa.array(numbers, from_pandas=True)


def _texts(held: Any) -> Texts:
    """Texts without gaps, counted by Arrow."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not len(held):
        return Texts()
    lengths = Numbers.of(pc.utf8_length(held).to_numpy(zero_copy_only=False).astype(np.int64))
    found = pc.value_counts(held)
    words, counts = found.field(0), found.field(1).to_numpy(zero_copy_only=False)
    if len(words) <= MOST["words"]:
        return Texts(WordCounts(dict(zip(words.to_pylist(), counts.tolist(), strict=True))), lengths)
    words = pa.concat_arrays([words])  # without an offset
    _, bounds, data = words.buffers()
    ends = np.frombuffer(bounds, np.int64)[words.offset : words.offset + len(words) + 1]
    hashes = hash_bytes(np.frombuffer(data, np.uint8), ends)
    return Texts(Crowd(Registers.of(hashes), Frequent.of(words.to_pylist, counts)), lengths)


def _first(column: Any) -> np.ndarray:
    """The first rows of a column; gaps are None, or NaN among numbers."""
    if hasattr(column, "null_count") and hasattr(column, "type"):
        import pyarrow as pa

        part = column.slice(0, HEAD)
        part = part.combine_chunks() if isinstance(part, pa.ChunkedArray) else part
        part, t = _simple(part) if not isinstance(part, pa.ChunkedArray) else (pa.nulls(0), pa.null())
        if pa.types.is_null(t):
            return objects([None] * len(part))
        return part.to_numpy(zero_copy_only=False)
    return _plain(column[:HEAD] if not hasattr(column, "iloc") else column.iloc[:HEAD])
