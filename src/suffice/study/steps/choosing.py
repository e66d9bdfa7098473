"""Which model is handed over: of those that the rows do not tell from the one with the lowest loss, the simplest.

A model stands for another if its loss is hardly above, or above by less than one standard error of the difference and a
tenth, if nothing is claimed against it, and if both are known to beat the baseline. Of these, models
that predict nothing impossible, as a negative price, come first, then those that state how sure they are. What is
handed over is cut to the possible.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from suffice.evaluation import TwoLayer
from suffice.study.claims import Units
from suffice.study.claims.gains import gains_per_row
from suffice.study.reading.problem import Problem
from suffice.study.sections import Claim
from suffice.study.steps.measures import impossible_share
from suffice.study.steps.validate import Trial

MOST_ABOVE, HARDLY = 0.1, 0.01  # of the lowest loss


def simplest(
    ours: Sequence[Trial],
    losses: dict[str, float],
    claims: Sequence[Claim],
    units: Units,
    layers: TwoLayer,
    problem: Problem,
) -> tuple[str, str]:
    """The name of the model with the lowest loss, and that of the one to hand over: one that is known to beat the
    baseline, if any is."""
    base, unbeaten = layers.baseline, _unbeaten(ours, claims)
    first = min(unbeaten, key=lambda t: losses[t.name])
    winners = [t for t in unbeaten if _beats(claims, t.name, base)]
    lowest = min(winners or unbeaten, key=lambda t: losses[t.name])
    if lowest.name == base:
        return first.name, lowest.name
    if not winners:  # nothing is known to help, so nothing is gained by another choice
        return first.name, first.name
    alike = [
        t
        for t in ours
        if t.name == lowest.name
        or (
            t.candidate.kind == "model"
            and not _beats(claims, lowest.name, t.name)
            and _close(losses[t.name], losses[lowest.name], _error(layers, units, t.name, lowest.name))
            and _beats(claims, t.name, base)
            and losses[t.name] < losses[base]
        )
    ]
    return first.name, min(alike, key=lambda t: _order(t, problem)).name


def _order(t: Trial, problem: Problem) -> tuple[bool, bool, int]:
    """Models that keep to possible values first, then those that state how sure they are, then simple ones."""
    odd = impossible_share(t, problem) > 0
    return odd, not t.candidate.states_uncertainty, t.candidate.complexity


def _close(loss: float, lowest: float, error: float) -> bool:
    """Within one standard error and a tenth of the lowest loss, or hardly above it."""
    return loss - lowest <= max(min(error, MOST_ABOVE * lowest), HARDLY * lowest)


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
    error = units.mean(gains_per_row(v[a], v[b], units.rows)).error
    return error if np.isfinite(error) else 0.0
