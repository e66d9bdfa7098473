"""A source and a model, ready to work: which columns, which executor, and what the first batch decides.

Everything that depends on data before the first row is counted (columns, basis, classes) is taken from the first
batch that has rows; later ones must agree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    SufficeError,
    UnreadableSource,
    check_choice,
    did_you_mean,
    hold_warnings,
)
from suffice._core.records import record
from suffice.engine.columns import Columns
from suffice.engine.door import Entering, Gathering, Planning, chosen, unpack
from suffice.engine.reduce import executor_for, reduce_parts
from suffice.engine.sources import Headed, Part, Source, as_source
from suffice.engine.sources.arrays import BatchSource
from suffice.engine.values import array, n_rows, place
from suffice.tables.cells import gaps, is_time, word
from suffice.tables.frames import frame_of

__all__ = ["Entering", "Gathering", "Opened", "Planning", "chosen", "open_source", "unpack"]


@record
class Opened:
    """A source, the columns to read (None for arrays), and who reads them."""

    source: Source
    columns: Columns | None
    executor: Any
    corrupt: str = "raise"

    def parts(self) -> Iterator[Part]:
        if self.columns is None:
            return self.source.parts()
        names = self.source.names or ()
        for name in self.columns.needed:
            if name not in names:
                raise InvalidParameter(
                    f"There is no column {name!r} in the table.{did_you_mean(name, names)}"
                )
        return self.source.parts(self.columns.needed)

    def sum(self, work: Callable[[Any, int, int], Any], tick: Callable[[], None] | None = None) -> Any:
        """The sum of `work(batch, file, start)` over all batches."""
        return reduce_parts(self.parts(), work, self.executor, self.corrupt, tick)

    def first(self, work: Callable[[Any, int, int], Any]) -> tuple[Any, Opened]:
        """`work` of the first batch that has rows, done by a worker; and the source with that batch still in it."""
        read: list[Part] = []
        parts = self.parts()
        with self.executor:
            for part in parts:
                read.append(part)
                for value in self.executor.map(First(work, self.corrupt == "skip"), [part]):
                    if value is not None:
                        source = self.source if self.source.again else Begun(self.source, tuple(read), parts)
                        return value, Opened(source, self.columns, self.executor, self.corrupt)
        raise InvalidInput(
            "The source has no rows to fit: it is empty, no row fulfils the conditions, or all weights are zero."
        )


@record
class First:
    """The work on the first batch of a part that yields anything."""

    work: Callable[[Any, int, int], Any]
    skip: bool

    def __call__(self, part: Part) -> Any:
        with hold_warnings():  # said again when the batch is counted
            try:
                return self._first(part)
            except UnreadableSource:
                if not self.skip:
                    raise
                return None
            except SufficeError as error:
                error.add_note(f"This happened in {part.name}.")
                raise

    def _first(self, part: Part) -> Any:
        start = part.start
        for batch in part.head() if isinstance(part, Headed) else part.batches():
            value = self.work(batch, part.file, start)
            if value is not None:
                return value
            start += n_rows(batch)
        return None


@record
class Begun:
    """A source that can be read once, with the parts that have been read already."""

    source: Source
    read: tuple[Part, ...]
    rest: Iterator[Part]

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.source.names

    @property
    def again(self) -> bool:
        return False

    @property
    def n_parts(self) -> int | None:
        return self.source.n_parts

    def parts(self, columns: Sequence[str] | None = None) -> Iterator[Part]:
        return chain(self.read, self.rest)


def open_source(
    source: Any,
    target: Any = None,
    columns: Any = None,
    *,
    weight: str | None = None,
    categories: Any = None,
    where: Any = None,
    executor: Any = None,
    corrupt: str = "raise",
) -> Opened:
    """Resolve what a caller gives; categories that are only named are looked for in a pass of their own."""
    check_choice("corrupt", corrupt, ("raise", "skip"))
    opened = as_source(source)
    worker = executor_for(opened, executor)
    if isinstance(opened, BatchSource):
        opened = peeked(opened)
    if opened.names is None:
        _refuse_names(target=target, columns=columns, weight=weight, categories=categories, where=where)
        return Opened(opened, None, worker, corrupt)
    known, to_find = _columns(opened.names, target, columns, weight, categories, where)
    ready = Opened(opened, known, worker, corrupt)
    if not to_find:
        return ready
    found = replace(known, categories=tuple(_categories(ready, to_find).items()))
    return Opened(opened, _again(found, opened.names), worker, corrupt)


def _again(columns: Columns, names: tuple[str, ...]) -> Columns:
    """The same columns, checked against the names of a table."""
    inputs = None if columns.rest else columns.inputs
    listed = dict(columns.categories)
    return Columns.of(names, columns.target, inputs, columns.weight, listed, columns.where)


def _columns(
    names: tuple[str, ...], target: Any, columns: Any, weight: Any, categories: Any, where: Any
) -> tuple[Columns, tuple[str, ...]]:
    """Columns as far as they are given, and those whose categories have yet to be found."""
    if isinstance(columns, Columns):
        _refuse_twice(target=target, weight=weight, categories=categories, where=where)
        return _again(columns, names), ()
    if categories is None or isinstance(categories, Mapping):
        return Columns.of(names, target, columns, weight, categories, where), ()
    to_find = (categories,) if isinstance(categories, str) else tuple(categories)
    return Columns.of(names, target, columns, weight, None, where), to_find


def _refuse_twice(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InvalidParameter(
                f"{name}={value!r} is said by columns=Columns(...) already; give it there."
            )


def peeked(source: BatchSource) -> Source:
    """The source with the names of its first batch, if that is a table."""
    parts = source.parts()
    first = next(parts, None)
    if first is None:
        raise InvalidInput("The source has no batches; at least one is needed.")
    frame = frame_of(first.batch)
    named = BatchSource(source.batches, None if frame is None else frame.names)
    return named if source.again else Begun(named, (first,), parts)


def _refuse_names(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InvalidParameter(
                f"{name}={value!r} needs a table with column names; the source holds arrays. Arrays are given as "
                "(X, y) or (X, y, weight), several tables in a list."
            )


# -- categories -------------------------------------------------------------------------------------------------
MOST_CATEGORIES = 10_000


@record
class Distinct:
    """The different values of some columns; adding unites them."""

    names: tuple[str, ...]
    values: tuple[frozenset, ...]

    def __post_init__(self) -> None:
        for name, values in zip(self.names, self.values, strict=True):
            if len(values) > MOST_CATEGORIES:
                raise InvalidInput(
                    f"Column {name!r} has more than {MOST_CATEGORIES:,} different values: not categories."
                )

    def __add__(self, other: Distinct) -> Distinct:
        return Distinct(self.names, tuple(a | b for a, b in zip(self.values, other.values, strict=True)))


@record
class Collecting:
    """The different values in a batch, among the rows that count."""

    columns: Columns

    def __call__(self, batch: Any, file: int, start: int) -> Distinct:
        rows, names = chosen(self.columns, batch), self.columns.inputs
        return Distinct(names, tuple(_distinct(array(batch, n), n, rows, start) for n in names))


def _categories(opened: Opened, names: tuple[str, ...]) -> dict[str, tuple[Any, ...]]:
    """The categories of columns in sorted order, from a pass over the source."""
    assert opened.columns is not None
    for name in names:
        if name not in opened.columns.inputs:
            raise InvalidParameter(
                f"categories: {name!r} is not among the input columns.{did_you_mean(name, opened.columns.inputs)}"
            )
    if not opened.source.again:
        raise InvalidParameter(
            "Looking for categories takes a pass of its own, and this source can be read once; give them as "
            f"categories={{{names[0]!r}: [...]}}."
        )
    only = Columns(names, where=opened.columns.where)
    found = Opened(opened.source, only, opened.executor, opened.corrupt).sum(Collecting(only))
    for name, values in zip(names, found.values, strict=True):
        if not values:
            raise InvalidInput(f"categories: column {name!r} has no values in the rows that count.")
    return {name: tuple(sorted(values, key=_order)) for name, values in zip(names, found.values, strict=True)}


def _distinct(values: np.ndarray, name: str, rows: np.ndarray | None, start: int) -> frozenset:
    values = values if rows is None else values[rows]
    missing = gaps(values)
    if missing.any():
        at = place(int(np.argmax(missing)), rows, start)
        raise InvalidInput(
            f"Column {name!r} has a gap at row {at}; a gap is no category. Leave such rows out."
        )
    if len(values) and (is_time(values[0]) or isinstance(values[0], list | dict | np.ndarray)):
        raise InvalidInput(f"Column {name!r} holds {word(values[0])}; categories are texts or numbers.")
    return frozenset(values.tolist())


def _order(value: Any) -> tuple[str, Any]:
    return (type(value).__name__ if not isinstance(value, int | float) else "", value)
