"""The lasso and its relatives against scikit-learn, general optimizers and their own optimality conditions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn import linear_model as sk
from sklearn.exceptions import ConvergenceWarning

from suffice._core.errors import NotConverged, SufficeWarning
from suffice.bases import Polynomial
from suffice.inference.active_set import ActiveSet
from suffice.linear import Lasso, QNormRegression, Ridge
from suffice.linear._solvers.power import _improved, _one_changed
from suffice.linear._solvers.power import objective as objective_of_power
from suffice.statistics import Triangle


def table(n: int, d: int, seed: int = 0, correlated: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) + correlated * rng.standard_normal((n, 1)) + rng.uniform(-3, 3, d)
    weights = rng.standard_normal(d) * (np.arange(d) % 3 == 0)
    return X, 2 + X @ weights + rng.standard_normal(n)


def worst_condition(X, y, coef, intercept, alpha, weight=None):
    """Brute force: the largest violation of the lasso's conditions, relative to α."""
    weight = np.ones(len(y)) if weight is None else weight
    slope = X.T @ (weight * (y - intercept - X @ coef)) / weight.sum()
    active = coef != 0
    inside = np.abs(slope[active] - alpha * np.sign(coef[active])).max(initial=0.0)
    outside = (np.abs(slope[~active]) - alpha).max(initial=0.0)
    return max(inside, outside, 0.0) / alpha


def objective(X, y, coef, intercept, alpha):
    return np.sum((y - intercept - X @ coef) ** 2) / (2 * len(y)) + alpha * np.abs(coef).sum()


# -- lasso ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("share", [0.9, 0.3, 0.05, 1e-3, 1e-6])
@pytest.mark.parametrize(("n", "d"), [(60, 7), (40, 30), (25, 60)])
@pytest.mark.parametrize("intercept", [True, False])
def test_weights_are_those_of_scikit_learn(n, d, share, intercept):
    X, y = table(n, d)
    centred = y - y.mean() if intercept else y
    columns = X - X.mean(axis=0) if intercept else X
    alpha = share * np.abs(columns.T @ centred).max() / n
    ours = Lasso(alpha, fit_intercept=intercept).fit(X, y)
    assert worst_condition(X, y, ours.coef_, ours.intercept_, alpha) < 1e-7
    assert ours.dual_gap_ <= 1e-13 * np.mean(y**2)
    if n > d or share > 1e-2:  # coordinate descent has not settled after 100,000 rounds of the others
        theirs = sk.Lasso(alpha, fit_intercept=intercept, tol=1e-14, max_iter=100_000).fit(X, y)
        np.testing.assert_allclose(
            ours.coef_, theirs.coef_, rtol=0, atol=1e-7 * np.abs(theirs.coef_).max(initial=1.0)
        )
        np.testing.assert_array_equal(ours.coef_ == 0, np.abs(theirs.coef_) < 1e-9)


def test_gap_has_the_scale_of_scikit_learn():
    X, y = table(50, 8)
    model = Lasso(0.2).fit(X, y)
    peer = sk.Lasso(0.2, max_iter=1, tol=0.0)
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        peer.fit(X, y)  # stopped where the gap is far from rounding
    centred = X - X.mean(axis=0)
    r = y - y.mean() - centred @ peer.coef_
    k = min(1.0, 0.2 * 50 / np.abs(centred.T @ r).max())
    gap = 0.5 * (r @ r) * (1 + k * k) + 0.2 * 50 * np.abs(peer.coef_).sum() - k * (r @ (y - y.mean()))
    assert peer.dual_gap_ == pytest.approx(gap / 50, rel=1e-6)
    system = ActiveSet(_unit_problem(X, y))
    found = system.solve(_unit_levels(X, y, 0.2), 1)  # one pass is not enough either
    bound = found.gap * np.sum((y - y.mean()) ** 2) / 50
    coef = found.weights * np.linalg.norm(y - y.mean()) / np.linalg.norm(centred, axis=0)
    best = objective(X, y, model.coef_, model.intercept_, 0.2)
    excess = objective(X, y, coef, y.mean() - X.mean(axis=0) @ coef, 0.2) - best
    assert 0 < excess <= bound
    r = y - y.mean() - centred @ coef
    k = min(1.0, 0.2 * 50 / np.abs(centred.T @ r).max())
    gap = 0.5 * (r @ r) * (1 + k * k) + 0.2 * 50 * np.abs(coef).sum() - k * (r @ (y - y.mean()))
    assert bound == pytest.approx(gap / 50, rel=1e-9)


