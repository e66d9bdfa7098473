r"""Bernoulli with the logistic link (FCML eqs 4.3–4.5, DTU eqs 8.18–8.22, PRML eq. 4.87).

P(y = 1 | a) = σ(a) = 1 / (1 + e⁻ᵃ),   log p = y a − log(1 + eᵃ),   g = y − σ(a),   v = σ(a) σ(−a)
"""

from __future__ import annotations

from typing import final

import numpy as np
from scipy.special import expit

from suffice._core.records import record
from suffice.likelihoods._base import OneFunction
from suffice.likelihoods._bernoulli import ZeroOrOne
from suffice.likelihoods.links import Logit


@final
@record(repr=True)
class BernoulliLogit(ZeroOrOne, OneFunction):
    """0 or 1, with log-odds a.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import BernoulliLogit
    >>> BernoulliLogit().log_prob(np.array([1.0, 0.0]), np.array([0.0, 700.0])).round(4)
    array([-6.931e-01, -7.000e+02])
    """

    natural_link = Logit()

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return np.minimum(np.where(y == 1, a, -a), 0.0) - np.log1p(np.exp(-np.abs(a)))

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        sign = 2 * y - 1
        with np.errstate(over="ignore"):
            return sign / (1 + np.exp(sign * a))

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.expected_curvature(a)

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        return expit(a) * expit(-a)

    def terms(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All three from one exponential, e = exp(−|a|) ≤ 1."""
        z = np.where(y == 1, a, -a)  # positive where the label is the likelier one
        e = np.exp(-np.abs(a))
        share = 1 / (1 + e)  # of the likelier label
        rest = e * share
        missed = np.where(z >= 0, rest, share)  # 1 − P(y)
        return np.minimum(z, 0) - np.log1p(e), np.where(y == 1, missed, -missed), share * rest

    def bends(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        g = self.gradient(y, a)
        missed = np.abs(g)
        return g, missed * (1 - missed)

    def slopes(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.terms(y, a)[:2]

    def mean(self, a: np.ndarray) -> np.ndarray:
        return expit(a)
