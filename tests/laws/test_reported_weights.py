"""A linear model is what it reports: a(x) = intercept_ + coef_ · x, with and without an intercept, in any units."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from suffice.glm import (
    GLM,
    BayesianLogisticRegression,
    BayesianPoissonRegression,
    LogisticRegression,
    PoissonRegression,
    ProbitRegression,
    SoftmaxRegression,
)
from suffice.linear import (
    ARDRegression,
    BayesianLinearRegression,
    ConjugateLinearRegression,
    Lasso,
    LeastAbsoluteDeviations,
    LeastMeanSquares,
    LinearRegression,
    QNormRegression,
    Ridge,
)

rng = np.random.default_rng(0)
N = 80
X = rng.normal(size=(N, 3)) * [1.0, 10.0, 0.1] + [5.0, -3.0, 2.0]
ETA = X @ [0.3, 0.05, -1.0]
NUMBERS = ETA + 0.3 * rng.normal(size=N)
LABELS = (rng.random(N) < 1 / (1 + np.exp(-ETA))).astype(int)
THREE = np.digitize(NUMBERS, [-1.0, 0.5])
COUNTS = rng.poisson(np.exp(np.clip(ETA, -3, 2)))
NEW = X[:7] + rng.normal(size=(7, 3))

MODELS = {
    "linear": (LinearRegression, {}, NUMBERS),
    "ridge": (Ridge, {}, NUMBERS),
    "lasso": (Lasso, {"alpha": 0.01}, NUMBERS),
    "q-norm": (QNormRegression, {"q": 3.0}, NUMBERS),
    "absolute": (LeastAbsoluteDeviations, {}, NUMBERS),
    "mean squares": (LeastMeanSquares, {"learning_rate": 1e-4}, NUMBERS),
    "Bayesian": (BayesianLinearRegression, {}, NUMBERS),
    "conjugate": (ConjugateLinearRegression, {}, NUMBERS),
    "relevance": (ARDRegression, {}, NUMBERS),
    "logistic": (LogisticRegression, {}, LABELS),
    "logistic of three": (LogisticRegression, {}, THREE),
    "softmax": (SoftmaxRegression, {"prior_precision": 0.1}, THREE),
    "softmax of two": (SoftmaxRegression, {"prior_precision": 0.1}, LABELS),
    "probit": (ProbitRegression, {"prior_precision": 0.1}, LABELS),
    "counts": (PoissonRegression, {}, COUNTS),
    "GLM": (GLM, {"likelihood": "poisson"}, COUNTS),
    "Bayesian logistic": (BayesianLogisticRegression, {}, LABELS),
    "Bayesian counts": (BayesianPoissonRegression, {}, COUNTS),
}


def fitted(kind, **options):
    cls, settings, y = MODELS[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a plane through the origin may tell classes apart
        return cls(**settings, **options).fit(X, y)


def linear_part(model, table):
    """a(x) as the model itself computes it, at the estimate."""
    if kind_of(model) == "posterior":
        return model.function_(table)[:, 0]  # predictions average over more than the estimate
    if hasattr(model, "linear_predictor"):
        return model.linear_predictor(table)
    return model.decision_function(table) if hasattr(model, "classes_") else model.predict(table)


def kind_of(model):
    return "posterior" if isinstance(model, BayesianLogisticRegression | BayesianPoissonRegression) else ""


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("kind", MODELS)
def test_predictions_are_intercept_and_weights(kind, fit_intercept, standardize):
    model = fitted(kind, fit_intercept=fit_intercept, standardize=standardize)
    said = np.ravel(model.intercept_) + NEW @ np.atleast_2d(model.coef_).T
    if kind == "softmax of two":
        said = said[:, 1:] - said[:, :1]
    scale = np.abs(said).max() + 1
    np.testing.assert_allclose(
        linear_part(model, NEW), said.squeeze() if said.shape[1] == 1 else said, atol=1e-9 * scale
    )
    if not fit_intercept and not standardize:
        assert not np.any(model.intercept_)


@pytest.mark.parametrize("kind", MODELS)
def test_without_an_intercept_standardized_columns_are_zero_at_their_mean(kind):
    """As behind a scaler; `intercept_` is the constant that this takes in the units of the table."""
    model = fitted(kind, fit_intercept=False, standardize=True)
    middle = X.mean(axis=0, keepdims=True)
    size = np.abs(linear_part(model, NEW)).max()
    np.testing.assert_allclose(linear_part(model, middle), 0.0, atol=1e-9 * size)
    constant = -(np.atleast_2d(model.coef_) @ middle[0])
    np.testing.assert_allclose(np.ravel(model.intercept_), constant, rtol=1e-9)
