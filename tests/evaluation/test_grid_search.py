"""GridSearchCV, RandomizedSearchCV and the functions of validation give scikit-learn's numbers without its refits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import loguniform
from sklearn import model_selection as theirs
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice import evaluation as ours
from suffice.generative import GaussianNB, LinearDiscriminantAnalysis
from suffice.glm import LogisticRegression
from suffice.linear import Lasso, Ridge

X, y = load_diabetes(return_X_y=True)
A, labels = load_iris(return_X_y=True)
NUMBERS, CLASSES = (X, y), (A, labels)
SCALED = make_pipeline(StandardScaler(), Ridge())
CASES = [
    (Ridge(), {"alpha": [0.1, 1, 10]}, None, NUMBERS),
    (Ridge(), {"alpha": [0.1, 1], "fit_intercept": [True, False]}, ["r2", "neg_mean_squared_error"], NUMBERS),
    (Lasso(), {"alpha": [0.1, 1.0]}, {"a": "neg_max_error", "b": "neg_mean_absolute_error"}, NUMBERS),
    (SCALED, {"ridge__alpha": [1, 10.0]}, "neg_root_mean_squared_error", NUMBERS),
    (GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}, None, CLASSES),
    (LogisticRegression(), [{"C": [0.1, 10]}, {"fit_intercept": [False]}], "neg_log_loss", CLASSES),
    (LinearDiscriminantAnalysis(), {"shrinkage": [None, 0.1]}, "f1_macro", CLASSES),
]


def refitted_never(monkeypatch):
    """Make scikit-learn's own road fail."""
    monkeypatch.setattr(theirs._search, "_fit_and_score", None)
    monkeypatch.setattr(theirs._validation, "_fit_and_score", None)


def same_results(mine, other):
    assert set(mine) == set(other)
    for key, values in other.items():
        if key.startswith("param"):
            assert list(mine[key]) == list(values)
            assert getattr(mine[key], "dtype", None) == getattr(values, "dtype", None)
        elif not key.endswith("_time"):
            np.testing.assert_allclose(mine[key], values, rtol=1e-6, atol=1e-9, err_msg=key)


@pytest.mark.parametrize(("model", "grid", "scoring", "data"), CASES, ids=[str(c[2]) for c in CASES])
def test_the_same_results_without_a_refit(model, grid, scoring, data, monkeypatch):
    several = isinstance(scoring, list | dict)
    given = {
        "scoring": scoring,
        "return_train_score": True,
        "refit": next(iter(scoring)) if several else True,
    }
    other = theirs.GridSearchCV(model, grid, **given).fit(*data)
    refitted_never(monkeypatch)
    mine = ours.GridSearchCV(model, grid, **given).fit(*data)
    assert mine.how_ in ("statistics", "warm refit")
    same_results(mine.cv_results_, other.cv_results_)
    assert mine.best_params_ == other.best_params_
    assert mine.best_index_ == other.best_index_
    assert mine.best_score_ == pytest.approx(other.best_score_, rel=1e-6)
    assert mine.multimetric_ == other.multimetric_
    np.testing.assert_allclose(mine.predict(data[0]), other.predict(data[0]), rtol=1e-6)
    assert mine.score(*data) == pytest.approx(other.score(*data), rel=1e-6)


@pytest.mark.parametrize(
    "cv",
    [
        3,
        theirs.KFold(4),
        theirs.ShuffleSplit(4, random_state=1),
        theirs.RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    ],
)
def test_any_folds_that_can_be_asked_for_twice(cv, monkeypatch):
    grid = {"alpha": [0.1, 1.0]}
    other = theirs.GridSearchCV(Ridge(), grid, cv=cv).fit(X, y)
    refitted_never(monkeypatch)
    same_results(ours.GridSearchCV(Ridge(), grid, cv=cv).fit(X, y).cv_results_, other.cv_results_)


def test_the_candidates_of_a_random_search_are_theirs(monkeypatch):
    given = {"param_distributions": {"alpha": loguniform(1e-3, 10)}, "n_iter": 7, "random_state": 3}
    other = theirs.RandomizedSearchCV(Ridge(), **given).fit(X, y)
    refitted_never(monkeypatch)
    same_results(ours.RandomizedSearchCV(Ridge(), **given).fit(X, y).cv_results_, other.cv_results_)


def test_what_statistics_cannot_answer_is_refitted():
    cases = [
        (TheirRidge(), None, 5, {}),
        (Ridge(), lambda model, X, y: -1.0, 5, {}),
        (Ridge(), None, theirs.KFold(3).split(X), {}),
        (Ridge(), None, theirs.KFold(3, shuffle=True), {}),
        (Ridge(), None, 5, {"sample_weight": np.ones(len(y))}),
    ]
    for model, scoring, cv, given in cases:
        search = ours.GridSearchCV(model, {"alpha": [1.0]}, scoring=scoring, cv=cv).fit(X, y, **given)
        assert search.how_ == "refit"


@pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
class OnceOnly(theirs.KFold):
    """Folds that can be asked for once."""

    asked = 0

    def split(self, X, y=None, groups=None):
        self.asked += 1
        return super().split(X, y, groups) if self.asked == 1 else iter(())


def test_folds_of_an_unknown_kind_are_asked_for_once():
    """Also where the kind is defined within scikit-learn's package, as those of its tests are."""
    for module in (__name__, "sklearn.model_selection.tests.common"):
        kind = type("OnceOnly", (OnceOnly,), {"__module__": module})
        search = ours.GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, cv=kind(5)).fit(X, y)
        assert search.how_ == "refit"
        assert np.isfinite(search.cv_results_["split4_test_score"]).all()


@pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
def test_a_fit_that_fails_is_scikit_learns_matter():
    search = ours.GridSearchCV(Ridge(), {"alpha": [1.0, -1.0]}, cv=3)
    with pytest.warns(FitFailedWarning, match="3 fits failed out of a total of 6"):
        search.fit(X, y)
    assert np.isnan(search.cv_results_["mean_test_score"][1])
    assert search.best_params_ == {"alpha": 1.0}


def test_constant_targets_in_a_fold_are_theirs_too():
    flat = np.where(np.arange(len(y)) < 100, 1.0, y)
    cv = theirs.KFold(5)
    expected = theirs.cross_val_score(Ridge(), X, flat, cv=cv)
    np.testing.assert_allclose(ours.cross_val_score(Ridge(), X, flat, cv=cv), expected, rtol=1e-9)


def test_functions(monkeypatch):
    """cross_val_score, cross_val_predict and validation_curve, of numbers and of classes."""
    path = {"param_name": "alpha", "param_range": [0.1, 1.0, 10.0], "cv": 4}
    expected = [
        theirs.cross_val_score(Ridge(), X, y),
        theirs.cross_val_score(GaussianNB(), A, labels, scoring="accuracy", cv=3),
        theirs.cross_val_predict(Ridge(), X, y, cv=4),
        theirs.cross_val_predict(GaussianNB(), A, labels, method="predict_proba"),
        theirs.cross_val_predict(GaussianNB(), A, labels),
        *theirs.validation_curve(Ridge(), X, y, **path),
    ]
    refitted_never(monkeypatch)
    monkeypatch.setattr(theirs._validation, "_fit_and_predict", None)
    found = [
        ours.cross_val_score(Ridge(), X, y),
        ours.cross_val_score(GaussianNB(), A, labels, scoring="accuracy", cv=3),
        ours.cross_val_predict(Ridge(), X, y, cv=4),
        ours.cross_val_predict(GaussianNB(), A, labels, method="predict_proba"),
        ours.cross_val_predict(GaussianNB(), A, labels),
        *ours.validation_curve(Ridge(), X, y, **path),
    ]
    for mine, other in zip(found, expected, strict=True):
        assert mine.dtype == other.dtype
        np.testing.assert_allclose(mine, other, rtol=1e-9)


def test_functions_take_any_estimator_and_argument():
    w = np.linspace(0.1, 2, len(y))
    given = {"params": {"sample_weight": w}, "cv": 3, "n_jobs": 1}
    for model in (TheirRidge(), Ridge()):
        expected = theirs.cross_val_score(TheirRidge(), X, y, **given)
        np.testing.assert_allclose(ours.cross_val_score(model, X, y, **given), expected, rtol=1e-9)
        predicted = theirs.cross_val_predict(TheirRidge(), X, y, **given)
        np.testing.assert_allclose(ours.cross_val_predict(model, X, y, **given), predicted, rtol=1e-9)


@pytest.mark.parametrize("estimators", [False, True])
def test_a_validation_answers_as_their_dictionary(estimators):
    given = {"scoring": ["r2", "neg_mean_squared_error"], "return_train_score": True}
    given |= {"return_estimator": estimators, "cv": 4}
    expected = theirs.cross_validate(Ridge(), X, y, **given)
    result = ours.cross_validate(Ridge(), X, y, **given)
    assert set(result.scores) == set(expected)
    for key in ("test_r2", "train_neg_mean_squared_error"):
        np.testing.assert_allclose(result[key], expected[key], rtol=1e-9)
    np.testing.assert_allclose(-result["test_neg_mean_squared_error"], result.fold_losses, rtol=1e-9)
    if estimators:
        np.testing.assert_allclose(result["estimator"][2].coef_, expected["estimator"][2].coef_, rtol=1e-9)


def test_scores_that_nobody_asked_for():
    with pytest.raises(
        KeyError, match="test_score: of scores, none were asked for. Give cross_validate scoring="
    ):
        ours.cross_validate(Ridge(), X, y)["test_score"]
    with pytest.raises(KeyError, match="test_r2: of scores, there are fit_time, score_time, test_score"):
        ours.cross_validate(Ridge(), X, y, scoring="r2")["test_r2"]


def test_re_exports():
    assert ours.train_test_split is theirs.train_test_split
    assert ours.HalvingGridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, min_resources=100).fit(X, y).best_params_
