"""Whether counts scatter more than a Poisson law allows: which models of counts are worth trying.

φ = Σ w (y − μ)² / μ / (n − p) of a Poisson regression on all columns (Pearson). Of Poisson counts it is about one, with
the variance (2 + 1/μ) / (n − p).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from suffice._core.errors import SufficeError, hold_warnings
from suffice.glm import PoissonRegression
from suffice.study.numbers import number

if TYPE_CHECKING:
    from suffice.study.reading.problem import Problem

WORTH, SURE = 1.2, 3.0  # φ that is worth another model, and the standard errors that chance stays within
MOST_ROWS, MOST_COLUMNS = 20_000, 200


def scatter(problem: Problem) -> float:
    """Pearson's φ of a Poisson regression, or of the mean where columns are many; kept on the problem."""
    kept = vars(problem)  # as a cached property would be
    if "_scatter" not in kept:
        kept["_scatter"] = _pearson(problem)
    return kept["_scatter"]


def overdispersed(problem: Problem) -> bool:
    """Whether the scatter is beyond chance, and large enough to matter."""
    y, w = problem.y, problem.weight
    n, mean = (len(y), y.mean()) if w is None else (w.sum(), np.average(y, weights=w))
    chance = SURE * np.sqrt((2 + 1 / mean) / max(n - _width(problem) - 1, 1.0))
    return scatter(problem) > max(WORTH, 1 + chance)


def _width(problem: Problem) -> int:
    n, d = problem.Z.shape
    return d if d <= MOST_COLUMNS and 2 * d < n else 0


def _pearson(problem: Problem) -> float:
    step = -(-problem.n // MOST_ROWS)
    Z, y = problem.Z[::step, : _width(problem)], problem.y[::step]
    w = np.ones(len(y)) if problem.weight is None else problem.weight[::step]
    mean = np.full(len(y), np.average(y, weights=w))
    if Z.shape[1]:
        try:
            with hold_warnings():
                mean = PoissonRegression(prior_precision=1.0, standardize=True).fit(Z, y, w).predict(Z)
        except SufficeError:
            Z = Z[:, :0]
    left = float(w.sum()) - 1 - Z.shape[1]
    return float(w @ ((y - mean) ** 2 / np.maximum(mean, 1e-12))) / left if left > 0 else 1.0


def too_scattered(problem: Problem) -> str | None:
    """For models that take the variance of a count for its mean, and state no more than that."""
    if not overdispersed(problem):
        return None
    return f"the counts vary {number(scatter(problem))} times as much as it allows"


def hardly_scattered(problem: Problem) -> str | None:
    """For models with more scatter than Poisson's."""
    if overdispersed(problem):
        return None
    return f"the counts vary as a Poisson law has it ({number(scatter(problem))} times its variance)"
