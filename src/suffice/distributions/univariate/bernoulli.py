r"""The Bernoulli distribution: one toss of a coin.

Probability  P(X = 1) = p,  P(X = 0) = 1 − p
Fit          p = n₁ / n
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import entr, expit

from suffice._core.errors import InvalidInput
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
    unit,
    weights,
)
from suffice.distributions._kinds import FitsFromStatistics, always, root_of_variance
from suffice.distributions._numerics.discrete import masked, on_integers, sample_counts, steps
from suffice.distributions._numerics.fisher import scalar_information
from suffice.statistics import Counts


@final
@record
class Bernoulli(FitsFromStatistics, Univariate):
    """One toss: 1 with probability p, otherwise 0.

    Parameters
    ----------
    p
        Probability of 1.

    Examples
    --------
    >>> from suffice.distributions import Bernoulli
    >>> d = Bernoulli(0.7)
    >>> print(d.mode, d.prob([0, 1, 2]), d.sample(5, rng=1))
    1.0 [0.3 0.7 0. ] [1 0 1 0 1]
    >>> Bernoulli.fit([1, 0, 1], weight=[1, 2, 1])
    Bernoulli(p=0.5)
    """

    p: Any

    _event_ndim: ClassVar[dict[str, int]] = {"p": 0}
    _discrete: ClassVar[bool] = True
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        assign(self, p=unit("p", self.p)[()])

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """The probability p."""
        return self.p

    @property
    def var(self) -> Any:
        """p (1 − p)."""
        return self.p * (1 - self.p)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """The more probable value; 0 for p = ½."""
        return np.where(self.p > 0.5, 1.0, 0.0)[()]

    def entropy(self) -> Any:
        """−p log p − (1 − p) log(1 − p)."""
        return entr(self.p) + entr(1 - self.p)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """log p at 1, log(1 − p) at 0, −inf elsewhere."""
        x = real(x, self.batch_shape)
        k, inside = on_integers(x, 1)
        with np.errstate(divide="ignore"):
            return masked(np.where(k == 1, np.log(self.p), np.log1p(-self.p)), inside, x)

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x)."""
        return steps(real(x, self.batch_shape), lambda k: 1 - self.p, 0.0, 1.0, high=1)

    def sf(self, x: Any) -> Any:
        """P(X > x)."""
        return steps(real(x, self.batch_shape), lambda k: self.p, 1.0, 0.0, high=1)

    def log_cdf(self, x: Any) -> Any:
        """log P(X ≤ x)."""
        with np.errstate(divide="ignore"):
            return steps(real(x, self.batch_shape), lambda k: np.log1p(-self.p), -np.inf, 0.0, high=1)

    def log_sf(self, x: Any) -> Any:
        """log P(X > x)."""
        with np.errstate(divide="ignore"):
            return steps(real(x, self.batch_shape), lambda k: np.log(self.p), 0.0, -np.inf, high=1)

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """0 up to 1 − p, then 1; the only possible value for p = 0 and p = 1."""
        reached = (probability(p, self.batch_shape) <= 1 - self.p) & (self.p < 1)
        return np.where(reached, 0.0, 1.0)[()]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        u = generator(rng).random(sample_shape(n, self.batch_shape))
        return np.asarray(u < self.p).astype(int)[()]

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Counts:
        """How often 0 and 1 occurred; counts that are already there pass through."""
        if isinstance(x, Counts):
            return x
        x = sample_counts(x, high=1)
        return Counts.of(x.astype(int), weights(weight, len(x)), classes=[0, 1])

    @classmethod
    def from_statistics(cls, statistics: Counts) -> Bernoulli:
        """Maximum likelihood: the share of ones."""
        check_total(statistics.n)
        classes = statistics.classes.tolist()
        if not set(classes) <= {0, 1}:
            raise InvalidInput(f"Bernoulli needs counts of 0 and 1; got the classes {classes}.")
        return cls(statistics.counts[statistics.classes == 1].sum() / statistics.n)

    n_parameters = always(1, "The probability.")

    def fisher_information(self, n: float = 1) -> Any:
        """Of `n` observations about p: n / (p (1 − p))."""
        with np.errstate(divide="ignore"):
            return scalar_information(n, 1 / (self.p * (1 - np.asarray(self.p))))

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_logit(cls, logit: Any) -> Bernoulli:
        """From the log odds: p = 1/(1 + e^(−logit))."""
        return cls(expit(parameter("logit", logit)))
