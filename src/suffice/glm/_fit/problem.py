r"""A likelihood, a prior and the coordinates of a fit: the log posterior at b, where u = J b."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from suffice._core.linalg import qr_stacked, semidefinite_factor
from suffice._core.records import record
from suffice.engine import Rows
from suffice.glm._fit.pass_sums import PassSums, SumsAt, Visit, Wanted
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import Prior


@record
class UnderLikelihood:
    """A pass, and the likelihood to make it under."""

    likelihood: Any
    at: SumsAt

    def over(self, rows: Rows, plan: Plan) -> PassSums:
        """The pass over some rows."""
        with np.errstate(over="ignore", invalid="ignore"):  # of rows that do not count
            return self.at.over(rows, replace(plan, likelihood=self.likelihood))


@record
class LogPosterior:
    """Sums of a pass with the prior added: objective, gradient and Hessian in b."""

    objective: float
    gradient: np.ndarray
    hessian: np.ndarray | None
    sums: PassSums

    @property
    def unit(self) -> float:
        """What an objective near zero is measured by: one row, or all of them where they weigh less."""
        return min(1.0, self.sums.n)

    @property
    def size(self) -> float:
        """What is small is small beside this."""
        return self.unit + abs(self.objective)


def not_visited(at: Any) -> Any:
    """In place of passes, where a problem is asked for its coordinates alone."""
    raise AssertionError("This problem has no rows.")


class LinkProblem:
    """A likelihood, a prior and the coordinates of a fit, and the passes that see its rows, in one place."""

    def __init__(self, plan: Plan, prior: Prior, free: np.ndarray, visit: Visit = not_visited) -> None:
        self.plan, self.prior, self.free, self.visit = plan, prior, free, visit
        self.whole = free.shape[0] == free.shape[1]
        with np.errstate(over="ignore"):
            to_terms = plan.to_terms(prior.center)
            self.root = (prior.root @ (to_terms if self.whole else to_terms @ free)).astype(float)  # (r, q)

    @property
    def shape(self) -> tuple[int, int]:
        """(K, q): functions and free parameters of each."""
        return self.plan.n_functions, self.free.shape[1]

    def functions(self, b: np.ndarray) -> np.ndarray:
        """u (1 + d, K) of flat parameters."""
        return self.free @ b.reshape(self.shape).T

    def parameters(self, u: np.ndarray) -> np.ndarray:
        """Flat parameters of u; the constant is left out where it is not free."""
        return (u if self.whole else u[1:]).T.ravel()

    @cached_property
    def curvature(self) -> np.ndarray:
        """That of the prior."""
        return np.kron(self.prior.between, self.root.T @ self.root)

    def sums(self, u: np.ndarray, wanted: Wanted = "gram", **options: Any) -> PassSums:
        """A pass over all rows."""
        with np.errstate(over="ignore", invalid="ignore"):  # a step too far, or a row that does not count
            return self.visit(SumsAt(u, wanted, **options))

    def at(self, b: np.ndarray, wanted: Wanted = "gram") -> LogPosterior:
        """Objective and derivatives at b, by one pass."""
        return self.log_posterior(self.sums(self.functions(b), wanted), b)

    def over(self, visit: Visit, share: float = 1.0) -> LinkProblem:
        """The same of other rows, a share of these, with as much of the prior."""
        prior, root = self.prior, np.sqrt(share)
        if share != 1:
            prior = replace(prior, root=prior.root * root, place=prior.place * root)
        return LinkProblem(self.plan, prior, self.free, visit)

    def under(self, likelihood: Any) -> LinkProblem:
        """The same with another likelihood of the same functions."""
        plan = replace(self.plan, likelihood=likelihood)
        return LinkProblem(
            plan, self.prior, self.free, lambda at: self.visit(UnderLikelihood(likelihood, at))
        )

    def penalty(self, b: np.ndarray) -> float:
        """What the prior takes from the log likelihood at b."""
        E = self.root @ b.reshape(self.shape).T - self.prior.place[:, None]  # (r, K)
        return 0.5 * float(np.sum(E * (E @ self.prior.between)))

    def log_posterior(self, sums: PassSums, b: np.ndarray) -> LogPosterior:
        """Objective, gradient and Hessian at b, from what a pass there has left."""
        E = self.root @ b.reshape(self.shape).T - self.prior.place[:, None]  # (r, K)
        pull = self.root.T @ E @ self.prior.between  # (q, K)
        gradient = (self.free.T @ sums.gradient - pull).T.ravel()
        value = sums.log_likelihood - self.penalty(b)
        hessian = None if sums.gram is None else -(self.moved(sums.gram) + self.curvature)
        return LogPosterior(value, gradient, hessian, sums)

    def moved(self, gram: np.ndarray) -> np.ndarray:
        """From u to b on both sides."""
        if self.whole:
            return gram
        J = np.kron(np.eye(self.shape[0]), self.free)
        return J.T @ gram @ J

    def triangle(self, factor: np.ndarray) -> np.ndarray:
        """R with RᵀR = −H from that of the rows."""
        J = np.kron(np.eye(self.shape[0]), self.free)
        ties = semidefinite_factor(self.prior.between, "the tie between functions").T
        return qr_stacked(factor @ J, np.kron(ties, self.root))
