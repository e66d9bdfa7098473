"""Which model is handed over: of those that the rows do not tell from the one with the lowest loss, the simplest.

A model stands for another if its loss is within one standard error of the difference, nothing is claimed against it,
and it is known to beat the baseline where the other is. Models that state how sure they are come first; one that
predicts what cannot be, as a negative count, is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from suffice.evaluation import TwoLayer
from suffice.study.claims import Units
from suffice.study.claims.gains import saved
from suffice.study.sections import Claim
from suffice.study.steps.validate import Trial


def simplest(
    ours: Sequence[Trial],
    losses: dict[str, float],
    claims: Sequence[Claim],
    units: Units,
    layers: TwoLayer,
) -> tuple[str, str]:
    """The name of the model with the lowest loss, and that of the one to hand over."""
    base, unbeaten = layers.baseline, _unbeaten(ours, claims)
    winners = [t for t in unbeaten if _beats(claims, t.name, base)]
    lowest = min(winners or unbeaten, key=lambda t: losses[t.name])
    if lowest.name == base:
        return lowest.name, lowest.name
    must_beat = _beats(claims, lowest.name, base)
    alike = [
        t
        for t in ours
        if t.name == lowest.name
        or (
            t.candidate.kind == "model"
            and not _beats(claims, lowest.name, t.name)
            and losses[t.name] - losses[lowest.name] <= _error(layers, units, t.name, lowest.name)
            and (_beats(claims, t.name, base) or not must_beat)
            and losses[t.name] < losses[base]
        )
    ]
    return lowest.name, min(alike, key=_order).name


def _order(t: Trial) -> tuple[bool, int]:
    return not t.candidate.states_uncertainty, t.candidate.complexity


def _unbeaten(ours: Sequence[Trial], claims: Sequence[Claim]) -> Sequence[Trial]:
    """Models that no other of ours is claimed to beat; all of them, should claims go round in a circle."""
    names = {t.name for t in ours}
    beaten = {c.worse for c in claims if c.claimed and c.better in names}
    return [t for t in ours if t.name not in beaten] or ours


def _beats(claims: Sequence[Claim], a: str, b: str) -> bool:
    return any(c.claimed and c.better == a and c.worse == b for c in claims)


def _error(layers: TwoLayer, units: Units, a: str, b: str) -> float:
    """The standard error of the difference of two mean losses."""
    v = layers.validations
    error = units.mean(saved(v[a], v[b], units.rows)).error
    return error if np.isfinite(error) else 0.0
