"""RidgeCV, LassoCV and ElasticNetCV against scikit-learn's, and against one refit per row left out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as theirs
from sklearn.datasets import load_diabetes
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, ShuffleSplit

from suffice.linear import ElasticNetCV, LassoCV, Ridge, RidgeCV

rng = np.random.default_rng(11)
X, Y = load_diabetes(return_X_y=True, scaled=False)
X, Y = X[:120], Y[:120]
TWO = np.column_stack([Y, 50 * rng.standard_normal(120)])
WEIGHT = rng.uniform(0.2, 3.0, 120)
ALPHAS = np.geomspace(1e-2, 1e5, 9)
WIDE = rng.standard_normal((15, 40))
EXACT = {"tol": 1e-12, "max_iter": 100_000}


def same(mine, other, names, rtol=1e-8):
    for name in names:
        a, b = np.asarray(getattr(mine, name)), np.asarray(getattr(other, name))
        if name == "intercept_" and b.shape == ():  # theirs is one zero for all targets through the origin
            b = np.broadcast_to(b, a.shape)
        assert a.shape == b.shape, name
        np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-9 * np.abs(b).max(initial=0.0), err_msg=name)


# -- ridge ------------------------------------------------------------------------------------------------
CHOSEN = ("alpha_", "best_score_", "coef_", "intercept_")
TABLES = {
    "one target": (X, Y, None),
    "column": (X, Y[:, None], None),
    "two targets, weighted": (X, TWO, WEIGHT),
    "sparse": (sparse.csr_array(np.where(X > 60, X, 0.0)), Y, WEIGHT),
    "wide": (WIDE, Y[:15], None),
    "as many columns as rows": (WIDE[:, :15], TWO[:15], WEIGHT[:15]),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("scoring", [None, "neg_mean_absolute_error"])
def test_ridge_left_out_one_by_one(name, fit_intercept, scoring):
    table, y, weight = TABLES[name]
    options = {"fit_intercept": fit_intercept, "scoring": scoring, "store_cv_results": True}
    mine = RidgeCV(ALPHAS, **options).fit(table, y, weight)
    other = theirs.RidgeCV(ALPHAS, **options).fit(table, y, weight)
    same(mine, other, (*CHOSEN, "cv_results_"), 1e-7)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("wide", [False, True])
def test_ridge_errors_are_those_of_refits(fit_intercept, wide):
    table, y = (WIDE, TWO[:15]) if wide else (X[:30], TWO[:30])
    w = WEIGHT[: len(y)]
    model = RidgeCV([1e-8, 1.0, 1e4], fit_intercept=fit_intercept, store_cv_results=True).fit(table, y, w)
    for train, test in LeaveOneOut().split(table):
        for a, alpha in enumerate((1e-8, 1.0, 1e4)):
            fit = Ridge(alpha, fit_intercept=fit_intercept).fit(table[train], y[train], w[train])
            error = w[test, None] * (y[test] - fit.predict(table[test])) ** 2
            np.testing.assert_allclose(model.cv_results_[test, :, a], error, rtol=1e-6, atol=1e-9)


def test_ridge_penalty_per_target():
    for scoring in (None, "r2"):
        options = {"alpha_per_target": True, "scoring": scoring}
        mine, other = (cls(ALPHAS, **options).fit(X, TWO) for cls in (RidgeCV, theirs.RidgeCV))
        assert len(set(mine.alpha_)) == 2
        same(mine, other, CHOSEN)


@pytest.mark.parametrize("cv", [4, KFold(3, shuffle=True, random_state=0), ShuffleSplit(4, random_state=1)])
@pytest.mark.parametrize("scoring", [None, "neg_mean_absolute_error"])
def test_ridge_by_folds(cv, scoring):
    options = {"cv": cv, "scoring": scoring}
    for y in (Y, TWO):
        mine, other = (cls(ALPHAS, **options).fit(X, y) for cls in (RidgeCV, theirs.RidgeCV))
        same(mine, other, CHOSEN)


def test_weights_in_folds_are_rows_repeated():
    times = rng.integers(1, 4, 120)
    rows, group = np.repeat(np.arange(120), times), np.arange(120) % 5
    whole, repeated = (
        list(GroupKFold(5).split(X, groups=group)),
        list(GroupKFold(5).split(rows, groups=group[rows])),
    )
    for cls, options in ((RidgeCV, {"alphas": ALPHAS}), (LassoCV, {}), (ElasticNetCV, {})):
        a = cls(cv=whole, **options).fit(X, Y, times)
        b = cls(cv=repeated, **options).fit(X[rows], Y[rows])
        same(a, b, ("alpha_", "coef_", "intercept_"))


# -- lasso and elastic net --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"fit_intercept": False},
        {"positive": True, "cv": 3},
        {"alphas": [3.0, 0.1, 1.0]},
        {"alphas": 7, "eps": 0.1, "cv": ShuffleSplit(3, random_state=2)},
    ],
    ids=str,
)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_lasso(options, weight):
    options = {"alphas": 12} | options
    mine = LassoCV(**options).fit(X, Y, weight)
    other = theirs.LassoCV(**options, **EXACT).fit(X, Y, weight)
    same(mine, other, ("alpha_", "alphas_", "mse_path_", "coef_", "intercept_"))
    assert 0 <= mine.dual_gap_ < 1e-8 * Y.var()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"l1_ratio": [0.2, 0.7, 1.0]},
        {"l1_ratio": [0.2, 0.7], "alphas": [3.0, 0.1]},
        {"l1_ratio": 0, "alphas": [2.0, 0.5], "fit_intercept": False},
        {"positive": True, "cv": 3},
    ],
    ids=str,
)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_elastic_net(options, weight):
    options = {"alphas": 8} | options
    mine = ElasticNetCV(**options).fit(X, Y, weight)
    other = theirs.ElasticNetCV(**options, **EXACT).fit(X, Y, weight)
    same(mine, other, ("alpha_", "l1_ratio_", "alphas_", "mse_path_", "coef_", "intercept_"))


def test_sparse_and_single_precision():
    holes = np.where(X > 60, X, 0.0)
    a, b = (LassoCV(alphas=5).fit(t, Y) for t in (holes, sparse.csr_array(holes)))
    same(a, b, ("alpha_", "mse_path_", "coef_"))
    for cls in (RidgeCV, LassoCV):
        assert cls().fit(X.astype("f"), Y).coef_.dtype == np.float32
