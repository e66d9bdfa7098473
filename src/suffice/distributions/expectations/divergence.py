r"""The Kullback–Leibler divergence KL(p‖q) = E_p log p(X)/q(X) ≥ 0, zero only for equal distributions.

With D(x, m) = x log(x/m) − x + m ≥ 0 every closed form is a sum of terms that vanish for p = q:

Normal        D(1, s²)/2 + (μ_p − μ_q)²/(2σ_q²),  s = σ_p/σ_q
Multivariate  Σ_i D(1, w_ii²)/2 + ½ Σ_{i>j} w_ij² + ½ ‖L_q⁻¹(μ_p − μ_q)‖²,  W = L_q⁻¹ L_p
Gamma         D(a_q, a_p b_q/b_p) + R(a_q, a_p)
Dirichlet     Σ_k D(β_k, α_k β₀/α₀) + Σ_k R(β_k, α_k) − R(β₀, α₀),  p with α, q with β
Wishart       Σ_i [D(ν_q/2, ν_p w_ii²/2) + R(a_i, b_i) + …] + ½ ν_p Σ_{i>j} w_ij²
Classes       Σ_k D(p_k, q_k)

R(b, a) = log Γ(b) − log Γ(a) − (b − a) ψ(a) − D(b, a) is small where D is. An inverse or any other one-to-one
map of both variables leaves the divergence unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from suffice._core.errors import IllConditioned, InvalidInput, Unsupported, warn
from suffice.distributions._base import Distribution, Univariate
from suffice.distributions._checks import common_shape
from suffice.distributions._numerics.excess import gamma_remainder
from suffice.distributions._numerics.gaussian import forward, is_regular, singular
from suffice.distributions._numerics.one_dimensional import check_single, has_atoms, nodes
from suffice.distributions._numerics.special import deviance
from suffice.distributions.multivariate import _bartlett
from suffice.distributions.multivariate.dirichlet import Dirichlet
from suffice.distributions.multivariate.inverse_wishart import InverseWishart
from suffice.distributions.multivariate.multinomial import Multinomial
from suffice.distributions.multivariate.multivariate_normal import MultivariateNormal
from suffice.distributions.multivariate.wishart import Wishart
from suffice.distributions.univariate.bernoulli import Bernoulli
from suffice.distributions.univariate.beta import Beta
from suffice.distributions.univariate.binomial import Binomial
from suffice.distributions.univariate.categorical import Categorical
from suffice.distributions.univariate.gamma import Gamma
from suffice.distributions.univariate.inverse_gamma import InverseGamma
from suffice.distributions.univariate.normal import Normal
from suffice.distributions.univariate.poisson import Poisson


def kl(p: Distribution, q: Distribution) -> Any:
    """KL(p‖q) in nats: how much is lost by taking q for p. Infinite where q excludes what p allows.

    Closed forms, batched, for two of a kind: Normal, MultivariateNormal, Gamma, InverseGamma, Beta,
    Dirichlet, Wishart, InverseWishart, Poisson, Bernoulli, Binomial, Categorical, Multinomial. Any other two
    single univariate distributions by numerical quadrature, to about 1e-8, with a warning where that fails.
    `kl_method(p, q)` says which of the two it is.

    Examples
    --------
    >>> from suffice.distributions import Normal, StudentT, kl, kl_method
    >>> print(f"{kl(Normal(0, 1), Normal(1, 2)):.6f}", kl_method(Normal(0, 1), Normal(1, 2)))
    0.443147 closed form
    >>> print(f"{kl(Normal(0, 1), StudentT(3)):.6f}", kl_method(Normal(0, 1), StudentT(3)))
    0.069152 quadrature
    """
    if kl_method(p, q) == "quadrature":
        return _quadrature(p, q)
    common_shape(p=p.batch_shape, q=q.batch_shape)
    return np.maximum(_CLOSED[type(p)](p, q), 0.0)[()]


def kl_method(p: Distribution, q: Distribution) -> Literal["closed form", "quadrature"]:
    """How `kl(p, q)` is computed."""
    if type(p) is type(q) and type(p) in _CLOSED:
        return "closed form"
    if isinstance(p, Univariate) and isinstance(q, Univariate):
        return "quadrature"
    names = f"{type(p).__name__} and {type(q).__name__}"
    raise Unsupported(
        f"kl has no closed form for {names}; average p.log_prob(x) − q.log_prob(x) over draws of p."
    )


# -- closed forms -------------------------------------------------------------------------------------------
def _normal(p: Normal, q: Normal) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio, shift = p.std / q.std, (p.mean - q.mean) / q.std
        value = 0.5 * (deviance(1.0, ratio**2) + shift**2)
    same = (p.mean == q.mean) & (p.std == q.std)
    return np.where(same, 0.0, np.where(np.isnan(value), np.inf, value))  # NaN: only for point masses


def _multivariate_normal(p: MultivariateNormal, q: MultivariateNormal) -> Any:
    _same_size(p.dim, q.dim)
    if not is_regular(q._factor):
        raise singular(q.cov, "cov of q")
    if not is_regular(p._factor):
        return np.full(np.broadcast_shapes(p.batch_shape, q.batch_shape), np.inf)
    shift = forward(q._factor, (p.mean - q.mean)[..., None])[..., 0]
    w = forward(q._factor, p._factor)
    diagonal, below = _split(w)
    return 0.5 * (deviance(1.0, diagonal**2).sum(axis=-1) + below + np.sum(shift**2, axis=-1))


def _gamma(p: Gamma, q: Gamma) -> Any:
    return _gamma_shapes(p.shape, p.rate, q.shape, q.rate)


def _inverse_gamma(p: InverseGamma, q: InverseGamma) -> Any:
    return _gamma_shapes(p.shape, p.scale, q.shape, q.scale)


def _gamma_shapes(a: Any, b: Any, c: Any, d: Any) -> Any:
    return deviance(c, a * (d / b)) + gamma_remainder(c, a)


def _beta(p: Beta, q: Beta) -> Any:
    return _dirichlet_shapes(np.stack([p.a, p.b], axis=-1), np.stack([q.a, q.b], axis=-1))


def _dirichlet(p: Dirichlet, q: Dirichlet) -> Any:
    _same_size(p.dim, q.dim)
    return _dirichlet_shapes(p.alpha, q.alpha)


def _dirichlet_shapes(alpha: np.ndarray, beta: np.ndarray) -> Any:
    a, b = alpha.sum(axis=-1), beta.sum(axis=-1)
    terms = deviance(beta, alpha * (b / a)[..., None]) + gamma_remainder(beta, alpha)
    return terms.sum(axis=-1) - gamma_remainder(b, a)


def _wishart_kl(p: Wishart, q: Wishart) -> Any:
    _same_size(p.dim, q.dim)
    return _wishart_shapes(p.dof, q.dof, forward(q._factor, p._factor))


def _inverse_wishart(p: InverseWishart, q: InverseWishart) -> Any:
    _same_size(p.dim, q.dim)
    return _wishart_shapes(p.dof, q.dof, forward(p._factor, q._factor))


def _wishart_shapes(n: Any, m: Any, w: np.ndarray) -> Any:
    """p with ν_p = n, q with ν_q = m; W Wᵀ has the eigenvalues of V_q⁻¹ V_p."""
    dim = w.shape[-1]
    diagonal, below = _split(w)
    x, y, s = 0.5 * np.asarray(m)[..., None], 0.5 * np.asarray(n)[..., None], 0.5 * np.arange(dim)
    shift = x * (np.log1p(-s / x) - np.log1p(-s / y)) - s * np.log((x - s) / (y - s))  # D(x−s, y−s) − D(x, y)
    terms = deviance(x, y * diagonal**2) + shift
    terms = terms + gamma_remainder(_bartlett.halves(m, dim), _bartlett.halves(n, dim))
    return terms.sum(axis=-1) + 0.5 * n * below


def _split(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The diagonal of triangles, and the sum of squares below it."""
    return np.diagonal(w, axis1=-2, axis2=-1), np.sum(np.tril(w, -1) ** 2, axis=(-2, -1))


