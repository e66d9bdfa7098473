"""What would change the conclusion: the outer validation again, with one thing done differently each time.

The baseline, the best model and the one next to it are validated again; without outliers also others, where nothing was
known to beat the baseline. A model of few columns that is validated from statistics chooses its parameters inside as
before; any other keeps those that most outer folds chose. The conclusion stands if no other model is known to be better
than the chosen one, and what was known about the baseline still is; claims are made as in the comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import SufficeError
from suffice.evaluation import TwoLayer
from suffice.study.claims import claims_of
from suffice.study.models import scaled
from suffice.study.numbers import list_names, percent
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Change, ModelComparison, Sensitivity
from suffice.study.steps.validate import (
    Trial,
    choose,
    collect_notes,
    describe_error,
    join_layers,
    validate_entries,
)
from suffice.study.steps.variations import Variation, is_quick, variations

SEEN = 0.0005  # a share of the loss that rounds to 0.0 %


def sensitivity_section(
    trials: Sequence[Trial],
    comparison: ModelComparison,
    problem: Problem,
    options: Options,
    params: dict[str, Any] | None = None,
) -> Sensitivity:
    """Every variation and whether the conclusion stood; one that cannot be tried is told, with the reason.

    `params` are those of the model that the study hands over, from which the prior departs; they are chosen here
    unless they are known.
    """
    if problem.why_once is not None:
        return Sensitivity((), (f"Nothing was changed: {problem.why_once}.",))
    cast = _models_to_vary(trials, comparison)
    others = _others(trials, cast, comparison, problem)
    best = next(t for t in cast if t.name == comparison.best)
    params = choose(best.candidate, problem, options)[1] if params is None else params
    titles = {t.name: t.candidate.title for t in (*cast, *others)}
    finds_scale = scaled(t.candidate for t in (*cast, *others))
    changes: list[Change] = []
    savings: list[float] = []
    untried: list[str] = []
    tried, remarks = variations(cast, others, params, comparison, problem, options)
    for v in tried:
        try:
            layers, _ = collect_notes(lambda v=v: _validated(v, comparison.baseline, options))  # type: ignore[misc]
            change, saved = _change(v, layers, titles, finds_scale, comparison)
        except (SufficeError, ValueError, ArithmeticError) as error:
            untried.append(f"{_start(v)} could not be tried: {describe_error(error, problem.names)}")
        else:
            changes.append(change)
            savings.append(saved)
    tried_again = [titles[t.name] for t in cast]
    also = [titles[t.name] for t in others] if any(c.kind == "outliers" for c in changes) else []
    return Sensitivity(
        tuple(changes),
        (
            *_summary(changes, savings, titles[best.name], comparison),
            *(_list_validated(tried_again, also) if changes else ()),
            *remarks,
            *untried,
        ),
        tuple(tried_again),
    )


def _models_to_vary(trials: Sequence[Trial], comparison: ModelComparison) -> list[Trial]:
    """The baseline, the best and the next of our own models, each once."""
    ours = [t for t in trials if t.candidate.kind == "model" and t.name != comparison.best]
    following = sorted(ours, key=lambda t: t.validation.estimate)[:1]
    first = [t for t in trials if t.name in (comparison.baseline, comparison.best)]
    return [*first, *following]


def _others(
    trials: Sequence[Trial], cast: list[Trial], comparison: ModelComparison, problem: Problem
) -> list[Trial]:
    """Quick models of our own that outliers may have hidden, where nothing was known to beat the baseline."""
    if comparison.proven:
        return []
    named = {t.name for t in cast}
    return [t for t in trials if t.candidate.kind == "model" and t.name not in named and is_quick(t, problem)]


# -- one of them ---------------------------------------------------------------------------------------------------
def _validated(v: Variation, baseline: str, options: Options) -> TwoLayer:
    p = v.problem
    entries = dict(v.entries)
    if v.kept:  # two layers need a baseline among them; it is as quick as it is unchanged
        entries = {baseline: v.kept[baseline].candidate.tried(p)} | entries
    layers = validate_entries(entries, p, options)
    old = join_layers(list(v.kept.values())) if v.kept else layers
    return replace(
        layers,
        baseline=baseline,
        validations=_compared_models(v, layers.validations, old.validations),
        chosen=_compared_models(v, layers.chosen, old.chosen),
        inner=_compared_models(v, layers.inner, old.inner),
        candidates=_compared_models(v, layers.candidates, old.candidates),
    )


def _compared_models(v: Variation, new: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    """Of the models in a variation, what was found now or before; a constant that two layers add is left out."""
    return {name: new[name] for name in v.entries} | {name: old[name] for name in v.kept}


def _change(
    v: Variation, layers: TwoLayer, titles: dict[str, str], finds_scale: frozenset[str], c: ModelComparison
) -> tuple[Change, float]:
    """Whether the conclusion of the comparison stood, and the share of the baseline's loss that the best saves now."""
    losses = {name: loss for name, loss in layers.estimates.items() if np.isfinite(loss)}
    now = min(losses, key=lambda name: losses[name])
    claims = claims_of(layers, v.problem, titles, c.confidence, finds_scale)
    better = {(claim.better, claim.worse) for claim in claims if claim.claimed}
    beaten = [a for a in losses if (a, c.best) in better]
    winners = [a for a in losses if (a, c.baseline) in better]
    stood = c.best in winners if c.proven else not winners
    holds = stood and not (c.proven and beaten)
    saved, gain = (_gain(losses, name, c.baseline) for name in (c.best, now))
    sentence = f"{_start(v)}, {_describe_change(c, titles, now, saved, stood, beaten, winners)}"
    return Change(v.kind, v.what, now, titles[now], float(losses[now]), gain, holds, sentence), saved


