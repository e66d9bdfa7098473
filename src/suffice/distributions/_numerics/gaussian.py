"""Pure functions of a mean and a factor L with L Lᵀ = Σ: whitening, conditioning, regularity."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError
from suffice._core.linalg import (
    EPS,
    check_symmetric,
    eigh,
    qr_factor,
    semidefinite_factor,
    solve_triangle,
)
from suffice.distributions._checks import check_broadcast, compact, frozen, parameter, real

_BLOCK = 1024  # rows whitened at a time: they stay in cache


def coordinates(idx: Any, dim: int) -> np.ndarray:
    """The coordinates that an integer, list, slice or mask picks, as indices from 0 to D − 1."""
    try:
        return np.asarray(np.arange(dim)[idx])
    except IndexError:
        raise InvalidInput(f"idx must pick among {dim} coordinates; got {idx!r}.") from None


def observed(
    idx: Any, values: Any, dim: int, batch_shape: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Indices seen, their values (..., O) and the indices left free; NaN means not seen."""
    index, values = coordinates(idx, dim), np.asarray(real(values))
    if index.ndim == 0:
        index, values = index[None], values[..., None]
    if values.shape[-1:] != index.shape or len(set(index.tolist())) < len(index):
        raise InvalidInput(f"values must have one entry per distinct index; got {values.shape} for {idx!r}.")
    check_broadcast(values.shape[:-1], batch_shape)
    missing = np.isnan(values).reshape(-1, len(index))
    if np.any(missing != missing[:1]):
        raise InvalidInput("values must miss the same coordinates in every row; condition row by row.")
    seen = ~missing[0] if len(missing) else np.ones(len(index), dtype=bool)
    free = np.setdiff1d(np.arange(dim), index[seen])
    if len(free) == 0:
        raise InvalidInput("condition must leave at least one coordinate free.")
    return index[seen], values[..., seen], free


def centre_and_factor(
    name: str, centre: Any, name_of_matrix: str, matrix: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A centre (..., D), a covariance-like matrix (..., D, D) and its factor L: (D, D) if all share one."""
    m, a = parameter(name, centre), parameter(name_of_matrix, compact(matrix, event_ndim=2))
    dim = m.shape[-1] if m.ndim else 0
    if dim == 0 or a.shape[-2:] != (dim, dim):
        wanted = f"{name} must have shape (..., D) and {name_of_matrix} (..., D, D), D >= 1"
        raise InvalidParameter(f"{wanted}; got {m.shape} and {np.shape(matrix)}.")
    check_symmetric(a, name_of_matrix)
    factor = frozen(semidefinite_factor(a, name_of_matrix))
    return m, a, factor.reshape(dim, dim) if factor.size == dim * dim else factor


def linear_map(A: Any, b: Any, dim: int) -> tuple[np.ndarray, np.ndarray]:
    """A (K, D) or (D,) and b of a map A x + b."""
    A, b = np.asarray(parameter("A", A)), np.asarray(parameter("b", b))
    if A.ndim not in (1, 2) or A.shape[-1] != dim:
        raise InvalidParameter(f"A must have shape (K, {dim}) or ({dim},); got {A.shape}.")
    return A, b


def is_regular(factor: np.ndarray) -> bool:
    """Whether L is a Cholesky factor none of whose pivots is rounding noise."""
    triangular, var = not np.any(np.triu(factor, 1)), np.sum(factor**2, axis=-1)
    return triangular and bool(np.all(_sound(np.diagonal(factor, axis1=-2, axis2=-1), var)))


def log_volume(factor: np.ndarray) -> np.ndarray:
    """½ log|Σ|, −inf for a singular Σ."""
    return half_log_det(factor) if is_regular(factor) else np.asarray(-np.inf)


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
    with np.errstate(over="ignore", invalid="ignore"):
        out = np.asarray(_squared_distance(x, mean, factor))
    lost = np.isnan(out)
    if lost.any():  # infinite coordinates are infinitely far away; NaN stays NaN
        far = np.isinf(x).any(axis=-1) & ~np.isnan(x).any(axis=-1)
        out = np.where(lost & far, np.inf, out)
    return out


def _squared_distance(x: np.ndarray, mean: np.ndarray, factor: np.ndarray) -> np.ndarray:
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


def forward(lower: np.ndarray, b: np.ndarray) -> np.ndarray:
    """L⁻¹ b by forward substitution, for stacks of lower triangles (..., D, D) and of b (..., D, K)."""
    batch = np.broadcast_shapes(lower.shape[:-2], b.shape[:-2])
    z = np.empty((*batch, *b.shape[-2:]))
    for i in range(b.shape[-2]):
        known = lower[..., i : i + 1, :i] @ z[..., :i, :]
        z[..., i, :] = (b[..., i, :] - known[..., 0, :]) / lower[..., i, i, None]
    return z
