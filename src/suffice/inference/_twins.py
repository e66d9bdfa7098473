"""The loops of k-means in NumPy: the same sums in the same order, but every row looks at every center."""

from __future__ import annotations

import numpy as np

CHUNK = 2**16  # distances that are computed at a time


def squares(X: np.ndarray, holes: bool, centers: np.ndarray, out: np.ndarray) -> None:
    """‖x − c‖² over the known cells, a row of `out` for every center."""
    out[:] = 0.0
    for j in range(X.shape[1]):
        gap = X[:, j] - centers[:, j, None]  # (K, N)
        gap *= gap
        out += np.where(np.isnan(gap), 0.0, gap) if holes else gap


def nearest(
    X: np.ndarray,
    weight: np.ndarray,
    holes: bool,
    centers: np.ndarray,
    moved: float,
    labels: np.ndarray,
    squared: np.ndarray,
    lower: np.ndarray,
) -> int:
    """Give every row its nearest center; how many rows of positive weight got another one."""
    changed, step = 0, max(1, CHUNK // len(centers))
    for a in range(0, len(X), step):
        some = slice(a, a + step)
        found = np.empty((len(centers), len(X[some])))
        squares(X[some], holes, centers, found)
        label = np.argmin(found, axis=0)
        changed += int(np.count_nonzero((label != labels[some]) & (weight[some] > 0)))
        labels[some], squared[some] = label, np.min(found, axis=0)
    return changed


def totals(
    X: np.ndarray,
    weight: np.ndarray,
    holes: bool,
    centers: np.ndarray,
    labels: np.ndarray,
    sums: np.ndarray,
    known: np.ndarray,
) -> None:
    """Σ w (x − c) of every cluster and column, and the weight of the cells that were known."""
    for j, column in enumerate(X.T):
        seen = ~np.isnan(column) if holes else slice(None)
        k, w = labels[seen], weight[seen]
        sums[:, j] = np.bincount(k, w * (column[seen] - centers[k, j]), len(sums))
        known[:, j] = np.bincount(k, w, len(sums))
