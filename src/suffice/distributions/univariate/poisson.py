r"""The Poisson distribution: how many rare events happen.

Probability  P(X = k) = λᵏ e^(−λ) / k! = exp(−D(k, λ)) / √(2πk) · Stirling's correction
Tails        P(X ≤ k) = Q(k + 1, λ), the incomplete gamma function
Fit          λ = Σ w x / n
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import gammaln, xlogy

from suffice._core.numerics import LOG_2PI
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import (
    assign,
    check_total,
    parameter,
    probability,
    real,
    sample_shape,
    weights,
)
from suffice.distributions._kinds import FitsFromStatistics, always
from suffice.distributions._numerics.discrete import (
    entropy_of_counts,
    first_integer,
    masked,
    on_integers,
    sample_counts,
    steps,
)
from suffice.distributions._numerics.fisher import scalar_information
from suffice.distributions._numerics.special import (
    deviance,
    gamma_lower,
    gamma_upper,
    log_gamma_lower,
    log_gamma_upper,
    plain_will_do,
    stirling,
)
from suffice.statistics import Moments

_LARGE = 1000.0  # rate from which the entropy's series has all its digits


@final
@record
class Poisson(FitsFromStatistics, Univariate):
    """The number of events in a window when they happen independently at a constant rate.

    Parameters
    ----------
    rate
        Expected number of events. Zero makes a point mass at zero.

    Examples
    --------
    >>> from suffice.distributions import Poisson
    >>> d = Poisson(3.5)
    >>> print(f"{d.prob(2):.4f} {d.sf(9):.5f} {d.log_sf(500):.2f}")
    0.1850 0.00331 -1993.41
    >>> Poisson.fit([2, 0, 4])
    Poisson(rate=2)
    """

    rate: Any

    _event_ndim: ClassVar[dict[str, int]] = {"rate": 0}
    _discrete: ClassVar[bool] = True
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        assign(self, rate=parameter("rate", self.rate, low=0.0)[()])

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """The rate λ."""
        return self.rate

    @property
    def var(self) -> Any:
        """The rate λ."""
        return self.rate

    @property
    def std(self) -> Any:
        """√λ."""
        return np.sqrt(self.rate)

    @property
    def mode(self) -> Any:
        """The most probable count, ⌈λ⌉ − 1; the smaller of two for an integer rate."""
        return np.maximum(np.ceil(self.rate) - 1, 0.0)

    def entropy(self) -> Any:
        """−Σ P log P, summed where the probability is; ½ log 2πeλ − 1/12λ − … for large rates."""
        small, r = np.minimum(self.rate, _LARGE), 1 / np.maximum(self.rate, _LARGE)
        direct = entropy_of_counts(Poisson(small).log_prob, small, np.sqrt(small), self.batch_shape)
        series = 0.5 * (LOG_2PI + 1 - np.log(r)) - r * (1 / 12 + r * (1 / 24 + r * (19 / 360 + r * 9 / 80)))
        return np.where(self.rate > _LARGE, series, direct)[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """log P(X = x); −inf for what is not a possible count."""
        x = real(x, self.batch_shape)
        k, inside = on_integers(x)
        if plain_will_do(k, self.rate):
            return masked(xlogy(k, self.rate) - self.rate - gammaln(k + 1.0), inside, x)
        positive = np.maximum(k, 1.0)
        with np.errstate(over="ignore"):
            value = -deviance(positive, self.rate) - 0.5 * np.log(2 * np.pi * positive) - stirling(positive)
        return masked(np.where(k == 0, -self.rate, value), inside, x)

    def cdf(self, x: Any) -> Any:
        """P(X ≤ k) = Q(k + 1, λ)."""
        return steps(real(x, self.batch_shape), lambda k: gamma_upper(k + 1, self.rate), 0.0, 1.0)

    def sf(self, x: Any) -> Any:
        """P(X > k) = P(k + 1, λ)."""
        return steps(real(x, self.batch_shape), lambda k: gamma_lower(k + 1, self.rate), 1.0, 0.0)

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x), also where it underflows."""
        return steps(real(x, self.batch_shape), lambda k: log_gamma_upper(k + 1, self.rate), -np.inf, 0.0)

    def log_sf(self, x: Any) -> Any:
        """log P(X > x), also where it underflows."""
        return steps(real(x, self.batch_shape), lambda k: log_gamma_lower(k + 1, self.rate), 0.0, -np.inf)

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The smallest count with P(X ≤ count) ≥ p; infinite for p = 1."""
        p = probability(p, self.batch_shape)
        most = np.ceil(self.rate + 10 * np.sqrt(self.rate) + 40)  # P(X > most) < 1e-17
        found = first_integer(lambda k: self.cdf(k) >= p, -1.0, most + 0 * p)
        return np.where((p == 1) & (self.rate > 0), np.inf, found)[()]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        return generator(rng).poisson(self.rate, sample_shape(n, self.batch_shape))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Moments:
        """n, mean and scatter of counts."""
        x = sample_counts(x)
        return Moments.of(x, weights(weight, len(x)))

    @classmethod
    def from_statistics(cls, statistics: Moments) -> Poisson:
        """Maximum likelihood: the mean."""
        check_total(statistics.n)
        return cls(statistics.mean)

    n_parameters = always(1, "The rate.")

    def fisher_information(self, n: float = 1) -> Any:
        """Of `n` observations about the rate: n / λ."""
        with np.errstate(divide="ignore"):
            return scalar_information(n, 1 / np.asarray(self.rate))