def _unit_problem(X, y):
    from suffice.linear._solvers.unit import unit_system

    return unit_system(Triangle.of(X, y), True, False).problems()[0]


def _unit_levels(X, y, alpha):
    from suffice.linear._solvers.unit import unit_system

    unit = unit_system(Triangle.of(X, y), True, False)
    return unit.level() * alpha * len(y) / unit.size(0)


def test_orthogonal_columns_are_soft_thresholded():
    rng = np.random.default_rng(1)
    Q = np.linalg.qr(np.hstack([np.ones((40, 1)), rng.standard_normal((40, 6))]))[0][:, 1:]
    scale = np.array([1.0, 3.0, 0.1, 7.0, 1.0, 2.0])
    y, alpha = rng.standard_normal(40), 0.01
    free = (Q * scale).T @ y
    expected = np.sign(free) * np.maximum(np.abs(free) - 40 * alpha, 0) / scale**2
    np.testing.assert_allclose(Lasso(alpha).fit(Q * scale, y).coef_, expected, rtol=1e-10, atol=1e-12)
    assert (expected == 0).any()
    assert (expected != 0).any()


@pytest.mark.filterwarnings("ignore:Objective did not converge")  # of the peer, for the smallest penalty
@pytest.mark.parametrize("alpha", [1.0, 0.1, 1e-3, 1e-6])
def test_dependent_columns_still_reach_the_minimum(alpha):
    """Copies, sums, negatives and a constant: the weights are not unique, the objective is."""
    X, y = table(50, 5)
    wide = np.column_stack(
        [X, X[:, :3], -X[:, 1], X[:, 0] + X[:, 1], X @ [1, 2, 3, 4, 5.0], np.full(50, 7.0)]
    )
    ours = Lasso(alpha).fit(wide, y)
    assert worst_condition(wide, y, ours.coef_, ours.intercept_, alpha) < 1e-7
    assert ours.dual_gap_ <= 1e-12 * np.var(y)
    peer = sk.Lasso(alpha, tol=1e-10, max_iter=200_000).fit(wide, y)
    assert objective(wide, y, ours.coef_, ours.intercept_, alpha) <= objective(
        wide, y, peer.coef_, peer.intercept_, alpha
    ) * (1 + 1e-12)


@pytest.mark.parametrize(("unit_x", "unit_y"), [(1e8, 1e-6), (1e-9, 1e5), (1e60, 1e60), (1e-60, 1e-60)])
def test_units_do_not_matter(unit_x, unit_y):
    """w → w · unit_y / unit_x when the penalty is measured accordingly."""
    X, y = table(40, 6)
    plain = Lasso(0.1).fit(X, y).coef_
    scaled = Lasso(0.1 * unit_x * unit_y).fit(X * unit_x, y * unit_y).coef_
    np.testing.assert_allclose(scaled * (unit_x / unit_y), plain, rtol=1e-9, atol=1e-12)


def test_columns_of_very_different_scale():
    X, y = table(60, 6)
    scale = 10.0 ** np.array([-8, 8, 0, 4, -4, 0])
    alpha = 1e-3
    model = Lasso(alpha).fit(X * scale, y)
    slope = (X * scale).T @ (y - model.intercept_ - (X * scale) @ model.coef_) / 60
    rounding = 1e-13 * np.linalg.norm(X * scale, axis=0) * np.linalg.norm(y) / 60
    assert np.all(np.abs(slope) <= alpha + rounding)
    np.testing.assert_array_less(
        np.abs(slope - alpha * np.sign(model.coef_))[model.coef_ != 0], rounding[model.coef_ != 0]
    )
    standardized = Lasso(0.1, standardize=True)
    ours, theirs = (
        standardized.fit(X, y).predict(X),
        Lasso(0.1, standardize=True).fit(X * scale, y).predict(X * scale),
    )
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)


