"""The loops of `_loops.py` as array expressions: what they are tested against, and what stands in for them."""

from __future__ import annotations

import numpy as np

from suffice._core.linalg import qr_factor, solve_triangle
from suffice._core.numerics import LOG_2PI


def responsibilities(logs: np.ndarray, weight: np.ndarray, hard: bool) -> tuple[float, float]:
    """Responsibilities in place of log joint densities; Σ w log p, and the entropy of the responsibilities."""
    top = logs.max(axis=1)
    possible = top > -np.inf
    if hard:
        best = logs.argmax(axis=1)
        logs[:] = 0.0
        logs[np.arange(len(logs)), best] = np.where(possible, weight, 0.0)
        return float(_weighed(weight, top)), 0.0
    gap = logs - np.where(possible, top, 0.0)[:, None]
    parts = np.exp(gap)
    total = np.where(possible, parts.sum(axis=1), 1.0)
    logs[:] = parts * (weight / total)[:, None]
    surprise = np.log(total)[:, None] - np.where(parts > 0, gap, 0.0)
    return float(_weighed(weight, top + np.log(total))), float((logs * surprise).sum())


def _weighed(weight: np.ndarray, logs: np.ndarray) -> float:
    """Σ w log p, where rows of weight zero do not count."""
    return float(np.where(weight > 0, logs, 0.0) @ weight)


def whitened(
    rows: np.ndarray,
    whiteners: np.ndarray,
    shift: np.ndarray,
    constant: np.ndarray,
    Z: np.ndarray,
    logs: np.ndarray,
) -> None:
    """Z (K, N, D), rows times whiteners less their shift (K, D), and logs (N, K): constant − ½ ‖z‖²."""
    Z[:] = rows @ whiteners - shift[:, None, :]
    logs[:] = (constant[:, None] - 0.5 * np.square(Z).sum(axis=2)).T


def weighed(Z: np.ndarray, responsibilities: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
    """Σ r z to (K, D), which holds zeros, and Σ r z zᵀ (K, D, D); Z (K, N, D) is used up."""
    first[:] = np.squeeze(responsibilities.T[:, None, :] @ Z, axis=1)
    Z *= np.sqrt(responsibilities).T[:, :, None]
    second[:] = np.swapaxes(Z, 1, 2) @ Z


def column_logs(
    X: np.ndarray, means: np.ndarray, inverse: np.ndarray, constant: np.ndarray, logs: np.ndarray
) -> None:
    """Σ_d constant − ½ ((x − mean) · inverse)² over the known cells, (N, K) from parameters (K, D)."""
    known = ~np.isnan(X)
    for k in range(len(means)):
        z = np.where(known, (X - means[k]) * inverse[k], 0.0)
        logs[:, k] = known @ constant[k] - 0.5 * np.square(z).sum(axis=1)


def column_sums(
    X: np.ndarray,
    means: np.ndarray,
    inverse: np.ndarray,
    responsibilities: np.ndarray,
    n: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
) -> None:
    """Adds weight, Σ z and Σ z² of the known cells to (K, D) each."""
    known = ~np.isnan(X)
    for k in range(len(means)):
        z = np.where(known, (X - means[k]) * inverse[k], 0.0)
        n[k] += responsibilities[:, k] @ known
        first[k] += responsibilities[:, k] @ z
        second[k] += responsibilities[:, k] @ np.square(z)


def gap_logs(
    X: np.ndarray,
    starts: np.ndarray,
    orders: np.ndarray,
    known: np.ndarray,
    means: np.ndarray,
    bases: np.ndarray,
    roots: np.ndarray,
    Z: np.ndarray,
    logs: np.ndarray,
) -> None:
    """Runs of rows with the same known cells: roots of reordered covariances, whitened known cells, log densities."""
    for run in range(len(known)):
        rows, order, count = slice(starts[run], starts[run + 1]), orders[run], known[run]
        for c in range(len(bases)):
            roots[run, c] = qr_factor(np.asfortranarray(bases[c][order].T)).T
        for k in range(len(means)):
            root = roots[run, min(k, len(bases) - 1)][:count, :count]
            z = solve_triangle(root, (X[rows][:, order[:count]] - means[k, order[:count]]).T, lower=True).T
            Z[rows, k, :count] = z
            log_root = np.log(np.diagonal(root)).sum()
            logs[rows, k] = -0.5 * np.square(z).sum(axis=1) - 0.5 * count * LOG_2PI - log_root


def gap_sums(
    starts: np.ndarray,
    orders: np.ndarray,
    known: np.ndarray,
    roots: np.ndarray,
    Z: np.ndarray,
    responsibilities: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
) -> float:
    """Adds Σ r (x̂ − μ) to (K, D) and Σ r ((x̂ − μ)(x̂ − μ)ᵀ + V) to (K, D, D); the entropy of the missing cells."""
    entropy = 0.0
    for run in range(len(known)):
        rows, order, count = slice(starts[run], starts[run + 1]), orders[run], known[run]
        for k in range(Z.shape[1]):
            root = roots[run, min(k, roots.shape[1] - 1)]
            r, z = responsibilities[rows, k], Z[rows, k, :count]
            out, rest = root[:, :count], root[count:, count:]
            total = r.sum()
            scatter = out @ ((r[:, None] * z).T @ z) @ out.T
            scatter[count:, count:] += total * rest @ rest.T
            first[k, order] += out @ (r @ z)
            second[k][np.ix_(order, order)] += scatter
            entropy += total * (np.log(np.diagonal(rest)).sum() + 0.5 * (len(order) - count) * (1 + LOG_2PI))
    return float(entropy)
