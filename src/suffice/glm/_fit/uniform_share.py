r"""An intercept about which nothing is known, as a proper prior: every share of the second class is equally plausible.

    b at the mean of the columns,  σ(b) ~ U(0, 1),  so  p(b) = σ(b) σ(−b)

Under p(b) = 1 the labels have no probability: ∫ p(y | b) db of one row of each class is one already, and with weights
it exceeds one (E[(D/2) coth(D/2)], where D is the difference between the log odds of the two rows). The density above
is that of two more rows at the mean of the columns, one of each class, each pass over the rows plus one term.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.glm._fit.listing import Listing, RowsWanted
from suffice.glm._fit.log_densities import LogDensities, LogDensitiesAt
from suffice.glm._fit.pass_sums import PassSums, SumsAt, factor
from suffice.glm._fit.plan import Plan

BOTH = np.array([0, 1])


def with_uniform_share(visit: Callable[[Any], Any], plan: Plan, mean: np.ndarray) -> Callable[[Any], Any]:
    """Passes over the rows and the two at z = `mean`; the sums count rows and targets as they are."""
    z = np.tile(mean, (2, 1))

    def with_both(at: Any) -> Any:
        found = visit(at)
        if isinstance(at, SumsAt):
            return found + _sums(plan, z, at)
        if isinstance(at, LogDensitiesAt):
            return found + LogDensities(
                plan.header, plan.likelihood.log_prob(BOTH[:, None], z @ at.u).sum(axis=0)
            )
        if isinstance(at, RowsWanted):
            return found + Listing(plan.header, np.column_stack([z, BOTH, [0.0, 0.0], [1.0, 1.0]]), at.most)
        return found

    return with_both


def mean_of_columns(plan: Plan, visit: Callable[[Any], Any]) -> np.ndarray:
    """The mean of z over all rows, by their weights: the curvature at a constant weighs all rows alike."""
    gram = visit(SumsAt(plan.first(), "gram")).gram
    return gram[0] / gram[0, 0]


def _sums(plan: Plan, z: np.ndarray, at: SumsAt) -> PassSums:
    log_prob, g, v = plan.likelihood.terms(BOTH, z @ at.u[:, 0])
    turned = z if at.turn is None else z @ at.turn
    return PassSums(
        plan.header,
        0,
        0.0,
        float(log_prob.sum()),
        0.0,
        z.T @ g[:, None],
        np.zeros((2, len(plan.classes))),
        (turned.T * v) @ turned if at.wanted == "gram" else None,
        factor(z, v) if at.wanted == "factor" else None,
    )
