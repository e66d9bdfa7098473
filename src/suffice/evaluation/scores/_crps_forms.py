r"""Closed forms of the continuous ranked probability score, by the class of the distribution.

With z = (y − μ)/σ, F and f the standard distribution function and density:

Normal       (y − μ)(2Φ(z) − 1) + σ (2φ(z) − 1/√π)
StudentT     (y − μ)(2F(z) − 1) + σ (2 f(z)(ν + z²) − C)/(ν − 1),  C = 2 √ν B(½, ν − ½)/B(½, ν/2)²;  ∞ for ν ≤ ½
Uniform      distance to the interval + (high − low)(c² − c + ⅓),  c = z clipped to [0, 1]
Laplace      |y − μ| + σ (e^{−|z|} − ¾)
Gamma        y (2F_a(y) − 1) − (a/b)(2F_{a+1}(y) − 1) − 1/(b B(½, a))
Poisson      (y − λ)(2F(y) − 1) + 2λ f(⌊y⌋) − λ e^{−2λ}(I₀(2λ) + I₁(2λ))
Mixture of normals  Σ_i w_i A(y − μ_i, σ_i²) − ½ Σ_ij w_i w_j A(μ_i − μ_j, σ_i² + σ_j²),  A(m, s²) = E|N(m, s²)|

Discrete values are summed, anything else is integrated (`_crps_numeric`). The form of StudentT holds for ν < 1 too,
where E|X| is infinite and the score is not: both sides are analytic in ν > ½. Next to ν = 1 it is integrated.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from scipy.special import betaln, gammainc, ive, ndtr

from suffice._core.errors import Unsupported
from suffice.distributions import (
    Bernoulli,
    BetaBinomial,
    Binomial,
    Categorical,
    Discrete,
    Empirical,
    Gamma,
    LaplaceDistribution,
    MixtureDistribution,
    NegativeBinomial,
    Normal,
    Poisson,
    StudentT,
    Uniform,
)
from suffice.distributions._base import Univariate
from suffice.evaluation.scores._crps_numeric import crps_counts, crps_integral, crps_table

COUNTS = (Bernoulli, Binomial, BetaBinomial, NegativeBinomial, Poisson)
_ROOT_PI, _ROOT_2PI = np.sqrt(np.pi), np.sqrt(2 * np.pi)
_ALMOST_NORMAL, _NEAR_ONE = 1e10, 1e-3


@singledispatch
def crps_rows(d: Univariate, y: np.ndarray) -> np.ndarray:
    """The score of every target: from the distribution function alone, unless a form below knows better."""
    return crps_integral(d, y)


# -- locations and scales -------------------------------------------------------------------------------
def _z(y: np.ndarray, loc: Any, scale: Any) -> Any:
    """(y − loc)/scale; 0 at the point of a point mass and infinite beside it."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.nan_to_num((y - loc) / scale, nan=0.0, posinf=np.inf, neginf=-np.inf)


def _normal(gap: Any, scale: Any) -> Any:
    """The score of N(0, scale²) at `gap`."""
    return mean_distance(gap, scale) - scale / _ROOT_PI


def mean_distance(gap: Any, scale: Any) -> Any:
    """E|X| for X ~ N(gap, scale²)."""
    z = _z(gap, 0.0, scale)
    return gap * (2 * ndtr(z) - 1) + 2 * scale * np.exp(-0.5 * z * z) / _ROOT_2PI


@crps_rows.register
def _(d: Normal, y: np.ndarray) -> np.ndarray:
    return _normal(y - d.mean, d.std)


@crps_rows.register
def _(d: LaplaceDistribution, y: np.ndarray) -> np.ndarray:
    return np.abs(y - d.loc) + d.scale * (np.exp(-np.abs(_z(y, d.loc, d.scale))) - 0.75)


@crps_rows.register
def _(d: Uniform, y: np.ndarray) -> np.ndarray:
    c = np.clip(_z(y, d.low, d.high - d.low), 0.0, 1.0)
    outside = np.maximum(np.maximum(d.low - y, y - d.high), 0.0)
    return outside + (d.high - d.low) * (c * c - c + 1 / 3)


