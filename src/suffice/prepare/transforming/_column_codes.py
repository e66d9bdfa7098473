r"""How one column of a table becomes numbers: a code per kind of column, learned once and then fixed.

NumberCode   the number; a gap becomes the median, and a second column says where
LevelsCode   a column of zeros and ones per level but the most frequent one, the reference; rare levels are one level
TimeCode     days since the first moment, and the turn of the year, week and day as cosine and sine

Every code has `name`, `names` (of what it gives), `width`, `encode(values)`, and `strangers(values)`, the cells it
has not been prepared for. A level never seen before is met by the *average* row: it gets the shares of the levels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from suffice._core.records import frozen_array, record
from suffice.prepare.looking._columns import gaps

OTHER, GAP = "other", "missing"
DAY = 86_400_000_000  # microseconds
TURNS = {"year": 365.2425, "week": 7.0, "day": 1.0}


class Code(Protocol):
    """What an encoder asks of the code of a column."""

    name: str

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def width(self) -> int: ...
    def encode(self, values: np.ndarray) -> np.ndarray: ...
    def strangers(self, values: np.ndarray) -> Counter: ...


# -- numbers ----------------------------------------------------------------------------------------------
@record
class NumberCode:
    """A number per row; `gap` says whether a second column marks the rows without one."""

    name: str
    fill: float
    gap: bool

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, f"{self.name} is {GAP}") if self.gap else (self.name,)

    @property
    def width(self) -> int:
        return 1 + self.gap

    def encode(self, values: np.ndarray) -> np.ndarray:
        x = as_numbers(values)
        return with_gap(np.where(np.isnan(x), self.fill, x)[:, None], np.isnan(x), self.gap)

    def strangers(self, values: np.ndarray) -> Counter:
        """Words where a number is expected."""
        if values.dtype != object:
            return Counter()
        return Counter(str(v) for v in values if v is not None and np.isnan(_number(v)))


def number_code(name: str, values: np.ndarray) -> NumberCode:
    """The code of a column of numbers or truths."""
    x = as_numbers(values)
    known = x[~np.isnan(x)]
    return NumberCode(name, float(np.median(known)) if len(known) else 0.0, len(known) < len(x))


def as_numbers(values: np.ndarray) -> np.ndarray:
    """A column as floats: gaps, infinities and words are NaN."""
    if values.dtype == object:
        x = np.array([_number(v) for v in values], dtype=float)
    else:
        x = values.astype(float)
    return np.where(np.isfinite(x), x, np.nan)


def _number(value: Any) -> float:
    try:
        return np.nan if value is None else float(value)
    except (TypeError, ValueError):
        return np.nan


def with_gap(Z: np.ndarray, missing: np.ndarray, gap: bool) -> np.ndarray:
    """The columns, and one that marks what is missing if that was asked for."""
    return np.column_stack([Z, missing.astype(float)]) if gap else Z


# -- levels -----------------------------------------------------------------------------------------------
@record
class LevelsCode:
    """Zeros and ones. `levels` begins with the reference, which has no column; `shares` are those of the levels.

    `rare` are the values that count as the level "other". A gap is a level of its own where the fit met one.
    """

    name: str
    levels: tuple[str, ...]
    shares: np.ndarray
    rare: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{self.name} = {level}" for level in self.levels[1:])

    @property
    def width(self) -> int:
        return len(self.levels) - 1

    @property
    def reference(self) -> str:
        """The level that the columns are compared with."""
        return self.levels[0]

    def encode(self, values: np.ndarray) -> np.ndarray:
        rows = np.vstack([np.eye(len(self.levels)), self.shares])[:, 1:]
        return rows[self._places(as_words(values))]

    def _places(self, words: np.ndarray) -> np.ndarray:
        """The place of every cell among the levels; one beyond them for what is unknown."""
        place: dict[Any, int] = {level: i for i, level in enumerate(self.levels)}
        if OTHER in place:
            place |= dict.fromkeys(self.rare, place[OTHER])
        place[None] = place.get(GAP, len(self.levels))
        return np.array([place.get(w, len(self.levels)) for w in words], dtype=int)

    def strangers(self, values: np.ndarray) -> Counter:
        """Levels that the fit has not met."""
        known = {*self.levels, *self.rare, None}
        return Counter(w for w in as_words(values) if w not in known)


def levels_code(name: str, values: np.ndarray, most: int, least: int) -> LevelsCode:
    """The code of a column of categories: the `most` frequent with at least `least` rows; the rest are one level."""
    counts = Counter(as_words(values))
    missing = counts.pop(None, 0)
    ranked = sorted(counts, key=lambda w: (-counts[w], w))
    kept = [w for i, w in enumerate(ranked) if i < most and counts[w] >= least] or ranked[:1]
    rare = tuple(w for w in ranked if w not in set(kept))
    sizes = {w: counts[w] for w in kept}
    if rare:
        sizes[OTHER] = sizes.get(OTHER, 0) + sum(counts[w] for w in rare)
    if missing:
        sizes[GAP] = sizes.get(GAP, 0) + missing
    total = max(sum(sizes.values()), 1)
    return LevelsCode(name, tuple(sizes), frozen_array(np.array(list(sizes.values())) / total), rare)


def as_words(values: np.ndarray) -> np.ndarray:
    """A column as text, None for gaps; whole numbers without a point."""
    out = np.empty(len(values), dtype=object)
    missing = gaps(values)
    for i, (value, gone) in enumerate(zip(values.tolist(), missing, strict=True)):
        out[i] = None if gone else _word(value)
    return out


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) and value.is_integer() else str(value)


# -- times ------------------------------------------------------------------------------------------------
@record
class TimeCode:
    """Days since `start` (microseconds of the epoch), and the turns that the times of the fit go through."""

    name: str
    start: int
    fill: float
    gap: bool
    turns: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        waves = [f"{self.name} {wave} of the {turn}" for turn in self.turns for wave in ("cosine", "sine")]
        return (f"{self.name} in days", *waves, *([f"{self.name} is {GAP}"] if self.gap else []))

    @property
    def width(self) -> int:
        return 1 + 2 * len(self.turns) + self.gap

    def encode(self, values: np.ndarray) -> np.ndarray:
        moments = as_moments(values)
        missing = np.isnat(moments)
        days = np.where(missing, self.fill, (moments.astype(np.int64) - self.start) / DAY)
        angles = [2 * np.pi * (days + self.start / DAY) / TURNS[turn] for turn in self.turns]
        waves = [wave(angle) for angle in angles for wave in (np.cos, np.sin)]
        return with_gap(np.column_stack([days, *waves]), missing, self.gap)

    def strangers(self, values: np.ndarray) -> Counter:
        """Cells that are no moments."""
        return Counter() if values.dtype.kind in "mM" else Counter(str(v) for v in values if v is not None)


def time_code(name: str, values: np.ndarray) -> TimeCode:
    """The code of a column of moments: a turn is kept if the times go through it at least twice."""
    moments = as_moments(values)
    known = moments[~np.isnat(moments)].astype(np.int64)
    start, span = int(known.min()), (known.max() - known.min()) / DAY
    clock = np.any(known % DAY != 0)
    turns = tuple(t for t, days in TURNS.items() if span >= 2 * days and (t != "day" or clock))
    fill = float(np.median(known - start)) / DAY
    return TimeCode(name, start, fill, len(known) < len(moments), turns)


def as_moments(values: np.ndarray) -> np.ndarray:
    """A column of times in microseconds; spans of time count from the epoch."""
    if values.dtype.kind == "m":
        return values.astype("m8[us]").astype(np.int64).view("M8[us]")
    if values.dtype.kind == "M":
        return values.astype("M8[us]")
    return np.full(len(values), np.datetime64("NaT"), dtype="M8[us]")


def joined(codes: Sequence[Code], columns: Sequence[np.ndarray], n: int) -> np.ndarray:
    """The columns of all codes side by side."""
    parts = [code.encode(values) for code, values in zip(codes, columns, strict=True)]
    return np.hstack(parts) if parts else np.zeros((n, 0))
