r"""Directions that tell classes apart, and the densities along them, from the triangles of the classes.

With rows B = √N_k (m_k − m), S_B = BᵀB, and V such that Vᵀ S_W V = n I, the right singular vectors Q of B V diagonalize
Vᵀ S_B V, and the columns of V Q are the eigenvectors of S_W⁻¹ S_B (Herbst §4.1.6.1). Neither product is formed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.linalg import qr_factor, svd
from suffice.generative._normal.covariance import (
    RIDGE,
    centred_factor,
    least_within,
    toward_diagonal,
    without_flat,
)
from suffice.generative._normal.root import Root
from suffice.generative._normal.whitener import ClassWhitener, LiftedWhitener, dependent_columns


def between_rows(parts: list[Any], center: np.ndarray) -> np.ndarray:
    """√N_k (m_k − m), a row per class: its products are S_B."""
    return np.array([np.sqrt(p.n) * (p.mean_x - center) for p in parts])


def discriminant_directions(
    B: np.ndarray, white: ClassWhitener | LiftedWhitener, n: float
) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvectors of S_W⁻¹S_B in columns of unit length, and eigenvalues, both leading first."""
    _, s, vt = svd(white.whiten(B))
    vectors = white.slopes(vt).T
    return vectors / np.linalg.norm(vectors, axis=0), np.square(s) / n


def upward(directions: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """The same directions, each from the mean of the first class to that of the last."""
    return directions * np.where((last - first) @ directions < 0, -1.0, 1.0)


def trace_criterion(W: np.ndarray, within: np.ndarray, between: np.ndarray) -> float:
    """J(W), from factors of both scatters: ‖(between W) (within W)⁻¹‖² over the directions that vary within."""
    _, s, vt = svd(within @ W)
    kept = s > 1e-12 * s.max(initial=0.0)
    return float(np.square(between @ W @ vt[kept].T / s[kept]).sum())


def projected_variance(parts: list[Any], center: np.ndarray, W: np.ndarray) -> np.ndarray:
    """The variance of all rows along each direction, divisor n."""
    rows = np.vstack([*(centred_factor(p) for p in parts), between_rows(parts, center)])
    return np.square(rows @ W).sum(axis=0) / sum(p.n for p in parts)


def completed(Y: np.ndarray, W: np.ndarray, root: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Deviations x with Wᵀx = y, else as normal rows of covariance rootᵀroot are given y; `free` are such rows.

    With C = rootᵀroot, x = free + G (y − Wᵀ free) for G = C W (Wᵀ C W)⁻¹; where nothing varies along W, G = W (WᵀW)⁻¹.
    """
    u, s, vt = svd(root @ W)
    known = s.min() > 1e-10 * s.max()
    gain = (vt.T / s) @ u.T @ root if known else _left_inverse(W)  # Gᵀ
    return free + (Y - free @ W) @ gain


def _left_inverse(W: np.ndarray) -> np.ndarray:
    u, s, vt = svd(W)
    return (vt.T / s) @ u.T


def projected_whitener(root: np.ndarray, total: np.ndarray, n: float) -> ClassWhitener:
    """The whitener of the density along the directions of n rows, with a floor under variances that vanish."""
    square = Root.of(qr_factor(np.asfortranarray(root)))
    full, _ = without_flat(square, total, least_within(total, n))
    return ClassWhitener.of_root(
        (toward_diagonal(full, RIDGE) if len(dependent_columns(full)) else full).rows
    )
