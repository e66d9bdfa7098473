"""Least absolute deviations: the optimum, its certificate, and data that make both difficult."""

import itertools

import numpy as np
import pytest
from sklearn.linear_model import QuantileRegressor
from sklearn.preprocessing import StandardScaler

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, RankDeficient
from suffice.baselines import MedianRegressor
from suffice.bases import CustomBasis, Polynomial
from suffice.datasets import olympic_100m_men
from suffice.distributions import LaplaceDistribution
from suffice.linear import LeastAbsoluteDeviations, LinearRegression
from suffice.linear._solvers.absolute import descend, least_absolute, linear_program, near, reweighted

SOLVERS = ["descent", "linear_program"]


def draw(n, d, seed=0, noise=1.5):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, 2 + X @ rng.standard_normal(d) + rng.standard_t(noise, n)


def loss(model, X, y, weight=None):
    return float(np.sum((1.0 if weight is None else weight) * np.abs(y - model.predict(X))))


def smallest_over_pairs(x, y, weight):
    """The best line passes through two points; try all."""
    best = np.inf
    for i, j in itertools.combinations(range(len(x)), 2):
        if x[i] != x[j]:
            slope = (y[j] - y[i]) / (x[j] - x[i])
            best = min(best, float(weight @ np.abs(y - y[i] - slope * (x - x[i]))))
    return best


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(8))
def test_no_line_through_two_points_is_better(solver, seed):
    X, y = draw(25, 1, seed)
    weight = np.random.default_rng(seed).integers(0, 4, 25).astype(float)
    model = LeastAbsoluteDeviations(solver=solver).fit(X, y, weight)
    used = weight > 0
    expected = smallest_over_pairs(X[used, 0], y[used], weight[used])
    assert loss(model, X, y, weight) == pytest.approx(expected, rel=1e-12)
    assert model.optimality_ <= 1e-12
    assert model.noise_scale_ == pytest.approx(expected / weight.sum(), rel=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("n", "d"), [(60, 3), (300, 6), (900, 2)])
def test_weights_are_those_of_scikit_learn(solver, n, d):
    X, y = draw(n, d)
    weight = np.random.default_rng(1).uniform(0.1, 3, n)
    mine = LeastAbsoluteDeviations(solver=solver).fit(X, y, weight)
    theirs = QuantileRegressor(quantile=0.5, alpha=0.0, solver="highs").fit(X, y, weight)
    np.testing.assert_allclose(mine.coef_, theirs.coef_, rtol=1e-9, atol=1e-9)
    assert mine.intercept_ == pytest.approx(theirs.intercept_, rel=1e-9)
    assert mine.unique_


def test_the_certificate_is_a_subgradient_that_is_zero():
    """Computed here again, on the raw columns: Σ a φ = 0 with a = ± w off the line and |a| ≤ w on it."""
    X, y = draw(80, 3)
    model = LeastAbsoluteDeviations().fit(X, y)
    residual = y - model.predict(X)
    on = np.argsort(np.abs(residual))[:4]
    assert np.max(np.abs(residual[on])) < 1e-12
    Phi = np.column_stack([np.ones(80), X])
    a = np.sign(residual)
    a[on] = 0
    a[on] = np.linalg.solve(Phi[on].T, -Phi.T @ a)
    assert np.max(np.abs(a[on])) < 1
    assert np.sum(np.abs(residual)) == pytest.approx(a @ y, rel=1e-12)  # the dual's value is the primal's


def test_a_worse_vertex_is_not_certified(monkeypatch):
    rng = np.random.default_rng(0)
    U, y, weight = rng.standard_normal((50, 2)), rng.standard_normal(50), np.ones(50)
    monkeypatch.setattr(
        "suffice.linear._solvers.absolute.descend", lambda U, y, w, rows: (np.array([0, 1]), 0)
    )
    assert least_absolute(U, y, weight, reweighted).optimality > 0.01


@pytest.mark.parametrize("start", [reweighted, linear_program])
def test_the_walk_never_goes_up(start):
    rng = np.random.default_rng(3)
    U, y, weight = rng.standard_normal((200, 4)), rng.standard_normal(200), rng.uniform(0.5, 2, 200)

    def value(rows):
        return weight @ np.abs(y - U @ np.linalg.solve(U[rows], y[rows]))

    far = rng.choice(200, 4, replace=False)
    good = near(U, y - U @ start(U, y, weight))
    ends = [descend(U, y, weight, rows) for rows in (far, good)]
    assert value(ends[0][0]) < value(far)
    assert value(ends[0][0]) == pytest.approx(value(ends[1][0]), rel=1e-13)
    assert ends[1][1] <= ends[0][1]


