"""Loops that no array expression can carry, compiled.

They live in files named `_loops.py`, which alone import this one and are themselves imported on first use: numba takes
a third of a second to load. Every loop has a twin in NumPy that gives the same numbers and stands in for it where numba
is not installed (it is late for each new Python).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@cache
def loops(module: str) -> Any:
    """The compiled loops of a module, or None without numba."""
    try:
        import_module("numba")
    except ImportError:
        return None
    return import_module(module)


def compiled(function: F) -> F:
    """Machine code that runs without the interpreter's lock, kept on disk where there is a place for it."""
    from numba import njit

    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:  # nowhere to write
        return njit(nogil=True)(function)


def compiled_sums(function: F) -> F:
    """The same for loops whose sums may be taken in any order, several terms at a time."""
    from numba import njit

    order = {"reassoc", "contract", "nsz"}  # infinities and NaN keep their meaning
    try:
        return njit(nogil=True, cache=True, fastmath=order)(function)
    except RuntimeError:  # nowhere to write
        return njit(nogil=True, fastmath=order)(function)


def compiled_as(signature: Any) -> Callable[[F], F]:
    """The same for one signature, at once; functions among the arguments are then called by address."""
    from numba import njit

    def decorate(function: F) -> F:
        try:
            return njit([signature], nogil=True, cache=True)(function)
        except RuntimeError:  # nowhere to write
            return njit([signature], nogil=True)(function)

    return decorate
