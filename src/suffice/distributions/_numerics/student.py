r"""The standard Student-t in η = 1/ν, accurate for every ν in (0, ∞]: density, tails, quantiles, fit.

Write u² = η t². Then

log p(t) = c(η) − ½ log 2π − (1 + η)/(2η) log(1 + u²),
c(η)     = log Γ((ν+1)/2) − log Γ(ν/2) − ½ log(ν/2) = −η/4 + η³/24 − η⁵/20 + …,

and η = 0 is the normal distribution. Far out the tail is the density times a short alternating series,

P(T > t) = p(t) (1 + u²)/t · ₂F₁(½, 1; ν/2 + 1; −1/u²).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import betainccinv, betaincinv, digamma, gammaln, log_ndtr, ndtr, ndtri, stdtr

from suffice._core.errors import AtBound, NotConverged, warn
from suffice._core.numerics import LOG_2PI
from suffice.distributions._checks import parameter, positive_weights

_LARGE = 30.0  # ν from which the series for c has all its digits
_FAR = 30.0  # |t| from which the series for the tail has all its digits
_NORMAL = 1e-22  # η below which the tails in double range are those of the normal
_SERIES = np.array([-1 / 4, 1 / 24, -1 / 20, 17 / 112, -31 / 36, 691 / 88])  # of c, in η, η³, η⁵, …


def inverse(dof: Any) -> np.ndarray:
    """η = 1/ν, with 0 for infinite ν."""
    return 1.0 / np.asarray(dof, dtype=float)


def normalizer_gap(eta: np.ndarray) -> np.ndarray:
    """c(η): zero for the normal; the difference of log Γ without its cancellation."""
    small = np.minimum(eta, 1 / _LARGE)
    series = small * np.polynomial.polynomial.polyval(small**2, _SERIES)
    a = 0.5 / np.maximum(eta, 1 / _LARGE)  # ν/2, at most 15
    return np.where(eta <= 1 / _LARGE, series, gammaln(a + 0.5) - gammaln(a) - 0.5 * np.log(a))


def normalizer_gap_slope(eta: np.ndarray) -> np.ndarray:
    """dc/dη."""
    small = np.minimum(eta, 1 / _LARGE)
    series = np.polynomial.polynomial.polyval(small**2, _SERIES * np.arange(1, 12, 2))
    a = 0.5 / np.maximum(eta, 1 / _LARGE)
    direct = a - 2 * a**2 * (digamma(a + 0.5) - digamma(a))
    return np.where(eta <= 1 / _LARGE, series, direct)


def log1p_square(u: Any) -> Any:
    """log(1 + u²), also where u² overflows."""
    near = np.log1p(np.minimum(u, 1e100) ** 2)
    return np.where(u > 1e100, 2 * np.log(np.maximum(u, 1.0)), near)


def log_kernel(t: Any, eta: Any) -> Any:
    """log(1 + η t²)/η, which is t² for η = 0."""
    with np.errstate(over="ignore", invalid="ignore"):
        normal = eta < 1e-290
        return np.where(normal, t * t, log1p_square(t * np.sqrt(eta)) / np.where(normal, 1.0, eta))


def log_density(t: Any, eta: Any) -> Any:
    """log p of the standard Student-t."""
    return normalizer_gap(eta) - 0.5 * LOG_2PI - 0.5 * (1 + eta) * log_kernel(np.abs(t), eta)


def upper(t: Any, eta: Any) -> Any:
    """P(T > t), to all digits where it is small."""
    normal = eta < _NORMAL
    return np.where(normal, ndtr(-t), stdtr(1 / np.where(normal, 1.0, eta), -t))


def log_upper(t: Any, eta: Any) -> Any:
    """log P(T > t), also where it underflows."""
    small, far = upper(np.abs(t), eta), (t > _FAR) & (eta > 0)
    with np.errstate(divide="ignore"):
        near = np.where(eta == 0, log_ndtr(-t), np.where(t < 0, np.log1p(-small), np.log(small)))
    return np.where(far, _log_far_upper(np.maximum(t, _FAR), eta), near) if np.any(far) else near


def _log_far_upper(t: Any, eta: Any) -> Any:
    """The alternating series; its k-th ratio is at most (1 + 2k)/t², and t ≥ 30."""
    with np.errstate(over="ignore", invalid="ignore"):
        term = total = np.ones(np.broadcast_shapes(np.shape(t), np.shape(eta)))
        for k in range(9):
            term = -term * (1 + 2 * k) / (t * t * (1 + 2 * (k + 1) * eta))
            total = total + term
        value = log_density(t, eta) + log1p_square(t * np.sqrt(eta)) - np.log(t) + np.log(total)
    return np.where(np.isinf(t), -np.inf, value)


def upper_quantile(p: Any, eta: Any) -> Any:
    """The t ≥ 0 with P(T > t) = p, for p ≤ ½."""
    normal = eta < _NORMAL
    a = 0.5 / np.where(normal, 1.0, eta)
    y = betainccinv(0.5, a, 2 * p)  # u²/(1 + u²)
    x = betaincinv(a, 0.5, 2 * p)  # 1/(1 + u²)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        u = np.where(y < 0.5, np.sqrt(y / (1 - y)), np.sqrt((1 - x) / x))
        # P(T > t) → Γ(a+½)/(2 √π Γ(a+1)) u^(−ν): exact in double precision when log u is above 20
        log_u = (gammaln(a + 0.5) - gammaln(a + 1) - np.log(2 * np.sqrt(np.pi) * p)) * eta
        u = np.where(log_u > 20, np.exp(log_u), u)
        return np.where(normal, -ndtri(p), u * np.sqrt(2 * a))


class StudentFit(NamedTuple):
    """The maximum, and whether to trust it."""

    dof: float
    loc: float
    scale: float
    converged: bool = True
    at_bound: bool = False


def checked_fit(cls: Any, search: Callable[..., Any], x: np.ndarray, weight: Any, dof: Any) -> Any:
    """The distribution `cls` that `search` finds for rows with weights; warns where there is no maximum to find."""
    w = positive_weights(weight, len(x))
    fixed = None if dof is None else float(parameter("dof", dof, low=0.0, strict=True, finite=False))
    found = search(x[w > 0], w[w > 0] / w.sum(), fixed)
    name = cls.__name__
    if not found.converged:
        warn(f"{name}.fit found no flat point; few rows or many equal values may have none.", NotConverged)
    if found.at_bound:
        bounds = "dof = 0.2 or scale near zero" if x.ndim == 1 else "dof = 0.2"
        warn(f"{name}.fit ended at the edge of its range, {bounds}.", AtBound)
    return cls(found.dof, found.loc, found.scale)


def fit(x: np.ndarray, w: np.ndarray, dof: float | None) -> StudentFit:
    """Maximum likelihood in (η, location, log scale), on data standardized by median and median distance."""
    from scipy.optimize import minimize

    centre = _median(x, w)
    unit = _median(np.abs(x - centre), w) or float(np.sqrt(w @ (x - centre) ** 2))
    if unit == 0:
        return StudentFit(np.inf if dof is None else dof, centre, 0.0)
    z = (x - centre) / unit
    shapes = (0.0, 5.0) if dof is None else (1 / dof, 1 / dof)
    limits = [shapes, (z.min(), z.max()), (np.log(1e-10), np.log(1e10))]
    start = [np.clip(0.25, *shapes), 0.0, 0.0]
    found = minimize(_loss, start, (z, w), "L-BFGS-B", jac=True, bounds=limits, options=_OPTIONS)
    eta, loc, log_scale = found.x
    inside = [low < value < high for value, (low, high) in zip(found.x, limits, strict=True)]
    return StudentFit(
        dof=(np.inf if eta == 0 else 1 / eta) if dof is None else dof,
        loc=centre + unit * loc,
        scale=unit * np.exp(log_scale),
        converged=bool(np.all(np.abs(found.jac)[inside] < 1e-5)),
        at_bound=bool(log_scale <= limits[2][0] or (dof is None and eta >= shapes[1])),
    )


_OPTIONS = {"maxiter": 1000, "maxfun": 5000, "ftol": 1e-15, "gtol": 1e-10}


def _median(x: np.ndarray, w: np.ndarray) -> float:
    order = np.argsort(x)
    return float(x[order][np.searchsorted(np.cumsum(w[order]), 0.5 * w.sum())])


def _loss(theta: np.ndarray, x: np.ndarray, w: np.ndarray) -> tuple[float, np.ndarray]:
    """−Σ w log p and its gradient in (η, location, log scale); the weights sum to one."""
    eta, loc, scale = theta[0], theta[1], np.exp(theta[2])
    z = (x - loc) / scale
    q = z * z
    v, kernel = eta * q, log_kernel(z, eta)
    pull = (1 + eta) * (w / (1 + v))
    value = -normalizer_gap(eta) + theta[2] + 0.5 * (1 + eta) * (w @ kernel)
    slope = (
        -normalizer_gap_slope(eta)
        + 0.5 * (w @ kernel)
        + 0.5 * (1 + eta) * (w @ kernel_slope(q, v, kernel, eta))
    )
    return float(value), np.array([slope, -(pull @ z) / scale, 1 - pull @ q])


def kernel_slope(q: np.ndarray, v: np.ndarray, kernel: np.ndarray, eta: float) -> np.ndarray:
    """d/dη of log(1 + ηq)/η, by its series where v = ηq is small."""
    small = np.where(v < 1e-3, v, 0.0)
    series = np.where(v < 1e-3, q, 0.0) ** 2 * (-1 / 2 + small * (2 / 3 + small * (-3 / 4 + small * 4 / 5)))
    return np.where(v < 1e-3, series, (q / (1 + v) - kernel) / (eta or 1.0))
