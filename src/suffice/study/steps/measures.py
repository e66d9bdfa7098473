"""What people ask for beside the loss that decides."""

from __future__ import annotations

import numpy as np

from suffice.evaluation import brier, roc
from suffice.study.reading.problem import Problem
from suffice.study.steps.validate import Trial, tested


def measures(t: Trial, problem: Problem) -> dict[str, float]:
    """Figures of merit on rows not seen, by name."""
    rows = tested(t.layers)
    weight = np.ones(len(rows)) if problem.weight is None else problem.weight[rows]
    if not problem.is_classification:
        error = problem.y[rows] - np.asarray(t.validation.predictions, dtype=float)[rows]
        return {
            "typical error": float(np.sqrt(np.average(error**2, weights=weight))),
            "mean absolute error": float(np.average(np.abs(error), weights=weight)),
        }
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
