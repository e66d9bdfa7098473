"""Intervals that hold on rows not seen: how much wider than the model says they must be.

A penalized point estimate states the spread of its own residuals and leaves out what the rows leave open about its
weights, so its intervals are too narrow, absurdly so with more columns than rows. The factor is the root mean square of
the errors on rows tested in the outer folds over that of the spread which the model of all rows states, where that is
above one, for models that predict a normal distribution.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.distributions import Normal
from suffice.evaluation.protocols import Predictive
from suffice.study.numbers import number
from suffice.study.reading.problem import Problem
from suffice.study.steps.validate import Trial, tested

WORTH = 1.02  # a smaller correction is not worth a word


def widened(t: Trial, model: Any, problem: Problem) -> float:
    """The factor for the intervals of the model handed over; one where they are as wide as they should be."""
    if problem.is_classification or not isinstance(model, Predictive):
        return 1.0
    d, rows = model.predict_dist(problem.Z), tested(t.layers)
    if not isinstance(d, Normal):
        return 1.0
    weight = np.ones(problem.n) if problem.weight is None else problem.weight
    error = problem.y[rows] - np.asarray(t.validation.predictions, dtype=float)[rows]
    found = np.sqrt(np.average(error**2, weights=weight[rows]))
    stated = np.sqrt(np.average(np.broadcast_to(np.asarray(d.std) ** 2, problem.n), weights=weight))
    factor = float(found / max(stated, np.finfo(float).tiny))
    return factor if np.isfinite(factor) and factor > WORTH else 1.0


def widening_sentence(factor: float) -> tuple[str, ...]:
    """What was done about intervals that are too narrow."""
    if factor == 1.0:
        return ()
    return (
        "The spread that this model states is too small for rows it has not seen, so the intervals that its file gives "
        f"are {number(factor)} times as wide.",
    )
