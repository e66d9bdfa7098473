"""A source and a model, ready to work: which columns, which executor, and what the first batch decides.

Everything that depends on data before the first row is counted (columns, basis, classes) is taken from the first
batch that has rows; later ones must agree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NotFinite,
    SufficeError,
    UnreadableSource,
    hold_warnings,
)
from suffice._core.frames import NamedArray
from suffice._core.records import record
from suffice.engine.columns import Columns, array, gaps, names_of
from suffice.engine.executors import Cluster, Executor, as_executor
from suffice.engine.protocols import GapsShow
from suffice.engine.reduce import Rows, reduce_parts
from suffice.engine.sources import Part, Source, as_source
from suffice.engine.sources.arrays import BatchSource, is_table
from suffice.engine.sources.dask import DaskArrays, DaskFrame


@record
class Opened:
    """A source, the columns to read (None for arrays), and who reads them."""

    source: Source
    columns: Columns | None
    executor: Any
    corrupt: str = "raise"

    def parts(self) -> Iterator[Part]:
        return self.source.parts(None if self.columns is None else self.columns.needed)

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
        raise InvalidInput("The source has no rows to fit: it is empty, or no row fulfils the conditions.")


@record
class First:
    """The work on the first batch of a part that yields anything."""

    work: Callable[[Any, int, int], Any]
    skip: bool

    def __call__(self, part: Part) -> Any:
        with hold_warnings():  # said again when the batch is counted
            try:
                values = (self.work(batch, part.file, part.start) for batch in part.batches())
                return next((v for v in values if v is not None), None)
            except UnreadableSource:
                if not self.skip:
                    raise
                return None
            except SufficeError as error:
                error.add_note(f"This happened in {part.name}.")
                raise


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
    opened = as_source(source)
    worker = _executor_for(opened, executor)
    if isinstance(opened, BatchSource):
        opened, names = _peeked(opened)
    else:
        names = opened.names
    if names is None:
        _refuse_names(target=target, columns=columns, weight=weight, categories=categories, where=where)
        return Opened(opened, None, worker, corrupt)
    if isinstance(columns, Columns):
        return Opened(opened, Columns.of(names, columns.target, columns.inputs, columns.weight,
                                         dict(columns.categories), columns.where), worker, corrupt)  # fmt: skip
    listed = categories if isinstance(categories, Mapping) else None
    known = Columns.of(names, target, columns, weight, listed, where)
    ready = Opened(opened, known, worker, corrupt)
    if categories is None or listed is not None:
        return ready
    found = _categories(ready, (categories,) if isinstance(categories, str) else tuple(categories))
    return Opened(opened, Columns.of(names, target, columns, weight, found, where), worker, corrupt)


def _executor_for(source: Source, executor: Any) -> Executor:
    """As given; a Dask collection goes to the cluster of the current client, if there is one."""
    if executor is None and isinstance(source, DaskArrays | DaskFrame):
        try:
            from distributed import get_client

            return Cluster(get_client())
        except (ImportError, ValueError):
            return as_executor(None)
    return as_executor(executor)


def _peeked(source: BatchSource) -> tuple[Source, tuple[str, ...] | None]:
    parts = source.parts()
    first = next(parts, None)
    if first is None:
        raise InvalidInput("The source has no batches; at least one is needed.")
    names = names_of(first.batch) if is_table(first.batch) else None
    return source if source.again else Begun(source, (first,), parts), names


def _refuse_names(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InvalidParameter(
                f"{name}={value!r} needs a table with column names; the source holds arrays."
            )


# -- categories -------------------------------------------------------------------------------------------------
@record
class Distinct:
    """The different values of some columns; adding unites them."""

    values: tuple[frozenset, ...]

    def __add__(self, other: Distinct) -> Distinct:
        return Distinct(tuple(a | b for a, b in zip(self.values, other.values, strict=True)))


MOST_CATEGORIES = 10_000


def _categories(opened: Opened, names: tuple[str, ...]) -> dict[str, tuple[Any, ...]]:
    """The categories of columns in sorted order, from a pass over the source."""
    assert opened.columns is not None
    for name in names:
        if name not in opened.columns.inputs:
            raise InvalidParameter(f"categories: {name!r} is not among the input columns.")
    if not opened.source.again:
        raise InvalidParameter(
            "Looking for categories takes a pass of its own, and this source can be read once; give them as "
            f"categories={{{names[0]!r}: [...]}}."
        )
    columns = opened.columns

    def distinct(batch: Any, file: int, start: int) -> Distinct:
        rows = columns.rows(batch)
        return Distinct(tuple(_distinct(array(batch, n), rows, n) for n in names))

    only = Columns(names, where=columns.where)
    found = Opened(opened.source, only, opened.executor, opened.corrupt).sum(distinct)
    return {name: tuple(sorted(values, key=_order)) for name, values in zip(names, found.values, strict=True)}


def _distinct(values: np.ndarray, rows: np.ndarray | None, name: str) -> frozenset:
    values = values if rows is None else values[rows]
    present = values[~gaps(values)]
    found = frozenset(v.item() if isinstance(v, np.generic) else v for v in set(present.tolist()))
    if len(found) > MOST_CATEGORIES:
        raise InvalidInput(
            f"Column {name!r} has more than {MOST_CATEGORIES:,} different values: not categories."
        )
    return found


def _order(value: Any) -> tuple[str, Any]:
    return (type(value).__name__ if not isinstance(value, int | float) else "", value)


# -- the door ---------------------------------------------------------------------------------------------------


def unpack(
    columns: Columns | None, batch: Any, rows: np.ndarray | None = None
) -> tuple[Any, Any, Any] | None:
    """X, y and weights of a batch (some of its rows); None where no row counts."""
    if columns is None:
        if not isinstance(batch, tuple) or not 1 <= len(batch) <= 3:
            raise InvalidInput(
                f"A batch must be (X, y), (X, y, weight) or a table; got {type(batch).__name__}."
            )
        X: Any
        X, y, w = (None if a is None else _taken(a, rows) for a in (*batch, None, None)[:3])
    else:
        if isinstance(batch, tuple):
            raise InvalidInput(
                "A batch holds arrays, but the first one was a table; all must be of one kind."
            )
        X = NamedArray(columns.matrix(batch, rows), columns.features)
        y, w = columns.outcome(batch, rows), columns.weights(batch, rows)
    if X.shape[0] == 0 or (w is not None and np.ndim(w) == 1 and np.all(np.asarray(w) == 0)):
        return None
    return X, y, w


def _taken(a: Any, rows: np.ndarray | None) -> Any:
    a = a if hasattr(a, "shape") else np.asarray(a)
    return a if rows is None else a.iloc[rows] if hasattr(a, "iloc") else a[rows]


def chosen(columns: Columns | None, batch: Any) -> np.ndarray | None:
    """Rows that fulfil the conditions; None for all."""
    return None if columns is None else columns.rows(batch)


@record
class Entering:
    """A model's door for batches of a source; `like` is the plan that the first batch made."""

    model: Any
    columns: Columns | None
    like: Any = None

    @classmethod
    def of(cls, model: Any, columns: Columns | None, like: Any = None) -> Entering:
        """With a model that has its parameters and nothing else: what travels to the workers."""
        return cls(type(model)(**model.get_params(deep=False)), columns, like)

    def __call__(self, batch: Any, rows: np.ndarray | None, finite: bool = True) -> tuple[Rows, Any] | None:
        arrays = unpack(self.columns, batch, rows)
        if arrays is None:
            return None
        if not finite and isinstance(self.model, GapsShow) and self.model.gaps_show:
            return self.model.door(*arrays, like=self.like, finite=False)
        return self.model.door(*arrays, like=self.like)

    def explained(self, batch: Any, error: Exception) -> Exception:
        """An error from rows in another order, as the door would say it about the batch as it is."""
        rows = chosen(self.columns, batch)
        try:
            self(batch, rows)
        except InvalidInput as plain:
            return plain
        return error


@record
class Planning:
    """The plan that the first batch makes."""

    enter: Entering

    def __call__(self, batch: Any, file: int, start: int) -> Any:
        opened = self.enter(batch, chosen(self.enter.columns, batch))
        return None if opened is None else opened[1]


@record
class Gathering:
    """The statistics of a batch."""

    enter: Entering

    def __call__(self, batch: Any, file: int, start: int) -> Any:
        opened = self.enter(batch, chosen(self.enter.columns, batch), finite=False)
        if opened is None:
            return None
        try:
            return self.enter.model.gather(*opened)
        except NotFinite as error:
            raise self.enter.explained(batch, error) from None
