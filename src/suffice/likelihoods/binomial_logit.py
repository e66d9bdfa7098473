r"""Successes in m trials with the logistic link: share p = σ(a) of m.

log p = y a − m log(1 + eᵃ) + log C(m, y),   g = y − m σ(a),   v = m σ(a) σ(−a)

half deviance   D(y, m σ(a)) + D(m − y, m σ(−a)),   D(x, μ) = x log(x/μ) + μ − x
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from scipy.special import expit, gammaln, logit, xlogy

from suffice._core.errors import check_integer
from suffice._core.numerics import half_deviance
from suffice._core.records import record
from suffice.distributions import Binomial
from suffice.distributions._numerics.excess import excess
from suffice.likelihoods._base import KnownVariance, SeparateFormulas, as_targets, large, refuse
from suffice.likelihoods.links import Link, Logit


@final
@record(repr=True)
class BinomialLogit(KnownVariance, SeparateFormulas):
    """Successes of so many trials in every row, with log odds a of each.

    Where the number of trials differs from row to row, give every row twice: y = 1 with the successes as its weight,
    and y = 0 with the failures (`BernoulliLogit`).

    Parameters
    ----------
    trials
        m, at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import BinomialLogit
    >>> BinomialLogit(10).gradient(np.array([7.0]), np.array([0.0]))
    array([2.])
    """

    trials: int = 1

    def __post_init__(self) -> None:
        m = self.trials
        check_integer("trials", m, 1)

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        if large(self.trials):
            return self.saturated(y) - self._half_deviance(y, a)
        rest = self.trials - y
        return -y * np.logaddexp(0.0, -a) - rest * np.logaddexp(0.0, a) + self._choices(y)

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return y * expit(-a) - (self.trials - y) * expit(a)

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.expected_curvature(a)

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        return self.trials * expit(a) * expit(-a)

    @property
    def own_link(self) -> Link:
        return Logit()

    def link(self, mean: Any) -> np.ndarray:
        return logit(np.asarray(mean, dtype=float) / self.trials)

    def mean(self, a: np.ndarray) -> np.ndarray:
        return self.trials * expit(a)

    def distribution(self, a: np.ndarray) -> Binomial:
        return Binomial(self.trials, expit(a))

    def saturated(self, y: np.ndarray) -> np.ndarray:
        m, rest = self.trials, self.trials - y
        if large(m):
            return excess(m) - excess(y) - excess(rest)
        return xlogy(y, y / m) + xlogy(rest, rest / m) + self._choices(y)

    def deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Of successes and failures, each from its own mean."""
        return 2 * self._half_deviance(y, a)

    def _half_deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        m = self.trials
        return half_deviance(y, m * expit(a)) + half_deviance(m - y, m * expit(-np.asarray(a)))

    def _choices(self, y: np.ndarray) -> np.ndarray:
        return gammaln(self.trials + 1) - gammaln(y + 1) - gammaln(self.trials - y + 1)

    def check(self, y: Any) -> np.ndarray:
        values = as_targets(y)
        bad = (values < 0) | (values > self.trials) | (values != np.floor(values))
        refuse("BinomialLogit", values, bad, f"successes 0 … {self.trials}", "Check trials.")
        return values
