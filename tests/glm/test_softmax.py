"""Softmax regression against statsmodels and scikit-learn, in both parametrizations."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from sklearn import linear_model

from suffice._core.errors import InvalidInput, RankDeficient, Separated
from suffice.glm import LogisticRegression, SoftmaxRegression

from .naive import log_softmax

rng = np.random.default_rng(21)
N = 300
X = rng.standard_normal((N, 2)) * [1.0, 4.0] + [1.0, -3.0]
SCORES = np.column_stack([X @ [1.0, -0.2], X @ [-0.5, 0.1] + 1.0, np.zeros(N)])
Y = np.argmax(SCORES + rng.gumbel(size=(N, 3)), axis=1)
NAMES = np.array(["ash", "birch", "cedar"])[Y]
WEIGHT = rng.integers(1, 4, N).astype(float)


def test_maximum_likelihood_is_that_of_statsmodels():
    """MNLogit is relative to the first class; ours, reduced, to the last: codes are turned around."""
    model = SoftmaxRegression(parametrization="reduced").fit(X, 2 - Y)
    other = sm.MNLogit(Y, sm.add_constant(X)).fit(disp=0, method="newton", maxiter=100, tol=1e-14)
    mine = np.column_stack([model.intercept_, model.coef_])[::-1]  # classes 1, 2 of theirs
    np.testing.assert_allclose(mine, other.params.T, rtol=1e-9)
    se = np.sqrt(np.diag(model.cov_params_)).reshape(2, 3)[::-1]
    np.testing.assert_allclose(se, other.bse.T, rtol=1e-7)
    assert model.log_likelihood_ == pytest.approx(other.llf, rel=1e-12)
    assert model.deviance_ == pytest.approx(-2 * other.llf, rel=1e-12)
    assert model.n_parameters_ == 6


@pytest.mark.parametrize("precision", [1e-4, 1.0, 50.0])
def test_full_is_scikit_learns(precision):
    model = SoftmaxRegression(prior_precision=precision).fit(X, NAMES, WEIGHT)
    other = linear_model.LogisticRegression(C=1 / precision, tol=1e-13, max_iter=10_000)
    other.fit(X, NAMES, WEIGHT)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-12)


def test_without_a_penalty_parametrizations_agree():
    full, reduced = (
        SoftmaxRegression().fit(X, NAMES),
        SoftmaxRegression(parametrization="reduced").fit(X, NAMES),
    )
    np.testing.assert_allclose(full.predict_proba(X), reduced.predict_proba(X), rtol=1e-9)
    np.testing.assert_allclose(full.coef_[:2] - full.coef_[2], reduced.coef_, rtol=1e-8)
    assert full.log_likelihood_ == pytest.approx(reduced.log_likelihood_, rel=1e-13)
    assert full.coef_.shape == (3, 2)
    assert reduced.coef_.shape == (2, 2)


def test_covariance_of_both_parametrizations():
    """Differences of the symmetric functions are the reduced ones, with their covariance."""
    full, reduced = (
        SoftmaxRegression().fit(X, NAMES),
        SoftmaxRegression(parametrization="reduced").fit(X, NAMES),
    )
    D = np.kron(np.array([[1.0, 0.0, -1.0], [0.0, 1.0, -1.0]]), np.eye(3))
    np.testing.assert_allclose(D @ full.cov_params_ @ D.T, reduced.cov_params_, rtol=1e-6, atol=1e-10)
    common = np.kron(np.ones((1, 3)), np.eye(3))
    np.testing.assert_allclose(common @ full.cov_params_ @ common.T, 0, atol=1e-12)


@pytest.mark.parametrize("options", [{}, {"prior_precision": 2.0}])
def test_two_classes_are_logistic_regression(options):
    two = np.where(NAMES == "ash", "ash", "not")
    reduced = SoftmaxRegression(parametrization="reduced", **options).fit(X, two)
    logistic = LogisticRegression(prior_precision=options.get("prior_precision", 0.0)).fit(X, two)
    np.testing.assert_allclose(-reduced.coef_, logistic.coef_, rtol=1e-9)
    np.testing.assert_allclose(
        reduced.decision_function(X), logistic.decision_function(X), rtol=1e-8, atol=1e-9
    )
    assert reduced.decision_function(X).shape == (N,)
    np.testing.assert_allclose(reduced.predict_proba(X), logistic.predict_proba(X), rtol=1e-9)


def test_two_classes_with_a_function_each():
    """‖w‖² + ‖−w‖² is half of what the difference 2w is charged by logistic regression."""
    two = np.where(NAMES == "ash", "ash", "not")
    full = SoftmaxRegression(prior_precision=2.0).fit(X, two)
    logistic = LogisticRegression(prior_precision=1.0).fit(X, two)
    np.testing.assert_allclose(full.coef_[1] - full.coef_[0], logistic.coef_[0], rtol=1e-9)


@pytest.mark.parametrize("parametrization", ["full", "reduced"])
@pytest.mark.parametrize("intercept", [True, False])
def test_summary_names_classes(parametrization, intercept):
    model = SoftmaxRegression(parametrization=parametrization, fit_intercept=intercept).fit(X, NAMES)
    summary = model.summary()
    classes = ["ash", "birch", "cedar"][: len(model.coef_)]
    terms = (["intercept"] if intercept else []) + ["x0", "x1"]
    assert list(summary.term) == [f"{c}: {t}" for c in classes for t in terms]
    assert len(summary.estimate) == len(summary.std_error) == len(model.cov_params_) == len(summary.term)


def test_log_likelihood_row_by_row():
    model = SoftmaxRegression(prior_precision=0.3).fit(X, NAMES, WEIGHT)
    a = model.intercept_ + X @ model.coef_.T
    by_hand = sum(w * log_softmax(c, row) for w, c, row in zip(WEIGHT, Y, a, strict=True))
    assert model.log_likelihood_ == pytest.approx(by_hand, rel=1e-12)
    own = model.predict_log_proba(X)[np.arange(N), Y]
    np.testing.assert_allclose(own, [log_softmax(c, row) for c, row in zip(Y, a, strict=True)], rtol=1e-10)


def test_classes_that_are_told_apart_warn():
    with pytest.warns(Separated, match="'x1'"):
        model = SoftmaxRegression().fit(X, np.digitize(X[:, 1], [-5.0, -1.0]))
    assert np.isfinite(model.coef_).all()
    assert model.score(X, np.digitize(X[:, 1], [-5.0, -1.0])) == 1.0


def test_one_class_apart_from_two_that_overlap():
    labels = np.where(X[:, 1] > 0, 2, np.minimum(Y, 1))
    with pytest.warns(Separated, match="'x1'"):
        model = SoftmaxRegression(parametrization="reduced").fit(X, labels)
    below = X[:, 1] <= 0
    pair = LogisticRegression(prior_precision=0).fit(X[below], labels[below])
    np.testing.assert_allclose(model.coef_[1] - model.coef_[0], pair.coef_[0], rtol=1e-4)


def test_duplicated_columns_share_their_weights():
    table = np.column_stack([X, X[:, 0]])
    with pytest.warns(RankDeficient, match="'x(0|2)' are not determined"):
        model = SoftmaxRegression().fit(table, NAMES)
    plain = SoftmaxRegression().fit(X, NAMES)
    np.testing.assert_allclose(model.coef_[:, 0], plain.coef_[:, 0] / 2, rtol=1e-7)
    np.testing.assert_allclose(model.coef_[:, 2], plain.coef_[:, 0] / 2, rtol=1e-7)
    np.testing.assert_allclose(model.predict_proba(table), plain.predict_proba(X), rtol=1e-8)


def test_one_class_is_refused():
    with pytest.raises(InvalidInput, match="at least 2 classes.*'ash'"):
        SoftmaxRegression().fit(X, np.full(N, "ash"))


@pytest.mark.parametrize("n_classes", [7, 12])
def test_many_classes(n_classes):
    table = rng.standard_normal((400, 3))
    labels = np.argmax(
        table @ rng.standard_normal((3, n_classes)) + rng.gumbel(size=(400, n_classes)), axis=1
    )
    model = SoftmaxRegression(prior_precision=1.0).fit(table, labels)
    other = linear_model.LogisticRegression(C=1.0, tol=1e-12, max_iter=10_000).fit(table, labels)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(table).sum(axis=1), 1.0, rtol=1e-14)
