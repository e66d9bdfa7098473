"""Intervals that hold on rows not seen: how much wider than the model says they must be, and where they end.

A penalized point estimate states the spread of its own residuals and leaves out what the rows leave open about its
weights, so its intervals are too narrow, absurdly so with more columns than rows. The factor is the root mean square of
the errors on rows tested in the outer folds over that of the spread which the model of all rows states, where that is
above one, for models that predict a normal distribution. A Poisson law states the mean for the variance: there the
factor is the root of Pearson's φ = mean (y − μ)² / μ on tested rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.distributions import MixtureDistribution, Normal, Poisson
from suffice.evaluation.protocols import Predictive
from suffice.study.numbers import number
from suffice.study.reading.problem import Problem
from suffice.study.reading.target_range import TargetRange
from suffice.study.steps.validate import Trial, tested_rows

WORTH = 1.02  # a smaller correction is not worth a word
WORTH_OF_COUNTS = 1.1  # their scatter is known less well


def widened(t: Trial, model: Any, problem: Problem) -> float:
    """The factor for the intervals of the model handed over; one where they are as wide as they should be."""
    if problem.is_classification or not isinstance(model, Predictive):
        return 1.0
    d, rows = model.predict_dist(problem.Z), tested_rows(t.layers)
    weight = problem.weights
    predicted = np.asarray(t.validation.predictions, dtype=float)[rows]
    error = problem.y[rows] - predicted
    if isinstance(d, Poisson | MixtureDistribution):
        factor = _root_mean(error / np.sqrt(predicted), weight[rows])
        return factor if np.isfinite(factor) and factor > WORTH_OF_COUNTS else 1.0
    if not isinstance(d, Normal):
        return 1.0
    stated = _root_mean(np.broadcast_to(np.asarray(d.std), problem.n), weight)
    factor = _root_mean(error, weight[rows]) / max(stated, np.finfo(float).tiny)
    return factor if np.isfinite(factor) and factor > WORTH else 1.0


def _root_mean(values: np.ndarray, weight: np.ndarray) -> float:
    return float(np.sqrt(np.average(values**2, weights=weight)))


def widening_sentence(factor: float) -> tuple[str, ...]:
    """What was done about intervals that are too narrow."""
    if factor == 1.0:
        return ()
    return (
        "The spread that this model states is too small for rows it has not seen, so the intervals that its file gives "
        f"are {number(factor)} times as wide.",
    )


def range_sentence(model: Any, problem: Problem, within: TargetRange) -> tuple[str, ...]:
    """What was done about predictions and intervals of the file that reach beyond what the target can be."""
    if not within.bounded or not isinstance(model, Predictive):
        return ()
    regressor: Any = model
    made = (regressor.predict(problem.Z), *regressor.predict_dist(problem.Z).interval(0.95))
    beyond = [np.mean(within.clip(v) != v) for v in map(np.asarray, made)]
    if not max(beyond) > 0:
        return ()
    ends = f"at {number(within.low)}" + ("" if np.isinf(within.high) else f" and {number(within.high)}")
    also = "predictions and intervals" if beyond[0] > 0 else "intervals"
    return (
        f"This model does not know what {problem.target} can be ({within.why}): the {also} that its file gives are cut "
        f"{ends}.",
    )
