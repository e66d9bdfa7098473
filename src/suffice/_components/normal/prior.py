r"""Beliefs about the means and covariances of components, for maximum a posteriori.

Flat           nothing: μ = x̄, S, n
Conjugate      (μ_k, Σ_k) ~ NIW(m, κ, Ψ, ν):  μ = (κ m + n x̄)/(κ + n),  S = Ψ + S + κn/(κ + n) (x̄ − m)(x̄ − m)ᵀ,
               divided by n + ν + D + 2, the mode of both together;
               where Σ is shared, Ψ enters once and Σ_k n_k + ν + D + 1 + K divides
OfMeans        μ_k ~ N(m, P) (FCML exercise 6.5):  μ = (n Σ⁻¹ + P⁻¹)⁻¹ (n Σ⁻¹ x̄ + P⁻¹ m) with Σ as it was, then
               the scatter about that μ: two steps, neither of which lowers the posterior

Shapes with independent columns take the density of a prior at their diagonal covariances.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.linalg import solve_square
from suffice._core.records import record
from suffice.distributions import InverseWishart, MultivariateNormal, Normal, NormalInverseWishart


@record
class ScatterMoments:
    """Means (K, D) of components, their scatters (K, D, D), and what divides these (K,); of columns all (K, D)."""

    means: np.ndarray
    scatter: np.ndarray
    n: np.ndarray


class NormalPrior(Protocol):
    """What a belief makes of the moments of components."""

    def posterior(self, m: ScatterMoments, covariances: np.ndarray, pooled: bool) -> ScatterMoments: ...
    def column_posterior(self, m: ScatterMoments, variances: np.ndarray) -> ScatterMoments: ...
    def log_prob(self, means: np.ndarray, covariances: np.ndarray) -> float: ...
    def column_log_prob(self, means: np.ndarray, variances: np.ndarray) -> float: ...


@record
class Flat:
    """No belief: maximum likelihood."""

    def posterior(self, m: ScatterMoments, covariances: np.ndarray, pooled: bool) -> ScatterMoments:
        return m

    def column_posterior(self, m: ScatterMoments, variances: np.ndarray) -> ScatterMoments:
        return m

    def log_prob(self, means: np.ndarray, covariances: np.ndarray) -> float:
        return 0.0

    def column_log_prob(self, means: np.ndarray, variances: np.ndarray) -> float:
        return 0.0


@record
class Conjugate:
    """A normal–inverse–Wishart distribution of mean and covariance."""

    belief: NormalInverseWishart

    def posterior(self, m: ScatterMoments, covariances: np.ndarray, pooled: bool) -> ScatterMoments:
        b, n, (K, D) = self.belief, m.n, m.means.shape
        total = b.strength + n
        gap = m.means - b.mean
        moved = b.mean + (n / total)[:, None] * gap
        scatter = m.scatter + (b.strength * n / total)[:, None, None] * gap[:, :, None] * gap[:, None, :]
        if pooled:  # Ψ and ν once, dealt out evenly: only the sums matter
            return ScatterMoments(moved, scatter + b.scale / K, n + (b.dof + D + 1) / K + 1)
        return ScatterMoments(moved, scatter + b.scale, n + b.dof + D + 2)

    def column_posterior(self, m: ScatterMoments, variances: np.ndarray) -> ScatterMoments:
        b, n = self.belief, m.n
        total = b.strength + n
        gap = m.means - b.mean
        moved = b.mean + n / total * gap
        scatter = m.scatter + b.strength * n / total * np.square(gap) + np.diagonal(b.scale)
        return ScatterMoments(moved, scatter, n + b.dof + m.means.shape[1] + 2)

    def log_prob(self, means: np.ndarray, covariances: np.ndarray) -> float:
        b = self.belief
        if len(covariances) == len(means):
            return float(np.sum([b.log_prob(pair) for pair in zip(means, covariances, strict=True)]))
        shared = covariances[0]
        spread = MultivariateNormal(b.mean, shared / b.strength)
        return float(InverseWishart(b.dof, b.scale).log_prob(shared) + np.sum(spread.log_prob(means)))

    def column_log_prob(self, means: np.ndarray, variances: np.ndarray) -> float:
        return self.log_prob(means, variances[:, :, None] * np.eye(means.shape[1]))


@record
class OfMeans:
    """A normal distribution of the means."""

    belief: MultivariateNormal

    def posterior(self, m: ScatterMoments, covariances: np.ndarray, pooled: bool) -> ScatterMoments:
        P, mean, n = self.belief.cov, self.belief.mean, m.n
        # μ = m + P (P + Σ/n)⁻¹ (x̄ − m), which also holds for n = 0
        gain = solve_square(
            n[:, None, None] * P + covariances,
            (n[:, None] * (m.means - mean))[:, :, None],
            "The covariance of a mean and its prior",
        )
        moved = mean + np.squeeze(P @ gain, axis=2)
        gap = m.means - moved
        scatter = m.scatter + n[:, None, None] * gap[:, :, None] * gap[:, None, :]
        return ScatterMoments(moved, scatter, n)

    def column_posterior(self, m: ScatterMoments, variances: np.ndarray) -> ScatterMoments:
        p, mean, n = np.diagonal(self.belief.cov), self.belief.mean, m.n
        if np.any(self.belief.cov != np.diag(p)):
            raise InvalidParameter(
                "prior must have a diagonal covariance where the columns of a component are independent; give "
                "Normal(mean, std) with a number per column, or choose covariance_type='full'."
            )
        moved = mean + p * n * (m.means - mean) / (n * p + variances)
        return ScatterMoments(moved, m.scatter + n * np.square(m.means - moved), n)

    def log_prob(self, means: np.ndarray, covariances: np.ndarray) -> float:
        return float(np.sum(self.belief.log_prob(means)))

    def column_log_prob(self, means: np.ndarray, variances: np.ndarray) -> float:
        return float(np.sum(self.belief.log_prob(means)))


def as_prior(prior: Any, D: int) -> NormalPrior:
    """What the user wrote, for D columns."""
    if prior is None:
        return Flat()
    if isinstance(prior, Normal):
        mean, std = (np.broadcast_to(np.asarray(v, dtype=float), (D,)) for v in _of_columns(prior, D))
        return OfMeans(MultivariateNormal(mean, np.diag(np.square(std))))
    if not isinstance(prior, NormalInverseWishart | MultivariateNormal) or prior.batch_shape:
        raise InvalidParameter(
            "prior must be None, one NormalInverseWishart of mean and covariance, or one Normal or MultivariateNormal "
            f"of the means; got {prior!r:.80}."
        )
    if prior.dim != D:
        raise InvalidParameter(
            f"prior must be of {D} coordinates, one per column of X; got {prior.dim} ({prior!r:.80})."
        )
    return Conjugate(prior) if isinstance(prior, NormalInverseWishart) else OfMeans(prior)


def _of_columns(prior: Normal, D: int) -> tuple[Any, Any]:
    if prior.batch_shape not in ((), (D,)):
        raise InvalidParameter(
            f"prior must be one Normal for all columns or a batch of {D}, one per column of X; got the batch "
            f"{prior.batch_shape}."
        )
    return prior.mean, prior.std
