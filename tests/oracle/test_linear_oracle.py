"""Linear models against statsmodels, scikit-learn, brute force, and the conditions of their optima."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.integrate import quad
from scipy.stats import multivariate_normal
from sklearn.linear_model import BayesianRidge
from sklearn.linear_model import Ridge as SklearnRidge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice import engine
from suffice._core.errors import AtBound, RankDeficient
from suffice.bases import GaussianBasis, Polynomial
from suffice.datasets import diabetes, nist_longley
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.statistics import Triangle

from ..contract import brute

rng = np.random.default_rng(3)
N, D = 40, 3
X = rng.standard_normal((N, D)) * [1.0, 10.0, 0.1] + [5.0, 0.0, -3.0]
y = 7 + X @ [1.0, -0.2, 4.0] + 0.5 * rng.standard_normal(N)
Y = np.column_stack([y, 3 - y + rng.standard_normal(N)])
WEIGHT = rng.integers(0, 4, N).astype(float)
PRECISION = rng.uniform(0.2, 3.0, N)
NEW = rng.standard_normal((5, D)) * [1.0, 10.0, 0.1] + [5.0, 0.0, -3.0]


# -- statsmodels --------------------------------------------------------------------------------------
def ols_pairs():
    """(ours, theirs, X, rows of statsmodels' design at NEW)."""
    A, new = sm.add_constant(X), sm.add_constant(NEW, has_constant="add")
    rows = np.repeat(np.arange(N), WEIGHT.astype(int))
    quadratic, quadratic_new = (sm.add_constant(np.hstack([Z, Z**2]), has_constant="add") for Z in (X, NEW))
    return {
        "plain": (LinearRegression().fit(X, y), sm.OLS(y, A).fit(), new),
        "origin": (LinearRegression(fit_intercept=False).fit(X, y), sm.OLS(y, X).fit(), NEW),
        "counts": (LinearRegression().fit(X, y, WEIGHT), sm.OLS(y[rows], A[rows]).fit(), new),
        "precision": (
            LinearRegression(weight_kind="precision").fit(X, y, PRECISION),
            sm.WLS(y, A, weights=PRECISION).fit(),
            new,
        ),
        "precision, origin": (
            LinearRegression(weight_kind="precision", fit_intercept=False).fit(X, y, PRECISION),
            sm.WLS(y, X, weights=PRECISION).fit(),
            NEW,
        ),
        "parabola": (
            LinearRegression(basis=Polynomial(2)).fit(X, y),
            sm.OLS(y, quadratic).fit(),
            quadratic_new,
        ),
        "standardized": (LinearRegression(standardize=True).fit(X, y), sm.OLS(y, A).fit(), new),
    }


PAIRS = ols_pairs()


@pytest.fixture(params=PAIRS)
def pair(request):
    return PAIRS[request.param]


def test_estimates_and_errors(pair):
    ours, theirs, _ = pair
    s = ours.summary(confidence=0.9)
    np.testing.assert_allclose(s.estimate, theirs.params, rtol=1e-7)
    np.testing.assert_allclose(s.std_error, theirs.bse, rtol=1e-7)
    np.testing.assert_allclose(s.t, theirs.tvalues, rtol=1e-7)
    np.testing.assert_allclose(s.p, theirs.pvalues, rtol=1e-6, atol=1e-300)
    np.testing.assert_allclose(np.column_stack([s.low, s.high]), theirs.conf_int(0.1), rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(ours.cov_params_, theirs.cov_params(), rtol=1e-6)
    assert ours.dof_ == theirs.df_resid


def test_likelihood_and_criteria(pair):
    ours, theirs, _ = pair
    assert ours.noise_variance_ == pytest.approx(theirs.mse_resid, rel=1e-10)
    assert ours.noise_variance_ml_ == pytest.approx(theirs.ssr / theirs.nobs, rel=1e-10)
    assert ours.log_likelihood_ == pytest.approx(theirs.llf, rel=1e-10)
    # the noise variance counts as a parameter here, not there
    assert ours.aic_ == pytest.approx(theirs.aic + 2, rel=1e-10)
    assert ours.bic_ == pytest.approx(theirs.bic + np.log(theirs.nobs), rel=1e-10)


def test_prediction_intervals(pair):
    ours, theirs, new = pair
    frame = theirs.get_prediction(new).summary_frame(alpha=0.2)
    low, high = ours.predict_dist(NEW).interval(0.8)
    np.testing.assert_allclose(ours.predict(NEW), frame["mean"], rtol=1e-8)
    np.testing.assert_allclose(low, frame["obs_ci_lower"], rtol=1e-7)
    np.testing.assert_allclose(high, frame["obs_ci_upper"], rtol=1e-7)
    low, high = ours.predict_dist(NEW, noise=False).interval(0.8)
    np.testing.assert_allclose(low, frame["mean_ci_lower"], rtol=1e-7)
    np.testing.assert_allclose(high, frame["mean_ci_upper"], rtol=1e-7)


def test_leverage_and_hat_matrix():
    model, theirs = LinearRegression().fit(X, y), sm.OLS(y, sm.add_constant(X)).fit()
    H = model.hat_matrix(X)
    np.testing.assert_allclose(model.leverage(X), theirs.get_influence().hat_matrix_diag, rtol=1e-9)
    np.testing.assert_allclose(np.diagonal(H), model.leverage(X), rtol=1e-12)
    np.testing.assert_allclose(H @ y, model.predict(X), rtol=1e-10)
    np.testing.assert_allclose(H @ H, H, atol=1e-12)
    assert np.trace(H) == pytest.approx(D + 1)


def test_several_targets_have_one_covariance_each():
    model = LinearRegression().fit(X, Y)
    A = sm.add_constant(X)
    for j in range(2):
        np.testing.assert_allclose(model.cov_params_[j], sm.OLS(Y[:, j], A).fit().cov_params(), rtol=1e-6)
    residual = Y - model.predict(X)
    np.testing.assert_allclose(model.noise_covariance_ml_, residual.T @ residual / N, rtol=1e-9)
    assert model.log_likelihood_ == pytest.approx(sum(sm.OLS(Y[:, j], A).fit().llf for j in range(2)))


# -- scikit-learn -------------------------------------------------------------------------------------
@pytest.mark.parametrize("weight", [None, WEIGHT, PRECISION], ids=["plain", "counts", "fractions"])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("alpha", [1e-6, 0.3, 1e4])
@pytest.mark.parametrize("kind", ["counts", "precision"])
def test_ridge(alpha, fit_intercept, weight, kind):
    ours = Ridge(alpha, fit_intercept=fit_intercept, weight_kind=kind).fit(X, y, weight)
    theirs = SklearnRidge(alpha, fit_intercept=fit_intercept, solver="svd").fit(X, y, weight)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8, atol=1e-13)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, rel=1e-9, abs=1e-12)


