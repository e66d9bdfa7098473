r"""Gamma with the logarithmic link: positive numbers whose scatter grows with their mean, var = mean²/k.

log p = k log k − log Γ(k) + (k − 1) log y − k (a + y e⁻ᵃ),   g = k (y e⁻ᵃ − 1),   v = k y e⁻ᵃ

half deviance   k (r − 1 − log r),   r = y e⁻ᵃ
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from scipy.special import gammaln

from suffice._core.errors import check_number
from suffice._core.numerics import half_deviance
from suffice._core.records import record
from suffice.distributions import Gamma
from suffice.distributions._numerics.excess import excess
from suffice.distributions._numerics.gamma_shape import gamma_shape
from suffice.likelihoods._base import OwnDispersion, SeparateFormulas, WithLink, as_targets, large, refuse
from suffice.likelihoods.links import Log


@final
@record(repr=True)
class GammaLog(WithLink, OwnDispersion, SeparateFormulas):
    """Positive numbers with log mean a.

    Parameters
    ----------
    shape
        k; one is the exponential distribution.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import GammaLog
    >>> GammaLog(2.0).gradient(np.array([3.0]), np.array([0.0]))
    array([4.])
    """

    shape: float = 1.0

    natural_link = Log()

    def __post_init__(self) -> None:
        check_number("shape", self.shape, low=0.0, strict=True)

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        if large(self.shape):
            return self.saturated(y) - self._half_deviance(y, a)
        return self._constant(y) - self.shape * (a + y * np.exp(-a))

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.shape * (y * np.exp(-a) - 1)

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.shape * y * np.exp(-a)

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        return np.full(np.shape(a), float(self.shape))

    def mean(self, a: np.ndarray) -> np.ndarray:
        return np.exp(a)

    def distribution(self, a: np.ndarray) -> Gamma:
        return Gamma(self.shape, self.shape * np.exp(-np.asarray(a)))

    def saturated(self, y: np.ndarray) -> np.ndarray:
        return np.log(self.shape) - excess(self.shape) - np.log(y)

    def deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        """2 k (r − 1 − log r), without the constants in which small ones would be lost."""
        return 2 * self._half_deviance(y, a)

    def _half_deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        ratio = y * np.exp(-np.asarray(a))
        far = ratio == 0  # it vanished, its logarithm did not
        return self.shape * np.where(far, a - np.log(y) - 1, half_deviance(1.0, np.where(far, 1.0, ratio)))

    def _constant(self, y: np.ndarray) -> np.ndarray:
        k = self.shape
        return k * np.log(k) - gammaln(k) + (k - 1) * np.log(y)

    def dispersed(self, dispersion: float) -> GammaLog:
        return GammaLog(self.shape / dispersion)

    def likeliest_dispersion(self, deviance: float) -> float:
        """Where log k − ψ(k) is half the mean deviance for k = 1."""
        return self.shape / gamma_shape(deviance / self.shape / 2)

    def check(self, y: Any) -> np.ndarray:
        values = as_targets(y)
        refuse(
            "GammaLog", values, values <= 0, "numbers > 0", "Leave such rows out or use another likelihood."
        )
        return values
