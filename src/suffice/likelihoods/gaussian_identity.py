r"""Normal noise of known precision about a: the linear model as one of the family (PRML eq. 3.8).

log p = ½ log(β/2π) − (β/2)(y − a)²,   g = β (y − a),   v = β
"""

from __future__ import annotations

from typing import Any, final

import numpy as np

from suffice._core.errors import check_number
from suffice._core.records import record
from suffice.distributions import Normal
from suffice.likelihoods._base import OwnDispersion, SeparateFormulas, WithLink, as_targets
from suffice.likelihoods.links import Identity


@final
@record(repr=True)
class GaussianIdentity(WithLink, OwnDispersion, SeparateFormulas):
    """Numbers with normal noise.

    Parameters
    ----------
    precision
        Of the noise (β).

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import GaussianIdentity
    >>> GaussianIdentity(4.0).gradient(np.array([3.0]), np.array([1.0]))
    array([8.])
    """

    precision: float = 1.0

    natural_link = Identity()

    def __post_init__(self) -> None:
        check_number("precision", self.precision, low=0.0, strict=True)

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.saturated(y) - 0.5 * self.precision * (y - a) ** 2

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.precision * (y - a)

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.expected_curvature(a)

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        return np.full(np.shape(a), float(self.precision))

    def dispersed(self, dispersion: float) -> GaussianIdentity:
        return GaussianIdentity(self.precision / dispersion)

    def likeliest_dispersion(self, deviance: float) -> float:
        """The mean square of the residuals, in units of 1/β."""
        return deviance

    def mean(self, a: np.ndarray) -> np.ndarray:
        return np.asarray(a, dtype=float)

    def distribution(self, a: np.ndarray) -> Normal:
        return Normal(a, 1 / np.sqrt(self.precision))

    def saturated(self, y: np.ndarray) -> np.ndarray:
        return np.full(len(y), 0.5 * np.log(self.precision / (2 * np.pi)))

    def deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        """β (y − a)², without the constant in which small residuals would be lost."""
        return self.precision * (y - a) ** 2

    def check(self, y: Any) -> np.ndarray:
        return as_targets(y)
