"""Who does the work: this thread, threads, processes, or the workers of a Dask cluster.

Every executor maps a function over parts *in order* with a bounded number of parts under way, so memory stays
bounded and statistics are always added along the same tree. Work is done again when a worker dies; an error of the
function itself stops the map at once. Leaving a `with` block, also by Ctrl-C, leaves no worker behind.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, Self, TypeVar

from suffice._core.errors import InvalidParameter, WorkerDied
from suffice._core.threads import one_blas_thread
from suffice.engine.threads import count, limit_threads, threads

A = TypeVar("A")
B = TypeVar("B")
_END: Any = object()


class Executor(Protocol):
    """Maps in order; entered before the first map, and left after the last."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *error: Any) -> None: ...
    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]: ...


class Serial:
    """One part after the other, in this thread."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Results in order."""
        with one_blas_thread(), threads(1):
            results = map(function, items)
            while (result := next(results, _END)) is not _END:
                yield result


class Threads:
    """Python threads with one BLAS thread each: reading files and linear algebra run side by side."""

    def __init__(self, workers: int | None = None):
        self.workers = _checked(workers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Results in order."""
        n = self.workers or count()

        def alone(item: A) -> B:
            with threads(1):
                return function(item)

        with one_blas_thread(), ThreadPoolExecutor(n) as pool:
            try:
                yield from _window((pool.submit(alone, item) for item in items), 2 * n)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


class Processes:
    """Worker processes. One that dies is replaced and its parts are done again, up to `retries` times.

    Inside a `with` block the workers stay for several fits; otherwise each fit starts its own.

    Examples
    --------
    >>> from suffice.engine import Processes
    >>> Processes(2)
    Processes(workers=2)
    """

    def __init__(self, workers: int | None = None, retries: int = 5):
        self.workers, self.retries = _checked(workers), retries
        self._pool: Any = None
        self._depth = 0

    def __repr__(self) -> str:
        return f"Processes(workers={self.workers})"

    def __enter__(self) -> Self:
        self._depth += 1
        return self

    def __exit__(self, *error: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._stop()

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Results in order."""
        with self:
            yield from self._map(function, iter(items))

    def _map(self, function: Callable[[A], B], left: Iterator[A]) -> Iterator[B]:
        from joblib.externals.loky import ProcessPoolExecutor
        from joblib.externals.loky.process_executor import BrokenProcessPool

        n, deaths = self.workers or count(), 0
        waiting: deque = deque()  # parts whose results have not been handed on
        futures: deque = deque()
        while True:
            try:
                if self._pool is None:
                    self._pool = ProcessPoolExecutor(n, initializer=limit_threads, initargs=(1,))
                    futures = deque(self._pool.submit(function, item) for item in waiting)
                while len(futures) < 2 * n and (item := next(left, _END)) is not _END:
                    waiting.append(item)
                    futures.append(self._pool.submit(function, item))
                if not futures:
                    return
                result = futures[0].result()
            except BrokenProcessPool:
                self._stop()
                deaths += 1
                if deaths > self.retries:
                    raise WorkerDied(
                        f"Worker processes died {deaths} times. If a part needs more memory than there is, use fewer "
                        "workers or smaller parts."
                    ) from None
                continue
            futures.popleft()
            waiting.popleft()
            yield result

    def _stop(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, kill_workers=True)


class Cluster:
    """The workers of a `distributed.Client`. Files and partitions are read there; only statistics come back."""

    def __init__(self, client: Any):
        self.client = client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Results in order; a task whose worker died goes to another."""
        workers = max(1, len(self.client.scheduler_info(n_workers=-1)["workers"]))
        futures = (self._submitted(function, item) for item in items)
        yield from _window(futures, 3 * workers)

    def _submitted(self, function: Callable[[A], B], item: Any) -> Any:
        bound = getattr(item, "bound", None)  # a partition that lives on the cluster
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


def _checked(workers: Any) -> int | None:
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise InvalidParameter(f"workers must be an integer >= 1 or None; got {workers!r}.")
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
