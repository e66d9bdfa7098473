r"""Passes besides those of the fit: under another likelihood, with the information expected, without any column.

expected information   Σ w E[v] z zᵀ, for covariances by Fisher's scoring
Pearson's χ²           Σ w g²/E[v], which is Σ w (y − μ)²/var(y): in a family g = (y − μ) μ′/var, E[v] = μ′²/var
deviance               row by row, where the difference of two sums would keep no digits of it
null deviance          that of the best constant
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, final

import numpy as np

from suffice._core.errors import NumericalError, Unsupported, hold_warnings
from suffice._core.records import frozen_array, record
from suffice.glm._fit.mode import Mode, find_mode
from suffice.glm._fit.pass_sums import PassSums
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._fit.root import root_of
from suffice.inference import newton_on_sums
from suffice.likelihoods import Likelihood

LITTLE = 1e-3  # of the variance that a likelihood has


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


def chi_square(problem: LinkProblem, u: np.ndarray) -> float:
    """Pearson's χ²; NaN for a cost, under which no variance is expected."""
    likelihood = problem.plan.likelihood
    try:
        likelihood.expected_curvature(np.zeros(1))
    except Unsupported:
        return float("nan")
    return abs(2 * log_likelihood_under(ExpectedInformation(likelihood), problem, u))


def deviance(problem: LinkProblem, u: np.ndarray) -> float:
    """Σ w of the rows' deviances."""
    return abs(2 * log_likelihood_under(HalfDeviance(problem.plan.likelihood), problem, u))


def log_likelihood_under(
    likelihood: Likelihood | ScoredOtherwise, problem: LinkProblem, u: np.ndarray
) -> float:
    """Σ w log p with another likelihood of the same functions."""
    return problem.under(likelihood).sums(u, "gradient").log_likelihood


def expecting(problem: LinkProblem, mode: Mode) -> Mode:
    """The same place, with the information expected there in place of the one observed."""
    expected = problem.under(ExpectedInformation(problem.plan.likelihood))
    root, null, log_det = root_of(expected, expected.at(problem.parameters(mode.u)), mode.u)
    return replace(mode, root=root, null=null, log_det=log_det)


def in_units_of_scatter(problem: LinkProblem, mode: Mode, tol: float, max_iter: int) -> Mode:
    """The mode found again where targets scatter far less than the likelihood says: under its variance all places are
    equally high, in the digits of a log likelihood, long before Newton's method has arrived."""
    family = problem.plan.likelihood
    if not family.has_dispersion or len(problem.root) or mode.unbounded is not None:
        return mode
    scatter = deviance(problem, mode.u) / mode.sums.n
    if not 0 < scatter < LITTLE:
        return mode
    again = find_mode(problem.under(family.dispersed(scatter)), mode.u, tol=tol, max_iter=max_iter)
    sums = problem.sums(again.u, "gradient")
    log_det = again.log_det + again.root.shape[1] * float(np.log(scatter))
    root = again.root / np.sqrt(scatter)
    return replace(again, sums=sums, objective=sums.log_likelihood, root=root, log_det=log_det)


# -- a constant alone ------------------------------------------------------------------------------------------
def null_deviance(problem: LinkProblem, mode: Mode) -> float:
    """The deviance of the best constant (and of what is known of a); NaN where none is possible."""
    plan = problem.plan

    def at(c: np.ndarray) -> Any:
        s = problem.sums(_flat(plan, c))
        return SimpleNamespace(
            objective=s.log_likelihood, gradient=s.gradient[0], hessian=-np.asarray(s.gram)[:1, :1]
        )

    for start in (constant(plan, mode.sums), mode.u[0]):
        first = np.where(np.isfinite(start), start, 0.0)
        with hold_warnings(), np.errstate(all="ignore"):
            try:
                found = newton_on_sums(first, at, tol=1e-15, max_iter=60, unit=min(1.0, mode.sums.n))
            except NumericalError:
                continue
            return deviance(problem, _flat(plan, found.params))
    return float("nan")


def constant(plan: Plan, sums: PassSums) -> np.ndarray:
    """The link of the mean target; NaN for a cost, which has no link."""
    try:
        with np.errstate(all="ignore"):
            return np.ravel(plan.likelihood.link(sums.targets[0] / sums.n))
    except Unsupported:
        return np.full(1, np.nan)


def _flat(plan: Plan, c: np.ndarray) -> np.ndarray:
    u = np.zeros((plan.n_columns, 1))
    u[0] = c
    return frozen_array(u)


def constant_runs_off(problem: LinkProblem, mode: Mode) -> Mode:
    """The same mode, unless all targets are at an end of the link and nothing holds the constant, which runs off."""
    held = not problem.whole or bool(problem.root[:, 0].any())
    if mode.unbounded is not None or held or not np.isinf(constant(problem.plan, mode.sums)).any():
        return mode
    return replace(mode, unbounded=_flat(problem.plan, np.ones(1)))


__all__ = [
    "chi_square",
    "constant_runs_off",
    "deviance",
    "expecting",
    "in_units_of_scatter",
    "log_likelihood_under",
    "null_deviance",
    "pearson",
]
