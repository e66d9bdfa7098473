r"""The inverse gamma distribution: one over a gamma variable.

Density      p(x) = sᵃ x⁻ᵃ⁻¹ e^(−s/x) / Γ(a)
Tails        P(X > x) = P(a, s/x), the incomplete gamma function
Fit          1/x is Gamma(shape a, rate s)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from scipy.special import gammainccinv, gammaincinv

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
from suffice.distributions._kinds import FitsFromStatistics, always, conjugacy, squared_std
from suffice.distributions._numerics.discrete import masked
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
    from suffice.distributions.univariate.student_t import StudentT


@final
@record
class InverseGamma(FitsFromStatistics, Univariate):
    """Positive numbers with a heavy upper tail: variances.

    Parameters
    ----------
    shape
        Shape a: the tail falls as x⁻ᵃ.
    scale
        Scale s, in the units of x: the rate of 1/x.

    Examples
    --------
    >>> from suffice.distributions import InverseGamma
    >>> d = InverseGamma(shape=3.0, scale=2.0)
    >>> print(f"{d.mean} {d.mode} {d.prob(1.0):.4f} {d.log_sf(1e200):.3f}")
    1.0 0.5 0.5413 -1381.263
    """

    shape: Any
    scale: Any

    _event_ndim: ClassVar[dict[str, int]] = {"shape": 0, "scale": 0}
    _smooth: ClassVar[bool] = True

    def __post_init__(self) -> None:
        assign(self, **broadcast(**positive_parameters(self, "shape", "scale")))

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """s/(a − 1) for a > 1, otherwise infinite."""
        excess = np.where(self.shape > 1, self.shape - 1, 1.0)
        return np.where(self.shape > 1, self.scale / excess, np.inf)[()]

    var = squared_std("mean²/(a − 2) for a > 2, otherwise infinite.")

    @property
    def std(self) -> Any:
        """mean/√(a − 2) for a > 2, otherwise infinite."""
        excess = np.where(self.shape > 2, self.shape - 2, 1.0)
        return np.where(self.shape > 2, self.mean / np.sqrt(excess), np.inf)[()]

    @property
    def mode(self) -> Any:
        """s/(a + 1)."""
        return self.scale / (self.shape + 1)

    def entropy(self) -> Any:
        """a + log s + log Γ(a) − (1 + a) ψ(a), without its cancellation."""
        a = self.shape
        value = 0.5 * np.log(2 * np.pi / a) + stirling(a) + (a + 1) * digamma_gap(a) + np.log(self.scale / a)
        return value[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density; −inf at zero and below."""
        x = real(x, self.batch_shape)
        inside = (x > 0) & np.isfinite(x)
        at = np.where(inside, x, 1.0)
        with np.errstate(over="ignore", divide="ignore"):
            value = log_gamma_kernel(self.shape, self.scale / at) - np.log(at)
        return masked(value, inside, x)

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x) = Q(a, s/x)."""
        return np.asarray(gamma_upper(self.shape, self._inverse(x)))[()]

    def sf(self, x: Any) -> Any:
        """P(X > x) = P(a, s/x)."""
        return np.asarray(gamma_lower(self.shape, self._inverse(x)))[()]

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x), also where it underflows."""
        return np.asarray(log_gamma_upper(self.shape, self._inverse(x)))[()]

    def log_sf(self, x: Any) -> Any:
        """log P(X > x), also where it underflows."""
        return np.asarray(log_gamma_lower(self.shape, self._inverse(x)))[()]

    def _inverse(self, x: Any) -> Any:
        with np.errstate(over="ignore", divide="ignore"):
            return self.scale / np.maximum(real(x, self.batch_shape), 0.0)

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The x with P(X ≤ x) = p."""
        p = probability(p, self.batch_shape)
        z = np.where(p < 0.5, gammainccinv(self.shape, p), gammaincinv(self.shape, 1 - p))
        with np.errstate(divide="ignore"):
            return (self.scale / z)[()]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        with np.errstate(divide="ignore", over="ignore"):
            return self.scale / generator(rng).standard_gamma(self.shape, sample_shape(n, self.batch_shape))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> LogMoments:
        """Log moments of 1/x."""
        x = positive(sample_values(x, ndim=1))
        return LogMoments.of(1 / x, weights(weight, len(x)))

    @classmethod
    def from_statistics(cls, statistics: LogMoments) -> InverseGamma:
        """Maximum likelihood: that of the gamma distribution of 1/x."""
        check_total(statistics.n)
        shape = gamma_shape(statistics.gap)
        return cls(shape, shape / statistics.mean)

    n_parameters = always(2, "Shape and scale.")

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def scaled_inverse_chi_square(cls, dof: Any, scale: Any) -> InverseGamma:
        """ν s²/χ²(ν): shape ν/2, scale ν s²/2."""
        half = parameter("dof", dof, low=0.0, strict=True) / 2
        return cls(half, half * parameter("scale", scale, low=0.0, strict=True) ** 2)

    # -- conjugacy -------------------------------------------------------------------------------------------

    def posterior(self, data: Any, weight: Any = None, *, mean: Any) -> InverseGamma:
        """As the variance of normal numbers about a known mean.

        `mean` is one number, one per row (N,), or for a batch of posteriors a last axis of length 1: `mean[:, None]`.
        """
        return conjugacy().posterior(self, data, weight, mean=mean)

    def log_evidence(self, data: Any, weight: Any = None, *, mean: Any) -> Any:
        """log p(data) of normal numbers about a known mean."""
        return conjugacy().log_evidence(self, data, weight, mean=mean)

    def predictive(self, *, mean: Any) -> StudentT:
        """The next number: StudentT(2a, mean, √(s/a))."""
        return conjugacy().predictive(self, mean=mean)
