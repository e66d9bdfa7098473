r"""Beliefs about the parameters of normal classes, and what they predict (FCML §5.2.1.3, exercises 5.1 and 5.2).

Known Σ    μ_c ~ N(m, P)                                 p(x | c, X) = N(x | μ_N, Σ + Σ_N),  Σ_N = (P⁻¹ + n_c Σ⁻¹)⁻¹
Own Σ_c    (μ_c, Σ_c) ~ NIW(m, k, Ψ, ν)                  Student-t with ν + n_c − D + 1 degrees of freedom
Shared Σ   Σ ~ IW(ν, Ψ),  μ_c | Σ ~ N(m, Σ / k)           Student-t with ν + n − D + 1 degrees of freedom

    Ψ_N = Ψ + Σ_c [S_c + k n_c / (k + n_c) (x̄_c − m)(x̄_c − m)ᵀ],  ν_N = ν + Σ_c n_c,  k_c = k + n_c

(sums over one class where each has its own Σ_c). The evidence is that of the rows given their labels, log p(X | y):

    −½ n D log π + log Γ_D(ν_N/2) − log Γ_D(ν/2) + ½ ν log |Ψ| − ½ ν_N log |Ψ_N| + ½ D Σ_c log(k / k_c)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import multigammaln

from suffice._core.errors import InvalidParameter, Unsupported
from suffice._core.linalg import check_symmetric, cholesky
from suffice._core.records import record
from suffice.distributions import MultivariateNormal, NormalInverseWishart
from suffice.generative._normal.part import ScatterPart
from suffice.statistics import Moments


@record
class Beliefs:
    """What is believed of each class after its rows, what that predicts, and how likely the rows were."""

    posteriors: tuple[Any, ...]
    predictives: tuple[Any, ...]
    log_evidence: float


def check_prior(prior: Any, covariance: Any, others: dict[str, bool]) -> None:
    """Raise unless prior and covariance go together, and with nothing else that would shrink a covariance."""
    known = not isinstance(covariance, str)
    if prior is None and not known:
        return
    if known and not isinstance(prior, MultivariateNormal):
        raise InvalidParameter(
            "covariance must be 'full' or 'diagonal' unless it is known and only the means have a prior, "
            f"prior=MultivariateNormal(mean, cov); got {covariance!r:.80} with prior={prior!r:.80}."
        )
    if not isinstance(prior, MultivariateNormal | NormalInverseWishart):
        raise InvalidParameter(
            "prior must be None, a NormalInverseWishart of mean and covariance, or a MultivariateNormal of the means "
            f"(then covariance is known); got {prior!r:.80}."
        )
    if prior.batch_shape:
        raise InvalidParameter(f"prior must be one distribution; got a batch of shape {prior.batch_shape}.")
    if isinstance(prior, MultivariateNormal) and not known:
        raise InvalidParameter(
            "prior must be a NormalInverseWishart unless the covariance is known: give covariance=, a matrix; "
            f"got prior={prior!r:.80} with covariance={covariance!r}."
        )
    if isinstance(prior, NormalInverseWishart) and covariance != "full":
        raise InvalidParameter(
            f"covariance must be 'full' with a NormalInverseWishart prior; got {covariance!r}."
        )
    for name, given in others.items():
        if given:
            raise InvalidParameter(
                f"prior must be None where {name} is given: a prior regularizes already. Leave {name} out; "
                f"got prior={prior!r:.80}."
            )


def known_covariance(value: Any, dim: int) -> np.ndarray:
    """A covariance that was given, if it is one."""
    try:
        cov = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidParameter(f"covariance must be numbers; got {value!r:.80}.") from None
    if cov.shape != (dim, dim):
        raise InvalidParameter(
            f"covariance must have shape ({dim}, {dim}), as X has columns; got {cov.shape}."
        )
    check_symmetric(cov, "covariance")
    cholesky(cov, "covariance")
    return cov


def beliefs(prior: Any, parts: tuple[ScatterPart, ...], covariance: Any, shared: bool) -> Beliefs:
    """The posterior, the predictive densities and the evidence of all classes."""
    dim = len(parts[0].mean)
    if prior.dim != dim:
        raise InvalidParameter(
            f"prior must be of {dim} coordinates, one per column of X; got {prior.dim} ({prior!r:.80})."
        )
    if isinstance(prior, MultivariateNormal):
        return _of_means(prior, [_moments(p) for p in parts], known_covariance(covariance, dim))
    groups = [parts] if shared else [(p,) for p in parts]
    found = [_of_group(prior, group) for group in groups]
    posteriors = tuple(p for posterior, _ in found for p in posterior)
    return Beliefs(posteriors, tuple(p.predictive() for p in posteriors), float(sum(e for _, e in found)))


def _moments(p: ScatterPart) -> Moments:
    return Moments(p.n, round(p.n), p.mean, p.factor.T @ p.factor)


def _of_means(prior: MultivariateNormal, moments: list[Moments], cov: np.ndarray) -> Beliefs:
    posteriors = tuple(prior.posterior(m, cov=cov) for m in moments)
    evidence = float(sum(prior.log_evidence(m, cov=cov) for m in moments))
    return Beliefs(posteriors, tuple(p.predictive(cov=cov) for p in posteriors), evidence)


def _of_group(
    prior: NormalInverseWishart, parts: tuple[ScatterPart, ...]
) -> tuple[list[NormalInverseWishart], float]:
    """Classes that share a covariance: the posterior of each, and the log evidence of all of them."""
    n, dim = np.array([p.n for p in parts]), prior.dim
    means, strength = np.array([p.mean for p in parts]), prior.strength + n
    gap = means - prior.mean
    scatter = sum(p.factor.T @ p.factor for p in parts)
    scale = prior.scale + scatter + (gap * (prior.strength * n / strength)[:, None]).T @ gap
    dof = prior.dof + n.sum()
    centers = prior.mean + (n / strength)[:, None] * gap
    evidence = (
        -0.5 * n.sum() * dim * np.log(np.pi)
        + multigammaln(dof / 2, dim)
        - multigammaln(prior.dof / 2, dim)
        + prior.dof * _half_log_det(prior.scale)
        - dof * _half_log_det(scale)
        + 0.5 * dim * np.log(prior.strength / strength).sum()
    )
    posteriors = [NormalInverseWishart(m, k, scale, dof) for m, k in zip(centers, strength, strict=True)]
    return posteriors, float(evidence)


def _half_log_det(matrix: np.ndarray) -> float:
    return float(np.log(np.diagonal(cholesky(matrix, "scale"))).sum())


def refuse_gaps(prior: Any) -> None:
    """Missing cells leave no closed form to a prior."""
    if prior is not None:
        raise Unsupported(
            "X has missing cells, and with a prior their posterior has no closed form. Fit complete rows (NaN is taken "
            "in predictions), or leave prior out: then missing cells are handled by expectation–maximization."
        )
