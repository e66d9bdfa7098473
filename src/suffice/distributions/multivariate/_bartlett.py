r"""Pure functions of the Wishart family, by Bartlett's triangle.

For V = L Lᵀ and X = K Kᵀ the triangle W = L⁻¹ K holds all that the density needs: |V⁻¹X| = Π w_ii² and
tr V⁻¹X = Σ w_ij². Under the Wishart w_ii² is chi-square with ν − i degrees of freedom (i = 0, 1, …) and w_ij
normal, all independent. With a_i = (ν − i)/2 and H(a) = log Γ(a) − a log a + a,

(ν/2) log|V⁻¹X/2| − ½ tr V⁻¹X − log Γ_D(ν/2)
    = Σ_i [(i/2) log ½w_ii² − D(a_i, ½w_ii²) − H(a_i)] − ½ Σ_{i>j} w_ij² − ¼ D (D − 1) log π.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError
from suffice._core.linalg import check_symmetric, cholesky, try_cholesky
from suffice.distributions._checks import check_broadcast, compact, parameter, real, weights
from suffice.distributions._numerics.excess import log_gamma_excess
from suffice.distributions._numerics.gaussian import forward
from suffice.distributions._numerics.natural import NaturalMean
from suffice.distributions._numerics.special import deviance, digamma_gap

LOG_PI = float(np.log(np.pi))


# -- the door ---------------------------------------------------------------------------------------------
def definite(name: str, value: Any) -> tuple[np.ndarray, np.ndarray]:
    """A positive definite parameter (..., D, D) and its Cholesky factor, or an error that names it."""
    a = parameter(name, compact(value, event_ndim=2))
    if a.ndim < 2 or a.shape[-1] != a.shape[-2] or a.shape[-1] == 0:
        raise InvalidParameter(f"{name} must have shape (..., D, D), D >= 1; got {np.shape(value)}.")
    check_symmetric(a, name)
    return a, cholesky(a, name)


def event_factors(x: Any, dim: int, batch_shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Cholesky factors of matrices (..., D, D), and 0 for each that has one, −inf for others, NaN for NaN."""
    x = np.asarray(real(x))
    if x.ndim < 2 or x.shape[-2:] != (dim, dim):
        raise InvalidInput(f"x must have shape (..., {dim}, {dim}); got {x.shape}.")
    check_broadcast(x.shape[:-2], batch_shape)
    missing = np.isnan(x).any(axis=(-2, -1))
    good = np.isfinite(x).all(axis=(-2, -1)) & _symmetric(x)
    factors, found = try_cholesky(np.where(good[..., None, None], x, np.eye(dim)))
    return factors, np.where(missing, np.nan, np.where(good & found, 0.0, -np.inf))


