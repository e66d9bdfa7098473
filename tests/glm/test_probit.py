"""Probit regression against statsmodels, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import ndtr
from scipy.stats import norm

from suffice._core.errors import InvalidInput, Separated
from suffice.glm import ProbitRegression

from .naive import log_probit

rng = np.random.default_rng(31)
N = 250
X = rng.standard_normal((N, 2)) * [1.0, 20.0] + [0.0, 100.0]
A = 0.8 * X[:, 0] - 0.04 * (X[:, 1] - 100) + 0.3
Y = (rng.standard_normal(N) < A).astype(int)
WEIGHT = rng.integers(0, 3, N).astype(float)


@pytest.mark.parametrize("intercept", [True, False])
def test_maximum_likelihood_is_that_of_statsmodels(intercept):
    table = sm.add_constant(X) if intercept else X
    model = ProbitRegression(fit_intercept=intercept).fit(X, Y)
    other = sm.Probit(Y, table).fit(disp=0, method="newton", maxiter=100, tol=1e-14)
    w = np.append(model.intercept_, model.coef_) if intercept else model.coef_[0]
    np.testing.assert_allclose(w, other.params, rtol=1e-8)
    np.testing.assert_allclose(np.sqrt(np.diag(model.cov_params_)), other.bse, rtol=1e-7)
    assert model.log_likelihood_ == pytest.approx(other.llf, rel=1e-12)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], other.predict(table), rtol=1e-9)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], ndtr(model.decision_function(X)), rtol=1e-12)


def test_weights_are_those_of_a_glm():
    model = ProbitRegression().fit(X, Y, WEIGHT)
    family = sm.families.Binomial(sm.families.links.Probit())
    other = sm.GLM(Y, sm.add_constant(X), family=family, freq_weights=WEIGHT).fit(tol=1e-14, maxiter=200)
    np.testing.assert_allclose(np.append(model.intercept_, model.coef_), other.params, rtol=1e-8)
    assert model.deviance_ == pytest.approx(other.deviance, rel=1e-11)


def test_log_likelihood_row_by_row():
    model = ProbitRegression(prior_precision=0.5).fit(X, Y, WEIGHT)
    a = model.intercept_ + X @ model.coef_.T
    by_hand = sum(w * log_probit(c, row) for w, c, row in zip(WEIGHT, Y, a, strict=True))
    assert model.log_likelihood_ == pytest.approx(by_hand, rel=1e-12)


def test_probabilities_far_in_the_tail():
    model = ProbitRegression().fit(X, Y)
    far = X[:5] + [[60.0, 0.0]]
    expected = norm.logcdf(-model.decision_function(far))
    np.testing.assert_allclose(model.predict_log_proba(far)[:, 0], expected, rtol=1e-10)
    assert np.all(expected < -500)


def test_class_weight_is_a_weight_of_rows():
    model = ProbitRegression(class_weight={1: 3.0}).fit(X, Y, WEIGHT)
    by_hand = ProbitRegression().fit(X, Y, WEIGHT * np.where(Y == 1, 3.0, 1.0))
    np.testing.assert_allclose(model.coef_, by_hand.coef_, rtol=1e-12)


def test_separation():
    side = X[:, 0] > 0.1
    with pytest.warns(Separated, match=r"\+1 × 'x0'"):
        model = ProbitRegression().fit(X, side)
    assert np.array_equal(model.predict(X), side)
    shrunk = ProbitRegression(prior_precision=0.1).fit(X, side)
    assert shrunk.trace_.converged
    assert 0 < shrunk.coef_[0, 0] < model.coef_[0, 0]


def test_a_third_class_is_refused():
    with pytest.raises(InvalidInput, match="two classes apart; y has 3. Use SoftmaxRegression"):
        ProbitRegression().fit(X, np.arange(N) % 3)
    with pytest.raises(InvalidInput, match="at least 2 classes"):
        ProbitRegression().fit(X, np.zeros(N))


def test_a_class_of_weight_zero_is_no_third_class():
    third = np.where(np.arange(N) < 10, 2, Y)
    weight = (third < 2).astype(float)
    model = ProbitRegression().fit(X, third, weight)
    np.testing.assert_allclose(model.coef_, ProbitRegression().fit(X[10:], Y[10:]).coef_, rtol=1e-9)
    assert model.classes_.tolist() == [0, 1]