def test_ridge_with_a_penalty_per_target():
    ours = Ridge([0.1, 50.0]).fit(X, Y)
    theirs = SklearnRidge(np.array([0.1, 50.0]), solver="svd").fit(X, Y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-10)
    for j, a in enumerate((0.1, 50.0)):
        one = Ridge(a).fit(X, Y[:, j])
        assert ours.effective_parameters_[j] == pytest.approx(one.effective_parameters_, rel=1e-12)
        assert ours.noise_variance_ml_[j] == pytest.approx(one.noise_variance_ml_, rel=1e-10)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_standardize_is_a_scaler_before_it(fit_intercept, weight):
    pipe = make_pipeline(StandardScaler(), SklearnRidge(2.0, fit_intercept=fit_intercept, solver="svd"))
    pipe.fit(X, y, standardscaler__sample_weight=weight, ridge__sample_weight=weight)
    ours = Ridge(2.0, standardize=True, fit_intercept=fit_intercept).fit(X, y, weight)
    np.testing.assert_allclose(ours.predict(NEW), pipe.predict(NEW), rtol=1e-9)
    np.testing.assert_allclose(ours.coef_, pipe[-1].coef_ / pipe[0].scale_, rtol=1e-8)


@pytest.mark.parametrize("center", [0.0, 50.0, 2000.0])
def test_standardize_scales_the_columns_of_the_basis(center):
    x, target = X[:, :1] + center, np.sin(X[:, 0])
    phi = Polynomial(3)(X[:, :1] + center).astype(np.longdouble)
    scaled = (phi - phi.mean(axis=0)) / np.sqrt(((phi - phi.mean(axis=0)) ** 2).mean(axis=0))
    theirs = SklearnRidge(1.5, solver="svd").fit(scaled.astype(float), target)
    ours = Ridge(1.5, standardize=True, basis=Polynomial(3)).fit(x, target)
    np.testing.assert_allclose(ours.predict(x), theirs.predict(scaled.astype(float)), rtol=1e-8, atol=1e-8)


