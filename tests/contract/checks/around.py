"""scikit-learn around it: pipelines, searches, nested parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression as PlainRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice._core.params import Parametric

from ..case import Case
from ..checking import check
from ..conditions import classifies, predicts, real, regresses, transforms
from ..registry.data import rows


def scoring(case: Case) -> str | None:
    if not predicts(case) and not transforms(case):
        return None  # its own: the mean log density
    return "accuracy" if classifies(case) else "neg_mean_squared_error"


def grid(case: Case) -> dict[str, list]:
    """All values that the settings give to the first parameter they move."""
    settings, now = case.entry.settings.values(), case.model().get_params()
    for name, default in case.entry.cls().get_params(deep=False).items():
        if name == "C" and now["prior_precision"] is not None:
            continue  # one of the two
        if name == "basis" and now.get("prior_precision") == 0:
            continue  # forty rows and many columns are told apart without error, and likelihood has no maximum
        if values := [s[name] for s in settings if name in s]:
            return {name: [default, *values]}
    return {}


def piped(case: Case) -> Any:
    """Behind a scaler where its table has any numbers, before a regression where it transforms."""
    if transforms(case):
        return make_pipeline(case.model(), PlainRegression())
    return make_pipeline(StandardScaler(), case.model()) if real(case) else make_pipeline(case.model())


def together(case: Case) -> bool:
    """Folds have all that a fit needs: levels, terms and ranges of these rows are in every part of them."""
    return case.entry.takes not in ("categories", "documents", "mixed columns", "gaps")


@check(together)
def in_a_pipeline_and_a_search(case: Case) -> None:
    X, y, pipe = case.data.X, case.data.y, piped(case)
    assert np.isfinite(cross_val_score(pipe, X, y, cv=3, scoring=scoring(case))).all()
    if found := grid(case):
        name = pipe.steps[real(case) and not transforms(case)][0]
        space = {f"{name}__{k}": values for k, values in found.items()}
        search = GridSearchCV(pipe, space, cv=3, scoring=scoring(case)).fit(X, y)
        assert any(search.best_params_[k] is v for k, values in space.items() for v in values)
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@check(predicts)
def cross_val_score_is_a_refit_per_fold(case: Case) -> None:
    X, y = case.data.X, case.data.y
    scores = cross_val_score(case.model(), X, y, cv=KFold(3), scoring=scoring(case))
    folds = KFold(3).split(y)
    fits = [(y[b], case.fit(a).predict(rows(X, b))) for a, b in folds]
    if classifies(case):
        by_hand = [np.mean(t == p) for t, p in fits]
    else:
        by_hand = [-np.mean((t - p) ** 2) for t, p in fits]
    np.testing.assert_allclose(scores, by_hand, rtol=1e-12)


@check()
def nested_parameters_never_change_a_shared_value(case: Case) -> None:
    model = case.model()
    nested = {k: v for k, v in model.get_params().items() if isinstance(v, Parametric)}
    for name, value in nested.items():
        inner = {k: v for k, v in value.get_params().items() if k.endswith("degree")}
        for tail, degree in inner.items():
            other = clone(model).set_params(**{f"{name}__{tail}": degree + 1})
            assert other.get_params()[f"{name}__{tail}"] == degree + 1
            assert model.get_params()[f"{name}__{tail}"] == degree
            assert getattr(model, name) is value
            with pytest.raises(ValueError, match="degree"):
                clone(model).set_params(**{f"{name}__{tail}": -1})


@check(regresses)
def grid_search_over_a_degree(case: Case) -> None:
    model = case.model()
    if not (names := [k for k in model.get_params() if k.endswith("degree")]):
        return
    before, X, y = model.basis, case.data.X, case.data.y
    search = GridSearchCV(model, {names[0]: [1, 2, 3]}, cv=3, scoring="neg_mean_squared_error").fit(X, y)
    assert model.basis is before
    assert [p[names[0]] for p in search.cv_results_["params"]] == [1, 2, 3]
    best = case.model().set_params(**{names[0]: search.best_params_[names[0]]})
    case.assert_same(search.best_estimator_, 0.0, b=best.fit(X, y))
    assert len(set(search.cv_results_["mean_test_score"])) == 3
