"""Pure functions of a mean and a factor L with L Lᵀ = Σ: whitening, conditioning, regularity."""

from __future__ import annotations

import numpy as np

from suffice._core.errors import NumericalError
from suffice._core.linalg import EPS, eigh, qr_factor, solve_triangle

_BLOCK = 1024  # rows whitened at a time: they stay in cache


def is_regular(factor: np.ndarray, var: np.ndarray) -> bool:
    """Whether L is a Cholesky factor none of whose pivots is rounding noise."""
    triangular = not np.any(np.triu(factor, 1))
    return triangular and bool(np.all(_sound(np.diagonal(factor, axis1=-2, axis2=-1), var)))


def _sound(pivot: np.ndarray, var: np.ndarray) -> np.ndarray:
    return pivot**2 > 4 * pivot.shape[-1] * EPS * var


def singular(cov: np.ndarray, name: str) -> NumericalError:
    """The error for a density that does not exist."""
    smallest = float(np.min(eigh(cov)[0]))
    return NumericalError(
        f"{name} is singular (its smallest eigenvalue is {smallest:.3g}): it has no density."
    )


def half_log_det(factor: np.ndarray) -> np.ndarray:
    """½ log|Σ| = Σ log Lᵢᵢ."""
    return np.log(np.diagonal(factor, axis1=-2, axis2=-1)).sum(-1)


def squared_distance(x: np.ndarray, mean: np.ndarray, factor: np.ndarray) -> np.ndarray:
    """‖L⁻¹(x − μ)‖² for x (..., D), μ (..., D) and Cholesky factors (..., D, D), broadcast."""
    dim = mean.shape[-1]
    if factor.ndim > 2:
        whitener = np.linalg.solve(factor, np.eye(dim))
        z = (whitener @ (x - mean)[..., None])[..., 0]
        return np.einsum("...i,...i->...", z, z)
    rows, centre = (x, mean.reshape(dim)) if mean.size == dim else (x - mean, np.zeros(dim))
    shape = np.broadcast_shapes(x.shape, mean.shape)[:-1]
    return _shared(rows.reshape(-1, dim), centre, factor).reshape(shape)


def _shared(rows: np.ndarray, centre: np.ndarray, factor: np.ndarray) -> np.ndarray:
    """The same with one mean and one factor: by a solve for few rows, by L⁻ᵀ in blocks for many."""
    n, dim = rows.shape
    if n < dim:
        z = solve_triangle(factor, (rows - centre).T, lower=True)  # (D, N)
        return np.einsum("ij,ij->j", z, z)
    whitener = solve_triangle(factor, np.eye(dim), lower=True).T
    out = np.empty(n)
    for i in range(0, n, _BLOCK):
        z = (rows[i : i + _BLOCK] - centre) @ whitener
        np.einsum("ij,ij->i", z, z, out=out[i : i + _BLOCK])
    return out


def conditional(factor: np.ndarray, observed: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gain K = Σ_fo Σ_oo⁻¹ (..., F, O) and the covariance of the free coordinates given the observed."""
    stack = [_conditional(one, observed, free) for one in factor.reshape(-1, *factor.shape[-2:])]
    batch, f, o = factor.shape[:-2], len(free), len(observed)
    gain, cov = (np.stack(parts) for parts in zip(*stack, strict=True))
    return gain.reshape(*batch, f, o), cov.reshape(*batch, f, f)


def _conditional(factor: np.ndarray, observed: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One factor. The QR of its rows, observed first, holds both: K = R₁₂ᵀ R₁₁⁻ᵀ and R₂₂ᵀ R₂₂."""
    k, rows = len(observed), factor[[*observed, *free]]
    r = qr_factor(rows.T)
    if not np.all(_sound(np.diagonal(r)[:k], np.sum(rows[:k] ** 2, axis=1))):
        raise singular(rows[:k] @ rows[:k].T, "the covariance of the observed coordinates")
    return solve_triangle(r[:k, :k], r[:k, k:]).T, r[k:, k:].T @ r[k:, k:]
