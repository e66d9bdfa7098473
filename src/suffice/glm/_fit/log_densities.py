r"""A pass that sees the log likelihood of many functions at once: Σ w log p(y | zᵀ u_m), for points u_m of a grid."""

from __future__ import annotations

import numpy as np

from suffice._core.records import record
from suffice.engine import Rows
from suffice.glm._fit.pass_sums import split
from suffice.glm._fit.plan import Plan
from suffice.statistics.header import Header

CELLS = 1 << 20  # rows × points that are worked on at once


@record
class LogDensitiesAt:
    """Functions to visit, one per column (1 + d, M)."""

    u: np.ndarray

    def over(self, rows: Rows, plan: Plan) -> LogDensities:
        """The pass over some rows."""
        return log_densities(rows, plan, self)


@record
class LogDensities:
    """Log likelihoods (M,) of some rows; those of disjoint rows add."""

    header: Header
    log_likelihood: np.ndarray

    def __add__(self, other: LogDensities) -> LogDensities:
        if not isinstance(other, LogDensities):
            return NotImplemented
        self.header.check(other.header)
        return LogDensities(self.header, self.log_likelihood + other.log_likelihood)


def log_densities(rows: Rows, plan: Plan, at: LogDensitiesAt) -> LogDensities:
    """The pass over validated rows, for one function per row."""
    total = np.zeros(at.u.shape[1])
    step = max(CELLS // max(len(total), 1), 1)
    for a in range(0, len(rows), step):
        total += _block(rows[a : a + step], plan, at.u)
    return LogDensities(plan.header, total)


def _block(rows: Rows, plan: Plan, u: np.ndarray) -> np.ndarray:
    y, offset = split(rows.Y)
    a = plan.design(rows.X) @ u
    a = a if offset is None else a + offset[:, None]
    with np.errstate(over="ignore"):
        log_prob = plan.likelihood.log_prob(y[:, None], a)
    if rows.weight is None:
        return log_prob.sum(axis=0)
    counts = rows.weight > 0  # a row that does not count may be as wild as it likes
    return rows.weight[counts] @ log_prob[counts]
