r"""The beta distribution, on [0, 1].

Density      p(x) = xᵃ⁻¹ (1 − x)ᵇ⁻¹ / B(a, b)
Tails        P(X > x) = 1 − I_x(a, b), the incomplete beta function, by a fraction where it underflows
Fit          ψ(a) − ψ(a + b) = mean(log x),  ψ(b) − ψ(a + b) = mean(log(1 − x))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from scipy.special import betainc, betaincc, betainccinv, betaincinv, polygamma, xlog1py, xlogy

from suffice._core.errors import InvalidInput, InvalidParameter, NotConverged, warn
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
from suffice.distributions._kinds import FitsFromStatistics, always, conjugacy, root_of_variance
from suffice.distributions._numerics.discrete import masked
from suffice.distributions._numerics.fisher import matrix_information
from suffice.distributions._numerics.newton import maximize
from suffice.distributions._numerics.special import (
    digamma_gap,
    log_beta_kernel,
    log_beta_lower,
    log_beta_upper,
    stirling,
)
from suffice.distributions._numerics.statistics import UnitMoments

if TYPE_CHECKING:
    from suffice.distributions.univariate.bernoulli import Bernoulli
    from suffice.distributions.univariate.beta_binomial import BetaBinomial


@final
@record
class Beta(FitsFromStatistics, Univariate):
    """Numbers between 0 and 1: probabilities, shares.

    Parameters
    ----------
    a
        Weight of large values; as a prior of a coin, heads seen before plus one for a flat start.
    b
        Weight of small values; tails seen before.

    Examples
    --------
    >>> from suffice.distributions import Beta
    >>> d = Beta(a=3.0, b=1.0)
    >>> print(f"{d.mean} {d.mode} {d.cdf(0.5)} {d.log_cdf(1e-200):.3f}")
    0.75 1.0 0.125 -1381.551
    >>> Beta.fit([0.2, 0.5, 0.6])
    Beta(a=3.35448, b=4.46785)
    """

    a: Any
    b: Any

    _event_ndim: ClassVar[dict[str, int]] = {"a": 0, "b": 0}
    _smooth: ClassVar[bool] = True

    def __post_init__(self) -> None:
        assign(self, **broadcast(**positive_parameters(self, "a", "b")))

    @property
    def _log_constant(self) -> Any:
        """−log B(a, b)."""
        return log_beta_kernel(self.a, self.b, 0.5, 0.5) + (self.a + self.b) * np.log(2)

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """a/(a + b)."""
        return self.a / (self.a + self.b)

    @property
    def var(self) -> Any:
        """mean (1 − mean)/(a + b + 1)."""
        n = self.a + self.b
        return (self.a / n) * (self.b / n) / (n + 1)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """(a − 1)/(a + b − 2) for a, b ≥ 1; else the end where the density is highest; ½ for a = b = 1."""
        a, b = self.a - 1, self.b - 1
        inner = (a >= 0) & (b >= 0) & (a + b > 0)
        value = np.where(inner, a, 0.0) / np.where(inner, a + b, 1.0)
        return np.where(inner, value, np.where((a == 0) & (b == 0), 0.5, np.where(b < a, 1.0, 0.0)))[()]

    def entropy(self) -> Any:
        """log B(a, b) − (a − 1) ψ(a) − (b − 1) ψ(b) + (a + b − 2) ψ(a + b), without its cancellation."""
        a, b, n = self.a, self.b, self.a + self.b
        logs = 0.5 * (np.log(2 * np.pi / n) + np.log(a / n) + np.log(b / n))
        gaps = (a - 1) * digamma_gap(a) + (b - 1) * digamma_gap(b) - (n - 2) * digamma_gap(n)
        return (logs + stirling(a) + stirling(b) - stirling(n) + gaps)[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density; −inf outside [0, 1]."""
        x = real(x, self.batch_shape)
        at = np.where((x > 0) & (x < 1), x, 0.5)
        value = log_beta_kernel(self.a, self.b, at, 1 - at) - np.log(at) - np.log1p(-at)
        ends = np.where(x == 0, -xlogy(1 - self.a, 0.0), -xlog1py(1 - self.b, -1.0)) + self._log_constant
        value = np.where((x == 0) | (x == 1), ends, value)
        return masked(value, (x >= 0) & (x <= 1), x)

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x) = I_x(a, b)."""
        return betainc(self.a, self.b, self._inside(x))

    def sf(self, x: Any) -> Any:
        """P(X > x) = 1 − I_x(a, b)."""
        return betaincc(self.a, self.b, self._inside(x))

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x), also where it underflows."""
        return np.asarray(log_beta_lower(self.a, self.b, self._inside(x)))[()]

    def log_sf(self, x: Any) -> Any:
        """log P(X > x), also where it underflows."""
        return np.asarray(log_beta_upper(self.a, self.b, self._inside(x)))[()]

    def _inside(self, x: Any) -> Any:
        return np.clip(real(x, self.batch_shape), 0.0, 1.0)

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The x with P(X ≤ x) = p; a last Newton step mends what the inverse function leaves."""
        p = probability(p, self.batch_shape)
        below = p < 0.5
        x = np.where(below, betaincinv(self.a, self.b, p), betainccinv(self.a, self.b, 1 - p))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            leading = np.exp((np.log(p) + np.log(self.a) - self._log_constant) / self.a)
            x = np.where(np.isnan(x), leading, x)  # subnormal p
            miss = np.where(below, self.cdf(x) - p, 1 - p - self.sf(x))
            step = miss / self.prob(x)
        return np.where(np.abs(step) < 1e-6 * np.minimum(x, 1 - x), x - step, x)[()]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        return generator(rng).beta(self.a, self.b, sample_shape(n, self.batch_shape))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> UnitMoments:
        """Log moments of x and of 1 − x."""
        x = sample_values(x, ndim=1)
        outside = (x <= 0) | (x >= 1)
        if outside.any():
            raise InvalidInput(f"x must lie strictly between 0 and 1; got {x[outside][0]}.")
        return UnitMoments.of(x, weights(weight, len(x)))

    @classmethod
    def from_statistics(cls, statistics: UnitMoments) -> Beta:
        """Maximum likelihood, by Newton's method for log a and log b."""
        check_total(statistics.n)
        x, y = statistics.lower, statistics.upper
        if not (x.gap > 0 and y.gap > 0):
            raise InvalidInput("x must vary: the likelihood of equal values grows without end.")
        size = (y.mean / (x.mean * x.gap) + x.mean / (y.mean * y.gap)) / 4  # exact for large a and b
        start = np.log([max(size * x.mean, 0.05), max(size * y.mean, 0.05)])

        def likelihood(theta: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
            a, b = np.exp(theta)
            n = a + b
            value = log_beta_kernel(a, b, x.mean, y.mean) - a * x.gap - b * y.gap
            slope_a = np.log(x.mean * n / a) - x.gap + digamma_gap(a) - digamma_gap(n)
            slope_b = np.log(y.mean * n / b) - y.gap + digamma_gap(b) - digamma_gap(n)
            gradient = np.array([a * slope_a, b * slope_b])
            bend_a, bend_b, shared = (polygamma(1, v) for v in (a, b, n))
            hessian = np.array(
                [[a * a * (shared - bend_a), a * b * shared], [a * b * shared, b * b * (shared - bend_b)]]
            )
            return value, gradient, hessian + np.diag(gradient)

        found = maximize(likelihood, start)
        if not found.converged:
            warn("Beta.fit found no flat point of the likelihood.", NotConverged)
        return cls(*np.exp(found.theta))

    n_parameters = always(2, "a and b.")

    def fisher_information(self, n: float = 1) -> np.ndarray:
        """Of `n` observations about (a, b): n (diag(ψ′(a), ψ′(b)) − ψ′(a + b))."""
        both = polygamma(1, self.a + np.asarray(self.b))
        return matrix_information(n, polygamma(1, self.a) - both, -both, polygamma(1, self.b) - both)

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_mean(cls, mean: Any, size: Any) -> Beta:
        """From the mean and the prior sample size a + b."""
        mean, size = (
            parameter("mean", mean, low=0.0, strict=True),
            parameter("size", size, low=0.0, strict=True),
        )
        if np.any(mean >= 1):
            raise InvalidParameter(f"mean must be < 1; got {mean[mean >= 1].flat[0]}.")
        return cls(mean * size, (1 - mean) * size)

    # -- conjugacy -------------------------------------------------------------------------------------------

    def posterior(self, data: Any, weight: Any = None, *, n: Any = None) -> Beta:
        """After zeros and ones or their `Counts`; with `n` after successes out of n trials each."""
        return conjugacy().posterior(self, data, weight, n=n)

    def log_evidence(self, data: Any, weight: Any = None, *, n: Any = None) -> Any:
        """log p(data): of the sequence of tosses; with `n` of the numbers of successes, coefficients included."""
        return conjugacy().log_evidence(self, data, weight, n=n)

    def predictive(self, *, n: Any = None) -> Bernoulli | BetaBinomial:
        """The next toss, a `Bernoulli`; with `n` the successes in n further trials, a `BetaBinomial`."""
        return conjugacy().predictive(self, n=n)
