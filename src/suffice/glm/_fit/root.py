r"""The curvature at a place, factored: F with F Fᵀ = (−H)⁻¹, for a last step and for standard errors.

mild      the Cholesky factor of the gram
turned    columns that depend on each other, but for the prior: a gram of z T has the digits that one of z has lost,
          them, T the inverse of the factor of the gram. One more pass.
triangle  else: √v z reflected row by row, with the rows of the prior
"""

from __future__ import annotations

import numpy as np

from suffice._core.linalg import inverse_of_triangle, svd, try_cholesky
from suffice.glm._fit.pass_sums import PassSums
from suffice.glm._fit.problem import LinkProblem, LogPosterior

MILD = 1_000.0  # the largest inflation of a variance for which a gram has digits enough
PASSABLE = 1e8  # the same for a step that another look at the rows follows, and for coordinates
RANK = 1e-13  # singular values of unit columns below this are rounding

# F, directions that nothing determines, and log |−H| over the others
Root = tuple[np.ndarray, np.ndarray, float]


def root_of(problem: LinkProblem, posterior: LogPosterior, u: np.ndarray) -> Root:
    """F with F Fᵀ = (−H)⁺ at u, to the last digits."""
    mild = root_of_gram(posterior, MILD)
    if mild is None:
        mild = _turned(problem, posterior, u)
    return _of_triangle(problem, posterior, problem.sums(u, "factor")) if mild is None else mild


def root_of_gram(posterior: LogPosterior, most: float) -> Root | None:
    """The same from the gram; None where a variance is inflated by more than `most`."""
    H = -np.asarray(posterior.hessian)
    inverse = inverse_root(H, most)
    return None if inverse is None else (inverse, np.zeros((len(H), 0)), _log_det(inverse))


def inverse_root(H: np.ndarray, most: float) -> np.ndarray | None:
    """Upper triangular F with F Fᵀ = H⁻¹; None where a variance is inflated by more than `most`."""
    H, size = _in_lengths(H)
    factors, found = try_cholesky(H[None])
    inverse = inverse_of_triangle(factors[0])
    if not found[0] or np.square(inverse).sum(axis=0).max(initial=0.0) > most:
        return None
    return inverse.T / size[:, None]


def _log_det(inverse: np.ndarray) -> float:
    return -2 * float(np.log(np.diagonal(inverse)).sum())


def _turned(problem: LinkProblem, posterior: LogPosterior, u: np.ndarray) -> Root | None:
    """From a gram in coordinates in which no column depends on others; None where the gram does not tell these."""
    K, q = problem.shape
    blocks = -np.asarray(posterior.hessian).reshape(K, q, K, q)
    T = inverse_root(np.mean([blocks[k, :, k] for k in range(K)], axis=0), PASSABLE)
    if T is None:
        return None
    root = problem.root @ T
    held = np.kron(problem.prior.between, root.T @ root)
    inverse = inverse_root(np.asarray(problem.sums(u, turn=problem.free @ T).gram) + held, MILD)
    if inverse is None:
        return None
    F = (T @ inverse.reshape(K, q, -1)).reshape(K * q, -1)
    return F, np.zeros((K * q, 0)), _log_det(inverse) + K * _log_det(T)


def _of_triangle(problem: LinkProblem, posterior: LogPosterior, seen: PassSums) -> Root:
    R = problem.triangle(np.asarray(seen.factor))
    H, size = _in_lengths(-np.asarray(posterior.hessian))
    if np.abs(R.T @ R / size / size[:, None] - H).max(initial=0.0) > 1e-8:
        bent = root_of_gram(posterior, np.inf)  # rows that bend the other way are in the gram alone
        if bent is not None:
            return bent
    vt, s, size = _directions(R)
    kept = s > RANK * s.max(initial=0.0)
    root = (vt[kept] / s[kept, None]).T / size[:, None]
    return root, vt[~kept].T / size[:, None], 2 * float(np.log(s[kept]).sum() + np.log(size).sum())


def undetermined(problem: LinkProblem) -> np.ndarray:
    """Directions that nothing determines, seen where every row still curves: at the constant to begin with."""
    vt, s, size = _directions(problem.triangle(_factor_at_start(problem)))
    return vt[~(s > RANK * s.max(initial=0.0))].T / size[:, None]


def unknown(problem: LinkProblem) -> np.ndarray:
    """Directions that no row knows of, whatever the prior says about them."""
    K = problem.shape[0]
    vt, s, size = _directions(_factor_at_start(problem) @ np.kron(np.eye(K), problem.free))
    return vt[~(s > RANK * s.max(initial=0.0))].T / size[:, None]


def free_of_prior(problem: LinkProblem) -> np.ndarray:
    """Directions of a function that its prior does not hold, whatever the rows say about them."""
    q = problem.root.shape[1]
    vt, s, size = _directions(np.vstack([problem.root, np.zeros((q, q))]))
    return vt[~(s > RANK * s.max(initial=0.0))].T / size[:, None]


def _factor_at_start(problem: LinkProblem) -> np.ndarray:
    return np.asarray(problem.sums(problem.plan.first(), "factor").factor)


def _directions(R: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Those of R in units of the lengths of its columns, their singular values, and the lengths."""
    size = np.linalg.norm(R, axis=0)
    size = np.where(size > 0, size, 1.0)
    _, s, vt = svd(R / size)
    return vt, s, size


def _in_lengths(H: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """H in units of the roots of its diagonal, and these."""
    size = np.sqrt(np.maximum(np.diagonal(H), 0.0))
    size = np.where((size > 0) & np.isfinite(size), size, 1.0)
    return H / size / size[:, None], size
