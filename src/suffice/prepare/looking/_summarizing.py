"""One column of a batch, as its library holds it, to its summary, its numbers row by row, and its first rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.frames import require
from suffice.statistics.column_summary import ColumnSummary, Numbers, Texts, as_float, sorted_out
from suffice.statistics.sketches import Frequent, Registers, hash_bytes
from suffice.statistics.tallies import MOST, SketchedCounts, WordCounts
from suffice.tables.cells import as_objects
from suffice.tables.columns import array_of, arrow_of, head_of

HEAD = 10_000  # first rows, which are kept as they are


def summarized(column: Any) -> tuple[ColumnSummary, np.ndarray | None]:
    """The summary of a column, and its numbers row by row where it has any (NaN elsewhere)."""
    if (held := arrow_of(column)) is not None:
        return _of_arrow(held)
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
        pa = require("pyarrow")
        return pa.array(values, pa.large_string())
    except (ImportError, UnicodeEncodeError):
        return None


def _plain(column: Any) -> np.ndarray:
    """A column as an array; spans of time in seconds."""
    values = array_of(column)
    return _span_seconds(values) if values.dtype.kind == "m" else values


def _span_seconds(values: np.ndarray) -> np.ndarray:
    """Spans of time in seconds; a gap is NaN."""
    return values / np.timedelta64(1, "s")


def _cells_as_numbers(values: np.ndarray) -> np.ndarray:
    cells: list[Any] = values.tolist()
    return np.array([as_float(v) if sorted_out(v)[0] == "number" else np.nan for v in cells], dtype=float)


def _of_arrow(column: Any) -> tuple[ColumnSummary, np.ndarray | None]:
    pa = require("pyarrow")
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
    pa = require("pyarrow")
    t, types = column.type, pa.types
    if types.is_dictionary(t):
        return _simple(column.cast(t.value_type))
    if types.is_decimal(t) or types.is_float16(t):
        column = column.cast(pa.float64())
    elif types.is_date(t):
        column = column.cast(pa.timestamp("s" if types.is_date32(t) else "ms"))
    elif types.is_timestamp(t) and t.tz is not None:
        column = column.cast(pa.timestamp(t.unit))
    elif types.is_duration(t):
        column = pa.array(_span_seconds(column.to_numpy(zero_copy_only=False)), from_pandas=True)
    elif types.is_time(t) or types.is_string(t) or types.is_string_view(t):
        column = column.cast(pa.large_string())
    elif types.is_interval(t) or not (types.is_primitive(t) or types.is_null(t) or types.is_large_string(t)):
        cells = [None if v is None else _written(v) for v in column.to_pylist()]
        column = pa.array(cells, pa.large_string())
    return column, column.type


def _written(value: Any) -> str:
    if (
        type(value).__name__ == "MonthDayNano"
    ):  # months and days have no fixed length: a span that is no number
        return f"{value.months} months {value.days} days {value.nanoseconds / 1e9:g} s"
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def _texts(held: Any) -> Texts:
    """Texts without gaps, counted by Arrow."""
    pa, pc = require("pyarrow"), require("pyarrow.compute")

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
    return Texts(SketchedCounts(Registers.of(hashes), Frequent.of(words.to_pylist, counts)), lengths)


def first_rows(column: Any) -> np.ndarray:
    """The first rows of a column; gaps are None, or NaN among numbers. Spans of time are not yet seconds."""
    first = head_of(column, HEAD)
    if (part := arrow_of(first)) is not None:
        pa = require("pyarrow")
        part = part.combine_chunks() if isinstance(part, pa.ChunkedArray) else part
        if pa.types.is_duration(part.type) and not isinstance(part, pa.ChunkedArray):
            return part.to_numpy(zero_copy_only=False)
        part, t = _simple(part) if not isinstance(part, pa.ChunkedArray) else (pa.nulls(0), pa.null())
        if pa.types.is_null(t):
            return as_objects([None] * len(part))
        return part.to_numpy(zero_copy_only=False)
    return array_of(first)
