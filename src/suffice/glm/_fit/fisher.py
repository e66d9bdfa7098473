r"""Passes beside the climb: under another likelihood, with the information that is expected, without any column.

expected information   Σ w E[v] z zᵀ, for covariances by Fisher's scoring
Pearson's χ²           Σ w g²/E[v], which is Σ w (y − μ)²/var(y): in a family g = (y − μ) μ′/var, E[v] = μ′²/var
deviance               row by row, where the difference of two sums would keep no digits of it
null deviance          that of the best constant
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, final

import numpy as np

from suffice._core.errors import NumericalError, Unsupported, hold_warnings
from suffice._core.records import frozen_array, record
from suffice.engine import Rows
from suffice.glm._fit.ascent import Summit, ascend
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._fit.root import root_of
from suffice.glm._fit.slope import At, Slope, slope
from suffice.inference import climb
from suffice.likelihoods import Likelihood

Visit = Callable[[Any], Any]

LITTLE = 1e-3  # of the variance that a likelihood has


@record
class Under:
    """A place, and the likelihood to see it under."""

    likelihood: Any
    at: At

    def seen(self, rows: Rows, plan: Plan) -> Slope:
        """The pass over some rows."""
        with np.errstate(over="ignore", invalid="ignore"):  # of rows that do not count
            return slope(rows, replace(plan, likelihood=self.likelihood), self.at)


class ScoredOtherwise(ABC):
    """What a pass asks of a likelihood, from a family: its own gradient, and something else in place of log p."""

    family: Likelihood
    n_functions, several = 1, False

    @abstractmethod
    def score(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        """What is summed in place of log p."""

    def slopes(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.score(y, a), self.family.gradient(y, a)

    def terms(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return *self.slopes(y, a), self.family.expected_curvature(a)

    def saturated(self, y: np.ndarray) -> np.ndarray:
        return np.zeros(len(y))


@final
@record
class ExpectedInformation(ScoredOtherwise):
    """A family as scoring sees it: its gradient, the information expected, and −½ g²/E[v] in place of log p."""

    family: Likelihood

    def score(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return -0.5 * pearson(self.family, y, a) ** 2


@final
@record
class HalfDeviance(ScoredOtherwise):
    """−½ deviance in place of log p."""

    family: Likelihood

    def score(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return -0.5 * self.family.deviance(y, a)


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
    return _total(ExpectedInformation(plan.likelihood), u, visit)


def deviance(plan: Plan, u: np.ndarray, visit: Visit) -> float:
    """Σ w of the rows' deviances."""
    return _total(HalfDeviance(plan.likelihood), u, visit)


def _total(scored: ScoredOtherwise, u: np.ndarray, visit: Visit) -> float:
    return abs(2 * log_likelihood_under(scored, u, visit))


def log_likelihood_under(likelihood: Likelihood | ScoredOtherwise, u: np.ndarray, visit: Visit) -> float:
    """Σ w log p with another likelihood of the same functions."""
    return visit(Under(likelihood, At(u, "slope"))).log_likelihood


def expecting(problem: LinkProblem, summit: Summit, visit: Visit) -> Summit:
    """The same place, with the information expected there in place of the one observed."""
    family, b = ExpectedInformation(problem.plan.likelihood), problem.parameters(summit.u)
    hill = problem.hill(visit(Under(family, At(summit.u, "gram"))), b)
    root, null, log_det = root_of(problem, hill, summit.u, lambda at: visit(Under(family, at)))
    return replace(summit, root=root, null=null, log_det=log_det)


def in_units_of_scatter(
    problem: LinkProblem, summit: Summit, visit: Visit, tol: float, max_iter: int
) -> Summit:
    """The summit found again where targets scatter far less than the likelihood says: under its variance all places are
    equally high, in the digits of a log likelihood, long before the climb has arrived."""
    plan, family = problem.plan, problem.plan.likelihood
    if not family.has_dispersion or len(problem.root) or summit.away is not None:
        return summit
    scatter = deviance(plan, summit.u, visit) / summit.slope.n
    if not 0 < scatter < LITTLE:
        return summit
    near = family.dispersed(scatter)
    again = ascend(
        LinkProblem(replace(plan, likelihood=near), problem.prior, problem.free),
        summit.u,
        lambda at: visit(Under(near, at)),
        tol=tol,
        max_iter=max_iter,
    )
    seen = visit(At(again.u, "slope"))
    log_det = again.log_det + again.root.shape[1] * float(np.log(scatter))
    root = again.root / np.sqrt(scatter)
    return replace(again, slope=seen, objective=seen.log_likelihood, root=root, log_det=log_det)


# -- a constant alone ------------------------------------------------------------------------------------------
def null_deviance(plan: Plan, summit: Summit, visit: Visit) -> float:
    """The deviance of the best constant (and of what is known of a); NaN where none is possible."""

    def at(c: np.ndarray) -> Any:
        s = visit(At(_flat(plan, c), "gram"))
        return SimpleNamespace(
            objective=s.log_likelihood, gradient=s.gradient[0], hessian=-np.asarray(s.gram)[:1, :1]
        )

    for start in (constant(plan, summit.slope), summit.u[0]):
        first = np.where(np.isfinite(start), start, 0.0)
        with hold_warnings(), np.errstate(all="ignore"):
            try:
                found = climb(first, at, tol=1e-15, max_iter=60, unit=min(1.0, summit.slope.n))
            except NumericalError:
                continue
            return deviance(plan, _flat(plan, found.params), visit)
    return float("nan")


def constant(plan: Plan, seen: Slope) -> np.ndarray:
    """The link of the mean target; NaN for a cost, which has no link."""
    try:
        with np.errstate(all="ignore"):
            return np.ravel(plan.likelihood.link(seen.targets[0] / seen.n))
    except Unsupported:
        return np.full(1, np.nan)


def _flat(plan: Plan, c: np.ndarray) -> np.ndarray:
    u = np.zeros((plan.n_columns, 1))
    u[0] = c
    return frozen_array(u)


def told_apart(problem: LinkProblem, summit: Summit) -> Summit:
    """The same summit, unless all targets are at an end of the link and nothing holds the constant, which runs off."""
    held = not problem.whole or bool(problem.root[:, 0].any())
    if summit.away is not None or held or not np.isinf(constant(problem.plan, summit.slope)).any():
        return summit
    return replace(summit, away=_flat(problem.plan, np.ones(1)))


__all__ = [
    "Under",
    "chi_square",
    "deviance",
    "expecting",
    "in_units_of_scatter",
    "log_likelihood_under",
    "null_deviance",
    "pearson",
    "told_apart",
]
