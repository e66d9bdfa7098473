"""Fits that do not work: kept apart, so that one does not spoil the others, and reported at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from suffice._core.errors import FitFailed, warn
from suffice._core.records import record


@record
class Failure:
    """A fit that did not work: where, and what it said."""

    where: str
    message: str
    error: Any


class Doubt(Exception):
    """Statistics of these rows are not trusted; the message says why. The rows are fitted instead."""


def attempt(work: Callable[[], Any], where: str) -> Any:
    """The result, or the error as text with the place it happened."""
    try:
        return work()
    except Doubt:
        raise
    except Exception as error:  # a foreign estimator may raise anything; what it said is reported
        return Failure(where, f"{type(error).__name__}: {error}", error)


def report(failures: list[Failure], attempts: int) -> tuple[str, ...]:
    """Warn about fits that failed and return the notes; raise if none worked."""
    if not failures:
        return ()
    first = failures[0]
    if len(failures) == attempts:
        first.error.add_note(f"This happened in {first.where} of a validation.")
        raise first.error
    notes = tuple(f"{f.where} failed: {f.message}" for f in failures)
    more = f" (and {len(failures) - 1} more; see notes)" if len(failures) > 1 else ""
    warn(f"{notes[0].rstrip('.')}{more}. Its loss is NaN; the other fits are kept.", FitFailed)
    return notes
