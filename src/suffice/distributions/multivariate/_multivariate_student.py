r"""The multivariate Student-t in η = 1/ν, accurate for every ν in (0, ∞]: constants and fit.

With a = ν/2 and D = 2h or D = 2h + 1 the gamma functions reduce to those of the univariate case and h factors:

c_D(η) = log Γ(a + D/2) − log Γ(a) − (D/2) log a = [c(η) if D is odd] + Σ_j log(1 + 2jη),
E[log(1 + ηΔ²)/η] = [1 − 2η c′(η) if D is odd] + Σ_j 2/(1 + 2jη),  j = 0, 1, … or ½, 3/2, … (h terms).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice._core.errors import NotPositiveDefinite, NumericalError
from suffice._core.linalg import cholesky, solve_triangle
from suffice.distributions._numerics.gaussian import squared_distance
from suffice.distributions._numerics.student import (
    kernel_slope,
    log_kernel,
    normalizer_gap,
    normalizer_gap_slope,
)

_LARGEST_ETA = 5.0


def _steps(eta: np.ndarray, dim: int) -> np.ndarray:
    """1 + 2jη for the h factors, (..., h)."""
    return 1 + np.multiply.outer(np.asarray(eta), 2.0 * np.arange(dim // 2) + dim % 2)


def log_constant(eta: np.ndarray, dim: int) -> Any:
    """c_D(η): zero for the normal."""
    odd = normalizer_gap(eta) if dim % 2 else 0.0
    return odd + np.log1p(_steps(eta, dim) - 1).sum(axis=-1)


def expected_kernel(eta: np.ndarray, dim: int) -> Any:
    """E[log(1 + ηΔ²)/η]: D for the normal."""
    odd = 1 - 2 * eta * normalizer_gap_slope(eta) if dim % 2 else 0.0
    return odd + (2 / _steps(eta, dim)).sum(axis=-1)


class MultivariateStudentFit(NamedTuple):
    """The maximum, and whether to trust it."""

    dof: float
    loc: np.ndarray
    scale: np.ndarray
    converged: bool
    at_bound: bool


def fit(x: np.ndarray, w: np.ndarray, dof: float | None) -> MultivariateStudentFit:
    """A few steps of EM, then quasi-Newton steps in (η, centre, log-Cholesky scale); the weights sum to one."""
    from scipy.optimize import minimize

    dim, shapes = x.shape[1], (0.0, _LARGEST_ETA) if dof is None else (1 / dof, 1 / dof)
    eta = float(np.clip(0.25, *shapes))
    loc, unit = _rough(x, w, eta)
    z = solve_triangle(unit, (x - loc).T, lower=True).T
    start = np.concatenate([[eta], np.zeros(dim + dim * (dim + 1) // 2)])
    limits = [shapes] + [(None, None)] * (len(start) - 1)
    found = minimize(_loss, start, (z, w), "L-BFGS-B", jac=True, bounds=limits, options=_OPTIONS)
    eta, shift, factor = _unpacked(found.x, dim)
    scale = unit @ factor
    inside = slice(0 if shapes[0] < eta < shapes[1] else 1, None)
    return MultivariateStudentFit(
        dof=(np.inf if eta == 0 else 1 / eta) if dof is None else dof,
        loc=loc + unit @ shift,
        scale=scale @ scale.T,
        converged=bool(np.all(np.abs(found.jac[inside]) < 1e-5)),
        at_bound=dof is None and eta >= _LARGEST_ETA,
    )


_OPTIONS = {"maxiter": 2000, "maxfun": 5000, "ftol": 1e-15, "gtol": 1e-10}


def _rough(x: np.ndarray, w: np.ndarray, eta: float) -> tuple[np.ndarray, np.ndarray]:
    """Centre and Cholesky factor of the scale after ten steps of EM: outliers pull no longer."""
    pull = w
    for _ in range(11):
        loc = pull @ x / pull.sum()
        gap = x - loc
        factor = _factor((pull[:, None] * gap).T @ gap / pull.sum())
        pull = w / (1 + eta * squared_distance(x, loc, factor))
    return loc, factor


def _factor(scale: np.ndarray) -> np.ndarray:
    try:
        return cholesky(scale, "the scatter of the data")
    except NotPositiveDefinite as error:
        raise NumericalError(f"{error} A multivariate t needs rows that span every direction.") from None


def _unpacked(theta: np.ndarray, dim: int) -> tuple[float, np.ndarray, np.ndarray]:
    """η, the centre, and the triangle whose diagonal is kept in logs."""
    factor = np.zeros((dim, dim))
    factor[np.tril_indices(dim)] = theta[1 + dim :]
    np.fill_diagonal(factor, np.exp(np.diagonal(factor)))
    return float(theta[0]), theta[1 : 1 + dim], factor


def _loss(theta: np.ndarray, x: np.ndarray, w: np.ndarray) -> tuple[float, np.ndarray]:
    """−Σ w log p less a constant, and its gradient; the weights sum to one."""
    dim = x.shape[1]
    eta, loc, factor = _unpacked(theta, dim)
    z = solve_triangle(factor, (x - loc).T, lower=True)  # (D, N)
    square = np.einsum("dn,dn->n", z, z)
    kernel = log_kernel(np.sqrt(square), eta)
    value = 0.5 * (1 + dim * eta) * (w @ kernel) - log_constant(np.asarray(eta), dim)
    pulled = (w * (1 + dim * eta) / (1 + eta * square)) * z
    by_loc = -solve_triangle(factor, pulled.sum(axis=1), lower=True, transpose=True)
    by_factor = -solve_triangle(factor, pulled @ z.T, lower=True, transpose=True)
    diagonal = 1 + np.diagonal(by_factor) * np.diagonal(factor)  # in log L_ii, with log|L|
    np.fill_diagonal(by_factor, diagonal)
    gradient = np.concatenate([[-_score(eta, square, w, dim)], by_loc, by_factor[np.tril_indices(dim)]])
    return float(value + theta[1 + dim :][_diagonal(dim)].sum()), gradient


def _diagonal(dim: int) -> np.ndarray:
    """Where the diagonal stands among the entries of a triangle."""
    rows, columns = np.tril_indices(dim)
    return rows == columns


def _score(eta: float, square: np.ndarray, w: np.ndarray, dim: int) -> float:
    """d/dη of c_D(η) − ½ (1 + Dη) Σ w log(1 + ηΔ²)/η."""
    kernel = log_kernel(np.sqrt(square), eta)
    slope = kernel_slope(square, eta * square, kernel, eta)
    steps = _steps(np.asarray(eta), dim)
    j = 2.0 * np.arange(dim // 2) + dim % 2
    odd = normalizer_gap_slope(np.asarray(eta)) if dim % 2 else 0.0
    return float(odd + np.sum(j / steps) - 0.5 * (w @ (dim * kernel + (1 + dim * eta) * slope)))
