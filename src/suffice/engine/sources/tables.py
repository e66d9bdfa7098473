"""Arrow files, lines of JSON and databases; the last two row by row, as grids."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from functools import partial
from itertools import islice
from time import monotonic
from typing import Any

from suffice._core.errors import UnreadableSource
from suffice._core.frames import require
from suffice.engine.sources.grids import BATCH_CELLS, Grid, GridSource, gathered, told_apart
from suffice.engine.sources.kinds import reading_errors, unreadable
from suffice.engine.sources.lazy import DatasetSource, StreamSource
from suffice.engine.sources.sheets import chosen
from suffice.tables.cells import as_objects

LONGEST_LINE = 64 << 20
VIEW_ROWS, VIEW_SECONDS = 5_000_000, 60.0  # of a view, and between two of its rows


# -- Arrow ------------------------------------------------------------------------------------------------------
def open_arrow(paths: tuple[str, ...]) -> DatasetSource:
    try:
        return DatasetSource(require("pyarrow.dataset").dataset(list(paths), format="ipc"))
    except reading_errors() as error:
        raise unreadable(paths[0], error) from error


# -- lines of JSON ----------------------------------------------------------------------------------------------
def open_lines(paths: tuple[str, ...]) -> GridSource:
    """Columns are the keys of the first lines of all files, in the order of their appearance."""
    names: dict[str, None] = {}
    for path in paths:
        for _, entry in islice(_entries(path), 1000):
            names |= dict.fromkeys(entry)
    if not names:
        raise UnreadableSource(f"{paths[0]!r} cannot be read: it has no line with an object.")
    return GridSource(tuple(names), tuple((p, partial(_line_grids, p, tuple(names))) for p in paths))


def _entries(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with gzip.open(path, "rb") if path.lower().endswith(".gz") else open(path, "rb") as file:
            for i, line in enumerate(iter(partial(file.readline, LONGEST_LINE), b""), 1):
                if line.strip():
                    yield i, _entry(path, i, line)
    except (OSError, EOFError) as error:
        raise unreadable(path, error) from error


def _entry(path: str, i: int, line: bytes) -> dict[str, Any]:
    if len(line) >= LONGEST_LINE:
        raise UnreadableSource(f"{path!r} cannot be read: row {i} is longer than {LONGEST_LINE >> 20} MB.")
    try:
        found = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableSource(f"{path!r} cannot be read: row {i} is not JSON: {error}.") from None
    if not isinstance(found, dict):
        raise UnreadableSource(
            f"{path!r} cannot be read: row {i} holds a {type(found).__name__}, not an object with names."
        )
    return found


def _line_grids(path: str, names: tuple[str, ...]) -> Iterator[Grid]:
    known, entries, first = set(names), _entries(path), True
    while (block := list(islice(entries, max(1, BATCH_CELLS // len(names))))) or first:
        for i, entry in block:
            if late := [key for key in entry if key not in known]:
                raise UnreadableSource(
                    f"{path!r} cannot be read: row {i} has a column {late[0]!r} that no earlier row has; "
                    "columns must appear within the first 1,000 rows."
                )
        yield Grid(names, [as_objects([e.get(n) for _, e in block]) for n in names], len(block))
        first = False


# -- databases ---------------------------------------------------------------------------------------------------
def open_sqlite(path: str, inside: str | None) -> GridSource:
    with _connected(path) as base:
        listed = _asked(
            path, base, "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
        )
        known = {name: kind for name, kind in listed if not name.startswith("sqlite_")}
        table = chosen(path, list(known), inside, "table")
        names = told_apart(
            d[0] for d in _asked(path, base, f"SELECT * FROM {_quoted(table)} LIMIT 0").description
        )
    return GridSource(names, ((path, partial(_sqlite_grids, path, table, names, known[table] == "view")),))


def _sqlite_grids(path: str, table: str, names: tuple[str, ...], view: bool = False) -> Iterator[Grid]:
    import sqlite3

    with _connected(path) as base:
        try:
            rows = _bounded(path, table, base) if view else base.execute(f"SELECT * FROM {_quoted(table)}")
            yield from gathered(names, rows, path)
        except sqlite3.Error as error:
            raise unreadable(path, error) from error


def _bounded(path: str, view: str, base: Any) -> Iterator[Any]:
    """Rows of a view, which is a program: it may never end, and never give a row either."""
    import sqlite3

    deadline = [monotonic() + VIEW_SECONDS]
    base.set_progress_handler(lambda: monotonic() > deadline[0], 100_000)
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_LINE)
    way_out = (
        f"Write its rows to a table first: CREATE TABLE rows AS SELECT * FROM {_quoted(view)} LIMIT 1000000."
    )
    try:
        for i, row in enumerate(base.execute(f"SELECT * FROM {_quoted(view)}")):
            if i == VIEW_ROWS:
                raise UnreadableSource(
                    f"{path!r} cannot be read: view {view!r} has more than {VIEW_ROWS:,} rows, and perhaps no end. "
                    + way_out
                )
            yield row
            deadline[0] = monotonic() + VIEW_SECONDS
    except sqlite3.OperationalError as error:
        if str(error) != "interrupted":
            raise
        raise UnreadableSource(
            f"{path!r} cannot be read: view {view!r} gave no row for {VIEW_SECONDS:.0f} seconds. {way_out}"
        ) from None


def _connected(path: str) -> Any:
    import sqlite3
    from contextlib import closing
    from urllib.parse import quote

    return closing(sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True))


def _asked(path: str, base: Any, question: str) -> Any:
    import sqlite3

    try:
        return base.execute(question)
    except sqlite3.Error as error:
        raise unreadable(path, error) from error


def open_duckdb(path: str, inside: str | None) -> StreamSource:
    duckdb = require("duckdb")
    try:
        base = duckdb.connect(path, read_only=True)
        listed = [
            n
            for (n,) in base.execute("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall()
        ]
        return StreamSource(base.sql(f"SELECT * FROM {_quoted(chosen(path, listed, inside, 'table'))}"))
    except duckdb.Error as error:
        raise unreadable(path, error) from error


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
