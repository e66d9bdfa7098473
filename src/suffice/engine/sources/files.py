"""Parquet and CSV files: paths, lists of paths, patterns such as "data/2024-*.parquet", folders.

A Parquet file gives a part per row group (small ones together), a CSV file is one part; both are read by whoever
works on them, a few megabytes at a time. All files must have the columns of the first, holding the same kind of
thing; a file that cannot be read is named.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from typing import Any

from suffice._core.errors import InvalidInput, UnreadableSource
from suffice._core.frames import require
from suffice._core.records import record

ENDINGS = {"parquet": (".parquet", ".pq"), "CSV": (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".csv.bz2")}
PART_ROWS = 131_072  # small row groups are read together up to this
BATCH_ROWS, BATCH_BYTES = 131_072, 96 << 20  # a larger row group is read in batches
CSV_BLOCK = 8 << 20


def open_files(value: Any) -> ParquetSource | CsvSource:
    """A source from a path, a pattern, a folder, or a list of these."""
    given = [value] if isinstance(value, str | os.PathLike) else list(value)
    paths = tuple(path for v in given for path in _found(os.fspath(v)))
    kinds = {_kind(path) for path in paths}
    if len(kinds) > 1:
        raise InvalidInput("The files of a source must be all Parquet or all CSV; got both.")
    return ParquetSource.of(paths) if kinds == {"parquet"} else CsvSource.of(paths)


def _found(pattern: str) -> list[str]:
    if os.path.isdir(pattern):
        inside = sorted(glob.glob(os.path.join(glob.escape(pattern), "**", "*"), recursive=True))
        paths = [p for p in inside if _kind(p, strict=False)]
    else:
        paths = [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern, recursive=True))
    if not paths:
        raise UnreadableSource(f"There is no CSV or Parquet file at {pattern!r}.")
    return paths


def _kind(path: str, strict: bool = True) -> str | None:
    kind = next((k for k, endings in ENDINGS.items() if path.lower().endswith(endings)), None)
    if kind is None and strict:
        raise InvalidInput(f"{path!r} must end in {', '.join(e for pair in ENDINGS.values() for e in pair)}.")
    return kind


def _unreadable(path: str, error: Exception) -> UnreadableSource:
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return UnreadableSource(f"{path!r} cannot be read: {first}")


def _reading_errors() -> tuple[type[Exception], ...]:
    return (require("pyarrow").ArrowException, OSError, ValueError, EOFError, KeyError)


# -- what a column holds ------------------------------------------------------------------------------------
def kind_of(arrow_type: Any) -> str:
    """One word for what a column holds."""
    types = require("pyarrow").types
    if types.is_null(arrow_type):
        return "nothing"
    if types.is_dictionary(arrow_type):
        return kind_of(arrow_type.value_type)
    if any(f(arrow_type) for f in (types.is_integer, types.is_floating, types.is_decimal, types.is_boolean)):
        return "numbers"
    if any(f(arrow_type) for f in (types.is_string, types.is_large_string, types.is_string_view)):
        return "text"
    return "times" if types.is_temporal(arrow_type) else "something else"


def check_kinds(path: str, kinds: dict[str, str], first: str, expected: dict[str, str]) -> None:
    """Raise where a file lacks a column of the first one, or holds something else in it."""
    for name, kind in expected.items():
        if name not in kinds:
            raise UnreadableSource(f"{path!r} has no column {name!r}, which {first!r} has.")
        if kinds[name] != kind and "nothing" not in (kinds[name], kind):
            raise UnreadableSource(
                f"Column {name!r} of {path!r} holds {kinds[name]}, but {kind} in {first!r}."
            )


# -- Parquet --------------------------------------------------------------------------------------------------
@record
class ParquetPart:
    """Some row groups of a file."""

    path: str
    groups: tuple[int, ...]
    columns: tuple[str, ...] | None
    file: int
    start: int

    @property
    def name(self) -> str:
        return f"{self.path!r}, rows {self.start} and on"

    def batches(self) -> Iterator[Any]:
        pq, columns = require("pyarrow.parquet"), None if self.columns is None else list(self.columns)
        try:
            with pq.ParquetFile(self.path) as file:
                size = sum(file.metadata.row_group(g).total_byte_size for g in self.groups)
                if size <= BATCH_BYTES:
                    table = file.read_row_groups(list(self.groups), columns=columns, use_threads=False)
                    for a in range(0, max(table.num_rows, 1), BATCH_ROWS):
                        yield table.slice(a, BATCH_ROWS)
                else:
                    options = {"row_groups": list(self.groups), "columns": columns, "use_threads": False}
                    yield from file.iter_batches(BATCH_ROWS, **options)
        except _reading_errors() as error:
            raise _unreadable(self.path, error) from error


@record
class Broken:
    """A file that was found to be unreadable when its source was opened."""

    path: str
    reason: str
    file: int
    start: int = 0

    @property
    def name(self) -> str:
        return repr(self.path)

    def batches(self) -> Iterator[Any]:
        raise UnreadableSource(self.reason)


@record
class ParquetSource:
    """Files with the rows of each of their row groups, or the reason why one cannot be read."""

    paths: tuple[str, ...]
    groups: tuple[tuple[int, ...] | str, ...]
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    again: bool = True

    @classmethod
    def of(cls, paths: tuple[str, ...]) -> ParquetSource:
        """Read the footers; kinds of columns must agree with those of the first readable file."""
        pq = require("pyarrow.parquet")
        groups: list[tuple[int, ...] | str] = []
        first = ""
        expected: dict[str, str] = {}
        for path in paths:
            try:
                with pq.ParquetFile(path) as file:
                    kinds = {f.name: kind_of(f.type) for f in file.schema_arrow}
                    meta = file.metadata
                    sizes = tuple(meta.row_group(g).num_rows for g in range(meta.num_row_groups))
            except _reading_errors() as error:
                groups.append(str(_unreadable(path, error)))
                continue
            if not expected:
                first, expected = path, kinds
            groups.append(_disagreement(path, kinds, first, expected) or sizes)
        if not expected:
            raise UnreadableSource(str(groups[0]))
        return cls(paths, tuple(groups), tuple(expected), tuple(expected.values()))

    @property
    def n_parts(self) -> int:
        return sum(1 for _ in self.parts())

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[ParquetPart | Broken]:
        wanted = None if columns is None else tuple(columns)
        for i, (path, sizes) in enumerate(zip(self.paths, self.groups, strict=True)):
            if isinstance(sizes, str):
                yield Broken(path, sizes, i)
                continue
            for start, groups in _together(sizes):
                yield ParquetPart(path, groups, wanted, i, start)


def _disagreement(path: str, kinds: dict[str, str], first: str, expected: dict[str, str]) -> str | None:
    try:
        check_kinds(path, kinds, first, expected)
    except UnreadableSource as error:
        return str(error)
    return None


def _together(sizes: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(first row, row groups) of each part: neighbours are joined while they are small."""
    start, rows = 0, 0
    groups: list[int] = []
    for g, size in enumerate(sizes):
        if groups and rows + size > PART_ROWS:
            yield start, tuple(groups)
            start, rows, groups = start + rows, 0, []
        groups.append(g)
        rows += size
    if groups:
        yield start, tuple(groups)


