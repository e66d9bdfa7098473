r"""Adaptive integration over panels: Fejér's second rule on 31 points, and on every other one of them.

Rule         x_k = cos θ_k,  θ_k = kπ/(n + 1),  w_k = 4 sin θ_k/(n + 1) Σ_j sin((2j − 1) θ_k)/(2j − 1)
Error        |31 points − 15 points| of each panel, summed; the panels with most of it are halved

All panels of a round are evaluated in one call. A panel is never evaluated at its ends, so jumps, corners and poles
may lie there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from suffice._core.linalg import EPS
from suffice._core.records import record

_CAUTION = 8.0  # where halving had to end at a pole, the sum of errors is short of the truth
ACCURACY = 1e-13  # of ∫ |g|, at which halving ends
MOST_PANELS = 4_000


def _fejer(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights on [−1, 1], for odd n."""
    theta, odd = np.arange(1, n + 1) * np.pi / (n + 1), np.arange(1, n + 1, 2)
    return np.cos(theta), 4 * np.sin(theta) / (n + 1) * (np.sin(np.outer(theta, odd)) / odd).sum(axis=1)


_NODES, _WEIGHTS = _fejer(31)
_COARSE = _fejer(15)[1]


@record
class Sum:
    """∫ g, ∫ |g|, an estimate of the error of the first, and the largest mean of |g| over a panel."""

    value: float
    size: float
    error: float
    peak: float


def integrate(g: Callable[[np.ndarray], np.ndarray], edges: np.ndarray) -> Sum:
    """∫ g between the first and the last edge; g takes a vector."""
    panels = _halved(g, _measured(g, edges[:-1], edges[1:]))
    while panels.shape[1] < MOST_PANELS and np.any(split := _worth_halving(panels)):
        panels = np.hstack([panels[:, ~split], _halved(g, panels[:, split])])
    low, high, value, size, error = panels
    error = _CAUTION * error[error > 16 * EPS * size].sum()
    return Sum(float(value.sum()), float(size.sum()), float(error), float(np.max(size / (high - low))))


def _halved(g: Callable[[np.ndarray], np.ndarray], panels: np.ndarray) -> np.ndarray:
    """Both halves of each panel. Two rules may agree by accident; a half is off by what the whole was off, at least."""
    low, high, value, _, _ = panels
    middle = (low + high) / 2
    halves = _measured(g, np.r_[low, middle], np.r_[middle, high])
    off = np.abs(value - halves[2].reshape(2, -1).sum(axis=0)) / 2
    halves[4] = np.maximum(halves[4], np.r_[off, off])
    return halves


def points(edges: np.ndarray) -> np.ndarray:
    """The points at which panels are evaluated first."""
    return np.asarray((edges[:-1, None] + np.diff(edges)[:, None] * (1 + _NODES) / 2).ravel())


def _measured(g: Callable[[np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Panels as columns: low, high, ∫ g, ∫ |g|, error."""
    half = (high - low) / 2
    at = (low + high)[:, None] / 2 + half[:, None] * _NODES
    values = g(at.ravel()).reshape(at.shape)
    fine, size = half * (values @ _WEIGHTS), half * (np.abs(values) @ _WEIGHTS)
    return np.vstack([low, high, fine, size, np.abs(fine - half * (values[:, 1::2] @ _COARSE))])


def _worth_halving(panels: np.ndarray) -> np.ndarray:
    """The panels with the largest errors, without which the sum of errors would be small enough."""
    low, high, _, size, error = panels
    able = (error > 16 * EPS * size) & (high - low > 8 * EPS * np.maximum(np.abs(low), np.abs(high)))
    order = np.argsort(error)
    large = np.empty(len(error), dtype=bool)
    large[order] = np.cumsum(error[order]) > ACCURACY * size.sum() / 2
    return np.asarray(large & able)