def _gain(losses: dict[str, float], name: str, baseline: str) -> float:
    """The share of the baseline's loss that a model saves; minus infinity for a loss that is not finite."""
    if name not in losses:
        return -np.inf
    return float(1 - losses[name] / losses[baseline]) if losses[baseline] > 0 else 0.0


# -- words ---------------------------------------------------------------------------------------------------------
def _start(v: Variation) -> str:
    return v.what[0].upper() + v.what[1:]


def _describe_change(
    c: ModelComparison,
    titles: dict[str, str],
    now: str,
    gain: float,
    stood: bool,
    beaten: list[str],
    winners: list[str],
) -> str:
    best = titles[c.best]
    saved = _saved(best, gain)
    if not c.proven:
        if winners == [c.best]:
            return f"{saved}, which is now more than chance."
        if winners:
            return f"{_known_to(winners, titles)} to beat the baseline, which no model was before."
        if c.best == c.baseline:
            return f"{titles[now]} has the lowest loss, and nothing is known to beat the baseline, as before."
        if gain >= SEEN:
            return f"{saved}, which may be chance, as before."
        return f"{saved}, and nothing is known to beat the baseline, as before."
    if not stood:
        lost = (
            "which is not known to be more than chance any more"
            if gain >= SEEN
            else "which it was known to beat"
        )
        return f"{saved}, {lost}."
    if beaten:
        return f"{saved}, but {_known_to(beaten, titles)} to do better."
    lead = "" if now == c.best else f"; {titles[now]} has a lower loss, within chance"
    return f"{saved}, which is more than chance, as before{lead}."


def _known_to(names: list[str], titles: dict[str, str]) -> str:
    return f"{list_names([titles[a] for a in names])} {'is' if len(names) == 1 else 'are'} known"


def _saved(title: str, gain: float) -> str:
    return (
        f"{title} saves {percent(gain, 1)} of the baseline's loss"
        if gain >= SEEN
        else f"{title} does {_worse(gain)}"
    )


def _worse(gain: float) -> str:
    """A loss above the baseline's, with its size where that says something."""
    if abs(gain) < SEEN:
        return "as well as the baseline"
    return "worse than the baseline" + (f", by {percent(-gain, 1)} of its loss" if gain >= -1 else "")


def _summary(changes: list[Change], savings: list[float], best: str, c: ModelComparison) -> tuple[str, ...]:
    if not changes:
        return ("Nothing could be done differently, so how far the conclusion carries is open.",)
    stood, n = sum(change.holds for change in changes), len(changes)
    moved = [change.what for change in changes if not change.holds]
    if not moved:
        head = f"The conclusion stood in all {n} changes."
    else:
        head = f"The conclusion stood in {stood} of {n} changes; it did not {list_names(moved)}."
    if c.best != c.baseline:
        head += f" {_range(best, savings)}"
    if any(change.kind == "outliers" for change in changes):
        head += (
            " Without the rows predicted worst, every loss is lower; what counts is whether the order stays."
        )
    return (head,)


def _range(best: str, savings: list[float]) -> str:
    """What the best model saved, from the least to the most; where it saved nothing, how often."""
    worse, most = sum(saved <= -SEEN for saved in savings), percent(max(savings), 1)
    if not worse:
        return f"{best} saved {percent(min(savings), 1)} to {most} of the baseline's loss in them."
    if worse == len(savings):
        return f"{best} did worse than the baseline in all of them."
    if max(savings) < SEEN:
        return f"{best} did worse than the baseline in {worse} of them, and no better in the others."
    return f"{best} did worse than the baseline in {worse} of them, and saved up to {most} of its loss in the others."


def _list_validated(cast: list[str], others: list[str]) -> tuple[str, ...]:
    more = f"; without the outliers also {list_names(others)}" if others else ""
    return (f"Validated again: {list_names(cast)}{more}.",)
