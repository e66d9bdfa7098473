"""BLAS on one thread, cheaply, from any thread.

BLAS threads slow down the small factorizations this library is made of, so public functions run
under `one_blas_thread()` and spread blocks, folds or restarts over Python threads instead.

Some libraries have one limit for the whole process (OpenBLAS with threads of its own), others one per thread (MKL, and
whatever runs on OpenMP). A limit of the process is a state that all callers share, not a stack: it is one while anybody
is inside, every caller makes sure of it when it enters, and the last to leave, whichever thread that is, puts back what
others last asked for. A limit of a thread is set and put back by that thread.
The libraries are found once (milliseconds); entering costs microseconds.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

_SPELLINGS = [(before, after) for before in ("", "scipy_") for after in ("", "64_", "_64")]
_OPENMP = ("omp_get_max_threads", "omp_set_num_threads")


@dataclass
class _OfProcess:
    """A library whose number of threads holds for the whole process, and what is put back when nobody is inside."""

    get: Callable[[], int]
    set: Callable[[int], Any]
    usual: int | None = None

    def hold(self) -> None:
        """What somebody else has set meanwhile is what will be put back."""
        n = self.get()
        if n != 1:
            self.usual = n
            self.set(1)

    def release(self) -> None:
        if self.usual is not None and self.get() == 1:
            self.set(self.usual)
        self.usual = None


@dataclass(frozen=True)
class _OfThread:
    """A library in which every thread has a limit of its own: `set(1)` says what `put_back` needs, or None."""

    set: Callable[[int], Any]
    put_back: Callable[[Any], Any]


@cache
def _libraries() -> tuple[tuple[_OfProcess, ...], tuple[_OfThread, ...]]:
    import scipy.linalg  # noqa: F401  both BLAS libraries must be loaded before they are counted
    from threadpoolctl import ThreadpoolController

    found = [_opened(c) for c in ThreadpoolController().select(user_api="blas").lib_controllers]
    return (
        tuple(library for library in found if isinstance(library, _OfProcess)),
        tuple(library for library in found if isinstance(library, _OfThread)),
    )


def _opened(controller: Any) -> _OfProcess | _OfThread:
    """The calls of the library itself; those of threadpoolctl do nothing in all threads but one."""
    library = controller.dynlib
    if controller.internal_api == "mkl":
        local = library.MKL_Set_Num_Threads_Local  # gives the limit that the thread had; 0 stands for none
        return _OfThread(local, local)
    if getattr(controller, "threading_layer", None) == "openmp" and (omp := _calls(library, *_OPENMP)):
        return _limited_by(*omp)
    for before, after in _SPELLINGS:
        names = (f"{before}openblas_{verb}_num_threads{after}" for verb in ("get", "set"))
        if calls := _calls(library, *names):
            return _OfProcess(*calls)
    return _OfProcess(controller.get_num_threads, controller.set_num_threads)


def _limited_by(get: Callable[[], int], put: Callable[[int], Any]) -> _OfThread:
    def limit(n: int) -> int | None:
        before = get()
        if before == n:
            return None
        put(n)
        return before

    return _OfThread(limit, lambda before: None if before is None else put(before))


def _calls(library: ctypes.CDLL, *names: str) -> tuple[Any, ...] | None:
    try:
        return tuple(getattr(library, name) for name in names)
    except AttributeError:
        return None


_inside = 0
_lock = threading.Lock()


def _alone() -> None:
    """In a process that was forked off: no other thread is here to leave, or to hold the lock."""
    global _inside, _lock
    _inside, _lock = 0, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_alone)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit every BLAS in the process to one thread while any caller is inside."""
    global _inside
    shared, own = _libraries()
    thread, limits = threading.get_ident(), [library.set(1) for library in own]
    with _lock:
        _inside += 1
        for library in shared:
            library.hold()
    try:
        yield
    finally:
        with _lock:
            _inside = max(_inside - 1, 0)
            if not _inside:
                for library in shared:
                    library.release()
        if thread == threading.get_ident():  # a generator may be closed elsewhere
            for mine, before in zip(own, limits, strict=True):
                mine.put_back(before)
