"""How often a validation opens a table: once for all folds where the model allows it, once per fit elsewhere."""

from __future__ import annotations

from collections import Counter
from functools import wraps

import numpy as np
import pytest
from sklearn.model_selection import KFold, LeaveOneOut, RepeatedKFold, TimeSeriesSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice.bases import Polynomial
from suffice.evaluation import (
    GridSearchCV,
    SearchCV,
    cross_val_score,
    cross_validate,
    learning_curve,
    rank_features,
    select_features,
    two_layer,
    validate_path,
)
from suffice.generative import GaussianNB, LinearDiscriminantAnalysis
from suffice.glm import LogisticRegression
from suffice.linear import BayesianLinearRegression, Lasso, LinearRegression, Ridge

RNG = np.random.default_rng(4)
X = RNG.standard_normal((90, 4))
Y = X @ [1.0, -2.0, 0.5, 0.0] + RNG.standard_normal(90)
LABELS = (Y > 0).astype(int)
ALPHAS = [0.1, 1.0, 10.0]
SCALED = make_pipeline(StandardScaler(), Ridge())
FOLDS = {
    "whole number": 5,
    "single rows": LeaveOneOut(),
    "shuffled": KFold(6, shuffle=True, random_state=0),
    "repeated": RepeatedKFold(n_splits=4, n_repeats=3, random_state=0),
    "series": TimeSeriesSplit(4),
}


@pytest.fixture
def opened(monkeypatch):
    """Counts the calls of some methods of the class of a model."""

    def watch(model, *methods: str) -> Counter:
        calls: Counter = Counter()
        for name in methods:
            monkeypatch.setattr(type(model), name, counted(getattr(type(model), name), name, calls))
        return calls

    return watch


def counted(method, name, calls):
    @wraps(method)
    def call(self, *args, **named):
        calls[name] += 1
        return method(self, *args, **named)

    return call


@pytest.mark.parametrize("cv", FOLDS.values(), ids=FOLDS)
@pytest.mark.parametrize(
    ("model", "y"),
    [
        (LinearRegression(), Y),
        (Ridge(standardize=True), Y),
        (Lasso(0.1), Y),
        (BayesianLinearRegression(), Y),
        (LinearRegression(basis=Polynomial(2)), Y),
        (LinearDiscriminantAnalysis(), LABELS),
        (GaussianNB(), LABELS),
        (LogisticRegression(), LABELS),
    ],
    ids=lambda v: type(v).__name__,
)
def test_all_folds_share_one_opening(model, y, cv, opened):
    calls = opened(model, "door", "fit")
    result = cross_validate(model, X, y, cv=cv)
    assert result.how in ("statistics", "closed form", "warm refit")
    assert calls == {"door": 1}


@pytest.mark.parametrize("cv", FOLDS.values(), ids=FOLDS)
def test_all_penalties_share_it_too_and_squared_loss_never_visits_the_rows_again(cv, opened):
    calls = opened(Ridge(), "door", "fit", "predict", "predict_dist")
    path = validate_path(Ridge(), X, Y, "alpha", ALPHAS, cv)
    assert path.how in ("statistics", "closed form")
    assert calls == {"door": 1}


def test_penalties_of_warm_refits_share_it(opened):
    calls = opened(LogisticRegression(), "door", "fit")
    assert validate_path(LogisticRegression(), X, LABELS, "C", ALPHAS, 4).how == "warm refit"
    assert calls == {"door": 1}


def test_a_search_opens_once_and_fits_the_best_from_what_the_folds_left(opened):
    calls = opened(Ridge(), "door", "fit", "predict", "predict_dist")
    grid = {"alpha": ALPHAS, "standardize": [True, False]}
    assert SearchCV(Ridge(), grid, cv=5, return_train_score=True).fit(X, Y).how_ == "statistics"
    assert calls == {"door": 1}


def test_several_scores_share_it(opened):
    calls = opened(Ridge(), "door", "fit", "predict")
    cross_val_score(Ridge(), X, Y, scoring="r2")
    assert calls == {"door": 1}
    scoring = ["r2", "neg_mean_squared_error", "neg_root_mean_squared_error"]
    search = GridSearchCV(Ridge(), {"alpha": ALPHAS}, scoring=scoring, refit="r2").fit(X, Y)
    assert search.how_ == "statistics"
    assert calls == {"door": 3, "fit": 1}  # the search, and the fit of the best as scikit-learn does it


def test_steps_before_a_model_are_applied_once(opened):
    calls, scaler = opened(Ridge(), "door", "fit", "predict", "predict_dist"), opened(StandardScaler(), "fit")
    path = validate_path(SCALED, X, Y, "ridge__alpha", ALPHAS, 5)
    assert path.how == "statistics"
    assert calls == {"door": 1}
    assert not scaler


def test_two_layers_open_once_per_model(opened):
    calls = opened(Ridge(), "door", "fit")
    result = two_layer({"ridge": (Ridge(), {"alpha": ALPHAS})}, X, Y, outer=4, inner=3)
    assert result.validations["ridge"].how == "statistics"
    assert calls == {"door": 1}


def test_all_sizes_of_a_learning_curve_share_it(opened):
    calls = opened(LinearRegression(), "door", "fit", "predict", "predict_dist")
    assert (
        learning_curve(LinearRegression(), X, Y, sizes=[20, 40, 60], cv=4, random_state=0).how == "statistics"
    )
    assert calls == {"door": 1}


def test_all_subsets_of_columns_share_it(opened):
    calls = opened(LinearRegression(), "door", "fit", "predict", "predict_dist")
    assert select_features(LinearRegression(), X, Y, cv=5).how == "statistics"
    assert rank_features(LinearRegression(), X, Y, cv=5).how == "statistics"
    assert calls == {"door": 2}


def test_rows_left_out_by_steps_and_the_refits_that_check_them_share_it(opened):
    calls = opened(LogisticRegression(), "door", "fit")
    result = cross_validate(LogisticRegression(), X, LABELS, cv=LeaveOneOut(), approximate=True)
    assert result.how == "approximate leave-one-out"
    assert calls == {"door": 1}


def test_a_refit_opens_each_training_set_once(opened):
    model = LogisticRegression()
    calls = opened(model, "door", "fit")
    result = cross_validate(model, X, LABELS, cv=5, params={"sample_weight": np.ones(90)})
    assert result.how == "refit"
    assert calls == {"door": 5, "fit": 5}
