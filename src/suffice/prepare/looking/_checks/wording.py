"""Values, names and counts from a table in a sentence: short, in quotes, in one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from suffice.prepare.looking.attribute_types import printable


def quoted(value: Any) -> str:
    """A value in a sentence."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, int | bool):
        return printable(str(value), 30)
    return f"'{printable(str(value), 30)}'"


def listed(values: Iterable[Any], most: int = 5) -> str:
    """Some values, and how many more there are."""
    values = list(values)
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return ", ".join(map(quoted, values[:most])) + more


def column(name: str) -> str:
    """A column at the beginning of a sentence."""
    return f"Column {quoted(name)}"


def rows(count: int) -> str:
    """So many rows."""
    return f"{count} row{'' if count == 1 else 's'}"


def have(count: int) -> str:
    """So many rows have."""
    return f"{rows(count)} {'has' if count == 1 else 'have'}"


def percent(share: float) -> str:
    """A share; what is not all is not called 100 %."""
    if 0 < share < 0.001:
        return "less than 0.1 %"
    if 0.999 < share < 1:
        return "more than 99.9 %"
    return f"{100 * share:.3g} %"


def mark_for_none(name: str, verb: str, values: Iterable[Any], count: int) -> str:
    """The sentence about values that seem to stand for a gap."""
    return f"{column(name)} {verb} {listed(values)} in {rows(count)}, which looks like a mark for none."
