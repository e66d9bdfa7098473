r"""Three sketches that add: ranks, frequent values, the number of different values.

Ranks       Items of weight 2^h in levels h. A level of more than 2K items is sorted and every second one kept, with
            twice the weight: no rank moves by more than 2^h. These bounds are added up, so the error of a rank is
            known, whatever the values and their order: at most n/K + (n/2K) log₂(n/K), with K = 16,384 below 0.1 % for
            n < 10¹³. (Munro and Paterson; Manku, Rajagopalan and Lindsay.)
Frequent    At most C values with counts. Where there are more, the (C+1)-th largest count is taken off all of them,
            and what is not positive goes: no count is too large, and none too small by more than the sum of what was
            taken off ≤ n/(C+1). (Misra and Gries; merging by Agarwal et al.)
Registers   2^14 registers, each the longest run of leading zeros among the hashes that fall to it; the estimate is
            Ertl's (2017), without bias over the whole range; standard error 1.04/√2^14 = 0.8 %. (HyperLogLog.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.records import frozen_array, record

KEPT = 16_384  # K, items of a level that is full
CAPACITY = 4096  # C, values with counts
BITS = 14
REST = 64 - BITS


# -- ranks ----------------------------------------------------------------------------------------------------
@record
class RankSketch:
    """Sorted items per level (weight 2^level), and the sum of what their thinning may have moved a rank."""

    levels: tuple[np.ndarray, ...] = ()
    error: int = 0

    @classmethod
    def of(cls, values: np.ndarray, counts: np.ndarray) -> RankSketch:
        """Of sorted values with counts: every 2^h-th of them, and the rest one by one."""
        ends = np.cumsum(counts)
        n = int(ends[-1]) if len(ends) else 0
        h = max(0, math.ceil(math.log2(n / KEPT))) if n else 0
        step, whole = 1 << h, (n >> h) << h
        middle = values[np.searchsorted(ends, np.arange(step // 2, whole, step), side="right")]
        rest = values[np.searchsorted(ends, np.arange(whole, n), side="right")]
        if h == 0:
            return cls((middle,))
        empty = values[:0]
        return cls((rest, *[empty] * (h - 1), middle), step // 2)

    @property
    def weighted(self) -> tuple[np.ndarray, np.ndarray]:
        """Sorted items and their weights."""
        values = np.concatenate(self.levels)
        weights = np.repeat([1 << h for h in range(len(self.levels))], [len(v) for v in self.levels])
        order = np.argsort(values, kind="stable")
        return values[order], weights[order]

    def __add__(self, other: RankSketch) -> RankSketch:
        deep = max(len(self.levels), len(other.levels))
        pairs = zip(_padded(self.levels, deep), _padded(other.levels, deep), strict=True)
        levels, error = [np.concatenate(pair) for pair in pairs], self.error + other.error
        h = 0
        while h < len(levels):
            if len(levels[h]) > 2 * KEPT:
                kept, up = _thinned(levels[h])
                error += 1 << h
                levels[h] = kept
                if h + 1 == len(levels):
                    levels.append(up)
                else:
                    levels[h + 1] = np.concatenate([levels[h + 1], up])
            h += 1
        return RankSketch(tuple(levels), error)


def _padded(levels: tuple[np.ndarray, ...], deep: int) -> list[np.ndarray]:
    empty = levels[0][:0] if levels else np.empty(0)
    return [*levels, *[empty] * (deep - len(levels))]


def _thinned(items: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What stays (one, of an odd number) and every second of the others. Which of a pair alternates with the pairs, so
    that the errors of one thinning cancel on the whole."""
    items = np.sort(items)
    odd = len(items) % 2
    pairs = items[odd:].reshape(-1, 2)
    return items[:odd], pairs[np.arange(len(pairs)), np.arange(len(pairs)) % 2]


# -- frequent values ------------------------------------------------------------------------------------------
@record
class Frequent:
    """The values that may be frequent, counts that are never too large, and how much too small they may be."""

    tally: dict[Any, int]
    n: int
    error: int = 0

    @classmethod
    def of(cls, values: Callable[[], list[Any]], counts: np.ndarray) -> Frequent:
        """Of different values (made when they are needed) with counts."""
        n = int(counts.sum())
        if len(counts) <= CAPACITY:
            return cls(dict(zip(values(), counts.tolist(), strict=True)), n)
        off = int(np.partition(counts, -CAPACITY - 1)[-CAPACITY - 1])
        kept = np.flatnonzero(counts > off)
        listed = values() if len(kept) else []
        return cls({listed[i]: int(counts[i]) - off for i in kept.tolist()}, n, off)

    def top(self, most: int) -> list[tuple[Any, int]]:
        return sorted(self.tally.items(), key=lambda pair: (-pair[1], pair[0]))[:most]

    def __add__(self, other: Frequent) -> Frequent:
        total = dict(self.tally)
        for value, count in other.tally.items():
            total[value] = total.get(value, 0) + count
        n, error = self.n + other.n, self.error + other.error
        if len(total) <= CAPACITY:
            return Frequent(total, n, error)
        off = sorted(total.values())[-CAPACITY - 1]
        return Frequent({v: c - off for v, c in total.items() if c > off}, n, error + off)