def _poisson(p: Poisson, q: Poisson) -> Any:
    return deviance(p.rate, q.rate)


def _bernoulli(p: Bernoulli, q: Bernoulli) -> Any:
    return _two_classes(p.p, q.p)


def _binomial(p: Binomial, q: Binomial) -> Any:
    return np.where(p.n == q.n, p.n * _two_classes(p.p, q.p), _unequal_trials(p, q))


def _multinomial(p: Multinomial, q: Multinomial) -> Any:
    _same_size(p.dim, q.dim)
    classes = deviance(p.probabilities, q.probabilities).sum(axis=-1)
    return np.where(p.n == q.n, p.n * classes, _unequal_trials(p, q))


def _unequal_trials(p: Any, q: Any) -> float:
    if np.any(p.n != q.n):
        raise Unsupported("kl of counts needs the same number of trials, n, in p and q.")
    return 0.0


def _categorical(p: Categorical, q: Categorical) -> Any:
    if not np.array_equal(p.classes, q.classes):
        raise InvalidInput(
            f"p and q must have the same classes; got {p.classes.tolist()} and {q.classes.tolist()}."
        )
    return deviance(p.probabilities, q.probabilities).sum(axis=-1)


def _two_classes(a: Any, b: Any) -> Any:
    return deviance(a, b) + deviance(1 - a, 1 - b)


