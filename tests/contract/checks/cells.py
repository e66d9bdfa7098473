"""The table of capabilities, cell by cell: what it promises is there, and what it does not is not."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import KFold, LeaveOneOut

from suffice._core.errors import InvalidInput, Unsupported
from suffice.distributions import Distribution
from suffice.engine.protocols import FitsByPasses, FromStatistics
from suffice.statistics.folds import as_folds

from .. import brute
from ..case import Case, answer
from ..checking import check
from ..conditions import classifies, default, numeric, predicts, transforms
from ..registry import is_density
from ..registry.data import SCALE
from .refusing import named
from .validating import refits


@check(default, numeric)
def missing_cells(case: Case) -> None:
    holes, last = case.data.X.copy(), case.data.X.shape[1] - 1
    holes[4, last] = np.nan
    if case.can.nan:
        model = case.model().fit(holes, case.data.y)
        assert np.isfinite(answer(model, case.data.new)).all() or case.entry.takes == "gaps"
    else:
        with pytest.raises(InvalidInput, match=named("NaN", 4, f"x{last}")):
            case.model().fit(holes, case.data.y)


@check(default)
def weights(case: Case) -> None:
    y = case.data.y
    if case.can.weights:
        high = y == np.unique(y)[0] if classifies(case) else y > np.median(y)
        heavy = np.where(high, 50.0, 1.0)  # enough to change even the most frequent class
        weighted = case.fit(slice(None), heavy)
        answers = case.answers_of(weighted)
        alike = all(np.allclose(answers[k], v, equal_nan=True) for k, v in case.answers.items())
        assert not alike or (case.can.statistics and weighted.statistics_ != case.fitted.statistics_)
    else:
        with pytest.raises(TypeError, match="positional argument|sample_weight"):
            case.model().fit(case.data.X, y, case.weight)


@check(default)
def statistics(case: Case) -> None:
    model = case.model()
    assert isinstance(model, FromStatistics) == bool(case.can.statistics)
    assert hasattr(case.fitted, "statistics_") == (
        bool(case.can.statistics) or isinstance(model, FitsByPasses)
    )


@check(predicts, every=True)
def heldout(case: Case) -> None:
    """Where there is a closed form it is refitting; where there is none for a setting, it says so."""
    model, labels = case.model(), classifies(case)
    assert hasattr(model, "heldout") == bool(case.can.heldout)
    if not case.can.heldout:
        return
    X, y = case.data.X, case.data.y
    splits = list((LeaveOneOut() if labels else KFold(15)).split(y))  # classifiers leave out single rows
    if model.why_not_held_out(as_folds(splits, len(y))):
        with pytest.raises(Unsupported, match="no closed form here"):
            model.heldout(X, y, splits)
        return
    whole = model.heldout(X, y, splits)
    for (_, test), slow in zip(splits, refits(case, splits), strict=True):
        if labels:
            np.testing.assert_allclose(whole.probabilities[test], slow.probabilities, rtol=1e-9, atol=1e-12)
            continue
        np.testing.assert_allclose(whole[test].mean, slow.mean, rtol=1e-9, atol=1e-9 * SCALE)
        np.testing.assert_allclose(whole[test].std, slow.std, rtol=1e-8)


@check(default, lambda case: bool(case.can.heldout))
def some_setting_is_held_out(case: Case) -> None:
    n = len(case.data.y)
    splits = as_folds(list((LeaveOneOut() if classifies(case) else KFold(15)).split(case.data.y)), n)
    assert any(
        not case.entry.cls(**parameters).why_not_held_out(splits)
        for parameters in case.entry.settings.values()
    )


@check(every=True)
def evidence(case: Case) -> None:
    X, y, several, weight = case.data.X, case.data.y, case.data.several, case.weight
    there = bool(case.can.evidence) and case.setting not in case.entry.without_evidence
    assert hasattr(case.fitted, "log_evidence_") == there
    if not there:
        return
    if case.fitted.evidence_kind_ == "laplace":
        assert case.entry.name.startswith("glm.")  # approximations have oracles of their own, in tests/glm
        return
    assert case.fitted.evidence_kind_ == "exact"
    if classifies(case):
        return  # oracles in tests/generative
    np.testing.assert_allclose(case.fitted.log_evidence_, brute.log_evidence(case.fitted, X, y), rtol=1e-9)
    model = case.fit(slice(None), weight)
    np.testing.assert_allclose(model.log_evidence_, brute.log_evidence(model, X, y, weight), rtol=1e-9)
    alone = [case.model().fit(X, several[:, j]).log_evidence_ for j in range(2)]
    np.testing.assert_allclose(case.model().fit(X, several).log_evidence_, sum(alone), rtol=1e-9)


@check(default)
def predict_dist(case: Case) -> None:
    if case.entry.kind == "density" and not case.can.predict_dist:
        with pytest.raises(Unsupported, match="there is no distribution"):
            case.fitted.predict_dist(case.data.new, target=0)
        return
    assert hasattr(case.model(), "predict_dist") == bool(case.can.predict_dist)
    if not classifies(case) and case.entry.kind != "clusterer":  # whose decisions may have no probabilities
        assert bool(case.can.predict_dist) == (not transforms(case))
    if case.can.predict_dist:
        column = {"target": 0} if is_density(case.fitted) else {}
        assert isinstance(case.fitted.predict_dist(case.data.new, **column), Distribution)


@check(default)
def sparse(case: Case) -> None:
    assert case.model().__sklearn_tags__().input_tags.sparse == bool(case.can.sparse)


@check(default)
def partial_fit(case: Case) -> None:
    assert hasattr(case.model(), "partial_fit") == bool(case.can.partial_fit)
