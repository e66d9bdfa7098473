r"""How often each value occurs, exactly, while the different values fit; then what sketches can still say.

    NumberCounts   sorted different numbers and their counts     WordCounts   texts and their counts
    SketchedCounts sketches of both: ranks (numbers), most frequent values, number of different values

`+` joins any two of the same kind; above `MOST` different values a tally becomes a crowd, and stays one.
Percentiles are those of the text (eq. 4.5, numpy's "hazen"): with x′ sorted, x_p = X(Np + ½), X linear between the
sorted values.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from suffice._core.records import record
from suffice.statistics.sketches import Frequent, RankSketch, Registers, hash_numbers, hash_words

MOST = {"numbers": 200_000, "words": 50_000}  # different values that are counted exactly


@record
class NumberCounts:
    """Sorted different numbers, and how often each occurs."""

    values: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray) -> NumberCounts | SketchedCounts:
        """Of finite numbers."""
        unique, counts = np.unique(values, return_counts=True)
        return cls(unique, counts).fitting()

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def distinct(self) -> float:
        return float(len(self.values))

    distinct_error = frequency_error = rank_error = 0.0

    @property
    def weighted(self) -> tuple[np.ndarray, np.ndarray]:
        return self.values, self.counts

    @property
    def entropy(self) -> float:
        return _entropy(self.counts)

    def top(self, most: int) -> list[tuple[Any, int]]:
        """The most frequent values; smaller ones first among equals."""
        order = np.argsort(-self.counts, kind="stable")[:most]
        return list(zip(self.values[order].tolist(), self.counts[order].tolist(), strict=True))

    def __add__(self, other: NumberCounts | SketchedCounts) -> NumberCounts | SketchedCounts:
        if isinstance(other, SketchedCounts):
            return self.sketched() + other
        values = side_by_side(self.values, other.values)
        unique, places = np.unique(values, return_inverse=True)
        counts = np.zeros(len(unique), dtype=np.int64)
        np.add.at(counts, places, np.concatenate([self.counts, other.counts]))
        return NumberCounts(unique, counts).fitting()

    def sketched(self) -> SketchedCounts:
        """What sketches keep of it."""
        frequent = Frequent.of(self.values.tolist, self.counts)
        return SketchedCounts(
            Registers.of(hash_numbers(self.values)), frequent, RankSketch.of(self.values, self.counts)
        )

    def fitting(self) -> NumberCounts | SketchedCounts:
        """Itself, or a crowd where it is too long."""
        return self if len(self.values) <= MOST["numbers"] else self.sketched()


@record
class WordCounts:
    """Texts, and how often each occurs."""

    tally: dict[str, int]

    @classmethod
    def of(cls, words: Iterable[str]) -> WordCounts | SketchedCounts:
        return cls(dict(Counter(words))).fitting()

    @property
    def n(self) -> int:
        return sum(self.tally.values())

    @property
    def distinct(self) -> float:
        return float(len(self.tally))

    distinct_error = frequency_error = 0.0

    @property
    def entropy(self) -> float:
        return _entropy(np.array(list(self.tally.values())))

    def top(self, most: int) -> list[tuple[str, int]]:
        """The most frequent texts, in alphabetical order among equals."""
        return sorted(self.tally.items(), key=lambda pair: (-pair[1], pair[0]))[:most]

    def __add__(self, other: WordCounts | SketchedCounts) -> WordCounts | SketchedCounts:
        if isinstance(other, SketchedCounts):
            return self.sketched() + other
        total = dict(self.tally)
        for word, count in other.tally.items():
            total[word] = total.get(word, 0) + count
        return WordCounts(total).fitting()

    def sketched(self) -> SketchedCounts:
        """What sketches keep of it."""
        words, counts = list(self.tally), np.fromiter(self.tally.values(), np.int64, len(self.tally))
        return SketchedCounts(Registers.of(hash_words(words)), Frequent.of(lambda: words, counts))

    def fitting(self) -> WordCounts | SketchedCounts:
        """Itself, or a crowd where it is too long."""
        return self if len(self.tally) <= MOST["words"] else self.sketched()


@record
class SketchedCounts:
    """Sketches of more different values than can be counted one by one."""

    registers: Registers
    frequent: Frequent
    ranks: RankSketch | None = None

    entropy = math.nan

    @property
    def n(self) -> int:
        return self.frequent.n

    @property
    def distinct(self) -> float:
        return min(self.registers.estimate, float(self.n))

    @property
    def distinct_error(self) -> float:
        """Standard error of `distinct`."""
        return self.registers.relative_error * self.distinct

    @property
    def frequency_error(self) -> float:
        """How much a count of `top` may be too small."""
        return float(self.frequent.error)

    @property
    def rank_error(self) -> float:
        """How far the rank of a quantile may be off, as a share of n: a bound, not a guess."""
        return 0.0 if self.ranks is None else self.ranks.error / self.n

    @property
    def weighted(self) -> tuple[np.ndarray, np.ndarray]:
        assert self.ranks is not None
        return self.ranks.weighted

    def top(self, most: int) -> list[tuple[Any, int]]:
        return self.frequent.top(most)

    def __add__(self, other: Any) -> SketchedCounts:
        b = other if isinstance(other, SketchedCounts) else other.sketched()
        ranks = None if self.ranks is None or b.ranks is None else self.ranks + b.ranks
        return SketchedCounts(self.registers + b.registers, self.frequent + b.frequent, ranks)

    def sketched(self) -> SketchedCounts:
        return self


def side_by_side(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Sorted numbers of two parts in one array; as objects where floats would make one of several integers."""
    whole = [v for v in (a, b) if v.dtype.kind == "i" and len(v)]
    if a.dtype != b.dtype and any(max(-int(v[0]), int(v[-1])) > 2**53 for v in whole):
        a, b = a.astype(object), b.astype(object)
    return np.concatenate([a, b])


