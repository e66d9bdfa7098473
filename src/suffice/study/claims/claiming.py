"""Every pair of models of a study, decided: two families of tests, those with the baseline and all others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import ndtri

from suffice.evaluation import TwoLayer, correlated_t
from suffice.study.claims.columns import columns_p_value
from suffice.study.claims.families import LargestDraws, family_of
from suffice.study.claims.gains import gains, gains_per_row
from suffice.study.claims.pairs import PairTest, by_columns, first_step_test, mean_test
from suffice.study.claims.units import Units, units_of
from suffice.study.models import baseline_of
from suffice.study.numbers import chance, percent, span, within
from suffice.study.reading.problem import Problem
from suffice.study.sections import Claim, Interval

LOSS_WORDS = {"squared": "mean squared error", "log": "log loss", "poisson": "Poisson deviance"}
TESTS = {
    "mean": "t test of the loss saved per unit",
    "root": "t test of the first step from the baseline to the model (Clark and West)",
    "rank": "t test of signed ranks of the loss saved per unit",
    "columns": "score test that the columns say something, by flipped signs, and a gain on rows not seen",
}
INDEPENDENT = {
    "rows": "Rows are independent of each other.",
    "groups": "Groups are independent of each other; their rows need not be.",
    "stretches": "Rows near in time are alike; the further apart, the less, and the series keeps its character.",
}
ASSUMED = {
    "mean": "The mean of the loss saved is about normal.",
    "root": "The model's predictions are on the right scale, which these rows do not contradict.",
    "rank": "A few units decide the mean, so a typical unit is compared, by ranks.",
    "columns": "The model's predictions are on the right scale, which these rows do not contradict.",
}


Pair = tuple[str, str]
ALIKE = 0.9  # correlation, over units, of first steps that are about the same
LEAN = 1.0  # z of a first step: what a model must show on rows not seen where the columns say something


@dataclass(frozen=True)
class _Setting:
    """What the sentences of a study have in common."""

    units: Units
    titles: Mapping[str, str]
    loss: str
    losses: Mapping[str, float]
    baseline: str
    confidence: float


def claims_of(
    layers: TwoLayer,
    problem: Problem,
    titles: Mapping[str, str],
    confidence: float,
    scaled: Collection[str] = (),
) -> tuple[Claim, ...]:
    """A claim for every two models; those with the baseline of the layers come first.

    Models named in `scaled` find the scale of their predictions (`Candidate.finds_scale`).
    """
    rows = np.flatnonzero(layers.fold >= 0)
    units = units_of(problem, rows)
    base, v = layers.baseline, layers.validations
    losses = {name: units.mean(np.asarray(one.losses, dtype=float)[rows]).mean for name, one in v.items()}
    setting = _Setting(units, titles, LOSS_WORDS[problem.loss], losses, base, confidence)
    others = [name for name in layers.names if name != base]
    steps = {a: gains(v[a], v[base], problem, rows) for a in others}
    plain = {(a, base): mean_test(units, g.whole) for a, g in steps.items()}
    first = {(a, base): first_step_test(units, g, a in scaled) for a, g in steps.items()}
    p_columns = columns_p_value(problem) if base == baseline_of(problem.task.name).name else None
    rest = {(a, b): mean_test(units, gains_per_row(v[a], v[b], rows)) for a, b in combinations(others, 2)}
    return (*_make_claims(plain, first, setting, True, p_columns), *_make_claims(rest, {}, setting, False))


def _make_claims(
    plain: dict[Pair, PairTest],
    first: Mapping[Pair, PairTest | None],
    setting: _Setting,
    with_baseline: bool,
    p_columns: float | None = None,
) -> list[Claim]:
    """Claims of one family: by the mean, else by the first step, else by what all columns say (`said`)."""
    surer = {pair: _surer_test(t, first.get(pair)) for pair, t in plain.items()}
    family = family_of(list(surer.values()))
    z = family.critical(1 - setting.confidence)
    alone = -float(ndtri((1 - setting.confidence) / 2))
    if p_columns is not None:
        open_ = {pair: t for pair, t in _surest_first_steps(first).items() if surer[pair].z <= z}
        surer |= {
            pair: _surer_test(surer[pair], by_columns(t, p_columns, z, alone)) for pair, t in open_.items()
        }
    decided = {pair: t if abs(t.z) > z or surer[pair].z <= z else surer[pair] for pair, t in plain.items()}
    return [_claim(a, b, t, family, setting, with_baseline) for (a, b), t in decided.items()]


def _surest_first_steps(first: Mapping[Pair, PairTest | None]) -> dict[Pair, PairTest]:
    """The surest first step, if it leans to its model, and those that gain and lose in the same units: what the columns
    say need not hold for a model that predicts otherwise."""
    steps = {pair: t for pair, t in first.items() if t is not None and t.z > LEAN}
    if not steps:
        return {}
    lead = max(steps.values(), key=lambda t: t.z).moves
    return {pair: t for pair, t in steps.items() if np.corrcoef(t.moves, lead)[0, 1] >= ALIKE}


def _p_value(t: PairTest, family: LargestDraws) -> float | None:
    """Of the test itself where it is one for all models, else of the family; None where nothing varies."""
    if not t.varies:
        return None
    return family.p_value(t.z) if t.p is None else t.p


def _within_reach(ends: Interval | None, better: float, worse: float, turned: bool) -> Interval | None:
    """A loss is never negative, so no more can be saved than the whole of it; `turned` where the baseline is better."""
    if ends is None:
        return None
    return (max(ends[0], -better), ends[1]) if turned else (ends[0], min(ends[1], worse))


def _surer_test(plain: PairTest, first: PairTest | None) -> PairTest:
    return plain if first is None or first.z <= plain.z else first


def _claim(
    a: str, b: str, t: PairTest, family: LargestDraws, setting: _Setting, with_baseline: bool
) -> Claim:
    z = family.critical(1 - setting.confidence)
    ends, p = t.interval(z), _p_value(t, family)
    if t.estimate < 0 or (t.estimate == 0 and t.t < 0):
        a, b, ends = b, a, None if ends is None else (-ends[1], -ends[0])
    if t.kind != "rank":
        ends = _within_reach(
            ends, setting.losses[a], setting.losses[b], with_baseline and b != setting.baseline
        )
    claimed = ends is not None and bool(ends[0] > 0)
    size, n = abs(t.estimate), t.count
    sentence = _sentence(setting, a, b, size, ends, p, claimed, n, t.kind)
    unit = setting.units.kind
    return Claim(
        a, b, size, ends, p, unit, n, claimed, with_baseline, sentence, TESTS[t.kind],
        f"{INDEPENDENT[unit]} {ASSUMED[t.kind]}", setting.units.counted(n),
    )  # fmt: skip


def _sentence(
    setting: _Setting,
    a: str,
    b: str,
    size: float,
    ends: tuple[float, float] | None,
    p: float | None,
    claimed: bool,
    n: int,
    kind: str,
) -> str:
    first, second = setting.titles[a], setting.titles[b]
    if ends is None or p is None:
        return (
            f"{first} and {second} have the same loss everywhere."
            if size == 0
            else f"{first} and {second} differ by the same amount everywhere, which leaves nothing to test by."
        )
    what = f"for a typical row, its {setting.loss}" if kind == "rank" else f"its {setting.loss}"
    units = setting.units.counted(n)
    sure = f"({percent(setting.confidence)} interval {span(ends)}, {chance(p)}, counted over {units})"
    if claimed:
        return f"{first} predicts better than {second}: {what} is lower by {within(size, ends)} {sure}."
    open_ = f"Whether {first} predicts better than {second} is not settled"
    return f"{open_}: {what} is lower by {within(size, ends)} {sure}."


def second_sentence(
    layers: TwoLayer, best: str, titles: Mapping[str, str], loss: str, confidence: float
) -> str | None:
    """What folds say about new training sets (Setup II), beside the claim; None where folds are no such thing."""
    base = layers.baseline
    if best == base or (layers.fold < 0).any():
        return None
    d = layers.errors[base] - layers.errors[best]
    if len(d) < 2 or not np.isfinite(d).all() or not np.ptp(d) > 0:
        return None
    found = correlated_t(d, layers.test_fraction, confidence=confidence)
    if found.interval is None:
        return None
    low, high = found.interval
    side, ends = ("lower", (low, high)) if found.estimate >= 0 else ("higher", (-high, -low))
    open_ = ", so another training set may turn out otherwise" if low <= 0 <= high else ""
    return (
        f"Were the training rows drawn anew as well (Setup II, {len(d)} folds), the {LOSS_WORDS[loss]} of "
        f"{titles[best]} would be {side} than that of {titles[base]} by {within(abs(found.estimate), ends)} "
        f"({percent(confidence)} interval {span(ends)}){open_}."
    )
