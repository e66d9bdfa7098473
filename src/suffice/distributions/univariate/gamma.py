r"""The gamma distribution, in shape and rate.

Density      p(x) = βᵃ xᵃ⁻¹ e^(−βx) / Γ(a) = exp(−D(a, βx)) √(a/2π) / x · Stirling's correction
Tails        P(X > x) = Q(a, βx), the incomplete gamma function, by a continued fraction where it underflows
Fit          log a − ψ(a) = log mean(x) − mean(log x),  β = a / mean(x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from scipy.special import gammainccinv, gammaincinv, polygamma

from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import (
    assign,
    broadcast,
    check_total,
    parameter,
    positive_parameters,
    probability,
    real,
    sample_shape,
    sample_values,
    weights,
)
from suffice.distributions._kinds import FitsFromStatistics, always, conjugacy
from suffice.distributions._numerics.discrete import masked
from suffice.distributions._numerics.fisher import matrix_information
from suffice.distributions._numerics.gamma_shape import gamma_shape, positive
from suffice.distributions._numerics.special import (
    digamma_gap,
    gamma_lower,
    gamma_upper,
    log_gamma_kernel,
    log_gamma_lower,
    log_gamma_upper,
    stirling,
)
from suffice.distributions._numerics.statistics import LogMoments

if TYPE_CHECKING:
    from suffice.distributions.univariate.negative_binomial import NegativeBinomial
    from suffice.distributions.univariate.student_t import StudentT


@final
@record
class Gamma(FitsFromStatistics, Univariate):
    """Positive numbers: waiting times, rates, precisions.

    Parameters
    ----------
    shape
        Shape a. One gives the exponential distribution; large values look normal.
    rate
        Rate β, one over the scale: the mean is a/β.

    Examples
    --------
    >>> from suffice.distributions import Gamma
    >>> d = Gamma(shape=3.0, rate=2.0)
    >>> print(f"{d.mean} {d.mode} {d.prob(1.0):.4f} {d.log_sf(1000):.3f}")
    1.5 1.0 0.5413 -1985.490
    >>> Gamma.fit([0.5, 1.0, 2.5])
    Gamma(shape=2.49816, rate=1.87362)
    """

    shape: Any
    rate: Any

    _event_ndim: ClassVar[dict[str, int]] = {"shape": 0, "rate": 0}
    _smooth: ClassVar[bool] = True

    def __post_init__(self) -> None:
        assign(self, **broadcast(**positive_parameters(self, "shape", "rate")))

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """a/β."""
        return self.shape / self.rate

    @property
    def var(self) -> Any:
        """a/β²."""
        return self.mean / self.rate

    @property
    def std(self) -> Any:
        """√a/β."""
        return np.sqrt(self.shape) / self.rate

    @property
    def mode(self) -> Any:
        """(a − 1)/β for a ≥ 1, otherwise 0, where the density is infinite."""
        return np.maximum(self.shape - 1, 0.0) / self.rate

    def entropy(self) -> Any:
        """a − log β + log Γ(a) + (1 − a) ψ(a), without its cancellation."""
        a = self.shape
        value = 0.5 * np.log(2 * np.pi * a) + stirling(a) + (a - 1) * digamma_gap(a) - np.log(self.rate)
        return value[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density; −inf below zero."""
        x = real(x, self.batch_shape)
        inside = (x > 0) & np.isfinite(x)
        at = np.where(inside, x, 1.0)
        with np.errstate(over="ignore", divide="ignore"):
            value = log_gamma_kernel(self.shape, self.rate * at) - np.log(at)
            edge = np.where(self.shape < 1, np.inf, np.where(self.shape > 1, -np.inf, np.log(self.rate)))
        return np.where(x == 0, edge, masked(value, inside, x))[()]

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x) = P(a, βx)."""
        return np.asarray(gamma_lower(self.shape, self._scaled(x)))[()]

    def sf(self, x: Any) -> Any:
        """P(X > x) = Q(a, βx)."""
        return np.asarray(gamma_upper(self.shape, self._scaled(x)))[()]

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x), also where it underflows."""
        return np.asarray(log_gamma_lower(self.shape, self._scaled(x)))[()]

    def log_sf(self, x: Any) -> Any:
        """log P(X > x), also where it underflows."""
        return np.asarray(log_gamma_upper(self.shape, self._scaled(x)))[()]

    def _scaled(self, x: Any) -> Any:
        with np.errstate(over="ignore"):
            return self.rate * np.maximum(real(x, self.batch_shape), 0.0)

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The x with P(X ≤ x) = p."""
        p = probability(p, self.batch_shape)
        z = np.where(p < 0.5, gammaincinv(self.shape, p), gammainccinv(self.shape, 1 - p))
        return (z / self.rate)[()]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        return generator(rng).standard_gamma(self.shape, sample_shape(n, self.batch_shape)) / self.rate

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> LogMoments:
        """n, the mean, and how far the mean logarithm lies below its logarithm."""
        x = positive(sample_values(x, ndim=1))
        return LogMoments.of(x, weights(weight, len(x)))

    @classmethod
    def from_statistics(cls, statistics: LogMoments) -> Gamma:
        """Maximum likelihood: the shape by Newton's method, the rate from the mean."""
        check_total(statistics.n)
        shape = gamma_shape(statistics.gap)
        return cls(shape, shape / statistics.mean)

    n_parameters = always(2, "Shape and rate.")

    def fisher_information(self, n: float = 1) -> np.ndarray:
        """Of `n` observations about (shape, rate): n [[ψ′(a), −1/b], [−1/b, a/b²]]."""
        a, b = np.broadcast_arrays(np.asarray(self.shape), np.asarray(self.rate))
        return matrix_information(n, polygamma(1, a), -1 / b, a / b**2)

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_scale(cls, shape: Any, scale: Any) -> Gamma:
        """From the scale 1/β."""
        return cls(shape, 1 / parameter("scale", scale, low=0.0, strict=True))

    @classmethod
    def from_mean(cls, mean: Any, std: Any) -> Gamma:
        """From the mean and the standard deviation: a = (mean/std)², β = a/mean."""
        mean = parameter("mean", mean, low=0.0, strict=True)
        shape = (mean / parameter("std", std, low=0.0, strict=True)) ** 2
        return cls(shape, shape / mean)

    @classmethod
    def exponential(cls, rate: Any) -> Gamma:
        """Shape one: the exponential distribution."""
        return cls(1.0, rate)

    @classmethod
    def chi_square(cls, dof: Any) -> Gamma:
        """The sum of `dof` squared standard normal numbers: shape ν/2, rate ½."""
        return cls(parameter("dof", dof, low=0.0, strict=True) / 2, 0.5)

    # -- conjugacy -------------------------------------------------------------------------------------------

    def posterior(self, data: Any, weight: Any = None, *, mean: Any = None) -> Gamma:
        """As the rate of Poisson counts; with `mean` as the precision of normal numbers about that mean.

        `mean` is one number, one per row (N,), or for a batch of posteriors a last axis of length 1: `mean[:, None]`.
        """
        return conjugacy().posterior(self, data, weight, mean=mean)

    def log_evidence(self, data: Any, weight: Any = None, *, mean: Any = None) -> Any:
        """log p(data) of Poisson counts; with `mean` of normal numbers about that mean."""
        return conjugacy().log_evidence(self, data, weight, mean=mean)

    def predictive(self, *, mean: Any = None) -> NegativeBinomial | StudentT:
        """The next count, a `NegativeBinomial`; with `mean` the next number, a `StudentT`."""
        return conjugacy().predictive(self, mean=mean)