def test_weights_of_rows():
    X, y = table(40, 6)
    weight = np.random.default_rng(2).integers(0, 4, 40).astype(float)
    ours = Lasso(0.2).fit(X, y, weight)
    theirs = sk.Lasso(0.2, tol=1e-14, max_iter=100_000).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8, atol=1e-10)
    assert worst_condition(X, y, ours.coef_, ours.intercept_, 0.2, weight) < 1e-9


def test_each_target_by_itself():
    X, y = table(40, 6)
    Y = np.column_stack([y, 100 * y[::-1], np.zeros(40)])
    both = Lasso([0.1, 2.0, 0.5]).fit(X, Y)
    alone = [Lasso(a).fit(X, Y[:, j]) for j, a in enumerate([0.1, 2.0, 0.5])]
    np.testing.assert_allclose(both.coef_, [m.coef_ for m in alone], rtol=1e-12, atol=1e-13)
    assert both.dual_gap_.shape == both.n_iter_.shape == both.effective_parameters_.shape == (3,)
    assert not both.coef_[2].any()


@pytest.mark.parametrize("degree", [3, 9])
def test_raw_columns_of_a_basis_are_penalized(degree):
    """A basis with a frame of its own: the conditions hold on the raw powers, with exact zeros."""
    rng = np.random.default_rng(3)
    x = rng.uniform(0, 1, (60, 1))
    y = np.sin(6 * x[:, 0]) + 0.1 * rng.standard_normal(60)
    model = Lasso(1e-2, basis=Polynomial(degree)).fit(x, y)
    powers = x ** np.arange(1, degree + 1)
    assert (model.coef_ == 0).any()
    assert worst_condition(powers, y, model.coef_, model.intercept_, 1e-2) < 1e-6
    np.testing.assert_allclose(
        model.predict(x), model.intercept_ + powers @ model.coef_, rtol=1e-9, atol=1e-9
    )


def test_standardized_columns_of_a_basis_are_penalized():
    rng = np.random.default_rng(5)
    x = rng.uniform(1, 4, (60, 1))
    y = np.sin(2 * x[:, 0]) + 0.1 * rng.standard_normal(60)
    model = Lasso(0.02, basis=Polynomial(4), standardize=True).fit(x, y)
    powers = x ** np.arange(1, 5)
    scale = powers.std(axis=0)
    assert 0 < np.count_nonzero(model.coef_) < 4
    assert worst_condition(powers / scale, y, model.coef_ * scale, model.intercept_, 0.02) < 1e-6
    np.testing.assert_allclose(
        model.predict(x), model.intercept_ + powers @ model.coef_, rtol=1e-8, atol=1e-9
    )


def test_too_few_passes_are_reported():
    X, y = table(60, 20)
    with pytest.warns(NotConverged, match="duality gap is .* increase max_iter"):
        model = Lasso(1e-3, max_iter=2).fit(X, y)
    assert model.dual_gap_ > 1e-6


def test_no_penalty_is_least_squares():
    X, y = table(40, 5)
    np.testing.assert_allclose(Lasso(0.0).fit(X, y).coef_, sk.LinearRegression().fit(X, y).coef_, rtol=1e-10)


