r"""Least squares under w ≥ 0, with and without a penalty on the squares: which weights are zero, then plain algebra.

minimize  ‖y − b − Φ w‖² + α ‖w‖²,  w ≥ 0
"""

from __future__ import annotations

import numpy as np

from suffice._estimator import warn_dependent
from suffice.inference.active_set import least_squares
from suffice.linear._solvers.unit import unit_system
from suffice.statistics import AffineFunction, Solution, Triangle
from suffice.statistics.lstsq import constant_columns, system

STEPS = 10_000


def penalized(
    t: Triangle, alphas: np.ndarray, fit_intercept: bool, standardize: bool
) -> tuple[AffineFunction, np.ndarray]:
    """The function of all targets, each with its penalty, and the traces of the hat matrices."""
    unit = unit_system(t, fit_intercept, standardize)
    found = [
        least_squares(problem.replaced(alpha * unit.level(2) if alpha > 0 else None, True), STEPS)
        for problem, alpha in zip(unit.problems(), alphas, strict=True)
    ]
    weights = [unit.weights(f.weights, j) for j, f in enumerate(found)]
    function = unit.function(np.column_stack([np.zeros((t.n_columns, 0)), *weights]))
    return function, np.array([f.trace for f in found]) + float(fit_intercept)


def solution(t: Triangle, fit_intercept: bool, rcond: float | None, standardize: bool) -> Solution:
    """Least squares over the columns whose weights are above zero, as if it had been known which they are.

    Several targets have their own weights; what is said of their certainty is for the columns that any of them uses.
    """
    t = t.moved(t.layout.in_frame(None))
    k, d = t.header.n_outputs, t.n_columns
    weights = penalized(t, np.zeros(k), fit_intercept, standardize)[0].slope
    some = weights > 0
    used = np.flatnonzero(some.any(axis=1))
    whole = t.select(used).lstsq(fit_intercept=fit_intercept, rcond=rcond, standardize=standardize)
    slope = np.zeros((d, k))
    for j in range(k):
        mine = np.flatnonzero(some[:, j])
        own = t.select(mine).lstsq(fit_intercept=fit_intercept, rcond=rcond, standardize=standardize)
        slope[mine, j] = np.maximum(own.function.slope[:, j], 0.0)
    flat = np.flatnonzero(constant_columns(t))
    warn_dependent(t, tuple(map(int, flat)), ())
    basis = np.zeros((d, whole.rank))
    basis[used] = whole.basis
    loose = whole.listed_null()
    null = np.zeros((d, loose.shape[1] + len(flat)))
    null[used, : loose.shape[1]] = loose
    null[flat, loose.shape[1] + np.arange(len(flat))] = 1.0
    s = system(t, fit_intercept, standardize)
    residual = np.vstack([s.left_over, s.Z - s.R @ slope])
    constant = tuple(map(int, flat))
    dependent = tuple(map(int, used[list(whole.dependent)]))
    return Solution(
        s.function(slope), residual, basis, null, constant, dependent, fit_intercept, whole.condition
    )
