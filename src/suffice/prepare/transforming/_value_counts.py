"""How often each value of each column occurred: counts that add, also of text, with gaps counted apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, NumericalError
from suffice._core.records import frozen_array, record, same_columns
from suffice.statistics import Counts, Header
from suffice.tables.cells import merges
from suffice.tables.typed import TypedTable, present

FEW = 1 << 16  # whole numbers of such a reach are looked up, not sorted


def tally(values: np.ndarray, weight: np.ndarray | None) -> tuple[Counts, float]:
    """How often each value of a column occurs, and a gap."""
    if values.dtype == object:
        return _tally_of_text(values.tolist(), weight)
    there = present(values)
    w = None if weight is None else weight[there]
    gap = float((~there).sum() if weight is None else weight[~there].sum())
    return count_values(values[there], w), gap


def _tally_of_text(cells: list[str | None], weight: np.ndarray | None) -> tuple[Counts, float]:
    words = sorted(word for word in set(cells) if word is not None)
    k = len(words)
    codes = looked_up(cells, words)
    totals = np.bincount(codes, weight, minlength=k + 2).astype(float)
    seen = totals[:k] > 0
    rows = int(np.count_nonzero(codes < k))
    counts = Counts(
        frozen_array(np.array(words, dtype=str)[seen], dtype=str), frozen_array(totals[:k][seen]), rows
    )
    return counts, float(totals[k + 1])


def looked_up(cells: list[str | None], words: Sequence[str]) -> np.ndarray:
    """Where each cell is in a list of words; the length of the list for a stranger, one more for None."""
    k = len(words)
    lookup: dict[str | None, int] = {word: i for i, word in enumerate(words)} | {None: k + 1}
    places = map(lookup.get, cells, repeat(k))
    if k + 1 < 256:  # bytes are made of an iterator in a third of the time
        return np.frombuffer(bytes(places), dtype=np.uint8)
    return np.fromiter(places, np.intp, len(cells))


def count_values(values: np.ndarray, weight: np.ndarray | None) -> Counts:
    """How often each value of a column without gaps occurs."""
    if not len(values):
        return Counts(frozen_array([], dtype=float), frozen_array([]), 0)
    if values.dtype == object:
        return _tally_of_text(values.tolist(), weight)[0]
    found, codes = _coded(values)
    totals = np.bincount(codes, weight, minlength=len(found)).astype(float)
    seen = totals > 0
    return Counts(frozen_array(found[seen], dtype=found.dtype), frozen_array(totals[seen]), len(values))


def _coded(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sorted values, some of which may not occur, and the place of each cell among them."""
    reach = _reach(values)
    if reach is None:
        return np.unique(values, return_inverse=True)
    low, high = reach
    codes = values.astype(np.intp) - low
    return np.arange(low, high + 1).astype(values.dtype), codes


def _reach(values: np.ndarray) -> tuple[int, int] | None:
    """The smallest and largest of whole numbers that lie close together; None for others."""
    low, high = values.min(), values.max()
    if not (low > -(2**53) and high < 2**53) or float(high) - float(low) >= FEW:
        return None
    if values.dtype.kind == "f" and not np.array_equal(values.astype(np.intp), values):
        return None
    return int(low), int(high)


def places(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Where each cell of a column is in a list of values; its length for a stranger, one more for a gap."""
    k = len(known)
    if values.dtype == object:
        words = known.tolist() if known.dtype.kind == "U" else []
        out = looked_up(values.tolist(), words)
        return out if words else out.astype(np.intp) + k
    out = np.full(len(values), k, dtype=np.intp)
    if k and known.dtype.kind != values.dtype.kind and (merges(known) or merges(values)):
        found = {value: i for i, value in enumerate(known.tolist())}
        out = np.array([found.get(v, k) for v in values.tolist()], dtype=np.intp)
    elif k and known.dtype.kind != "U":
        order = np.argsort(known, kind="stable")
        at = np.minimum(np.searchsorted(known[order], values), k - 1)
        out = np.where(known[order][at] == values, order[at], k)
    out[~present(values)] = k + 1
    return out


@record
class ValueCounts:
    """Columns of a table, and how often each value of each occurred; a gap is counted apart."""

    header: Header
    columns: tuple[Counts, ...]
    gaps: np.ndarray
    rows: int
    weight: float

    @property
    def n(self) -> float:
        return self.weight

    @property
    def fingerprint(self) -> tuple[int, float]:
        """Rows and total weight: there are no targets to tell apart."""
        return self.rows, self.weight

    @same_columns
    def __add__(self, other: ValueCounts) -> ValueCounts:
        pairs = zip(self.columns, other.columns, strict=True)
        columns = tuple(self._named(j, lambda a=a, b=b: joined(a, b)) for j, (a, b) in enumerate(pairs))
        gap = frozen_array(self.gaps + other.gaps)
        return ValueCounts(self.header, columns, gap, self.rows + other.rows, self.weight + other.weight)

    @same_columns
    def __sub__(self, other: ValueCounts) -> ValueCounts:
        pairs = zip(self.columns, other.columns, strict=True)
        columns = tuple(self._named(j, lambda a=a, b=b: removed(a, b)) for j, (a, b) in enumerate(pairs))
        gap = self.gaps - other.gaps
        if np.any(gap < -1e-9 * max(self.weight, 1.0)):
            name = self.header.feature_names[int(np.argmin(gap))]
            raise NumericalError(f"Cannot take more gaps out of column {name!r} than are in it.")
        rows, gap = max(self.rows - other.rows, 0), np.where(gap > 1e-9 * self.weight, gap, 0.0)
        return ValueCounts(self.header, columns, frozen_array(gap), rows, self.weight - other.weight)

    def _named(self, j: int, work: Any) -> Counts:
        try:
            return work()
        except (InvalidInput, NumericalError) as error:
            raise type(error)(f"Column {self.header.feature_names[j]!r}: {error}") from None


def joined(a: Counts, b: Counts) -> Counts:
    """Counts of two parts, one of which may have its whole numbers as floats."""
    if a.classes.dtype.kind != b.classes.dtype.kind and len(a.classes) and len(b.classes):
        odd = next((c for c in (a.classes, b.classes) if merges(c)), None)
        if odd is not None:
            raise InvalidInput(
                f"whole numbers beyond 2^53 ({odd.max()}) in one part meet {a.classes.dtype} and {b.classes.dtype} in "
                "another, which would merge some of them; write both in the same way."
            )
    return a + b


def removed(whole: Counts, gone: Counts) -> Counts:
    """What is left of counts; a value of which nothing is left was never seen."""
    left = whole - gone
    seen = left.counts > 1e-9 * max(whole.n, 1e-300)
    return Counts(
        frozen_array(left.classes[seen], dtype=left.classes.dtype),
        frozen_array(left.counts[seen]),
        max(left.rows, 0),
    )


def gather_values(cells: TypedTable, weight: np.ndarray | None, header: Header) -> ValueCounts:
    """The values of validated rows that count."""
    if weight is not None and not np.all(weight > 0):
        cells, weight = cells[weight > 0], weight[weight > 0]
    total = float(len(cells) if weight is None else weight.sum())
    tallies = [tally(c, weight) for c in cells.columns]
    return ValueCounts(
        header, tuple(c for c, _ in tallies), frozen_array([gap for _, gap in tallies]), len(cells), total
    )
