r"""Mean and central sums of powers up to four, of numbers of any size.

S_k = Σ (x − m)^k for k = 2, 3, 4. Two parts with means a and b, d = b − a, are joined without going back to the rows:

    m   = a + d n_b/n
    S₂  = S₂ᵃ + S₂ᵇ + d² n_a n_b/n
    S₃  = S₃ᵃ + S₃ᵇ + d³ n_a n_b (n_a − n_b)/n² + 3 d (n_a S₂ᵇ − n_b S₂ᵃ)/n
    S₄  = S₄ᵃ + S₄ᵇ + d⁴ n_a n_b (n_a² − n_a n_b + n_b²)/n³ + 6 d² (n_a² S₂ᵇ + n_b² S₂ᵃ)/n² + 4 d (n_a S₃ᵇ − n_b S₃ᵃ)/n

The mean is kept as a value of the column and an offset from it, so that a large mean costs no digits of d. Sums are
kept of x · 2^(−e), where 2^e is just above max |x|: exact, and the fourth power of 1e308 is a number.
"""

from __future__ import annotations

import math

import numpy as np

from suffice._core.records import record

SMALLEST = -1073  # exponent of numbers that are all zero


@record(repr=True)
class Powers:
    """n, mean (shift + offset) and central sums of x · 2^(−exponent)."""

    n: int = 0
    shift: float = 0.0
    offset: float = 0.0
    second: float = 0.0
    third: float = 0.0
    fourth: float = 0.0
    exponent: int = SMALLEST

    @classmethod
    def of(cls, values: np.ndarray) -> Powers:
        """Of finite numbers."""
        if not len(values):
            return cls()
        x = values.astype(float)
        exponent = max(math.frexp(float(np.max(np.abs(x))))[1], SMALLEST)
        x = np.ldexp(x, -exponent)
        shift = float(x[0])  # a column of one value has no spread, whatever its mean rounds to
        x -= shift
        offset = float(x.mean())
        x -= offset
        square = x * x
        sums = (float(square.sum()), float(square @ x), float(square @ square))
        return cls(len(x), shift, offset, *sums, exponent)

    def __add__(self, other: Powers) -> Powers:
        if not self.n or not other.n:
            return self if self.n else other
        e = max(self.exponent, other.exponent)
        return _joined(self._at(e), other._at(e))

    def _at(self, exponent: int) -> Powers:
        by = self.exponent - exponent
        mean = (math.ldexp(self.shift, by), math.ldexp(self.offset, by))
        sums = (
            math.ldexp(self.second, 2 * by),
            math.ldexp(self.third, 3 * by),
            math.ldexp(self.fourth, 4 * by),
        )
        return Powers(self.n, *mean, *sums, exponent)

    @property
    def average(self) -> float:
        """The mean, eq. 4.1."""
        return _ldexp(self.shift + self.offset, self.exponent) if self.n else math.nan

    @property
    def std(self) -> float:
        """The standard deviation with divisor n − 1, eq. 4.3; zero for one value (footnote 1 of the text)."""
        if not self.n:
            return math.nan
        return _ldexp(math.sqrt(self.second / (self.n - 1)), self.exponent) if self.n > 1 else 0.0

    @property
    def skewness(self) -> float:
        """√n S₃ / S₂^{3/2}; NaN without spread."""
        return math.sqrt(self.n) * self.third / self.second**1.5 if self.second**1.5 > 0 else math.nan

    @property
    def kurtosis(self) -> float:
        """n S₄ / S₂² − 3: zero for a normal distribution; NaN without spread."""
        return self.n * self.fourth / self.second**2 - 3 if self.second**2 > 0 else math.nan


def _ldexp(value: float, exponent: int) -> float:
    try:
        return math.ldexp(value, exponent)
    except OverflowError:
        return math.inf


def _joined(a: Powers, b: Powers) -> Powers:
    n, d = a.n + b.n, (b.shift - a.shift) + (b.offset - a.offset)
    wa, wb = a.n / n, b.n / n
    second = a.second + b.second + d * d * a.n * wb
    third = a.third + b.third + d**3 * a.n * wb * (wa - wb) + 3 * d * (wa * b.second - wb * a.second)
    fourth = (
        a.fourth
        + b.fourth
        + d**4 * a.n * wb * (wa * wa - wa * wb + wb * wb)
        + 6 * d * d * (wa * wa * b.second + wb * wb * a.second)
        + 4 * d * (wa * b.third - wb * a.third)
    )
    return Powers(n, a.shift, a.offset + d * wb, second, third, fourth, a.exponent)