def _same_size(left: int, right: int) -> None:
    if left != right:
        raise InvalidInput(f"p and q must have the same coordinates; got {left} and {right}.")


_CLOSED: dict[type, Callable[[Any, Any], Any]] = {
    Bernoulli: _bernoulli,
    Beta: _beta,
    Binomial: _binomial,
    Categorical: _categorical,
    Dirichlet: _dirichlet,
    Gamma: _gamma,
    InverseGamma: _inverse_gamma,
    InverseWishart: _inverse_wishart,
    Multinomial: _multinomial,
    MultivariateNormal: _multivariate_normal,
    Normal: _normal,
    Poisson: _poisson,
    Wishart: _wishart_kl,
}


# -- quadrature ---------------------------------------------------------------------------------------------
def _quadrature(p: Any, q: Any) -> Any:
    """Over the atoms of p, or over the line outwards from its median by the double-exponential rule."""
    check_single("p", p)
    check_single("q", q)
    if has_atoms(p) != has_atoms(q):
        return np.float64(np.inf)
    if has_atoms(p):
        x, w = nodes(p)
        return np.float64(max(np.sum(w * (p._log_prob_of_rows(x) - q._log_prob_of_rows(x))), 0.0))
    halves = [_integral_to_end(p, q, end) for end in (p.quantile(0.0), p.quantile(1.0))]
    fine, coarse = (sum(h[i] for h in halves) for i in (0, 1))
    if np.isfinite(fine) and abs(fine - coarse) > 1e-6 * (1 + abs(fine)):
        warn(f"kl by quadrature is known to {abs(fine - coarse):.1g} only.", IllConditioned)
    return np.float64(max(fine, 0.0))


def _integral_to_end(p: Any, q: Any, end: float) -> tuple[float, float]:
    """∫ p log p/q from the median to `end`, with all nodes and with every other one."""
    middle, width = p.quantile(0.5), p.quantile(0.75) - p.quantile(0.25)
    h = 1 / 64
    t = np.arange(-6.0, 6.0 + h, h)
    with np.errstate(all="ignore"):
        if np.isfinite(end):
            c = 1 / (1 + np.exp(np.pi * np.sinh(t)))  # distance to the end, as a share
            x, slope = end + (middle - end) * c, abs(middle - end) * np.pi * np.cosh(t) * c * (1 - c)
        else:
            c = width * np.exp(0.5 * np.pi * np.sinh(t))
            x, slope = middle + np.sign(end) * c, c * 0.5 * np.pi * np.cosh(t)
        density, gain = p._log_prob_of_rows(x), p._log_prob_of_rows(x) - q._log_prob_of_rows(x)
        inside = (density > -np.inf) & (x != end)
        terms = np.where(inside, np.exp(density + np.log(slope)) * gain, 0.0)
    terms = terms[~np.isnan(terms)]
    if np.isinf(terms).any() or (
        len(terms) and max(abs(terms[0]), abs(terms[-1])) > 1e-3 * np.abs(terms).max()
    ):
        return np.inf, np.inf  # q excludes what p allows, or the integral diverges
    return float(h * terms.sum()), float(2 * h * terms[::2].sum())