# -- how many are different -----------------------------------------------------------------------------------
@record
class Registers:
    """The longest runs of zeros among hashes, per register."""

    runs: np.ndarray

    @classmethod
    def of(cls, hashes: np.ndarray) -> Registers:
        rest = hashes & np.uint64((1 << REST) - 1)
        run = (REST + 1 - np.frexp(rest.astype(float))[1]).astype(np.uint8)
        runs = np.zeros(1 << BITS, dtype=np.uint8)
        np.maximum.at(runs, (hashes >> np.uint64(REST)).astype(np.intp), run)
        return cls(frozen_array(runs, np.uint8))

    relative_error = 1.04 / math.sqrt(1 << BITS)

    @property
    def estimate(self) -> float:
        """Ertl's estimate: m²/(2 ln 2) over a sum that corrects both ends of the range."""
        m = len(self.runs)
        held = np.bincount(self.runs, minlength=REST + 2)
        total = m * _tau(1 - held[REST + 1] / m) * 2.0**-REST + m * _sigma(held[0] / m)
        total += float((held[1 : REST + 1] * 0.5 ** np.arange(1, REST + 1)).sum())
        return m * m / (2 * math.log(2) * total)

    def __add__(self, other: Registers) -> Registers:
        return Registers(frozen_array(np.maximum(self.runs, other.runs), np.uint8))


def _sigma(x: float) -> float:
    """x + Σ x^(2^k) 2^(k−1)."""
    if x == 1:
        return math.inf
    total, weight = x, 1.0
    while x > 0:
        x, before = x * x, total
        total, weight = total + x * weight, 2 * weight
        if total == before:
            break
    return total


def _tau(x: float) -> float:
    """(1 − x − Σ (1 − x^(2^−k))² 2^(−k)) / 3."""
    if x in (0.0, 1.0):
        return 0.0
    total, weight, before = 1 - x, 1.0, math.inf
    while total != before:
        x, weight, before = math.sqrt(x), weight / 2, total
        total -= (1 - x) ** 2 * weight
    return total / 3


# -- hashes ---------------------------------------------------------------------------------------------------
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_BYTES = np.random.default_rng(20_191).integers(0, 2**64, 256, dtype=np.uint64)


def hash_numbers(values: np.ndarray) -> np.ndarray:
    """The same for equal numbers, whether they are written as integers or not."""
    as_float = values.astype(float) + 0.0  # no negative zero
    bits = as_float.view(np.uint64)
    if values.dtype.kind in "iu":
        wide = np.abs(as_float) >= 2.0**53
        bits = np.where(wide, values.astype(np.uint64), bits)
    elif values.dtype == object:
        bits = bits.copy()
        for i in np.flatnonzero(np.abs(as_float) >= 2.0**53):
            bits[i] = _folded(int(values[i])) if float(values[i]).is_integer() else bits[i]
    return _mixed(bits)


def _folded(value: int) -> int:
    """A whole number of any length in 64 bits; one that a machine integer holds, as its bits."""
    folded = value & (2**64 - 1)
    rest = value >> 64
    while rest not in (0, -1):
        folded, rest = (folded * 0x9E3779B97F4A7C15 ^ rest) & (2**64 - 1), rest >> 64
    return folded


def hash_words(words: list[str]) -> np.ndarray:
    """Of texts."""
    coded = [word.encode("utf-8", "surrogatepass") for word in words]
    ends = np.cumsum([0, *map(len, coded)])
    return hash_bytes(np.frombuffer(b"".join(coded), np.uint8), ends)


def hash_bytes(data: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Of texts that stand one after the other: Σ_i T[byte i] F^i, mixed."""
    lengths = np.diff(bounds)
    total = np.zeros(len(lengths), dtype=np.uint64)
    some = lengths > 0
    if some.any():
        starts = bounds[:-1][some] - bounds[0]
        place = np.arange(int(bounds[-1] - bounds[0])) - np.repeat(starts, lengths[some])
        terms = _BYTES[data[bounds[0] : bounds[-1]]] * _powers(int(lengths.max()))[place]
        total[some] = np.add.reduceat(terms, starts)
    return _mixed(total + lengths.astype(np.uint64) * _FACTOR)


def _powers(n: int) -> np.ndarray:
    factors = np.full(n, _FACTOR, dtype=np.uint64)
    factors[0] = 1
    return np.multiply.accumulate(factors)


def _mixed(bits: np.ndarray) -> np.ndarray:
    """Every bit depends on every other (the finisher of splitmix64)."""
    z = bits + _FACTOR
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
