r"""Logarithms of gamma and beta kernels and of their tails, without cancellation.

Stirling     log Γ(x) = (x − ½) log x − x + ½ log 2π + δ(x)
Deviance     D(x, m) = x log(x/m) + m − x ≥ 0
Gamma        log[xᵃ e⁻ˣ / Γ(a)]    = −D(a, x) + ½ log(a/2π) − δ(a)
Beta         log[xᵃ yᵇ / B(a, b)]  = −D(a, nx) − D(b, ny) + ½ log(ab/2πn) + δ(n) − δ(a) − δ(b),  n = a + b

Every term is small where the density is large, so counts of a million cost no digits. Tails that
underflow are the kernel times a continued fraction, which is short so far out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import betainc, betaincc, betaln, digamma, gammainc, gammaincc, gammaln

from suffice._core.numerics import LOG_2PI, near_deviance, polynomial

_LARGE = 10.0  # from here the asymptotic series have all their digits
_PLAIN = 100.0  # up to here the terms of the plain formulas are of the order of hundreds
_TINY = 1e-290  # below this a probability is computed in logs
_DEPTH = 60  # of the continued fractions, used only in tails below _TINY
_STIRLING = np.array(
    [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400]
)
_DIGAMMA = np.array([1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12, -3617 / 8160])


def stirling(x: Any) -> Any:
    """δ(x): what Stirling's formula misses of log Γ(x), x > 0."""
    return _by_region(_stirling_series, _stirling_direct, np.asarray(x) >= _LARGE, x)


def _stirling_series(x: Any) -> Any:
    return polynomial(_STIRLING, x**-2.0) / x


def _stirling_direct(x: Any) -> Any:
    return gammaln(x) - (x - 0.5) * np.log(x) + x - 0.5 * LOG_2PI


def digamma_gap(x: Any) -> Any:
    """log x − ψ(x), positive and falling, x > 0."""
    return _by_region(_digamma_series, lambda x: np.log(x) - digamma(x), np.asarray(x) >= _LARGE, x)


def _digamma_series(x: Any) -> Any:
    return 0.5 / x + polynomial(_DIGAMMA, x**-2.0) / x**2