@crps_rows.register
def _(d: StudentT, y: np.ndarray) -> np.ndarray:
    d = d if d.batch_shape else d._broadcast(y.shape)
    out = np.where(d.dof <= 0.5, np.inf, _normal(y - d.loc, d.scale))
    form = (d.dof > 0.5) & (d.dof < _ALMOST_NORMAL) & (np.abs(d.dof - 1) >= _NEAR_ONE)
    out[form] = _student(d[form], y[form])
    near = np.abs(d.dof - 1) < _NEAR_ONE
    out[near] = crps_integral(d[near], y[near]) if near.any() else 0.0
    return out


def _student(d: StudentT, y: np.ndarray) -> np.ndarray:
    v, z = d.dof, _z(y, d.loc, d.scale)
    peak = _peak(v)
    with np.errstate(over="ignore"):
        slope = peak * v * np.exp(-(v - 1) / 2 * np.log1p(z * z / v))  # f(z)(ν + z²)
    constant = 2 * v * np.sqrt(v) * peak**2 / (np.sqrt(2 * v - 1) * _peak(2 * v - 1))
    return (y - d.loc) * (2 * d.cdf(y) - 1) + d.scale * (2 * slope - constant) / (v - 1)


def _peak(dof: Any) -> Any:
    """The standard density at zero, 1/(√ν B(½, ν/2))."""
    return StudentT(dof).prob(0.0)


# -- numbers above zero ---------------------------------------------------------------------------------
@crps_rows.register
def _(d: Gamma, y: np.ndarray) -> np.ndarray:
    a, x = d.shape, np.maximum(y, 0.0) * d.rate
    own, next_ = gammainc(a, x), gammainc(a + 1, x)
    return y * (2 * own - 1) - (a * (2 * next_ - 1) + np.exp(-betaln(0.5, a))) / d.rate


@crps_rows.register
def _(d: Poisson, y: np.ndarray) -> np.ndarray:
    rate, below = d.rate, d.cdf(y)
    return (y - rate) * (2 * below - 1) + rate * (
        2 * d.prob(np.floor(y)) - ive(0, 2 * rate) - ive(1, 2 * rate)
    )


# -- sums -----------------------------------------------------------------------------------------------
@crps_rows.register(Bernoulli)
@crps_rows.register(Binomial)
@crps_rows.register(BetaBinomial)
@crps_rows.register(NegativeBinomial)
def _(d: Any, y: np.ndarray) -> np.ndarray:
    return crps_counts(d, y)


@crps_rows.register
def _(d: Discrete, y: np.ndarray) -> np.ndarray:
    return crps_table(d.values, d.probabilities, y)


@crps_rows.register
def _(d: Empirical, y: np.ndarray) -> np.ndarray:
    return crps_table(d.values, d.weight / d.weight.sum(axis=-1, keepdims=True), y)


@crps_rows.register
def _(d: Categorical, y: np.ndarray) -> np.ndarray:
    if d.classes.dtype.kind not in "biuf":
        raise Unsupported(
            f"crps needs classes that are numbers; got {d.classes[0]!r}, …. Use brier for labels."
        )
    order = np.argsort(d.classes, kind="stable")
    return crps_table(d.classes[order].astype(float), d.probabilities[..., order], y)


@crps_rows.register
def _(d: MixtureDistribution, y: np.ndarray) -> np.ndarray:
    if all(isinstance(c, Normal) for c in d.components):
        return _normals(d, y)
    if all(isinstance(c, COUNTS) for c in d.components):
        return crps_counts(d, y)
    return crps_integral(d, y)


def _normals(d: MixtureDistribution, y: np.ndarray) -> np.ndarray:
    w = np.moveaxis(d.weights, -1, 0)
    mean, std = (np.stack([np.asarray(getattr(c, k)) for c in d.components]) for k in ("mean", "std"))
    out = np.zeros(y.shape)
    for weight, m, s in zip(w, mean, std, strict=True):  # K steps over (K, N)
        pairs = np.sum(w * mean_distance(m - mean, np.hypot(s, std)), axis=0)
        out += weight * (mean_distance(y - m, s) - 0.5 * pairs)
    return out
