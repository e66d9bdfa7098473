"""The elastic net and weights that may not be negative, against scikit-learn's at tight tolerance and against nnls."""

from types import SimpleNamespace

import numpy as np
import pytest
import sklearn.linear_model as sk
from scipy.optimize import nnls

from suffice.linear import ElasticNet, Lasso, LinearRegression, Ridge


def table(seed, n=40, d=12, shared=1.0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) + shared * rng.standard_normal((n, 1))
    return X, X[:, :3] @ [2.0, -1.0, 0.5] + rng.standard_normal(n)


def objective(X, y, coef, intercept, alpha, rho):
    square = np.mean((y - intercept - X @ coef) ** 2) / 2
    return square + alpha * rho * np.abs(coef).sum() + alpha * (1 - rho) / 2 * coef @ coef


def squares_only(X, y, penalty, intercept, positive):
    if not positive:
        return sk.Ridge(penalty, fit_intercept=intercept).fit(X, y)
    at, level = (X.mean(axis=0), y.mean()) if intercept else (np.zeros(X.shape[1]), 0.0)
    rows = np.vstack([X - at, np.sqrt(penalty) * np.eye(X.shape[1])])
    coef, _ = nnls(rows, np.append(y - level, np.zeros(X.shape[1])))
    return SimpleNamespace(coef_=coef, intercept_=level - at @ coef)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("rho", [0.0, 0.1, 0.5, 0.95, 1.0])
@pytest.mark.parametrize(("n", "d"), [(40, 12), (15, 30)])
def test_elastic_net_is_that_of_scikit_learn(n, d, rho, positive):
    X, y = table(n + d, n, d)
    given = {"l1_ratio": rho, "positive": positive}
    for alpha in (1.0, 0.1, 0.02):
        for intercept in (True, False):
            ours = ElasticNet(alpha, fit_intercept=intercept, **given).fit(X, y)
            if rho == 0:  # coordinate descent warns that it does not do this well
                theirs = squares_only(X, y, alpha * n, intercept, positive)
            else:
                theirs = sk.ElasticNet(
                    alpha, fit_intercept=intercept, tol=1e-15, max_iter=200_000, **given
                ).fit(X, y)
            if rho < 1:
                np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=1e-8)
                np.testing.assert_array_equal(ours.coef_ == 0, np.abs(theirs.coef_) < 1e-12)
            best = objective(X, y, theirs.coef_, theirs.intercept_, alpha, rho)
            assert objective(X, y, ours.coef_, ours.intercept_, alpha, rho) <= best * (1 + 1e-10)
            assert ours.dual_gap_ <= 1e-12 * np.mean(y**2)
            assert ours.coef_.min() >= (0 if positive else -np.inf)


def test_its_two_ends():
    X, y = table(3)
    np.testing.assert_allclose(
        ElasticNet(0.1, l1_ratio=1.0).fit(X, y).coef_, Lasso(0.1).fit(X, y).coef_, atol=1e-13
    )
    squares = ElasticNet(0.1, l1_ratio=0.0).fit(X, y)
    ridge = Ridge(0.1 * len(y)).fit(X, y)
    np.testing.assert_allclose(squares.coef_, ridge.coef_, atol=1e-12)
    assert squares.effective_parameters_ == pytest.approx(ridge.effective_parameters_, rel=1e-10)


def test_parameters_are_the_trace_of_what_predictions_answer():
    X, y = table(4)
    model = ElasticNet(0.1, l1_ratio=0.7).fit(X, y)
    step = 1e-5
    answers = [
        (model.fit(X, y + step * e).predict(X)[i] - model.fit(X, y - step * e).predict(X)[i]) / (2 * step)
        for i, e in enumerate(np.eye(len(y)))
    ]
    assert model.fit(X, y).effective_parameters_ == pytest.approx(sum(answers), rel=1e-6)


