"""BayesianRidge takes scikit-learn's steps, and its precisions are where the objective is flat."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import BayesianRidge as Theirs

import suffice
from suffice._core.errors import InvalidParameter, NotConverged
from suffice.linear import ARDRegression, BayesianLinearRegression, BayesianRidge

X, y = load_diabetes(return_X_y=True)
W = np.random.default_rng(0).uniform(0.2, 2, len(y))
SETTINGS = [
    {},
    {"fit_intercept": False},
    {"tol": 1e-10, "alpha_1": 0.5, "lambda_2": 2.0, "compute_score": True},
    {"alpha_init": 3.0, "lambda_init": 0.1, "compute_score": True},
]


@pytest.mark.parametrize("weight", [None, W], ids=["plain", "weighted"])
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_the_same_steps(options, weight):
    mine, other = BayesianRidge(**options).fit(X, y, weight), Theirs(**options).fit(X, y, weight)
    assert mine.n_iter_ == other.n_iter_
    for name in ("alpha_", "lambda_", "coef_", "intercept_", "X_offset_", "X_scale_"):
        np.testing.assert_allclose(
            getattr(mine, name), getattr(other, name), rtol=1e-9, atol=1e-9, err_msg=name
        )
    np.testing.assert_allclose(mine.sigma_, other.sigma_, rtol=1e-9, atol=1e-9)
    # their last score is of the weights before the last step
    np.testing.assert_allclose(mine.scores_[:-1], other.scores_[:-1], rtol=1e-12)
    for a, b in zip(mine.predict(X[:9], return_std=True), other.predict(X[:9], return_std=True), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)


@pytest.mark.parametrize("shape", [(5, 9), (9, 5)])
def test_more_columns_than_rows(shape):
    rng = np.random.default_rng(1)
    A, b = rng.standard_normal(shape), rng.standard_normal(shape[0])
    mine, other = BayesianRidge(compute_score=True).fit(A, b), Theirs(compute_score=True).fit(A, b)
    assert mine.n_iter_ == other.n_iter_
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(mine.scores_[:-1], other.scores_[:-1], rtol=1e-9)


def test_the_steps_end_where_the_objective_is_flat():
    """By differences of the score in both logarithms, at a hard tolerance."""
    fitted = BayesianRidge(tol=1e-13, max_iter=5000, alpha_1=2, alpha_2=300.0, lambda_1=1, lambda_2=50.0).fit(
        X, y
    )
    given = {
        "max_iter": 1,
        "compute_score": True,
        "alpha_1": 2,
        "alpha_2": 300.0,
        "lambda_1": 1,
        "lambda_2": 50.0,
    }

    def height(a, b):
        start = {"alpha_init": fitted.alpha_ * np.exp(a), "lambda_init": fitted.lambda_ * np.exp(b)}
        return Theirs(**given, **start).fit(X, y).scores_[0]

    h = 1e-3
    bend = height(h, 0) - 2 * height(0, 0) + height(-h, 0)
    assert bend < 0
    assert abs(height(h, 0) - height(-h, 0)) < 1e-2 * abs(bend) / h
    assert abs(height(0, h) - height(0, -h)) < 1e-2 * abs(bend) / h


def test_without_priors_it_is_bayesian_linear_regression():
    """The maximum of the evidence, but for n in place of n − 1 under a flat constant: so through the origin."""
    A, b = X - X.mean(axis=0), y - y.mean()
    none = dict.fromkeys(("alpha_1", "alpha_2", "lambda_1", "lambda_2"), 0.0)
    mine = BayesianRidge(tol=1e-13, max_iter=5000, fit_intercept=False, **none).fit(A, b)
    other = BayesianLinearRegression(fit_intercept=False).fit(A, b)
    assert mine.alpha_ == pytest.approx(other.noise_precision_, rel=1e-8)
    assert mine.lambda_ == pytest.approx(other.prior_precision_, rel=1e-8)
    assert mine.log_evidence_ == pytest.approx(other.log_evidence_, rel=1e-12)


def test_pieces_files_and_limits(tmp_path):
    half = len(y) // 2
    merged = suffice.merge([BayesianRidge().fit(X[:half], y[:half]), BayesianRidge().fit(X[half:], y[half:])])
    whole = BayesianRidge().fit(X, y)
    np.testing.assert_allclose(merged.coef_, whole.coef_, rtol=1e-9)
    suffice.save(whole, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    np.testing.assert_array_equal(again.predict_dist(X[:3]).std, whole.predict_dist(X[:3]).std)
    with pytest.warns(NotConverged, match="had not settled after max_iter = 2 steps"):
        BayesianRidge(max_iter=2, tol=1e-12).fit(X, y)
    with pytest.raises(InvalidParameter, match="lambda_init must be a number > 0; got 0"):
        BayesianRidge(lambda_init=0).fit(X, y)


def test_relevance_under_scikit_learns_names():
    model = ARDRegression(compute_score=True).fit(X, y)
    kept = np.isfinite(model.lambda_)
    assert model.sigma_.shape == (kept.sum(), kept.sum())
    np.testing.assert_allclose(model.sigma_, model.posterior_.cov[1:, 1:][np.ix_(kept, kept)], rtol=1e-12)
    assert model.alpha_ == model.noise_precision_
    np.testing.assert_array_equal(model.scores_, model.trace_.objective)
    mean, std = model.predict(X[:5], return_std=True)
    np.testing.assert_allclose(std**2, model.predict_dist(X[:5]).var - 1 / (model.alpha_ * len(y)), rtol=1e-9)
    np.testing.assert_array_equal(mean, model.predict(X[:5]))
    with pytest.raises(
        InvalidParameter, match="alpha_1 must be 1e-6 or 0, which stand for no gamma prior.*got 2"
    ):
        ARDRegression(alpha_1=2).fit(X, y)
