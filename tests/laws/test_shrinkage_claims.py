"""What the texts claim about penalties on powers of the weights (PRML §3.1.4, §3.3.1, Fig. 3.17; DTU §14.1.1)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.bases import Polynomial
from suffice.datasets import diabetes
from suffice.distributions import GeneralizedNormal, Normal
from suffice.evaluation import SearchCV, validate_path
from suffice.linear import (
    BayesianLinearRegression,
    Lasso,
    LinearRegression,
    QNormRegression,
    Ridge,
    budget_of,
    coefficient_path,
    with_budget,
)
from suffice.statistics import Triangle

DATA = diabetes()
rng = np.random.default_rng(0)
X = rng.standard_normal((50, 6)) @ (np.eye(6) + 0.3 * rng.standard_normal((6, 6)))
y = 1 + X @ [2.0, -1.0, 0.0, 0.0, 0.5, 0.0] + 0.5 * rng.standard_normal(50)


def test_zeros_appear_and_grow_with_the_penalty_and_ridge_has_none():
    """Claim 9."""
    penalties = np.logspace(-3, 2, 30)
    lasso = coefficient_path(Lasso(standardize=True), DATA.X, DATA.y, penalties=penalties)
    ridge = coefficient_path(Ridge(standardize=True), DATA.X, DATA.y, penalties=penalties)
    assert lasso.n_nonzero[0] == 10
    assert lasso.n_nonzero[-1] == 0
    assert np.all(np.diff(lasso.n_nonzero) <= 1)  # one may come back: "typically"
    assert np.all(ridge.n_nonzero == 10)


@pytest.mark.parametrize("model", [Ridge(), Lasso(), QNormRegression(1.5), QNormRegression(4.0)])
def test_size_falls_and_training_error_rises_with_the_penalty(model):
    """Claim 8, and DTU claim 6."""
    penalties = np.logspace(-4, 3, 25)
    fits = [type(model)(**model.get_params(deep=False) | {"alpha": a}).fit(X, y) for a in penalties]
    assert np.all(np.diff([budget_of(f) for f in fits]) <= 1e-12)
    assert np.all(np.diff([f.noise_variance_ml_ for f in fits]) >= -1e-12)


def test_minimizing_over_the_penalty_too_gives_none():
    """Claim 10: the regularized error is lowest without a penalty, so it cannot choose one."""
    values = [
        0.5 * np.sum((y - m.predict(X)) ** 2) + 0.5 * a * np.abs(m.coef_).sum()
        for a in (0.0, 0.1, 1.0, 10.0)
        for m in [QNormRegression(1.0, a).fit(X, y)]
    ]
    assert np.all(np.diff(values) > 0)


@pytest.mark.parametrize(
    ("model", "q"), [(Ridge(), 2.0), (Lasso(), 1.0), (QNormRegression(1.5), 1.5), (QNormRegression(3.0), 3.0)]
)
def test_constrained_and_penalized_solutions_agree(model, q):
    """Eq. 3.30 by a general optimizer under the constraint, against the penalty found for that budget."""
    free = budget_of(type(model)(**model.get_params(deep=False) | {"alpha": 0.0}).fit(X, y))
    target = 0.4 * free
    found = with_budget(model, target, X, y)
    assert budget_of(found) == pytest.approx(target, rel=1e-9)
    Xc, yc = X - X.mean(axis=0), y - y.mean()
    other = minimize(
        lambda w: 0.5 * np.sum((yc - Xc @ (w[:6] - w[6:])) ** 2), np.full(12, 0.05), method="SLSQP",
        jac=lambda w: np.concatenate([-(g := Xc.T @ (yc - Xc @ (w[:6] - w[6:]))), g]), bounds=[(0, None)] * 12,
        constraints={"type": "ineq", "fun": lambda w: target - np.sum((w[:6] + w[6:]) ** q)},
        options={"ftol": 1e-14, "maxiter": 2000},
    )  # fmt: skip
    ours = 0.5 * np.sum((yc - Xc @ found.coef_) ** 2)
    assert ours <= other.fun * (1 + 1e-7)
    np.testing.assert_allclose(found.coef_, other.x[:6] - other.x[6:], rtol=0, atol=2e-3)


def test_budget_and_penalty_are_inverse():
    for model in (Ridge(3.0), Lasso(0.2), Lasso(0.2, standardize=True), QNormRegression(1.3, 8.0)):
        fitted = model.fit(X, y)
        again = with_budget(model, budget_of(fitted), X, y)
        assert again.alpha == pytest.approx(model.alpha, rel=1e-7)
        np.testing.assert_allclose(again.coef_, fitted.coef_, rtol=1e-8, atol=1e-10)


def test_a_budget_that_least_squares_meets_needs_no_penalty():
    model = with_budget(Lasso(), 1e6, X, y)
    assert model.alpha == 0
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-10)


def test_budgets_refuse_what_has_none():
    with pytest.raises(InvalidParameter, match="budget must be a number > 0; got -1"):
        with_budget(Lasso(), -1, X, y)
    with pytest.raises(InvalidParameter, match=r"q=0.5 below 1 jumps.*Use q >= 1"):
        with_budget(QNormRegression(0.5), 1.0, X, y)
    with pytest.raises(Unsupported, match="LinearRegression has no penalty.*use Ridge, Lasso"):
        budget_of(LinearRegression().fit(X, y))
    with pytest.raises(Unsupported, match="penalize_intercept=True puts the constant"):
        budget_of(Ridge(penalize_intercept=True).fit(X, y))
    with pytest.raises(InvalidInput, match="one target; got 2"):
        coefficient_path(Lasso(), X, np.column_stack([y, y]), penalties=[1.0])
    with pytest.raises(InvalidParameter, match="penalties must be made of numbers; got 'many'"):
        coefficient_path(Lasso(), X, y, penalties="many")
    with pytest.raises(InvalidParameter, match=r"penalties must be a list of numbers; got shape \(0,\)"):
        coefficient_path(Lasso(), X, y, penalties=np.zeros(0))


@pytest.mark.parametrize("q", [1.0, 1.5, 2.0, 4.0])
def test_solution_is_the_mode_under_the_generalized_normal_prior(q):
    """Eq. 3.56: λ = α/β. No weight nearby has a larger log posterior, by the distributions themselves."""
    prior_precision, beta = 6.0, 2.0
    model = QNormRegression(q, prior_precision / beta, fit_intercept=False).fit(X, y)
    prior = GeneralizedNormal.from_precision(precision=prior_precision, power=q)

    def log_posterior(w):
        return Normal(X @ w, beta**-0.5).log_prob(y).sum() + prior.log_prob(w).sum()

    best, draw = log_posterior(model.coef_), np.random.default_rng(1)
    for size in (1e-1, 1e-2, 1e-3):
        for _ in range(200):
            assert log_posterior(model.coef_ + size * draw.standard_normal(6)) < best


def test_mode_is_the_mean_only_for_the_square():
    """Claim 16, one weight and one observation, by integration on a grid."""
    w = np.linspace(-8, 8, 160_001)
    for q in (1.0, 2.0, 4.0):
        density = np.exp(-0.5 * (1 - w) ** 2 - 0.5 * np.abs(w) ** q)
        mean = (w * density).sum() / density.sum()
        mode = QNormRegression(q, 1.0, fit_intercept=False).fit([[1.0]], [1.0]).coef_[0]
        assert mode == pytest.approx(w[np.argmax(density)], abs=1e-4)
        assert (abs(mean - mode) < 1e-6) == (q == 2)


def test_effective_parameters_sweep_from_all_to_none():
    """Fig. 3.17: as α goes from 0 to ∞, γ goes from M to 0 and every weight to zero."""
    model = BayesianLinearRegression(noise_precision=4.0, fit_intercept=False)
    path = coefficient_path(model, X, y, penalties=np.logspace(-8, 10, 40))
    assert path.parameter == "prior_precision"
    assert np.all(np.diff(path.effective_parameters) < 0)
    assert path.effective_parameters[[0, -1]] == pytest.approx([6.0, 0.0], abs=1e-6)
    assert np.abs(path.coef[-1]).max() < 1e-6
    np.testing.assert_allclose(path.coef[0], LinearRegression(fit_intercept=False).fit(X, y).coef_, rtol=1e-6)


def test_path_record():
    path = coefficient_path(Lasso(), Triangle.of(X, y), penalties=[1.0, 0.1])
    frame = path.frame()
    assert list(frame.columns[:3]) == ["alpha", "effective_parameters", "intercept"]
    np.testing.assert_array_equal(frame.iloc[1, 3:], path.coef[1])
    np.testing.assert_allclose(path.coef[1], Lasso(0.1).fit(X, y).coef_, rtol=1e-10, atol=1e-12)
    assert "2 × alpha 0.1 … 1" in repr(path)


@pytest.mark.parametrize(
    "model", [Lasso(), Lasso(standardize=True), Lasso(fit_intercept=False, basis=Polynomial(2))]
)
def test_paths_are_validated_as_by_refitting(model):
    """λ by cross-validation (p3-lambda-selection): from statistics, and by fitting every fold anew."""
    alphas, folds = [1.0, 0.2, 0.01, 0.0], KFold(5)
    path = validate_path(model, X, y, "alpha", alphas, cv=folds)
    assert path.how == "statistics"
    for i, alpha in enumerate(alphas):
        errors = [
            np.mean(
                (
                    y[test]
                    - type(model)(**model.get_params(deep=False) | {"alpha": alpha})
                    .fit(X[a], y[a])
                    .predict(X[test])
                )
                ** 2
            )
            for a, test in folds.split(X)
        ]
        assert path.test[i] == pytest.approx(np.mean(errors), rel=1e-8)


def test_search_behind_a_pipeline():
    search = SearchCV(
        make_pipeline(StandardScaler(), Lasso()), {"lasso__alpha": [0.5, 0.05, 0.005]}, cv=KFold(5)
    )
    search.fit(X, y)
    assert search.how_ == "statistics"
    assert search.best_params_["lasso__alpha"] < 0.5


@pytest.mark.parametrize("model", [Lasso(0.1), QNormRegression(1.5, 2.0), QNormRegression(1.0, 2.0)])
def test_saved_models_come_back(model, tmp_path):
    fitted = model.fit(X, y)
    suffice.save(fitted, tmp_path / "model.suffice")
    again = suffice.load(tmp_path / "model.suffice")
    np.testing.assert_array_equal(again.coef_, fitted.coef_)
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
    assert again.n_iter_ == fitted.n_iter_


def test_paths_are_saved(tmp_path):
    path = coefficient_path(Lasso(), X, y, penalties=[1.0, 0.1])
    suffice.save(path, tmp_path / "path.suffice")
    assert suffice.load(tmp_path / "path.suffice") == path


def test_lasso_is_unstable_and_finds_the_right_columns_among_many():
    """DTU §14.1.1: many irrelevant attributes; 40 simulated tables, three of sixty columns matter."""
    found = []
    for seed in range(40):
        draw = np.random.default_rng(seed)
        wide = draw.standard_normal((80, 60))
        target = wide[:, :3] @ [3.0, -2.0, 2.0] + draw.standard_normal(80)
        found.append(Lasso(0.5).fit(wide, target).coef_ != 0)
    chosen = np.mean(found, axis=0)
    assert np.all(chosen[:3] == 1)
    assert chosen[3:].max() < 0.2


def test_powers_that_overflow_are_refused():
    X = np.random.default_rng(0).standard_normal((40, 3))
    assert QNormRegression(100.0).fit(X, 3 * X[:, 0]).kkt_residual_ < 1e-8
    with pytest.raises(InvalidParameter, match="q must be at most 100"):
        QNormRegression(101.0).fit(X, X[:, 0])
