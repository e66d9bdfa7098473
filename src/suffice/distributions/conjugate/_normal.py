r"""Conjugate algebra of normal data, from n, mean x̄ and scatter S.

Normal       μ ~ N(m, s²), σ known     →  N(m + g (x̄ − m), s²/(1 + n r)),  r = s²/σ²,  g = n r/(1 + n r)
Gamma        λ ~ Gamma(a, b), μ known  →  Gamma(a + n/2, b + Q/2),  Q = Σ w (x − μ)²
InverseGamma σ² = 1/λ                  →  InverseGamma(a + n/2, s + Q/2)
NormalGamma  (μ, λ)                    →  k + n,  (k m + n x̄)/(k + n),  a + n/2,  b + Q/2,
                                          Q = S + k n/(k + n) (x̄ − m)²
NIW          (μ, Σ)                    →  the same with ν + n and Ψ + Q
Evidence     where only the mean is unknown, the density of x̄ under prior and noise together; where a
             precision is unknown, p(D | θ) p(θ) / p(θ | D) at the posterior mean of θ
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.linalg import check_symmetric, cholesky
from suffice._core.numerics import LOG_2PI
from suffice.distributions._checks import parameter
from suffice.distributions._numerics.gaussian import forward, half_log_det
from suffice.distributions.compound.gaussian_algebra import LinearGaussian
from suffice.distributions.multivariate.inverse_wishart import InverseWishart
from suffice.distributions.multivariate.multivariate_normal import MultivariateNormal
from suffice.distributions.multivariate.multivariate_t import MultivariateT
from suffice.distributions.multivariate.normal_gamma import NormalGamma
from suffice.distributions.multivariate.normal_inverse_wishart import NormalInverseWishart
from suffice.distributions.univariate.gamma import Gamma
from suffice.distributions.univariate.inverse_gamma import InverseGamma
from suffice.distributions.univariate.normal import Normal
from suffice.distributions.univariate.student_t import StudentT
from suffice.statistics import Moments


# -- the door -----------------------------------------------------------------------------------------------
def numbers(prior: Any, x: Any, weight: Any = None, **known: Any) -> Moments:
    """Moments of a vector, or moments that are already there."""
    if isinstance(x, Moments):
        return _checked(x, (), weight)
    return Normal.statistics(np.atleast_1d(x), weight)


def vectors(prior: Any, x: Any, weight: Any = None, **known: Any) -> Moments:
    """Moments of the rows of a table, of one row, or moments that are already there."""
    if isinstance(x, Moments):
        return _checked(x, (prior.dim,), weight)
    s = MultivariateNormal.statistics(np.atleast_2d(x), weight)
    if s.mean.shape != (prior.dim,):
        raise InvalidInput(f"x must have {prior.dim} columns, as the prior has; got {s.mean.shape[0]}.")
    return s


def _checked(s: Moments, shape: tuple[int, ...], weight: Any) -> Moments:
    if weight is not None:
        raise InvalidInput("weight goes with data; statistics hold their weights already.")
    if s.mean.shape != shape:
        raise InvalidInput(f"The moments must have a mean of shape {shape}; got {s.mean.shape}.")
    return s


def _positive(name: str, value: Any) -> np.ndarray:
    return parameter(name, value, low=0.0, strict=True)


# -- mean unknown -------------------------------------------------------------------------------------------
def update_normal(prior: Normal, s: Moments, *, std: Any) -> Normal:
    """The mean of numbers with known standard deviation: PRML 2.141–2.142."""
    ratio = (prior.std / _positive("std", std)) ** 2
    gain = s.n * ratio / (1 + s.n * ratio)
    return Normal(prior.mean + gain * (s.mean - prior.mean), prior.std / np.sqrt(1 + s.n * ratio))


def normal_evidence(prior: Normal, s: Moments, *, std: Any) -> Any:
    """log ∫ N(μ | m, s²) Π N(x | μ, σ²) dμ."""
    std = _positive("std", std)
    more = s.n * (prior.std / std) ** 2
    squares = (s.scatter + s.n * (s.mean - prior.mean) ** 2 / (1 + more)) / std**2
    return (-0.5 * (s.n * (LOG_2PI + 2 * np.log(std)) + np.log1p(more) + squares))[()]


def next_number(posterior: Normal, *, std: Any) -> Normal:
    """N(m, s² + σ²)."""
    return Normal(posterior.mean, np.hypot(posterior.std, _positive("std", std)))


def update_multivariate_normal(prior: MultivariateNormal, s: Moments, *, cov: Any) -> MultivariateNormal:
    """The mean of vectors with known covariance: x̄ is one observation with noise Σ/n."""
    cov = _covariance(cov, prior.dim)
    return _mean_of(prior, s, cov).posterior(s.mean) if s.n > 0 else prior


def multivariate_normal_evidence(prior: MultivariateNormal, s: Moments, *, cov: Any) -> Any:
    """The density of x̄, times that of the rows given x̄."""
    cov = _covariance(cov, prior.dim)
    if s.n == 0:
        return np.zeros(prior.batch_shape)[()]
    lower = cholesky(cov, "cov")
    given = -0.5 * (s.n - 1) * (prior.dim * LOG_2PI + 2 * half_log_det(lower))
    given -= 0.5 * (_trace(lower, s.scatter) + prior.dim * np.log(s.n))
    return _mean_of(prior, s, cov).log_evidence(s.mean) + given


def next_vector(posterior: MultivariateNormal, *, cov: Any) -> MultivariateNormal:
    """N(m, P + Σ)."""
    return MultivariateNormal(posterior.mean, posterior.cov + _covariance(cov, posterior.dim))


def _mean_of(prior: MultivariateNormal, s: Moments, cov: np.ndarray) -> LinearGaussian:
    return LinearGaussian(prior, np.eye(prior.dim), np.zeros(prior.dim), cov / s.n)


def _covariance(cov: Any, dim: int) -> np.ndarray:
    cov = parameter("cov", cov)
    if cov.shape != (dim, dim):
        raise InvalidParameter(f"cov must have shape ({dim}, {dim}), as the prior has; got {cov.shape}.")
    check_symmetric(cov, "cov")
    cholesky(cov, "cov")
    return cov


def _trace(lower: np.ndarray, scatter: np.ndarray) -> Any:
    """tr (L Lᵀ)⁻¹ S."""
    inner = np.swapaxes(forward(lower, scatter), -1, -2)
    return np.trace(forward(lower, inner), axis1=-2, axis2=-1)


# -- precision or variance unknown ----------------------------------------------------------------------------
def update_precision(prior: Gamma, s: Moments, *, mean: Any) -> Gamma:
    """Gamma(a + n/2, b + Q/2): PRML 2.150–2.151."""
    return Gamma(prior.shape + s.n / 2, prior.rate + _squares_about(s, mean) / 2)


def precision_evidence(prior: Gamma, s: Moments, *, mean: Any) -> Any:
    """log ∫ Gamma(λ | a, b) Π N(x | μ, 1/λ) dλ."""
    return _scale_evidence(prior, s.n, _squares_about(s, mean))


def next_given_precision(posterior: Gamma, *, mean: Any) -> StudentT:
    """StudentT(2a, μ, √(b/a))."""
    return StudentT(2 * posterior.shape, parameter("mean", mean), np.sqrt(posterior.rate / posterior.shape))


def update_variance(prior: InverseGamma, s: Moments, *, mean: Any) -> InverseGamma:
    """InverseGamma(a + n/2, s + Q/2): FCML exercise 3.12."""
    return InverseGamma(prior.shape + s.n / 2, prior.scale + _squares_about(s, mean) / 2)


def variance_evidence(prior: InverseGamma, s: Moments, *, mean: Any) -> Any:
    """That of the precision, 1/σ² ~ Gamma(a, s)."""
    return precision_evidence(Gamma(prior.shape, prior.scale), s, mean=mean)


def next_given_variance(posterior: InverseGamma, *, mean: Any) -> StudentT:
    """StudentT(2a, μ, √(s/a))."""
    return next_given_precision(Gamma(posterior.shape, posterior.scale), mean=mean)


def _squares_about(s: Moments, mean: Any) -> Any:
    """Q = Σ w (x − μ)² about a known mean, or a batch of them."""
    return s.scatter + s.n * (s.mean - parameter("mean", mean)) ** 2


def _scale_evidence(prior: Gamma, n: float, squares: Any) -> Any:
    """log ∫ Gamma(λ | a, b) (λ/2π)^(n/2) e^(−λQ/2) dλ."""
    posterior = Gamma(prior.shape + n / 2, prior.rate + squares / 2)
    at = posterior.mean
    likelihood = 0.5 * (n * (np.log(at) - LOG_2PI) - at * squares)
    return likelihood + prior.log_prob(at) - posterior.log_prob(at)


# -- both unknown -------------------------------------------------------------------------------------------
def update_normal_gamma(prior: NormalGamma, s: Moments) -> NormalGamma:
    """Four additions: strength and shape by n, the mean to the weighted average, the rate by Q/2."""
    mean, strength, squares = _joined(prior, s)
    return NormalGamma(mean, strength, prior.shape + s.n / 2, prior.rate + squares / 2)


def normal_gamma_evidence(prior: NormalGamma, s: Moments) -> Any:
    """½ log(k/(k + n)) and the evidence of a precision with the squares Q."""
    _, _, squares = _joined(prior, s)
    scale = _scale_evidence(Gamma(prior.shape, prior.rate), s.n, squares)
    return scale - 0.5 * np.log1p(s.n / prior.strength)


def next_given_normal_gamma(posterior: NormalGamma) -> StudentT:
    """StudentT(2a, m, √(b (k + 1)/(a k)))."""
    spread = posterior.rate * (1 + 1 / posterior.strength) / posterior.shape
    return StudentT(2 * posterior.shape, posterior.mean, np.sqrt(spread))


def _joined(prior: NormalGamma, s: Moments) -> tuple[Any, Any, Any]:
    gap, share = s.mean - prior.mean, s.n / (prior.strength + s.n)
    return prior.mean + share * gap, prior.strength + s.n, s.scatter + prior.strength * share * gap**2


def update_normal_inverse_wishart(prior: NormalInverseWishart, s: Moments) -> NormalInverseWishart:
    """Four additions: strength and dof by n, the mean to the weighted average, the scale by Q."""
    share = np.asarray(s.n / (prior.strength + s.n))[..., None]
    mean = prior.mean + share * (s.mean - prior.mean)
    return NormalInverseWishart(mean, prior.strength + s.n, prior.scale + _squares(prior, s), prior.dof + s.n)


def normal_inverse_wishart_evidence(prior: NormalInverseWishart, s: Moments) -> Any:
    """(D/2) log(k/(k + n)) and the evidence of a covariance with the squares Q."""
    squares, dim = _squares(prior, s), prior.dim
    before = InverseWishart(prior.dof, prior.scale)
    after = InverseWishart(prior.dof + s.n, prior.scale + squares)
    at = after.scale / np.asarray(after.dof)[..., None, None]
    lower = cholesky(at, "scale")
    likelihood = -0.5 * (s.n * (dim * LOG_2PI + 2 * half_log_det(lower)) + _trace(lower, squares))
    scale = likelihood + before.log_prob(at) - after.log_prob(at)
    return scale - 0.5 * dim * np.log1p(s.n / prior.strength)


def next_given_normal_inverse_wishart(posterior: NormalInverseWishart) -> MultivariateT:
    """MultivariateT(ν − D + 1, m, Ψ (k + 1)/(k (ν − D + 1)))."""
    dof = posterior.dof - posterior.dim + 1
    spread = np.asarray((1 + 1 / posterior.strength) / dof)[..., None, None]
    return MultivariateT(dof, posterior.mean, posterior.scale * spread)


def _squares(prior: NormalInverseWishart, s: Moments) -> np.ndarray:
    """Q = S + k n/(k + n) (x̄ − m)(x̄ − m)ᵀ."""
    gap = s.mean - prior.mean
    pull = np.asarray(prior.strength * s.n / (prior.strength + s.n))[..., None, None]
    return s.scatter + pull * gap[..., :, None] * gap[..., None, :]
