r"""Gaussian algebra: linear maps with noise and their inversion, products, sums, blocks, running means.

Linear Gaussian    x ~ N(μ, P),  y | x ~ N(Ax + b, R)
                   y ~ N(Aμ + b, A P Aᵀ + R)
                   x | y ~ N(μ + K (y − Aμ − b), P − K A P),  K = P Aᵀ (A P Aᵀ + R)⁻¹
Product            N(x | a, A) N(x | b, B) = N(a | b, A + B) · N(x | c, C),  C⁻¹ = A⁻¹ + B⁻¹
Sum                x₁ + x₂ ~ N(μ₁ + μ₂, Σ₁ + Σ₂ + Σ₁₂ + Σ₂₁)
Blocks             [[A, B], [C, D]]⁻¹ = [[M, −M B D⁻¹], [−D⁻¹ C M, D⁻¹ + D⁻¹ C M B D⁻¹]],
                   M = (A − B D⁻¹ C)⁻¹
Robbins–Monro      θ_n = θ_{n−1} − a_n z(θ_{n−1}, x_n),  a_n → 0,  Σ a_n = ∞,  Σ a_n² < ∞

All are computed from factors of the covariances, so that results stay positive semi-definite and noise or
prior may be singular. For a symmetric partitioned inverse M is the covariance of the first block given the
second: it does not depend on the value of the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any, NamedTuple, overload

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError, Unsupported
from suffice._core.linalg import check_symmetric, semidefinite_factor
from suffice._core.records import record
from suffice.distributions._checks import assign, frozen, parameter, real
from suffice.distributions._numerics.gaussian import conditional, observed
from suffice.distributions.multivariate.multivariate_normal import MultivariateNormal
from suffice.distributions.univariate.normal import Normal


# -- linear maps with noise ---------------------------------------------------------------------------------
@record
class LinearGaussian:
    """x from a prior, and y = A x + b plus normal noise: the joint distribution and all that follows from it."""

    prior: MultivariateNormal
    A: np.ndarray
    b: np.ndarray
    noise: np.ndarray
    _noise_factor: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.prior, MultivariateNormal):
            raise Unsupported(f"prior must be a MultivariateNormal; got {type(self.prior).__name__}.")
        A, b = parameter("A", self.A), parameter("b", self.b)
        dim = self.prior.dim
        if A.ndim != 2 or A.shape[1] != dim or A.shape[0] == 0:
            raise InvalidParameter(f"A must have shape (K, {dim}), K >= 1; got {A.shape}.")
        k = A.shape[0]
        if b.shape not in ((), (k,)):
            raise InvalidParameter(f"b must be a number or have shape ({k},); got {b.shape}.")
        noise = parameter("noise", self.noise)
        noise = frozen(noise * np.eye(k)) if noise.ndim == 0 else noise
        if noise.shape != (k, k):
            raise InvalidParameter(
                f"noise must be a variance or a covariance ({k}, {k}); got shape {noise.shape}."
            )
        check_symmetric(noise, "noise")
        factor = frozen(semidefinite_factor(noise, "noise"))
        assign(self, A=A, b=frozen(np.broadcast_to(b, (k,))), noise=noise, _noise_factor=factor)

    @property
    def marginal(self) -> MultivariateNormal:
        """p(y) = N(Aμ + b, A P Aᵀ + R)."""
        k = len(self.A)
        rows = self._factor[..., :k, :]
        return MultivariateNormal(self.prior.mean @ self.A.T + self.b, rows @ np.swapaxes(rows, -1, -2))

    @property
    def joint(self) -> MultivariateNormal:
        """p(y, x), y first."""
        mean = np.concatenate([self.prior.mean @ self.A.T + self.b, self.prior.mean], axis=-1)
        return MultivariateNormal(mean, self._factor @ np.swapaxes(self._factor, -1, -2))

    def likelihood(self, x: Any) -> MultivariateNormal:
        """p(y | x) = N(Ax + b, R)."""
        x = np.asarray(real(x))
        if x.ndim < 1 or x.shape[-1] != self.prior.dim:
            raise InvalidInput(f"x must have {self.prior.dim} coordinates in its last axis; got {x.shape}.")
        return MultivariateNormal(x @ self.A.T + self.b, self.noise)

    def posterior(self, y: Any) -> MultivariateNormal:
        """p(x | y); NaN in y means not observed."""
        k, dim = len(self.A), self.prior.dim
        seen, values, _ = observed(slice(0, k), y, k + dim, self.prior.batch_shape)
        gain, cov = conditional(self._factor, seen, np.arange(k, k + dim))
        gap = values - (self.prior.mean @ self.A.T + self.b)[..., seen]
        return MultivariateNormal(self.prior.mean + np.einsum("...fo,...o->...f", gain, gap), cov)

    def log_evidence(self, y: Any) -> Any:
        """log p(y)."""
        return self.marginal.log_prob(y)

    @property
    def _factor(self) -> np.ndarray:
        """[[A L, N], [L, 0]]: a factor of the covariance of (y, x), from P = L Lᵀ and R = N Nᵀ."""
        prior, noise = self.prior._factor, self._noise_factor
        k, dim = self.A.shape
        out = np.zeros((*prior.shape[:-2], k + dim, dim + k))
        out[..., :k, :dim], out[..., :k, dim:], out[..., k:, :dim] = self.A @ prior, noise, prior
        return out


def linear_gaussian(prior: MultivariateNormal, A: Any, b: Any, noise: Any) -> LinearGaussian:
    """Bayes' theorem for y = A x + b + noise: `.marginal` is p(y), `.posterior(y)` is p(x | y).

    `noise` is the covariance of the noise, or one number, the variance of each of its coordinates.

    Examples
    --------
    The mean of four numbers of variance 4, known before as N(0, 1):

    >>> from suffice.distributions import MultivariateNormal, linear_gaussian
    >>> system = linear_gaussian(MultivariateNormal([0.0], [[1.0]]), [[1.0]] * 4, 0.0, 4.0)
    >>> posterior = system.posterior([2.0, 4.0, 3.0, 7.0])
    >>> print(f"{posterior.mean[0]:.3f} {posterior.cov[0, 0]:.3f}")
    2.000 0.500
    """
    return LinearGaussian(prior, A, b, noise)


# -- products and sums --------------------------------------------------------------------------------------
class GaussianProduct(NamedTuple):
    """A product of two densities: exp(log_normalizer) times a distribution."""

    distribution: Any
    log_normalizer: Any


@overload
def product_of_gaussians(a: Normal, b: Normal) -> GaussianProduct: ...
@overload
def product_of_gaussians(a: MultivariateNormal, b: MultivariateNormal) -> GaussianProduct: ...
def product_of_gaussians(a: Any, b: Any) -> GaussianProduct:
    """The product of two Gaussian densities of the same variable, as a Gaussian and its log normaliser.

    Examples
    --------
    >>> from suffice.distributions import Normal, product_of_gaussians
    >>> p = product_of_gaussians(Normal(0.0, 1.0), Normal(2.0, 1.0))
    >>> print(p.distribution, f"{p.log_normalizer:.4f}")
    Normal(mean=1, std=0.707107) -2.2655
    """
    left, right = _vector("a", a), _vector("b", b)
    if left.dim != right.dim:
        raise InvalidInput(f"a and b must have the same coordinates; got {left.dim} and {right.dim}.")
    if right.batch_shape:
        raise Unsupported(f"b must be a single distribution; got a batch {right.batch_shape}.")
    system = linear_gaussian(left, np.eye(left.dim), 0.0, right.cov)
    posterior, log_normalizer = system.posterior(right.mean), system.log_evidence(right.mean)
    scalar = isinstance(a, Normal) and isinstance(b, Normal)
    return GaussianProduct(posterior.marginal(0) if scalar else posterior, log_normalizer)


def sum_of_gaussians(a: Any, b: Any, cross_cov: Any = 0.0) -> Any:
    """The distribution of x₁ + x₂, jointly Gaussian with cov(x₁, x₂) = `cross_cov`; zero is independence.

    Examples
    --------
    >>> from suffice.distributions import Normal, sum_of_gaussians
    >>> print(f"{sum_of_gaussians(Normal(1.0, 2**0.5), Normal(2.0, 1.0), 0.6).var:.3f}")
    4.200
    """
    left, right = _vector("a", a), _vector("b", b)
    k = left.dim
    if right.dim != k or left.batch_shape or right.batch_shape:
        raise InvalidInput(f"a and b must be single, of the same coordinates; got {left!r} and {right!r}.")
    cross = parameter("cross_cov", cross_cov)
    if cross.shape not in ((), (k, k)):
        raise InvalidParameter(f"cross_cov must be a number or have shape ({k}, {k}); got {cross.shape}.")
    cross = np.broadcast_to(cross, (k, k)) if k == 1 or cross.ndim else _only_zero(cross, k)
    cov = np.block([[left.cov, cross], [cross.T, right.cov]])
    joint = MultivariateNormal(np.concatenate([left.mean, right.mean]), cov)
    total: Any = joint.affine(np.hstack([np.eye(k), np.eye(k)]))
    return total.marginal(0) if isinstance(a, Normal) and isinstance(b, Normal) else total


def _only_zero(cross: np.ndarray, k: int) -> np.ndarray:
    if cross != 0:
        raise InvalidParameter(f"cross_cov of vectors must be a matrix ({k}, {k}); got {cross}.")
    return np.zeros((k, k))


def _vector(name: str, d: Any) -> MultivariateNormal:
    """A Gaussian as one of vectors."""
    if isinstance(d, Normal):
        return MultivariateNormal(np.asarray(d.mean)[..., None], np.asarray(d.var)[..., None, None])
    if not isinstance(d, MultivariateNormal):
        raise Unsupported(f"{name} must be a Normal or a MultivariateNormal; got {type(d).__name__}.")
    return d


# -- blocks -------------------------------------------------------------------------------------------------
class Blocks(NamedTuple):
    """The four blocks of a matrix."""

    aa: np.ndarray
    ab: np.ndarray
    ba: np.ndarray
    bb: np.ndarray

    @property
    def matrix(self) -> np.ndarray:
        """All of it."""
        return np.block([[self.aa, self.ab], [self.ba, self.bb]])


def partitioned_inverse(M: Any, k: int) -> Blocks:
    """The blocks of M⁻¹, split after k rows and columns, from those of M; M need not be symmetric.

    The lower right block of M must be regular. For a precision matrix the inverse of its upper left block is
    the covariance of the first coordinates given the others.

    Examples
    --------
    >>> from suffice.distributions import partitioned_inverse
    >>> partitioned_inverse([[2.0, 0.6], [0.6, 1.0]], 1).aa
    array([[0.6097561]])
    """
    m = np.asarray(parameter("M", M))
    if m.ndim != 2 or m.shape[0] != m.shape[1]:
        raise InvalidParameter(f"M must be square; got shape {m.shape}.")
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 0 < k < len(m):
        raise InvalidParameter(f"k must be a whole number from 1 to {len(m) - 1}; got {k!r}.")
    a, b, c, d = m[:k, :k], m[:k, k:], m[k:, :k], m[k:, k:]
    d_inverse = _solve(d, np.eye(len(d)), "The lower right block of M")
    b_d, d_c = b @ d_inverse, _solve(d, c, "The lower right block of M")
    top = _solve(a - b @ d_c, np.eye(k), "M")
    return Blocks(top, -top @ b_d, -d_c @ top, d_inverse + d_c @ top @ b_d)


def _solve(a: np.ndarray, b: np.ndarray, name: str) -> np.ndarray:
    try:
        return np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        raise NumericalError(f"{name} is singular: it has no inverse.") from None


# -- one observation at a time ------------------------------------------------------------------------------
def sequential_mean(x: Any) -> np.ndarray:
    """The means of the first 1, 2, …, N rows, each from the one before: μ_n = μ_{n−1} + (x_n − μ_{n−1})/n.

    Examples
    --------
    >>> from suffice.distributions import sequential_mean
    >>> sequential_mean([2.0, 4.0, 3.0, 7.0])
    array([2., 3., 3., 4.])
    """
    x = np.asarray(real(x))
    if x.ndim == 0:
        raise InvalidInput("x must be a vector (N,) or a table (N, D); got one number.")
    path = robbins_monro(lambda mean, row: mean - row, np.zeros(x.shape[1:]), x)
    return path[1:]


def robbins_monro(
    z: Callable[[np.ndarray, Any], Any],
    start: Any,
    data: Iterable,
    step: Callable[[int], float] = lambda n: 1 / n,
) -> np.ndarray:
    """Root of f(θ) = E z(θ, x) from one noisy value at a time: θ_n = θ_{n−1} − step(n) z(θ_{n−1}, x_n).

    It converges with probability one if f is negative left of the root and positive right of it, z has
    finite variance, and the steps fall so that Σ step = ∞ while Σ step² < ∞. With z = −∂ log p(x | θ)/∂θ it
    is maximum likelihood; for the mean of a normal with variance σ², step σ²/n gives the running mean.
    Returns all θ, the start first.

    Examples
    --------
    >>> from suffice.distributions import robbins_monro
    >>> robbins_monro(lambda mean, x: -(x - mean) / 4, 0.0, [2.0, 4.0, 3.0, 7.0], lambda n: 4 / n)
    array([0., 2., 3., 3., 4.])
    """
    theta = np.asarray(parameter("start", start))
    path = [theta]
    for n, x in enumerate(data, start=1):
        a = float(step(n))
        if not 0 < a < np.inf:
            raise InvalidParameter(f"step({n}) must be positive and finite; got {a}.")
        theta = theta - a * np.asarray(z(theta, x), dtype=float)
        path.append(theta)
    return np.stack(path)
