r"""Bernoulli with the probit link: P(y = 1 | a) = Φ(a), the normal cumulative.

With s = ±1 for y = 1, 0 and z = s a:   log p = log Φ(z),   r = N(z) / Φ(z),   g = s r,   v = r (r + z)
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri

from suffice._core.records import record
from suffice.distributions import Bernoulli
from suffice.likelihoods._base import (
    KnownVariance,
    SeparateFormulas,
    as_targets,
    refuse,
    twice_below_saturated,
)
from suffice.likelihoods._tails import mills, mills_curvature
from suffice.likelihoods.links import Link, Probit


@final
@record(repr=True)
class BernoulliProbit(KnownVariance, SeparateFormulas):
    """0 or 1: whether a standard normal error stays below a.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import BernoulliProbit
    >>> BernoulliProbit().gradient(np.array([1.0, 1.0]), np.array([0.0, -700.0])).round(4)
    array([  0.7979, 700.0014])
    """

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return log_ndtr(_signed(y, a))

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return np.where(y == 1, 1.0, -1.0) * mills(_signed(y, a))

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return mills_curvature(_signed(y, a))

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        """N(a)² / (Φ(a) Φ(−a))."""
        return mills(a) * mills(-np.asarray(a))

    @property
    def own_link(self) -> Link:
        return Probit()

    def link(self, mean: Any) -> np.ndarray:
        return ndtri(mean)

    def mean(self, a: np.ndarray) -> np.ndarray:
        return ndtr(a)

    def distribution(self, a: np.ndarray) -> Bernoulli:
        return Bernoulli(ndtr(a))

    def spread(self, a: np.ndarray, dispersion: float) -> Bernoulli:
        """Zeros and ones have the variance of their mean, whatever was estimated."""
        return self.distribution(a)

    def saturated(self, y: np.ndarray) -> np.ndarray:
        return np.zeros(len(y))

    def deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return twice_below_saturated(self, y, a)

    def check(self, y: Any) -> np.ndarray:
        values = as_targets(y)
        refuse("BernoulliProbit", values, (values != 0) & (values != 1), "0 and 1", "Code the classes so.")
        return values


def _signed(y: np.ndarray, a: np.ndarray) -> np.ndarray:
    return np.where(y == 1, a, -np.asarray(a))
