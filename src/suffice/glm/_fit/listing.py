r"""A pass that lists the rows themselves, for inference that asks for their likelihood many thousand times.

Rows are [z, y, offset, weight]. Listings of disjoint rows add by standing one below the other; more numbers than `most`
are not held, wherever the rows come from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.compiling import loops
from suffice._core.records import record
from suffice.engine import Rows
from suffice.glm._fit.pass_sums import split
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import LinkProblem
from suffice.inference.posterior import Compiled
from suffice.statistics.header import Header

MOST = 4_000_000  # numbers that are held
DENSITIES = {"BernoulliLogit": "logit", "PoissonLog": "poisson"}


@record
class RowsWanted:
    """What is asked for: rows, unless there are too many."""

    most: int = MOST

    def over(self, rows: Rows, plan: Plan) -> Listing:
        """The pass over some rows."""
        return listing(rows, plan, self)


@record
class Listing:
    """Rows (N, 1 + d + 3); None where there were too many."""

    header: Header
    rows: np.ndarray | None
    most: int

    def __add__(self, other: Listing) -> Listing:
        if not isinstance(other, Listing):
            return NotImplemented
        self.header.check(other.header)
        if self.rows is None or other.rows is None or self.rows.size + other.rows.size > self.most:
            return Listing(self.header, None, self.most)
        return Listing(self.header, np.concatenate([self.rows, other.rows]), self.most)


def listing(rows: Rows, plan: Plan, at: RowsWanted) -> Listing:
    """The pass over validated rows, for one function per row."""
    if len(rows) * (plan.n_columns + 3) > at.most:
        return Listing(plan.header, None, at.most)
    y, offset = split(rows.Y)
    rest = np.zeros((len(rows), 3))
    rest[:, 0], rest[:, 2] = y, 1.0 if rows.weight is None else rows.weight
    if offset is not None:
        rest[:, 1] = offset
    return Listing(plan.header, np.hstack([plan.design(rows.X), rest]), at.most)


def compiled_joint(problem: LinkProblem, seen: Listing, constant: float) -> Compiled | None:
    """log p(D, b) as machine code over a table, the prior's rows below the others; None where there is none."""
    name, found = DENSITIES.get(type(problem.plan.likelihood).__name__), loops("suffice.glm._fit._loops")
    if name is None or found is None or seen.rows is None:
        return None
    columns, rest = seen.rows[:, :-3] @ problem.free, seen.rows[:, -3:]
    prior = problem.prior
    below = np.zeros((len(prior.place), 3))
    below[:, 0], below[:, 2] = prior.place, -1.0
    data = np.vstack([np.hstack([columns, rest]), np.hstack([problem.root, below])])
    wild = rest[:, 2] == 0
    data[: len(rest)][wild] = 0.0  # rows that do not count may hold anything
    return Compiled(
        getattr(found, name),
        np.ascontiguousarray(data),
        constant + _left_out(problem.plan.likelihood, rest),
        getattr(found, f"{name}_slope"),
    )


def _left_out(likelihood: Any, rest: np.ndarray) -> float:
    """The part of the log likelihood that does not depend on b: what it has at a = 0 beyond what the loop has."""
    if type(likelihood).__name__ != "PoissonLog":
        return 0.0
    counts = rest[:, 2] > 0
    y, w = rest[counts, 0], rest[counts, 2]
    zero = np.zeros(len(y))
    return float(w @ (likelihood.log_prob(y, zero) + np.exp(zero)))
