r"""Least squares with a penalty on a power of the weights (PRML eqs 3.29, 3.30, 3.56).

    minimize  ½ ‖y − b − Φ w‖² + (α/2) Σ_j |w_j|^q

It is the mode of the weights under the prior p(w) ∝ exp(−(α'/2) Σ|w|^q) (`GeneralizedNormal.from_precision`) with noise
precision β, α = α'/β. q = 2 is `Ridge(alpha)`, q = 1 is `Lasso(alpha / (2 n))`; below one the objective is not convex.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, NamedTuple

import numpy as np

from suffice._core.errors import (
    IllConditioned,
    InvalidParameter,
    NotConverged,
    SufficeWarning,
    check_flags,
    check_number,
    warn,
)
from suffice._core.records import estimator
from suffice.inference.active_set import LassoProblem
from suffice.linear._shrinking import Shrinking
from suffice.linear._solvers.power import effective, minimum, violation
from suffice.linear._solvers.unit import UnitSystem
from suffice.statistics import Triangle
from suffice.statistics.dependence import pivoted

OPTIMAL = 1e-8
FELT = 1e-8  # penalty of unit columns and targets below which rounding says how copies share their weight
LARGEST_POWER = 100


class QNormFit(NamedTuple):
    """One target: penalized weights, effective parameters, the optimality residual and the steps."""

    weights: np.ndarray
    effective: float
    residual: float
    steps: int


@estimator
class QNormRegression(Shrinking):
    """Linear regression with a penalty on Σ|w|^q.

    Parameters
    ----------
    q
        Power, at most 100. Up to one, weights become exactly zero; large powers make the largest weights alike.
    alpha
        Penalty for half the summed loss, halved itself. A vector holds one per target. Zero is least squares.
    fit_intercept
        Whether to add a constant, which is not penalized.
    basis
        Functions of the inputs; the penalty is on the weights of its raw columns.
    standardize
        Penalize the weights of standardized columns (divisor n); weights are reported for the original ones. Without
        an intercept the function is then zero at the mean of the columns, and `intercept_` is the constant this takes.
    weight_kind
        As in `LinearRegression`.

    Attributes
    ----------
    kkt_residual_
        The largest slope of the objective along a weight, for columns and target scaled to unit length; over the
        weights that are not zero if q < 1.
    effective_parameters_
        The trace of ∂ŷ/∂y at the solution, and the constant: as for `Ridge` if q = 2, the weights that are not zero
        if q = 1.
    n_iter_
        Steps, over all starts.

    Notes
    -----
    For q < 1 the objective has many local minima. The one returned is the best of six starts, and changing any
    single weight does not lower it; a warning says that it may not be the lowest of all. For q > 2 a step factors a
    matrix of all columns.

    Examples
    --------
    >>> from suffice.linear import QNormRegression, Ridge
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 0.0], [3.0, 1.0]], [1.0, 3.0, 2.0, 5.0]
    >>> for q in (1.0, 2.0, 4.0):
    ...     print(q, QNormRegression(q, 1.0).fit(X, y).coef_.round(4))
    1.0 [1. 0.]
    2.0 [0.9167 0.25  ]
    4.0 [0.8523 0.3855]
    >>> print(Ridge(1.0).fit(X, y).coef_.round(4))
    [0.9167 0.25  ]
    """

    q: float = 2.0
    alpha: Any = 1.0
    _: KW_ONLY
    fit_intercept: bool = True
    standardize: bool = False

    effective_parameters_: Any = field(init=False)
    kkt_residual_: Any = field(init=False)
    n_iter_: Any = field(init=False)

    def penalty(self, weights: np.ndarray) -> float:
        """Σ|w|^q."""
        return float(np.sum(np.abs(weights) ** float(self.q)))

    def _check(self) -> None:
        check_flags(self, "fit_intercept", "standardize")
        if check_number("q", self.q, low=0, strict=True) > LARGEST_POWER:
            raise InvalidParameter(
                f"q must be at most {LARGEST_POWER}, whose powers can be told apart; got {self.q!r}."
            )

    def _minimize(self, t: Triangle, unit: UnitSystem, alphas: np.ndarray) -> list[tuple[np.ndarray, float]]:
        if self.q < 1 and np.any(alphas > 0):
            warn(
                f"With q={self.q:g} below 1 the objective is not convex: the weights are the best of several local "
                "minima, perhaps not the lowest. Use q >= 1 for a minimum that is certain.",
                SufficeWarning,
            )
        pairs = enumerate(zip(unit.problems(), alphas, strict=True))
        found = [self._one_target(t, unit, problem, j, float(alpha)) for j, (problem, alpha) in pairs]
        single = t.header.n_targets is None
        self.kkt_residual_ = found[0].residual if single else np.array([f.residual for f in found])
        self.n_iter_ = found[0].steps if single else np.array([f.steps for f in found], dtype=int)
        return [(f.weights, f.effective) for f in found]

    def _one_target(
        self, t: Triangle, unit: UnitSystem, problem: LassoProblem, j: int, alpha: float
    ) -> QNormFit:
        if alpha == 0:
            return QNormFit(*self._plain(t, unit, j), 0.0, 1)
        if not problem.target.any():
            return QNormFit(np.zeros(problem.size), 0.0, 0.0, 1)
        mu, q = _unit_penalties(unit, j, alpha, float(self.q)), float(self.q)
        found = minimum(problem, mu, q)
        if q > 1 and mu.max(initial=0.0) < FELT and pivoted(problem.columns.T)[3] < np.sum(unit.lengths > 0):
            warn(
                "Columns are combinations of others up to rounding, and a penalty this small in their units does not "
                "share the weight out between them. Drop such columns, or take standardize=True or a larger alpha.",
                IllConditioned,
            )
        residual = violation(problem, mu, q, found.weights)
        if residual > OPTIMAL:
            warn(
                f"The slope of the objective is still {residual:.3g} of the columns' length (at most {OPTIMAL:g} is "
                f"expected) with q={q:g}, alpha={alpha:g}; a larger alpha or standardize=True helps.",
                NotConverged,
            )
        counted = effective(problem, mu, q, found.weights)
        return QNormFit(unit.weights(found.weights, j), counted, residual, max(found.steps, 1))


def _unit_penalties(unit: UnitSystem, j: int, alpha: float, q: float) -> np.ndarray:
    """μ_j of unit columns and target: (α/2) (‖z‖/‖A_j‖)^q / ‖z‖², kept within what a float can hold."""
    size = unit.size(j)
    lengths = np.where(unit.lengths > 0, unit.lengths, 1.0)
    log = np.log(alpha / 2) + q * (np.log(size) - np.log(lengths)) - 2 * np.log(size)
    return np.exp(np.clip(log, -650.0, 650.0))
