"""Which files a path stands for: a file, a pattern such as "data/2024-*.parquet", a folder, or a list of these."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import Any

from suffice._core.errors import InvalidInput, UnreadableSource
from suffice.engine.sources.csv import CsvSource
from suffice.engine.sources.parquet import ParquetSource

ENDINGS = {
    "Parquet": (".parquet", ".pq"),
    "CSV": (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".csv.bz2", ".tsv.bz2"),
}


def open_files(value: Any) -> ParquetSource | CsvSource:
    """A source from a path, a pattern, a folder, or a list of these."""
    given = [value] if isinstance(value, str | os.PathLike) else list(value)
    paths = tuple(path for v in given for path in _found(os.fspath(v)))
    kinds = {_kind(path): path for path in reversed(paths)}
    if None in kinds:
        endings = ", ".join(e for several in ENDINGS.values() for e in several)
        raise InvalidInput(
            f"{kinds[None]!r} is not known to be Parquet or CSV: its name must end in {endings}."
        )
    if len(kinds) > 1:
        raise InvalidInput(
            f"The files of a source must be all Parquet or all CSV; {kinds['Parquet']!r} is Parquet and "
            f"{kinds['CSV']!r} is CSV. Name the ending in the pattern."
        )
    return ParquetSource.of(paths) if "Parquet" in kinds else CsvSource.of(paths)


def _found(pattern: str) -> list[str]:
    """Files in sorted order; those of a folder are the ones whose ending is known."""
    matches = [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern, recursive=True))
    paths = [path for match in matches for path in ([match] if os.path.isfile(match) else _inside(match))]
    if not paths:
        raise UnreadableSource(f"There is no CSV or Parquet file at {pattern!r} (from {os.getcwd()!r}).")
    return list(dict.fromkeys(paths))


def _inside(folder: str) -> Iterable[str]:
    everything = sorted(glob.glob(os.path.join(glob.escape(folder), "**", "*"), recursive=True))
    return (path for path in everything if _kind(path) and os.path.isfile(path))


def _kind(path: str) -> str | None:
    return next((kind for kind, endings in ENDINGS.items() if path.lower().endswith(endings)), None)
