"""Rows whose prediction a sum of absolute values leaves open: several weights minimize it.

All minimizers have the same fitted values, the same Σ|w|, and their weights among the columns E whose slope is at the
penalty, with its sign. So w + N z with A N = 0 on E and no sign changed are all of them, and what they predict for a
row is an interval, which a linear program finds. Where it is a point, a difference is a finding.

Sums of absolute residuals are linear programs themselves: those who reach the smallest sum are all of its minimizers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linprog

from . import answers
from .trial import DIGITS, TOLERANCE

EDGE = 1e-6  # of the penalty: a slope so near is at it
NULL = 1e-12  # of unit columns: a direction that they do not have
SUMS = ("Lasso", "LassoCV", "ElasticNet", "ElasticNetCV", "QNormRegression")
RESIDUALS = "LeastAbsoluteDeviations"
REACHED = 1e-9  # of the smallest sum of absolute residuals: a sum so near is one
WIDE = 1e-4  # the programs are solved to 1e-7: wider, and it is none of their rounding


@dataclass(frozen=True)
class Asked:
    """A model, the rows that it was fitted to, and rows that it was asked about."""

    model: Any
    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray | None
    new: np.ndarray


ASKED: list[Asked] = []  # of the case that runs


def trained(fitted: Any, X: Any, y: Any, weight: Any) -> Any:
    """The model, with its rows to hand where the question may arise."""
    if type(fitted).__name__ in (*SUMS, RESIDUALS):
        fitted.rows_of_the_attack = (X, y, weight)
    return fitted


def asked(fitted: Any, new: Any) -> None:
    """Remember that a model was asked about rows."""
    rows = getattr(fitted, "rows_of_the_attack", None)
    if rows is not None:
        ASKED.append(Asked(fitted, *rows, new))


def are_several() -> bool:
    """Whether a prediction that the case asked for is not determined by the training rows and the penalty."""
    return any(
        np.any(width_of_medians(a) > WIDE)
        if type(a.model).__name__ == RESIDUALS
        else np.any(width(a) > TOLERANCE)
        for a in ASKED
    )


def width(a: Asked) -> np.ndarray:
    """How far predictions of each new row by two minimizers may be apart, in the unit of predictions."""
    model, n = a.model, len(a.new)
    if getattr(model, "q", 1.0) != 1.0:
        return np.zeros(n)
    w = np.ones(len(a.X)) if a.weight is None else np.asarray(a.weight, dtype=float)
    kept = w > 0
    X, new = np.asarray(a.X, dtype=float)[kept], np.asarray(a.new, dtype=float)
    A, B, spread, far = design(model, X, new, w[kept])
    y, w = np.asarray(a.y, dtype=float)[kept], w[kept] / w.sum()
    size = np.sqrt(w @ A**2)
    size = np.where(size > 0, size, np.inf)
    A, B, v = np.sqrt(w)[:, None] * A / size, B / size, model.coef_ * np.where(np.isinf(size), 0.0, size)
    squares = squared(model) / size**2
    edge, sign = at_the_penalty(
        model, A, np.sqrt(w) * y, v, squares, (spread if model.standardize else 1.0) / size
    )
    A = np.vstack([A, np.diag(np.sqrt(squares))])
    A, B, v, sign = A[:, edge], B[:, edge], v[edge], sign[edge]
    if not np.any(v):
        return np.zeros(n)
    N = nothing_moves(A, max(NULL, 4 * DIGITS * far))
    unit = answers.unit_of_predictions(model.predict(a.new), a.y)
    return np.array([reach(b @ N, N, v, sign) for b in B]) / unit if N.shape[1] else np.zeros(n)


def design(
    model: Any, X: np.ndarray, new: np.ndarray, w: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Columns and new columns about the means where the constant is free, spread, and the worst mean per spread."""
    if model.basis is not None:
        X, new = model.basis_(X), model.basis_(new)
    mean = w @ X / w.sum()
    spread = np.sqrt(w @ (X - mean) ** 2 / w.sum())
    far = np.abs(mean)[spread > 0] / spread[spread > 0]
    mean = mean if model.fit_intercept else np.zeros(X.shape[1])
    return X - mean, new - mean, spread, float(far.max(initial=1.0))


def squared(model: Any) -> float:
    """The penalty on squares beside that on absolute values."""
    ratio = getattr(model, "l1_ratio_", getattr(model, "l1_ratio", 1.0))
    return float(getattr(model, "alpha_", model.alpha) * (1 - ratio)) if np.ndim(ratio) == 0 else 0.0