# -- what counts say ----------------------------------------------------------------------------------------------
def percentiles(values: np.ndarray, counts: np.ndarray, p: Iterable[float]) -> np.ndarray:
    """Eq. 4.5 of sorted values with counts; NaN of none."""
    ends = np.cumsum(counts)
    if not len(ends):
        return np.full(len(list(p)), np.nan)
    n = int(ends[-1])
    z = np.clip(n * np.asarray(list(p), dtype=float) + 0.5, 1, n)
    below = np.floor(z)
    low = values[np.searchsorted(ends, below)].astype(float)
    high = values[np.searchsorted(ends, np.minimum(below + 1, n))].astype(float)
    part = z - below
    return np.where(low == high, low, (1 - part) * low + part * high)


def ordered(values: Any, counts: np.ndarray, p: Iterable[float]) -> list[Any]:
    """x′ at ⌈Np⌉: percentiles that only compare, for values that cannot be added."""
    ends = np.cumsum(counts)
    n = int(ends[-1]) if len(ends) else 0
    ranks = [min(max(math.ceil(n * q), 1), n) for q in p] if n else []
    picked = [values[int(np.searchsorted(ends, rank))] for rank in ranks]
    return [v.item() if isinstance(v, np.generic) else v for v in picked]


def histogram(values: np.ndarray, counts: np.ndarray, low: float, high: float, bins: int) -> np.ndarray:
    """How many values fall into equal bins from low to high; the last holds both its ends."""
    if not len(values) or low == high:
        return np.array([counts.sum()] if len(values) else [], dtype=np.int64)
    # halves: the width may be beyond the largest number
    share = (values / 2 - low / 2) / (high / 2 - low / 2)
    place = np.clip((share * bins).astype(int), 0, bins - 1)
    return np.bincount(place, weights=counts, minlength=bins).astype(np.int64)


def _entropy(counts: np.ndarray) -> float:
    if not len(counts):
        return math.nan
    p = counts / counts.sum()
    return float(-(p * np.log(p)).sum()) + 0.0
