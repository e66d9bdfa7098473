"""Rows that the chosen model is furthest off, and the problem without them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from suffice.study.models.log_scale import LogScale
from suffice.study.reading.problem import Problem
from suffice.study.steps.validate import Trial, tested_rows

FAR, IMPOSSIBLE, MOST = 5.0, 0.01, 0.05
CONSISTENT = 1.4826  # median absolute deviation to standard deviation, for a normal law


def outliers(t: Trial, problem: Problem) -> tuple[np.ndarray, str]:
    """Which rows are outliers to the model that had not seen them, and by which rule; never more than `MOST` of them.

    Of numbers: residuals further than five robust standard deviations from their median, of counts after taking
    square roots and of models of logarithms after taking these, which makes their spread even. Of classes: rows whose
    class was given a probability below 1 %. A row that pulls the model so far towards itself that it is fitted well
    goes unnoticed.
    """
    rows = tested_rows(t.layers)
    if problem.is_classification:
        own = np.searchsorted(np.array(problem.labels), problem.y[rows])
        size = 1 - np.asarray(t.validation.probabilities)[rows, own]
        far, rule = size > 1 - IMPOSSIBLE, "their class was given a probability below 1 %"
    else:
        size, rule = _distance(t, problem, rows)
        far = size > FAR
    most = int(MOST * len(rows))
    if far.sum() > most:
        order = np.argsort(-size, kind="stable")[:most]
        far = np.isin(np.arange(len(rows)), order)
        rule += f"; only the worst {100 * MOST:g} % of the rows"
    found = np.zeros(problem.n, dtype=bool)
    found[rows[far]] = True
    return found, rule


def _distance(t: Trial, problem: Problem, rows: np.ndarray) -> tuple[np.ndarray, str]:
    y, predicted = problem.y[rows], np.asarray(t.validation.predictions, dtype=float)[rows]
    what, error = "residuals", y - predicted
    if problem.task.name == "counts":
        what, error = "residuals of square roots", np.sqrt(y) - np.sqrt(np.maximum(predicted, 0.0))
    elif isinstance(t.candidate.build(), LogScale):
        what, error = "residuals of logarithms", np.log(y) - np.log(predicted)
    error = error - np.median(error)
    spread = CONSISTENT * float(np.median(np.abs(error)))
    if spread == 0:
        return np.zeros(len(rows)), f"half of the {what} are equal, so there is no scale to judge them by"
    return np.abs(error) / spread, f"{what} beyond {FAR:g} robust standard deviations"


def leave_out_rows(problem: Problem, out: np.ndarray) -> Problem:
    """The problem without some rows; those that stay keep their fold."""
    keep = ~out
    place = np.cumsum(keep) - 1
    splits = [(place[a[keep[a]]], place[b[keep[b]]]) for a, b in problem.splits]
    return replace(
        problem,
        columns={name: values[keep] for name, values in problem.columns.items()},
        Z=problem.Z[keep],
        y=problem.y[keep],
        rows=problem.rows[keep],
        weight=None if problem.weight is None else problem.weight[keep],
        groups=None if problem.groups is None else problem.groups[keep],
        stamps=None if problem.stamps is None else problem.stamps[keep],
        splits=splits,
    )
