"""All pairs in blocks of rows, side by side on threads: the answer, and little memory besides it.

A plan knows how to fill the block of some rows of x against the rows of y from one on. A table with itself is filled
from its diagonal to the right and mirrored, so that the answer is symmetric to the last bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from suffice._core.threads import one_blas_thread

BLOCK = 2**21  # entries of a block: 16 MB
SMALL = 2**15  # entries of an answer that is not worth starting threads
Fill = Callable[[slice, int, np.ndarray], None]


@dataclass(frozen=True, eq=False)
class BlockPlan:
    """`fill(rows, start, out)` writes rows of x against y[start:] into `out`; the size of the whole table."""

    fill: Fill
    n: int
    m: int
    symmetric: bool


def table(plan: BlockPlan) -> np.ndarray:
    """All pairs (N, M)."""
    out = np.empty((plan.n, plan.m))
    part = _mirrored if plan.symmetric else _straight
    run(lambda rows: part(plan, rows, out), slices(plan.n, plan.m))
    return out


def parts(plan: BlockPlan, rows: int | None = None) -> Iterator[tuple[slice, np.ndarray]]:
    """The same, a block of rows after the other; each is filled by all threads."""
    height = rows or max(1, 4 * BLOCK // max(plan.m, 1))
    for a in range(0, plan.n, height):
        e = min(plan.n, a + height)
        out = np.empty((e - a, plan.m))

        def fill(some: slice, a: int = a, out: np.ndarray = out) -> None:
            plan.fill(slice(a + some.start, a + some.stop), 0, out[some])

        run(fill, slices(e - a, plan.m))
        yield slice(a, e), out


def slices(n: int, m: int) -> list[slice]:
    """Blocks of rows, small enough for the cache and, unless the answer is small, at least one for each thread."""
    if 0 < n * m < SMALL:
        return [slice(0, n)]
    height = int(np.clip(BLOCK // max(m, 1), 16, 512))
    height = max(1, min(height, -(-n // workers())))
    return [slice(a, min(n, a + height)) for a in range(0, n, height)]


def _straight(plan: BlockPlan, rows: slice, out: np.ndarray) -> None:
    plan.fill(rows, 0, out[rows])


def _mirrored(plan: BlockPlan, rows: slice, out: np.ndarray) -> None:
    a, e = rows.start, rows.stop
    block = np.empty((e - a, plan.m - a))
    plan.fill(rows, a, block)
    square = block[:, : e - a]
    below = np.tril_indices(e - a, -1)
    square[below] = square.T[below]
    out[rows, a:] = block
    out[e:, rows] = block[:, e - a :].T


# -- threads ----------------------------------------------------------------------------------------------
def run(work: Callable[[slice], None], pieces: list[slice]) -> None:
    """Work on all pieces, on as many threads as this process may use."""
    number = min(workers(), len(pieces))

    def quietly(piece: slice) -> None:
        with np.errstate(over="ignore", under="ignore"):  # beyond the range of numbers a distance is infinite
            work(piece)

    with one_blas_thread():
        if number < 2:
            list(map(quietly, pieces))
            return
        with ThreadPoolExecutor(number) as pool:
            list(pool.map(quietly, pieces))


@cache
def _blas() -> Any:
    import scipy.linalg  # noqa: F401  both BLAS libraries must be loaded before they are counted
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


def workers() -> int:
    """Threads: SUFFICE_NUM_THREADS or the cores of this process, and one where BLAS is held to one."""
    if any(library.num_threads == 1 for library in _blas().lib_controllers):
        return 1
    wanted = os.environ.get("SUFFICE_NUM_THREADS", "")
    if wanted.isdigit() and int(wanted) > 0:
        return int(wanted)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
