"""Rows of one group are alike, so groups are what counts: intervals of shares, areas and weights that know it.

A figure that is a mean, or near one, moves by the sum of its rows' influences ψ; with groups g as the units

    variance = G / (G − 1) Σ_g (Σ_{i in g} ψ_i)²

on G − 1 degrees of freedom. Copies of a row under the id of its group then add nothing.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit, ndtri, stdtrit

from suffice._core.linalg import qr_factor, rows_over_triangle, solve_triangle
from suffice._core.proportions import jeffreys
from suffice.study.sections import Interval

FEWEST = 20  # groups; with fewer, weights of a model seem surer than they are
DEPENDENT = 1e-10  # a column that is so near to the span of those before it has no weight of its own


def clustered(influence: np.ndarray, groups: np.ndarray) -> tuple[np.ndarray, int]:
    """Standard errors of figures from the influence of every row (a row each), and their degrees of freedom."""
    _, place = np.unique(groups, return_inverse=True)
    n = int(place.max()) + 1
    sums = np.zeros((n, *influence.shape[1:]))
    np.add.at(sums, place, influence)
    return np.sqrt(n / max(n - 1, 1) * np.sum(sums**2, axis=0)), n - 1


def share_interval(
    hit: np.ndarray, weight: np.ndarray, groups: np.ndarray, confidence: float
) -> Interval | None:
    """Of a share of rows: Jeffreys' interval for as many independent rows as the groups are worth.

    Where every row is a hit, or none is, that is one row per group. None for a single group.
    """
    total = float(weight.sum())
    p = float(weight @ hit) / total
    error, dof = clustered(weight * (hit - p) / total, groups)
    if dof < 1:
        return None
    worth = p * (1 - p) / float(error) ** 2 if error > 0 and 0 < p < 1 else dof + 1.0
    tail = 0.5 + confidence / 2
    worth = min(worth, len(hit)) * float(ndtri(tail) / stdtrit(dof, tail)) ** 2
    low, high = jeffreys(p * worth, worth, confidence)
    return float(low), float(high)


def area_interval(
    truth: np.ndarray, p: np.ndarray, weight: np.ndarray, groups: np.ndarray, confidence: float
) -> Interval | None:
    """Of the area under the ROC curve, on the scale of its log odds; None where nothing varies."""
    above = np.empty(len(p))  # the share of the other class that each row is on the right side of
    above[truth] = _share_below(p[truth], p[~truth], weight[~truth])
    above[~truth] = 1 - _share_below(p[~truth], p[truth], weight[truth])
    total = np.where(truth, weight[truth].sum(), weight[~truth].sum())
    area = float(np.average(above[truth], weights=weight[truth]))
    error, dof = clustered(weight * (above - area) / total, groups)
    if dof < 1 or not 0 < area < 1 or not error > 0:
        return None
    reach = float(stdtrit(dof, 0.5 + confidence / 2)) * float(error) / (area * (1 - area))
    return float(expit(logit(area) - reach)), float(expit(logit(area) + reach))


def _share_below(x: np.ndarray, others: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The weight of the others below each x, ties by half, as a share of all."""
    order = np.argsort(others, kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(weight[order])])
    left, right = (sums[np.searchsorted(others[order], x, side=side)] for side in ("left", "right"))
    return (left + right) / (2 * sums[-1])


def least_squares_errors(
    Z: np.ndarray, residual: np.ndarray, weight: np.ndarray, groups: np.ndarray
) -> tuple[np.ndarray, int] | None:
    """Standard errors of (intercept, weights) of least squares, and their degrees of freedom; None for few groups.

    The influence of a row is (AᵀWA)⁻¹ aᵢ wᵢ rᵢ, with RᵀR = AᵀWA from the QR decomposition of √W A.
    """
    if len(np.unique(groups)) < max(FEWEST, 2 * (1 + Z.shape[1])):
        return None
    A = np.column_stack([np.ones(len(Z)), Z])
    R = qr_factor(np.sqrt(weight)[:, None] * A)
    if np.any(np.diag(R) <= DEPENDENT * np.linalg.norm(R, axis=0)):
        return None
    score = (weight * residual)[:, None] * A
    return clustered(solve_triangle(R, rows_over_triangle(score, R).T).T, groups)
