"""Small statistics that add: what the fits of this room need beyond moments and counts."""

from __future__ import annotations

import numpy as np

from suffice._core.errors import HeaderMismatch
from suffice._core.records import record, same, same_kind
from suffice.distributions._numerics.special import deviance


@record
class LogMoments:
    """n, the mean of x and how far the mean of log x lies below the log of the mean.

    gap = log mean(x) − mean(log x) ≥ 0, kept as the mean of D(1, x/mean), so that data which hardly vary
    lose no digits. It equals Σ log x and Σ x in disguise: n (log mean − gap) and n mean.
    """

    n: float
    mean: float
    gap: float

    @classmethod
    def of(cls, x: np.ndarray, weight: np.ndarray | None = None) -> LogMoments:
        """Of positive numbers."""
        w = np.ones(len(x)) if weight is None else weight
        n = float(w.sum())
        if n == 0:
            return cls(0.0, 1.0, 0.0)
        mean = float(w @ x / n)
        return cls(n, mean, float(w @ deviance(1.0, x / mean) / n))

    @same_kind
    def __add__(self, other: LogMoments) -> LogMoments:
        n = self.n + other.n
        if n == 0:
            return self
        mean = (self.n * self.mean + other.n * other.mean) / n
        gap = sum(part.n / n * (part.gap + deviance(1.0, part.mean / mean)) for part in (self, other))
        return LogMoments(n, mean, float(gap))


@record
class UnitMoments:
    """Log moments of x and of 1 − x, for numbers strictly between 0 and 1."""

    lower: LogMoments
    upper: LogMoments

    @classmethod
    def of(cls, x: np.ndarray, weight: np.ndarray | None = None) -> UnitMoments:
        """Of numbers strictly between 0 and 1."""
        return cls(LogMoments.of(x, weight), LogMoments.of(1 - x, weight))

    @property
    def n(self) -> float:
        """Total weight."""
        return self.lower.n

    @same_kind
    def __add__(self, other: UnitMoments) -> UnitMoments:
        return UnitMoments(self.lower + other.lower, self.upper + other.upper)


@record
class Range:
    """n and the smallest and largest value of positive weight."""

    n: float
    low: float
    high: float

    @classmethod
    def of(cls, x: np.ndarray, weight: np.ndarray | None = None) -> Range:
        """Of a vector."""
        w = np.ones(len(x)) if weight is None else weight
        seen = x[w > 0]
        return cls(float(w.sum()), float(np.min(seen, initial=np.inf)), float(np.max(seen, initial=-np.inf)))

    @same_kind
    def __add__(self, other: Range) -> Range:
        return Range(self.n + other.n, min(self.low, other.low), max(self.high, other.high))


@record
class BinCounts:
    """Total weight in each bin of fixed edges."""

    edges: np.ndarray
    counts: np.ndarray

    @property
    def n(self) -> float:
        """Total weight."""
        return float(self.counts.sum())

    @same_kind
    def __add__(self, other: BinCounts) -> BinCounts:
        if not same(self.edges, other.edges):
            raise HeaderMismatch("Cannot combine counts of different bins; give both the same edges.")
        return BinCounts(self.edges, self.counts + other.counts)