def bayes_pairs():
    return {
        "plain": (X, y),
        "diabetes": (diabetes().X, diabetes().y),
        "longley": (nist_longley().X, nist_longley().y),
    }


@pytest.mark.parametrize("name", ["plain", "diabetes"])
def test_bayesian_ridge_finds_no_better_precisions(name):
    """With its hyper-priors at zero both maximize the same evidence, up to the flat intercept's N − 1."""
    A, t = bayes_pairs()[name]
    A = (A - A.mean(axis=0)) / A.std(axis=0)
    theirs = BayesianRidge(
        alpha_1=0, alpha_2=0, lambda_1=0, lambda_2=0, tol=1e-12, max_iter=5000, fit_intercept=False
    )
    theirs.fit(A, t)
    ours = BayesianLinearRegression(fit_intercept=False).fit(A, t)
    assert ours.prior_precision_ == pytest.approx(theirs.lambda_, rel=1e-5)
    assert ours.noise_precision_ == pytest.approx(theirs.alpha_, rel=1e-5)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-5)
    np.testing.assert_allclose(ours.posterior_.cov, theirs.sigma_, rtol=1e-5, atol=1e-12)
    mean, std = theirs.predict(A[:5], return_std=True)
    np.testing.assert_allclose(ours.predict_dist(A[:5]).std, std, rtol=1e-6)
    np.testing.assert_allclose(ours.predict(A[:5]), mean, rtol=1e-5)


def test_evidence_quality_beside_bayesian_ridge():
    """A mean of 1000 with 60 rows and 30 columns: a bad intercept would ruin the precisions."""
    worst = []
    for seed in range(5):
        r = np.random.default_rng(seed)
        A, w = r.standard_normal((1060, 30)), r.standard_normal(30) * (r.random(30) < 0.5)
        t = 1000 + A @ w + 2 * r.standard_normal(1060)
        ours = BayesianLinearRegression().fit(A[:60], t[:60])
        theirs = BayesianRidge().fit(A[:60], t[:60])
        shifted = BayesianLinearRegression().fit(A[:60], t[:60] - 1000)
        np.testing.assert_allclose(ours.predict(A[60:]) - 1000, shifted.predict(A[60:]), atol=1e-7)
        assert ours.log_evidence_ == pytest.approx(shifted.log_evidence_, rel=1e-8)
        worst.append(
            np.mean((ours.predict(A[60:]) - t[60:]) ** 2) / np.mean((theirs.predict(A[60:]) - t[60:]) ** 2)
        )
    assert np.mean(worst) <= 1.02


