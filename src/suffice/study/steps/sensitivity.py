"""What would change the conclusion: the outer validation again, with one thing done differently each time.

The baseline, the best model and the one next to it are validated again. A model of few columns that is validated from
statistics chooses its parameters inside as before; any other keeps those that most outer folds chose. The conclusion
stands if no other model is known to be better than the chosen one, and what was known about the baseline still is:
p-values are corrected by the same factor as in the comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from suffice._core.errors import SufficeError
from suffice.evaluation import TwoLayer, two_layer
from suffice.evaluation.setups import compare
from suffice.study.numbers import percent
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Change, Comparison, Sensitivity
from suffice.study.steps.validate import Trial, joined, told, watched
from suffice.study.steps.variations import Variation, entry, variations
from suffice.study.steps.words import listed


def sensitivity_section(
    trials: Sequence[Trial], comparison: Comparison, problem: Problem, options: Options
) -> Sensitivity:
    """Every variation and whether the conclusion stood; one that cannot be tried is told, with the reason."""
    if problem.why_once is not None:
        return Sensitivity((), (f"Nothing was changed: {problem.why_once}.",))
    cast = _cast(trials, comparison)
    entries = {t.name: entry(t, problem) for t in cast}
    changes: list[Change] = []
    untried: list[str] = []
    tried, remarks = variations(cast, entries, comparison, problem, options)
    for v in tried:
        try:
            layers, _ = watched(lambda v=v: _validated(v, comparison.baseline, options))  # type: ignore[misc]
            changes.append(_change(v, layers, cast, comparison))
        except (SufficeError, ValueError, ArithmeticError) as error:
            untried.append(f"{_start(v)} could not be tried: {told(error)}")
    return Sensitivity(
        tuple(changes),
        (*_summary(changes, cast, comparison), *remarks, *untried),
        tuple(t.candidate.title for t in cast),
    )


def _cast(trials: Sequence[Trial], comparison: Comparison) -> list[Trial]:
    """The baseline, the best and the next of our own models, each once."""
    ours = [t for t in trials if t.candidate.kind == "model" and t.name != comparison.best]
    following = sorted(ours, key=lambda t: t.validation.estimate)[:1]
    first = [t for t in trials if t.name in (comparison.baseline, comparison.best)]
    return [*first, *following]


# -- one of them ---------------------------------------------------------------------------------------------------
def _validated(v: Variation, baseline: str, options: Options) -> TwoLayer:
    p = v.problem
    entries = dict(v.entries)
    if v.kept:  # two layers need a baseline among them; it is as quick as it is unchanged
        entries = {baseline: v.kept[baseline].candidate.tried(p)} | entries
    layers = two_layer(
        entries,
        p.Z,
        p.y,
        p.splits,
        p.inner,
        loss=p.loss,
        sample_weight=p.weight,
        groups=p.groups,
        confidence=options.confidence,
        n_jobs=options.jobs,
    )
    if not v.kept:
        return layers
    old = joined(list(v.kept.values()))
    return replace(
        layers,
        validations=layers.validations | old.validations,
        chosen=layers.chosen | old.chosen,
        inner=layers.inner | old.inner,
        candidates=layers.candidates | old.candidates,
    )


def _change(v: Variation, layers: TwoLayer, cast: list[Trial], c: Comparison) -> Change:
    """Whether the conclusion of the comparison stood."""
    losses = layers.estimates
    titles = {t.name: t.candidate.title for t in cast}
    now = min(losses, key=lambda name: losses[name])
    better = _known(layers, c)
    beaten = [a for a in losses if (a, c.best) in better]
    stood = (c.best, c.baseline) in better if c.proven else not any(b == c.baseline for _, b in better)
    holds = stood and not (c.proven and beaten)
    gain = 1 - losses[c.best] / losses[c.baseline] if losses[c.baseline] > 0 else 0.0
    sentence = f"{_start(v)}, {_what_now(c, titles, now, gain, stood, beaten)}"
    return Change(v.kind, v.what, now, titles[now], float(losses[c.best]), float(gain), holds, sentence)


def _known(layers: TwoLayer, c: Comparison) -> set[tuple[str, str]]:
    """Pairs of models of which the first is known to have a lower loss than the second."""
    found, losses = compare(layers, c.setup, c.confidence), layers.estimates
    known = set()
    for (a, b), f in zip(found.pairs, found.findings, strict=True):
        if f.p_value is not None and f.p_value * _factor(c, a, b) <= 1 - c.confidence:
            known.add((a, b) if losses[a] < losses[b] else (b, a))
    return known


def _factor(c: Comparison, a: str, b: str) -> float:
    """By how much Holm's correction raised the p-value of two models in the comparison."""
    if c.baseline in (a, b):
        d = c.of(b if a == c.baseline else a).to_baseline
    else:
        d = c.of(b if a == c.best else a).to_best
    if d is None or not d.p_value or d.p_holm is None:
        return float(max(len(c.models) - 1, 1))
    return max(d.p_holm / d.p_value, 1.0)


# -- words ---------------------------------------------------------------------------------------------------------
def _start(v: Variation) -> str:
    return v.what[0].upper() + v.what[1:]


def _what_now(
    c: Comparison, titles: dict[str, str], now: str, gain: float, stood: bool, beaten: list[str]
) -> str:
    best = titles[c.best]
    if c.best == c.baseline:
        if stood:
            return f"{titles[now]} has the lowest loss, and nothing is known to beat the baseline, as before."
        return f"{titles[now]} is known to beat the baseline, which no model was before."
    saved = f"{best} saves {percent(gain, 1)} of the baseline's loss"
    if c.proven and not stood:
        return f"{saved}, which is not known to be more than chance any more."
    if beaten and c.proven:
        return f"{saved}, but {listed([titles[a] for a in beaten])} is known to do better."
    if not c.proven:
        return f"{saved}, which {'may be chance, as before' if stood else 'is now more than chance'}."
    lead = "" if now == c.best else f"; {titles[now]} has a lower loss, within chance"
    return f"{saved}, which is more than chance, as before{lead}."


def _summary(changes: list[Change], cast: list[Trial], c: Comparison) -> tuple[str, ...]:
    if not changes:
        return ("Nothing could be done differently, so how far the conclusion carries is open.",)
    stood, n = sum(change.holds for change in changes), len(changes)
    moved = [change.what for change in changes if not change.holds]
    gains = [change.gain for change in changes]
    if not moved:
        head = f"The conclusion stood in all {n} changes."
    else:
        head = f"The conclusion stood in {stood} of {n} changes; it did not {listed(moved)}."
    if c.best != c.baseline:
        title = next(t.candidate.title for t in cast if t.name == c.best)
        head += f" {title} saved {percent(min(gains), 1)} to {percent(max(gains), 1)} of the baseline's loss in them."
    if any(change.kind == "outliers" for change in changes):
        head += (
            " Without the rows predicted worst, every loss is lower; what counts is whether the order stays."
        )
    return (head, f"Validated again: {listed([t.candidate.title for t in cast])}.")