def test_weights_count_rows_and_paths_are_the_single_fits():
    X, y = table(5)
    weight = np.random.default_rng(5).integers(0, 4, len(y)).astype(float)
    model = ElasticNet(0.05, l1_ratio=0.4)
    repeated = model.fit(np.repeat(X, weight.astype(int), axis=0), np.repeat(y, weight.astype(int))).coef_
    np.testing.assert_allclose(model.fit(X, y, weight).coef_, repeated, atol=1e-12)
    theirs = sk.ElasticNet(0.05, l1_ratio=0.4, tol=1e-15, max_iter=100_000).fit(X, y, weight)
    np.testing.assert_allclose(model.coef_, theirs.coef_, atol=1e-8)
    t, alphas = model.collect(X, y), [0.5, 0.0, 0.05, 1e-3]
    for positive in (False, True):
        model = ElasticNet(l1_ratio=0.4, positive=positive)
        (path,) = model.solve_paths([t], "alpha", alphas)
        single = [model.set_params(alpha=a).solve(t).function_ for a in alphas]
        np.testing.assert_allclose(path.function.slope, np.hstack([f.slope for f in single]), atol=1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_positive_least_squares_is_nnls(seed):
    X, y = table(seed, *[(40, 12), (10, 25)][seed % 2])
    ours = LinearRegression(positive=True, fit_intercept=False).fit(X, y)
    weights, residual = nnls(X, y)
    assert np.linalg.norm(y - X @ ours.coef_) <= residual * (1 + 1e-12) + 1e-10
    if len(y) > X.shape[1]:
        np.testing.assert_allclose(ours.coef_, weights, atol=1e-10)
    assert ours.coef_.min() >= 0
    centred = LinearRegression(positive=True).fit(X, y)
    weights, _ = nnls(X - X.mean(axis=0), y - y.mean())
    if len(y) > X.shape[1]:
        np.testing.assert_allclose(centred.coef_, weights, atol=1e-10)


def test_certainty_of_positive_weights_is_that_of_the_columns_used():
    X, y = table(1)
    model = LinearRegression(positive=True).fit(X, y)
    used = model.coef_ > 0
    assert 0 < used.sum() < len(used)
    plain = LinearRegression().fit(X[:, used], y)
    np.testing.assert_allclose(model.coef_[used], plain.coef_, rtol=1e-10)
    ours, theirs = model.predict_dist(X), plain.predict_dist(X[:, used])
    np.testing.assert_allclose(ours.interval(0.9), theirs.interval(0.9), rtol=1e-10)
    assert (model.dof_, model.rank_) == (plain.dof_, plain.rank_)
    errors = np.sqrt(np.diagonal(model.cov_params_))
    np.testing.assert_array_equal(np.isnan(errors[1:]), ~used)
    np.testing.assert_allclose(
        errors[np.append(True, used)], np.sqrt(np.diagonal(plain.cov_params_)), rtol=1e-10
    )


def test_several_targets_have_their_own_zeros():
    X, y = table(2)
    Y = np.column_stack([y, -y, 3.0 + X[:, 5]])
    model = LinearRegression(positive=True).fit(X, Y)
    alone = [LinearRegression(positive=True).fit(X, t) for t in Y.T]
    np.testing.assert_allclose(model.coef_, [m.coef_ for m in alone], atol=1e-12)
    np.testing.assert_allclose(model.noise_variance_ml_, [m.noise_variance_ml_ for m in alone], atol=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 20.0])
def test_positive_ridge_is_nnls_with_rows_added(alpha):
    X, y = table(7)
    model = Ridge(alpha, positive=True, fit_intercept=False).fit(X, y)
    d = X.shape[1]
    weights, _ = nnls(np.vstack([X, np.sqrt(alpha) * np.eye(d)]), np.append(y, np.zeros(d)))
    np.testing.assert_allclose(model.coef_, weights, atol=1e-10)
    t = model.statistics_
    (path,) = Ridge(positive=True, fit_intercept=False).solve_paths([t], "alpha", [alpha, 3.0])
    np.testing.assert_allclose(path.function.slope[:, 0], weights, atol=1e-10)
