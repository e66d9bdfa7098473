"""All models on the same folds: against the baseline, and against the best of our own.

Two families of tests, each corrected by Holm: every model against the baseline, and the best against every other. A
claim is made only if it survives; so with pure noise, a study is wrong about "better than the baseline" in at most 5
% of tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from suffice._core.errors import NumericalError
from suffice._core.losses import mean_interval
from suffice.evaluation import Finding, TwoLayer, brier, holm, roc
from suffice.evaluation.setups import SETUPS, compare
from suffice.study.models import Candidate, baseline_of
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Candidates, Compared, Comparison, Difference, Failed, Interval, Tried
from suffice.study.steps import words
from suffice.study.steps.validate import Trial, grid_of, joined, tested

LOSS_WORDS = {"squared": "mean squared error", "log": "log loss"}


def candidates_section(candidates: Sequence[Candidate], problem: Problem) -> Candidates:
    """The list of models, before any result."""
    return Candidates(
        tuple(
            Tried(
                c.name,
                c.title,
                c.description,
                repr(c.tried(problem)),
                c.kind,
                {name: tuple(values) for name, values in grid_of(c, problem).items()},
                c.generative,
                c.book,
            )
            for c in candidates
        )
    )


def comparison_section(trials: Sequence[Trial | Failed], problem: Problem, options: Options) -> Comparison:
    """Every model against the baseline and against the best of our own."""
    failed = tuple(t for t in trials if isinstance(t, Failed))
    done = [t for t in trials if isinstance(t, Trial)]
    baseline = baseline_of(problem.task.name).name
    if baseline not in {t.name for t in done}:
        raise NumericalError(f"The baseline failed: {failed[0].reason if failed else 'it was not tried'}")
    layers = joined(done)
    estimates = layers.estimates
    best = min((t.name for t in done if t.candidate.kind != "reference"), key=lambda name: estimates[name])
    setup = "I" if options.time is not None else "II"
    titles = {t.name: t.candidate.title for t in done}
    to_baseline = differences(layers, baseline, setup, options.confidence, titles)
    to_best = differences(layers, best, setup, options.confidence, titles)
    models = tuple(
        _compared(t, problem, estimates[baseline], to_baseline, to_best, options.confidence) for t in done
    )
    lead = to_baseline.get(best)
    proven = lead is not None and lead.estimate < 0 and (lead.p_holm or 0.0) <= 1 - options.confidence
    amount = options.amount
    c = Comparison(
        problem.loss,
        LOSS_WORDS[problem.loss],
        amount.outer,
        amount.inner,
        problem.kind_of_splits,
        options.confidence,
        setup,
        _why(setup, options),
        baseline,
        best,
        proven,
        models,
        failed,
        (),
    )
    return words.with_sentences(c)


def _why(setup: str, options: Options) -> str:
    if setup == "I":
        return (
            f"The blocks follow {options.time!r}, so training sets differ in size and no two are alike: the models are "
            f"compared row by row, {SETUPS[setup]}."
        )
    return (
        "The question is which method to use on tables like this one, so the training set counts as drawn at "
        "random: the "
        f"differences of the folds are compared by the correlated t test, {SETUPS[setup]}."
    )


def differences(
    layers: TwoLayer, other: str, setup: str, confidence: float, titles: dict[str, str]
) -> dict[str, Difference]:
    """Every model less another, corrected by Holm for their number."""
    found = compare(layers, setup, confidence)
    pairs: dict[str, Finding] = {}
    for (a, b), finding in zip(found.pairs, found.findings, strict=True):
        if b == other:
            pairs[a] = finding
        elif a == other:
            pairs[b] = _turned(finding)
    ps = {name: f.p_value for name, f in pairs.items() if f.p_value is not None}
    adjusted = dict(zip(ps, np.asarray(holm(list(ps.values()))), strict=True)) if ps else {}
    return {
        name: Difference(
            other,
            float(f.estimate),
            f.interval,
            f.p_value,
            None if name not in adjusted else float(adjusted[name]),
            words.against(
                titles[name], titles[other], f.estimate, f.interval, adjusted.get(name), confidence
            ),
        )
        for name, f in pairs.items()
    }


def _turned(finding: Finding) -> Finding:
    turned = None if finding.interval is None else (-finding.interval[1], -finding.interval[0])
    return replace(finding, estimate=-finding.estimate, interval=turned)


def _compared(
    t: Trial,
    problem: Problem,
    baseline: float,
    to_baseline: dict[str, Difference],
    to_best: dict[str, Difference],
    confidence: float,
) -> Compared:
    v = t.validation
    share, bounds = coverage(t, problem, confidence)
    return Compared(
        t.name,
        t.candidate.title,
        t.candidate.kind,
        v.estimate,
        v.interval,
        v.fold_losses,
        1 - v.estimate / baseline if baseline > 0 else 0.0,
        measures(t, problem),
        share,
        bounds,
        t.chosen,
        to_baseline.get(t.name),
        to_best.get(t.name),
        v.how,
        t.seconds,
        t.notes,
    )


# -- other figures of merit -------------------------------------------------------------------------------
def measures(t: Trial, problem: Problem) -> dict[str, float]:
    """What people ask for beside the loss that decides."""
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
        found["area under the ROC curve"] = float(
            roc(y, P[:, 1], positive=labels[1], sample_weight=weight).area
        )
    return found


def coverage(t: Trial, problem: Problem, confidence: float) -> tuple[float | None, Interval | None]:
    """The share of rows inside their predictive interval, with Jeffreys' interval for it; None for classes."""
    inside = inside_interval(t, problem, confidence)
    if inside is None:
        return None, None
    hits = inside.astype(float)
    return float(hits.mean()), mean_interval(hits, np.ones(len(hits)), confidence, True)


def inside_interval(t: Trial, problem: Problem, confidence: float) -> np.ndarray | None:
    """Whether each tested row lies in the interval predicted without it."""
    distributions = t.validation.distributions
    if problem.is_classification or distributions is None:
        return None
    low, high = distributions.interval(confidence)
    rows = tested(t.layers)
    y, low, high = problem.y[rows], np.asarray(low)[rows], np.asarray(high)[rows]
    return (y >= low) & (y <= high)
