r"""The multivariate Student-t distribution.

Density      p(x) = Γ((ν+D)/2) / (Γ(ν/2) (νπ)^(D/2) |Σ|^½) · (1 + Δ²/ν)^(−(ν+D)/2),
             Δ² = (x − m)ᵀ Σ⁻¹ (x − m)
Draws        m + L z / √(c/ν),  z normal, c chi-square with ν degrees of freedom, Σ = L Lᵀ
Conditional  x_a | x_b ~ t(ν + D_b),  centre m_a + Σ_ab Σ_bb⁻¹ (x_b − m_b),
             scale (ν + Δ_b²)/(ν + D_b) · (Σ_aa − Σ_ab Σ_bb⁻¹ Σ_ba)
Fit          maximum likelihood over ν, m and Σ together: there are no sufficient statistics

ν = ∞ is the multivariate normal. Σ may be singular: draws, moments and marginals work, the density does not
exist.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, final

import numpy as np

from suffice._core.numerics import LOG_2PI
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Multivariate
from suffice.distributions._checks import (
    assign,
    common_shape,
    parameter,
    sample_shape,
    sample_values,
)
from suffice.distributions._kinds import WithoutStatistics, last_axis_of, root_of_variance
from suffice.distributions._numerics import student
from suffice.distributions._numerics.counts import last_axis
from suffice.distributions._numerics.gaussian import (
    centre_and_factor,
    conditional,
    coordinates,
    half_log_det,
    is_regular,
    linear_map,
    log_volume,
    observed,
    singular,
    squared_distance,
)
from suffice.distributions.multivariate import _multivariate_student
from suffice.distributions.univariate.student_t import StudentT


@final
@record
class MultivariateT(WithoutStatistics, Multivariate):
    """Student's t for vectors: like the normal, with tails that fall as a power.

    Parameters
    ----------
    dof
        Degrees of freedom ν > 0. Small means heavy tails; infinite means normal.
    loc
        Centre, one number per coordinate: the mode, and the mean if dof > 1.
    scale
        Scale matrix: symmetric, positive semi-definite. The covariance is scale · ν/(ν − 2), for dof > 2.

    Examples
    --------
    >>> from suffice.distributions import MultivariateT
    >>> d = MultivariateT(4, [0.0, 1.0], [[2.0, 1.0], [1.0, 2.0]])
    >>> d.marginal(1)
    StudentT(dof=4, loc=1, scale=1.41421)
    >>> d.condition(0, 2.0).dof
    np.float64(5.0)
    >>> print(f"{d.log_prob([1.0, 1.0]):.4f}", d.cov[0])
    -2.8496 [4. 2.]
    """

    dof: Any
    loc: Any
    scale: Any
    _factor: Any = field(init=False, repr=False)  # L (D, D) if all share one, else batched as scale was given

    _event_ndim: ClassVar[dict[str, int]] = {"dof": 0, "loc": 1, "scale": 2}

    def __post_init__(self) -> None:
        dof = parameter("dof", self.dof, low=0.0, strict=True, finite=False)
        loc, scale, factor = centre_and_factor("loc", self.loc, "scale", self.scale)
        dim = loc.shape[-1]
        batch = common_shape(dof=dof.shape, loc=loc.shape[:-1], scale=np.shape(self.scale)[:-2])
        scale = np.broadcast_to(scale, (*batch, dim, dim))
        loc, dof = np.broadcast_to(loc, (*batch, dim)), np.broadcast_to(dof, batch)[()]
        assign(self, dof=dof, loc=loc, scale=scale, _factor=factor)

    dim = last_axis_of("loc", "Number of coordinates, D.")

    @property
    def _eta(self) -> np.ndarray:
        return student.inverse(self.dof)

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """The centre for dof > 1; otherwise undefined, NaN."""
        return self._coordinatewise().mean

    @property
    def var(self) -> Any:
        """Variance of each coordinate; infinite for 1 < dof ≤ 2, otherwise undefined, NaN."""
        return self._coordinatewise().var

    std = root_of_variance

    @property
    def cov(self) -> Any:
        """Σ ν/(ν − 2) for dof > 2; otherwise undefined, NaN."""
        excess = np.where(self.dof > 2, self.dof, 3.0) - 2
        factor = np.where(self.dof > 2, 1 + 2 / excess, np.nan)
        return self.scale * factor[..., None, None]

    @property
    def mode(self) -> Any:
        """Where the density is highest: the centre."""
        return self.loc

    def entropy(self) -> Any:
        """½ log|2πΣ| − c_D(η) + ½ (1 + Dη) E[log(1 + ηΔ²)/η], with η = 1/ν; −inf for a singular scale."""
        eta, d = self._eta, self.dim
        kernel = 0.5 * (1 + d * eta) * _multivariate_student.expected_kernel(eta, d)
        value = (
            0.5 * d * LOG_2PI + log_volume(self._factor) - _multivariate_student.log_constant(eta, d) + kernel
        )
        return np.broadcast_to(value, self.batch_shape)[()]

    def _coordinatewise(self) -> StudentT:
        spread = np.sqrt(np.diagonal(self.scale, axis1=-2, axis2=-1))
        return StudentT(np.asarray(self.dof)[..., None], self.loc, spread)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density; a singular scale has none and raises."""
        eta, d = self._eta, self.dim
        kernel = 0.5 * (1 + d * eta) * student.log_kernel(self.mahalanobis(x), eta)
        constant = _multivariate_student.log_constant(eta, d) - 0.5 * d * LOG_2PI
        return (constant - half_log_det(self._factor) - kernel)[()]

    def mahalanobis(self, x: Any) -> Any:
        """Distance to the centre in the metric of the scale, √((x − m)ᵀ Σ⁻¹ (x − m)); not squared."""
        x = last_axis(x, self.dim, self.batch_shape)
        if not is_regular(self._factor):
            raise singular(self.scale, "scale")
        square = squared_distance(x, self.loc, self._factor)
        if np.isfinite(square).all():
            return np.sqrt(square)[()]
        reach = np.max(np.abs(x), axis=-1, keepdims=True, initial=1.0)
        unit = np.where(np.isfinite(reach), reach, 1.0)  # the square overflows, the distance need not
        return (np.sqrt(squared_distance(x / unit, self.loc / unit, self._factor)) * unit[..., 0])[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval of each coordinate by itself: (low, high), both (..., D)."""
        return self._coordinatewise().interval(level)

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch, D): normal draws over the root of one chi-square draw each."""
        rng, shape = generator(rng), sample_shape(n, self.batch_shape)
        z = rng.standard_normal((*shape, self.dim))
        half = 0.5 * np.where(np.isinf(self.dof), 2.0, self.dof)
        chi_square = np.where(np.isinf(self.dof), 1.0, rng.standard_gamma(half, shape) / half)
        with np.errstate(divide="ignore", over="ignore"):
            return self.loc + (self._factor @ z[..., None])[..., 0] / np.sqrt(chi_square)[..., None]

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def fit(cls, x: Any, weight: Any = None, dof: float | None = None) -> MultivariateT:
        """Maximum likelihood from the rows of a table, over dof ≥ 0.2 unless `dof` is given."""
        return student.checked_fit(cls, _multivariate_student.fit, sample_values(x, ndim=2), weight, dof)

    @property
    def n_parameters(self) -> int:
        """Degrees of freedom, D locations and D (D + 1)/2 entries of the scale."""
        return 1 + self.dim + self.dim * (self.dim + 1) // 2

    # -- marginals, conditionals, maps -----------------------------------------------------------------

    def marginal(self, idx: Any) -> StudentT | MultivariateT:
        """Some coordinates: an integer gives a `StudentT`; a list, slice or mask a `MultivariateT`."""
        index = coordinates(idx, self.dim)
        if index.ndim == 0:
            return StudentT(self.dof, self.loc[..., index], np.sqrt(self.scale[..., index, index]))
        return MultivariateT(self.dof, self.loc[..., index], self.scale[..., index[:, None], index])

    def condition(self, idx: Any, values: Any) -> MultivariateT:
        """The other coordinates, given that those in `idx` have `values`; NaN means not observed.

        Unlike for the normal, the scale grows with the distance of the values from their centre.
        """
        seen, values, free = observed(idx, values, self.dim, self.batch_shape)
        gain, scale = conditional(self._factor, seen, free)
        gap = values - self.loc[..., seen]
        shift = np.einsum("...fo,...o->...f", gain, gap)
        stretch = 1.0
        if len(seen):
            some: Any = self.marginal(seen)
            square = np.asarray(some.mahalanobis(values)) ** 2
            stretch = ((1 + self._eta * square) / (1 + self._eta * len(seen)))[..., None, None]
        return MultivariateT(self.dof + len(seen), self.loc[..., free] + shift, stretch * scale)

    def affine(self, A: Any, b: Any = 0.0) -> StudentT | MultivariateT:
        """The distribution of A x + b; a vector A projects onto one number and gives a `StudentT`."""
        A, b = linear_map(A, b, self.dim)
        loc, factor = self.loc @ A.T + b, A @ self._factor
        if A.ndim == 1:
            return StudentT(self.dof, loc, np.sqrt(np.sum(factor**2, axis=-1)))
        return MultivariateT(self.dof, loc, factor @ np.swapaxes(factor, -1, -2))
