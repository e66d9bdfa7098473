r"""Passes beside the climb: under another likelihood, with the information that is expected, without any column.

expected information   Σ w E[v] z zᵀ, for covariances by Fisher's scoring
Pearson's χ²           Σ w g²/E[v], which is Σ w (y − μ)²/var(y): in a family g = (y − μ) μ′/var, E[v] = μ′²/var
null deviance          2 (saturated − the largest log likelihood of a constant)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, final

import numpy as np

from suffice._core.errors import NumericalError, Unsupported, hold_warnings
from suffice._core.records import frozen_array, record
from suffice.distributions import Distribution
from suffice.engine import Rows
from suffice.glm._fit.ascent import Problem, Summit, _root
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.slope import At, Slope, slope
from suffice.inference import climb
from suffice.likelihoods import Likelihood

Visit = Callable[[Any], Any]


@record
class Under:
    """A place, and the likelihood to see it under."""

    likelihood: Likelihood
    at: At

    def seen(self, rows: Rows, plan: Plan) -> Slope:
        """The pass over some rows."""
        with np.errstate(over="ignore", invalid="ignore"):  # of rows that do not count
            return slope(rows, replace(plan, likelihood=self.likelihood), self.at)


@final
@record
class Fisher(Likelihood):
    """A likelihood as scoring sees it: its gradient, the information expected, and −½ g²/E[v] in place of log p."""

    family: Likelihood

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return -0.5 * pearson(self.family, y, a) ** 2

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.family.gradient(y, a)

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.family.expected_curvature(a)

    def mean(self, a: np.ndarray) -> np.ndarray:
        return self.family.mean(a)

    def distribution(self, a: np.ndarray) -> Distribution:
        return self.family.distribution(a)

    def saturated(self, y: np.ndarray) -> np.ndarray:
        return np.zeros(len(y))

    def check(self, y: Any) -> np.ndarray:
        return self.family.check(y)

    def link(self, mean: Any) -> np.ndarray:
        return self.family.link(mean)


def pearson(family: Likelihood, y: np.ndarray, a: np.ndarray) -> np.ndarray:
    """g/√E[v]: residuals in units of their standard deviation, up to the sign of μ′."""
    g, information = family.gradient(y, a), family.expected_curvature(a)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(g == 0, 0.0, g / np.sqrt(information))


def chi_square(plan: Plan, u: np.ndarray, visit: Visit) -> float:
    """Pearson's χ²; NaN for a cost, under which no variance is expected."""
    try:
        plan.likelihood.expected_curvature(np.zeros(1))
    except Unsupported:
        return float("nan")
    return -2 * visit(Under(Fisher(plan.likelihood), At(u, "slope"))).log_likelihood


def expecting(problem: Problem, summit: Summit, visit: Visit) -> Summit:
    """The same place, with the information expected there in place of the one observed."""
    family, b = Fisher(problem.plan.likelihood), problem.parameters(summit.u)
    hill = problem.hill(visit(Under(family, At(summit.u, "gram"))), b)
    root, null, log_det = _root(problem, hill, lambda: visit(Under(family, At(summit.u, "factor"))))
    return replace(summit, root=root, null=null, log_det=log_det)


def log_likelihood_under(likelihood: Likelihood, u: np.ndarray, visit: Visit) -> float:
    """Σ w log p with another likelihood of the same functions."""
    return visit(Under(likelihood, At(u, "slope"))).log_likelihood


def null_deviance(plan: Plan, seen: Slope, visit: Visit) -> float:
    """The deviance of the best constant (and of what is known of a)."""

    def at(c: np.ndarray) -> Any:
        u = np.zeros((plan.n_columns, 1))
        u[0] = c
        s = visit(At(frozen_array(u), "gram"))
        return SimpleNamespace(
            objective=s.log_likelihood, gradient=s.gradient[0], hessian=-np.asarray(s.gram)[:1, :1]
        )

    with hold_warnings(), np.errstate(all="ignore"):
        try:
            found = climb(_constant(plan, seen), at, tol=1e-15, max_iter=60)
        except NumericalError:
            return float("nan")
    return 2 * (seen.saturated - found.statistics.objective)


def _constant(plan: Plan, seen: Slope) -> np.ndarray:
    """The link of the mean target, where it has one."""
    try:
        a = np.ravel(plan.likelihood.link(seen.targets[0] / seen.n))
    except Unsupported:
        return np.zeros(1)
    return np.where(np.isfinite(a), a, 0.0)


__all__ = ["Fisher", "Under", "chi_square", "expecting", "log_likelihood_under", "null_deviance", "pearson"]
