"""The process's warning filters, changed by one thread at a time.

`warnings.catch_warnings` saves the filters of the whole process and puts them back. Two threads that do so side by side
put back each other's: warnings then stay off, or become errors, for good. Whatever does it for a moment takes its turn
here; what listens to warnings for minutes (`heard`) changes the filters once for all who listen.
"""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
_turn = threading.RLock()


def in_turn(function: Callable[P, R]) -> Callable[P, R]:
    """A function that changes the filters while it runs, which is not long; never two of them at a time."""

    @wraps(function)
    def alone(*args: P.args, **options: P.kwargs) -> R:
        with _turn:
            return function(*args, **options)

    return alone


@dataclass(eq=False)
class _Listener:
    """A thread, what it wants to hear of, and what it heard."""

    thread: int
    category: type[Warning]
    caught: list[warnings.WarningMessage]


class _Listening:
    """Who listens, in the order in which they began, and how the process was before the first."""

    def __init__(self) -> None:
        self.all: list[_Listener] = []
        self.before: Any = None
        self.usual: list[Any] = []

    def begin(self, listener: _Listener) -> None:
        with _turn:
            if not self.all:
                self.before, self.usual = warnings.catch_warnings(), list(warnings.filters)
                self.before.__enter__()
                warnings.showwarning = self.hear  # type: ignore[assignment]
            self._set([*self.all, listener])

    def end(self, listener: _Listener) -> None:
        with _turn:
            self._set([other for other in self.all if other is not listener])
            if not self.all:
                self.before.__exit__(None, None, None)

    def _set(self, listeners: list[_Listener]) -> None:
        self.all = listeners
        warnings.filters[:] = self.usual  # type: ignore[index]
        for category in {listener.category for listener in listeners}:
            warnings.simplefilter("always", category)

    def hear(self, message: Any, category: Any, filename: str, lineno: int, *rest: Any) -> None:
        """To the thread's own listener, the one begun last; a thread without one works for who began first."""
        listeners, here = self.all, threading.get_ident()
        own = [one for one in listeners if one.thread == here]
        for one in (own or listeners[:1])[-1:]:
            one.caught.append(warnings.WarningMessage(message, category, filename, lineno))


_listening = _Listening()


@contextlib.contextmanager
def heard(category: type[Warning] = Warning) -> Iterator[list[warnings.WarningMessage]]:
    """Collect the warnings of this thread, each time they are given, instead of showing them.

    Those of other categories are collected too, where the process's filters would show them.
    """
    listener = _Listener(threading.get_ident(), category, [])
    _listening.begin(listener)
    try:
        yield listener.caught
    finally:
        _listening.end(listener)


def repeat_warnings(caught: list[warnings.WarningMessage]) -> None:
    """Show what was heard, where it came from."""
    for w in caught:
        warnings.warn_explicit(w.message, w.category, w.filename, w.lineno)
