"""What people ask for beside the loss that decides, and how often a model predicts what cannot be."""

from __future__ import annotations

import numpy as np

from suffice._core.losses import LOSSES
from suffice.evaluation import brier, roc
from suffice.study.reading.problem import Problem
from suffice.study.reading.target_range import target_range
from suffice.study.steps.validate import Trial, tested_rows


def measures(t: Trial, problem: Problem) -> dict[str, float]:
    """Figures by name: errors of numbers (of counts the deviance too), or what probabilities of classes are worth."""
    rows = tested_rows(t.layers)
    weight = problem.weights[rows]
    if problem.is_classification:
        return _of_classes(t, problem, rows, weight)
    y, predicted = problem.y[rows], np.asarray(t.validation.predictions, dtype=float)[rows]
    error = y - predicted
    squared = float(np.average(error**2, weights=weight))
    found = {
        "typical error": float(np.sqrt(squared)),
        "mean absolute error": float(np.average(np.abs(error), weights=weight)),
    }
    if problem.loss != "poisson":
        return found
    deviance = float(np.average(LOSSES["poisson"](y, predicted, rows), weights=weight))
    return found | {"mean squared error": squared, "Poisson deviance": deviance}


def _of_classes(t: Trial, problem: Problem, rows: np.ndarray, weight: np.ndarray) -> dict[str, float]:
    y, P = problem.y[rows], np.asarray(t.validation.probabilities)[rows]
    labels = np.array(problem.labels)
    right = labels[np.argmax(P, axis=1)] == y
    found = {
        "accuracy": float(np.average(right, weights=weight)),
        "Brier score": float(brier(y, P, classes=labels, sample_weight=weight)),
    }
    if len(labels) == 2:
        guess = t.candidate.kind == "baseline"  # its order of rows of different folds means nothing
        area = 0.5 if guess else roc(y, P[:, 1], positive=labels[1], sample_weight=weight).area
        found["area under the ROC curve"] = float(area)
    return found


def impossible_share(t: Trial, problem: Problem) -> float:
    """The share of tested rows whose prediction lies outside the range of the target; zero for classes."""
    if problem.is_classification:
        return 0.0
    low, high = target_range(problem.y, problem.task.name, problem.target).ends
    predicted = np.asarray(t.validation.predictions, dtype=float)[tested_rows(t.layers)]
    return float(np.mean((predicted < low) | (predicted > high)))
