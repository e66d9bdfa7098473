"""With metadata routing: what `set_fit_request` keeps weights from is fitted without; the average counts them."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.model_selection import KFold, LeaveOneOut
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from suffice._core.errors import InvalidInput, Unsupported
from suffice.evaluation import (
    SearchCV,
    cross_validate,
    learning_curve,
    select_features,
    two_layer,
    validate_path,
)
from suffice.generative import GaussianNB, LinearDiscriminantAnalysis
from suffice.glm import LogisticRegression
from suffice.linear import Ridge

rng = np.random.default_rng(5)
N = 60
X = rng.standard_normal((N, 3)) * [1.0, 2.0, 3.0]
y = X @ [1.0, 2.0, 3.0] + rng.standard_normal(N)
LABELS = (y > 0).astype(int)
WEIGHT = rng.integers(1, 6, N).astype(float)
FOLDS = KFold(3)
ASKED = {True: True, False: False, None: True}  # who has no request is given weights


@pytest.fixture(autouse=True)
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def alone(kind, request, **options):
    return kind(**options).set_fit_request(sample_weight=request)


def piped(scaler, model, kind=Ridge):
    return Pipeline([("scale", alone(StandardScaler, scaler)), ("model", alone(kind, model, alpha=10.0))])


def weighted(request, rows):
    return WEIGHT[rows] if ASKED[request] else None


def honest(fold_loss):
    return [fold_loss(train, test) for train, test in FOLDS.split(X)]


def of_ridge(scaler, model, alpha=10.0, columns=slice(None)):
    def loss(train, test):
        Z = X[:, columns]
        steps = StandardScaler().fit(Z[train], sample_weight=weighted(scaler, train))
        last = TheirRidge(alpha).fit(steps.transform(Z[train]), y[train], weighted(model, train))
        return np.average((y[test] - last.predict(steps.transform(Z[test]))) ** 2, weights=WEIGHT[test])

    return honest(loss)


@pytest.mark.parametrize("kind", [Ridge, TheirRidge])
@pytest.mark.parametrize("model", [None, True, False])
@pytest.mark.parametrize("scaler", [None, True, False])
def test_steps_are_given_the_weights_they_request(scaler, model, kind):
    found = cross_validate(piped(scaler, model, kind), X, y, cv=FOLDS, sample_weight=WEIGHT)
    np.testing.assert_allclose(found.fold_losses, of_ridge(scaler, model), rtol=1e-9)
    fast = kind is Ridge and ASKED[scaler] and ASKED[model]
    assert found.how == ("statistics" if fast else "refit")
    if kind is Ridge and not fast:
        assert "does not request sample_weight" in found.notes[0]


def test_processes_obey_too():
    found = cross_validate(piped(False, True, TheirRidge), X, y, cv=FOLDS, sample_weight=WEIGHT, n_jobs=2)
    np.testing.assert_allclose(found.fold_losses, of_ridge(False, True), rtol=1e-9)


@pytest.mark.parametrize(
    ("kind", "options"),
    [(LogisticRegression, {}), (LinearDiscriminantAnalysis, {}), (GaussianNB, {"var_smoothing": 0.0})],
)
@pytest.mark.parametrize("request_", [None, True, False])
def test_models_are_given_the_weights_they_request(kind, options, request_):
    def loss(train, test):
        fitted = kind(**options).fit(X[train], LABELS[train], weighted(request_, train))
        p = fitted.predict_proba(X[test])[np.arange(len(test)), LABELS[test]]
        return np.average(-np.log(p), weights=WEIGHT[test])

    model = alone(kind, request_, **options)
    found = cross_validate(model, X, LABELS, cv=FOLDS, loss="log", sample_weight=WEIGHT)
    np.testing.assert_allclose(found.fold_losses, honest(loss), rtol=1e-7)


def test_every_function_obeys():
    model, alphas = piped(False, False), [0.1, 10.0]
    expected = np.array([of_ridge(False, False, a) for a in alphas])
    path = validate_path(model, X, y, "model__alpha", alphas, FOLDS, sample_weight=WEIGHT)
    np.testing.assert_allclose(path.fold_test, expected, rtol=1e-9)
    search = SearchCV(model, {"model__alpha": alphas}, cv=FOLDS).fit(X, y, sample_weight=WEIGHT)
    np.testing.assert_allclose(search.scores_.test, expected, rtol=1e-9)
    best = clone(model).set_params(**search.best_params_).fit(X, y)
    np.testing.assert_allclose(search.predict(X), best.predict(X), rtol=1e-9)
    curve = learning_curve(model, X, y, sizes=[40], cv=FOLDS, shuffle=False, sample_weight=WEIGHT)
    sizes = [WEIGHT[test].sum() for _, test in FOLDS.split(X)]
    np.testing.assert_allclose(curve.test[0], np.average(expected[1], weights=sizes), rtol=1e-9)
    features = select_features(
        alone(Ridge, False, alpha=10.0), X, y, cv=FOLDS, n_features=1, sample_weight=WEIGHT
    )
    (column,) = features.selected
    one = validate_path(alone(Ridge, False), X[:, [column]], y, "alpha", [10.0], FOLDS, sample_weight=WEIGHT)
    np.testing.assert_allclose(features.errors[-1], one.test[0], rtol=1e-9)
    layers = two_layer(
        {"r": (model, {"model__alpha": [10.0]})}, X, y, outer=FOLDS, inner=2, sample_weight=WEIGHT
    )
    np.testing.assert_allclose(layers.errors["r"], expected[1], rtol=1e-9)


def test_what_params_gives_and_no_request_takes_is_refused():
    with pytest.raises(
        InvalidInput, match=r"Ridge does not request: its set_fit_request says sample_weight=False"
    ):
        cross_validate(alone(Ridge, False), X, y, cv=FOLDS, params={"sample_weight": WEIGHT})
    found = cross_validate(alone(Ridge, True), X, y, cv=FOLDS, params={"sample_weight": WEIGHT})
    assert found.how == "refit"


def test_rows_are_not_left_out_nearly_with_weights_that_are_not_requested():
    with pytest.raises(Unsupported, match="it .LogisticRegression. does not request sample_weight"):
        cross_validate(
            alone(LogisticRegression, False), X, LABELS, cv=LeaveOneOut(), loss="log",
            sample_weight=WEIGHT, approximate=True,
        )  # fmt: skip


def test_requests_say_nothing_without_routing():
    model = piped(False, False)
    with sklearn.config_context(enable_metadata_routing=False):
        found = cross_validate(model, X, y, cv=FOLDS, sample_weight=WEIGHT)
    np.testing.assert_allclose(found.fold_losses, of_ridge(True, True), rtol=1e-9)
    assert found.how == "statistics"