# -- brute force --------------------------------------------------------------------------------------
SMALL = X[:9, :2], y[:9]
COV3, COV2 = (
    np.array([[2.0, 0.3, 0.1], [0.3, 1.0, -0.4], [0.1, -0.4, 0.5]]),
    np.array([[2.0, 0.3], [0.3, 1.0]]),
)
BAYES = {
    "prior intercept": {"intercept": "prior"},
    "origin": {"fit_intercept": False},
    "flat": {},
    "flat, general": {"prior_mean": [1.0, -2.0], "prior_cov": COV2},
    "prior, general": {"intercept": "prior", "prior_mean": [5.0, 1.0, -2.0], "prior_cov": COV3},
    "origin, general": {"fit_intercept": False, "prior_mean": [1.0, -2.0], "prior_cov": COV2},
    "parabola": {"intercept": "prior", "basis": Polynomial(2)},
    "parabola, flat": {"basis": Polynomial(2)},
    "bumps, origin": {"fit_intercept": False, "basis": GaussianBasis([4.0, 5.0, 6.0], width=1.0)},
    "standardized": {"standardize": True},
    "standardized, prior": {"standardize": True, "intercept": "prior"},
    "standardized, origin": {"standardize": True, "fit_intercept": False},
    "standardized, general": {"standardize": True, "prior_mean": [1.0, -2.0], "prior_cov": COV2},
    "standardized parabola": {"standardize": True, "basis": Polynomial(2)},
}
WEIGHTS = {
    "plain": (None, "counts"),
    "counts": (WEIGHT[:9] + [1, 0, 0] * 3, "counts"),
    "precision": (PRECISION[:9], "precision"),
}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", BAYES)
def test_evidence_is_the_density_of_the_targets(name, weights):
    weight, kind = WEIGHTS[weights]
    model = BayesianLinearRegression(0.4, noise_precision=1.7, weight_kind=kind, **BAYES[name]).fit(
        *SMALL, weight
    )
    assert model.log_evidence_ == pytest.approx(brute.log_evidence(model, *SMALL, weight), rel=1e-9)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", [n for n in BAYES if not n.startswith("standardized")])
def test_posterior_is_the_dense_formula(name, weights):
    weight, kind = WEIGHTS[weights]
    model = BayesianLinearRegression(0.4, noise_precision=1.7, weight_kind=kind, **BAYES[name]).fit(
        *SMALL, weight
    )
    mean, cov = brute.posterior(model, *SMALL, weight)
    np.testing.assert_allclose(model.posterior_.mean, mean, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.posterior_.cov, cov, rtol=1e-7, atol=1e-12)
    A = brute.columns(model, NEW[:, :2])
    A = np.column_stack([np.ones(len(A)), A]) if model.fit_intercept else A
    np.testing.assert_allclose(model.predict(NEW[:, :2]), A @ mean, rtol=1e-8)
    np.testing.assert_allclose(
        model.predict_dist(NEW[:, :2], noise=False).var, np.sum((A @ cov) * A, axis=1), rtol=1e-7
    )
    np.testing.assert_allclose(
        model.predict_dist(NEW[:, :2]).var, 1 / 1.7 + np.sum((A @ cov) * A, axis=1), rtol=1e-7
    )


def test_flat_intercept_is_an_integral():
    A, t = SMALL
    model = BayesianLinearRegression(0.4, noise_precision=1.7).fit(A, t)
    cov = np.eye(9) / 1.7 + A @ A.T / 0.4
    density = multivariate_normal(np.zeros(9), cov)
    peak = model.log_evidence_
    area, _ = quad(lambda b: np.exp(density.logpdf(t - b) - peak), -200, 200, points=[0, 5, 10], limit=400)
    assert area == pytest.approx(1.0, rel=1e-7)


def test_flat_intercept_is_a_limit():
    """N(b | 0, v) for huge v: the evidence differs by log N(0 | 0, v)."""
    A, t = SMALL
    v = 1e9
    flat = BayesianLinearRegression(0.4, noise_precision=1.7).fit(A, t)
    wide = BayesianLinearRegression(
        0.4, noise_precision=1.7, intercept="prior", prior_cov=np.diag([0.4 * v, 1.0, 1.0])
    ).fit(A, t)
    assert wide.log_evidence_ + 0.5 * np.log(2 * np.pi * v) == pytest.approx(flat.log_evidence_, abs=1e-6)
    np.testing.assert_allclose(wide.posterior_.mean, flat.posterior_.mean, rtol=1e-6)


