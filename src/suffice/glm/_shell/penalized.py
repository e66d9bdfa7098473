r"""Models of weights with a penalty: parameters, and the mode of the penalized likelihood.

maximize  Σ log p(y_n | x_n) − (α/2) ‖w‖²
"""

from __future__ import annotations

from abc import ABC
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np

from suffice._core.errors import check_flags, check_number
from suffice.bases import Basis
from suffice.glm._fit.mode import Mode, find_mode
from suffice.glm._fit.pass_sums import Visit, weighted
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import Prior, RawColumns, symmetric
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._fit.quasi_newton import first_steps_of_one, first_steps_of_several
from suffice.inference.newton_on_sums import joined


@dataclass(eq=False, repr=False)
class PenalizedWeights(ABC):
    """Parameters of models whose weights have one precision about zero."""

    _: KW_ONLY
    prior_precision: float = 0.0
    fit_intercept: bool = True
    penalize_intercept: bool = False
    basis: Basis | None = None
    standardize: bool = False
    tol: float = 1e-14
    max_iter: int = 100

    @property
    def _precision(self) -> float:
        return float(self.prior_precision)

    def _check_penalty(self) -> None:
        check_flags(self, "penalize_intercept")
        check_number("prior_precision", self.prior_precision, low=0.0)

    def _prior(self, plan: Plan, columns: RawColumns) -> Prior:
        held = self.penalize_intercept and self.fit_intercept
        return Prior.penalty(self.prior_precision, columns, held, ties(plan, self))


def ties(plan: Plan, model: Any) -> np.ndarray | None:
    """P between the functions of several classes: weights that sum to zero over classes, or nothing."""
    if not plan.likelihood.several:
        return None
    n = len(plan.classes)
    return symmetric(n) if model.parametrization == "full" else np.eye(n - 1)


def penalized_mode(
    model: Any, plan: Plan, start: np.ndarray, visit: Visit, tick: Any, tol: float
) -> tuple[LinkProblem, Mode]:
    """The problem that these rows pose, and its mode: first steps in a metric of the start, then Newton's."""
    problem = weighted_problem(model, plan, visit)
    limit, covariance = model.max_iter, getattr(model, "covariance", None)
    if plan.n_functions == 1:
        first: Any = first_steps_of_one(problem, start, limit, tick)
    else:
        first = first_steps_of_several(problem, start, limit, tick, tol, covariance)
    if isinstance(first, Mode):
        return problem, first
    mode = find_mode(problem, first.u, tol=tol, max_iter=limit, tick=tick, sums=first.sums)
    return problem, replace(mode, trace=joined(first.trace, mode.trace))


def weighted_problem(model: Any, plan: Plan, visit: Visit) -> LinkProblem:
    """What is maximized, each row counted as often as its class says."""
    problem = model._problem(plan, visit)
    return problem.over(weighted(visit, model._class_weights(plan, visit)))


__all__ = ["PenalizedWeights", "penalized_mode", "ties", "weighted_problem"]
