"""A batch of a table to summaries that add: one per column, correlations of pairs, and the first rows as they are.

Correlations are of pairs: each uses the rows where both columns have a finite number. They are left out of tables with
more than `MOST_PAIRED` columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice._core.records import record
from suffice.engine.values import n_rows
from suffice.prepare.looking._batches import HeldCategories, categories_of_pandas
from suffice.prepare.looking._decimal_marks import with_numbers
from suffice.prepare.looking._summarizing import HEAD, first_rows, summarized
from suffice.statistics.column_summary import ColumnSummary
from suffice.statistics.pairs import LOWEST, PairMoments
from suffice.tables.frames import frame_of
from suffice.tables.opening import open_column
from suffice.tables.tidying import tidy

MOST_PAIRED = 100


@record
class TableSummary:
    """Columns, pairs of them, up to `HEAD` first rows of the first file, and what the table itself says of columns."""

    columns: tuple[ColumnSummary, ...]
    pairs: PairMoments | None
    head: tuple[np.ndarray, ...]
    held: tuple[HeldCategories, ...]

    def __add__(self, other: TableSummary) -> TableSummary:
        if len(self.columns) != len(other.columns):
            raise InvalidInput(f"Batches have {len(self.columns)} and {len(other.columns)} columns.")
        columns = tuple(a + b for a, b in zip(self.columns, other.columns, strict=True))
        pairs = None if self.pairs is None or other.pairs is None else self.pairs + other.pairs
        head = tuple(_longer(a, b) for a, b in zip(self.head, other.head, strict=True))
        held = tuple(a + b for a, b in zip(self.held, other.held, strict=True))
        return TableSummary(columns, pairs, head, held)


def _longer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if not len(b) or len(a) >= HEAD:
        return a
    if a.dtype != b.dtype and a.dtype.kind + b.dtype.kind not in ("if", "fi"):
        a, b = a.astype(object), b.astype(object)
    return np.concatenate([a, b])[:HEAD] if len(a) else b


@record
class BatchWork:
    """The work on a batch: `places` are the columns that are wanted, None for all; `names` are those of the wanted.

    `decimal` is the mark of numbers in text that become numbers first.
    """

    names: tuple[str, ...]
    places: tuple[int, ...] | None = None
    decimal: str | None = None

    def __call__(self, batch: Any, file: int, start: int) -> TableSummary:
        columns = list(columns_of(batch))
        places = range(len(columns)) if self.places is None else self.places
        wanted = [columns[j] for j in places]
        if self.decimal is not None:
            wanted = [_numbers_of_text(column, self.decimal) for column in wanted]
        total = summed(wanted, n_rows(batch), file == 0 and start < HEAD, self.names)
        if any(said := categories_of_pandas(batch)):
            held = tuple(h + HeldCategories(said[j]) for j, h in zip(places, total.held, strict=True))
            total = replace(total, held=held)
        return total


def _numbers_of_text(column: Any, decimal: str) -> Any:
    """A column as it is; of text that writes numbers with this mark, an array of numbers and of what is left."""
    values = open_column("", column).values
    found = with_numbers(values, decimal)
    return column if found is values else tidy(found)


def chosen(names: tuple[str, ...], columns: Any) -> tuple[int, ...] | None:
    """Places of the columns that are asked for."""
    if columns is None:
        return None
    several = isinstance(columns, Iterable) and not isinstance(columns, str)
    listed = [as_name(c, names) for c in (columns if several else [columns])]
    for name in listed:
        if name not in names:
            raise InvalidParameter(
                f"columns: there is no column {name!r} in the table.{did_you_mean(name, names)}"
            )
    return tuple(names.index(name) for name in listed)


def as_name(given: Any, names: Sequence[str]) -> str:
    """A name as tables have it here: as text."""
    return given if given in names else str(given)


def summed(columns: list[Any], rows: int, with_head: bool, names: Sequence[str] = ()) -> TableSummary:
    """Columns of a batch to their summaries."""
    found = [_told(j, c, names) for j, c in enumerate(columns)]
    pairs = None
    if len(columns) <= MOST_PAIRED:
        pairs = _paired([numbers for _, numbers in found], rows)
    head = tuple(first_rows(c) if with_head else np.empty(0) for c in columns)
    return TableSummary(tuple(s for s, _ in found), pairs, head, tuple(HeldCategories.of(c) for c in columns))


def _told(j: int, column: Any, names: Sequence[str]) -> tuple[ColumnSummary, np.ndarray | None]:
    try:
        return summarized(column)
    except InvalidInput as error:
        name = repr(names[j]) if j < len(names) else str(j + 1)
        raise InvalidInput(f"Column {name}: {error}") from None


def _paired(columns: list[np.ndarray | None], rows: int) -> PairMoments:
    """Pairs among columns of numbers; the others count as gaps."""
    d = len(columns)
    n, offset, scatter, together = np.zeros((4, d, d))
    shift, exponent = np.zeros(d), np.full(d, LOWEST)
    here = [j for j, c in enumerate(columns) if c is not None]
    if here and rows:
        found = PairMoments.of(np.column_stack([columns[j] for j in here]))  # type: ignore[misc]
        at = np.ix_(here, here)
        n[at], offset[at], scatter[at], together[at] = found.n, found.offset, found.scatter, found.together
        shift[here], exponent[here] = found.shift, found.exponent
    return PairMoments(n, shift, offset, scatter, together, exponent)


def columns_of(batch: Any) -> Iterator[Any]:
    """The columns of a batch as their library holds them."""
    if (frame := frame_of(batch)) is None:
        raise InvalidInput(f"A batch of type {type(batch).__name__} has no columns; give a table.")
    yield from (frame.column(j) for j in range(len(frame.labels)))