def test_path_is_the_single_fits():
    X, y = table(80, 30)
    Y = np.column_stack([y, y[::-1]])
    alphas = [0.1, 1e-4, 0.0, 3.0, 0.02]
    for target in (y, Y):
        t = Triangle.of(X, target)
        (path,) = Lasso().solve_paths([t], "alpha", alphas)
        single = [Lasso(a).solve(t).predict(X) for a in alphas]
        np.testing.assert_allclose(path.predict(X), single, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_random_problems(seed):
    """Shapes, ranks and penalties at random: the conditions hold everywhere."""
    rng = np.random.default_rng(seed)
    n, d, r = rng.integers(3, 60), rng.integers(1, 80), rng.integers(1, 20)
    X = rng.standard_normal((n, r)) @ rng.standard_normal((r, d)) + 1e-3 * rng.standard_normal((n, d)) * (
        seed % 2
    )
    y = rng.standard_normal(n)
    largest = np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / n
    for alpha in largest * np.array([0.7, 0.1, 1e-2, 1e-4]):
        model = Lasso(alpha).fit(X, y)
        assert worst_condition(X, y, model.coef_, model.intercept_, alpha) < 1e-5
        assert model.dual_gap_ <= 1e-9 * np.var(y)  # |w| up to 1e4 against a penalty of 1e-5: rounding


# -- other powers ----------------------------------------------------------------------------------------------
def q_objective(X, y, w, b, q, alpha):
    return 0.5 * np.sum((y - b - X @ w) ** 2) + 0.5 * alpha * np.sum(np.abs(w) ** q)


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("q", [1.1, 1.5, 1.9, 2.5, 3.0, 4.0, 8.0])
def test_power_against_a_general_optimizer(q, alpha):
    X, y = table(40, 5)
    model = QNormRegression(q, alpha).fit(X, y)
    assert model.kkt_residual_ <= 1e-10
    ours = q_objective(X, y, model.coef_, model.intercept_, q, alpha)
    rough = minimize(
        lambda w: q_objective(X, y, w[1:], w[0], q, alpha), np.append(model.intercept_, model.coef_) + 0.01,
        method="BFGS", options={"gtol": 1e-9, "maxiter": 5000},
    )  # fmt: skip
    assert ours <= rough.fun * (1 + 1e-12)
    assert rough.fun == pytest.approx(ours, rel=1e-6)  # and it gets there from elsewhere
    np.testing.assert_allclose(model.coef_, rough.x[1:], rtol=0, atol=3e-3)


@pytest.mark.parametrize("q", [1.05, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("d", [5, 60])
def test_slope_of_the_objective_is_zero_by_brute_force(q, d):
    X, y = table(40, d)
    model = QNormRegression(q, 2.0).fit(X, y)
    w = model.coef_
    slope = X.T @ (y - model.intercept_ - X @ w) - q * np.abs(w) ** (q - 1) * np.sign(w)
    assert np.abs(slope).max() <= 1e-8 * np.abs(X.T @ y).max()
    assert abs(np.sum(y - model.intercept_ - X @ w)) <= 1e-8 * np.abs(y).sum()


def test_two_is_ridge_and_one_is_lasso():
    X, y = table(40, 7)
    ridge, two = Ridge(3.0).fit(X, y), QNormRegression(2.0, 3.0).fit(X, y)
    np.testing.assert_allclose(two.coef_, ridge.coef_, rtol=1e-9)
    assert two.effective_parameters_ == pytest.approx(ridge.effective_parameters_, rel=1e-9)
    lasso, one = Lasso(30.0 / 80).fit(X, y), QNormRegression(1.0, 30.0).fit(X, y)
    np.testing.assert_allclose(one.coef_, lasso.coef_, rtol=1e-12)
    assert one.effective_parameters_ == lasso.effective_parameters_ == np.count_nonzero(lasso.coef_) + 1


@pytest.mark.slow
@pytest.mark.parametrize("q", [0.3, 1.0, 1.4, 2.0, 3.0])
@pytest.mark.filterwarnings("ignore:With q=0.3")
def test_effective_parameters_are_the_trace_of_the_derivative(q):
    X, y = table(30, 4)
    model, step = QNormRegression(q, 4.0), 1e-5
    moved = [
        (model.fit(X, y + step * e).predict(X) - model.fit(X, y - step * e).predict(X)) @ e / (2 * step)
        for e in np.eye(30)
    ]
    assert model.fit(X, y).effective_parameters_ == pytest.approx(sum(moved), rel=1e-5)


@pytest.mark.parametrize("q", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("alpha", [1.0, 10.0, 60.0])
def test_below_one_no_grid_point_nearby_or_afar_is_lower(q, alpha):
    """Three weights on a fine grid over the whole region: the best of several starts is the best there is."""
    X, y = table(25, 3, seed=4, correlated=1.5)
    with pytest.warns(SufficeWarning, match=f"q={q:g} below 1 the objective is not convex"):
        model = QNormRegression(q, alpha).fit(X, y)
    ours = q_objective(X, y, model.coef_, model.intercept_, q, alpha)
    axis = np.linspace(-3, 3, 61)
    grid = np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 3)
    Xc, yc = X - X.mean(axis=0), y - y.mean()
    values = 0.5 * np.sum((yc - grid @ Xc.T) ** 2, axis=1) + 0.5 * alpha * np.sum(np.abs(grid) ** q, axis=1)
    assert ours <= values.min()
    assert model.kkt_residual_ <= 1e-10


@pytest.mark.filterwarnings("ignore:With q=0.5")
@pytest.mark.parametrize("seed", range(6))
def test_below_one_changing_a_single_weight_never_helps(seed):
    X, y = table(30, 15, seed=seed, correlated=2.0)
    model = QNormRegression(0.5, 15.0).fit(X, y)
    Xc, yc = X - X.mean(axis=0), y - y.mean()
    values = np.append(np.linspace(-4, 4, 801), 0.0)
    best = q_objective(Xc, yc, model.coef_, 0.0, 0.5, 15.0)
    for j in range(15):
        others = np.where(np.arange(15) == j, 0.0, model.coef_)
        residual = (yc - Xc @ others)[:, None] - Xc[:, [j]] * values
        fixed = 7.5 * np.sum(np.abs(others) ** 0.5)
        assert np.all(0.5 * np.sum(residual**2, axis=0) + 7.5 * np.abs(values) ** 0.5 + fixed >= best - 1e-9)


def test_below_one_even_zero_is_a_start():
    """All weights zero is a local minimum; taking in one weight after the other leads on from it."""
    X, y = table(30, 6)
    problem, mu = _unit_problem(X, y), np.full(6, 0.01)
    found = _improved(problem, mu, 0.5, np.zeros(6)).weights
    assert objective_of_power(problem, mu, 0.5, found) < 0.5 * objective_of_power(
        problem, mu, 0.5, np.zeros(6)
    )
    assert _one_changed(problem, mu, 0.5, found)[1] <= 1e-12


def test_below_one_is_sparser_than_lasso_and_local_minima_are_flat():
    X, y = table(60, 12)
    with pytest.warns(SufficeWarning, match="not convex"):
        model = QNormRegression(0.5, 20.0).fit(X, y)
    w, some = model.coef_, model.coef_ != 0
    slope = X.T @ (y - model.intercept_ - X @ w)
    np.testing.assert_allclose(slope[some], 5.0 * np.abs(w[some]) ** -0.5 * np.sign(w[some]), rtol=1e-8)
    assert 0 < some.sum() < 12


@pytest.mark.filterwarnings("ignore:With q=0.5")
@pytest.mark.parametrize("q", [0.5, 1.0, 1.5, 2.0, 3.0])
def test_awkward_tables(q):
    X, y = table(30, 4)
    copies = np.column_stack([X, X, np.ones(30)])
    for unit_x, unit_y in ((1.0, 1.0), (1e7, 1e-4), (1e-6, 1e6)):
        model = QNormRegression(q, 5.0, standardize=True).fit(copies * unit_x, y * unit_y)
        assert np.isfinite(model.coef_).all()
        assert model.coef_[-1] == 0
        assert model.kkt_residual_ <= 1e-8
    flat = QNormRegression(q, 1.0).fit(X, np.full(30, 3.0))
    assert not flat.coef_.any()
    assert flat.intercept_ == 3.0
