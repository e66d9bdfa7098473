r"""The normal-inverse-Wishart distribution of a mean vector μ and a covariance matrix Σ.

Density      p(μ, Σ) = N(μ | m, Σ/k) · IW(Σ | ν, Ψ)
Event        a pair `MeanAndCov(mean, cov)` of arrays (..., D) and (..., D, D); any such pair is accepted
Marginals    Σ ~ InverseWishart(ν, Ψ);  μ ~ MultivariateT(ν − D + 1, m, Ψ/(k (ν − D + 1)))
Mode         μ = m,  Σ = Ψ/(ν + D + 2)
Fit          m = (Σ w Λ)⁻¹ Σ w Λμ,  D/k = Σ w (μ − m)ᵀΛ(μ − m) / n,  Λ = Σ⁻¹; ν and Ψ as for the inverse Wishart
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, NamedTuple, NoReturn, final

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice._core.linalg import cholesky
from suffice._core.numerics import LOG_2PI
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Multivariate, check_level
from suffice.distributions._checks import (
    assign,
    check_broadcast,
    check_total,
    common_shape,
    frozen,
    parameter,
    real,
    sample_shape,
    sample_values,
    weights,
)
from suffice.distributions._kinds import FitsFromStatistics, conjugacy, last_axis_of
from suffice.distributions._numerics.counts import last_axis
from suffice.distributions._numerics.gaussian import forward
from suffice.distributions._numerics.natural import PrecisionMoments
from suffice.distributions.multivariate import _bartlett
from suffice.distributions.multivariate._bartlett import (
    definite,
    event_factors,
    gram,
    inverses,
    log_det,
    rows_of_matrices,
)
from suffice.distributions.multivariate.inverse_wishart import InverseWishart
from suffice.distributions.multivariate.multivariate_t import MultivariateT


class MeanAndCov(NamedTuple):
    """A mean vector (..., D) and a covariance matrix (..., D, D): one event."""

    mean: np.ndarray
    cov: np.ndarray


@final
@record
class NormalInverseWishart(FitsFromStatistics, Multivariate):
    """What is known about the mean and the covariance of a multivariate normal distribution.

    `mean` is the parameter m, the mean of μ; `event_mean`, `var`, `std` and `mode` are pairs, as events are.

    Parameters
    ----------
    mean
        Centre of μ, one number per coordinate.
    strength
        How many observations the mean is worth: k in μ ~ N(m, Σ/k).
    scale
        Scale matrix Ψ of the covariance: symmetric, positive definite.
    dof
        Degrees of freedom ν > D − 1 of the covariance.

    Examples
    --------
    >>> from suffice.distributions import NormalInverseWishart
    >>> d = NormalInverseWishart([0.0, 1.0], 2.0, [[2.0, 1.0], [1.0, 2.0]], 6)
    >>> mu, sigma = d.sample(rng=0)
    >>> print(mu.shape, sigma.shape, f"{d.log_prob(d.mode):.4f}")
    (2,) (2, 2) 3.9748
    >>> d.marginal_mean().dof
    np.float64(5.0)
    """

    mean: Any
    strength: Any
    scale: Any
    dof: Any
    _factor: Any = field(init=False, repr=False)  # L, batched as scale was given

    _event_ndim: ClassVar[dict[str, int]] = {"mean": 1, "strength": 0, "scale": 2, "dof": 0}

    def __post_init__(self) -> None:
        mean, strength = (
            parameter("mean", self.mean),
            parameter("strength", self.strength, low=0.0, strict=True),
        )
        scale, factor = definite("scale", self.scale)
        dim = scale.shape[-1]
        if mean.shape[-1:] != (dim,):
            raise InvalidParameter(f"mean must have shape (..., {dim}), as scale has; got {mean.shape}.")
        dof = parameter("dof", self.dof, low=dim - 1.0, strict=True)
        batch = common_shape(
            mean=mean.shape[:-1], strength=strength.shape, scale=np.shape(self.scale)[:-2], dof=dof.shape
        )
        assign(
            self,
            mean=np.broadcast_to(mean, (*batch, dim)),
            strength=np.broadcast_to(strength, batch)[()],
            scale=np.broadcast_to(scale, (*batch, dim, dim)),
            dof=np.broadcast_to(dof, batch)[()],
            _factor=frozen(factor),
        )

    dim = last_axis_of("mean", "Number of coordinates, D.")

    # -- moments ---------------------------------------------------------------------------------

    @property
    def event_mean(self) -> MeanAndCov:
        """(m, Ψ/(ν − D − 1)), where they exist."""
        return MeanAndCov(self.marginal_mean().mean, self.marginal_cov().mean)

    @property
    def var(self) -> MeanAndCov:
        """Variance of each coordinate of μ and of each entry of Σ."""
        return MeanAndCov(self.marginal_mean().var, self.marginal_cov().var)

    @property
    def std(self) -> MeanAndCov:
        """√var."""
        return MeanAndCov(*(np.sqrt(v) for v in self.var))

    @property
    def mode(self) -> MeanAndCov:
        """(m, Ψ/(ν + D + 2))."""
        return MeanAndCov(self.mean, self.scale / np.asarray(self.dof + self.dim + 2)[..., None, None])

    def entropy(self) -> Any:
        """That of Σ, and the expectation of that of μ given Σ."""
        cov = self.marginal_cov()
        mean = self.dim * (1 + LOG_2PI - np.log(self.strength)) + cov.mean_log_det
        return cov.entropy() + 0.5 * mean

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density of a pair (μ, Σ); −inf where Σ is not symmetric positive definite."""
        mean, factors, status = self._event(x)
        kernel = _bartlett.log_kernel(forward(factors, self._factor), self.dof)
        z = forward(factors, (mean - self.mean)[..., None])[..., 0]
        normal = self.dim * (np.log(self.strength) - LOG_2PI) - self.strength * np.sum(z * z, axis=-1)
        return (kernel + 0.5 * normal - 0.5 * (self.dim + 2) * log_det(factors) + status)[()]

    def _event(self, x: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if not isinstance(x, tuple | list) or len(x) != 2:
            raise InvalidInput(f"x must be a pair (mean, cov); got {type(x).__name__}.")
        mean = last_axis(x[0], self.dim, self.batch_shape)
        factors, status = event_factors(x[1], self.dim, self.batch_shape)
        check_broadcast(mean.shape[:-1], status.shape)
        return mean, factors, status

    # -- quantiles and sampling ----------------------------------------------------------------------

    def interval(self, level: float = 0.95) -> NoReturn:
        """Not defined for pairs with a matrix."""
        check_level(level)
        raise Unsupported(
            "interval is not defined for pairs with a matrix; take .marginal_mean().interval(level) "
            "or .marginal_cov().marginal(i).interval(level)."
        )

    def sample(self, n: int | None = None, rng: Any = None) -> MeanAndCov:
        """`n` pairs of arrays (n, *batch, D) and (n, *batch, D, D): Σ first, then μ given Σ."""
        rng, shape = generator(rng), sample_shape(n, self.batch_shape)
        factor = _bartlett.inverse_factors(rng, shape, self.dof, self._factor)
        z = rng.standard_normal((*shape, self.dim, 1))
        shift = (factor @ z)[..., 0] / np.sqrt(self.strength)[..., None]
        return MeanAndCov(self.mean + shift, gram(factor))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> PrecisionMoments:
        """Sums over a pair of arrays (N, D) and (N, D, D) of Λ and log|Λ|, centre and scatter weighted by Λ."""
        if not isinstance(x, tuple | list) or len(x) != 2:
            raise InvalidInput(f"x must be a pair (means, covs); got {type(x).__name__}.")
        mean, factors = sample_values(real(x[0]), ndim=2), rows_of_matrices(x[1], "covs")
        if mean.shape != factors.shape[:2]:
            raise InvalidInput(
                f"means must have shape {factors.shape[:2]}, one row per matrix; got {mean.shape}."
            )
        return PrecisionMoments.of(mean, inverses(factors), -log_det(factors), weights(weight, len(mean)))

    @classmethod
    def from_statistics(cls, statistics: PrecisionMoments) -> NormalInverseWishart:
        """Maximum likelihood."""
        check_total(statistics.n)
        n, dim = statistics.n, len(statistics.centre)
        factor = cholesky(statistics.precision / n, "mean precision")
        dof = _bartlett.fit_dof(float(log_det(factor) - statistics.log_det / n), dim)
        return cls(statistics.centre, n * dim / statistics.scatter, dof * inverses(factor), dof)

    @property
    def n_parameters(self) -> int:
        """D means, the strength, D (D + 1)/2 entries of the scale and the degrees of freedom."""
        return self.dim + self.dim * (self.dim + 1) // 2 + 2

    # -- marginals ----------------------------------------------------------------------------------------

    def marginal_mean(self) -> MultivariateT:
        """μ ~ MultivariateT(ν − D + 1, m, Ψ/(k (ν − D + 1)))."""
        dof = self.dof - self.dim + 1
        return MultivariateT(dof, self.mean, self.scale / np.asarray(self.strength * dof)[..., None, None])

    def marginal_cov(self) -> InverseWishart:
        """Σ ~ InverseWishart(ν, Ψ)."""
        return InverseWishart(self.dof, self.scale)

    # -- conjugacy -------------------------------------------------------------------------------------------

    def posterior(self, data: Any, weight: Any = None) -> NormalInverseWishart:
        """After normal vectors, rows (N, D), or their `Moments`."""
        return conjugacy().posterior(self, data, weight)

    def log_evidence(self, data: Any, weight: Any = None) -> Any:
        """log p(data) of normal vectors."""
        return conjugacy().log_evidence(self, data, weight)

    def predictive(self) -> MultivariateT:
        """The next vector: MultivariateT(ν − D + 1, m, Ψ (k + 1)/(k (ν − D + 1)))."""
        return conjugacy().predictive(self)
