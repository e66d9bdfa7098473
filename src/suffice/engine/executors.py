"""Who does the work: this thread, threads, processes, or the workers of a Dask cluster.

Every executor maps a function over parts *in order* with a bounded number of parts under way, so memory stays
bounded and statistics are always added along the same tree. Work is done again when a worker dies; an error of the
function itself (the first in order, whoever was faster) stops the map. Leaving a `with` block, also by Ctrl-C, leaves
no worker behind.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, Self, TypeVar

from suffice._core.errors import InvalidParameter, WorkerDied
from suffice._core.records import record
from suffice._core.threads import one_blas_thread
from suffice.engine.threads import beside, count, most_workers, threads
from suffice.engine.workers import Packed, Shift, Worker

A = TypeVar("A")
B = TypeVar("B")


class Executor(Protocol):
    """Maps in order; entered before the first map, and left after the last."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *error: Any) -> None: ...
    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Generator[B]: ...


@record
class Alone:
    """A function with one thread to itself, in Python and in BLAS: the same bits wherever it runs."""

    function: Callable[[Any], Any]
    beside: int = 1  # threads of this process that do the same

    def __call__(self, item: Any) -> Any:
        with one_blas_thread(), threads(1), beside(self.beside):
            return self.function(item)


class Serial:
    """One part after the other, in this thread."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Generator[B]:
        """Results in order."""
        yield from map(Alone(function), items)


class Threads:
    """Python threads with one BLAS thread each: reading files and linear algebra run side by side.

    Examples
    --------
    >>> from suffice.engine import Threads
    >>> list(Threads(2).map(abs, [-1, 2, -3]))
    [1, 2, 3]
    """

    def __init__(self, workers: int | None = None):
        self.workers = _bounded(workers)

    def __repr__(self) -> str:
        return f"Threads(workers={self.workers})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Generator[B]:
        """Results in order."""
        n = self.workers or count()
        alone = Alone(function, n)
        with one_blas_thread(), ThreadPoolExecutor(n) as pool:
            yield from _window((pool.submit(alone, item) for item in items), 2 * n)


class Processes:
    """Worker processes. One that dies is replaced; a part on which workers die is done again up to `retries` times.

    Inside a `with` block the workers stay for several fits; otherwise each fit starts its own.

    Examples
    --------
    >>> from suffice.engine import Processes
    >>> Processes(2)
    Processes(workers=2)
    """

    def __init__(self, workers: int | None = None, retries: int = 5):
        self.workers, self.retries = _bounded(workers), _checked("retries", retries, 0)
        self._idle: list[Worker] = []
        self._depth = 0

    def __repr__(self) -> str:
        return f"Processes(workers={self.workers})"

    def __enter__(self) -> Self:
        self._depth += 1
        return self

    def __exit__(self, *error: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._let_go(0)

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Generator[B]:
        """Results in order."""
        n = self.workers or count()
        with self:
            workers, self._idle = self._idle, []
            try:
                workers += [Worker() for _ in range(n - len(workers))]
                yield from Shift(workers, function, items, self.retries).results()
            finally:
                for worker in workers:
                    if worker.given:  # no answer is awaited any more
                        worker.stop()
                self._idle += [worker for worker in workers if not worker.given]
                self._let_go(n)

    def _let_go(self, keep: int) -> None:
        while len(self._idle) > keep:
            self._idle.pop().stop()


class Cluster:
    """The workers of a `distributed.Client`. Files and partitions are read there; only statistics come back."""

    def __init__(self, client: Any):
        if getattr(client, "asynchronous", False):
            raise InvalidParameter("executor: the client is asynchronous; give one that waits for results.")
        if (status := getattr(client, "status", "running")) != "running":
            raise InvalidParameter(f"executor: the client is {status}; connect a new one.")
        self.client = client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Generator[B]:
        """Results in order; a task whose worker died goes to another, as often as the scheduler allows."""
        from distributed import KilledWorker
        from distributed.comm import CommClosedError

        packed = Packed.of(Alone(function))
        try:
            width = 2 * max(1, sum(self.client.nthreads().values()))
            yield from _window((self._submitted(packed, item) for item in items), width)
        except KilledWorker as error:
            raise WorkerDied(
                f"Workers of the cluster died again and again. {error} If a part needs more memory than a worker "
                "has, use smaller parts."
            ) from None
        except CommClosedError as error:
            raise WorkerDied(f"The cluster is gone: {error} Connect a new client.") from None

    def _submitted(self, function: Callable[[A], B], item: Any) -> Any:
        from dask import config

        bound = getattr(item, "bound", None)  # a partition that lives on the cluster
        with config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}):  # batches are large
            if bound is not None:
                return self.client.compute(bound(function))
            return self.client.submit(function, item, pure=False)


def _window(futures: Iterator[Any], width: int) -> Iterator[Any]:
    """Results in order, with at most `width` futures under way; those left are cancelled."""
    pending: deque = deque()
    try:
        for future in futures:
            pending.append(future)
            if len(pending) >= width:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


def _checked(name: str, value: Any, low: int = 1) -> Any:
    if not (value is None and low) and (isinstance(value, bool) or not isinstance(value, int) or value < low):
        raise InvalidParameter(
            f"{name} must be an integer >= {low}{' or None' if low else ''}; got {value!r}."
        )
    return value


def _bounded(workers: Any) -> Any:
    if _checked("workers", workers) is not None and workers > most_workers():
        raise InvalidParameter(
            f"workers must be at most {most_workers()} on this machine of {os.cpu_count()} cores; got {workers}."
        )
    return workers


NAMES: dict[str, Callable[[], Executor]] = {"serial": Serial, "threads": Threads, "processes": Processes}


def as_executor(value: Any) -> Executor:
    """An executor from its name, a Dask client, or itself; None is threads."""
    if value is None:
        return Threads()
    if isinstance(value, str) and value in NAMES:
        return NAMES[value]()
    if hasattr(value, "scheduler_info"):
        return Cluster(value)
    if isinstance(value, Serial | Threads | Processes | Cluster):
        return value
    raise InvalidParameter(
        f"executor must be one of {', '.join(map(repr, NAMES))}, Processes(n), Threads(n) or a Dask client; "
        f"got {value!r}."
    )
