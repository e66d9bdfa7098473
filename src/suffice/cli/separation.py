"""How far each column tells the classes apart.

Separation   η²_j = B_j / (B_j + W_j), with B_j = Σ_c n_c (m_cj − m_j)² and W_j the scatter of column j within
             the classes: the part of its variance that lies between them
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.statistics import ClassStatistics, ColumnMoments, Triangle


def separation(model: Any) -> dict[str, float]:
    """Columns by the share of their variance that lies between the classes; empty where no variances are counted."""
    statistics = getattr(model, "statistics_", None)
    if not isinstance(statistics, ClassStatistics):
        return {}
    found = [_moments(part) for part in statistics.parts if part is not None]
    parts = [part for part in found if part is not None]
    if not parts or len(parts) < len(found):
        return {}
    n, mean, scatter = (np.array(a) for a in zip(*parts, strict=True))  # (classes, columns)
    shares = between_shares(n, np.where(n > 0, mean, 0.0), np.where(n > 0, scatter, 0.0))
    names = statistics.header.feature_names
    return {names[j]: float(shares[j]) for j in np.argsort(-shares, kind="stable")}


def _moments(part: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Weight, mean and scatter of each column."""
    if isinstance(part, ColumnMoments):
        return part.n, part.mean, part.scatter
    if isinstance(part, Triangle):
        scatter = np.square(part.factor[1:, 1 : 1 + part.n_columns]).sum(axis=0)
        return np.full(part.n_columns, part.n), part.mean_x, scatter
    return None


def between_shares(n: np.ndarray, mean: np.ndarray, scatter: np.ndarray) -> np.ndarray:
    """η² of every column from the moments of its classes; zero for one that does not vary."""
    center = (n * mean).sum(axis=0) / np.maximum(n.sum(axis=0), np.finfo(float).tiny)
    between = (n * np.square(mean - center)).sum(axis=0)
    total = between + scatter.sum(axis=0)
    return np.divide(between, total, out=np.zeros_like(total), where=total > 0)
