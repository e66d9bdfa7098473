r"""Labels of rows with everything else integrated out.

Model        π ~ Dirichlet(α/K, …, α/K),  z_n ~ Cat(π),  (μ_k, Σ_k) ~ NIW(m, s, Ψ, ν),  x_n ~ N(μ_z, Σ_z)
Units        u = L⁻¹(x − m) with Ψ = L Lᵀ: there the prior is NIW(0, s, I, ν)
Posterior    Ψ_k = I + Σ (u − ū)(u − ū)ᵀ + s n_k/(s + n_k) ū ūᵀ of the rows of a component, mean n_k ū/(s + n_k)
Joint        log p(z, X) = Σ_k [Σ_{j<n_k} t(j) − ½ (ν + n_k) log|Ψ_k|] − Σ_{j<N} log(j + α) − N log|L|
Table        t(j) = log(j + α/K) + log p(0 | j rows with Ψ = I and mean 0): a row at the centre of j others
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.compiling import loops
from suffice._core.errors import InvalidInput, InvalidParameter, RankDeficient, warn
from suffice._core.linalg import cholesky, solve_triangle
from suffice._core.records import record
from suffice.distributions import MultivariateT, NormalInverseWishart
from suffice.mixtures._gibbs import _twins

LOOPS = "suffice.mixtures._gibbs._loops"
MANY = 5000  # labels to draw or to count from which it pays to start the compiled loops
LARGEST, SMALLEST = 1e140, 1e-140  # standard deviations whose squares are numbers
FAR = 1e70  # units of the prior


def loops_for(size: int) -> Any:
    """Compiled loops for so many labels, or their twins."""
    return (loops(LOOPS) if size >= MANY else None) or _twins


# -- the prior ----------------------------------------------------------------------------------------
def default_prior(X: np.ndarray, n_components: int, names: np.ndarray) -> NormalInverseWishart:
    """Means that spread as the columns do, covariances of a K-th of their volume.

    NIW(x̄, K^(−2/D), diag(var) K^(−2/D), D + 2), so that E Σ = diag(var) K^(−2/D) and Cov μ = diag(var).
    """
    mean, spread = X.mean(axis=0), spreads(X)
    flat = spread == 0
    if flat.any():
        warn(
            f"Column {str(names[np.argmax(flat)])!r} never varies: its spread is taken to be its magnitude, or 1. "
            "Leave it out, or give a prior.",
            RankDeficient,
        )
        spread = np.where(flat, np.where(mean == 0, 1.0, np.abs(mean)), spread)
    wrong = (spread > LARGEST) | (spread < SMALLEST)
    if wrong.any():
        j = int(np.argmax(wrong))
        raise InvalidInput(
            f"Column {str(names[j])!r} has a standard deviation of {spread[j]:.3g}, whose square is no number; divide "
            "the column by its size first."
        )
    share = n_components ** (-2.0 / X.shape[1])
    return NormalInverseWishart(mean, share, np.diag(share * spread**2), X.shape[1] + 2.0)


def spreads(X: np.ndarray) -> np.ndarray:
    """Standard deviations of the columns; zero where only rounding differs."""
    gaps = X - X.mean(axis=0)
    largest = np.abs(gaps).max(axis=0)
    noise = 16 * np.finfo(float).eps * np.abs(X).max(axis=0)
    unit = np.where(largest > noise, largest, 1.0)
    return np.where(largest > noise, unit * np.sqrt(np.mean((gaps / unit) ** 2, axis=0)), 0.0)


def check_prior(prior: Any, dim: int) -> NormalInverseWishart:
    if not isinstance(prior, NormalInverseWishart):
        raise InvalidParameter(f"prior must be None or a NormalInverseWishart; got {prior!r:.80}.")
    if prior.batch_shape or prior.dim != dim:
        shape = f"{prior.dim} columns" + (f" in a batch {prior.batch_shape}" if prior.batch_shape else "")
        raise InvalidParameter(f"prior must be one distribution of {dim} columns, as X has; got {shape}.")
    return prior


# -- rows in units of the prior -----------------------------------------------------------------------
@record
class GibbsProblem:
    """Rows in units of the prior, and what does not change while labels do."""

    X: np.ndarray  # (N, D)
    prior: NormalInverseWishart
    factor: np.ndarray  # L (D, D)
    concentration: float
    n_components: int
    table: np.ndarray  # t(0), …, t(N)

    @classmethod
    def of(
        cls, X: np.ndarray, prior: NormalInverseWishart, concentration: float, n_components: int
    ) -> GibbsProblem:
        factor = cholesky(prior.scale, "the scale of the prior")
        U = np.ascontiguousarray(solve_triangle(factor, (X - prior.mean).T, lower=True).T)
        far = np.abs(U).max(axis=1)
        if far.max() > FAR:
            row = int(np.argmax(far))
            raise InvalidInput(
                f"Row {row} lies {far[row]:.1g} units of the prior from its mean; give a prior with the location and "
                "scale of the data, or divide the columns by their size."
            )
        table = _table(len(X), X.shape[1], prior, concentration / n_components)
        return cls(U, prior, factor, concentration, n_components, table)

    @property
    def strength(self) -> float:
        return float(self.prior.strength)

    @property
    def dof(self) -> float:
        return float(self.prior.dof)

    def log_joint(self, parts: Parts) -> np.ndarray:
        """log p(z, X) of every draw, X in its own units."""
        sums = np.concatenate([[0.0], np.cumsum(self.table[:-1])])
        n, (rows, _) = parts.counts, self.X.shape
        heights = sums[n] - 0.5 * (self.dof + n) * _log_det(parts.scales)
        labels = np.sum(np.log(np.arange(rows) + self.concentration))
        return heights.sum(axis=1) - labels - rows * np.sum(np.log(np.diagonal(self.factor)))


def _table(rows: int, dim: int, prior: NormalInverseWishart, share: float) -> np.ndarray:
    n = np.arange(rows + 1)
    s, dof = prior.strength + n, prior.dof + n - dim + 1
    center = MultivariateT(dof, np.zeros(dim), np.eye(dim)).log_prob(np.zeros(dim))
    return np.log(n + share) + center + 0.5 * dim * (np.log(dof) + np.log(s / (s + 1)))


def _log_det(scales: np.ndarray) -> np.ndarray:
    factors = cholesky(scales, "the posterior scale of a component")
    return 2 * np.log(np.diagonal(factors, axis1=-2, axis2=-1)).sum(axis=-1)


# -- components of labelled rows ----------------------------------------------------------------------
@record
class Parts:
    """Components of many labellings, in units of the prior: rows (S, K), posterior means and scales."""

    counts: np.ndarray
    means: np.ndarray
    scales: np.ndarray

    @classmethod
    def of(cls, problem: GibbsProblem, labels: np.ndarray) -> Parts:
        """From labels (draw, row)."""
        (draws, _), K, D = labels.shape, problem.n_components, problem.X.shape[1]
        counts, means, scatter = (
            np.zeros((draws, K), dtype=int),
            np.zeros((draws, K, D)),
            np.zeros((draws, K, D, D)),
        )
        loops_for(labels.size).moments(problem.X, labels, counts, means, scatter)
        share = counts / (problem.strength + counts)
        outer = means[..., :, None] * means[..., None, :]
        scales = np.eye(D) + scatter + (problem.strength * share)[..., None, None] * outer
        return cls(counts, share[..., None] * means, scales)

    def posterior(self, problem: GibbsProblem) -> NormalInverseWishart:
        """Of mean and covariance of every component of every draw, in the units of the rows."""
        L, prior = problem.factor, problem.prior
        scales = L @ self.scales @ L.T
        return NormalInverseWishart(
            prior.mean + self.means @ L.T,
            prior.strength + self.counts,
            0.5 * (scales + np.swapaxes(scales, -1, -2)),
            prior.dof + self.counts,
        )

    def weights(self, problem: GibbsProblem) -> np.ndarray:
        """E π: (n_k + α/K)/(N + α), (S, K)."""
        share = problem.concentration / problem.n_components
        return (self.counts + share) / (len(problem.X) + problem.concentration)
