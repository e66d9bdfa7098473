r"""Poisson counts with the logarithmic link (FCML EX 4.6): rate eᵃ.

log p = y a − eᵃ − log y!,   g = y − eᵃ,   v = eᵃ
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from scipy.special import gammaln, xlogy

from suffice._core.records import record
from suffice.distributions import NegativeBinomial, Poisson
from suffice.likelihoods._base import Likelihood, as_targets, refuse
from suffice.likelihoods.links import Link, Log


@final
@record(repr=True)
class PoissonLog(Likelihood):
    """Counts with log rate a.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import PoissonLog
    >>> PoissonLog().gradient(np.array([3.0]), np.array([0.0]))
    array([2.])
    """

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return y * a - np.exp(a) - gammaln(y + 1)

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return y - np.exp(a)

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return np.exp(a)

    @property
    def own_link(self) -> Link:
        return Log()

    def link(self, mean: Any) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return np.log(mean)

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
        return xlogy(y, y) - y - gammaln(y + 1)

    def check(self, y: Any) -> np.ndarray:
        values = as_targets(y)
        bad = (values < 0) | (values != np.floor(values))
        refuse("PoissonLog", values, bad, "counts 0, 1, 2, …", "Round or use another likelihood.")
        return values
