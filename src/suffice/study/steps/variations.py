"""What a study does differently to see whether its conclusion stands: other folds, fewer rows, another prior.

The rows fall into folds another way, or into more or fewer of them; in time there is one way only. Rows that the chosen
model is furthest off are left out, the others keep their fold; where nothing was known to beat the baseline, these rows
may have hidden any model, so all that are quick to validate get another chance. The prior or penalty of the model that
the study hands over gets ten times its weight, and a tenth of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.records import record
from suffice.evaluation import Rolling
from suffice.study.numbers import number
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import ModelComparison
from suffice.study.steps.outliers import leave_out_rows, outliers
from suffice.study.steps.settled import fix_parameters, prior_name, prior_value
from suffice.study.steps.validate import Trial, with_grid

OTHER_FOLDS, TIMES = (3, 5, 10), (10.0, 0.1)
QUICK_WAYS, FEW_COLUMNS = ("statistics", "closed form"), 100


@record
class Variation:
    """One thing to do differently: the problem as it is then, the models to validate, and trials that stay as is."""

    kind: str
    what: str
    problem: Problem
    entries: dict[str, Any]
    kept: dict[str, Trial]


def entry(t: Trial, problem: Problem) -> Any:
    """What to validate again: with its grid if that is light work, else with what was chosen and found before."""
    if is_quick(t, problem):
        return with_grid(t.candidate, problem)
    return fix_parameters(t, problem)


def is_quick(t: Trial, problem: Problem) -> bool:
    """Whether validating a model again is light work, with all of its choices."""
    few = problem.Z.shape[1] <= FEW_COLUMNS and getattr(t.candidate.tried(problem), "basis", None) is None
    return few and t.validation.how in QUICK_WAYS


def variations(
    cast: list[Trial],
    others: list[Trial],
    params: dict[str, Any],
    comparison: ModelComparison,
    problem: Problem,
    options: Options,
) -> tuple[list[Variation], list[str]]:
    """All that can be tried, and remarks on what cannot.

    `cast` are validated again in each, `others` only without outliers; `params` are those of the model handed over.
    """
    entries = {t.name: entry(t, problem) for t in cast}
    best = next(t for t in cast if t.name == comparison.best)
    found = [
        Variation(kind, what, changed, entries, {}) for kind, what, changed in _other_folds(problem, options)
    ]
    remarks = []
    if options.time is not None:
        remarks.append("The rows are in the order of time, so another seed would change nothing.")
    far, rule = outliers(best, problem)
    if far.any():
        what = f"without {far.sum()} of {problem.n} rows ({rule})"
        more = {t.name: entry(t, problem) for t in others}
        found.append(Variation("outliers", what, leave_out_rows(problem, far), entries | more, {}))
    else:
        remarks.append(f"No row counts as an outlier ({rule}).")
    value = None if best.name == comparison.baseline else prior_value(best, problem, params)
    if value is not None:
        found += list(_other_priors(best, params, value, cast, problem))
    elif best.name != comparison.baseline:
        remarks.append(f"{best.candidate.title} has no prior or penalty to change.")
    return found, remarks


def _other_folds(problem: Problem, options: Options) -> Iterator[tuple[str, str, Problem]]:
    k = options.amount.outer
    if options.time is None:
        for i in range(1, options.amount.repeats + 1):
            seed = (options.seed + i) % 2**32
            yield "seed", f"with seed {seed}", _split_anew(problem, k, seed)
    for other in OTHER_FOLDS:
        if other != k and _possible(problem, other):
            word = "blocks" if options.time is not None else "folds"
            yield "folds", f"with {other} {word} instead of {k}", _split_anew(problem, other, options.seed)


def _possible(problem: Problem, k: int) -> bool:
    """Whether the rows, the groups and the rarest class suffice for so many folds."""
    units = problem.n if problem.groups is None else len(np.unique(problem.groups))
    rarest = min(np.unique(problem.y, return_counts=True)[1]) if problem.is_classification else problem.n
    return k < units and k <= rarest and 2 * k <= problem.n


def _split_anew(problem: Problem, k: int, seed: int) -> Problem:
    """The same rows in other folds, of the same kind."""
    kind: Any = type(problem.outer)
    outer = Rolling(k) if kind is Rolling else kind(k, shuffle=True, random_state=seed)
    if problem.series is not None:
        outer = problem.series.splitters(k, k)[0]
    splits = [(a, b) for a, b in outer.split(problem.y[:, None], problem.y, problem.groups)]
    return replace(problem, outer=outer, splits=splits)


def _other_priors(
    best: Trial, params: dict[str, Any], value: float, cast: list[Trial], problem: Problem
) -> Iterator[Variation]:
    name = prior_name(best) or ""
    base = best.candidate.tried(problem).set_params(**params)
    kept = {t.name: t for t in cast if t.name != best.name}
    for factor in TIMES:
        model = clone(base).set_params(**{name: factor * value})
        size = "ten times" if factor > 1 else "a tenth of"
        word = "penalty" if name == "alpha" else name.replace("_", " ")
        what = f"with {size} its {word} ({number(factor * value)})"
        yield Variation("prior", what, problem, {best.name: model}, kept)
