"""How the chosen model did on rows it had not seen."""

from __future__ import annotations

import numpy as np

from suffice.evaluation import confusion
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Classes, Predictive
from suffice.study.steps import words
from suffice.study.steps.compare import coverage, inside_interval
from suffice.study.steps.validate import Trial, tested


def predictive_section(t: Trial, problem: Problem, options: Options) -> Predictive | Classes:
    """Of numbers: intervals and errors. Of classes: the confusion matrix and what the probabilities are worth."""
    return _classes(t, problem, options) if problem.is_classification else _numbers(t, problem, options)


def _numbers(t: Trial, problem: Problem, options: Options) -> Predictive:
    rows = tested(t.layers)
    error = problem.y[rows] - np.asarray(t.validation.predictions, dtype=float)[rows]
    share, bounds = coverage(t, problem, options.confidence)
    inside = inside_interval(t, problem, options.confidence)
    said = (
        ("This model states no predictive intervals here.",)
        if inside is None or bounds is None
        else (words.coverage_sentence(int(inside.sum()), len(rows), options.confidence, bounds),)
    )
    return Predictive(
        t.name,
        options.confidence,
        len(rows),
        None if inside is None else int(inside.sum()),
        share,
        bounds,
        float(np.sqrt(np.mean(error**2))),
        float(np.abs(error).max()),
        (),
        said,
    )


def _classes(t: Trial, problem: Problem, options: Options) -> Classes:
    rows = tested(t.layers)
    labels = np.array(problem.labels)
    y, P = problem.y[rows], np.asarray(t.validation.probabilities)[rows]
    table = confusion(y, labels[np.argmax(P, axis=1)], labels=labels, confidence=options.confidence)
    accuracy = table.accuracy
    majority = max(np.mean(y == label) for label in labels)
    return Classes(
        t.name,
        len(rows),
        tuple(map(str, labels)),
        np.asarray(table.table, dtype=float),
        float(accuracy),
        getattr(accuracy, "interval", None),
        float(majority),
        None,
        None,
        None,
        None,
        (),
        (),
        None,
        (),
    )
