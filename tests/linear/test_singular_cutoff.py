"""Truncated singular values: `singular_cutoff` is the cutoff of `numpy.linalg.pinv`, which `rcond` is not."""

import numpy as np
import pytest
from sklearn.base import clone

import suffice
from suffice._core.errors import InvalidParameter
from suffice.bases import Polynomial
from suffice.evaluation import cross_validate, select_features, validate_path
from suffice.linear import LinearRegression

RNG = np.random.default_rng(4)
X = RNG.normal(size=(40, 3))
X = np.column_stack([X, X @ [1.0, -1.0, 0.5] + 1e-3 * RNG.normal(size=40)]) * [1.0, 2.0, 0.5, 1.0] + 3
Y = X @ [1.0, 2.0, 3.0, -1.0] + RNG.normal(size=40)


@pytest.mark.parametrize("cutoff", [1e-9, 1e-6, 0.01, 0.4])
def test_it_is_the_pseudo_inverse(cutoff):
    centred = X - X.mean(axis=0)
    wanted = np.linalg.pinv(centred, rcond=cutoff) @ (Y - Y.mean())
    model = LinearRegression(singular_cutoff=cutoff).fit(X, Y)
    np.testing.assert_allclose(model.coef_, wanted, rtol=1e-8)
    assert model.predict(X).mean() == pytest.approx(Y.mean(), rel=1e-12)
    raw = LinearRegression(singular_cutoff=cutoff, fit_intercept=False).fit(X, Y)
    np.testing.assert_allclose(raw.coef_, np.linalg.pinv(X, rcond=cutoff) @ Y, rtol=1e-8)
    z = centred / X.std(axis=0)
    scaled = LinearRegression(singular_cutoff=cutoff, standardize=True).fit(X, Y)
    wanted = np.linalg.pinv(z, rcond=cutoff) @ (Y - Y.mean()) / X.std(axis=0)
    np.testing.assert_allclose(scaled.coef_, wanted, rtol=1e-8)


def test_rank_residual_and_uncertainty_are_of_the_directions_kept():
    model = LinearRegression(singular_cutoff=0.01).fit(X, Y)
    sse = np.sum((Y - model.predict(X)) ** 2)
    assert model.rank_ == 3
    assert model.dof_ == 40 - 4
    assert model.noise_variance_ == pytest.approx(sse / 36, rel=1e-9)
    centred = X - X.mean(axis=0)
    plus = np.linalg.pinv(centred, rcond=0.01)
    np.testing.assert_allclose(
        model.cov_params_[1:, 1:], model.noise_variance_ * plus @ plus.T, rtol=1e-7, atol=1e-12
    )
    assert np.isfinite(model.predict_dist(X + RNG.normal(size=X.shape)).std).all()


def test_with_a_polynomial_about_its_own_center():
    x = RNG.uniform(1900, 2000, 30)
    y = np.sin(x / 20) + 0.1 * RNG.normal(size=30)
    model = LinearRegression(basis=Polynomial(2), singular_cutoff=1e-12).fit(x[:, None], y)
    np.testing.assert_allclose(
        model.predict(x[:, None]),
        LinearRegression(basis=Polynomial(2)).fit(x[:, None], y).predict(x[:, None]),
        rtol=1e-5,
    )


def test_validation_is_refitting():
    model = LinearRegression(singular_cutoff=0.01)
    errors = []
    for fold in range(5):
        test = np.arange(40) % 5 == fold
        fitted = clone(model).fit(X[~test], Y[~test])
        errors.append((Y[test] - fitted.predict(X[test])) ** 2)
    splits = [
        (np.flatnonzero(np.arange(40) % 5 != f), np.flatnonzero(np.arange(40) % 5 == f)) for f in range(5)
    ]
    found = cross_validate(model, X, Y, cv=splits)
    assert found.estimate == pytest.approx(np.mean(errors), rel=1e-9)
    path = validate_path(LinearRegression(), X, Y, "singular_cutoff", [1e-8, 0.01, 0.4], cv=splits)
    assert path.test[1] == pytest.approx(np.mean(errors), rel=1e-9)
    assert len(select_features(model, X, Y, cv=5).errors) > 0
    halves = suffice.merge([clone(model).fit(X[:20], Y[:20]), clone(model).fit(X[20:], Y[20:])])
    np.testing.assert_allclose(halves.coef_, clone(model).fit(X, Y).coef_, rtol=1e-8)


def test_one_cutoff_at_a_time():
    with pytest.raises(InvalidParameter, match=r"singular_cutoff goes with neither rcond .*\(rcond=0.1\)"):
        LinearRegression(singular_cutoff=0.1, rcond=0.1).fit(X, Y)
    with pytest.raises(InvalidParameter, match="singular_cutoff"):
        LinearRegression(singular_cutoff=1.5).fit(X, Y)
