"""Columns that order the rows in time: a time, a year with its quarter, a number that counts steps; or one per group.

The order of the file is not asked. In a series neighbours are alike, so that a column which merely goes along with time
predicts a row well from its neighbours; it knows the target only if it tells more than the time does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from suffice._core.records import record
from suffice.prepare.looking._lexicon import CYCLE, STEPS, name_words, set_of
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking._texts import date_format, parse_date
from suffice.prepare.looking.attributes import Attribute

TIMES = set_of("year years yr date datetime timestamp day days week month quarter") | STEPS
MOST = 3


@record
class Order:
    """Rows in the order of time, by the columns `names`; `start` marks the first row of each series."""

    names: tuple[str, ...]
    rows: np.ndarray
    start: np.ndarray

    @property
    def inside(self) -> np.ndarray:
        """Places of rows that have a row before and after them in their series."""
        whole = ~self.start
        return np.flatnonzero(whole[1:-1] & whole[2:]) + 1

    def error(self, y: np.ndarray) -> float:
        """Error of predicting a row from those before and after it; near 1 where the order tells nothing."""
        at, y = self.inside, y[self.rows]
        spread = float(np.std(y))
        if len(at) < 5 or spread == 0:
            return np.inf
        middle = (y[at - 1] + y[at + 1]) / 2
        return float(np.sqrt(np.mean((y[at] - middle) ** 2) * 2 / 3)) / spread

    def changes(self, codes: np.ndarray) -> int:
        """How often a value changes from one row to the next."""
        codes = codes[self.rows]
        return int(np.count_nonzero((np.diff(codes) != 0) & ~self.start[1:]))


def orders_of(columns: Sequence[Profile], types: dict[str, Attribute], rows: np.ndarray) -> tuple[Order, ...]:
    """The orders that a table offers, at most three."""
    timed = {p.name: key for p in columns if (key := _time_of(p, types[p.name], rows)) is not None}
    found = list(_orders(columns, timed, rows)) if len(rows) >= 10 else []
    return tuple(found[:MOST])


def _orders(columns: Sequence[Profile], timed: dict[str, np.ndarray], rows: np.ndarray) -> Iterator[Order]:
    """Times that differ in every row; else two columns of times that do together; else a time within groups."""
    alone = [name for name, key in timed.items() if _differ(key)]
    for name in alone:
        yield _order((name,), timed[name], None, rows)
    if alone:
        return
    coarse = [n for n in timed if not set(name_words(n)) & set(CYCLE)]
    for name in coarse:
        for other in timed:
            if other != name and _differ(key := _joined(timed[name], timed[other])):
                yield _order((name, other), key, None, rows)
                return
    yield from _panels(columns, timed, rows)


def _panels(columns: Sequence[Profile], timed: dict[str, np.ndarray], rows: np.ndarray) -> Iterator[Order]:
    """A time that differs within every group of another column."""
    for name, key in timed.items():
        for p in columns:
            groups = p.codes[rows]
            several = len(p.distinct) * 3 <= len(rows) and p.name not in timed and not p.missing
            if several and _differ(_joined(groups, key)):
                yield _order((p.name, name), key, groups, rows)
                return


def _order(names: tuple[str, ...], key: np.ndarray, groups: np.ndarray | None, rows: np.ndarray) -> Order:
    known = np.flatnonzero(~np.isnan(key))
    whole = np.zeros(len(key), dtype=int) if groups is None else groups
    place = known[np.lexsort((key[known], whole[known]))]
    start = np.append(True, np.diff(whole[place]) != 0)
    return Order(names, rows[place], start)


def _time_of(p: Profile, a: Attribute, rows: np.ndarray) -> np.ndarray | None:
    """A number per row that grows with time; None where a column is no time."""
    if p.kind == "times":
        return p.numbers[rows] if p.values.dtype.kind == "M" else None
    if p.kind == "text":
        return _dates(p, rows)
    named = bool(set(name_words(p.name)) & TIMES)
    return p.numbers[rows] if p.kind == "numbers" and (named or _counts(p)) else None


def _dates(p: Profile, rows: np.ndarray) -> np.ndarray | None:
    if len(p.distinct) < 3 or (pattern := date_format(p.distinct)) is None:
        return None
    parsed = [parse_date(str(w).strip(), pattern) for w in p.distinct]
    numbers = [np.nan if d is None else d.toordinal() + (d.hour * 60 + d.minute) / 1440 for d in parsed]
    return np.append(numbers, np.nan)[p.codes[rows]]


def _counts(p: Profile) -> bool:
    """Whether a column is 1, 2, 3 … in some order of the rows, or another number with steps of one size."""
    v = p.finite
    if p.missing or len(v) < 10 or len(v) < p.known:
        return False
    steps = np.diff(v)
    return bool(steps.max() - steps.min() <= 1e-6 * steps.max())


def _differ(key: np.ndarray) -> bool:
    """Whether hardly a time comes twice."""
    key = key[~np.isnan(key)]
    return len(key) >= 10 and len(np.unique(key)) >= 0.99 * len(key)


def _joined(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """One key that sorts by the first, then by the second."""
    places = np.unique(second, return_inverse=True)[1]
    out = np.unique(first, return_inverse=True)[1] * float(places.max() + 1) + places
    return np.where(np.isnan(np.asarray(first, float)) | np.isnan(np.asarray(second, float)), np.nan, out)
