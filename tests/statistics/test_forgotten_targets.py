"""Targets taken out of a fit: what was in comes out at every size of the noise, what cannot have been in is refused."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import suffice
from suffice._core.errors import IllConditioned, NumericalError, RankDeficient
from suffice.baselines import MeanRegressor
from suffice.linear import ARDRegression, BayesianLinearRegression, LinearRegression
from suffice.statistics import Moments


def problem(seed):
    """Columns and targets of any size, some nearly dependent, some fitted exactly."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 60))
    d, k = int(rng.integers(1, 5)), int(rng.integers(1, 3))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-8, 8, d) + rng.choice([0.0, 1.0, 1e6])
    if d > 1 and rng.random() < 0.4:
        X[:, 1] = X[:, 0] * (1 + 10.0 ** rng.integers(-7, 0) * rng.normal(size=n))
    noise = 10.0 ** rng.integers(-17, 2)
    y = (X / np.abs(X).max(axis=0)) @ rng.normal(size=(d, k)) + noise * rng.normal(size=(n, k))
    weight = None if rng.random() < 0.5 else rng.integers(1, 4, n).astype(float)
    return X, y * 10.0 ** rng.integers(-100, 100), weight, slice(0, int(rng.integers(1, n)))


@pytest.mark.parametrize("seed", range(150))
def test_what_was_in_comes_out(seed):
    X, y, weight, gone = problem(seed)
    w = np.ones(len(y)) if weight is None else weight
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RankDeficient)
        warnings.simplefilter("ignore", IllConditioned)
        model = LinearRegression().fit(X, y, w)
        try:
            suffice.forget(model, X[gone], y[gone], w[gone])
            said = ""
        except NumericalError as error:
            said = str(error)
    assert not said or "undetermined" in said  # too few rows are left


@pytest.mark.parametrize("noise", [0.0, 1e-12, 1e-6, 1e-2, 1.0])
@pytest.mark.parametrize("size", [1e-140, 1.0, 1e120])
@pytest.mark.parametrize("cls", [LinearRegression, MeanRegressor])
def test_what_was_never_in_is_refused(cls, size, noise):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 2))
    y = size * (3 + X @ [1.0, 2.0] + noise * rng.normal(size=40))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an exact fit is said to be one
        model = cls().fit(X, y)
    wild = y[:3] + 40 * np.std(y) * np.array([1.0, -1.0, 1.0])
    with pytest.raises(NumericalError, match="further from the fit than those of all rows together"):
        suffice.forget(model, X[:3], wild)


@pytest.mark.parametrize("value", [0.0, 3.7])
def test_a_column_that_does_not_vary_keeps_no_rounding(value):
    """Rounding passed for a column of 1e-17, along which an automatic prior finds a weight of 1e17."""
    rng = np.random.default_rng(5)
    X = np.column_stack([rng.normal(size=(13, 3)) ** 3, np.full(13, value), rng.normal(size=(13, 2))])
    y = X[:, 0] - 2 * X[:, 4] + rng.normal(size=13)
    left = suffice.forget(ARDRegression().fit(X, y), X[8:], y[8:])
    assert not left.statistics_.factor[1:, 4].any()
    again = ARDRegression().fit(X[:8], y[:8])
    np.testing.assert_allclose(left.coef_, again.coef_, rtol=1e-8)
    assert left.log_evidence_ == pytest.approx(again.log_evidence_, rel=1e-9)


@pytest.mark.parametrize(
    "model", [LinearRegression(), MeanRegressor(), BayesianLinearRegression(1.0, noise_precision=2.0)]
)
def test_a_wild_target_takes_the_digits_of_the_rest_with_it(model):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(20, 2)), rng.normal(size=20)
    y[2] = 1e6
    whole = model.fit(X, y)
    with pytest.warns(IllConditioned, match="share of .* of the squared residuals .* so digits of variances"):
        suffice.forget(whole, X[:5], y[:5])
    y[2] = 30.0
    suffice.forget(model.fit(X, y), X[:5], y[:5])  # says nothing


def test_a_wild_row_takes_the_digits_of_the_moments_with_it():
    x = np.random.default_rng(3).normal(size=(30, 2))
    wild = [[0.0, 1e7]]
    with pytest.warns(
        IllConditioned, match="share of .* of the squared spread of column 1, so digits are lost"
    ):
        Moments.of(np.vstack([x, wild])) - Moments.of(wild)
    rest = Moments.of(np.vstack([x, [[0.0, 30.0]]])) - Moments.of([[0.0, 30.0]])
    np.testing.assert_allclose(rest.scatter, Moments.of(x).scatter, rtol=1e-10, atol=1e-10)
