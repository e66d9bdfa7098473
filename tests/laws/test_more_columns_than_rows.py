"""More columns than rows: every answer is that of all columns, and none needs as many numbers as columns squared."""

import tracemalloc
from contextlib import contextmanager
from unittest import mock

import numpy as np
import pytest

import suffice
from suffice._core.errors import RankDeficient
from suffice.evaluation import cross_validate, validate_path
from suffice.generative import (
    FisherDiscriminant,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from suffice.generative._normal.root import Root
from suffice.linear import (
    ARDRegression,
    BayesianLinearRegression,
    BayesianRidge,
    ConjugateLinearRegression,
    ElasticNet,
    Lasso,
    LinearRegression,
    Ridge,
)
from suffice.prepare import Whitener
from suffice.statistics import Triangle
from suffice.statistics.lstsq import System

pytestmark = pytest.mark.filterwarnings("ignore::suffice._core.errors.SufficeWarning")

RULES = [
    {},
    {"standardize": True},
    {"fit_intercept": False},
    {"fit_intercept": False, "standardize": True},
]
PENALIZED = [
    *RULES,
    {"penalize_intercept": True},
    {"penalize_intercept": True, "standardize": True},
    {"alpha": 1e-3},
    {"alpha": [0.5, 20.0]},
]
WITH_PRIOR = [*RULES, {"intercept": "prior"}, {"intercept": "prior", "standardize": True}]
KNOWN = {"prior_precision": 2.0, "noise_precision": 0.5}


class Problem:
    """A table with copies of columns, a constant one, large means and units far apart; two targets, weights, labels."""

    def __init__(self, seed, n=15, p=40):
        rng = np.random.default_rng(seed)
        X = (rng.standard_normal((n, p)) + rng.normal(0, 5, p)) * 10 ** rng.uniform(-2, 2, p)
        X[:, 3], X[:, 5], X[:, 7] = 2.5, X[:, 6], X[:, 6] - X[:, 8]
        self.X, self.new = X, X[::-1] + rng.standard_normal((n, p)) * X.std(axis=0)
        self.Y = X[:, :3] / X[:, :3].std(axis=0) @ rng.standard_normal((3, 2)) + rng.standard_normal((n, 2))
        self.weight = rng.integers(0, 4, n).astype(float)
        self.labels = np.resize(["a", "b", "c"], n)
        self.positive = rng.integers(1, 4, n).astype(float)


@contextmanager
def of_all_columns():
    """The road with an unknown for each column."""
    with mock.patch.object(System, "in_row_space", lambda s: s), mock.patch.object(Root, "is_wide", False):
        yield


def close(a, b, rtol=1e-9):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    np.testing.assert_allclose(a, b, rtol=0, atol=rtol * max(np.abs(b).max(initial=0.0), 1e-300))


@contextmanager
def at_most(megabytes):
    """What is made at the same time stays below so many."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < megabytes * 1e6


# -- the triangle ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(3))
def test_triangles_of_parts_add_to_the_only_trapezoid(seed):
    q = Problem(seed)
    whole = Triangle.of(q.X, q.Y, q.weight)
    rows = np.count_nonzero(q.weight)
    assert whole.factor.shape == (rows, 43)
    assert np.array_equal(whole.factor, np.triu(whole.factor))
    parts = [Triangle.of(q.X[i], q.Y[i], q.weight[i]) for i in (slice(0, 4), slice(4, 5), slice(5, 15))]
    added = (parts[0] + (parts[1] + parts[2])).moved(whole.layout)
    assert added.factor.shape == whole.factor.shape
    size = np.maximum(np.linalg.norm(whole.factor, axis=0), 1e-300)
    close(
        added.factor.T @ added.factor / size / size[:, None],
        whole.factor.T @ whole.factor / size / size[:, None],
    )
    some = whole.select([1, 4, 9])
    close(some.factor, Triangle.of(q.X[:, [1, 4, 9]], q.Y, q.weight).moved(some.layout).factor)


def test_rows_that_grow_beyond_the_columns_fill_the_triangle():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 12)), rng.standard_normal(30)
    model = Ridge()
    for a, b in ((0, 1), (1, 5), (5, 20), (20, 30)):
        model.partial_fit(X[a:b], y[a:b])
        assert model.statistics_.factor.shape == (min(b, 14), 14)
        close(model.coef_, Ridge().fit(X[:b], y[:b]).coef_)


@pytest.mark.parametrize("n", [12, 40])
def test_rows_of_weight_zero_leave_no_rows(n):
    rng = np.random.default_rng(n)
    X, y = rng.integers(0, 2, (n, 6)).astype(float), rng.standard_normal(n)
    weight = np.zeros(n)
    some = [1, n // 2, n - 2]
    weight[some] = 1.0, 2.0, 3.0
    t, alone = Triangle.of(X, y, weight), Triangle.of(X[some], y[some], weight[some])
    assert t.factor.shape == (3, 8)
    np.testing.assert_allclose(t.moved(alone.layout).factor, alone.factor, rtol=0, atol=1e-12)
    close(Ridge().fit(X, y, weight).coef_, Ridge().fit(X[some], y[some], weight[some]).coef_)


def test_whitening_leaves_out_what_few_rows_do_not_determine():
    X = np.random.default_rng(0).standard_normal((4, 9))
    with pytest.warns(RankDeficient, match="without spread"):
        model = Whitener().fit(X)
    np.testing.assert_allclose(np.cov(model.transform(X).T, bias=True)[:3, :3], np.eye(3), rtol=0, atol=1e-12)


# -- least squares --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(3))
def test_least_squares_are_the_smallest_exact_weights(rule, seed):
    q = Problem(seed)
    with pytest.warns(RankDeficient, match="rows cannot determine"):
        model = LinearRegression(**rule).fit(q.X, q.Y)
    centred = rule.get("fit_intercept", True) or "standardize" in rule
    C = q.X - q.X.mean(axis=0) if centred else q.X
    T = q.Y - q.Y.mean(axis=0) if rule.get("fit_intercept", True) else q.Y
    spread = q.X.std(axis=0) if "standardize" in rule else np.ones(40)
    unit = np.where(spread > 1e-10, spread, 1.0)
    C[:, 3] = 0.0 if centred else C[:, 3]
    close(model.coef_.T * unit[:, None], np.linalg.pinv(C / unit, rcond=1e-13) @ T, 1e-8)
    if model.dof_ == 0:  # without an intercept that moves the rows, all are fitted
        close(model.predict(q.X), q.Y, 1e-8)


def test_what_few_rows_determine_is_told_from_what_they_do_not():
    X = np.zeros((8, 20))
    X[np.arange(8), [0, 0, 0, 1, 1, 1, 2, 3]] = 1.0
    X[6:, 4:] = np.arange(32).reshape(2, 16)
    model = LinearRegression(fit_intercept=False).fit(X, np.arange(8.0))
    cov = model.cov_params_
    assert np.isfinite(cov[:2, :2]).all()
    assert np.isnan(cov[2:, 2:]).all()
    with pytest.raises(ArithmeticError, match="leaves the span"):
        model.predict_dist(np.eye(20)[[0, 5]])
    assert model.predict_dist(np.eye(20)[[0, 1]]).mean.round(9).tolist() == [1.0, 4.0]


# -- penalties and priors -------------------------------------------------------------------------------------
@pytest.mark.parametrize("rule", PENALIZED)
@pytest.mark.parametrize("seed", range(3))
def test_ridge_is_that_of_all_columns(rule, seed):
    q = Problem(seed)
    fits = Ridge(**rule).fit(q.X, q.Y, q.weight)
    with of_all_columns():
        slow = Ridge(**rule).fit(q.X, q.Y, q.weight)
    spread = q.X.std(axis=0)
    close(fits.coef_ * spread, slow.coef_ * spread)
    for name in ("intercept_", "noise_variance_ml_", "effective_parameters_"):
        close(getattr(fits, name), getattr(slow, name), 1e-8)
    close(fits.predict(q.new), slow.predict(q.new))


@pytest.mark.parametrize("rule", PENALIZED[:6])
def test_paths_of_penalties_are_those_of_all_columns(rule):
    q = Problem(4)
    values, arguments = [0.0, 1e-3, 1.0, 100.0], (q.X, q.Y, "alpha")
    fast = validate_path(Ridge(**rule), *arguments, values, cv=4)
    with of_all_columns():
        slow = validate_path(Ridge(**rule), *arguments, values, cv=4)
    close(fast.test[1:], slow.test[1:], 1e-8)
    close(fast.train[1:], slow.train[1:], 1e-8)
    close(fast.test[0], slow.test[0], 1e-7)


@pytest.mark.parametrize("known", [{}, KNOWN], ids=["evidence", "known"])
@pytest.mark.parametrize("rule", WITH_PRIOR)
@pytest.mark.parametrize("seed", range(2))
def test_bayesian_regression_is_that_of_all_columns(known, rule, seed):
    q = Problem(seed)
    options = known | rule
    fast = BayesianLinearRegression(**options).fit(q.X, q.Y, q.weight)
    with of_all_columns():
        slow = BayesianLinearRegression(**options).fit(q.X, q.Y, q.weight)
    close(fast.prior_precision_, slow.prior_precision_, 1e-7)
    rtol = 1e-9 if known else 1e-7  # a maximum is found to about half of the digits
    assert_same_posterior(q, fast, slow, rtol)
    close(fast.equivalent_kernel(q.new, q.X), slow.equivalent_kernel(q.new, q.X), rtol)


@pytest.mark.parametrize("rule", WITH_PRIOR)
def test_conjugate_regression_is_that_of_all_columns(rule):
    q = Problem(5)
    fast = ConjugateLinearRegression(0.3, **rule).fit(q.X, q.Y, q.weight)
    with of_all_columns():
        slow = ConjugateLinearRegression(0.3, **rule).fit(q.X, q.Y, q.weight)
    assert_same_posterior(q, fast, slow, 1e-9)


@pytest.mark.parametrize("rule", RULES)
def test_bayesian_ridge_takes_the_same_steps(rule):
    q = Problem(6)
    fast = BayesianRidge(**rule).fit(q.X, q.Y, q.weight)
    with of_all_columns():
        slow = BayesianRidge(**rule).fit(q.X, q.Y, q.weight)
    assert fast.n_iter_ == slow.n_iter_
    for mine, theirs in zip(fast.trace_, slow.trace_, strict=True):
        close(mine.objective, theirs.objective)
    assert_same_posterior(q, fast, slow, 1e-8)


def assert_same_posterior(q, fast, slow, rtol):
    for rows in (q.X, q.new):
        for noise in (True, False):
            mine, theirs = fast.predict_dist(rows, noise=noise), slow.predict_dist(rows, noise=noise)
            close(mine.mean, theirs.mean, rtol)
            close(mine.std, theirs.std, rtol)
    close(fast.log_evidence_, slow.log_evidence_, rtol)
    close(fast.effective_parameters_, slow.effective_parameters_, rtol)
    mine, theirs = fast.posterior_, slow.posterior_
    unit = np.sqrt(np.diagonal(theirs.cov, axis1=-2, axis2=-1))
    close(mine.mean / unit, theirs.mean / unit, rtol)
    close(
        mine.cov / unit[:, :, None] / unit[:, None, :], theirs.cov / unit[:, :, None] / unit[:, None, :], rtol
    )


@pytest.mark.parametrize(
    "rule", [{}, {"standardize": True}, {"intercept": "prior"}, {"fit_intercept": False}]
)
@pytest.mark.parametrize(
    "model", [BayesianLinearRegression(**KNOWN), ConjugateLinearRegression(2.0, shape=50.0)]
)
def test_functions_drawn_have_the_moments_of_the_posterior(model, rule):
    q = Problem(7, n=6, p=10)
    fitted = model.set_params(**rule).fit(q.X, q.Y[:, 0])
    values = fitted.sample_functions(20_000, random_state=0)(q.new)
    d = fitted.predict_dist(q.new, noise=False)
    assert np.all(np.abs(values.mean(axis=0) - d.mean) < 5 * d.std / np.sqrt(20_000))
    np.testing.assert_allclose(values.std(axis=0), d.std, rtol=0.03)  # six standard errors, 1/√(2 · 20,000)


def test_a_prior_that_is_given_is_used_as_given():
    q = Problem(8, n=10, p=25)
    cov = np.diag(np.linspace(0.5, 2.0, 25))
    model = BayesianLinearRegression(2.0, noise_precision=0.5, prior_mean=np.ones(25), prior_cov=cov)
    model.fit(q.X, q.Y[:, 0])
    A, y = q.X - q.X.mean(axis=0), q.Y[:, 0] - q.Y[:, 0].mean()
    precision = 2.0 * np.linalg.inv(cov) + 0.5 * A.T @ A
    close(
        model.coef_, np.linalg.solve(precision, 2.0 * np.linalg.inv(cov) @ np.ones(25) + 0.5 * A.T @ y), 1e-8
    )


# -- held out, merged, saved ----------------------------------------------------------------------------------
HELD = [
    Ridge(),
    Ridge(0.1, penalize_intercept=True),
    Ridge(fit_intercept=False),
    BayesianLinearRegression(**KNOWN),
    BayesianLinearRegression(**KNOWN, intercept="prior"),
    ConjugateLinearRegression(),
]


@pytest.mark.parametrize("model", HELD, ids=repr)
def test_rows_left_out_are_those_of_refits(model):
    q = Problem(9)
    folds = [np.arange(i, 15, 5) for i in range(5)]
    splits = [(np.setdiff1d(np.arange(15), test), test) for test in folds]
    held = model.heldout(q.X, q.Y[:, 0], splits, sample_weight=q.positive)
    for train, test in splits:
        alone = type(model)(**model.get_params()).fit(q.X[train], q.Y[train, 0], q.positive[train])
        d = alone.predict_dist(q.X[test])
        close(np.asarray(held.mean)[test], d.mean, 1e-8)
        close(np.asarray(held.std)[test], d.std, 1e-8)


ADDING = [
    (Ridge(standardize=True), "Y"),
    (LinearRegression(), "Y"),
    (BayesianLinearRegression(**KNOWN), "Y"),
    (ConjugateLinearRegression(), "Y"),
    (Lasso(0.3), "Y"),
    (ElasticNet(0.3, fit_intercept=False), "Y"),
    (LinearDiscriminantAnalysis(shrinkage="auto"), "labels"),
    (QuadraticDiscriminantAnalysis(shrinkage=0.2), "labels"),
    (LeastSquaresClassifier(), "labels"),
]


@pytest.mark.parametrize(("model", "target"), ADDING, ids=lambda v: repr(v))
def test_parts_merge_to_the_fit_of_all_and_files_keep_it(model, target, tmp_path):
    q = Problem(10)
    t = getattr(q, target)

    def fitted(rows):
        return type(model)(**model.get_params()).fit(q.X[rows], t[rows])

    whole, merged = fitted(slice(None)), suffice.merge([fitted(slice(0, 6)), fitted(slice(6, 15))])
    decide = "predict" if target == "Y" else "decision_function"
    close(getattr(merged, decide)(q.new), getattr(whole, decide)(q.new), 1e-8)
    suffice.save(merged, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert np.array_equal(getattr(again, decide)(q.new), getattr(merged, decide)(q.new))
    if hasattr(merged, "predict_dist") and not isinstance(model, LinearRegression) and target == "Y":
        assert np.array_equal(again.predict_dist(q.new).std, merged.predict_dist(q.new).std)


def test_half_of_a_weight_is_forgotten():
    q = Problem(11)
    twice = Ridge().fit(q.X, q.Y, np.full(15, 2.0))
    close(suffice.forget(twice, q.X, q.Y).coef_, Ridge().fit(q.X, q.Y).coef_, 1e-8)


@pytest.mark.parametrize(
    "model",
    [BayesianLinearRegression(), LinearRegression(), Ridge(standardize=True), BayesianRidge()],
    ids=repr,
)
def test_folds_from_statistics_are_refits(model):
    q = Problem(12)
    fast = cross_validate(model, q.X, q.Y[:, 0], cv=5)
    assert fast.how == "statistics"
    losses = []
    for i in range(5):
        test = np.arange(3 * i, 3 * i + 3)
        train = np.setdiff1d(np.arange(15), test)
        alone = type(model)(**model.get_params()).fit(q.X[train], q.Y[train, 0])
        losses.append(np.mean((alone.predict(q.X[test]) - q.Y[test, 0]) ** 2))
    close(fast.fold_losses, losses, 1e-6)


# -- classes --------------------------------------------------------------------------------------------------
NORMAL = [
    LinearDiscriminantAnalysis(shrinkage=0.3),
    LinearDiscriminantAnalysis(shrinkage=1e-4),
    LinearDiscriminantAnalysis(shrinkage=1.0),
    LinearDiscriminantAnalysis(shrinkage="auto"),
    LinearDiscriminantAnalysis("lsqr", shrinkage="auto", priors="uniform", unbiased=True),
    LinearDiscriminantAnalysis(covariance="diagonal"),
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(shrinkage=0.3),
    QuadraticDiscriminantAnalysis(shrinkage="auto"),
    QuadraticDiscriminantAnalysis(reg_param=0.1),
    QuadraticDiscriminantAnalysis(covariance="diagonal"),
]


@pytest.mark.parametrize("model", NORMAL, ids=repr)
def test_discriminants_are_those_of_all_columns(model):
    q = Problem(13, n=18)
    q.X[:, 9] = q.labels == "b"  # varies between the classes alone
    q.X[q.labels == "a", 10] = 1.0  # and one that does not vary in a class
    fast = model.set_params(store_covariance=True).fit(q.X, q.labels, q.positive)
    with of_all_columns():
        slow = type(model)(**model.get_params()).fit(q.X, q.labels, q.positive)
    gaps = q.new.copy()
    gaps[:4, :30], gaps[4:, 2] = np.nan, np.nan
    for rows in (q.new, gaps):
        close(fast.predict_joint_log_proba(rows), slow.predict_joint_log_proba(rows), 1e-8)
        close(fast.decision_function(rows), slow.decision_function(rows), 1e-8)
    unit = q.X.std(axis=0) + 1.0
    close(
        np.asarray(fast.covariance_) / unit / unit[:, None],
        np.asarray(slow.covariance_) / unit / unit[:, None],
    )
    if isinstance(model, LinearDiscriminantAnalysis) and model.solver != "lsqr":
        close(np.abs(fast.transform(gaps)), np.abs(slow.transform(gaps)), 1e-7)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("n", [9, 60])
def test_one_of_k_targets_are_least_squares(intercept, n):
    rng = np.random.default_rng(n)
    X, labels, weight = rng.standard_normal((n, 20)) + 3, rng.integers(0, 4, n), rng.integers(1, 3, n)
    labels[:4] = range(4)
    model = LeastSquaresClassifier(fit_intercept=intercept).fit(X, labels, weight)
    T, rows = np.eye(4)[labels], np.repeat(np.arange(n), weight)
    center = X[rows].mean(axis=0) if intercept else np.zeros(20)
    constant = T[rows].mean(axis=0) if intercept else np.zeros(4)
    W = np.linalg.pinv(X[rows] - center) @ (T[rows] - constant)
    close(model.outputs(X), constant + (X - center) @ W)
    left = np.sum((T[rows] - constant - (X[rows] - center) @ W) ** 2)
    assert model.squared_error_ == pytest.approx(left, rel=1e-9, abs=1e-12)


# -- cost -----------------------------------------------------------------------------------------------------
MANY = 5000  # columns: a square of numbers takes 200 MB


@pytest.mark.parametrize(
    "model",
    [
        Ridge(),
        Ridge(fit_intercept=False),
        Ridge(penalize_intercept=True, standardize=True),
        LinearRegression(),
        LinearRegression(singular_cutoff=0.1),
        BayesianLinearRegression(),
        BayesianLinearRegression(intercept="prior"),
        BayesianRidge(),
        ConjugateLinearRegression(),
        Lasso(0.1),
        Lasso(0.1, fit_intercept=False),
        ElasticNet(0.1),
    ],
    ids=repr,
)
def test_no_square_of_columns_is_formed(model):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, MANY))
    y = X[:, 0] + rng.standard_normal(30)
    with at_most(40):
        fitted = model.fit(X, y)
        fitted.predict(X)
        if not isinstance(model, LinearRegression):
            fitted.predict_dist(X)
    with at_most(60):
        cross_validate(model, X, y, cv=5)


@pytest.mark.parametrize(
    "model",
    [
        LinearDiscriminantAnalysis(shrinkage=0.3),
        LinearDiscriminantAnalysis(shrinkage="auto"),
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(shrinkage="auto"),
        LeastSquaresClassifier(),
        FisherDiscriminant(),
    ],
    ids=repr,
)
def test_no_square_of_columns_is_formed_for_classes(model):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, MANY))
    labels = np.resize(["a", "b"], 30)
    with at_most(150):
        model.fit(X, labels).predict(X)
        cross_validate(model, X, labels, cv=5)


def test_sparse_relevance_keeps_only_what_is_relevant():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 60))
    model = ARDRegression(noise_precision=4.0).fit(X, X[:, 0] + 0.5 * rng.standard_normal(20))
    kept = int(np.sum(model.coef_ != 0))
    assert model.root_.shape == (1, 60, kept)
    assert model.posterior_.cov.shape == (61, 61)


def test_classes_by_the_thousand_need_no_table_of_rows_and_classes():
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(2000), 3)
    X = rng.standard_normal((2000, 60))[labels] + 0.1 * rng.standard_normal((6000, 60))
    with at_most(120):  # the triangles with their targets took 2 GB
        model = LeastSquaresClassifier().fit(X, labels)
    assert np.mean(model.predict(X[:300]) == labels[:300]) > 0.5
