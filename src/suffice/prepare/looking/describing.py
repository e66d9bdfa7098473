"""`describe`: a table in memory, files of any format and size, or batches; one pass, the same numbers.

source ─▶ batches ─▶ TableSummary + TableSummary + … ─▶ attributes ─▶ Description
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, check_choice
from suffice.engine.reduce import executor_for, reduce_parts
from suffice.engine.sources import Source, as_source
from suffice.engine.sources.arrays import BatchSource, MemoryPart, TableSource
from suffice.engine.sources.formats import AS_THEY_ARE, open_files
from suffice.engine.sources.grids import Grid, GridSource, told_apart
from suffice.engine.sources.lazy import DatasetSource
from suffice.engine.sources.parquet import ParquetSource
from suffice.prepare.looking._batches import Aligned, HeldCategories
from suffice.prepare.looking._describe_column import describe_column
from suffice.prepare.looking._judging import judged
from suffice.prepare.looking._overriding import by_name, overridden
from suffice.prepare.looking._scales import DATES_AS_TEXT, NUMBERS_AS_TEXT
from suffice.prepare.looking._summing import MOST_PAIRED, BatchWork, TableSummary, chosen
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.looking.description import ColumnDescription, Description
from suffice.tables.frames import is_frame
from suffice.tables.opening import Table, unique

MOST_NAMED = 6  # columns that a note names


def describe(
    table: Any,
    types: Mapping[str, Any] | None = None,
    *,
    columns: Any = None,
    decimal: str | None = None,
    executor: Any = None,
    tick: Callable[[], None] | None = None,
) -> Description:
    """What each column of a table holds, and nothing that makes no sense for its scale.

    Parameters
    ----------
    table
        A pandas or polars frame, an Arrow table, a mapping of columns, an array, a data set of `suffice.datasets`;
        paths of CSV, Parquet, Arrow, JSON-lines, Excel, SQLite or DuckDB files (`file.db::table`); or anything that
        `suffice.engine` reads in batches. One pass; rows need not fit into memory.
    types
        Overrules what is inferred, by column, as the `overrides` of `attribute_types`: a scale ("nominal", "ordinal",
        "interval", "ratio"), a continuity, "identifier", the values of an ordinal column from the lowest, a dict of
        several of these, or an `Attribute`.
    columns
        Names of the columns to describe; all of them if left out.
    decimal
        The decimal mark of numbers in text, "." or ",": columns of such text are described as numbers. Left out, they
        are text, and a note says how they would be read.
    executor
        Who reads the batches, as in `suffice.engine.reduce`.
    tick
        Is called after each part of the source.

    Notes
    -----
    Counts, extremes and moments are exact for any size. Different values are counted exactly up to 200,000 (texts:
    50,000), and with them percentiles, modes and entropy; beyond, each states its error. Attributes are judged by all
    rows; whether numbers count the rows, by the first 10,000 of them. Where batches or files differ in the order of
    their columns, columns are matched by name.

    Examples
    --------
    >>> from suffice.prepare import describe
    >>> d = describe({"weight": [1.0, 2.0, 2.0, 4.0, 4.0], "city": ["Oslo", "Rome", "Rome", None, "Rome"]})
    >>> d["weight"].mean, d["weight"].quartiles, d["weight"].modes
    (2.6, (1.0, 1.75, 2.0, 4.0, 4.0), (2.0, 4.0))
    >>> d["city"].mean, d["city"].modes, d["city"].missing
    (None, ('Rome',), 1)
    """
    source = opened(table)
    names = told_apart(source.names or ())
    places = chosen(names, columns)
    work = executor_for(source, executor)
    parts, left = _parts(source, names, places)
    kept = names if places is None else tuple(names[j] for j in places)
    if decimal is not None:
        check_choice("decimal", decimal, (".", ","))
    total: TableSummary = reduce_parts(parts, BatchWork(kept, left, decimal), work, tick=tick)
    if len(total.columns) != len(kept):
        raise InvalidInput(f"The table has {len(kept)} names and {len(total.columns)} columns.")
    return described(kept, total, by_name(types, kept, "types"), _held(table))


def _held(table: Any) -> dict[str, HeldCategories]:
    """Categories of a table in memory whose columns became arrays on the way."""
    if not isinstance(table, Mapping):
        return {}
    held = map(HeldCategories.of, table.values())
    return dict(zip(unique(list(map(str, table))), held, strict=True))


def opened(table: Any) -> Source:
    """A source of tables from what a caller has."""
    listed = table if isinstance(table, list) else [table]
    if listed and all(isinstance(v, str | os.PathLike) for v in listed):
        return open_files(listed, AS_THEY_ARE)
    if isinstance(table, Source) or is_frame(table):
        return as_source(table)
    if _is_here(table):
        held = Table.of(table)
        return in_memory(held.given, list(held.arrays.values()))
    if isinstance(table, list) and not table:
        raise InvalidInput("The table is an empty list: it has neither rows nor columns.")
    try:
        source = as_source(table)
    except InvalidInput:
        if isinstance(table, Iterable):
            raise
        raise InvalidInput(
            "A table is a pandas or polars frame, an Arrow table, a mapping of columns, an array, a list of rows, "
            "batches of tables, or the path of a CSV, Parquet, Arrow, JSON-lines, Excel, SQLite or DuckDB file; "
            f"got {table!r:.60} ({type(table).__name__})."
        ) from None
    if source.names is None:
        return _named(source)
    return source


def _is_here(table: Any) -> bool:
    """Whether a value without batches holds the rows itself: a mapping, an array, a series, a list of rows."""
    if isinstance(table, list):
        return bool(table) and not any(is_frame(v) or _is_pair(v) for v in table)
    kinds = Mapping | np.ndarray
    return isinstance(table, kinds) or any(hasattr(table, a) for a in ("feature_names", "tocsr", "to_frame"))


def _is_pair(value: Any) -> bool:
    """Whether a tuple is a batch (X, y) of arrays, and not a row of cells."""
    return isinstance(value, tuple) and any(hasattr(v, "shape") or isinstance(v, list | tuple) for v in value)


def in_memory(names: tuple[str, ...], columns: list[np.ndarray]) -> GridSource:
    """Columns that are here, a grid at a time."""
    grid = Grid(names, columns)
    step = min(131_072, max(1024, 3_000_000 // max(len(names), 1)))
    grids = [grid.cut(slice(a, a + step)) for a in range(0, grid.n, step)] or [grid]
    return GridSource(names, (("table", lambda: iter(grids)),))


def _named(source: Source) -> Source:
    """Batches that must be tables, with the names of the first."""
    from suffice.engine.opening import peeked

    if isinstance(source, BatchSource):
        source = peeked(source)
    if source.names is None:
        raise InvalidInput("Batches of arrays have no column names; describe takes tables, or one array.")
    return Aligned(source, source.names)


def _parts(
    source: Source, names: tuple[str, ...], places: tuple[int, ...] | None
) -> tuple[Any, tuple[int, ...] | None]:
    """Parts, and the places of what is wanted in their batches: a file of columns is asked for those alone."""
    if not isinstance(source, ParquetSource | TableSource | DatasetSource) or names != source.names:
        return chain(source.parts(), [_no_rows(names)]), places
    wanted = names if places is None else [names[j] for j in places]
    return chain(source.parts(wanted), [_no_rows(wanted)]), None


def _no_rows(names: Sequence[str]) -> MemoryPart:
    """A batch that adds nothing, so that a table without rows still has its columns."""
    return MemoryPart(Grid(names, [np.empty(0)] * len(names), 0), "no rows", 1)


# -- the description ----------------------------------------------------------------------------------------------
def described(
    names: tuple[str, ...],
    total: TableSummary,
    types: Mapping[str, Any],
    declared: Mapping[str, HeldCategories],
) -> Description:
    """Summaries to sentences, column by column, and the correlations."""
    columns = tuple(
        describe_column(s, _attribute(judged(name, s, head, declared.get(name, held)), types))
        for name, s, head, held in zip(names, total.columns, total.head, total.held, strict=True)
    )
    rows = total.columns[0].rows if total.columns else 0
    fit = [j for j, c in enumerate(columns) if c.attribute.kind == "numbers" and c.std is not None]
    notes = _notes(columns)
    if total.pairs is None:
        notes.append(f"No correlations: the table has more than {MOST_PAIRED} columns; choose some.")
    if total.pairs is None or len(fit) < 2:
        return Description(columns, rows, notes=tuple(notes)).keeping(total.columns)
    at, kept = np.ix_(fit, fit), tuple(names[j] for j in fit)
    matrices = (total.pairs.correlation[at], total.pairs.covariance[at])
    return Description(columns, rows, kept, matrices[0], tuple(notes), matrices[1]).keeping(total.columns)


def _notes(columns: Sequence[ColumnDescription]) -> list[str]:
    """What a reader of the table would not see in it."""
    notes = [_mixed(c.name, c.mixed) for c in columns if c.mixed]
    notes += [
        f"Column {c.name!r} holds {c.attribute.why[0].lower()}{c.attribute.why[1:]}"
        for c in columns
        if c.attribute.why.startswith(f"{NUMBERS_AS_TEXT}:")
    ]
    for reason, what in ((f"{NUMBERS_AS_TEXT};", "numbers"), (DATES_AS_TEXT, "dates")):
        if found := [repr(c.name) for c in columns if c.attribute.why.startswith(reason)]:
            more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
            listed = f"{', '.join(found[:MOST_NAMED])}{more}"
            one = "Column" if len(found) == 1 else "Columns"
            verb = "holds" if len(found) == 1 else "hold"
            notes.append(f"{one} {listed} {verb} {what} written as text; convert them to compute with them.")
    return notes + [
        f"Column {c.name!r} is infinite in {c.infinite:,} of {c.rows:,} rows; mean, spread and range leave these out."
        for c in columns
        if c.infinite and c.attribute.kind == "numbers"
    ]


def _attribute(a: Attribute, types: Mapping[str, Any]) -> Attribute:
    return overridden(a, types[a.name], "types") if a.name in types else a


def _mixed(name: str, kinds: tuple[tuple[str, int], ...]) -> str:
    return f"Column {name!r} is mixed: " + ", ".join(f"{count:,} {kind}" for kind, count in kinds) + "."
