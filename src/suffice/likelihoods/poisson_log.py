r"""Poisson counts with the logarithmic link (FCML EX 4.6): rate eᵃ.

log p = y a − eᵃ − log y! = −E(y) − D(y, eᵃ),   g = y − eᵃ,   v = eᵃ

E(y) is log y! beyond y log y − y, and D the half deviance y log(y/eᵃ) + eᵃ − y.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

import numpy as np
from scipy.special import gammaln, xlogy

from suffice._core.numerics import half_deviance
from suffice._core.records import record
from suffice.distributions import NegativeBinomial, Poisson
from suffice.distributions._numerics.excess import excess
from suffice.likelihoods._base import KnownVariance, OneFunction, WithLink, as_targets, large, refuse
from suffice.likelihoods.links import Log

SMALL = 256  # counts below this are looked up


def _saturated(y: np.ndarray) -> np.ndarray:
    return -excess(y) if large(y) else xlogy(y, y) - y - gammaln(y + 1)


_FACTORIALS = gammaln(np.arange(SMALL) + 1.0)
_SATURATED = _saturated(np.arange(float(SMALL)))


def _looked_up(y: np.ndarray, table: np.ndarray, formula: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """A function of counts: from a table where all are small and whole, which most are, else as it is written."""
    y = np.asarray(y, dtype=float)
    if y.size and y.min() >= 0 and y.max() < SMALL:
        whole = y.astype(np.intp)
        if np.array_equal(whole, y):
            return table[whole]
    return formula(y)


def _log_factorial(y: np.ndarray) -> np.ndarray:
    return _looked_up(y, _FACTORIALS, lambda v: gammaln(v + 1))


@final
@record(repr=True)
class PoissonLog(WithLink, KnownVariance, OneFunction):
    """Counts with log rate a.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import PoissonLog
    >>> PoissonLog().gradient(np.array([3.0]), np.array([0.0]))
    array([2.])
    """

    natural_link = Log()

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self._log_prob(y, a, np.exp(a))

    def _log_prob(self, y: np.ndarray, a: np.ndarray, rate: np.ndarray) -> np.ndarray:
        if large(y):
            return self.saturated(y) - half_deviance(y, rate)
        return y * a - rate - _log_factorial(y)

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return y - np.exp(a)

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.expected_curvature(a)

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        return np.exp(a)

    def terms(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All three from one exponential."""
        rate = np.exp(a)
        return self._log_prob(y, a, rate), y - rate, rate

    def slopes(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.terms(y, a)[:2]

    def bends(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.terms(y, a)[1:]

    def mean(self, a: np.ndarray) -> np.ndarray:
        return np.exp(a)

    def distribution(self, a: np.ndarray) -> Poisson:
        return Poisson(np.exp(a))

    def spread(self, a: np.ndarray, dispersion: float) -> Poisson | NegativeBinomial:
        """Counts with variance dispersion × mean: negative binomial above one; below it Poisson, which is wider."""
        if dispersion <= 1:
            return self.distribution(a)
        excess = dispersion - 1
        return NegativeBinomial(np.exp(a) / excess, 1 / excess)

    def saturated(self, y: np.ndarray) -> np.ndarray:
        return _looked_up(y, _SATURATED, _saturated)

    def deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        """2 D(y, eᵃ)."""
        return 2 * half_deviance(y, np.exp(a))

    def check(self, y: Any) -> np.ndarray:
        values = as_targets(y)
        bad = (values < 0) | (values != np.floor(values))
        refuse("PoissonLog", values, bad, "counts 0, 1, 2, …", "Round or use another likelihood.")
        return values
