"""Thread policy: BLAS on one thread, Python threads over blocks, folds and restarts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import TypeVar

from suffice._core.errors import InvalidParameter, hold_warnings, warn
from suffice._core.threads import one_blas_thread

A = TypeVar("A")
B = TypeVar("B")
_limit: ContextVar[int | None] = ContextVar("suffice_threads", default=None)
_side_by_side: ContextVar[int] = ContextVar("suffice_side_by_side", default=1)


@contextmanager
def threads(n: int) -> Iterator[None]:
    """Use `n` Python threads inside the block; results do not depend on it.

    The default is SUFFICE_NUM_THREADS, or the number of cores this process may use.
    """
    if not isinstance(n, int) or n < 1:
        raise InvalidParameter(f"threads must be an integer >= 1; got {n!r}.")
    token = _limit.set(n)
    try:
        yield
    finally:
        _limit.reset(token)


def most_workers() -> int:
    """Workers beyond this help nobody: each takes memory, and a machine full of them stands still."""
    return max(64, 4 * (os.cpu_count() or 1))


def limit_threads(n: int) -> None:
    """Use `n` Python threads from now on; for the start of a worker process."""
    _limit.set(n)


def count() -> int:
    """How many Python threads the next parallel loop may use."""
    limit = _limit.get()
    if limit is not None:
        return limit
    asked = os.environ.get("SUFFICE_NUM_THREADS", "")
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def beside(n: int) -> Iterator[None]:
    """Inside the block, this thread is one of n that share the work of a process."""
    token = _side_by_side.set(n)
    try:
        yield
    finally:
        _side_by_side.reset(token)


def side_by_side() -> int:
    """How many threads share the work of this process: what a reader may use in its turn."""
    return _side_by_side.get()


def parallel(function: Callable[[A], B], items: Iterable[A], *, warn_once: bool = True) -> list[B]:
    """[function(i) for i in items] over threads, in order, each with one BLAS thread.

    A warning that several items raise is shown at the caller's line: once, or for each of them.
    """
    items = list(items)
    workers = min(count(), len(items))

    def alone(item: A) -> tuple[B, list]:
        # a loop inside one of several workers starts no threads of its own
        with threads(1) if workers > 1 else nullcontext(), hold_warnings() as held:
            return function(item), held

    with one_blas_thread():
        if workers < 2:
            results = list(map(alone, items))
        else:
            with ThreadPoolExecutor(workers) as pool:
                results = list(pool.map(alone, items))
    messages = [m for _, held in results for m in held]
    for message in dict.fromkeys(messages) if warn_once else messages:
        warn(*message)
    return [result for result, _ in results]


__all__ = ["beside", "count", "limit_threads", "one_blas_thread", "parallel", "side_by_side", "threads"]
