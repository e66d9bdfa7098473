r"""Columns of numbers, and of words in a known order, as one number each; gaps are filled and may be marked."""

from __future__ import annotations

from collections import Counter

import numpy as np

from suffice._core.records import record
from suffice.prepare.transforming._cell_reading import as_numbers, counted_words, distinct_words, is_absent

TRUTH = (0.0, 1.0)
MARGIN = 0.25  # of the range of the fit: how far outside is far


def odd_words(values: np.ndarray, unread: np.ndarray) -> Counter[str]:
    """Words that were not read, but for those that stand for none."""
    found = counted_words(values[unread])
    return Counter({word: n for word, n in found.items() if not is_absent(word)})


def names_with_gap(name: str, names: list[str], gap: bool) -> tuple[str, ...]:
    """Names of columns, with one for where the column is missing."""
    return (*names, f"{name} is missing") if gap else tuple(names)


def _write_filled(x: np.ndarray, fill: float, gap: bool, out: np.ndarray) -> None:
    missing = np.isnan(x)
    out[:, 0] = np.where(missing, fill, x)
    if gap:
        out[:, 1] = missing


# -- numbers ----------------------------------------------------------------------------------------------
@record
class NumberCode:
    """A number per row. `only` are the values that a column of two values may have; any other is a stranger.

    `mark` is the decimal mark of text, "" where the fit had none: then a new column decides for itself. `low` and
    `high` are the least and the greatest number of the fit.
    """

    name: str
    names: tuple[str, ...]
    fill: float
    gap: bool
    only: tuple[float, ...] | None = None
    mark: str = ""
    low: float = -np.inf
    high: float = np.inf

    @property
    def rule(self) -> str:
        return f"taken as {self.fill:.6g}, the {'median' if self.only is None else 'mean'} of the fit"

    def write(self, cells: np.ndarray, out: np.ndarray) -> None:
        _write_filled(cells, self.fill, self.gap, out)

    def read(self, values: np.ndarray) -> np.ndarray:
        """Numbers, NaN for what is none."""
        x = as_numbers(values, self.only == TRUTH, self.mark or None)
        return x if self.only is None else np.where(np.isin(x, self.only), x, np.nan)

    def strangers(self, values: np.ndarray) -> Counter[str]:
        """Words where a number is expected, numbers where another is, and ±inf, which no model takes."""
        return odd_words(values, np.isnan(self.read(values))) + _infinite(values)

    def missing(self, values: np.ndarray) -> int:
        return int(np.isnan(self.read(values)).sum()) - self.strangers(values).total()

    def far(self, values: np.ndarray) -> Far | None:
        """Numbers outside those of the fit by more than a quarter of their range."""
        x = self.read(values)
        out = np.maximum(self.low - x, x - self.high)
        with np.errstate(over="ignore", invalid="ignore"):
            far = np.isfinite(x) & (out > MARGIN * (self.high - self.low))
        if not far.any():
            return None
        return Far(int(far.sum()), float(x[np.argmax(np.where(far, out, -np.inf))]), self.low, self.high)


@record
class Far:
    """How many cells lie far outside the numbers of the fit, the farthest of them, and the range of the fit."""

    cells: int
    farthest: float
    low: float
    high: float

    def with_those(self, other: Far | None) -> Far:
        """Of more rows."""
        if other is None:
            return self
        both = (self.farthest, other.farthest)
        return Far(self.cells + other.cells, max(both, key=self._outside), self.low, self.high)

    def _outside(self, x: float) -> float:
        return max(self.low - x, x - self.high)


def _infinite(values: np.ndarray) -> Counter[str]:
    """How often a column of floats is ±inf; among words these are odd ones already."""
    if values.dtype.kind != "f":
        return Counter()
    return Counter({"inf": int(np.sum(values == np.inf)), "-inf": int(np.sum(values == -np.inf))})


def number_code(name: str, values: np.ndarray, two: bool = False, mark: str = "") -> NumberCode:
    """The code of a column of numbers or spans, or of `two` values such as truths, whose gaps get the mean."""
    x = as_numbers(values, two, mark or None)
    known = x[~np.isnan(x)]
    gap = len(known) < len(x)
    called = f"{name} in days" if values.dtype.kind == "m" else name
    if not two:
        ends = float(known.min()), float(known.max())
        return NumberCode(name, names_with_gap(name, [called], gap), _median(known), gap, None, mark, *ends)
    found, counts = np.unique(known, return_counts=True)
    only = TRUTH if set(found.tolist()) <= set(TRUTH) else tuple(found.tolist())
    fill = float(np.sum(found * (counts / len(known))))
    return NumberCode(name, names_with_gap(name, [called], gap), fill, gap, only, mark)


def _median(x: np.ndarray) -> float:
    """The median, also of numbers whose sum is too large for a number."""
    with np.errstate(over="ignore"):
        middle = float(np.median(x))
    return middle if np.isfinite(middle) else 2 * float(np.median(x / 2))


# -- ranks ------------------------------------------------------------------------------------------------
@record
class RankCode:
    """The place of a word in `order`, which begins with the lowest."""

    name: str
    names: tuple[str, ...]
    order: tuple[str, ...]
    fill: float
    gap: bool

    @property
    def rule(self) -> str:
        return f"taken as the rank {self.fill:g}, the median of the fit"

    def read(self, values: np.ndarray) -> np.ndarray:
        """Ranks, NaN for what has none."""
        return _ranks(values, self.order)

    def write(self, cells: np.ndarray, out: np.ndarray) -> None:
        _write_filled(cells, self.fill, self.gap, out)

    def strangers(self, values: np.ndarray) -> Counter[str]:
        """Words that have no place in the order."""
        return counted_words(values[np.isnan(self.read(values))])

    def missing(self, values: np.ndarray) -> int:
        return int(np.sum(distinct_words(values)[0] < 0))


def rank_code(name: str, values: np.ndarray, order: tuple[str, ...]) -> RankCode:
    """The code of a column of words in a known order."""
    ranks = _ranks(values, order)
    known = ranks[~np.isnan(ranks)]
    gap = len(known) < len(ranks)
    return RankCode(name, names_with_gap(name, [f"{name} as rank"], gap), order, float(np.median(known)), gap)


def _ranks(values: np.ndarray, order: tuple[str, ...]) -> np.ndarray:
    codes, words = distinct_words(values)
    place = {word: float(i) for i, word in enumerate(order)}
    return np.array([*(place.get(word, np.nan) for word in words), np.nan])[codes]
