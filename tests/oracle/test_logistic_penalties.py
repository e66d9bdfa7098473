"""Absolute values in the penalty of logistic regression: optimality itself, and scikit-learn to its last digits."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from scipy.special import log_softmax, softmax
from sklearn import linear_model as sk
from sklearn.datasets import load_iris, make_classification
from sklearn.model_selection import StratifiedKFold

from suffice import engine
from suffice._core.errors import HeaderMismatch, Ignored, InvalidParameter, NotConverged, Unsupported
from suffice._core.linalg import cholesky_pivoted
from suffice.bases import Polynomial
from suffice.evaluation import validate_path
from suffice.glm import LogisticRegression

RNG = np.random.default_rng(0)
X, Y2 = make_classification(150, 8, n_informative=5, n_redundant=0, random_state=3)
Y4 = make_classification(150, 8, n_informative=5, n_classes=4, random_state=3)[1]
WEIGHT = RNG.integers(0, 4, 150).astype(float)


def full_functions(model, Z):
    """A function per class, of two classes too."""
    a = Z @ model.coef_.T + model.intercept_
    return a if a.shape[1] > 1 else np.hstack([np.zeros_like(a), a])


def unevenness(model, Z, y, weight, alpha, rho, spread=1.0):
    """By how much the gradient misses the subgradient of the penalty, at worst; and that of the constants."""
    p = softmax(full_functions(model, Z), axis=1)
    off = (np.eye(p.shape[1])[y] - p) * weight[:, None]
    G, constants = (off.T @ Z) / spread, off.sum(axis=0)
    G, constants = (G, constants) if len(model.coef_) > 1 else (G[1:], constants[1:])
    w = model.coef_ * spread
    G = G - alpha * (1 - rho) * w
    at_zero = np.maximum(np.abs(G) - alpha * rho, 0.0)
    return np.abs(np.where(w == 0, at_zero, G - alpha * rho * np.sign(w))).max(), np.abs(constants).max()


@pytest.mark.parametrize("y", [Y2, Y4], ids=["two", "four"])
@pytest.mark.parametrize("rho", [0.2, 1.0])
@pytest.mark.parametrize("C", [0.02, 0.5, 50.0])
@pytest.mark.parametrize("options", [{}, {"standardize": True}, {"fit_intercept": False}], ids=repr)
def test_the_gradient_is_what_the_penalty_holds(y, rho, C, options):
    model = LogisticRegression(C=C, l1_ratio=rho, **options).fit(X * 3, y, WEIGHT)
    spread = 1.0
    if options.get("standardize"):
        mean = np.average(X * 3, axis=0, weights=WEIGHT)
        spread = np.sqrt(np.average((X * 3 - mean) ** 2, axis=0, weights=WEIGHT))
    weights, constants = unevenness(model, X * 3, y, WEIGHT, 1 / C, rho, spread)
    assert weights < 1e-9 * max(1, 1 / C)
    assert constants < 1e-9 or not model.fit_intercept
    assert C > 0.02 or np.mean(model.coef_ == 0) > 0.2


@pytest.mark.parametrize("y", [Y2, Y4], ids=["two", "four"])
@pytest.mark.parametrize("rho", [0.5, 0.9])
def test_scikit_learns_saga(y, rho):
    """Driven to its last digits, which takes it many thousand passes."""
    theirs = sk.LogisticRegression(C=0.3, l1_ratio=rho, solver="saga", tol=1e-13, max_iter=20_000).fit(X, y)
    ours = LogisticRegression(C=0.3, l1_ratio=rho).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-7)
    assert np.array_equal(ours.coef_ == 0, theirs.coef_ == 0)


@pytest.mark.parametrize("rho", [0.0, 1.0])
@pytest.mark.parametrize("scaling", [0.3, 5.0])
def test_liblinear_penalizes_the_constant(rho, scaling):
    options = {"C": 0.4, "l1_ratio": rho, "solver": "liblinear", "intercept_scaling": scaling}
    theirs = sk.LogisticRegression(**options, tol=1e-10, max_iter=10_000)  # below it warns
    theirs.fit(X + 1, Y2)
    ours = LogisticRegression(**options).fit(X + 1, Y2)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-5, atol=1e-6)
    plain = LogisticRegression(C=0.4, l1_ratio=rho, intercept_scaling=scaling).fit(X + 1, Y2)
    assert abs(plain.intercept_ - ours.intercept_)[0] > 1e-3


def test_a_basis_in_its_frame_is_penalized_by_its_raw_columns():
    x = np.linspace(-3, 4, 150)[:, None]
    y = (RNG.random(150) < 1 / (1 + np.exp(-1.5 * np.sin(x[:, 0])))).astype(int)
    model = LogisticRegression(C=0.2, l1_ratio=0.7, basis=Polynomial(5)).fit(x, y)
    powers = np.hstack([x**k for k in range(1, 6)])
    weights, constants = unevenness(model, powers, y, np.ones(150), 5.0, 0.7)
    assert weights < 1e-6
    assert constants < 1e-8
    assert 0 < np.count_nonzero(model.coef_) < 5


def test_more_columns_than_rows_and_copies_of_columns():
    Z = np.hstack([RNG.normal(size=(40, 90)), X[:40], X[:40]])
    for y in (Y2[:40], Y4[:40]):
        model = LogisticRegression(C=0.8, l1_ratio=1.0).fit(Z, y)
        weights, constants = unevenness(model, Z, y, np.ones(40), 1 / 0.8, 1.0)
        assert max(weights, constants) < 1e-8
        assert np.count_nonzero(model.coef_) < Z.shape[1] * len(model.coef_) / 2


def test_units_of_columns_are_free():
    unit = np.array([1e8, 1e-8, 1, 1, 1e3, 1, 1, 1])
    a = LogisticRegression(C=0.5, l1_ratio=0.6, standardize=True).fit(X, Y4)
    b = LogisticRegression(C=0.5, l1_ratio=0.6, standardize=True).fit(X * unit + 3 * unit, Y4)
    np.testing.assert_allclose(b.coef_ * unit, a.coef_, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(b.predict_proba(X * unit + 3 * unit), a.predict_proba(X), rtol=1e-8)


def test_of_equal_penalties_one_with_a_zero():
    """Four classes: a number added to all weights of a column changes nothing while two are above zero, two below."""
    model = LogisticRegression(C=30.0, l1_ratio=1.0).fit(X, Y4)
    assert np.all(np.any(model.coef_ == 0, axis=0))
    warm = LogisticRegression(C=30.0, l1_ratio=0.01, warm_start=True).fit(X, Y4).set_params(l1_ratio=1.0)
    np.testing.assert_allclose(np.abs(warm.fit(X, Y4).coef_).sum(), np.abs(model.coef_).sum(), rtol=1e-10)
    assert np.all(np.any(warm.coef_ == 0, axis=0))


@pytest.mark.parametrize("name", ["two", "four"])
def test_sparse_tables_files_and_first_weights_lead_to_the_same_place(name):
    y = {"two": Y2, "four": Y4}[name]
    Z = np.where(X > 0.5, X, 0.0)
    options = {"C": 0.6, "l1_ratio": 0.8}
    best = LogisticRegression(**options).fit(Z, y)
    thin = LogisticRegression(**options).fit(sparse.csr_array(Z), y)
    pieces = engine.fit(LogisticRegression(**options), [(Z[:60], y[:60]), (Z[60:], y[60:])])
    warm = LogisticRegression(C=50.0, l1_ratio=0.1, warm_start=True).fit(Z, y).set_params(**options).fit(Z, y)
    for other in (thin, pieces, warm):
        np.testing.assert_allclose(other.coef_, best.coef_, rtol=1e-8, atol=1e-10)
        assert np.array_equal(other.coef_ == 0, best.coef_ == 0)


@pytest.mark.parametrize("y", [Y2, Y4], ids=["two", "four"])
def test_folds_are_refits(y):
    Cs, model = [0.05, 1.0, np.inf], LogisticRegression(l1_ratio=0.5, class_weight={0: 2.0})
    found = validate_path(model, X * 0.3, y, "C", Cs, cv=4, loss="log")
    for C, mean in zip(Cs, found.test, strict=True):
        losses = []
        for train, test in StratifiedKFold(4).split(X, y):
            fitted = LogisticRegression(C=C, l1_ratio=0.5, class_weight={0: 2.0}).fit(
                X[train] * 0.3, y[train]
            )
            losses.append(-np.log(fitted.predict_proba(X[test] * 0.3)[np.arange(len(test)), y[test]]))
        assert mean == pytest.approx(np.concatenate(losses).mean(), rel=1e-8)


def test_what_it_does_not_have_is_said():
    model = LogisticRegression(l1_ratio=1.0, C=0.1).fit(X, Y2)
    assert model.n_parameters_ == 1 + np.count_nonzero(model.coef_) < 9
    assert model.aic_ == 2 * model.n_parameters_ - 2 * model.log_likelihood_
    for ask in (lambda: model.cov_params_, model.summary):
        with pytest.raises(Unsupported, match=r"no covariance where absolute values .* l1_ratio=0"):
            ask()
    assert "cov_params_" not in dir(model)
    assert "aic_" in dir(model)


def test_a_step_at_a_time():
    options = {"C": 0.5, "l1_ratio": 0.5, "max_iter": 1, "warm_start": True}
    stepping, best = LogisticRegression(**options), LogisticRegression(C=0.5, l1_ratio=0.5).fit(X, Y4)
    objective = []
    for _ in range(int(best.n_iter_[0]) - 1):
        with pytest.warns(NotConverged, match="did not converge after 1 iterations"):
            stepping.fit(X, Y4)
        a = full_functions(stepping, X)
        size = 0.5 * np.abs(stepping.coef_).sum() + 0.25 * np.sum(stepping.coef_**2)
        objective.append(log_softmax(a, axis=1)[np.arange(150), Y4].sum() - 2 * size)
        assert stepping.n_iter_[0] == 1
    assert np.all(np.diff(objective) > -1e-9)
    np.testing.assert_allclose(stepping.fit(X, Y4).coef_, best.coef_, rtol=1e-9, atol=1e-12)


# -- parameters ----------------------------------------------------------------------------------------------------
def test_the_older_names_of_penalties():
    new = [
        LogisticRegression(l1_ratio=r, C=c) for r, c in ((1.0, 0.2), (0.0, 0.2), (0.3, 0.2), (0.0, np.inf))
    ]
    old = [LogisticRegression(p, C=0.2) for p in ("l1", "l2")]
    old += [LogisticRegression("elasticnet", C=0.2, l1_ratio=0.3), LogisticRegression(None)]
    for a, b in zip(new, old, strict=True):
        assert np.array_equal(a.fit(X, Y2).coef_, b.fit(X, Y2).coef_)


def test_what_is_ignored_is_said_and_what_contradicts_is_refused():
    with pytest.warns(Ignored, match="penalty=None will ignore the C"):
        LogisticRegression(None, C=4).fit(X, Y2)
    with pytest.warns(Ignored, match="only used when penalty is 'elasticnet'"):
        LogisticRegression("l1", l1_ratio=0.5).fit(X, Y2)
    with pytest.warns(Ignored, match="Inconsistent values: penalty=l2 with l1_ratio=1"):
        LogisticRegression("l2", l1_ratio=1.0).fit(X, Y2)
    with pytest.warns(FutureWarning, match="'l1_ratio=None' was deprecated"):
        LogisticRegression(l1_ratio=None).fit(X, Y2)
    with pytest.raises(InvalidParameter, match="l1_ratio must be a number .*'elasticnet'"):
        LogisticRegression("elasticnet", l1_ratio=None).fit(X, Y2)
    with pytest.raises(InvalidParameter, match="penalty=None is prior_precision=0; got prior_precision=2"):
        LogisticRegression(None, prior_precision=2.0).fit(X, Y2)


def test_no_step_leaves_everything_at_zero():
    with pytest.warns(NotConverged, match="after 0 iterations"):
        model = LogisticRegression(max_iter=0).fit(X, Y4)
    assert not model.coef_.any()
    assert not model.intercept_.any()
    np.testing.assert_allclose(model.predict_proba(X), 0.25, rtol=1e-14)
    assert model.n_iter_[0] == 0


# -- weights that are written --------------------------------------------------------------------------------------
@pytest.mark.parametrize("y", [Y2, Y4], ids=["two", "four"])
def test_predictions_follow_the_weights(y):
    model, other = LogisticRegression().fit(X, y), LogisticRegression(C=0.01).fit(X, y)
    before = model.predict_proba(X)
    model.coef_, model.intercept_ = other.coef_.copy(), other.intercept_.copy()
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), rtol=1e-12)
    np.testing.assert_allclose(model.decision_function(X), other.decision_function(X), rtol=1e-12, atol=1e-13)
    model.fit(X, y)
    assert np.array_equal(model.predict_proba(X), before)
    model.coef_[:], model.intercept_[:] = 0.0, 0.0
    assert not model.decision_function(X).any()


def test_weights_and_constants_of_other_numbers_of_functions_are_refused():
    model = LogisticRegression().fit(X, Y4)
    model.intercept_ = np.zeros(3)
    with pytest.raises(HeaderMismatch, match="weights of 4 functions and intercept_ 3 constants"):
        model.predict(X)


@pytest.mark.parametrize("options", [{}, {"l1_ratio": 1.0, "C": 0.1}], ids=repr)
def test_thin_weights_predict_the_same(options):
    model = LogisticRegression(**options).fit(X, Y4)
    values, coef = model.decision_function(X), model.coef_.copy()
    np.testing.assert_allclose(values, X @ coef.T + model.intercept_, rtol=1e-12, atol=1e-13)
    assert sparse.issparse(model.sparsify().coef_)
    assert np.array_equal(model.decision_function(X), values)
    assert np.array_equal(model.densify().coef_, coef)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_single_precision_in_and_out(kind):
    table = kind(X.astype(np.float32))
    model = LogisticRegression().fit(table, Y4)
    assert model.coef_.dtype == model.intercept_.dtype == np.float32
    exact = LogisticRegression().fit(kind(X.astype(np.float32).astype(float)), Y4)
    np.testing.assert_allclose(model.predict_proba(table), exact.predict_proba(table), rtol=1e-10)
    assert exact.coef_.dtype == float


# -- the factor that steps are made with ---------------------------------------------------------------------------
def test_the_pivoted_factor_has_the_rank_of_its_matrix():
    B = RNG.normal(size=(7, 4))
    A = B @ B.T
    F, rows = cholesky_pivoted(A, 1e-12)
    assert F.shape == (7, 4)
    np.testing.assert_allclose(F @ F.T, A, rtol=1e-12, atol=1e-12)
    assert np.array_equal(F[rows], np.tril(F[rows]))


def test_iris_by_the_lasso():
    """Petals tell the flowers apart; the lasso leaves sepals out first."""
    Z, y = load_iris(return_X_y=True)
    model = LogisticRegression(C=0.05, l1_ratio=1.0).fit(Z, y)
    assert not model.coef_[:, 1].any()
    assert model.coef_[:, 2:].any()


@pytest.mark.parametrize("C", [3.0, 30.0, 300.0])
def test_a_first_step_into_the_flat_ends_of_the_likelihood_does_not_end_the_fit(C):
    """Classes of the same weight, one of them a single row; where all rows are far from zero nothing is curved."""
    first = [
        -0.2321594921714478,
        0.0563650981315206,
        -0.04496530061897636,
        0.003791538351592255,
        -0.2219080427143865,
    ]
    tiny = [
        6.206433118965364e-12,
        1.6786474744868193e-12,
        3.246239715035421e-12,
        1.715462889284621e-12,
        4.9255250e-12,
    ]
    weight = np.array(
        [2023.3139511948132, 19610.760856728746, 0.06490448380335984, 6.195942940530036, 7.34656038029773]
    )
    Z, y = np.column_stack([first, tiny]), np.array([0, 0, 0, 0, 1])
    options = {
        "C": C,
        "l1_ratio": 0.5,
        "solver": "liblinear",
        "intercept_scaling": 5.0,
        "basis": Polynomial(2),
    }
    model = LogisticRegression(class_weight="balanced", **options).fit(Z, y, weight)
    balanced = weight * weight.sum() / np.array([weight[y == c].sum() for c in y]) / 2
    with_constant = np.column_stack([np.full(5, 5.0), model.basis(Z)])
    inner = SimpleNamespace(
        coef_=np.column_stack([model.intercept_ / 5, model.coef_]), intercept_=np.zeros(1)
    )
    assert unevenness(inner, with_constant, y, balanced, 1 / C, 0.5)[0] < 1e-9 * balanced.sum()