# -- the optimum of the evidence ----------------------------------------------------------------------
EVIDENCE = {
    "both": {},
    "em": {"method": "em"},
    "origin": {"fit_intercept": False},
    "prior intercept": {"intercept": "prior"},
    "standardized": {"standardize": True},
    "parabola": {"basis": Polynomial(2)},
    "known noise": {"noise_precision": 3.0},
    "known prior": {"prior_precision": 0.2},
    "general": {"prior_mean": [1.0, 0.0, 2.0], "prior_cov": COV3},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EVIDENCE)
def test_the_evidence_is_stationary_and_nowhere_higher(name):
    options = EVIDENCE[name]
    best = BayesianLinearRegression(**options).fit(X, y)

    def height(log_alpha, log_beta):
        fixed = {"prior_precision": np.exp(log_alpha), "noise_precision": np.exp(log_beta)}
        return BayesianLinearRegression(**{**options, **fixed}).fit(X, y).log_evidence_

    a, b = np.log(best.prior_precision_), np.log(best.noise_precision_)
    assert height(a, b) == pytest.approx(best.log_evidence_, rel=1e-10)
    assert (
        best.trace_.objective[-1] == pytest.approx(best.log_evidence_, rel=1e-3) or best.intercept == "flat"
    )
    h = 1e-3
    for free, slope in (
        (best.prior_precision == "evidence", (height(a + h, b) - height(a - h, b)) / (2 * h)),
        (best.noise_precision == "evidence", (height(a, b + h) - height(a, b - h)) / (2 * h)),
    ):
        assert not free or abs(slope) < 1e-5
    steps = np.linspace(-8, 8, 9)
    alphas = a + steps if best.prior_precision == "evidence" else [a]
    betas = b + steps if best.noise_precision == "evidence" else [b]
    assert max(height(u, v) for u in alphas for v in betas) <= best.log_evidence_ + 1e-9


def test_noise_only_data_hit_the_bound_and_say_so():
    r = np.random.default_rng(1)
    hit = 0
    for _ in range(20):
        A, t = r.standard_normal((30, 3)), r.standard_normal(30)
        t = t - sm.OLS(t, sm.add_constant(A)).fit().fittedvalues + t.mean()  # not a trace of an effect
        with pytest.warns(AtBound, match="no effect of the columns"):
            model = BayesianLinearRegression().fit(A, t)
        hit += model.well_determined_parameters_ < 1e-6
        np.testing.assert_allclose(model.predict(A), t.mean(), atol=1e-6)
    assert hit == 20


def test_exact_data_hit_the_other_bound():
    with pytest.warns(AtBound, match="no noise"):
        model = BayesianLinearRegression().fit(X, X @ [1.0, 2.0, 3.0])
    np.testing.assert_allclose(model.coef_, [1.0, 2.0, 3.0], rtol=1e-6)


# -- optimality ---------------------------------------------------------------------------------------
RIDGES = {
    "plain": {},
    "origin": {"fit_intercept": False},
    "all penalized": {"penalize_intercept": True},
    "mean": {"penalty_scale": "mean", "penalize_intercept": True},
    "parabola": {"basis": Polynomial(2)},
    "cubic": {"basis": Polynomial(3), "penalize_intercept": True},
    "cubic, origin": {"basis": Polynomial(3), "fit_intercept": False},
    "products": {"basis": Polynomial(2, interactions=True)},
    "bumps": {"basis": GaussianBasis([3.0, 5.0, 7.0], width=1.5)},
    "sum": {"basis": Polynomial(2) + GaussianBasis([5.0], width=1.0)},
}


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("alpha", [0.0, 1e-3, 2.0, 1e3])
@pytest.mark.parametrize("name", RIDGES)
def test_gradient_of_the_penalized_loss_is_zero(name, alpha, weight):
    """In raw units, in extended precision: |Aᵀ W (y − A θ) − α P θ| is rounding."""
    model = Ridge(alpha, **RIDGES[name]).fit(X, y, weight)
    w = np.ones(N) if weight is None else weight
    phi = brute.columns(model, X)
    A, theta = phi, model.coef_
    penalty = np.full(phi.shape[1], alpha * (w.sum() if model.penalty_scale == "mean" else 1.0))
    if model.fit_intercept:
        A, theta = np.column_stack([np.ones(N), phi]), np.concatenate([[model.intercept_], model.coef_])
        penalty = np.concatenate([[penalty[0] if model.penalize_intercept else 0.0], penalty])
    A, theta = A.astype(np.longdouble), theta.astype(np.longdouble)
    residual = y - A @ theta
    gradient = A.T @ (w * residual) - penalty * theta
    # least squares on the stacked rows √w A over √(αP): rounding is relative to the lengths of its columns
    size = np.sqrt(A.T**2 @ w + penalty)
    assert np.all(np.abs(gradient) <= 1e-13 * size * (np.sqrt(y**2 @ w) + size @ np.abs(theta)))