def _symmetric(x: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        gap = np.abs(x - np.swapaxes(x, -1, -2)).max(axis=(-2, -1))
        return gap <= 1e-8 * np.abs(x).max(axis=(-2, -1))


def rows_of_matrices(x: Any, name: str = "x") -> np.ndarray:
    """Cholesky factors of positive definite matrices (N, D, D), for a fit."""
    x = np.asarray(real(x))
    if x.ndim != 3 or x.shape[1] != x.shape[2] or x.shape[1] == 0:
        raise InvalidInput(f"{name} must have shape (N, D, D); got {x.shape}.")
    factors, status = event_factors(x, x.shape[1], x.shape[:1])
    if np.any(status != 0):
        row = int(np.argmax(status != 0))
        raise InvalidInput(f"{name} must hold symmetric positive definite matrices; row {row} is not one.")
    return factors


def statistics_of(matrices: np.ndarray, factors: np.ndarray, weight: Any) -> NaturalMean:
    """Total weight and means of the entries of matrices (N, D, D) and of log|X|, from the factors of each X."""
    columns = np.column_stack([matrices.reshape(len(factors), factors.shape[1] ** 2), log_det(factors)])
    return NaturalMean.of(columns, weights(weight, len(factors)))


# -- densities ----------------------------------------------------------------------------------------------
def halves(dof: Any, dim: int) -> np.ndarray:
    """a_i = (ν − i)/2 for i = 0, …, D − 1, (..., D)."""
    return 0.5 * (np.asarray(dof)[..., None] - np.arange(dim))


def log_det(factor: np.ndarray) -> np.ndarray:
    """log|X| = 2 Σ log K_ii."""
    return 2 * np.log(np.diagonal(factor, axis1=-2, axis2=-1)).sum(axis=-1)


def log_kernel(triangle: np.ndarray, dof: Any) -> np.ndarray:
    """(ν/2) log|WWᵀ/2| − ½ tr WWᵀ − log Γ_D(ν/2), from the triangle W."""
    dim = triangle.shape[-1]
    half = 0.5 * np.diagonal(triangle, axis1=-2, axis2=-1) ** 2
    a = halves(dof, dim)
    diagonal = 0.5 * np.arange(dim) * np.log(half) - deviance(a, half) - log_gamma_excess(a)
    below = np.sum(np.tril(triangle, -1) ** 2, axis=(-2, -1))
    return diagonal.sum(axis=-1) - 0.5 * below - 0.25 * dim * (dim - 1) * LOG_PI


def mean_log_det(dof: Any, dim: int) -> np.ndarray:
    """E log|X| of the standard Wishart, Σ ψ(a_i) + D log 2."""
    a = halves(dof, dim)
    return np.sum(np.log(2 * a) - digamma_gap(a), axis=-1)


def entropy(dof: Any, dim: int) -> np.ndarray:
    """Entropy of the standard Wishart, rearranged so that nothing cancels for large ν."""
    a, i = halves(dof, dim), np.arange(dim)
    half = 0.5 * (np.asarray(dof)[..., None] - dim - 1)
    terms = log_gamma_excess(a) + np.log(a) * (dim + 1 - i) / 2 + half * digamma_gap(a)
    constant = 0.5 * dim * (dim + 1) * np.log(2) + 0.25 * dim * (dim - 1) * (1 + LOG_PI)
    return constant + terms.sum(axis=-1)


# -- draws --------------------------------------------------------------------------------------------------
def triangles(rng: np.random.Generator, shape: tuple[int, ...], dof: Any, dim: int) -> np.ndarray:
    """Bartlett's triangles W with W Wᵀ standard Wishart, (*shape, D, D)."""
    w = np.tril(rng.standard_normal((*shape, dim, dim)), -1)
    diagonal = np.sqrt(2 * rng.standard_gamma(halves(dof, dim), (*shape, dim)))
    w[..., np.arange(dim), np.arange(dim)] = diagonal
    return w


def inverse_factors(
    rng: np.random.Generator, shape: tuple[int, ...], dof: Any, factor: np.ndarray
) -> np.ndarray:
    """F = L W⁻ᵀ with F Fᵀ inverse Wishart of scale L Lᵀ, (*shape, D, D)."""
    w = triangles(rng, shape, dof, factor.shape[-1])
    i = np.arange(factor.shape[-1])
    w[..., i, i] = np.maximum(w[..., i, i], 1e-150)  # smaller ones have inverses beyond double range
    return np.swapaxes(forward(w, np.swapaxes(factor, -1, -2)), -1, -2)


def gram(factor: np.ndarray) -> np.ndarray:
    """F Fᵀ, symmetric to the last digit."""
    x = factor @ np.swapaxes(factor, -1, -2)
    return 0.5 * (x + np.swapaxes(x, -1, -2))


# -- fits ---------------------------------------------------------------------------------------------------
def inverses(factors: np.ndarray) -> np.ndarray:
    """X⁻¹ of each, from Cholesky factors."""
    return gram(np.swapaxes(forward(factors, np.eye(factors.shape[-1])), -1, -2))


def fit_dof(spread: float, dim: int) -> float:
    """ν with Σ [log(ν/2) − ψ(a_i)] = log|mean X| − mean log|X| = `spread`: unique where it is positive."""
    from scipy.optimize import brentq

    if not spread > 1e-13:
        raise NumericalError("A fit to rows that are all equal has no finite degrees of freedom.")

    def excess(t: float) -> float:
        a = 0.5 * (np.arange(dim)[::-1] + np.exp(t))  # a_i, with a_0 = ν/2 first
        return float(np.sum(digamma_gap(a) + np.log(a[0] / a)) - spread)

    return dim - 1 + float(np.exp(brentq(excess, -300.0, 60.0, xtol=1e-14, rtol=1e-14)))
