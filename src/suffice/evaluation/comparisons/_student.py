r"""The mean of a sample and its Student-t posterior, with room for correlation (DTU eqs 11.40, 11.49, 11.61).

    ẑ = Σ w z / n,   ŝ² = Σ w (z − ẑ)²/(n − 1),   σ̃² = factor · ŝ²,   mean | data ~ t(n − 1, ẑ, σ̃)

`factor` is 1/n for independent values and 1/n + ρ/(1 − ρ) for values with correlation ρ. Values are divided by
the largest before they are squared, so that no scale overflows.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr, stdtrit

from suffice._core.records import record
from suffice.distributions import StudentT
from suffice.evaluation.comparisons._inputs import Interval

EQUAL = 16 * np.finfo(float).eps  # a spread below this share of the values is rounding


@record(repr=True)
class MeanPosterior:
    """Where the mean lies: a Student t with center, scale and degrees of freedom; scale 0 where nothing varies."""

    center: float
    scale: float
    dof: float

    @property
    def distribution(self) -> StudentT:
        """The posterior itself, for its density and quantiles."""
        return StudentT(self.dof, self.center, self.scale)

    @property
    def statistic(self) -> float:
        """Center over scale."""
        return self.center / self.scale if self.scale else float("nan")

    def interval(self, confidence: float) -> Interval:
        """The central interval (11.42, 11.52, 11.64)."""
        half = self.scale * float(stdtrit(self.dof, (1 + confidence) / 2))
        return self.center - half, self.center + half

    def p_value(self) -> float:
        """Two-sided, for a mean of zero (11.53, 11.65)."""
        return float(2 * stdtr(self.dof, -abs(self.statistic)))


def mean_posterior(z: np.ndarray, weight: np.ndarray, correlation: float = 0.0) -> MeanPosterior:
    """Eqs 11.40 and 11.61; a single value has no degrees of freedom and an unknown (infinite) scale."""
    z, weight = z[weight > 0], weight[weight > 0]
    n, size = float(weight.sum()), float(np.abs(z).max())
    unit = size if size > 0 else 1.0
    u = z / unit
    center = float(weight @ u) / n
    if n < 2:
        return MeanPosterior(center * unit, float("inf"), 0.0)
    square = float(weight @ (u - center) ** 2) / (n - 1)
    spread = np.sqrt(square) if np.sqrt(square) > EQUAL else 0.0
    factor = 1 / n + correlation / (1 - correlation)
    return MeanPosterior(center * unit, float(np.sqrt(factor) * spread) * unit, n - 1)