@pytest.mark.parametrize("alpha", [0.0, 1e-3, 10.0])
def test_paths_are_single_fits(alpha):
    for basis in (None, Polynomial(3)):
        for fit_intercept in (True, False):
            model = Ridge(alpha, basis=basis, fit_intercept=fit_intercept).fit(X, Y)
            if alpha == 0 and basis is not None:
                continue
            path = model.statistics_.ridge([alpha, 7.0], fit_intercept=fit_intercept)
            np.testing.assert_allclose(path.coef[0].T, model.coef_, rtol=1e-8, atol=1e-11)
            np.testing.assert_allclose(path.intercept[0], model.intercept_, rtol=1e-8, atol=1e-11)


def test_path_without_penalty_in_a_basis_is_least_squares():
    t = LinearRegression(basis=Polynomial(3)).fit(X, y).statistics_
    np.testing.assert_allclose(t.ridge([0.0]).coef[0], t.lstsq().coef, rtol=1e-8)


def test_books_are_settings():
    lam = 0.3
    A = np.column_stack([np.ones(N), X])
    by_hand = {
        "fcml": np.linalg.solve(A.T @ A + N * lam * np.eye(D + 1), A.T @ y),
        "prml": np.linalg.solve(A.T @ A + lam * np.eye(D + 1), A.T @ y),
        "herbst": np.linalg.solve(A.T @ A + lam * np.eye(D + 1), A.T @ y),
    }
    for text, w in by_hand.items():
        m = Ridge.book(lam, text=text).fit(X, y)
        np.testing.assert_allclose([m.intercept_, *m.coef_], w, rtol=1e-8)
    Z = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    m = Ridge.book(lam, text="dtu").fit(X, y)
    w = np.linalg.solve(Z.T @ Z + lam * np.eye(D), Z.T @ (y - y.mean()))
    np.testing.assert_allclose(m.coef_ * X.std(axis=0, ddof=1), w, rtol=1e-9)
    assert m.predict(X.mean(axis=0)[None])[0] == pytest.approx(y.mean())


# -- rank ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("kind", ["duplicate", "sum", "short", "constant", "zero"])
def test_minimum_norm(kind, fit_intercept):
    r = np.random.default_rng(0)
    A = r.standard_normal((12, 4))
    t = r.standard_normal(12) + 1
    A = {
        "duplicate": np.column_stack([A, A[:, 1]]),
        "sum": np.column_stack([A, A[:, 0] + 2 * A[:, 1]]),
        "short": r.standard_normal((5, 8)),
        "constant": np.column_stack([A, np.full(12, 7.0)]),
        "zero": np.column_stack([A, np.zeros(12)]),
    }[kind]
    t = t[: len(A)]
    if kind == "constant" and not fit_intercept:
        model = LinearRegression(fit_intercept=False).fit(A, t)
    else:
        with pytest.warns(RankDeficient):
            model = LinearRegression(fit_intercept=fit_intercept).fit(A, t)
    C, s = (A - A.mean(axis=0), t - t.mean()) if fit_intercept else (A, t)
    w = np.linalg.pinv(C, rcond=1e-10) @ s
    np.testing.assert_allclose(model.coef_, w, rtol=1e-9, atol=1e-11)
    assert model.rank_ == np.linalg.matrix_rank(C, tol=1e-10)
    expected = t.mean() - A.mean(axis=0) @ w if fit_intercept else 0.0
    assert model.intercept_ == pytest.approx(expected, abs=1e-10)