def at_the_penalty(
    model: Any, A: np.ndarray, y: np.ndarray, v: np.ndarray, squares: np.ndarray, penalty: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which columns have the largest slope, and its signs."""
    slope = A.T @ (y - A @ v) - squares * v
    rounding = 64 * np.finfo(float).eps * np.linalg.norm(y)
    pull = slope if getattr(model, "positive", False) else np.abs(slope)
    level = np.max(np.divide(pull, penalty, out=np.zeros(len(v)), where=penalty > 0), initial=0.0)
    return pull >= (1 - EDGE) * level * penalty - rounding, np.where(v != 0, np.sign(v), np.sign(slope))


def nothing_moves(A: np.ndarray, least: float) -> np.ndarray:
    """Directions (q, k) of unit columns that no training row sees."""
    _, s, vt = np.linalg.svd(A, full_matrices=True)
    s = np.concatenate([s, np.zeros(len(vt) - len(s))])
    return vt[s <= least * s.max(initial=0.0)].T


def reach(along: np.ndarray, N: np.ndarray, v: np.ndarray, sign: np.ndarray) -> float:
    """max − min of alongᵀz over the z for which v + N z keeps its signs."""
    top = np.abs(v).max()
    limits = {"A_ub": -sign[:, None] * N, "b_ub": np.maximum(sign * v / top, 0.0), "bounds": (None, None)}
    ends = [linprog(side * along, **limits) for side in (1.0, -1.0)]
    return top * sum(-e.fun for e in ends) if all(e.status == 0 for e in ends) else np.inf


# -- sums of absolute residuals ------------------------------------------------------------------------------
def width_of_medians(a: Asked) -> np.ndarray:
    """The same for least absolute deviations; zero for a model whose sum is not the smallest."""
    model, n = a.model, len(a.new)
    w = np.ones(len(a.X)) if a.weight is None else np.asarray(a.weight, dtype=float)
    kept = w > 0
    X, w, y = np.asarray(a.X, dtype=float)[kept], w[kept], np.asarray(a.y, dtype=float)[kept]
    if y.ndim > 1 or not np.ptp(y) + np.abs(y).max():
        return np.zeros(n)
    A, B = columns_of_medians(model, X, np.asarray(a.new, dtype=float), w)
    unit, w = np.ptp(y) or np.abs(y).max(), w / w.max()
    A_eq, of_residuals = np.hstack([A, np.eye(len(A)), -np.eye(len(A))]), np.concatenate([w, w])
    cost = np.concatenate([np.zeros(A.shape[1]), of_residuals])
    free = [(None, None)] * A.shape[1] + [(0, None)] * (2 * len(A))
    best = linprog(cost, A_eq=A_eq, b_eq=y / unit, bounds=free)
    mine = w @ np.abs(y - model.predict(a.X)[kept]) / unit
    if best.status != 0 or mine > best.fun + REACHED * max(best.fun, 1.0):
        return np.zeros(n)
    limits = {"A_ub": cost[None], "b_ub": [best.fun], "A_eq": A_eq, "b_eq": y / unit, "bounds": free}
    return np.array([between(np.concatenate([b, 0 * of_residuals]), limits) for b in B])


def columns_of_medians(
    model: Any, X: np.ndarray, new: np.ndarray, w: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Columns, and columns of new rows, in units of their size; with a constant where that is free."""
    if model.basis is not None:
        X, new = model.basis_(X), model.basis_(new)
    mean = w @ X / w.sum() if model.fit_intercept or model.standardize else np.zeros(X.shape[1])
    A, B = X - mean, new - mean
    size = np.abs(A).max(axis=0)
    there = size > 16 * np.finfo(float).eps * np.abs(X).max(axis=0)
    A, B = A[:, there] / size[there], B[:, there] / size[there]
    if not model.fit_intercept:
        return A, B
    return np.column_stack([np.ones(len(A)), A]), np.column_stack([np.ones(len(B)), B])


def between(along: np.ndarray, limits: dict[str, Any]) -> float:
    """max − min of a linear function of the minimizers."""
    ends = [linprog(side * along, **limits) for side in (1.0, -1.0)]
    if any(e.status == 3 for e in ends):  # unbounded
        return np.inf
    return -sum(e.fun for e in ends) if all(e.status == 0 for e in ends) else 0.0
