r"""Measures that are not proportions, as functions of the shares p of a table (rows true, columns predicted).

With row sums r, column sums c and P_o = Σ_k p_kk, P_e = Σ_k r_k c_k

F_β of class k   (1 + β²) p_kk / (β² r_k + c_k)
kappa            (P_o − P_e) / (1 − P_e)
Matthews         (P_o − P_e) / √((1 − Σ r_k²)(1 − Σ c_k²))   (of two classes: correlation)

Each function returns the value and ∂/∂p, up to a constant that the variance of a multinomial does not see.
"""

from __future__ import annotations

import numpy as np

Value = tuple[float, np.ndarray]


def kappa(p: np.ndarray) -> Value:
    """Agreement beyond chance."""
    r, c = p.sum(axis=1), p.sum(axis=0)
    observed, expected = np.trace(p), r @ c
    slope = np.eye(len(p)) * (1 - expected) - (1 - observed) * (c[:, None] + r)
    return (observed - expected) / (1 - expected), slope / (1 - expected) ** 2


def matthews(p: np.ndarray) -> Value:
    """Correlation of the table."""
    r, c = p.sum(axis=1), p.sum(axis=0)
    true, predicted = 1 - r @ r, 1 - c @ c
    size = np.sqrt(true * predicted)
    value = (np.trace(p) - r @ c) / size
    slope = (np.eye(len(p)) - c[:, None] - r) / size + value * (r[:, None] / true + c / predicted)
    return value, slope


def f_beta(p: np.ndarray, k: int, beta: float) -> Value:
    """Weighted harmonic mean of precision and recall of class k."""
    b = beta**2
    bottom = b * p[k].sum() + p[:, k].sum()
    value = (1 + b) * p[k, k] / bottom
    slope = np.zeros_like(p)
    slope[k] -= b * value
    slope[:, k] -= value
    slope[k, k] += 1 + b
    return value, slope / bottom


def macro_f_beta(p: np.ndarray, classes: list[int], beta: float) -> Value:
    """The plain mean over these classes."""
    parts = [f_beta(p, k, beta) for k in classes]
    return float(np.mean([v for v, _ in parts])), np.mean([g for _, g in parts], axis=0)
