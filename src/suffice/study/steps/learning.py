"""Would more rows help? The loss of the chosen model as its training set grows."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from suffice._core.errors import SufficeError
from suffice.evaluation import learning_curve
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Learning
from suffice.study.steps.settled import fix_parameters, searches
from suffice.study.steps.validate import Trial, collect_notes, describe_error

UNSURE = 0.5  # of the loss: a standard error that says nothing


def learning_section(t: Trial, problem: Problem, options: Options, proven: bool = False) -> Learning:
    """Loss against the number of training rows; without a curve, why there is none."""
    if problem.why_once is not None:
        return _none(problem, f"No curve was made: {problem.why_once}.")
    splits, shuffle = growing(problem, options)

    def curve() -> Any:
        return learning_curve(
            fix_parameters(t, problem),
            problem.Z,
            problem.y,
            cv=splits,
            loss=problem.loss,
            sample_weight=problem.weight,
            shuffle=shuffle,
            random_state=options.seed,
            n_jobs=options.jobs,
        )

    try:
        c, _ = collect_notes(curve)
    except (SufficeError, ValueError, ArithmeticError) as error:  # ValueError: too few rows for a splitter
        why = describe_error(error, problem.names)
        return _none(problem, f"The curve could not be made, so whether more rows would help is open: {why}")
    sentence = _describe_curve(c, proven)
    if searches(t, problem):
        sentence += " The prior is the one found from all rows, at every size."
    return Learning(
        c.sizes, c.train, c.train_error, c.test, c.test_error, c.baseline, c.loss, c.diagnosis, sentence
    )


def _describe_curve(c: Any, proven: bool) -> str:
    """What the curve shows. The comparison says what the baseline is, and whether it is beaten; the curve does not."""
    measured, _, advice = re.sub(r" \(baseline [^)]*\)", "", c.sentence).partition(" seen. ")
    spread = float(c.test_error[-1]) if len(c.test_error) else 0.0
    if spread > UNSURE * float(c.test[-1]):
        advice = "The folds disagree too much to tell whether more rows would help."
    elif "baseline" in advice:
        advice = (
            "More rows like these would change little."
            if proven
            else "More rows alone are not known to help."
        )
    return f"{measured} seen. {advice}" if advice else measured


def _none(problem: Problem, why: str) -> Learning:
    none = np.zeros(0)
    return Learning(none, none, none, none, none, None, problem.loss, "unclear", why)


def growing(problem: Problem, options: Options) -> tuple[list[tuple[np.ndarray, np.ndarray]], bool]:
    """The outer folds, and whether training rows are drawn at random.

    In time, the later half of the blocks is predicted, so that the smallest training set is not small, and the
    latest rows before a block are taken first.
    """
    if options.time is None:
        return problem.splits, True
    later = problem.splits[len(problem.splits) // 2 :]
    return [(train[::-1], test) for train, test in later], False
