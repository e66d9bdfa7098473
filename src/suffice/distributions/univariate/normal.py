r"""The normal distribution.

Density      p(x) = exp(−z²/2) / (σ √(2π)),  z = (x − μ)/σ
Tails        P(X > x) = Φ(−z), kept in logs where it underflows
Fit          μ = Σ w x / n,  σ² = Σ w (x − μ)² / n

σ = 0 is the point mass at μ: a perfect fit yields it.
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri

from suffice._core.numerics import LOG_2PI
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import (
    assign,
    broadcast,
    check_total,
    of_vector,
    parameter,
    probability,
    real,
    sample_shape,
)
from suffice.distributions._kinds import FitsFromStatistics, always, conjugacy, squared_std
from suffice.distributions._numerics.fisher import matrix_information
from suffice.distributions._numerics.scale import at_scale, log_density_at_scale, standardized
from suffice.statistics import Moments


@final
@record
class Normal(FitsFromStatistics, Univariate):
    """The normal (Gaussian) distribution of a number.

    Parameters
    ----------
    mean
        Centre: mean, median and mode.
    std
        Standard deviation, the distance from the centre to the points of inflection. Zero makes a point mass.

    Examples
    --------
    >>> from suffice.distributions import Normal
    >>> d = Normal(mean=1.0, std=2.0)
    >>> low, high = d.interval(0.95)
    >>> print(f"{low:.3f} {high:.3f} {d.between(-1, 3):.4f}")
    -2.920 4.920 0.6827
    >>> Normal.fit([1.0, 2.0, 6.0], weight=[1, 1, 2])
    Normal(mean=3.75, std=2.27761)
    """

    mean: Any
    std: Any

    _event_ndim: ClassVar[dict[str, int]] = {"mean": 0, "std": 0}
    _smooth: ClassVar[bool] = True

    def __post_init__(self) -> None:
        mean, std = parameter("mean", self.mean), parameter("std", self.std, low=0.0)
        assign(self, **broadcast(mean=mean, std=std))

    # -- moments ---------------------------------------------------------------------------------

    var = squared_std("Variance, σ².")

    @property
    def mode(self) -> Any:
        """Where the density is highest: the mean."""
        return self.mean

    def entropy(self) -> Any:
        """½ log(2πe σ²); −inf for a point mass."""
        with np.errstate(divide="ignore"):
            return 0.5 * (1 + LOG_2PI) + np.log(self.std)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density; for a point mass inf at the point and −inf elsewhere."""
        x = real(x, self.batch_shape)
        z = standardized(x, self.mean, self.std)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            out = z * z
            out *= -0.5
            out -= 0.5 * LOG_2PI + np.log(self.std)
        return log_density_at_scale(out, x, self.mean, self.std)

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x) = Φ(z)."""
        return ndtr(standardized(real(x, self.batch_shape), self.mean, self.std))

    def sf(self, x: Any) -> Any:
        """P(X > x) = Φ(−z)."""
        return ndtr(-standardized(real(x, self.batch_shape), self.mean, self.std))

    def log_cdf(self, x: Any) -> Any:
        """log Φ(z)."""
        return log_ndtr(standardized(real(x, self.batch_shape), self.mean, self.std))

    def log_sf(self, x: Any) -> Any:
        """log Φ(−z)."""
        return log_ndtr(-standardized(real(x, self.batch_shape), self.mean, self.std))

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """μ + σ Φ⁻¹(p)."""
        return at_scale(ndtri(probability(p, self.batch_shape)), self.mean, self.std)

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        return self.mean + self.std * generator(rng).standard_normal(sample_shape(n, self.batch_shape))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Moments:
        """n, mean and scatter of a vector."""
        return of_vector(Moments, x, weight)

    @classmethod
    def from_statistics(cls, statistics: Moments) -> Normal:
        """Maximum likelihood: the mean, and the scatter over n."""
        check_total(statistics.n)
        return cls(statistics.mean, np.sqrt(statistics.variance))

    n_parameters = always(2, "Mean and standard deviation.")

    def fisher_information(self, n: float = 1) -> np.ndarray:
        """Of `n` observations about (mean, std): n diag(1/σ², 2/σ²)."""
        with np.errstate(divide="ignore"):
            about_mean = np.broadcast_to(1 / np.square(self.std), np.shape(self.mean + np.asarray(self.std)))
        return matrix_information(n, about_mean, 0.0, 2 * about_mean)

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_variance(cls, mean: Any, var: Any) -> Normal:
        """From the variance σ²."""
        return cls(mean, np.sqrt(parameter("var", var, low=0.0)))

    @classmethod
    def from_precision(cls, mean: Any, precision: Any) -> Normal:
        """From the precision 1/σ²."""
        return cls(mean, 1 / np.sqrt(parameter("precision", precision, low=0.0, strict=True)))

    # -- conjugacy -------------------------------------------------------------------------------------------

    def posterior(self, data: Any, weight: Any = None, *, std: Any) -> Normal:
        """As the mean of normal numbers of known standard deviation; data may be `Moments`.

        `std` is one number, one per row (N,), or for a batch of posteriors a last axis of length 1: `std[:, None]`.
        """
        return conjugacy().posterior(self, data, weight, std=std)

    def log_evidence(self, data: Any, weight: Any = None, *, std: Any) -> Any:
        """log p(data) of normal numbers of known standard deviation."""
        return conjugacy().log_evidence(self, data, weight, std=std)

    def predictive(self, *, std: Any) -> Normal:
        """The next number: the variances add."""
        return conjugacy().predictive(self, std=std)
