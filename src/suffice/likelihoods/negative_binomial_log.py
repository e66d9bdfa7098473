r"""Negative binomial counts with the logarithmic link: more scatter than Poisson's, var = μ + α μ², μ = eᵃ.

With t = a + log α:   log p = y t − (y + 1/α) log(1 + eᵗ) + log Γ(y + 1/α)/(Γ(1/α) y!)
                      g = y − (y + 1/α) σ(t),   v = (y + 1/α) σ(t) σ(−t),   E[v] = μ σ(−t)

half deviance   D(y, n σ(t)) + D(1/α, n σ(−t)),   n = y + 1/α,   D(x, m) = x log(x/m) + m − x
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from scipy.special import expit, gammaln, xlogy

from suffice._core.errors import check_number
from suffice._core.numerics import half_deviance
from suffice._core.records import record
from suffice.distributions import NegativeBinomial
from suffice.distributions._numerics.excess import excess
from suffice.likelihoods._base import KnownVariance, SeparateFormulas, WithLink, as_targets, large, refuse
from suffice.likelihoods.links import Log


@final
@record(repr=True)
class NegativeBinomialLog(WithLink, KnownVariance, SeparateFormulas):
    """Counts with log mean a, whose rates differ from row to row.

    Parameters
    ----------
    dispersion
        Variance of the rates in units of the squared mean (α); near zero it is Poisson.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import NegativeBinomialLog
    >>> NegativeBinomialLog(0.5).gradient(np.array([3.0]), np.array([np.log(2.0)])).round(4)
    array([0.5])
    """

    dispersion: float = 1.0

    natural_link = Log()

    def __post_init__(self) -> None:
        check_number("dispersion", self.dispersion, low=0.0, strict=True)

    def _odds(self, a: np.ndarray) -> np.ndarray:
        return np.asarray(a) + np.log(self.dispersion)

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        if large(y, 1 / self.dispersion):
            return self.saturated(y) - self._half_deviance(y, a)
        t = self._odds(a)
        return y * t - (y + 1 / self.dispersion) * np.logaddexp(0.0, t) + self._constant(y)

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        t = self._odds(a)
        return y * expit(-t) - expit(t) / self.dispersion

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        t = self._odds(a)
        return (y + 1 / self.dispersion) * expit(t) * expit(-t)

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        return expit(self._odds(a)) / self.dispersion

    def mean(self, a: np.ndarray) -> np.ndarray:
        return np.exp(a)

    def distribution(self, a: np.ndarray) -> NegativeBinomial:
        return NegativeBinomial.from_mean(np.exp(a), 1 / self.dispersion)

    def saturated(self, y: np.ndarray) -> np.ndarray:
        if large(y, 1 / self.dispersion):
            k, n = 1 / self.dispersion, y + 1 / self.dispersion
            return np.log(k / n) + excess(n) - excess(y) - excess(k)
        t = self.dispersion * np.asarray(y)
        return xlogy(y, t) - (y + 1 / self.dispersion) * np.log1p(t) + self._constant(y)

    def deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        """As of the failures before so many successes, of which there are 1/α: each from its own mean."""
        return 2 * self._half_deviance(y, a)

    def _half_deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        t, k = self._odds(a), 1 / self.dispersion
        return half_deviance(y, (y + k) * expit(t)) + half_deviance(k, (y + k) * expit(-t))

    def _constant(self, y: np.ndarray) -> np.ndarray:
        shape = 1 / self.dispersion
        return gammaln(y + shape) - gammaln(shape) - gammaln(np.asarray(y) + 1)

    def check(self, y: Any) -> np.ndarray:
        values = as_targets(y)
        bad = (values < 0) | (values != np.floor(values))
        refuse("NegativeBinomialLog", values, bad, "counts 0, 1, 2, …", "Round or use another likelihood.")
        return values
