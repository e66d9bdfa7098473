r"""The Laplace distribution: two exponentials back to back.

Density      p(x) = exp(−|z|) / 2s,  z = (x − m)/s
Tails        P(X > x) = ½ e^(−z) for z ≥ 0
Fit          m = weighted median,  s = Σ w |x − m| / n: not from sums, so there are no statistics

s = 0 is the point mass at m.
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np

from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._checks import (
    assign,
    broadcast,
    parameter,
    positive_weights,
    probability,
    real,
    sample_shape,
    sample_values,
)
from suffice.distributions._kinds import AboutCentre, WithoutStatistics, always
from suffice.distributions._numerics.fisher import matrix_information
from suffice.distributions._numerics.scale import at_scale, log_density_at_scale, standardized
from suffice.distributions.univariate.empirical import Empirical

_LOG_2 = float(np.log(2))


@final
@record
class LaplaceDistribution(WithoutStatistics, AboutCentre):
    """The double exponential distribution: errors whose absolute value matters.

    Parameters
    ----------
    loc
        Centre: mean, median and mode.
    scale
        Mean absolute distance from the centre. Zero makes a point mass.

    Examples
    --------
    >>> from suffice.distributions import LaplaceDistribution
    >>> d = LaplaceDistribution(loc=1.0, scale=2.0)
    >>> print(f"{d.var} {d.prob(1.0)} {d.quantile(0.975):.4f}")
    8.0 0.25 6.9915
    >>> LaplaceDistribution.fit([1.0, 2.0, 9.0])
    LaplaceDistribution(loc=2, scale=2.66667)
    """

    loc: Any = 0.0
    scale: Any = 1.0

    _event_ndim: ClassVar[dict[str, int]] = {"loc": 0, "scale": 0}
    _smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        loc, scale = parameter("loc", self.loc), parameter("scale", self.scale, low=0.0)
        assign(self, **broadcast(loc=loc, scale=scale))

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """The centre."""
        return self.loc

    @property
    def var(self) -> Any:
        """2 s²."""
        return 2 * self.scale**2

    @property
    def std(self) -> Any:
        """√2 s."""
        return np.sqrt(2) * self.scale

    def entropy(self) -> Any:
        """1 + log 2s; −inf for a point mass."""
        with np.errstate(divide="ignore"):
            return 1 + _LOG_2 + np.log(self.scale)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density; for a point mass inf at the point and −inf elsewhere."""
        x = real(x, self.batch_shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = -np.abs(standardized(x, self.loc, self.scale)) - _LOG_2 - np.log(self.scale)
        return log_density_at_scale(value, x, self.loc, self.scale)

    def _upper(self, z: Any) -> Any:
        return np.exp(self._log_upper(z))

    def _log_upper(self, z: Any) -> Any:
        lower = np.log1p(-0.5 * np.exp(np.minimum(z, 0.0))) + 0.0
        return np.where(z < 0, lower, -_LOG_2 - z)[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The x with P(X ≤ x) = p."""
        p = probability(p, self.batch_shape)
        with np.errstate(divide="ignore"):
            z = np.where(p < 0.5, np.log(2 * np.minimum(p, 0.5)), -np.log(2 * np.minimum(1 - p, 0.5)))
        return at_scale(z[()], self.loc, self.scale)

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch)."""
        return at_scale(generator(rng).laplace(size=sample_shape(n, self.batch_shape)), self.loc, self.scale)

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def fit(cls, x: Any, weight: Any = None) -> LaplaceDistribution:
        """Maximum likelihood: the lower weighted median, and the mean absolute distance from it."""
        x = sample_values(x, ndim=1)
        w = positive_weights(weight, len(x))
        loc = Empirical(x, w).quantile(0.5)
        return cls(loc, w @ np.abs(x - loc) / w.sum())

    n_parameters = always(2, "Centre and scale.")

    def fisher_information(self, n: float = 1) -> np.ndarray:
        """Of `n` observations about (loc, scale): n diag(1/s², 1/s²)."""
        with np.errstate(divide="ignore"):
            each = np.broadcast_to(1 / np.square(self.scale), np.shape(self.loc + np.asarray(self.scale)))
        return matrix_information(n, each, 0.0, each)

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_variance(cls, mean: Any, var: Any) -> LaplaceDistribution:
        """From the variance 2 s²."""
        return cls(mean, np.sqrt(parameter("var", var, low=0.0) / 2))
