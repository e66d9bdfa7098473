r"""Propositions about the variables of a joint table, and their algebra.

Algebra      A & B (both), A | B (at least one), ~A (not);  ~(A | B) = ~A & ~B
Sum rule     P(A) + P(~A) = 1
Union        P(A | B) = P(A) + P(B) − P(A & B), and so on with alternating signs

A proposition knows no probabilities: `JointTable.P(event, given=...)` gives it one.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, final

import numpy as np

from suffice._core.errors import InvalidInput, Unsupported
from suffice._core.records import same_kind

if TYPE_CHECKING:
    from suffice.distributions.tables.joint_table import JointTable


@final
@dataclass(frozen=True, eq=False, repr=False)
class Event:
    """A proposition that is true or false in every cell of a joint table.

    Make one with `Event.where(name=label)` or `Event.that(lambda name: ...)`; `Event.where()` is always true.

    Parameters
    ----------
    holds
        From a table to an array of booleans that broadcasts with its cells.
    text
        How the proposition reads.

    Examples
    --------
    >>> from suffice.distributions import Event, equally_likely
    >>> dice = equally_likely(range(1, 7), "first") * equally_likely(range(1, 7), "second")
    >>> a, b = Event.where(first=5), Event.where(second=5)
    >>> print(f"{dice.P(a | b):.4f} {dice.P(a & b, given=a | b):.4f}")
    0.3056 0.0909
    >>> ~(a | b)
    Event(not (first = 5 or second = 5))
    """

    holds: Callable[[JointTable], np.ndarray]
    text: str

    @classmethod
    def where(cls, labels: Mapping[str, Any] | None = None, /, **more: Any) -> Event:
        """These variables have these labels."""
        wanted = {**(labels or {}), **more}

        def holds(table: JointTable) -> np.ndarray:
            out = np.ones((1,) * table.values.ndim, dtype=bool)
            for name, label in wanted.items():
                axis, place = table.locate(name, label)
                out = out & _on_axis(np.arange(table.values.shape[axis]) == place, axis, table.values.ndim)
            return out

        return cls(holds, ", ".join(f"{k} = {v}" for k, v in wanted.items()) or "true")

    @classmethod
    def that(cls, test: Callable[..., Any], text: str | None = None) -> Event:
        """What a function of some variables says; its arguments are named like the variables."""
        names = tuple(inspect.signature(test).parameters)

        def holds(table: JointTable) -> np.ndarray:
            axes = [table.axis(name) for name in names]
            lists = [table.labels[axis] for axis in axes]
            answers = [bool(test(*cell)) for cell in itertools.product(*lists)]
            spread = np.reshape(np.array(answers, dtype=bool), [len(one) for one in lists])
            order = np.argsort(axes)
            shape = [table.values.shape[i] if i in axes else 1 for i in range(table.values.ndim)]
            return np.transpose(spread, order).reshape(shape)

        return cls(holds, text or f"{test.__name__}({', '.join(names)})")

    @same_kind
    def __and__(self, other: Event) -> Event:
        return Event(lambda t: self.holds(t) & other.holds(t), f"({self.text} and {other.text})")

    @same_kind
    def __or__(self, other: Event) -> Event:
        return Event(lambda t: self.holds(t) | other.holds(t), f"({self.text} or {other.text})")

    def __invert__(self) -> Event:
        return Event(lambda t: ~self.holds(t), f"not {self.text}")

    def __bool__(self) -> NoReturn:
        raise Unsupported("A proposition is neither true nor false by itself; join two with &, | and ~.")

    def __repr__(self) -> str:
        return f"Event({self.text})"


def inclusion_exclusion(table: JointTable, *events: Event) -> float:
    """P(at least one of the events) = Σ P(A) − Σ P(A & B) + Σ P(A & B & C) − …"""
    _need_events(events)
    return sum(
        (-1) ** (size + 1) * table.P(_all(some))
        for size in range(1, len(events) + 1)
        for some in itertools.combinations(events, size)
    )


def mutually_exclusive(table: JointTable, *events: Event) -> bool:
    """Whether no two of the events can happen together."""
    _need_events(events)
    return all(table.P(a & b) == 0 for a, b in itertools.combinations(events, 2))


def exhaustive(table: JointTable, *events: Event) -> bool:
    """Whether one of the events is sure to happen."""
    _need_events(events)
    return table.P(_all([~event for event in events])) == 0


def _all(events: Any) -> Event:
    first, *rest = events
    for event in rest:
        first = first & event
    return first


def _on_axis(vector: np.ndarray, axis: int, ndim: int) -> np.ndarray:
    """A vector as an array that varies along one axis only."""
    return vector.reshape([-1 if i == axis else 1 for i in range(ndim)])


def _need_events(events: Any) -> None:
    if not events or not all(isinstance(event, Event) for event in events):
        raise InvalidInput(
            f"One event at least is needed, made with Event.where or Event.that; got {events!r}."
        )
