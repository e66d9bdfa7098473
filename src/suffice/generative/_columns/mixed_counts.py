"""Columns of different families: their statistics, which add, and the kinds that say which is which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, did_you_mean
from suffice._core.records import frozen_array, record
from suffice._estimator.raw_columns import plain, present, shown, small_codes
from suffice.statistics.columns import ColumnMoments, gather_columns
from suffice.statistics.counts import Counts
from suffice.statistics.header import Header
from suffice.tables.typed import TypedTable

KINDS = ("gaussian", "bernoulli", "categorical", "poisson")
NATURAL = {"number": "gaussian", "boolean": "bernoulli", "category": "categorical", "unknown": "gaussian"}
GONE = 1e-9  # of all rows: what is left of a count below that is rounding


@record
class MixedCounts:
    """Moments of the columns of numbers, counts of the values of the others, in the order of the columns."""

    header: Header
    kinds: tuple[str, ...]
    rows: int
    weight: float
    moments: ColumnMoments
    tables: tuple[Counts, ...]

    def check_loaded(self) -> int:
        """Nothing is made; raises unless every column has a kind, and a statistic of that kind."""
        if not set(self.kinds) <= set(KINDS):
            raise InvalidInput(f"kinds must be of {KINDS}; got {self.kinds!r:.80}.")
        if len(self.moments.n) != len(numbered(self.kinds)) or len(self.tables) != len(valued(self.kinds)):
            raise InvalidInput(f"The statistics are not those of columns {self.kinds!r:.80}.")
        return 0

    def __add__(self, other: MixedCounts) -> MixedCounts:
        if not isinstance(other, MixedCounts):
            return NotImplemented
        self._check(other)
        tables = tuple(a + b for a, b in zip(self.tables, other.tables, strict=True))
        weight, rows = self.weight + other.weight, self.rows + other.rows
        return MixedCounts(self.header, self.kinds, rows, weight, self.moments + other.moments, tables)

    def __sub__(self, other: MixedCounts) -> MixedCounts:
        if not isinstance(other, MixedCounts):
            return NotImplemented
        self._check(other)
        tables = tuple(_used(a - b) for a, b in zip(self.tables, other.tables, strict=True))
        weight, rows = self.weight - other.weight, max(self.rows - other.rows, 1)
        return MixedCounts(self.header, self.kinds, rows, weight, self.moments - other.moments, tables)

    def _check(self, other: MixedCounts) -> None:
        self.header.check(other.header)
        for name, mine, theirs in zip(self.header.feature_names, self.kinds, other.kinds, strict=True):
            if mine != theirs:
                raise HeaderMismatch(
                    f"Cannot combine statistics in which column {name!r} is {mine} here and {theirs} there; give kinds."
                )


def _used(counts: Counts) -> Counts:
    """Without the values that nothing is left of."""
    kept = counts.counts > GONE * counts.n
    if kept.all():
        return counts
    classes = counts.classes[kept]
    return Counts(frozen_array(classes, dtype=classes.dtype), frozen_array(counts.counts[kept]), counts.rows)


def gather_mixed(
    header: Header,
    kinds: tuple[str, ...],
    X: TypedTable,
    weight: np.ndarray | None,
    codes: np.ndarray,
    n: int,
) -> tuple[MixedCounts | None, ...]:
    """Statistics of each of n classes, from rows sorted by class; None for a class without weight."""
    w = np.ones(len(X)) if weight is None else weight
    inner = Header(len(numbered(kinds)), None, None, 0)

    def part(c: int) -> MixedCounts | None:
        at = np.flatnonzero((codes == c) & (w > 0))
        if not len(at):
            return None
        some, v = X[at], w[at]
        moments = gather_columns(inner, numbers(some, kinds), None if weight is None else v)
        tables = tuple(_counted(some.columns[j], v) for j in valued(kinds))
        return MixedCounts(header, kinds, len(at), float(v.sum()), moments, tables)

    return tuple(map(part, range(n)))


def _counted(values: np.ndarray, weight: np.ndarray) -> Counts:
    there = present(values)
    values, weight = plain(values[there]), weight[there]
    codes = small_codes(values)
    if codes is None:
        return Counts.of(values, weight)
    seen = np.flatnonzero(np.bincount(codes))  # no sorting: the numbers are their own places
    counts = np.bincount(codes, weight)[seen]
    return Counts(frozen_array(seen), frozen_array(counts), len(codes))


def numbered(kinds: tuple[str, ...]) -> list[int]:
    """Columns whose moments are kept."""
    return [j for j, kind in enumerate(kinds) if kind in ("gaussian", "poisson")]


def valued(kinds: tuple[str, ...]) -> list[int]:
    """Columns whose values are counted."""
    return [j for j, kind in enumerate(kinds) if kind in ("bernoulli", "categorical")]


def numbers(X: TypedTable, kinds: tuple[str, ...]) -> np.ndarray:
    """The columns whose moments are kept, side by side."""
    columns = [X.columns[j] for j in numbered(kinds)]
    return np.column_stack(columns) if columns else np.empty((len(X), 0))


# -- kinds ---------------------------------------------------------------------------------------------------
def resolved(
    kinds: Any, X: TypedTable, names: tuple[str, ...], earlier: tuple[str, ...] | None
) -> tuple[str, ...]:
    """The family of each column: as given, as before, or by the type of its values."""
    if kinds is None or isinstance(kinds, Mapping):
        given = dict(kinds or {})
        for name in given:
            if name not in names:
                raise InvalidParameter(
                    f"kinds must name columns; {name!r} is none.{did_you_mean(str(name), names)}"
                )
        usual = earlier or tuple(NATURAL[n] for n in X.natural)
        found = tuple(given.get(n, u) for n, u in zip(names, usual, strict=True))
    elif isinstance(kinds, str):
        found = (kinds,) * len(names)
    else:
        found = tuple(kinds)
        if len(found) != len(names):
            raise InvalidParameter(
                f"kinds must have one entry per column, {len(names)}; got {len(found)}: {found!r:.80}."
            )
    for name, kind in zip(names, found, strict=True):
        if kind not in KINDS:
            raise InvalidParameter(f"kinds must be among {KINDS}; got {kind!r} for column {name!r}.")
    return found


def check_values(X: TypedTable, kinds: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Raise for text among numbers, and for numbers outside the domain of their family."""
    for j, kind in enumerate(kinds):
        if kind == "categorical":
            continue
        values = X.columns[j]
        if values.dtype.kind != "f":
            row = int(np.argmax(present(values)))
            raise InvalidInput(
                f"Column {names[j]!r} is {kind} but holds text: {values[row]!r} at row {row}. "
                f"Set kinds={{{names[j]!r}: 'categorical'}}."
            )
        bad = _outside(values, kind)
        if bad is not None:
            raise InvalidInput(
                f"Column {names[j]!r} is {kind} but holds {shown(float(values[bad]))} at row {bad}; {DOMAIN[kind]}."
            )


DOMAIN = {"bernoulli": "its values are 0 and 1", "poisson": "its values are whole numbers from 0"}


def _outside(values: np.ndarray, kind: str) -> int | None:
    there = ~np.isnan(values)
    if kind == "gaussian":
        return None
    if kind == "bernoulli":
        bad = there & (values != 0) & (values != 1)
    else:
        bad = there & ((values < 0) | (values != np.floor(values)))
    return int(np.argmax(bad)) if bad.any() else None
