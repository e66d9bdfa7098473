"""What one look at a column tells: gaps, kind, and its distinct values with their counts.

Everything that judges a column (`attribute_types`, `audit`) starts from this record, so that a column is sorted once.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

import numpy as np

from suffice._core.records import record
from suffice.prepare.looking.attributes import Kind
from suffice.tables.cells import as_objects, gaps
from suffice.tables.opening import Table


@record
class Whole:
    """What is known of all rows of a column of which only the first are here."""

    rows: int
    missing: int
    distinct: int
    whole: bool


@record
class Profile:
    """One column: its cells, where it has none, how they are written, the distinct ones and how often each is met.

    `distinct` is sorted for numbers and times, and in the order of first appearance for words. Cells of several kinds
    and nested cells are counted by their text. `levels` and `category` are what the table says of itself. Where
    `beyond` is given, `values` are the first rows only, and `distinct` may be a sample.
    """

    name: str
    values: np.ndarray
    gaps: np.ndarray
    kind: Kind
    distinct: np.ndarray
    counts: np.ndarray
    levels: tuple[str, ...] | None = None
    category: bool = False
    beyond: Whole | None = None

    @property
    def rows(self) -> int:
        return len(self.values) if self.beyond is None else self.beyond.rows

    @property
    def known(self) -> int:
        """Rows with a value."""
        return self.rows - self.missing

    @cached_property
    def missing(self) -> int:
        return int(self.gaps.sum()) if self.beyond is None else self.beyond.missing

    @property
    def n_distinct(self) -> int:
        """How many values differ."""
        return len(self.distinct) if self.beyond is None else self.beyond.distinct

    @cached_property
    def finite(self) -> np.ndarray:
        """Distinct finite numbers, as floats; of times, in their unit of measure."""
        if self.kind == "times":
            return self.distinct.astype(np.int64).astype(float)
        out = self.distinct.astype(float) if self.kind in ("numbers", "flags") else np.empty(0)
        return out[np.isfinite(out)]

    @cached_property
    def whole(self) -> bool:
        """Whether every finite number is an integer."""
        if self.beyond is not None:
            return self.beyond.whole
        return bool(len(self.finite)) and bool(np.all(self.finite == np.round(self.finite)))

    @cached_property
    def numbers(self) -> np.ndarray:
        """A number per row, NaN for gaps and infinities; codes of the distinct values for words."""
        if self.kind in ("numbers", "flags") and self.values.dtype != object:
            out = self.values.astype(float)
        elif self.kind == "times":
            out = self.values.astype("int64").astype(float)
        else:
            out = self.codes.astype(float)
        out[self.gaps | ~np.isfinite(out)] = np.nan
        return out

    @cached_property
    def standardized(self) -> np.ndarray:
        """Mean 0 and variance 1 over the known rows, 0 elsewhere; safe for the largest and the smallest numbers."""
        known = ~np.isnan(self.numbers)
        x = np.where(known, self.numbers, 0.0)
        x = x / max(np.abs(x).max(initial=0), np.finfo(float).tiny)
        n = max(known.sum(), 1)
        x = np.where(known, x - x.sum() / n, 0.0)
        wide = max(np.abs(x).max(initial=0), np.finfo(float).tiny)
        spread = np.sqrt(np.sum((x / wide) ** 2) / n) * wide
        return x / spread if spread > 1e-13 else np.zeros_like(x)

    @cached_property
    def codes(self) -> np.ndarray:
        """Per row the place of its value among the distinct ones; −1 for a gap."""
        if self.kind in ("numbers", "times") or self.values.dtype != object:
            return np.where(self.gaps, -1, np.searchsorted(self.distinct, self.values))
        place = {v: i for i, v in enumerate(self.distinct)}
        place[None] = -1
        cells = (
            self.values if set(map(type, self.values)) <= {str, type(None)} else map(_counted, self.values)
        )
        return np.fromiter(map(place.__getitem__, cells), np.int64, len(self.values))

    def rows_of(self, chosen: np.ndarray) -> np.ndarray:
        """Numbers of the rows whose value is among the distinct ones marked."""
        mark = np.append(chosen, False)
        return np.flatnonzero(mark[self.codes])


def key(cell: Any) -> Any:
    """A cell as it is counted: words and flags as they are, anything else by its text."""
    if isinstance(cell, np.bool_):
        return bool(cell)
    return cell if type(cell) in (str, bool) else str(cell)


def _counted(cell: Any) -> Any:
    return None if cell is None else key(cell)


def profile(
    name: str, values: np.ndarray, levels: tuple[str, ...] | None = None, category: bool = False
) -> Profile:
    """One look at a column as the door hands it over."""
    missing = gaps(values)
    known = values[~missing] if missing.any() else values
    if values.dtype == object:
        found = Counter(known.tolist() if set(map(type, known)) == {str} else map(key, known))
        distinct, counts = as_objects(found.keys()), np.fromiter(found.values(), np.int64, len(found))
    else:
        distinct, counts = np.unique(known, return_counts=True)
    return Profile(name, values, missing, _kind(values, known), distinct, counts, levels, category)


def _kind(values: np.ndarray, known: np.ndarray) -> Kind:
    if not len(known):
        return "nothing"
    if values.dtype == object:
        return "flags" if all(type(v) in (bool, np.bool_) for v in known) else "text"
    return {"b": "flags", "M": "times", "m": "times"}.get(values.dtype.kind, "numbers")  # type: ignore[return-value]


def profiles(table: Table) -> dict[str, Profile]:
    """A look at every column of a table."""
    return {c.name: profile(c.name, c.values, c.levels, c.category) for c in table.columns}
