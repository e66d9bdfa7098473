"""All models on the same folds: what each loses on rows not seen, and what can be claimed of every two of them.

Every claim of a study comes from `suffice.study.claims`. A study is wrong about "better than the baseline" in at most
5 % of tables whose columns say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from suffice._core.errors import NumericalError
from suffice._core.losses import mean_interval
from suffice.evaluation import TwoLayer
from suffice.study.claims import Units, claims_of, second_sentence, units_of
from suffice.study.claims.claiming import LOSS_WORDS
from suffice.study.models import Candidate, baseline_of, never_chosen, scaled
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Claim, Compared, ComparedModels, Failed, Interval, ModelComparison, Tried
from suffice.study.steps import words
from suffice.study.steps.choosing import simplest
from suffice.study.steps.clusters import share_interval
from suffice.study.steps.measures import measures
from suffice.study.steps.predictive import held_out
from suffice.study.steps.validate import Trial, grid_of, join_layers, tested_rows

SAME_KIND = (
    "The claims are about these models, trained on these rows, meeting new rows of the same kind (Setup I)."
)
CORRECTED = "Intervals and p-values of differences hold for all models at once."


def candidates_section(
    candidates: Sequence[Candidate], problem: Problem, skipped: dict[str, str] | None = None
) -> ComparedModels:
    """The list of models, before any result; and which were not tried, with the reason."""
    return ComparedModels(
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


def comparison_section(
    trials: Sequence[Trial | Failed], problem: Problem, options: Options
) -> tuple[ModelComparison, tuple[Claim, ...]]:
    """Every model, and the claim about every two."""
    failed = tuple(t for t in trials if isinstance(t, Failed))
    done = [t for t in trials if isinstance(t, Trial)]
    layers = with_baseline(done, problem, failed)
    titles = {t.name: t.candidate.title for t in done}
    claims = claims_of(layers, problem, titles, options.confidence, scaled(t.candidate for t in done))
    units = units_of(problem, tested_rows(layers))
    losses = {t.name: mean_loss(t, units) for t in done}
    ours = [t for t in done if not never_chosen(t.candidate)]
    ours = [t for t in ours if _suits(t, problem)] or ours
    lowest, best = simplest(ours, losses, claims, units, layers, problem)
    models = tuple(_compared(t, problem, units, losses, layers.baseline, best, claims, options) for t in done)
    proven = best != layers.baseline and any(c.against_baseline and c.favors(best) for c in claims)
    amount = options.amount
    c = ModelComparison(
        problem.loss,
        LOSS_WORDS[problem.loss],
        amount.outer,
        amount.inner,
        problem.kind_of_splits,
        options.confidence,
        _why(units, options),
        layers.baseline,
        best,
        lowest,
        proven,
        models,
        failed,
        (),
        units.kind,
        _counted(units, claim_about(claims, best, layers.baseline), claims),
    )
    second = second_sentence(layers, best, titles, problem.loss, options.confidence)
    return replace(c, sentences=words.comparison_sentences(c, second)), claims


def _suits(t: Trial, problem: Problem) -> bool:
    """Whether a model is one that a study would try on the problem by itself."""
    return t.candidate.study is None or t.candidate.study.why_not(problem) is None


def with_baseline(done: Sequence[Trial], problem: Problem, failed: Sequence[Failed] = ()) -> TwoLayer:
    """The layers of all trials, and as their baseline the one of the baselines with the lowest loss."""
    first = baseline_of(problem.task.name).name
    if first not in {t.name for t in done}:
        raise NumericalError(f"The baseline failed: {failed[0].reason if failed else 'it was not tried'}")
    layers = join_layers(done)
    units = units_of(problem, tested_rows(layers))
    rivals = [t for t in done if t.name == first or (t.candidate.kind == "baseline" and problem.in_time)]
    return replace(layers, baseline=min(rivals, key=lambda t: mean_loss(t, units)).name)


def mean_loss(t: Trial, units: Units) -> float:
    """The mean loss of tested rows, as the units count."""
    return float(units.share @ np.asarray(t.validation.losses, dtype=float)[units.rows])


def _counted(units: Units, lead: Claim | None, claims: Sequence[Claim]) -> str:
    """What the claim about the best and the baseline counts, in words; where they are one, what any claim counts."""
    first = lead if lead is not None else next(iter(claims), None)
    return units.counted(len(units.rows)) if first is None else first.counted


def _why(units: Units, options: Options) -> str:
    """What is claimed, and what is counted as independent."""
    if units.kind == "stretches":
        counted = (
            f"Rows near in {options.time!r} are alike, so their differences count as so many independent stretches as "
            "their slow movements show (a HAC test in the way of Diebold and Mariano). Where the target wanders more "
            "slowly than the whole table is long, p-values may be too small."
        )
    elif units.kind == "groups":
        what = (
            f"Rows of one {options.group!r}"
            if options.group is not None
            else "Rows that are equal in all columns"
        )
        counted = f"{what} are alike, so the {units.noun} are what counts, not the rows."
    else:
        counted = "Rows count as independent."
    return f"{SAME_KIND} {counted} {CORRECTED}"


def _compared(
    t: Trial,
    problem: Problem,
    units: Units,
    losses: dict[str, float],
    baseline: str,
    best: str,
    claims: Sequence[Claim],
    options: Options,
) -> Compared:
    v, base = t.validation, losses[baseline]
    share, bounds = coverage(t, problem, options.confidence)
    return Compared(
        t.name,
        t.candidate.title,
        t.candidate.kind,
        losses[t.name],
        units.interval(np.asarray(v.losses, dtype=float)[units.rows], options.confidence),
        v.fold_losses,
        1 - losses[t.name] / base if base > 0 else 0.0,
        measures(t, problem),
        share,
        bounds,
        t.chosen,
        claim_about(claims, t.name, baseline),
        claim_about(claims, t.name, best),
        v.how,
        t.seconds,
        t.notes,
    )


def claim_about(claims: Sequence[Claim], name: str, other: str) -> Claim | None:
    """The claim about two models; None for one and the same."""
    return next((c for c in claims if c.names == {name, other}), None)


def coverage(t: Trial, problem: Problem, confidence: float) -> tuple[float | None, Interval | None]:
    """The share of rows inside their predictive interval, with an interval (by groups, if any); None for classes."""
    inside = inside_interval(t, problem, confidence)
    if inside is None:
        return None, None
    hits = inside.astype(float)
    weight = problem.weights[tested_rows(t.layers)]
    share = float(np.average(hits, weights=weight))
    if problem.groups is not None:
        return share, share_interval(hits, weight, problem.groups[tested_rows(t.layers)], confidence)
    return share, mean_interval(hits, weight, confidence, True)


def inside_interval(t: Trial, problem: Problem, confidence: float) -> np.ndarray | None:
    """Whether each tested row lies in the interval predicted without it."""
    parts = held_out(t, problem)
    if problem.is_classification or not parts:
        return None
    ends = [(problem.y[rows], *d.interval(confidence)) for rows, d in parts]
    return np.concatenate([(y >= low) & (y <= high) for y, low, high in ends])
