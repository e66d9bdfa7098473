"""`describe`: a table in memory, files of any format and size, or batches; one pass, the same numbers.

source ─▶ batches ─▶ TableSummary + TableSummary + … ─▶ attributes (judged by the first rows) ─▶ Description
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice.engine.reduce import executor_for, reduce_parts
from suffice.engine.sources import Source, as_source
from suffice.engine.sources.arrays import BatchSource, TableSource, is_table
from suffice.engine.sources.grids import Grid, GridSource, told_apart
from suffice.engine.sources.lazy import DatasetSource
from suffice.engine.sources.parquet import ParquetSource
from suffice.engine.sources.tables import open_tables
from suffice.prepare.looking._columns import column_names, open_columns, ordered_levels, tidy
from suffice.prepare.looking._profile import profile
from suffice.prepare.looking._scales import judge
from suffice.prepare.looking._summing import MOST_PAIRED, Summing, TableSummary, chosen
from suffice.prepare.looking._telling import told
from suffice.prepare.looking.attributes import SCALES, Attribute
from suffice.prepare.looking.description import Description
from suffice.statistics.column_summary import ColumnSummary


def describe(
    table: Any,
    types: Mapping[str, Any] | None = None,
    *,
    columns: Any = None,
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
        Overrules what is inferred, by column: a scale ("nominal", "ordinal", "interval", "ratio"), the values of an
        ordinal column from the lowest, or an `Attribute`.
    columns
        Names of the columns to describe; all of them if left out.
    executor
        Who reads the batches, as in `suffice.engine.reduce`.
    tick
        Is called after each part of the source.

    Notes
    -----
    Counts, extremes and moments are exact for any size. Different values are counted exactly up to 200,000 (texts:
    50,000), and with them percentiles, modes and entropy; beyond, each states its error. Attributes are judged by the
    first 10,000 rows, and corrected where later rows contradict.

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
    total: TableSummary = reduce_parts(parts, Summing(left), work, tick=tick)
    kept = names if places is None else tuple(names[j] for j in places)
    if len(total.columns) != len(kept):
        raise InvalidInput(f"The table has {len(kept)} names and {len(total.columns)} columns.")
    levels = ordered_levels(table) if is_table(table) else {}
    return described(kept, total, {**levels, **_checked(types, kept)})


def opened(table: Any) -> Source:
    """A source of tables from what a caller has."""
    if isinstance(table, str | os.PathLike):
        return open_tables([table])
    if isinstance(table, list) and table and all(isinstance(v, str | os.PathLike) for v in table):
        return open_tables(table)
    if isinstance(table, Source) or is_table(table):
        return as_source(table)
    if _is_here(table):
        held = open_columns(table)
        return in_memory(column_names(table), list(held.values()))
    source = as_source(table)
    if source.names is None:
        return _named(source)
    return source


def _is_here(table: Any) -> bool:
    """Whether a value without batches holds the rows itself: a mapping, an array, a series, a list of rows."""
    if isinstance(table, list):
        return bool(table) and not any(is_table(v) or isinstance(v, tuple) for v in table)
    kinds = Mapping | np.ndarray
    return isinstance(table, kinds) or any(hasattr(table, a) for a in ("feature_names", "tocsr", "to_frame"))


def in_memory(names: tuple[str, ...], columns: list[np.ndarray]) -> GridSource:
    """Columns that are here, a grid at a time."""
    grid = Grid(names, columns)
    step = min(131_072, max(1024, 3_000_000 // max(len(names), 1)))
    grids = [grid[a : a + step] for a in range(0, grid.shape[0], step)] or [grid]
    return GridSource(names, (("table", lambda: iter(grids)),))


def _named(source: Source) -> Source:
    """Batches that must be tables, with the names of the first."""
    from suffice.engine.opening import _peeked

    if isinstance(source, BatchSource):
        source = _peeked(source)
    if source.names is None:
        raise InvalidInput("Batches of arrays have no column names; describe takes tables, or one array.")
    return source


def _parts(
    source: Source, names: tuple[str, ...], places: tuple[int, ...] | None
) -> tuple[Any, tuple[int, ...] | None]:
    """Parts, and the places of what is wanted in their batches: a file of columns is asked for those alone."""
    if not isinstance(source, ParquetSource | TableSource | DatasetSource) or names != source.names:
        return source.parts(), places
    wanted = names if places is None else [names[j] for j in places]
    return source.parts(wanted), None


# -- attributes ---------------------------------------------------------------------------------------------------
def _checked(types: Mapping[str, Any] | None, names: tuple[str, ...]) -> dict[str, Any]:
    for name, given in (types or {}).items():
        if name not in names:
            raise InvalidParameter(
                f"types: there is no column {name!r} in the table.{did_you_mean(name, names)}"
            )
        if isinstance(given, str) and given not in SCALES:
            raise InvalidParameter(
                f"types: {name!r} must be one of {', '.join(SCALES)}, or an order; got {given!r}."
            )
    return dict(types or {})


def attribute(name: str, s: ColumnSummary, head: np.ndarray, given: Any) -> Attribute:
    """What the first rows say, corrected by all rows, overruled by what is given."""
    if isinstance(given, Attribute):
        return replace(given, name=name, rows=s.rows, missing=s.missing, distinct=round(different(s)))
    levels = tuple(map(str, given)) if given is not None and not isinstance(given, str) else None
    # a column that begins with gaps only is judged by what it holds at all
    kind = next(iter(s.kinds), "nothing") if len(s.kinds) < 2 else "text"
    with np.errstate(over="ignore", invalid="ignore"):  # numbers near the largest there is
        verdict = judge(profile(name, _judged(s, head, kind), levels))
    scale, why, order = verdict.scale, verdict.why, verdict.order
    if scale == "ratio" and s.numbers.n and s.numbers.low < 0:
        scale, why = "interval", "Numbers below zero: zero is not none of it."
    if isinstance(given, str):
        scale, why, order = given, "As given.", order if given == "ordinal" else None  # type: ignore[assignment]
    continuity = verdict.continuity or "discrete"
    distinct = round(different(s))
    if continuity == "binary" and distinct > 2:
        continuity = "discrete" if s.numbers.whole else "continuous"
    single = verdict.identifier and distinct >= 0.95 * s.present
    return Attribute(name, kind, scale, continuity, why, s.rows, s.missing, distinct, order, single)  # type: ignore[arg-type]


def _judged(s: ColumnSummary, head: np.ndarray, kind: str) -> np.ndarray:
    """The first rows; where they hold nothing, the most frequent values."""
    if any(v is not None and v == v for v in head.tolist()) or not s.present:
        return tidy(head)
    if kind == "numbers":
        return np.array([v for v, _ in s.numbers.counts.top(1000)])
    if kind == "times":
        return np.array([v for v, _ in s.times.counts.top(1000)], dtype="datetime64[us]")
    return (
        np.array([False, True])
        if kind == "flags"
        else np.array([w for w, _ in s.texts.counts.top(1000)], dtype=object)
    )


def different(s: ColumnSummary) -> float:
    """How many values differ, of all kinds together."""
    held = s.numbers.counts.distinct + s.texts.counts.distinct + s.times.counts.distinct
    return held + sum(map(bool, s.flags)) + sum(map(bool, s.numbers.infinite))


# -- the description ----------------------------------------------------------------------------------------------
def described(names: tuple[str, ...], total: TableSummary, types: Mapping[str, Any]) -> Description:
    """Summaries to sentences, column by column, and the correlations."""
    columns = tuple(
        told(s, attribute(name, s, head, types.get(name)))
        for name, s, head in zip(names, total.columns, total.head, strict=True)
    )
    rows = total.columns[0].rows if total.columns else 0
    fit = [j for j, c in enumerate(columns) if c.attribute.kind == "numbers" and c.std is not None]
    notes = [_mixed(c.name, c.mixed) for c in columns if c.mixed]
    if total.pairs is None:
        notes.append(f"No correlations: the table has more than {MOST_PAIRED} columns; choose some.")
    if total.pairs is None or len(fit) < 2:
        return Description(columns, rows, notes=tuple(notes))
    matrix = total.pairs.correlation[np.ix_(fit, fit)]
    return Description(columns, rows, tuple(names[j] for j in fit), matrix, tuple(notes))


def _mixed(name: str, kinds: tuple[tuple[str, int], ...]) -> str:
    return f"Column {name!r} is mixed: " + ", ".join(f"{count:,} {kind}" for kind, count in kinds) + "."
