r"""Student's t distribution.

Density      p(x) = Γ((ν+1)/2) / (Γ(ν/2) √(νπ) s) · (1 + z²/ν)^(−(ν+1)/2),  z = (x − m)/s
Tails        P(X > x) by the incomplete beta function, by a series of its logarithm far out
Fit          maximum likelihood over ν, m and s together: there are no sufficient statistics

ν = ∞ is the normal distribution; s = 0 the point mass at m.
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np

from suffice._core.numerics import LOG_2PI
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._checks import (
    assign,
    broadcast,
    parameter,
    probability,
    real,
    sample_shape,
    sample_values,
)
from suffice.distributions._kinds import AboutCentre, WithoutStatistics, always, root_of_variance
from suffice.distributions._numerics import student
from suffice.distributions._numerics.scale import at_scale, log_density_at_scale, standardized


@final
@record
class StudentT(WithoutStatistics, AboutCentre):
    """Student's t: like the normal, with tails that fall as a power.

    Parameters
    ----------
    dof
        Degrees of freedom ν > 0. Small means heavy tails; infinite means normal.
    loc
        Centre: median and mode, and the mean if dof > 1.
    scale
        Spread. Not the standard deviation, which is larger and exists for dof > 2. Zero makes a point mass.

    Examples
    --------
    >>> from suffice.distributions import StudentT
    >>> d = StudentT(dof=3)
    >>> print(f"{d.var:.3f} {d.quantile(0.975):.4f} {d.log_sf(1e10):.4f}")
    3.000 3.1824 -68.9798
    """

    dof: Any
    loc: Any = 0.0
    scale: Any = 1.0

    _event_ndim: ClassVar[dict[str, int]] = {"dof": 0, "loc": 0, "scale": 0}
    _smooth: ClassVar[bool] = True

    def __post_init__(self) -> None:
        dof = parameter("dof", self.dof, low=0.0, strict=True, finite=False)
        loc, scale = parameter("loc", self.loc), parameter("scale", self.scale, low=0.0)
        assign(self, **broadcast(dof=dof, loc=loc, scale=scale))

    @property
    def _eta(self) -> Any:
        return student.inverse(self.dof)

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """The centre for dof > 1; otherwise undefined, NaN."""
        return np.where((self.dof > 1) | (self.scale == 0), self.loc, np.nan)[()]

    @property
    def var(self) -> Any:
        """s² ν/(ν − 2) for dof > 2, infinite for 1 < dof ≤ 2, otherwise undefined, NaN."""
        excess = np.where(self.dof > 2, self.dof, 3.0) - 2  # exact, and never zero
        with np.errstate(over="ignore"):
            finite = self.scale**2 * (1 + 2 / excess)
        heavy = np.where(self.dof > 1, np.inf, np.nan)
        return np.where(self.scale == 0, 0.0, np.where(self.dof > 2, finite, heavy))[()]

    std = root_of_variance

    def entropy(self) -> Any:
        """½ log 2π − c(η) + ½ (1 + η)(1 − 2η c′(η)) + log s, with η = 1/ν; −inf for a point mass."""
        eta = self._eta
        shape = 0.5 * (1 + eta) * (1 - 2 * eta * student.normalizer_gap_slope(eta))
        with np.errstate(divide="ignore"):
            return 0.5 * LOG_2PI - student.normalizer_gap(eta) + shape + np.log(self.scale)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density; for a point mass inf at the point and −inf elsewhere."""
        x = real(x, self.batch_shape)
        z = standardized(x, self.loc, self.scale)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = (student.log_density(z, self._eta) - np.log(self.scale))[()]
        return log_density_at_scale(value, x, self.loc, self.scale)

    def _upper(self, z: Any) -> Any:
        return student.upper(z, self._eta)[()]

    def _log_upper(self, z: Any) -> Any:
        return student.log_upper(z, self._eta)[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The smallest x with P(X ≤ x) ≥ p."""
        p = probability(p, self.batch_shape)
        z = student.upper_quantile(np.minimum(p, 1 - p), self._eta)
        return at_scale(np.where(p < 0.5, -z, z)[()], self.loc, self.scale)

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch): a normal draw over the root of a chi-square draw."""
        rng, shape = generator(rng), sample_shape(n, self.batch_shape)
        z, half = rng.standard_normal(shape), 0.5 * np.where(np.isinf(self.dof), 2.0, self.dof)
        chi_square = np.where(np.isinf(self.dof), 1.0, rng.standard_gamma(half, shape) / half)
        with np.errstate(divide="ignore", over="ignore"):
            return at_scale((z / np.sqrt(chi_square))[()], self.loc, self.scale)

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def fit(cls, x: Any, weight: Any = None, dof: float | None = None) -> StudentT:
        """Maximum likelihood from a vector, over dof ≥ 0.2 unless `dof` is given."""
        return student.checked_fit(cls, student.fit, sample_values(x, ndim=1), weight, dof)

    n_parameters = always(3, "Degrees of freedom, location and scale.")

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_precision(cls, dof: Any, loc: Any, precision: Any) -> StudentT:
        """From the precision 1/s²."""
        return cls(dof, loc, 1 / np.sqrt(parameter("precision", precision, low=0.0, strict=True)))
