r"""CSV files read as they are: every cell is text first, and then whatever it is.

`csv.py` decides once what a column holds, for models. To look at a file, nothing is decided: in each block a column
becomes numbers, truths or times where all its cells are that, and else a column of cells of several kinds. Rows that
are too short or too long, text that is not UTF-8 and rows that never end are refused with their place; the header is
row 1.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from suffice._core.errors import UnreadableSource
from suffice._core.frames import require
from suffice.engine.sources.csv import _delimiter
from suffice.engine.sources.encodings import ADVICE, complaint, decoded, said
from suffice.engine.sources.grids import Grid, GridSource, told_apart
from suffice.engine.sources.kinds import reading_errors, unreadable

BLOCK = 8 << 20
HEADER = 4 << 20  # bytes that a header may have
GAPS = ["", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "#N/A"]
NUMBER = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$|^\s*[+-]?(?i:inf|infinity)\s*$"
CODE = r"^0\d+$"  # a number has no zeros before it
COMMA = r"^\D*\d[\d.,]*,\d[\d.,]*\D*$"  # a number with a comma, perhaps with a unit
WHOLE = r"^\s*[+-]?\d{1,18}\s*$"
LONG = r"^\s*[+-]?\d{16,}\s*$"  # more digits than a float has
LONGEST_NUMBER = 300  # digits of a whole number that is kept in full
OTHER_LENGTH = re.compile(r"Row #(\d+): Expected (\d+) columns, got (\d+): (.*)", re.DOTALL)
SEPARATOR = re.compile(r"sep=([,;|\t])\r?\n")
TRUTH = r"^(?i:true|false)$"
TIME = r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$"
ZONE = r"[T ]\d{2}:\d{2}.*(Z|[+-]\d{2}:?\d{2})$"


def open_loose(paths: tuple[str, ...]) -> GridSource:
    """Files with the header of the first."""
    heads = [header(path) for path in paths]
    for path, (names, *_) in zip(paths, heads, strict=True):
        if names != heads[0][0]:
            raise UnreadableSource(
                f"{path!r} has other columns than {paths[0]!r}: {_difference(heads[0][0], names)}."
            )
    readers = tuple((path, partial(blocks, path, *head)) for path, head in zip(paths, heads, strict=True))
    return GridSource(heads[0][0], readers)


def _difference(first: tuple[str, ...], names: tuple[str, ...]) -> str:
    for j, (a, b) in enumerate(zip(first, names, strict=False)):
        if a != b:
            return f"column {j + 1} is {b!r}, not {a!r}"
    return f"{len(names)}, not {len(first)}"


def header(path: str) -> tuple[tuple[str, ...], str, str, int]:
    """Names, delimiter, encoding, and lines before the names: spreadsheets write `sep=;` there."""
    try:
        with require("pyarrow").input_stream(path) as stream:
            start = stream.read(HEADER)
    except reading_errors() as error:
        raise unreadable(path, error) from error
    encoding = said() or ("utf-16" if start[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8")
    text = _beginning(path, start, encoding).lstrip("\r\n")
    told = SEPARATOR.match(text)
    text = text[told.end() :] if told else text
    if not text.strip():
        raise UnreadableSource(f"{path!r} cannot be read: it is empty, without a header.")
    line = text.splitlines()[0]
    if len(start) == HEADER and len(line) >= len(text) - 1:
        raise UnreadableSource(f"{path!r} cannot be read: row 1 has no end within {HEADER >> 20} MB.")
    mark = told[1] if told else _delimiter(line)
    try:
        names = next(csv.reader(io.StringIO(text, newline=""), delimiter=mark), [])
    except csv.Error as error:
        raise UnreadableSource(f"{path!r} cannot be read: row 1: {error}.") from None
    if any("\ufffd" in name for name in names) and "\ufffd".encode() not in start:
        raise UnreadableSource(f"{path!r} cannot be read: row 1 is not {encoding}. {ADVICE}")
    return told_apart(names), mark, encoding, int(told is not None)


def begins_with_its_delimiter(path: str) -> bool:
    """Whether a file begins with `sep=;`, as spreadsheet programs write it; one that cannot be read does not."""
    try:
        with require("pyarrow").input_stream(path) as stream:
            return SEPARATOR.match(stream.read(8).decode("utf-8-sig", "replace")) is not None
    except reading_errors():
        return False


def _beginning(path: str, start: bytes, encoding: str) -> str:
    """The beginning as text; rows that are no UTF-8 are told with their place when they are read."""
    try:
        return decoded(path, start, encoding, len(start) < HEADER)
    except UnreadableSource:
        line = start[: max(start.find(b"\n"), 0)]
        if encoding != "utf-8" or not line or b"\x00" in line:
            raise
        return decoded(path, line, encoding, True) + "\n" + start[len(line) + 1 :].decode(encoding, "replace")


def blocks(path: str, names: tuple[str, ...], mark: str, encoding: str, before: int = 0) -> Iterator[Grid]:
    """Blocks of a file as grids; at least one."""
    pa, reader = require("pyarrow"), require("pyarrow.csv")
    rows, last = 1, None
    try:
        with reader.open_csv(
            path,
            read_options=reader.ReadOptions(
                block_size=BLOCK,
                use_threads=False,
                column_names=names,
                skip_rows=before,
                skip_rows_after_names=1,
                encoding=encoding,
            ),
            parse_options=reader.ParseOptions(
                delimiter=mark,
                newlines_in_values=True,
                ignore_empty_lines=len(names) > 1,
            ),
            convert_options=reader.ConvertOptions(
                column_types=dict.fromkeys(names, pa.binary()), null_values=GAPS, strings_can_be_null=True
            ),
        ) as stream:
            for batch in stream:
                last = batch if batch.num_rows else last
                yield Grid(
                    names, [_typed(c, path, n, rows) for c, n in zip(batch.columns, names, strict=True)]
                )
                rows += batch.num_rows
    except reading_errors() as error:
        raise _refusal(path, error, rows, encoding) from error
    if last is not None and _left_open(path, last, mark.encode()):
        raise UnreadableSource(
            f"{path!r} cannot be read: row {rows}, column {names[-1]!r} begins with a quote that is never closed."
        )
    if rows == 1:
        yield Grid(names, [pa.nulls(0)] * len(names), 0)


def _refusal(path: str, error: Exception, rows: int, encoding: str) -> Exception:
    if isinstance(error, UnreadableSource):
        return error
    if isinstance(error, UnicodeDecodeError):
        return UnreadableSource(f"{path!r} cannot be read: {complaint(error, encoding)}")
    if odd := OTHER_LENGTH.search(str(error)):
        row, width, cells, text = odd.groups()
        shown = f": {text[:60]!r}." if "\ufffd" not in text else f". {ADVICE}"
        return UnreadableSource(
            f"{path!r} cannot be read: row {row} has {cells} cells, the header {width}{shown}"
        )
    if "straddling" in str(error) or "exceeds" in str(error):
        where = f"within {BLOCK >> 20} MB" if os.path.getsize(path) >= BLOCK else "in the file"
        return UnreadableSource(
            f"{path!r} cannot be read: a row after row {rows} has no end {where}; a quote may be left open."
        )
    if "Empty CSV file" in str(error):
        return UnreadableSource(f"{path!r} cannot be read: it has a header and nothing else that is a row.")
    return unreadable(path, error)


def _left_open(path: str, last: Any, mark: bytes) -> bool:
    """Whether the last cell must have been quoted, and the file does not end in a quote."""
    cell = last.column(last.num_columns - 1)[-1].as_py() or b""
    if (b"\n" not in cell and mark not in cell) or path.lower().endswith((".gz", ".bz2")):
        return False
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 64))
        return not file.read().rstrip(b"\r\n\x00 ").endswith(b'"')


# -- cells to kinds -----------------------------------------------------------------------------------------------
def _typed(column: Any, path: str, name: str, rows: int) -> Any:
    """A column of bytes as what its cells are."""
    pa, pc = require("pyarrow"), require("pyarrow.compute")
    text = _decoded(column, path, name, rows)
    n = len(text) - text.null_count
    if n == 0:
        return pa.nulls(len(text))
    for pattern, kind in ((WHOLE, pa.int64()), (NUMBER, pa.float64()), (TRUTH, pa.bool_()), (TIME, None)):
        fits = pc.match_substring_regex(text, pattern)
        if kind == pa.int64() and pc.any(pc.match_substring_regex(text, CODE)).as_py():
            return text
        if pc.sum(fits).as_py() == n:
            if kind == pa.float64() and pc.any(pc.match_substring_regex(text, LONG)).as_py():
                return _mixed(text, fits.to_numpy(zero_copy_only=False))
            return _as_times(text) if kind is None else _cast(text, kind)
        if kind == pa.float64() and pc.any(fits).as_py():
            return _mixed(text, fits.to_numpy(zero_copy_only=False))
    return text


def _cast(text: Any, kind: Any) -> Any:
    """Texts that are all of a kind; Arrow reads fewer ways to write a number than people have."""
    pa, pc = require("pyarrow"), require("pyarrow.compute")
    try:
        return pc.utf8_trim_whitespace(text).cast(kind)
    except pa.ArrowInvalid:
        return _mixed(text, text.is_valid().to_numpy(zero_copy_only=False))


def _decoded(column: Any, path: str, name: str, rows: int) -> Any:
    pa = require("pyarrow")
    try:
        return column.cast(pa.string())
    except pa.ArrowInvalid:
        for i, cell in enumerate(column.to_pylist()):
            try:
                (cell or b"").decode()
            except UnicodeDecodeError as error:
                raise UnreadableSource(
                    f"{path!r} cannot be read: row {rows + i + 1}, column {name!r} is not UTF-8 "
                    f"({error.reason} at byte {error.start} of {(cell or b'')[:24]!r}). {ADVICE}"
                ) from None
        raise


def _as_times(text: Any) -> Any:
    """Times; with zones in all cells or in none, for without one nobody knows which moment is meant."""
    pa, pc = require("pyarrow"), require("pyarrow.compute")
    zoned = pc.sum(pc.match_substring_regex(text, ZONE)).as_py()
    ends_in_z = pc.sum(pc.ends_with(text, "Z")).as_py()
    if zoned > ends_in_z and zoned < len(text) - text.null_count:
        return text
    zone = "UTC" if zoned > ends_in_z else None
    plain = text if zone else pc.replace_substring(text, "Z", "")
    for unit in ("ns", "us"):
        try:
            return plain.cast(pa.timestamp(unit, zone))
        except pa.ArrowInvalid:  # a day that no month has, or a year beyond nanoseconds
            continue
    return text


def _number(text: str) -> int | float:
    """A number; a whole one with more digits than a float has, in full."""
    return int(text) if re.match(LONG, text) and len(text) <= LONGEST_NUMBER else float(text)


def _mixed(text: Any, fits: Any) -> np.ndarray:
    """Numbers where they are, text elsewhere; beside numbers with a comma, one with a point may mean another."""
    pc = require("pyarrow.compute")
    cells = text.to_numpy(zero_copy_only=False).copy()
    number = np.equal(fits, True)
    if pc.any(pc.match_substring_regex(text, COMMA)).as_py():
        number &= np.equal(pc.match_substring_regex(text, WHOLE).to_numpy(zero_copy_only=False), True)
    cells[number] = [_number(c) for c in cells[number]]
    return cells
