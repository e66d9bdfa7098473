"""Validation from sums and closed forms is refitting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
)

from suffice._core.errors import Unsupported
from suffice.engine.protocols import FitsByPasses
from suffice.evaluation import cross_validate
from suffice.evaluation.protocols import RefitsTogether

from ..case import Case
from ..checking import Check, check
from ..conditions import classifies, predicts, weighs
from ..registry.data import SCALE, rows

SPLITTERS = {
    "folds": KFold(5),
    "shuffled folds": KFold(4, shuffle=True, random_state=0),
    "leave one out": LeaveOneOut(),
    "shuffles": ShuffleSplit(4, test_size=0.3, random_state=0),
    "time": TimeSeriesSplit(3, test_size=8),
    "repeated": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
}
HEAVY = ("leave one out", "shuffled folds", "repeated")


@dataclass
class Decided:
    """Classes without probabilities."""

    mode: np.ndarray


def refits(case: Case, splits, weight: np.ndarray | None = None) -> list[Any]:
    """Distributions of each fold by fitting anew: the definition."""
    out = []
    for train, test in splits:
        fitted = case.fit(train, *(() if weight is None else (weight[train],)))
        table = rows(case.data.X, test)
        can = hasattr(fitted, "predict_dist")
        out.append(fitted.predict_dist(table) if can else Decided(fitted.predict(table)))
    return out


def expected_ways(case: Case) -> tuple[str, ...]:
    """What may answer a validation."""
    model = case.model()
    if isinstance(model, RefitsTogether):
        return ("warm refit",) if model.why_not_together() is None else ("refit",)
    can = case.can
    return ("statistics", "closed form") if can.heldout else ("statistics",) if can.statistics else ("refit",)


def _tier(case: Case, splitter: str, weighted: bool) -> str:
    """Quick runs try three splitters without weights, long ones all of both.

    Single rows are left out at the defaults, and far from them where that has a formula of its own.
    """
    heavy, single = splitter in HEAVY, splitter == "leave one out"
    formula = bool(case.can.heldout) and not case.tier
    if (heavy and weighted) or (single and not (formula or case.setting == "default")):
        return "long"
    if case.entry.costly and splitter != "folds":
        return "long"  # it is refitted, and what refits does not look at the splitter
    return "slow" if heavy or weighted else ""


def _needs_proof(case: Case) -> bool:
    model = case.model()
    return isinstance(model, RefitsTogether) or not isinstance(model, FitsByPasses)


def _fast_validation_is_refitting(splitter: str, weighted: bool) -> Check:
    def run(case: Case) -> None:
        X, y = case.data.X, case.data.y
        weight = case.weight + 1 if weighted else None
        splits = list(SPLITTERS[splitter].split(y))
        fast = cross_validate(case.model(), X, y, cv=SPLITTERS[splitter], sample_weight=weight)
        assert fast.how in expected_ways(case)
        slow = refits(case, splits, weight)
        w = np.ones(len(y)) if weight is None else weight
        labels, tolerance = classifies(case), 1e-8 if case.entry.takes == "counts" else 1e-9  # of a logarithm
        decisions = [d.mode if labels else d.mean for d in slow]
        pairs = [(y[test], p) for (_, test), p in zip(splits, decisions, strict=True)]
        losses = [(t != p).astype(float) if labels else (t - p) ** 2 for t, p in pairs]
        folds = [np.average(v, weights=w[test]) for v, (_, test) in zip(losses, splits, strict=True)]
        np.testing.assert_allclose(fast.fold_losses, folds, rtol=1e-8, atol=1e-9 * SCALE**2)
        pooled, weights = np.concatenate(losses), np.concatenate([w[test] for _, test in splits])
        np.testing.assert_allclose(fast.estimate, np.average(pooled, weights=weights), rtol=1e-8)
        if isinstance(fast.predictions, np.ndarray):
            mine = [fast.predictions[test] for _, test in splits]
        else:
            mine = fast.predictions
        for a, b in zip(mine, decisions, strict=True):
            if labels:
                assert np.array_equal(a, b)
            else:
                assert np.max(np.abs(a - b) / np.maximum(np.abs(b), SCALE)) <= tolerance

    def shown(case: Case) -> bool:
        """What is refitted shows it with a few folds."""
        return not (splitter in HEAVY and expected_ways(case) == ("refit",))

    run.__name__ = f"{'weighted_' if weighted else ''}{splitter.replace(' ', '_')}"
    conditions = (predicts, _needs_proof, shown, *((weighs,) if weighted else ()))
    return check(*conditions, tier=lambda case: _tier(case, splitter, weighted))(run)


SPLIT = [
    _fast_validation_is_refitting(splitter, weighted) for splitter in SPLITTERS for weighted in (False, True)
]


@check(predicts)
def fast_validation_of_densities_is_refitting(case: Case) -> None:
    X, y, splits = case.data.X, case.data.y, list(KFold(4).split(case.data.y))
    if not case.can.predict_dist:
        with pytest.raises(Unsupported, match="needs predict_dist"):
            cross_validate(case.model(), X, y, cv=KFold(4), loss="log")
        return
    fast = cross_validate(case.model(), X, y, cv=KFold(4), loss="log")
    folds = [-np.mean(d.log_prob(y[t])) for (_, t), d in zip(splits, refits(case, splits), strict=True)]
    np.testing.assert_allclose(fast.fold_losses, folds, rtol=1e-9)
