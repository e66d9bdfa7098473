"""What a file of statistics gives away, and when it is too much.

A statistic is a sum over rows. Of many rows it tells sums, and no more; of few rows those sums are so many equations
for so few numbers that the rows can be worked back from them. With c columns a triangle states about c²/2 numbers
and N rows hold N c, so statistics that leave the house *alone* need

    N ≥ minimum_rows    and    N ≥ 2 c

A statistic is recognized by what it does (it adds, and has a weight `n`), not by its class: this room lies below
those that define statistics, and a new one is guarded without a word here. Every statistic holds a vector with an
entry per column (per class, for counts), so c is the length of the longest vector in it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

import numpy as np

from suffice._core.errors import InvalidInput, check_integer
from suffice._core.records import fields

MINIMUM_ROWS = 20


@runtime_checkable
class Adds(Protocol):
    """A value with `+`."""

    def __add__(self, other: Any) -> Any: ...


@runtime_checkable
class Statistic(Protocol):
    """A value that adds and knows the weight of what it has counted, as a whole or per column."""

    @property
    def n(self) -> Any: ...
    def __add__(self, other: Any) -> Any: ...


@runtime_checkable
class CountsRows(Protocol):
    """A statistic that knows the number of its rows besides their weight."""

    @property
    def rows(self) -> int: ...


def statistics_in(value: Any, place: str = "") -> Iterator[tuple[str, Statistic]]:
    """The statistics that a value consists of, each with its place; none of a model or any other record.

    Containers are looked into, and so are records that add but have no weight of their own, such as folds.
    """
    if isinstance(value, Statistic):
        yield place, value
    elif isinstance(value, list | tuple):
        for i, v in enumerate(value):
            yield from statistics_in(v, f"{place}[{i}]")
    elif isinstance(value, dict):
        for k, v in value.items():
            yield from statistics_in(v, f"{place}[{k!r}]")
    elif _adding_record(value):
        for k, v in fields(value).items():
            yield from statistics_in(v, f"{place}.{k}" if place else k)


def is_statistic(value: Any) -> bool:
    """Whether a value is a statistic, or a record of statistics that adds as a whole."""
    return isinstance(value, Statistic) or (_adding_record(value) and any(statistics_in(value)))


def _adding_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type) and isinstance(value, Adds)


def rows_of(statistic: Any) -> float:
    """Rows behind a statistic; their weight, where it counts nothing else."""
    return float(statistic.rows if isinstance(statistic, CountsRows) else np.max(statistic.n))


def fewest_rows(statistic: Any) -> float:
    """Rows behind the least counted column, where cells may be missing."""
    n = np.atleast_1d(statistic.n)
    return min(rows_of(statistic), *n[n > 0]) if len(n) > 1 else rows_of(statistic)


def columns_of(statistic: Any) -> int:
    """Columns behind a statistic, targets included; classes, where it counts labels."""
    return max((len(v) for v in _vectors(statistic)), default=1)


def _vectors(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        if value.ndim == 1:
            yield value
    elif isinstance(value, tuple | list):
        for v in value:
            yield from _vectors(v)
    elif dataclasses.is_dataclass(value):
        for v in fields(value).values():
            yield from _vectors(v)


def check_disclosure(value: Any, minimum_rows: Any) -> None:
    """Raise if a value is made of statistics and one of them has too few rows; `minimum_rows=0` asks nothing."""
    check_integer("minimum_rows", minimum_rows, 0)
    for place, statistic in statistics_in(value) if minimum_rows else ():
        rows, columns = fewest_rows(statistic), columns_of(statistic)
        if rows < max(minimum_rows, 2 * columns):
            which = f"{place} is a {type(statistic).__name__}" if place else f"A {type(statistic).__name__}"
            raise InvalidInput(
                f"{which} of {rows:g} rows and {columns} columns: so few that the rows can be worked back from it. "
                f"Statistics alone are saved from {minimum_rows} rows, and twice as many rows as columns, upwards. Add "
                "rows, take fewer folds, or say minimum_rows=0 if whoever reads the file may know the rows."
            )