def test_no_columns_that_vary_is_the_median():
    y = np.array([5.0, 1.0, 2.0, 9.0, 100.0])
    with pytest.warns(RankDeficient, match="do not vary"):
        model = LeastAbsoluteDeviations().fit(np.ones((5, 1)), y)
    assert model.predict([[1.0]])[0] == MedianRegressor().fit(np.ones((5, 1)), y).median_


def test_a_wild_target_moves_least_squares_and_not_this():
    men = olympic_100m_men()
    y = men.y.copy()
    y[-1] = 60.0
    at, after = np.array([[1950.0]]), {}
    for cls in (LeastAbsoluteDeviations, LinearRegression):
        after[cls] = abs(cls().fit(men.X, y).predict(at)[0] - cls().fit(men.X, men.y).predict(at)[0])
    assert after[LinearRegression] > 1
    assert after[LeastAbsoluteDeviations] < 0.1


@pytest.mark.parametrize("solver", SOLVERS)
def test_many_points_on_one_line(solver):
    """More rows at zero than a vertex needs, where a simplex walk could stall."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 6, 400).astype(float)
    y = 3 - 2 * x + np.where(rng.uniform(size=400) < 0.3, rng.integers(-5, 6, 400), 0)
    model = LeastAbsoluteDeviations(solver=solver).fit(x[:, None], y)
    assert (model.intercept_, model.coef_[0]) == pytest.approx((3, -2), abs=1e-12)
    assert model.optimality_ <= 1e-8


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(5))
def test_rounded_data_are_still_solved(solver, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (300, 3)).astype(float), rng.integers(0, 5, 300).astype(float)
    model = LeastAbsoluteDeviations(solver=solver).fit(X, y)
    theirs = QuantileRegressor(quantile=0.5, alpha=0.0, solver="highs").fit(X, y)
    assert loss(model, X, y) == pytest.approx(loss(theirs, X, y), rel=1e-9)
    assert model.optimality_ <= 1e-8


def test_more_than_one_best_line_is_noted_and_the_choice_does_not_depend_on_the_order():
    X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0.0, 1.0, 0.0, 1.0])
    models = [LeastAbsoluteDeviations().fit(X[list(o)], y[list(o)]) for o in itertools.permutations(range(4))]
    assert not any(m.unique_ for m in models)
    assert len({(m.intercept_, m.coef_[0]) for m in models}) == 1
    assert loss(models[0], X, y) == pytest.approx(2.0, rel=1e-12)


def test_a_perfect_fit():
    X, _ = draw(30, 3)
    model = LeastAbsoluteDeviations().fit(X, 4 + X @ [1.0, -2.0, 3.0])
    np.testing.assert_allclose(model.coef_, [1, -2, 3], rtol=1e-12)
    assert model.noise_scale_ < 1e-13
    assert model.optimality_ == 0


def test_more_columns_than_rows_is_the_smallest_exact_fit():
    X, y = draw(5, 9)
    with pytest.warns(RankDeficient, match="5 rows cannot determine 9 columns"):
        model = LeastAbsoluteDeviations().fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-10)
    away = X - X.mean(axis=0)
    np.testing.assert_allclose(model.coef_, np.linalg.pinv(away) @ (y - y.mean()), rtol=1e-8)


def test_the_same_column_twice():
    X, y = draw(40, 1)
    with pytest.warns(RankDeficient, match="combinations of the others"):
        model = LeastAbsoluteDeviations().fit(np.hstack([X, X]), y)
    single = LeastAbsoluteDeviations().fit(X, y)
    np.testing.assert_allclose(model.coef_, single.coef_.repeat(2) / 2, rtol=1e-10)


@pytest.mark.parametrize("scale", [1e-120, 1e-8, 1e8, 1e120])
def test_units_do_not_matter(scale):
    X, y = draw(50, 2)
    plain = LeastAbsoluteDeviations().fit(X, y)
    inputs, targets = LeastAbsoluteDeviations().fit(X * scale, y), LeastAbsoluteDeviations().fit(X, y * scale)
    np.testing.assert_allclose(inputs.coef_ * scale, plain.coef_, rtol=1e-10)
    np.testing.assert_allclose(targets.coef_ / scale, plain.coef_, rtol=1e-10)
    assert targets.noise_scale_ / scale == pytest.approx(plain.noise_scale_, rel=1e-10)


def test_years_and_a_polynomial_of_them():
    men = olympic_100m_men()
    model = LeastAbsoluteDeviations(basis=Polynomial(3)).fit(men.X, men.y)
    assert model.optimality_ <= 1e-8
    assert np.sum(np.abs(men.y - model.predict(men.X)) < 1e-9) >= 4
    moved = (men.X - 1950) / 50
    other = LeastAbsoluteDeviations(basis=Polynomial(3)).fit(moved, men.y)
    np.testing.assert_allclose(model.predict(men.X), other.predict(moved), rtol=1e-9)


def test_predictions_are_medians_and_the_distribution_is_laplace():
    X, y = draw(400, 2)
    model = LeastAbsoluteDeviations().fit(X, y)
    above = np.sum(y > model.predict(X) + 1e-10)
    below = np.sum(y < model.predict(X) - 1e-10)
    assert abs(above - below) <= 3  # the three rows on the plane may tip it
    d = model.predict_dist(X[:3])
    assert isinstance(d, LaplaceDistribution)
    np.testing.assert_array_equal(d.loc, model.predict(X[:3]))
    np.testing.assert_allclose(d.scale, np.mean(np.abs(y - model.predict(X))), rtol=1e-12)


def test_saved_and_loaded(tmp_path):
    X, y = draw(30, 2)
    model = LeastAbsoluteDeviations(basis=Polynomial(2)).fit(X, y)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert again.optimality_ == model.optimality_
    assert again.unique_ is model.unique_
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_functions_that_fail_are_named():
    basis = CustomBasis([lambda X: np.log(X[:, 0])])
    with pytest.raises(InvalidInput, match="basis yields"):
        LeastAbsoluteDeviations(basis=basis).fit([[1.0], [0.0], [2.0]], [1.0, 2.0, 3.0])


@pytest.mark.slow
def test_many_rows():
    X, y = draw(60_000, 8)
    model = LeastAbsoluteDeviations().fit(X, y)
    assert model.optimality_ <= 1e-8
    assert model.unique_


# -- standardized columns ---------------------------------------------------------------------------------
def test_standardized_columns_change_no_unique_fit():
    X, y = draw(60, 3, seed=4)
    X = X * [1.0, 1e3, 1e-3] + [0.0, 50.0, 1.0]
    a, b = (LeastAbsoluteDeviations(standardize=s).fit(X, y) for s in (False, True))
    assert a.unique_
    np.testing.assert_allclose(b.coef_, a.coef_, rtol=1e-8)
    assert b.intercept_ == pytest.approx(a.intercept_, rel=1e-8)


@pytest.mark.parametrize("basis", [None, Polynomial(2)], ids=["columns", "basis"])
def test_standardized_columns_are_those_of_a_scaler_with_divisor_n(basis):
    """Without an intercept the origin is the mean of the columns, of Φ where there is a basis."""
    X, y = draw(50, 2, seed=5)
    Phi = X + 3 if basis is None else basis(X + 3)
    scaler = StandardScaler().fit(Phi)
    there = LeastAbsoluteDeviations(fit_intercept=False).fit(scaler.transform(Phi), y)
    here = LeastAbsoluteDeviations(fit_intercept=False, standardize=True, basis=basis).fit(X + 3, y)
    np.testing.assert_allclose(here.coef_, there.coef_ / scaler.scale_, rtol=1e-8)
    assert here.intercept_ == pytest.approx(-np.sum(there.coef_ * scaler.mean_ / scaler.scale_), rel=1e-8)
    np.testing.assert_allclose(here.predict(X + 3), there.predict(scaler.transform(Phi)), rtol=1e-8)


def test_dependent_columns_share_by_their_standardized_size():
    X, y = draw(40, 1, seed=6)
    twice = np.column_stack([X, 10 * X])
    with pytest.warns(RankDeficient, match="combinations of the others"):
        model = LeastAbsoluteDeviations(standardize=True).fit(twice, y)
    assert model.coef_[0] == pytest.approx(10 * model.coef_[1], rel=1e-8)  # alike once standardized
    with pytest.warns(RankDeficient, match="combinations of the others"):
        raw = LeastAbsoluteDeviations().fit(twice, y)
    assert raw.coef_[0] == pytest.approx(raw.coef_[1] / 10, rel=1e-8)


def test_standardize_is_a_flag():
    with pytest.raises(InvalidParameter, match="standardize must be True or False"):
        LeastAbsoluteDeviations(standardize="yes").fit(*draw(10, 1))
