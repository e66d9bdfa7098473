"""One function drives closed-form and iterative models alike, wherever the rows are.

Array rows are cut into chunks of fixed size, files into parts, batches of an iterator are taken as they come. Parts
are merged like carries in a binary counter, first within a file and then over files: the tree depends only on the
source, never on who does the work, and at most log₂(parts) statistics are alive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any, Generic, TypeVar

import numpy as np

from suffice._core.errors import (
    InvalidInput,
    PartsSkipped,
    UnreadableSource,
    check_choice,
    hold_warnings,
    warn,
)
from suffice._core.records import record
from suffice._core.threads import one_blas_thread
from suffice.engine.executors import Cluster, Executor, as_executor
from suffice.engine.sources import Part, Source, as_source
from suffice.engine.sources.dask import DaskArrays, DaskFrame
from suffice.engine.threads import parallel
from suffice.engine.values import n_rows

S = TypeVar("S")
CHUNK = 32_768


@record
class Rows:
    """Validated rows: X, targets as a matrix, weights or None. What a `step` receives."""

    X: Any
    Y: Any
    weight: Any = None

    def __len__(self) -> int:
        return self.X.shape[0]

    @property
    def weights(self) -> np.ndarray:
        """A weight per row: one where all rows count alike."""
        return np.ones(len(self)) if self.weight is None else self.weight

    def __getitem__(self, index: Any) -> Rows:
        return Rows(self.X[index], self.Y[index], None if self.weight is None else self.weight[index])


def reduce(
    source: Any, step: Callable[..., S], *params: Any, executor: Any = None, corrupt: str = "raise"
) -> S:
    """The sum of `step(batch, *params)` over the batches of a source.

    Parameters
    ----------
    source
        A tuple of arrays with the same number of rows, a table, paths of files, an Arrow dataset, a
        LazyFrame, a DuckDB relation, Dask arrays or dataframes, or an iterable of batches of any kind. Batches are
        tuples of slices, Arrow tables, or frames.
    step
        Turns a batch into something that adds. Further arguments are sent along with it.
    executor
        "threads", "serial", "processes", `Processes(n)`, or a Dask client. By default threads, and the cluster of
        the current client for Dask collections.
    corrupt
        "raise", or "skip" to leave out files that cannot be read, with a warning that counts them.

    Examples
    --------
    >>> from suffice.engine import reduce
    >>> reduce([[1, 2], [3], [4, 5]], lambda batch, power: sum(v**power for v in batch), 2)
    55
    """
    if isinstance(source, Rows):
        with one_blas_thread():
            return merged(parallel(lambda rows: step(rows, *params), _chunks(source)))
    opened = as_source(source)
    work = executor_for(opened, executor)
    return reduce_parts(opened.parts(), lambda batch, file, start: step(batch, *params), work, corrupt)


def _chunks(rows: Rows) -> list[Rows]:
    """Slices of a fixed number of rows; all of them as they are where one is enough, for slices of CSR are copies."""
    if len(rows) <= CHUNK:
        return [rows]
    return [rows[a : a + CHUNK] for a in range(0, len(rows), CHUNK)]


def executor_for(source: Source, executor: Any) -> Executor:
    """As given; a Dask collection goes to the cluster of the current client, if there is one."""
    if executor is None and isinstance(source, DaskArrays | DaskFrame):
        try:
            from distributed import get_client

            return Cluster(get_client())
        except (ImportError, ValueError):
            return as_executor(None)
    return as_executor(executor)


# -- the tree -------------------------------------------------------------------------------------------------
class Tree(Generic[S]):
    """Adds values like carries in a binary counter."""

    def __init__(self) -> None:
        self._carries: list[tuple[int, S]] = []  # (level, sum of 2**level values)

    def push(self, value: S) -> None:
        level = 0
        while self._carries and self._carries[-1][0] == level:
            value = self._carries.pop()[1] + value  # type: ignore[operator]
            level += 1
        self._carries.append((level, value))

    def total(self) -> S | None:
        """The sum, or None if nothing was pushed."""
        if not self._carries:
            return None
        total = self._carries[-1][1]
        for _, value in reversed(self._carries[:-1]):
            total = value + total  # type: ignore[operator]
        return total


def merged(values: Iterable[S]) -> S:
    """The sum of values along the tree."""
    tree: Tree[S] = Tree()
    for value in values:
        tree.push(value)
    total = tree.total()
    if total is None:
        raise InvalidInput("The source has no batches; at least one is needed.")
    return total


# -- parts ----------------------------------------------------------------------------------------------------
@record
class PartOutcome:
    """What a worker sends back: the statistic of a part, its warnings, or why the part could not be read."""

    file: int
    value: Any
    warnings: tuple[Any, ...] = ()
    unreadable: str | None = None


@record
class PartWork:
    """The sum of `work(batch, file, start)` over the batches of a part; None where there is nothing to add."""

    work: Callable[[Any, int, int], Any]
    skip: bool = False

    def __call__(self, part: Part) -> PartOutcome:
        with hold_warnings() as held:
            try:
                return PartOutcome(part.file, self._sum(part), tuple(held))
            except UnreadableSource as error:
                if not self.skip:
                    raise
                return PartOutcome(part.file, None, tuple(held), str(error))
            except Exception as error:
                error.add_note(f"This happened in {part.name}.")
                raise

    def _sum(self, part: Part) -> Any:
        tree: Tree[Any] = Tree()
        start = part.start
        for batch in part.batches():
            value = self.work(batch, part.file, start)
            if value is not None:
                tree.push(value)
            start += n_rows(batch)
        return tree.total()


def reduce_parts(
    parts: Iterable[Part],
    work: Callable[[Any, int, int], S],
    executor: Executor,
    corrupt: str = "raise",
    tick: Callable[[], None] | None = None,
) -> S:
    """The sum of `work(batch, file, start)` over the batches of all parts; a corrupt file counts whole or not."""
    check_choice("corrupt", corrupt, ("raise", "skip"))
    files: Tree[S] = Tree()
    warnings: dict[Any, None] = {}
    skipped: list[str] = []
    n_files = 0
    # closing: an error while statistics are added must stop the workers, not wait for the collection of garbage
    mapped: Any = executor.map(PartWork(work, corrupt == "skip"), parts)
    with executor, one_blas_thread(), closing(mapped) as outcomes:
        for group in _by_file(outcomes, tick):
            n_files += 1
            warnings |= dict.fromkeys(w for o in group for w in o.warnings)
            broken = next((o.unreadable for o in group if o.unreadable is not None), None)
            if broken is not None:
                skipped.append(broken)
            elif group[0].value is not None:
                files.push(group[0].value)
    for message in warnings:
        warn(*message)
    if skipped:
        more = f" (and {len(skipped) - 1} more)" if len(skipped) > 1 else ""
        warn(f"{len(skipped)} of {n_files} files were left out: {skipped[0]}{more}.", PartsSkipped)
    total = files.total()
    if total is None:
        raise InvalidInput(
            "No file of the source can be read."
            if skipped
            else "The source has no batches; at least one is needed."
        )
    return total


def _by_file(outcomes: Iterator[PartOutcome], tick: Callable[[], None] | None) -> Iterator[list[PartOutcome]]:
    """The outcomes of a file as one: the first holds their sum."""
    file: int | None = None
    tree: Tree[Any] = Tree()
    notes: list[PartOutcome] = []
    for outcome in outcomes:
        if tick is not None:
            tick()
        if file is not None and outcome.file != file:
            yield [PartOutcome(file, tree.total()), *notes]
            tree, notes = Tree(), []
        file = outcome.file
        if outcome.value is not None:
            tree.push(outcome.value)
        if outcome.warnings or outcome.unreadable is not None:
            notes.append(PartOutcome(file, None, outcome.warnings, outcome.unreadable))
    if file is not None:
        yield [PartOutcome(file, tree.total()), *notes]
