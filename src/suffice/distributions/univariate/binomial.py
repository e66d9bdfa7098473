r"""The binomial distribution: how many of n tosses are heads.

Probability  P(X = k) = C(n, k) pᵏ (1 − p)ⁿ⁻ᵏ
             = exp(−D(k, np) − D(n − k, n(1 − p))) · √(n / 2πk(n − k)) · Stirling's corrections
Tails        P(X > k) = I_p(k + 1, n − k), the incomplete beta function
Fit          p = Σ w x / (n Σ w), for a given n
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import betainc, betaincc, xlog1py, xlogy

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import (
    assign,
    broadcast,
    check_total,
    probability,
    real,
    sample_shape,
    unit,
    weights,
)
from suffice.distributions._kinds import always, root_of_variance
from suffice.distributions._numerics.counts import whole
from suffice.distributions._numerics.discrete import (
    entropy_of_counts,
    first_integer,
    masked,
    on_integers,
    sample_counts,
    steps,
)
from suffice.distributions._numerics.fisher import scalar_information
from suffice.distributions._numerics.special import deviance, log_beta_lower, log_beta_upper, log_choose
from suffice.statistics import Moments


@final
@record
class Binomial(Univariate):
    """The number of successes in n independent trials.

    Parameters
    ----------
    n
        Number of trials.
    p
        Probability of success in each.

    Examples
    --------
    >>> from suffice.distributions import Binomial
    >>> d = Binomial(n=10, p=0.5)
    >>> print(f"{d.prob(3):.5f} {d.cdf(6):.5f} {d.interval(0.9)}")
    0.11719 0.82812 (np.float64(2.0), np.float64(8.0))
    >>> Binomial.fit([3, 5, 4], n=10)
    Binomial(n=10, p=0.4)
    """

    n: Any
    p: Any

    _event_ndim: ClassVar[dict[str, int]] = {"n": 0, "p": 0}
    _discrete: ClassVar[bool] = True
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        assign(self, **broadcast(n=whole("n", self.n), p=unit("p", self.p)))

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """n p."""
        return self.n * self.p

    @property
    def var(self) -> Any:
        """n p (1 − p)."""
        return self.n * self.p * (1 - self.p)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """The most probable count, ⌈(n + 1) p⌉ − 1; the smaller of two."""
        return np.clip(np.ceil((self.n + 1) * self.p) - 1, 0, self.n)[()]

    def entropy(self) -> Any:
        """−Σ P log P, summed where the probability is."""
        return entropy_of_counts(self.log_prob, self.mean, self.std, self.batch_shape)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """log P(X = x); −inf for what is not a possible count."""
        x = real(x, self.batch_shape)
        k, inside = on_integers(x, self.n)
        k = np.minimum(k, self.n)
        fit = deviance(k, self.n * self.p) + deviance(self.n - k, self.n * (1 - self.p))
        fit = np.where(k == self.n, -xlogy(self.n, self.p), fit)
        fit = np.where(k == 0, -xlog1py(self.n, -self.p), fit)
        return masked(log_choose(self.n, k) - fit, inside, x)

    def cdf(self, x: Any) -> Any:
        """P(X ≤ k) = I_{1−p}(n − k, k + 1)."""
        x = real(x, self.batch_shape)
        return steps(x, lambda k: betaincc(k + 1, self._trials_left(k), self.p), 0.0, 1.0, self.n)

    def sf(self, x: Any) -> Any:
        """P(X > k) = I_p(k + 1, n − k)."""
        x = real(x, self.batch_shape)
        return steps(x, lambda k: betainc(k + 1, self._trials_left(k), self.p), 1.0, 0.0, self.n)

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x), also where it underflows."""
        x = real(x, self.batch_shape)
        return steps(x, lambda k: log_beta_upper(k + 1, self._trials_left(k), self.p), -np.inf, 0.0, self.n)

    def log_sf(self, x: Any) -> Any:
        """log P(X > x), also where it underflows."""
        x = real(x, self.batch_shape)
        return steps(x, lambda k: log_beta_lower(k + 1, self._trials_left(k), self.p), 0.0, -np.inf, self.n)

    def _trials_left(self, k: Any) -> Any:
        return np.maximum(self.n - k, 1.0)  # n = 0 has no steps

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The smallest count with P(X ≤ count) ≥ p."""
        p = probability(p, self.batch_shape)
        low, high = np.where(self.p == 1, self.n, 0.0), np.where(self.p == 0, 0.0, self.n)
        found = first_integer(lambda k: self.cdf(k) >= p, low - 1, high + 0 * p)
        return np.where(p == 1, high, found)[()]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        trials = np.asarray(self.n).astype(np.int64)
        return generator(rng).binomial(trials, self.p, sample_shape(n, self.batch_shape))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Moments:
        """n, mean and scatter of counts."""
        x = sample_counts(x)
        return Moments.of(x, weights(weight, len(x)))

    @classmethod
    def from_statistics(cls, statistics: Moments, n: Any = None) -> Binomial:
        """Maximum likelihood for a given number of trials: the mean over n."""
        n = _trials(n)
        check_total(statistics.n)
        if statistics.mean > n:
            raise InvalidInput(f"The mean count, {float(statistics.mean):g}, exceeds n = {n:g}.")
        return cls(n, statistics.mean / n if n else 0.0)

    @classmethod
    def fit(cls, x: Any, weight: Any = None, n: Any = None) -> Binomial:
        """Maximum likelihood from counts out of `n` trials each, which must be given."""
        return cls.from_statistics(cls.statistics(sample_counts(x, high=_trials(n)), weight), n)

    n_parameters = always(1, "The probability; n is given.")

    def fisher_information(self, n: float = 1) -> Any:
        """Of `n` observations about p: that of all their tosses, n·tosses / (p (1 − p))."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return scalar_information(n, self.n / (self.p * (1 - np.asarray(self.p))))


def _trials(n: Any) -> float:
    if n is None or np.ndim(n):
        raise InvalidParameter(f"n must be given to a fit, one number of trials for all; got {n!r}.")
    return float(whole("n", n))
