r"""Bernoulli with the probit link: P(y = 1 | a) = Φ(a), the normal cumulative.

With s = ±1 for y = 1, 0 and z = s a:   log p = log Φ(z),   r = N(z) / Φ(z),   g = s r,   v = r (r + z)
"""

from __future__ import annotations

from typing import final

import numpy as np
from scipy.special import log_ndtr, ndtr

from suffice._core.records import record
from suffice.likelihoods._base import SeparateFormulas
from suffice.likelihoods._bernoulli import ZeroOrOne
from suffice.likelihoods._tails import mills, mills_curvature
from suffice.likelihoods.links import Probit


@final
@record(repr=True)
class BernoulliProbit(ZeroOrOne, SeparateFormulas):
    """0 or 1: whether a standard normal error stays below a.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import BernoulliProbit
    >>> BernoulliProbit().gradient(np.array([1.0, 1.0]), np.array([0.0, -700.0])).round(4)
    array([  0.7979, 700.0014])
    """

    natural_link = Probit()

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return log_ndtr(_signed(y, a))

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return np.where(y == 1, 1.0, -1.0) * mills(_signed(y, a))

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return mills_curvature(_signed(y, a))

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        """N(a)² / (Φ(a) Φ(−a))."""
        return mills(a) * mills(-np.asarray(a))

    def mean(self, a: np.ndarray) -> np.ndarray:
        return ndtr(a)


def _signed(y: np.ndarray, a: np.ndarray) -> np.ndarray:
    return np.where(y == 1, a, -np.asarray(a))