def deviance(x: Any, m: Any) -> Any:
    """D(x, m) for x ≥ 0, m ≥ 0, by a series where x and m are close; infinite for m = 0 < x."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return _by_region(near_deviance, _far_deviance, np.abs(x - m) <= 0.1 * (x + m), x, m)


def _far_deviance(x: Any, m: Any) -> Any:
    ratio = x / m
    extreme = (ratio == 0) | np.isinf(ratio)
    log_ratio = np.where(extreme, np.log(x) - np.log(m), np.log(ratio)) if np.any(extreme) else np.log(ratio)
    return np.where(x == 0, m, x * log_ratio + (m - x))


def _by_region(f: Any, g: Any, first: Any, *arguments: Any) -> Any:
    """f where `first`, g elsewhere, each computed only where it is needed."""
    if np.all(first):
        return np.asarray(f(*map(np.asarray, arguments)))
    if not np.any(first):
        return np.asarray(g(*map(np.asarray, arguments)))
    out = np.empty(np.shape(first))
    for chosen, h in ((first, f), (~first, g)):
        out[chosen] = h(*(np.broadcast_to(v, out.shape)[chosen] for v in arguments))
    return out


def log_gamma_kernel(a: Any, x: Any) -> Any:
    """log[xᵃ e⁻ˣ / Γ(a)], a > 0."""
    if plain_will_do(a):
        return a * np.log(x) - x - gammaln(a)
    return 0.5 * np.log(a / (2 * np.pi)) - stirling(a) - deviance(a, x)


def log_beta_kernel(a: Any, b: Any, x: Any, y: Any) -> Any:
    """log[xᵃ yᵇ / B(a, b)], y = 1 − x, a > 0, b > 0."""
    if plain_will_do(a, b):
        return a * np.log(x) + b * np.log(y) - betaln(a, b)
    n = a + b
    constant = 0.5 * (np.log(a / n) + np.log(b / (2 * np.pi))) + stirling(n) - stirling(a) - stirling(b)
    return constant - deviance(a, n * x) - deviance(b, n * y)


def plain_will_do(*arguments: Any) -> bool:
    """Whether the plain formula loses less than three digits, and so may be used for its speed."""
    return all(np.max(a, initial=0.0) <= _PLAIN for a in arguments)


def log_choose(n: Any, k: Any) -> Any:
    """log of the binomial coefficient plus k log(k/n) + (n − k) log((n − k)/n): small, of order log n."""
    inside = (k > 0) & (k < n)
    n, k, m = np.maximum(n, 1.0), np.where(inside, k, 1.0), np.where(inside, n - k, 1.0)
    value = 0.5 * np.log(n / (2 * np.pi * k * m)) + stirling(n) - stirling(k) - stirling(m)
    return np.where(inside, value, 0.0)


# -- tails ---------------------------------------------------------------------------------------------
def gamma_lower(a: Any, x: Any) -> Any:
    """P(a, x): the regularized lower incomplete gamma function."""
    return _patched(gammainc(a, x), _unsteady(a, x) & (x < a), np.exp, _log_gamma_lower_far, a, x)


def gamma_upper(a: Any, x: Any) -> Any:
    """Q(a, x): the regularized upper incomplete gamma function."""
    return _patched(gammaincc(a, x), _unsteady(a, x) & (x > a), np.exp, _log_gamma_upper_far, a, x)


def log_gamma_lower(a: Any, x: Any) -> Any:
    """log P(a, x), also where it underflows."""
    p, q = gamma_lower(a, x), gamma_upper(a, x)
    far = ((p < _TINY) | _unsteady(a, x)) & (x > 0) & (x < a)
    return _patched(_log_of(p, q), far, np.asarray, _log_gamma_lower_far, a, x)


def log_gamma_upper(a: Any, x: Any) -> Any:
    """log Q(a, x), also where it underflows."""
    p, q = gamma_lower(a, x), gamma_upper(a, x)
    far = ((q < _TINY) | _unsteady(a, x)) & (x > np.maximum(a, 1)) & np.isfinite(x)
    return _patched(_log_of(q, p), far, np.asarray, _log_gamma_upper_far, a, x)


def log_beta_lower(a: Any, b: Any, x: Any) -> Any:
    """log I_x(a, b): the regularized incomplete beta function, also where it underflows."""
    p, y = betainc(a, b, x), 1 - x
    far = (p < _TINY) & (x > 0) & (x * (a + b) < a)
    return _patched(_log_of(p, betaincc(a, b, x)), far, np.asarray, _log_beta_far, a, b, x, y)


def log_beta_upper(a: Any, b: Any, x: Any) -> Any:
    """log(1 − I_x(a, b)), also where it underflows."""
    q, y = betaincc(a, b, x), 1 - x
    far = (q < _TINY) & (y > 0) & (y * (a + b) < b)
    return _patched(_log_of(q, betainc(a, b, x)), far, np.asarray, _log_beta_far, b, a, y, x)


def _unsteady(a: Any, x: Any) -> Any:
    """Where scipy stops its series early: shapes above a few hundred, more than 4.4 standard deviations out."""
    return (a > 200) & (np.abs(x - a) > 4.4 * np.sqrt(a)) & (x > 0) & np.isfinite(x)


def _patched(value: Any, far: Any, wrap: Any, log_tail: Any, *arguments: Any) -> Any:
    """`value`, but wrap(log_tail(…)) where `far`."""
    if not np.any(far):
        return value
    out, far = np.broadcast_arrays(value, far)
    out = out.copy()
    out[far] = wrap(log_tail(*(np.broadcast_to(v, out.shape)[far] for v in arguments)))
    return out[()]


def _log_of(p: Any, other: Any) -> Any:
    """log p, from its complement where p is near one."""
    with np.errstate(divide="ignore"):
        return np.where(p < 0.5, np.log(p), np.log1p(-np.minimum(other, 0.5)) + 0.0)  # never −0.0


def _log_gamma_upper_far(a: Any, x: Any) -> Any:
    """Legendre's fraction, x > a: 1/(x + 1 − a − 1(1 − a)/(x + 3 − a − 2(2 − a)/(x + 5 − a − …)))."""
    value = x - a + 2 * _DEPTH + 1
    for k in range(_DEPTH, 0, -1):
        value = x - a + 2 * k - 1 - k * (k - a) / value
    return log_gamma_kernel(a, x) - np.log(value)


def _log_gamma_lower_far(a: Any, x: Any) -> Any:
    """Gauss's fraction, x < a: 1/(a − a x/(a + 1 + x/(a + 2 − (a + 1) x/(a + 3 + 2x/(a + 4 − …)))))."""
    value = a + 2 * _DEPTH
    for k in range(_DEPTH, 0, -1):
        value = a + 2 * k - 1 + k * x / value
        value = a + 2 * k - 2 - (a + k - 1) * x / value
    return log_gamma_kernel(a, x) - np.log(value)


def _log_beta_far(a: Any, b: Any, x: Any, y: Any) -> Any:
    """The fraction DLMF 8.17.22, x < a/(a + b)."""
    value = np.ones(np.shape(a))
    for m in range(_DEPTH, 0, -1):
        value = 1 + m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) / value
        value = 1 - (a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1)) / value
    return log_beta_kernel(a, b, x, y) - np.log(a) - np.log(value)
