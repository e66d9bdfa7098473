"""Residual diagnostics against statsmodels and refits; the geometry of least squares."""

import numpy as np
import pytest
from scipy.special import ndtri

from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError, Unsupported
from suffice.bases import Polynomial
from suffice.datasets import olympic_100m_men
from suffice.linear import (
    LinearRegression,
    Ridge,
    SimpleLinearRegression,
    projection,
    residuals,
)

rng = np.random.default_rng(0)
X = rng.standard_normal((30, 3))
y = 1 + X @ [1.0, 2.0, -1.0] + rng.standard_normal(30)


@pytest.mark.slow
def test_statsmodels_has_the_same_numbers():
    api = pytest.importorskip("statsmodels.api")
    from statsmodels.stats.stattools import durbin_watson

    theirs = api.OLS(y, api.add_constant(X)).fit()
    influence = theirs.get_influence()
    mine = residuals(LinearRegression().fit(X, y), X, y)
    np.testing.assert_allclose(mine.raw, theirs.resid, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(mine.leverage, influence.hat_matrix_diag, rtol=1e-10)
    np.testing.assert_allclose(mine.studentized, influence.resid_studentized_internal, rtol=1e-9)
    np.testing.assert_allclose(mine.external, influence.resid_studentized_external, rtol=1e-9)
    np.testing.assert_allclose(mine.cook, influence.cooks_distance[0], rtol=1e-9)
    assert mine.durbin_watson == pytest.approx(durbin_watson(theirs.resid), rel=1e-12)


def test_the_external_residual_is_the_error_of_a_fit_without_the_row():
    mine = residuals(LinearRegression().fit(X, y), X, y)
    for i in (0, 7, 29):
        rest = np.arange(30) != i
        d = LinearRegression().fit(X[rest], y[rest]).predict_dist(X[[i]])
        assert mine.external[i] == pytest.approx((y[i] - d.mean[0]) / d.scale[0], rel=1e-9)


def test_cook_is_how_far_all_predictions_move():
    full = LinearRegression().fit(X, y)
    mine = residuals(full, X, y)
    for i in (3, 11):
        rest = np.arange(30) != i
        moved = full.predict(X) - LinearRegression().fit(X[rest], y[rest]).predict(X)
        assert mine.cook[i] == pytest.approx(moved @ moved / (4 * full.noise_variance_), rel=1e-9)


def test_a_line_by_hand_has_the_same_residuals():
    men = olympic_100m_men()
    a, b = (
        residuals(cls().fit(men.X, men.y), men.X, men.y) for cls in (LinearRegression, SimpleLinearRegression)
    )
    for name in ("raw", "studentized", "external", "leverage", "cook"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-8)
    assert np.argmax(np.abs(a.external)) == 0  # 1896


def test_quantiles_are_a_line_for_normal_errors_and_not_for_wild_ones():
    def straightness(errors):
        x = np.linspace(0, 1, len(errors))[:, None]
        t = 1 + x[:, 0] + errors
        return np.corrcoef(*residuals(LinearRegression().fit(x, t), x, t).normal_quantiles())[0, 1]

    draws = np.random.default_rng(1)
    assert straightness(draws.standard_normal(300)) > 0.99
    assert straightness(draws.standard_t(1.5, 300)) < 0.9
    q, values = residuals(LinearRegression().fit(X, y), X, y).normal_quantiles()
    np.testing.assert_allclose(q, ndtri((np.arange(1, 31) - 0.5) / 30), rtol=1e-13)
    assert np.all(np.diff(values) >= 0)


def test_durbin_watson_sees_drift_and_alternation():
    x = np.arange(200.0)[:, None]
    for errors, low, high in (
        (np.sin(x[:, 0] / 20), 0.0, 0.1),
        ((-1.0) ** x[:, 0], 3.9, 4.0),
        (np.random.default_rng(0).standard_normal(200), 1.6, 2.4),
    ):
        r = residuals(LinearRegression().fit(x, errors), x, errors)
        assert low <= r.durbin_watson <= high
    assert r.sign_changes == pytest.approx(100, abs=30)


def test_a_row_that_alone_determines_a_weight():
    flag = np.zeros((10, 1))
    flag[4] = 1.0
    t = np.random.default_rng(3).standard_normal(10)
    r = residuals(LinearRegression().fit(flag, t), flag, t)
    assert r.leverage[4] == pytest.approx(1.0)
    assert np.isnan(r.studentized[4])
    assert np.isfinite(np.delete(r.studentized, 4)).all()
    assert r.frame().shape == (10, 7)


def test_bad_input():
    model = LinearRegression().fit(X, y)
    with pytest.raises(InvalidInput, match="not the rows of the fit"):
        residuals(model, X[:20], y[:20])
    with pytest.raises(InvalidInput, match="not the rows of the fit"):
        residuals(LinearRegression().fit(X, y, np.arange(30.0)), X, y)
    with pytest.raises(InvalidInput, match="one target per row"):
        residuals(model, X, y[:-1])
    with pytest.raises(InvalidInput, match="y contains NaN"):
        residuals(model, X, np.where(np.arange(30) == 3, np.nan, y))
    with pytest.raises(Unsupported, match="Ridge has no leverage"):
        residuals(Ridge().fit(X, y), X, y)
    with pytest.raises(NumericalError, match="no residual degrees of freedom"):
        residuals(LinearRegression().fit(X[:4], y[:4]), X[:4], y[:4])


# -- geometry -----------------------------------------------------------------------------------------
def test_the_residual_is_orthogonal_to_every_column():
    Phi = np.column_stack([np.ones(30), X])
    p = projection(Phi, y)
    np.testing.assert_allclose(p.fitted + p.residual, y, rtol=1e-13)
    np.testing.assert_allclose(Phi.T @ p.residual, 0, atol=1e-12)
    assert p.fitted @ p.fitted + p.residual @ p.residual == pytest.approx(y @ y, rel=1e-13)
    np.testing.assert_allclose(p.matrix @ p.matrix, p.matrix, atol=1e-13)
    np.testing.assert_allclose(p.matrix, p.matrix.T, atol=1e-15)
    assert np.trace(p.matrix) == pytest.approx(p.rank) == 4
    model = LinearRegression().fit(X, y)
    np.testing.assert_allclose(p.fitted, model.predict(X), rtol=1e-11)
    np.testing.assert_allclose(p.matrix, model.hat_matrix(X), atol=1e-12)


def test_dependent_columns_span_less():
    Phi = np.column_stack([X[:, 0], 2 * X[:, 0], 1e-9 * X[:, 1], np.zeros(30)])
    p = projection(Phi, y)
    assert p.rank == 2
    np.testing.assert_allclose(p.fitted, projection(X[:, :2], y).fitted, rtol=1e-8)


def test_a_square_matrix_leaves_nothing():
    p = projection(X[:3], y[:3])
    np.testing.assert_allclose(p.fitted, y[:3], rtol=1e-12)
    np.testing.assert_allclose(p.leverage, 1, rtol=1e-12)


def test_bad_geometry():
    with pytest.raises(InvalidInput, match="columns must be a table"):
        projection(y, y)
    with pytest.raises(InvalidInput, match="shapes"):
        projection(X, y[:5])
    with pytest.raises(InvalidInput, match="y contains inf"):
        projection(X, np.full(30, np.inf))


def test_the_intercept_makes_up_for_the_means():
    """PRML 3.19: w₀ = mean(t) − Σ w_j mean(φ_j), and the residuals sum to zero."""
    model = LinearRegression(basis=Polynomial(2)).fit(X, y)
    Phi = Polynomial(2)(X)
    assert model.intercept_ == pytest.approx(y.mean() - model.coef_ @ Phi.mean(axis=0), rel=1e-11)
    assert abs(np.sum(y - model.predict(X))) < 1e-11


def test_text_is_refused_by_name_and_truth_values_count():
    with pytest.raises(InvalidParameter, match="columns must be made of numbers; got"):
        projection("a", [1.0])
    with pytest.raises(InvalidParameter, match="y must be made of numbers; got"):
        projection([[1.0], [2.0]], ["a", "b"])
    flags = np.array([[True], [False], [True]])
    np.testing.assert_allclose(projection(flags, [1.0, 2.0, 3.0]).fitted, [2.0, 0.0, 2.0], atol=1e-14)
    men = olympic_100m_men()
    with pytest.raises(InvalidParameter, match="y must be made of numbers"):
        residuals(LinearRegression().fit(men.X, men.y), men.X, ["a"] * len(men.y))