def test_minimum_norm_is_in_raw_units_of_a_basis():
    x = np.array([[1.0], [2.0], [4.0]])
    t = np.array([1.0, -1.0, 2.0])
    with pytest.warns(RankDeficient, match="3 rows cannot determine 4 columns"):
        model = LinearRegression(basis=Polynomial(4)).fit(x, t)
    phi = Polynomial(4)(x)
    w = np.linalg.pinv(phi - phi.mean(axis=0)) @ (t - t.mean())
    np.testing.assert_allclose(model.coef_, w, rtol=1e-8)
    np.testing.assert_allclose(model.predict(x), t, atol=1e-9)


def test_undetermined_weights_have_no_standard_error_and_determined_ones_do():
    A = np.column_stack([X, X[:, 0] * 2])
    with pytest.warns(RankDeficient, match="'x0'|'x3'"):
        model = LinearRegression().fit(A, y)
    errors = np.sqrt(np.diagonal(model.cov_params_))
    theirs = sm.OLS(y, sm.add_constant(X)).fit()
    assert np.isnan(errors[[1, 4]]).all()
    np.testing.assert_allclose(errors[[0, 2, 3]], theirs.bse[[0, 2, 3]], rtol=1e-6)
    assert model.dof_ == theirs.df_resid
    np.testing.assert_allclose(
        model.predict_dist(A[:3]).scale, LinearRegression().fit(X, y).predict_dist(X[:3]).scale, rtol=1e-8
    )
    with pytest.raises(ArithmeticError, match="leaves the span of the training rows"):
        model.predict_dist(A[:1] + [[0.0, 0.0, 0.0, 1.0]])


# -- numbers that are right ---------------------------------------------------------------------------
def large_mean():
    """Slopes exactly 3 by symmetric residuals: y = 3k/8 ± 1 in pairs, x = 1e10 + k/8."""
    k = np.arange(4000)
    return (1e10 + k / 8)[:, None], 3 * (k / 8) + np.where((k % 4 == 0) | (k % 4 == 3), 1.0, -1.0)


def slope_of(k_over_8, t):
    from fractions import Fraction

    x, v = [Fraction(float(a)) for a in k_over_8], [Fraction(float(b)) for b in t]
    n = len(x)
    sx, sv = sum(x), sum(v)
    return float(
        (n * sum(a * b for a, b in zip(x, v, strict=True)) - sx * sv) / (n * sum(a * a for a in x) - sx * sx)
    )


def test_large_means_cost_no_digits():
    x, t = large_mean()
    exact = slope_of(x[:, 0] - 1e10, t)
    whole = LinearRegression().fit(x, t)
    merged = suffice.merge([LinearRegression().fit(x[i::7], t[i::7]) for i in range(7)])
    assert whole.coef_[0] == pytest.approx(exact, rel=1e-13)
    assert merged.coef_[0] == pytest.approx(exact, rel=1e-13)
    rest = suffice.forget(whole, x[:400], t[:400])
    assert rest.coef_[0] == pytest.approx(slope_of(x[400:, 0] - 1e10, t[400:]), rel=1e-13)
    assert Ridge(1e-30).fit(x, t).coef_[0] == pytest.approx(exact, rel=1e-13)
    np.testing.assert_allclose(whole.predict(x[:3]), whole.predict(x[:3] - 0.0), rtol=0)


def relative(a, b):
    return np.max(np.abs(a - b)) / np.max(np.abs(b))


def well_conditioned(n=5000, d=6):
    r = np.random.default_rng(8)
    A = r.standard_normal((n, d)) + 3
    return A, 5 + A @ r.standard_normal(d) + r.standard_normal(n)


