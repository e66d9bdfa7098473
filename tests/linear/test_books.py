"""Presets are the texts' conventions, and the variance of maximum likelihood is used wherever it is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold, LeaveOneOut

import suffice
from suffice.bases import Polynomial
from suffice.datasets import olympic_100m_men
from suffice.distributions import MultivariateNormal
from suffice.evaluation import cross_validate
from suffice.linear import (
    BayesianLinearRegression,
    LinearRegression,
    evidence_path,
    large_sample_precisions,
    weight_surface,
)

MEN = olympic_100m_men()


def draw(seed, n=15, d=2):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, 1 + X @ rng.standard_normal(d) + 0.4 * rng.standard_normal(n)


@pytest.mark.parametrize("text", ["fcml", "prml", "herbst"])
def test_least_squares_plugs_in_the_maximum_likelihood_variance(text):
    X, y = draw(0)
    model, plain = LinearRegression.book(text).fit(X, y), LinearRegression().fit(X, y)
    assert model.noise_variance_ml_ == pytest.approx(np.mean((y - model.predict(X)) ** 2), rel=1e-12)
    share = model.noise_variance_ml_ / model.noise_variance_
    assert share == pytest.approx(1 - 3 / 15, rel=1e-12)
    np.testing.assert_allclose(model.cov_params_, share * plain.cov_params_, rtol=1e-12)
    np.testing.assert_allclose(model.cov_params_ @ model.fisher_information_, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(model.summary().std_error ** 2, np.diag(model.cov_params_), rtol=1e-12)
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-14)
    for noise in (True, False):
        d, other = model.predict_dist(X, noise=noise), plain.predict_dist(X, noise=noise)
        np.testing.assert_allclose(d.scale**2, share * other.scale**2, rtol=1e-12)
        np.testing.assert_allclose(d.var, d.scale**2, rtol=1e-12)  # a normal distribution
        np.testing.assert_allclose(d.mean, other.mean, rtol=1e-14)


def test_its_intervals_are_normal():
    X, y = draw(1)
    s = LinearRegression.book().fit(X, y).summary(0.95)
    np.testing.assert_allclose((s.high - s.low) / s.std_error, 2 * 1.959963984540054, rtol=1e-10)
    assert np.all(s.p <= 1)


@pytest.mark.parametrize(
    "folds", [KFold(5, shuffle=True, random_state=0), LeaveOneOut()], ids=["five", "each"]
)
def test_validation_uses_the_same_variance(folds):
    X, y = draw(2, n=40)
    model = LinearRegression.book()
    expected = np.empty(40)
    for train, test in folds.split(X):
        d = clone(model).fit(X[train], y[train]).predict_dist(X[test])
        expected[test] = -d.log_prob(y[test])
    found = cross_validate(model, X, y, cv=folds, loss="log")
    assert found.estimate == pytest.approx(expected.mean(), rel=1e-10)


def test_a_preset_is_saved_and_cloned(tmp_path):
    model = LinearRegression.book("fcml", basis=Polynomial(2)).fit((MEN.X - 1896) / 40, MEN.y)
    suffice.save(model, tmp_path / "line.suffice")
    again = suffice.load(tmp_path / "line.suffice")
    assert again.variance == "ml"
    np.testing.assert_array_equal(again.cov_params_, model.cov_params_)
    assert clone(model).get_params()["variance"] == "ml"


def test_a_covariance_of_the_text_is_used_as_given():
    X, y = draw(3)
    S = np.array([[4.0, 0.5, 0.0], [0.5, 1.0, -0.2], [0.0, -0.2, 2.0]])
    model = BayesianLinearRegression.book(S, 0.3, text="fcml").fit(X, y)
    A = np.column_stack([np.ones(15), X])
    precision = np.linalg.inv(S) + A.T @ A / 0.3  # FCML 3.21 and 3.22
    np.testing.assert_allclose(model.posterior_.cov, np.linalg.inv(precision), rtol=1e-10)
    np.testing.assert_allclose(model.posterior_.mean, np.linalg.solve(precision, A.T @ y / 0.3), rtol=1e-10)
    evidence = MultivariateNormal(np.zeros(15), 0.3 * np.eye(15) + A @ S @ A.T).log_prob(y)  # FCML 3.28
    assert model.log_evidence_ == pytest.approx(evidence, rel=1e-10)


def test_one_variance_and_precisions_are_the_same_model():
    X, y = draw(4)
    fits = [
        BayesianLinearRegression.book(0.5, 0.04, text="fcml"),
        BayesianLinearRegression.book(2.0, 25.0, text="prml"),
        BayesianLinearRegression.book(2.0, 25.0, text="herbst"),
        BayesianLinearRegression.book(0.5 * np.eye(3), 0.04, text="fcml"),
    ]
    means = [m.fit(X, y).posterior_.mean for m in fits]
    for m in means[1:]:
        np.testing.assert_allclose(m, means[0], rtol=1e-10)
    np.testing.assert_allclose([m.log_evidence_ for m in fits], fits[0].log_evidence_, rtol=1e-10)


def test_presets_take_other_options():
    model = BayesianLinearRegression.book(text="fcml", basis=Polynomial(2), method="em")
    assert (model.prior_precision, model.noise_precision) == ("evidence", "evidence")
    assert model.intercept == "prior"
    assert model.method == "em"
    assert LinearRegression.book(fit_intercept=False).fit_intercept is False
    assert BayesianLinearRegression.book(2.0, 25.0, intercept="flat").intercept == "flat"


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: LinearRegression.book("dtu"), "text must be one of"),
        (lambda: BayesianLinearRegression.book(1.0, 1.0, text="dtu"), "text must be one of"),
        (lambda: BayesianLinearRegression.book(1.0, 0.0, text="fcml"), "noise must be a number > 0"),
        (lambda: BayesianLinearRegression.book(-1.0, 1.0, text="fcml"), "prior must be a number > 0"),
        (lambda: BayesianLinearRegression.book(1.0, np.nan, text="fcml"), "noise must be a number > 0"),
        (lambda: BayesianLinearRegression.book([["a"]], 1.0, text="fcml"), "prior"),
        (lambda: LinearRegression(variance="mle").fit(*draw(5)), "variance must be one of"),
        (lambda: BayesianLinearRegression.book(np.eye(2), 1.0, text="fcml").fit(*draw(5)), "3 × 3"),
    ],
)
def test_bad_presets(make, match):
    with pytest.raises(ValueError, match=match):
        make()


@pytest.mark.parametrize("zero", [0, 0.0])
def test_an_improper_prior_has_no_evidence(zero):  # P23: the guard
    with pytest.raises(
        ValueError, match=r"prior_precision must be a number > 0; got 0\. A prior of precision zero"
    ):
        BayesianLinearRegression(zero, noise_precision=1.0).fit(*draw(6))


@pytest.mark.parametrize("bad", [False, -0.5, np.inf, np.nan, "flat", [0.0, 1.0], None])
def test_other_bad_precisions_keep_their_sentence(bad):
    with pytest.raises(ValueError, match="prior_precision must be"):
        BayesianLinearRegression(bad, noise_precision=1.0).fit(*draw(6))


def test_a_ratio_of_evidences_keeps_its_limit():  # P23: first the ratio, then the limit
    """Models with equally many weights lose the same power of α; with one weight more, the ratio falls as √α."""
    X, y = draw(7, d=3)
    alphas = np.array([1e-6, 1e-8, 1e-10])
    logs = {
        columns: [
            BayesianLinearRegression(a, noise_precision=4.0).fit(X[:, list(columns)], y).log_evidence_
            for a in alphas
        ]
        for columns in ((0, 1), (0, 2), (0,))
    }
    equal = np.subtract(logs[0, 1], logs[0, 2])
    np.testing.assert_allclose(equal, equal[-1], rtol=1e-4)
    np.testing.assert_allclose(np.diff(np.subtract(logs[0, 1], logs[0,])), -0.5 * np.log(100), rtol=1e-4)


def test_records_are_saved(tmp_path):
    X, y = draw(8, n=60)
    model = BayesianLinearRegression().fit(X, y)
    for record in (
        weight_surface(model, points=3),
        weight_surface(LinearRegression().fit(X, y), points=3),
        large_sample_precisions(model),
        evidence_path(BayesianLinearRegression(1.0), X, y, "noise_precision", [1.0, 2.0]),
    ):
        suffice.save(record, tmp_path / "record.suffice")
        assert suffice.load(tmp_path / "record.suffice") == record
