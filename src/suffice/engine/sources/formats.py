"""The registry of file formats, and which files a path stands for.

Fits, cross-validation, descriptions, studies, predictions and merges all open files here. A path is a file, a pattern
such as "data/2024-*.parquet", a folder, or a list of these; `file.db::table` names a table or a sheet inside.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable
from typing import Any

from suffice._core.errors import InvalidInput, InvalidParameter, UnreadableSource
from suffice._core.records import record
from suffice.engine.sources.csv import CsvSource
from suffice.engine.sources.loose import begins_with_its_delimiter, open_loose
from suffice.engine.sources.parquet import ParquetSource
from suffice.engine.sources.sheets import open_sheet
from suffice.engine.sources.tables import open_arrow, open_duckdb, open_lines, open_sqlite


@record
class FileFormat:
    """The endings of its files, and who opens them: several at once, or one and the name of what is inside."""

    endings: tuple[str, ...]
    open_all: Callable[[tuple[str, ...]], Any] | None = None
    open_one: Callable[[str, str | None], Any] | None = None


def open_csv(paths: tuple[str, ...]) -> Any:
    """Columns of one kind each, decided once; files that a spreadsheet program marked are read cell by cell."""
    return open_loose(paths) if any(map(begins_with_its_delimiter, paths)) else CsvSource.of(paths)


CSV = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".csv.bz2", ".tsv.bz2")
FORMATS = {
    "Parquet": FileFormat((".parquet", ".pq"), ParquetSource.of),
    "CSV": FileFormat(CSV, open_csv),
    "Arrow": FileFormat((".arrow", ".feather", ".ipc"), open_arrow),
    "JSON lines": FileFormat((".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"), open_lines),
    "Excel": FileFormat((".xlsx", ".xlsm"), None, open_sheet),
    "SQLite": FileFormat((".sqlite", ".sqlite3", ".db"), None, open_sqlite),
    "DuckDB": FileFormat((".duckdb",), None, open_duckdb),
}
AS_THEY_ARE = FORMATS | {"CSV": FileFormat(CSV, open_loose)}  # to look at files: every cell is what it is


def open_files(given: Any, formats: dict[str, FileFormat] = FORMATS) -> Any:
    """A source from paths and patterns, all of one format."""
    several = [given] if isinstance(given, str | os.PathLike) else list(given)
    pairs = [_split(os.fspath(path)) for path in several]
    files = [(path, inside) for pattern, inside in pairs for path in found(pattern)]
    kinds = {format_of(path): path for path, _ in files}
    if len(kinds) > 1:
        told = ", ".join(f"{path!r} is {kind}" for kind, path in kinds.items())
        raise InvalidInput(
            f"The files of a source must be of one format; {told}. Name the ending in the pattern."
        )
    kind, paths = next(iter(kinds)), tuple(dict.fromkeys(path for path, _ in files))
    inside, reader = next((i for _, i in files if i), None), formats[kind]
    if reader.open_all is not None:
        if inside is not None:
            raise InvalidParameter(
                f"'::{inside}' names a table of a database or a sheet; {paths[0]!r} is {kind}."
            )
        return reader.open_all(paths)
    if len(paths) > 1:
        raise InvalidInput(f"{kind} files are read one at a time; got {len(paths)}.")
    assert reader.open_one is not None
    return reader.open_one(paths[0], inside)


def found(pattern: str) -> list[str]:
    """Files in sorted order; those of a folder are the ones whose ending is known."""
    matches = [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern, recursive=True))
    paths = [p for m in matches for p in ([m] if os.path.isfile(m) else _inside(m))]
    odd = next((m for m in matches if not os.path.isfile(m) and not os.path.isdir(m)), None)
    if odd is not None:
        raise UnreadableSource(
            f"{odd!r} is a pipe or a device, not a file: its format cannot be told from its name. Write it to a file "
            "first; `suffice describe -` reads standard input."
        )
    if not paths:
        raise UnreadableSource(f"There is no file at {pattern!r} (from {os.getcwd()!r}).")
    return list(dict.fromkeys(paths))


def _inside(folder: str) -> Iterable[str]:
    everything = sorted(glob.glob(os.path.join(glob.escape(folder), "**", "*"), recursive=True))
    return (path for path in everything if _known(path) and os.path.isfile(path))


def _known(path: str) -> str | None:
    return next((kind for kind, f in FORMATS.items() if path.lower().endswith(f.endings)), None)


def format_of(path: str) -> str:
    """The format that the ending of a name says."""
    if (kind := _known(path)) is not None:
        return kind
    known = ", ".join(e for f in FORMATS.values() for e in f.endings)
    raise InvalidInput(f"{path!r} has no known ending; the name must end in {known}.")


def _split(path: str) -> tuple[str, str | None]:
    head, mark, inside = path.rpartition("::")
    return (head, inside) if mark and not os.path.exists(path) else (path, None)
