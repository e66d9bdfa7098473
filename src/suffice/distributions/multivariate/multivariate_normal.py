r"""The multivariate normal distribution.

Density      log p(x) = −½ (D log 2π + log|Σ| + Δ²),  Δ² = (x − μ)ᵀ Σ⁻¹ (x − μ)
Factor       Σ = L Lᵀ once; Δ = ‖L⁻¹(x − μ)‖, log|Σ| = 2 Σ log Lᵢᵢ, draws are μ + L z
Conditional  x_a | x_b ~ N(μ_a + Σ_ab Σ_bb⁻¹ (x_b − μ_b),  Σ_aa − Σ_ab Σ_bb⁻¹ Σ_ba)
Fit          μ = Σ w x / n,  Σ = Σ w (x − μ)(x − μ)ᵀ / n

Σ may be singular: draws, moments, marginals and conditionals work, the density does not exist.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, final

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.linalg import check_symmetric, cholesky, eigh
from suffice._core.numerics import LOG_2PI
from suffice._core.random import generator
from suffice._core.records import record
from suffice._core.threads import one_blas_thread
from suffice.distributions._base import Multivariate
from suffice.distributions._checks import (
    assign,
    check_total,
    common_shape,
    parameter,
    sample_shape,
    sample_values,
    weights,
)
from suffice.distributions._kinds import conjugacy, last_axis_of, root_of_variance
from suffice.distributions._numerics.counts import last_axis
from suffice.distributions._numerics.gaussian import (
    centre_and_factor,
    conditional,
    coordinates,
    forward,
    half_log_det,
    is_regular,
    linear_map,
    log_volume,
    observed,
    singular,
    squared_distance,
)
from suffice.distributions.univariate.normal import Normal
from suffice.statistics import Moments


@final
@record
class MultivariateNormal(Multivariate):
    """The normal distribution of a vector.

    Parameters
    ----------
    mean
        Centre, one number per coordinate.
    cov
        Covariance matrix: symmetric, positive semi-definite.

    Examples
    --------
    >>> from suffice.distributions import MultivariateNormal
    >>> d = MultivariateNormal([0.0, 1.0], [[2.0, 1.0], [1.0, 2.0]])
    >>> d.marginal(1)
    Normal(mean=1, std=1.41421)
    >>> d.condition(0, 2.0).mean
    array([2.])
    >>> print(f"{d.log_prob([1.0, 1.0]):.4f} {d.mahalanobis([1.0, 1.0]):.4f}")
    -2.7205 0.8165
    """

    mean: Any
    cov: Any
    _factor: Any = field(init=False, repr=False)  # L (D, D) if all share one, else batched as cov was given

    _event_ndim: ClassVar[dict[str, int]] = {"mean": 1, "cov": 2}

    def __post_init__(self) -> None:
        mean, cov, factor = centre_and_factor("mean", self.mean, "cov", self.cov)
        dim = mean.shape[-1]
        batch = common_shape(mean=mean.shape[:-1], cov=np.shape(self.cov)[:-2])
        cov = np.broadcast_to(cov, (*batch, dim, dim))
        assign(self, mean=np.broadcast_to(mean, (*batch, dim)), cov=cov, _factor=factor)

    dim = last_axis_of("mean", "Number of coordinates, D.")

    # -- moments ---------------------------------------------------------------------------------

    @property
    def var(self) -> Any:
        """Variance of each coordinate: the diagonal of cov."""
        return np.diagonal(self.cov, axis1=-2, axis2=-1)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """Where the density is highest: the mean."""
        return self.mean

    def entropy(self) -> Any:
        """½ log|2πe Σ|; −inf for a singular covariance."""
        value = 0.5 * self.dim * (1 + LOG_2PI) + log_volume(self._factor)
        return np.broadcast_to(value, self.batch_shape)[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density; a singular covariance has none and raises."""
        squares = self._squared_distance(x)
        squares *= -0.5
        squares -= 0.5 * self.dim * LOG_2PI + half_log_det(self._factor)
        return squares[()]

    def mahalanobis(self, x: Any) -> Any:
        """Distance to the mean in standard deviations, √((x − μ)ᵀ Σ⁻¹ (x − μ)); not squared."""
        return np.sqrt(self._squared_distance(x))[()]

    @one_blas_thread()
    def _squared_distance(self, x: Any) -> np.ndarray:
        x = last_axis(x, self.dim, self.batch_shape)
        if not is_regular(self._factor):
            raise singular(self.cov, "cov")
        return np.asarray(squared_distance(x, self.mean, self._factor))

    # -- quantiles and sampling ----------------------------------------------------------------------

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval of each coordinate by itself: (low, high), both (..., D)."""
        return Normal(self.mean, self.std).interval(level)

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws, shape (n, *batch, D)."""
        z = generator(rng).standard_normal(sample_shape(n, self.batch_shape, (self.dim,)))
        if self._factor.ndim == 2:
            return self.mean + z @ self._factor.T
        return self.mean + (self._factor @ z[..., None])[..., 0]

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Moments:
        """n, mean and scatter of the rows of a table."""
        x = sample_values(x, ndim=2)
        return Moments.of(x, weights(weight, len(x)))

    @classmethod
    def from_statistics(
        cls, statistics: Moments, mean: Any = None, unbiased: bool = False
    ) -> MultivariateNormal:
        """Maximum likelihood: the mean, and the scatter over n.

        A known `mean` takes the scatter about itself; otherwise `unbiased` divides it by n − 1, not n.
        """
        check_total(statistics.n)
        if mean is not None:
            known = parameter("mean", mean)
            if known.shape != statistics.mean.shape:
                raise InvalidParameter(f"mean must have shape {statistics.mean.shape}; got {known.shape}.")
            return cls(known, statistics.about(known) / statistics.n)
        return cls(statistics.mean, statistics.unbiased_variance if unbiased else statistics.variance)

    @classmethod
    def fit(cls, x: Any, weight: Any = None, mean: Any = None, unbiased: bool = False) -> MultivariateNormal:
        """Maximum likelihood from the rows of a table; weight 2 counts a row twice.

        A known `mean` takes the scatter about itself; otherwise `unbiased` divides it by n − 1, not n.
        """
        return cls.from_statistics(cls.statistics(x, weight), mean, unbiased)

    @property
    def n_parameters(self) -> int:
        """D means and D (D + 1)/2 covariances."""
        return self.dim + self.dim * (self.dim + 1) // 2

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_precision(cls, mean: Any, precision: Any) -> MultivariateNormal:
        """From the precision matrix Σ⁻¹, positive definite."""
        precision = parameter("precision", precision)
        check_symmetric(precision, "precision")
        lower = cholesky(precision, "precision")
        inverse = np.linalg.solve(lower, np.eye(lower.shape[-1]))
        return cls(mean, np.swapaxes(inverse, -1, -2) @ inverse)

    # -- marginals, conditionals, maps -----------------------------------------------------------------

    def marginal(self, idx: Any) -> Normal | MultivariateNormal:
        """Some coordinates: an integer gives a `Normal`; a list, slice or mask a `MultivariateNormal`."""
        index = coordinates(idx, self.dim)
        if index.ndim == 0:
            return Normal(self.mean[..., index], np.sqrt(self.cov[..., index, index]))
        return MultivariateNormal(self.mean[..., index], self.cov[..., index[:, None], index])

    def condition(self, idx: Any, values: Any) -> MultivariateNormal:
        """The other coordinates, given that those in `idx` have `values`; NaN means not observed.

        The mean is linear in the values; the covariance does not depend on them.
        """
        seen, values, free = observed(idx, values, self.dim, self.batch_shape)
        gain, cov = conditional(self._factor, seen, free)
        shift = np.einsum("...fo,...o->...f", gain, values - self.mean[..., seen])
        return MultivariateNormal(self.mean[..., free] + shift, cov)

    def affine(self, A: Any, b: Any = 0.0) -> Normal | MultivariateNormal:
        """The distribution of A x + b; a vector A projects onto one number and gives a `Normal`."""
        A, b = linear_map(A, b, self.dim)
        mean, factor = self.mean @ A.T + b, A @ self._factor
        if A.ndim == 1:
            return Normal(mean, np.sqrt(np.sum(factor**2, axis=-1)))
        return MultivariateNormal(mean, factor @ np.swapaxes(factor, -1, -2))

    def rotate_axes(self) -> tuple[np.ndarray, np.ndarray]:
        """Principal axes, Σ = U Λ Uᵀ: variances λ (..., D), largest first, and U, an axis per column.

        y = Uᵀ(x − μ) has independent coordinates of variance λ. Each axis is turned so that its
        largest entry is positive.
        """
        values, axes = eigh(self.cov)
        values, axes = np.maximum(values[..., ::-1], 0.0), axes[..., ::-1]
        top = np.take_along_axis(axes, np.argmax(np.abs(axes), axis=-2)[..., None, :], axis=-2)
        return values, axes * np.sign(top)

    def quadratic_form(self, A: Any) -> Any:
        """E[xᵀ A x] = Tr(A Σ) + μᵀ A μ."""
        A = np.asarray(parameter("A", A))
        if A.shape != (self.dim, self.dim):
            raise InvalidParameter(f"A must have shape ({self.dim}, {self.dim}); got {A.shape}.")
        trace = np.einsum("ij,...ji->...", A, self.cov)
        return (trace + np.einsum("...i,ij,...j->...", self.mean, A, self.mean))[()]

    def fisher_information(self, n: float = 1) -> np.ndarray:
        """Information of `n` observations about the mean, n Σ⁻¹: the inverse covariance of its estimate."""
        n = float(parameter("n", n, low=0.0))
        if not is_regular(self._factor):
            raise singular(self.cov, "cov")
        inverse = forward(self._factor, np.eye(self.dim))
        return np.broadcast_to(n * np.swapaxes(inverse, -1, -2) @ inverse, self.cov.shape)

    # -- conjugacy -------------------------------------------------------------------------------------------

    def posterior(self, data: Any, weight: Any = None, *, cov: Any) -> MultivariateNormal:
        """As the mean of normal vectors of known covariance; data are rows (N, D) or `Moments`."""
        return conjugacy().posterior(self, data, weight, cov=cov)

    def log_evidence(self, data: Any, weight: Any = None, *, cov: Any) -> Any:
        """log p(data) of normal vectors of known covariance."""
        return conjugacy().log_evidence(self, data, weight, cov=cov)

    def predictive(self, *, cov: Any) -> MultivariateNormal:
        """The next vector: the covariances add."""
        return conjugacy().predictive(self, cov=cov)
