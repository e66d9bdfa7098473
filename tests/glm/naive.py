"""Generalized linear models written out row by row, and derivatives by differences: what fits are judged by."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import erfc


def log_sigmoid(a: float) -> float:
    return -math.log1p(math.exp(-a)) if a > 0 else a - math.log1p(math.exp(a))


def log_bernoulli(y: int, a: np.ndarray) -> float:
    return log_sigmoid(a[0] if y else -a[0])


def log_probit(y: int, a: np.ndarray) -> float:
    return math.log(0.5 * erfc(-(a[0] if y else -a[0]) / math.sqrt(2)))


def log_poisson(y: float, a: np.ndarray) -> float:
    return y * a[0] - math.exp(a[0]) - math.lgamma(y + 1)


def log_softmax(y: int, a: np.ndarray) -> float:
    return a[y] - a.max() - math.log(sum(math.exp(v - a.max()) for v in a))


def log_likelihood(log_prob, theta, columns, y, weight=None, offset=None) -> float:
    """Σ w log p(y | b + φᵀ w), theta (K, 1 + d)."""
    a = theta[:, 0] + columns @ theta[:, 1:].T
    a = a if offset is None else a + np.asarray(offset)[:, None]
    w = np.ones(len(y)) if weight is None else weight
    return math.fsum(w[n] * log_prob(y[n], a[n]) for n in range(len(y)) if w[n] > 0)


def penalty(theta, columns, precision, weight=None, *, intercept=False, standardize=False) -> float:
    """(α/2) Σ ‖w‖², of columns in units of their spread, with the value at their mean if that is held too."""
    w = np.ones(len(columns)) if weight is None else weight
    mean = w @ columns / w.sum() if standardize else np.zeros(columns.shape[1])
    spread = np.sqrt(w @ (columns - mean) ** 2 / w.sum()) if standardize else np.ones(columns.shape[1])
    total = float(np.sum((theta[:, 1:] * spread) ** 2))
    total += float(np.sum((theta[:, 0] + theta[:, 1:] @ mean) ** 2)) if intercept else 0.0
    return precision / 2 * total


def slopes(f, theta, unit, step=1e-4) -> np.ndarray:
    """Central differences along every coordinate, in its unit: zero at a maximum."""
    out = np.zeros(theta.size)
    for j in range(theta.size):
        move = np.zeros(theta.size)
        move[j] = step * unit.ravel()[j]
        move = move.reshape(theta.shape)
        out[j] = (f(theta + move) - f(theta - move)) / (2 * step)
    return out


def hessian(f, theta, unit, step=1e-3) -> np.ndarray:
    """Second differences, in units of the coordinates."""
    n = theta.size
    moves = [step * (unit.ravel() * np.eye(n)[j]).reshape(theta.shape) for j in range(n)]
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            u, v = moves[i], moves[j]
            d = f(theta + u + v) - f(theta + u - v) - f(theta - u + v) + f(theta - u - v)
            out[i, j] = out[j, i] = d / (4 * step**2)
    return out
