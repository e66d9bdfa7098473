"""All models on the same folds: against the baseline, and against the best of our own.

Two families of tests, each corrected by Holm: every model against the baseline, and every two models against each
other. Which model is the best is found out from the same rows, so its lead over another counts as one of all pairs. A
claim is made only if it survives; so with pure noise, a study is wrong about "better than the baseline" in at most 5 %
of tables of independent rows. The tests are of Setup I (DTU §11.1), about models trained on these rows, since one of
them is handed over; what other folds would change is tried out in `sensitivity`. Rows in groups are not independent:
there it is Setup II. Nor are rows in time: there stretches of time are compared, and the baseline is the mean or the
last value, whichever is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from suffice._core.errors import NumericalError
from suffice._core.losses import mean_interval
from suffice._core.records import record
from suffice.evaluation import Finding, TwoLayer, brier, holm, roc
from suffice.evaluation.setups import SETUPS
from suffice.study.models import NEVER_CHOSEN, Candidate, baseline_of
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Candidates, Compared, Comparison, Difference, Failed, Interval, Tried
from suffice.study.steps import words
from suffice.study.steps.clusters import share_interval
from suffice.study.steps.dependence import STRETCHES, in_time, loss_interval, pair_findings
from suffice.study.steps.predictive import held_out
from suffice.study.steps.validate import Trial, grid_of, joined, tested

LOSS_WORDS = {"squared": "mean squared error", "log": "log loss"}
SQUARED_COUNTS = (
    "The squared error decides, so the rows with the largest counts weigh most; where these vary much, even a large "
    "gain may be within chance."
)


def candidates_section(
    candidates: Sequence[Candidate], problem: Problem, skipped: dict[str, str] | None = None
) -> Candidates:
    """The list of models, before any result; and which were not tried, with the reason."""
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
        ),
        dict(skipped or {}),
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
    ours = [t.name for t in done if t.candidate.kind != "reference" and t.name not in NEVER_CHOSEN]
    best = min(ours, key=lambda name: estimates[name])
    baseline = min((n for n in (baseline, *NEVER_CHOSEN) if n in estimates), key=lambda name: estimates[name])
    layers = replace(layers, baseline=baseline)
    setup = "I" if problem.groups is None else "II"
    titles = {t.name: t.candidate.title for t in done}
    found = pairs(layers, setup, options.confidence)
    to_baseline = differences(found, baseline, options.confidence, titles)
    to_best = differences(found, best, options.confidence, titles)
    models = tuple(
        _compared(t, problem, estimates[baseline], to_baseline, to_best, options.confidence) for t in done
    )
    lead = to_baseline.get(best)
    proven = lead is not None and lead.estimate < 0 and words.settled(lead, options.confidence)
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
        "stretches" if setup == "I" and in_time(layers) else "rows" if setup == "I" else "folds",
    )
    c = words.with_sentences(c)
    return replace(c, sentences=(*c.sentences, SQUARED_COUNTS)) if problem.task.name == "counts" else c


def _why(setup: str, options: Options) -> str:
    """Which question the tests answer: as a rule, the one about models trained on these rows."""
    if setup == "II":
        alike = f"Rows of one {options.group!r} are alike, so single rows are no evidence"
        if options.group is None:
            alike = "Copies of one row are no evidence"
        return (
            f"{alike} of their own: the folds, which keep them together, are compared by the correlated t test, which "
            f"allows for the training rows they share, {SETUPS[setup]}."
        )
    if options.time is not None:
        return (
            f"Rows near in {options.time!r} are not independent, so stretches of time are compared and not rows: the "
            f"test rows are cut into {STRETCHES} of them, with a t test over their differences, {SETUPS[setup]}. "
            "Where the target wanders more slowly than that, p-values may still be too small."
        )
    return (
        "The model handed over is trained on these rows, so the question is which one predicts better when trained on "
        f"them: the losses of single rows are compared by a paired t test, {SETUPS[setup]}."
    )


@record
class Pairs:
    """The finding of every two models, and its p-value corrected within its family; None where there is no test."""

    findings: dict[tuple[str, str], Finding]
    adjusted: dict[tuple[str, str], float | None]

    def of(self, name: str, other: str) -> tuple[Finding, float | None]:
        """One model less another."""
        if (name, other) in self.findings:
            return self.findings[name, other], self.adjusted[name, other]
        return _turned(self.findings[other, name]), self.adjusted[other, name]


def pairs(layers: TwoLayer, setup: str, confidence: float) -> Pairs:
    """Every two models: those with the baseline are one family of tests, all others another."""
    findings = pair_findings(layers, setup, confidence)
    adjusted: dict[tuple[str, str], float | None] = dict.fromkeys(findings)
    for with_baseline in (True, False):
        ps = {
            pair: f.p_value
            for pair, f in findings.items()
            if f.p_value is not None and (layers.baseline in pair) is with_baseline
        }
        if ps:
            adjusted |= zip(ps, map(float, np.asarray(holm(list(ps.values())))), strict=True)
    return Pairs(findings, adjusted)


def differences(found: Pairs, other: str, confidence: float, titles: dict[str, str]) -> dict[str, Difference]:
    """Every model less another."""
    return {name: _difference(found, name, other, confidence, titles) for name in titles if name != other}


def _difference(found: Pairs, name: str, other: str, confidence: float, titles: dict[str, str]) -> Difference:
    f, p = found.of(name, other)
    said = words.against(titles[name], titles[other], f.estimate, f.interval, p, confidence)
    return Difference(other, float(f.estimate), f.interval, f.p_value, p, said)


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
        loss_interval(t, problem, confidence),
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
        guess = t.candidate.kind == "baseline"  # its order of rows of different folds means nothing
        area = 0.5 if guess else roc(y, P[:, 1], positive=labels[1], sample_weight=weight).area
        found["area under the ROC curve"] = float(area)
    return found


def coverage(t: Trial, problem: Problem, confidence: float) -> tuple[float | None, Interval | None]:
    """The share of rows inside their predictive interval, with an interval (by groups, if any); None for classes."""
    inside = inside_interval(t, problem, confidence)
    if inside is None:
        return None, None
    hits = inside.astype(float)
    weight = np.ones(len(hits)) if problem.weight is None else problem.weight[tested(t.layers)]
    share = float(np.average(hits, weights=weight))
    if problem.groups is not None:
        return share, share_interval(hits, weight, problem.groups[tested(t.layers)], confidence)
    return share, mean_interval(hits, weight, confidence, True)


def inside_interval(t: Trial, problem: Problem, confidence: float) -> np.ndarray | None:
    """Whether each tested row lies in the interval predicted without it."""
    parts = held_out(t, problem)
    if problem.is_classification or not parts:
        return None
    ends = [(problem.y[rows], *d.interval(confidence)) for rows, d in parts]
    return np.concatenate([(y >= low) & (y <= high) for y, low, high in ends])