@pytest.mark.parametrize("make", [LinearRegression, Ridge, BayesianLinearRegression])
def test_many_merges_and_pieces(make):
    A, t = well_conditioned()
    whole = make().fit(A, t)
    parts = np.array_split(np.arange(len(t)), 100)
    merged = suffice.merge([make().fit(A[i], t[i]) for i in parts])
    pieces = make()
    for i in parts:
        pieces.partial_fit(A[i], t[i])
    for other in (merged, pieces):
        assert relative(other.coef_, whole.coef_) <= 1e-12
        assert abs(other.intercept_ / whole.intercept_ - 1) <= 1e-12
        assert relative(other.predict_dist(A[:9]).std, whole.predict_dist(A[:9]).std) <= 1e-12


@pytest.mark.parametrize("make", [LinearRegression, Ridge, BayesianLinearRegression])
@pytest.mark.parametrize(("share", "bar"), [(0.1, 1e-12), (0.9, 1e-9)])
def test_forgetting(make, share, bar):
    A, t = well_conditioned()
    gone = int(share * len(t))
    rest = suffice.forget(make().fit(A, t), A[:gone], t[:gone])
    direct = make().fit(A[gone:], t[gone:])
    assert relative(rest.coef_, direct.coef_) <= bar
    assert abs(rest.intercept_ / direct.intercept_ - 1) <= bar
    assert relative(rest.predict_dist(A[:9]).std, direct.predict_dist(A[:9]).std) <= bar


def test_any_number_of_threads_gives_the_same_bits():
    A, t = well_conditioned(100_000, 3)
    results = []
    for n in (1, 2, 4):
        with engine.threads(n):
            results.append(LinearRegression().fit(A, t))
    assert all(r.statistics_ == results[0].statistics_ for r in results)
    assert all(np.array_equal(r.coef_, results[0].coef_) for r in results)


def test_batches_are_the_table():
    A, t = well_conditioned(20_000, 4)
    batches = ((A[i : i + 777], t[i : i + 777]) for i in range(0, len(t), 777))
    streamed = engine.fit(LinearRegression(basis=Polynomial(2)), batches)
    whole = LinearRegression(basis=Polynomial(2)).fit(A, t)
    assert relative(streamed.coef_, whole.coef_) <= 1e-11
    assert streamed.statistics_.rows == 20_000


def test_frames_of_parts_may_be_far_apart():
    """Parts whose inputs do not overlap are moved to a common frame; the polynomial is the same."""
    x = np.concatenate([np.linspace(0, 1, 50), np.linspace(10, 12, 50), np.linspace(-30, -29, 50)])[:, None]
    t = np.sin(x[:, 0] / 5)
    parts = [LinearRegression(basis=Polynomial(4)).fit(x[i : i + 50], t[i : i + 50]) for i in (0, 50, 100)]
    whole = LinearRegression(basis=Polynomial(4)).fit(x, t)
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        merged = suffice.merge([parts[i] for i in order])
        assert relative(merged.predict(x), whole.predict(x)) <= 1e-9
        assert relative(merged.coef_, whole.coef_) <= 1e-8


@pytest.mark.parametrize("scale", [1e-120, 1e-60, 1e60, 1e120])
def test_extreme_scales(scale):
    big = LinearRegression().fit(X * scale, y)
    np.testing.assert_allclose(big.coef_ * scale, LinearRegression().fit(X, y).coef_, rtol=1e-9)
    tall = LinearRegression().fit(X, y * scale)
    np.testing.assert_allclose(tall.coef_ / scale, LinearRegression().fit(X, y).coef_, rtol=1e-9)


def test_lstsq_weights_are_the_model():
    t = Triangle.of(X, Y)
    model = LinearRegression().fit(X, Y)
    np.testing.assert_allclose(t.lstsq().weights, np.vstack([model.intercept_, model.coef_.T]), rtol=1e-12)
    np.testing.assert_allclose(t.sse(t.lstsq().weights), t.lstsq().sse, rtol=1e-9)
