"""How far the conclusion carries: the learning curve, and the study again with one thing done differently."""

from __future__ import annotations

from collections.abc import Sequence

from suffice.evaluation import learning_curve
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Comparison, Learning, Sensitivity
from suffice.study.steps.validate import Trial, choose, watched


def learning_section(t: Trial, problem: Problem, options: Options) -> Learning:
    """Loss against the number of training rows."""
    model, _, _ = choose(t.candidate, problem, options)
    curve, _ = watched(
        lambda: learning_curve(
            model,
            problem.Z,
            problem.y,
            cv=problem.splits,
            loss=problem.loss,
            sample_weight=problem.weight,
            random_state=options.seed,
            n_jobs=options.jobs,
        )
    )
    return Learning(
        curve.sizes,
        curve.train,
        curve.train_error,
        curve.test,
        curve.test_error,
        curve.baseline,
        curve.loss,
        curve.diagnosis,
        curve.sentence,
    )


def sensitivity_section(
    trials: Sequence[Trial], comparison: Comparison, problem: Problem, options: Options
) -> Sensitivity:
    """What would change the conclusion."""
    return Sensitivity((), ())
