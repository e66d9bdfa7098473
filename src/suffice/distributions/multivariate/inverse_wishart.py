r"""The inverse Wishart distribution of a symmetric positive definite matrix.

Density      log p(X) = ½ ν log|Ψ| − ½ (ν + D + 1) log|X| − ½ tr ΨX⁻¹ − ½ νD log 2 − log Γ_D(ν/2)
             with respect to the entries on and below the diagonal
Moments      E X = Ψ/(ν − D − 1);  X⁻¹ is Wishart with ν degrees of freedom and scale Ψ⁻¹
Draws        (L W⁻ᵀ)(L W⁻ᵀ)ᵀ with Bartlett's triangle W, Ψ = L Lᵀ
Fit          Ψ = ν (mean X⁻¹)⁻¹, and ν from log|mean X⁻¹| + mean log|X|

In one dimension it is the inverse gamma with shape ν/2 and scale Ψ/2.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, final

import numpy as np

from suffice._core.linalg import cholesky
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._checks import (
    check_total,
    parameter,
    sample_shape,
)
from suffice.distributions._numerics.gaussian import coordinates, forward
from suffice.distributions._numerics.natural import NaturalMean
from suffice.distributions.multivariate import _bartlett
from suffice.distributions.multivariate._bartlett import (
    event_factors,
    gram,
    inverses,
    log_det,
    rows_of_matrices,
)
from suffice.distributions.multivariate._of_matrices import OfMatrices
from suffice.distributions.multivariate.wishart import Wishart
from suffice.distributions.univariate.inverse_gamma import InverseGamma


@final
@record
class InverseWishart(OfMatrices):
    """Inverses of Wishart matrices: the usual prior of a covariance matrix.

    Parameters
    ----------
    dof
        Degrees of freedom ν > D − 1; need not be whole.
    scale
        Scale matrix Ψ: symmetric, positive definite.

    Examples
    --------
    >>> from suffice.distributions import InverseWishart
    >>> d = InverseWishart(6, [[2.0, 1.0], [1.0, 2.0]])
    >>> d.marginal(0)
    InverseGamma(shape=2.5, scale=1)
    >>> print(d.mean[0], f"{d.log_prob([[1.0, 0.2], [0.2, 0.5]]):.4f}")
    [0.66666667 0.33333333] -1.7449
    """

    dof: Any
    scale: Any
    _factor: Any = field(init=False, repr=False)  # L, batched as scale was given

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """Ψ/(ν − D − 1) for ν > D + 1; otherwise infinite on the diagonal and undefined, NaN, off it."""
        excess = self._over(self.dof - self.dim - 1)
        heavy = np.where(np.eye(self.dim, dtype=bool), np.inf, np.nan)
        return np.where(excess > 0, self.scale / np.where(excess > 0, excess, 1.0), heavy)

    @property
    def var(self) -> Any:
        """Of each entry, for ν > D + 3; infinite for D + 1 < ν ≤ D + 3, otherwise undefined, NaN."""
        d = np.diagonal(self.scale, axis1=-2, axis2=-1)
        e = self._over(self.dof - self.dim - 1)
        c = np.where(e > 2, e, 3.0)
        spread = (c + 2) * self.scale**2 + c * d[..., None] * d[..., None, :]
        finite = spread / ((c + 1) * c**2 * (c - 2))
        return np.where(e > 2, finite, np.where(e > 0, np.inf, np.nan))

    @property
    def mode(self) -> Any:
        """Ψ/(ν + D + 1)."""
        return self.scale / self._over(self.dof + self.dim + 1)

    @property
    def mean_log_det(self) -> Any:
        """E log|X|."""
        return (log_det(self._factor) - _bartlett.mean_log_det(self.dof, self.dim))[()]

    def entropy(self) -> Any:
        """−E log p(X): that of the standard Wishart, and E log of the Jacobian |X|^(D + 1) of the inverse."""
        inverse = _bartlett.entropy(self.dof, self.dim) - 0.5 * (self.dim + 1) * log_det(self._factor)
        return (inverse + (self.dim + 1) * self.mean_log_det)[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density of matrices (..., D, D); −inf for those that are not symmetric positive definite."""
        factors, status = event_factors(x, self.dim, self.batch_shape)
        kernel = _bartlett.log_kernel(forward(factors, self._factor), self.dof)
        return (kernel - 0.5 * (self.dim + 1) * log_det(factors) + status)[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` matrices, shape (n, *batch, D, D)."""
        shape = sample_shape(n, self.batch_shape)
        return gram(_bartlett.inverse_factors(generator(rng), shape, self.dof, self._factor))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> NaturalMean:
        """Total weight and means of X⁻¹ and log|X| over matrices (N, D, D)."""
        factors = rows_of_matrices(x)
        return _bartlett.statistics_of(inverses(factors), factors, weight)

    @classmethod
    def from_statistics(cls, statistics: NaturalMean) -> InverseWishart:
        """Maximum likelihood."""
        check_total(statistics.n)
        dim = int(np.sqrt(len(statistics.mean)))
        factor = cholesky(statistics.mean[:-1].reshape(dim, dim), "mean of the inverses")
        dof = _bartlett.fit_dof(float(log_det(factor) + statistics.mean[-1]), dim)
        return cls(dof, dof * inverses(factor))

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_mean(cls, dof: Any, mean: Any) -> InverseWishart:
        """From the mean matrix Ψ/(ν − D − 1), ν > D + 1."""
        mean = parameter("mean", mean)
        dim = mean.shape[-1] if mean.ndim else 0
        dof = parameter("dof", dof, low=dim + 1.0, strict=True)
        return cls(dof, np.asarray(dof - dim - 1)[..., None, None] * mean)

    # -- marginals and maps ------------------------------------------------------------------------------

    def marginal(self, idx: Any) -> InverseGamma | InverseWishart:
        """A diagonal entry as an `InverseGamma`; a list gives the block of those rows."""
        index = coordinates(idx, self.dim)
        if index.ndim == 0:
            return InverseGamma(0.5 * (self.dof - self.dim + 1), 0.5 * self.scale[..., index, index])
        return InverseWishart(self.dof - (self.dim - len(index)), self.scale[..., index[:, None], index])

    def inverse(self) -> Wishart:
        """The distribution of X⁻¹."""
        return Wishart(self.dof, inverses(self._factor))
