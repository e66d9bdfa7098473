r"""The Wishart distribution of a symmetric positive definite matrix.

Density      log p(X) = ½ (ν − D − 1) log|X| − ½ tr V⁻¹X − ½ νD log 2 − ½ ν log|V| − log Γ_D(ν/2)
             with respect to the entries on and below the diagonal
Moments      E X = ν V,  var X_ij = ν (V_ij² + V_ii V_jj),  E log|X| = Σ ψ((ν − i)/2) + D log 2 + log|V|
Draws        L W Wᵀ Lᵀ with Bartlett's triangle W, V = L Lᵀ
Fit          V = mean X / ν, and ν from log|mean X| − mean log|X|

In one dimension X/V is chi-square with ν degrees of freedom.
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
    log_det,
    rows_of_matrices,
)
from suffice.distributions.multivariate._of_matrices import OfMatrices
from suffice.distributions.univariate.gamma import Gamma


@final
@record
class Wishart(OfMatrices):
    """Scatter matrices of normal vectors, and the usual prior of a precision matrix.

    Parameters
    ----------
    dof
        Degrees of freedom ν > D − 1; need not be whole. X is the scatter of ν draws from N(0, V).
    scale
        Scale matrix V: symmetric, positive definite.

    Examples
    --------
    >>> from suffice.distributions import Wishart
    >>> d = Wishart(5, [[2.0, 1.0], [1.0, 2.0]])
    >>> d.mean
    array([[10.,  5.],
           [ 5., 10.]])
    >>> print(f"{d.log_prob([[8.0, 2.0], [2.0, 6.0]]):.4f} {d.entropy():.4f}")
    -7.2851 8.4585
    """

    dof: Any
    scale: Any
    _factor: Any = field(init=False, repr=False)  # L, batched as scale was given

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """ν V."""
        return self._over(self.dof) * self.scale

    @property
    def var(self) -> Any:
        """ν (V_ij² + V_ii V_jj) for each entry."""
        d = np.diagonal(self.scale, axis1=-2, axis2=-1)
        return self._over(self.dof) * (self.scale**2 + d[..., None] * d[..., None, :])

    @property
    def mode(self) -> Any:
        """(ν − D − 1) V for ν ≥ D + 1; otherwise NaN, as the density is unbounded."""
        excess = self.dof - self.dim - 1
        return self._over(np.where(excess >= 0, excess, np.nan)) * self.scale

    @property
    def mean_log_det(self) -> Any:
        """E log|X|."""
        return (_bartlett.mean_log_det(self.dof, self.dim) + log_det(self._factor))[()]

    def entropy(self) -> Any:
        """−E log p(X), in closed form."""
        return (_bartlett.entropy(self.dof, self.dim) + 0.5 * (self.dim + 1) * log_det(self._factor))[()]

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log density of matrices (..., D, D); −inf for those that are not symmetric positive definite."""
        factors, status = event_factors(x, self.dim, self.batch_shape)
        kernel = _bartlett.log_kernel(forward(self._factor, factors), self.dof)
        return (kernel - 0.5 * (self.dim + 1) * log_det(factors) + status)[()]

    # -- quantiles and sampling ----------------------------------------------------------------------

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` matrices, shape (n, *batch, D, D)."""
        shape = sample_shape(n, self.batch_shape)
        return gram(self._factor @ _bartlett.triangles(generator(rng), shape, self.dof, self.dim))

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> NaturalMean:
        """Total weight and means of X and log|X| over matrices (N, D, D)."""
        factors = rows_of_matrices(x)
        return _bartlett.statistics_of(gram(factors), factors, weight)

    @classmethod
    def from_statistics(cls, statistics: NaturalMean) -> Wishart:
        """Maximum likelihood."""
        check_total(statistics.n)
        dim = int(np.sqrt(len(statistics.mean)))
        mean = statistics.mean[:-1].reshape(dim, dim)
        dof = _bartlett.fit_dof(float(log_det(cholesky(mean, "mean")) - statistics.mean[-1]), dim)
        return cls(dof, mean / dof)

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_mean(cls, dof: Any, mean: Any) -> Wishart:
        """From the mean matrix ν V."""
        return cls(dof, parameter("mean", mean) / np.asarray(parameter("dof", dof))[..., None, None])

    # -- marginals and maps ------------------------------------------------------------------------------

    def marginal(self, idx: Any) -> Gamma | Wishart:
        """A diagonal entry, V_ii times chi-square, as a `Gamma`; a list gives the block of those rows."""
        index = coordinates(idx, self.dim)
        if index.ndim == 0:
            return Gamma(0.5 * self.dof, 0.5 / self.scale[..., index, index])
        return Wishart(self.dof, self.scale[..., index[:, None], index])