# -- CSV ------------------------------------------------------------------------------------------------------
@record
class CsvPart:
    """A whole file, read as a stream. Kinds of columns are those of the first file, so that no block guesses."""

    path: str
    columns: tuple[str, ...] | None
    kinds: tuple[tuple[str, str], ...]
    first: str
    file: int
    start: int = 0

    @property
    def name(self) -> str:
        return repr(self.path)

    def batches(self) -> Iterator[Any]:
        names = _header(self.path)
        check_kinds(self.path, dict.fromkeys(names, "nothing"), self.first, dict(self.kinds))
        try:
            with _stream(self.path, self.columns, dict(self.kinds)) as reader:
                yield from reader
        except _reading_errors() as error:
            raise _unreadable(self.path, _with_column(error, names)) from error


@record
class CsvSource:
    """CSV files with a header line; numbers are read as decimals, everything else as text."""

    paths: tuple[str, ...]
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    again: bool = True

    @classmethod
    def of(cls, paths: tuple[str, ...]) -> CsvSource:
        try:
            with _stream(paths[0], None, None) as reader:
                schema = reader.schema
        except _reading_errors() as error:
            raise _unreadable(paths[0], error) from error
        return cls(paths, tuple(schema.names), tuple(kind_of(t) for t in schema.types))

    @property
    def n_parts(self) -> int:
        return len(self.paths)

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[CsvPart]:
        kinds = tuple(zip(self.names, self.kinds, strict=True))
        wanted = None if columns is None else tuple(columns)
        for i, path in enumerate(self.paths):
            yield CsvPart(path, wanted, kinds, self.paths[0], i)


def _stream(path: str, columns: tuple[str, ...] | None, kinds: dict[str, str] | None) -> Any:
    pa, csv = require("pyarrow"), require("pyarrow.csv")
    forced = {"numbers": pa.float64(), "nothing": pa.float64(), "text": pa.string()}
    types = {name: forced[kind] for name, kind in (kinds or {}).items() if kind in forced}
    return csv.open_csv(
        path,
        read_options=csv.ReadOptions(block_size=CSV_BLOCK, use_threads=False),
        parse_options=csv.ParseOptions(delimiter=_delimiter(path)),
        convert_options=csv.ConvertOptions(
            include_columns=None if columns is None else list(columns),
            column_types=types,
            strings_can_be_null=True,
            true_values=["1", "true", "True", "TRUE"] if kinds is None else None,
        ),
    )


def _first_line(path: str) -> str:
    try:
        with require("pyarrow").input_stream(path) as stream:
            return stream.read(1 << 16).decode("utf-8-sig", errors="replace").partition("\n")[0].rstrip("\r")
    except _reading_errors() as error:
        raise _unreadable(path, error) from error


def _delimiter(path: str) -> str:
    line = _first_line(path)
    return max((",", ";", "\t", "|"), key=lambda mark: (line.count(mark), mark == ","))


def _header(path: str) -> list[str]:
    import csv

    return next(csv.reader([_first_line(path)], delimiter=_delimiter(path)), [])


def _with_column(error: Exception, names: list[str]) -> Exception:
    """The reader counts columns; people call them by name."""
    head, mark, tail = str(error).partition("In CSV column #")
    number, _, rest = tail.partition(":")
    if mark and number.isdigit() and int(number) < len(names):
        return ValueError(f"{head}column {names[int(number)]!r}:{rest}")
    return error
