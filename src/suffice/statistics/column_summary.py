r"""One column in one pass: a value that adds, whatever the column holds.

    rows = missing + numbers + flags + texts + times
    missing: gaps, and NaN among numbers;  numbers: finite ones, −∞ and ∞

A column may hold several kinds at once (a spreadsheet does); each is counted apart. While the different values fit,
everything is exact and does not depend on the order or the size of the parts; beyond that, ranks, frequent values and
the number of different values come from sketches that state their error (`tallies.py`, `sketches.py`).

Whole numbers that neither a machine integer nor a float can tell apart stay Python integers, in arrays of objects.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.records import record, same_kind
from suffice.statistics.powers import Powers
from suffice.statistics.tallies import NumberCounts, SketchedCounts, WordCounts
from suffice.tables.cells import is_missing

NONE = NumberCounts(np.empty(0), np.empty(0, dtype=np.int64))
NO_WORDS = WordCounts({})
# whole numbers of floats, of machine integers; the largest kept
EXACT, LONGEST, LARGEST = (
    2**53,
    2**63,
    2**1023,
)
REACH = 9_200_000_000  # seconds from 1970 that a machine integer counts in nanoseconds


@record
class Numbers:
    """Finite numbers with their counts and powers, and how many were infinite."""

    counts: NumberCounts | SketchedCounts = NONE
    powers: Powers = Powers()
    low: float = math.inf
    high: float = -math.inf
    infinite: tuple[int, int] = (0, 0)  # −∞, ∞
    whole: bool = True

    @classmethod
    def of(cls, values: np.ndarray) -> Numbers:
        """Of numbers without NaN."""
        if not len(values):
            return cls()
        infinite = (0, 0)
        if values.dtype.kind in "fO" and not (finite := np.isfinite(values.astype(float))).all():
            infinite = (int(np.count_nonzero(values == -np.inf)), int(np.count_nonzero(values == np.inf)))
            values = values[finite]
        if not len(values):
            return cls(infinite=infinite)
        low, high = values.min(), values.max()
        if values.dtype == object:
            whole = all(isinstance(v, int) or v.is_integer() for v in values)
        else:
            low, high = low.item(), high.item()
            whole = values.dtype.kind in "iu" or not np.any(values != np.trunc(values))
        return cls(NumberCounts.of(values), Powers.of(values), low, high, infinite, bool(whole))

    @property
    def n(self) -> int:
        return self.powers.n + sum(self.infinite)

    def __add__(self, other: Numbers) -> Numbers:
        if not self.n or not other.n:
            return self if self.n else other
        infinite = (self.infinite[0] + other.infinite[0], self.infinite[1] + other.infinite[1])
        counts = self.counts + other.counts if self.powers.n and other.powers.n else self._some(other).counts
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Numbers(counts, self.powers + other.powers, low, high, infinite, self.whole and other.whole)

    def _some(self, other: Numbers) -> Numbers:
        return self if self.powers.n else other


@record
class Texts:
    """Texts with their counts, and the lengths of all of them."""

    counts: WordCounts | SketchedCounts = NO_WORDS
    lengths: Numbers = Numbers()

    @classmethod
    def of(cls, words: Iterable[str]) -> Texts:
        words = list(words)
        if not words:
            return cls()
        return cls(WordCounts.of(words), Numbers.of(np.fromiter(map(len, words), np.int64, len(words))))

    @property
    def n(self) -> int:
        return self.lengths.n

    def __add__(self, other: Texts) -> Texts:
        if not self.n or not other.n:
            return self if self.n else other
        return Texts(self.counts + other.counts, self.lengths + other.lengths)


@record
class ColumnSummary:
    """What can be said of a column from one pass, in parts that add.

    Times are counted in nanoseconds from 1970. `nan` are those among the missing that were written as NaN.

    Examples
    --------
    >>> from suffice.statistics import ColumnSummary
    >>> s = ColumnSummary.of([1.0, 2.0, None]) + ColumnSummary.of([2.0, 4.0, 6.0, float("nan")])
    >>> s.rows, s.missing, s.numbers.counts.top(2), s.numbers.powers.average
    (7, 2, [(2.0, 2), (1.0, 1)], 3.0)
    """

    rows: int
    missing: int
    nan: int = 0
    numbers: Numbers = Numbers()
    texts: Texts = Texts()
    times: Numbers = Numbers()
    flags: tuple[int, int] = (0, 0)  # false, true

    @classmethod
    def of(cls, values: Any) -> ColumnSummary:
        """Of a sequence of numbers, texts, truths and times, with None and NaN for gaps."""
        values = _vector(values)
        if values.dtype.kind in "iufb":
            return cls.of_numbers(values)
        if values.dtype.kind == "M":
            gone = np.isnat(values)
            return cls.of_times(values[~gone], int(gone.sum()))
        return cls.of_objects(values)

    @classmethod
    def of_numbers(cls, values: np.ndarray, gaps: int = 0) -> ColumnSummary:
        """Of an array of numbers or truths, and gaps that are not in it."""
        rows, nan = len(values) + gaps, 0
        if values.dtype.kind == "b":
            true = int(np.count_nonzero(values))
            return cls(rows, gaps, flags=(len(values) - true, true))
        if values.dtype.kind == "f":
            gone = np.isnan(values)
            nan = int(np.count_nonzero(gone))
            values = (values[~gone] if nan else values).astype(float, copy=False)
        elif values.dtype.kind in "iu":
            values = values.astype(object if _is_beyond(values) else np.int64, copy=False)
        return cls(rows, nan + gaps, nan, numbers=Numbers.of(values))

    @classmethod
    def of_times(cls, values: np.ndarray, gaps: int = 0) -> ColumnSummary:
        """Of an array of times, and gaps that are not in it."""
        return cls(len(values) + gaps, gaps, times=_times(values))

    @classmethod
    def of_objects(cls, values: np.ndarray) -> ColumnSummary:
        """Of cells of any kind: each is counted with its like; what has no kind, by how it is written."""
        kinds: dict[str, list[Any]] = {"gap": [], "nan": [], "flag": [], "number": [], "time": [], "text": []}
        for value in values.tolist():
            kind, held = sorted_out(value)
            kinds[kind].append(held)
        true = sum(kinds["flag"])
        numbers = _whole(kinds["number"])
        times = _whole(kinds["time"])
        gaps, nan = len(kinds["gap"]), len(kinds["nan"])
        flags = (len(kinds["flag"]) - true, true)
        parts = (Numbers.of(numbers), Texts.of(kinds["text"]), Numbers.of(times))
        return cls(len(values), gaps + nan, nan, *parts, flags)

    @property
    def present(self) -> int:
        """Rows with a value."""
        return self.rows - self.missing

    @property
    def kinds(self) -> dict[str, int]:
        """How many values of each kind there are, the most frequent kind first."""
        n = {"numbers": self.numbers.n, "text": self.texts.n, "times": self.times.n, "flags": sum(self.flags)}
        return {kind: count for kind, count in sorted(n.items(), key=lambda p: -p[1]) if count}

    @same_kind
    def __add__(self, other: ColumnSummary) -> ColumnSummary:
        return ColumnSummary(
            self.rows + other.rows,
            self.missing + other.missing,
            self.nan + other.nan,
            self.numbers + other.numbers,
            self.texts + other.texts,
            self.times + other.times,
            (self.flags[0] + other.flags[0], self.flags[1] + other.flags[1]),
        )


def _vector(values: Any) -> np.ndarray:
    if not isinstance(values, np.ndarray):
        listed = list(values)
        kinds = {type(v) for v in listed}
        longest = LONGEST if kinds <= {int} else EXACT
        if kinds - {int, float} or any(abs(v) >= longest for v in listed if isinstance(v, int)):
            values = np.empty(len(listed), dtype=object)
            values[:] = listed
        else:
            values = np.asarray(listed)
    if values.ndim != 1:
        raise InvalidInput(f"A column is a vector; got shape {values.shape}. Give one column at a time.")
    return values


def _is_beyond(values: np.ndarray) -> bool:
    return bool(values.dtype == np.uint64 and len(values) and values.max() > np.uint64(2**63 - 1))


def _whole(values: list[Any]) -> np.ndarray:
    """Integers as such where they fit; as objects where floats would make one of several."""
    if all(type(v) is int and abs(v) < LONGEST for v in values):
        return np.array(values, dtype=np.int64)
    if not any(isinstance(v, int | np.integer) and abs(int(v)) > EXACT for v in values):
        return np.array([as_float(v) for v in values], dtype=float)
    out = np.empty(len(values), dtype=object)
    out[:] = [
        int(v) if isinstance(v, int | np.integer) and abs(int(v)) < LARGEST else as_float(v) for v in values
    ]
    return out


def _times(values: np.ndarray) -> Numbers:
    """Times as nanoseconds from 1970: machine integers from 1678 to 2262, beyond that those of Python."""
    if not len(values):
        return Numbers()
    ends = np.array([values.min(), values.max()])
    farthest = max(abs(int(s)) for s in ends.astype("datetime64[s]").view(np.int64))
    if farthest < REACH:
        return Numbers.of(values.astype("datetime64[ns]").view(np.int64))
    if farthest >= 1000 * REACH:
        days = " and ".join(str(day) for day in ends.astype("datetime64[D]"))
        raise InvalidInput(f"Times between {days} are too far apart to be counted; leave the farthest out.")
    micro = values.astype("datetime64[us]").view(np.int64)
    unique, counts = np.unique(micro, return_counts=True)
    far = unique.astype(object) * 1000
    return Numbers(NumberCounts(far, counts).fitting(), Powers.of(micro * 1000.0), far[0], far[-1])


def as_float(value: Any) -> float:
    """A number as a float; infinite where it is beyond them."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def sorted_out(value: Any) -> tuple[str, Any]:
    """The kind of a cell, and the cell as that kind."""
    if isinstance(value, str):
        return "text", value
    if value is None:
        return "gap", value
    if isinstance(value, bool | np.bool_):
        return "flag", bool(value)
    if isinstance(value, int | float | np.number) or type(value).__name__ == "Decimal":
        return ("nan", value) if value != value else ("number", value)
    if hasattr(value, "isoformat") and hasattr(value, "year"):
        gone = value != value  # NaT
        return ("gap", None) if gone else ("time", _instant(value))
    if isinstance(value, bytes):
        return "text", value.decode("utf-8", "backslashreplace")
    return ("gap", None) if is_missing(value) else ("text", str(value))


def _instant(value: Any) -> int:
    """A time in UTC, in nanoseconds from 1970."""
    if getattr(value, "tzinfo", None) is not None:
        value = (value - value.utcoffset()).replace(tzinfo=None)
    rest = getattr(value, "nanosecond", 0)  # pandas counts them apart
    return 1000 * int(np.datetime64(value.isoformat(), "us").astype(np.int64)) + rest
