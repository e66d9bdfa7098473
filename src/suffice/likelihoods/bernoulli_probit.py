r"""Bernoulli with the probit link: P(y = 1 | a) = Φ(a), the normal cumulative.

With s = ±1 for y = 1, 0 and z = s a:   log p = log Φ(z),   r = N(z) / Φ(z),   g = s r,   v = r (r + z)
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from scipy.special import erfcx, log_ndtr, ndtr, ndtri

from suffice._core.records import record
from suffice.distributions import Bernoulli
from suffice.likelihoods._base import Likelihood, as_targets, refuse


@final
@record(repr=True)
class BernoulliProbit(Likelihood):
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
        return np.where(y == 1, 1.0, -1.0) * _ratio(_signed(y, a))

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        z = _signed(y, a)
        r = _ratio(z)
        u = 1 / np.minimum(z, -100.0) ** 2
        return np.where(
            z < -100, 1 - u + 6 * u**2, r * (r + z)
        )  # far out r + z is lost in the digits of both

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        """N(a)² / (Φ(a) Φ(−a))."""
        return _ratio(a) * _ratio(-np.asarray(a))

    def link(self, mean: Any) -> np.ndarray:
        return ndtri(mean)

    def mean(self, a: np.ndarray) -> np.ndarray:
        return ndtr(a)

    def distribution(self, a: np.ndarray) -> Bernoulli:
        return Bernoulli(ndtr(a))

    def saturated(self, y: np.ndarray) -> np.ndarray:
        return np.zeros(len(y))

    def check(self, y: Any) -> np.ndarray:
        values = as_targets(y)
        refuse("BernoulliProbit", values, (values != 0) & (values != 1), "0 and 1", "Code the classes so.")
        return values


def _signed(y: np.ndarray, a: np.ndarray) -> np.ndarray:
    return np.where(y == 1, a, -np.asarray(a))


def _ratio(z: np.ndarray) -> np.ndarray:
    """N(z) / Φ(z), from the scaled error function: both vanish below −38."""
    return np.sqrt(2 / np.pi) / erfcx(-np.asarray(z, dtype=float) / np.sqrt(2))
