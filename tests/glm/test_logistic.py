"""Logistic regression against scikit-learn and statsmodels, separation, and what labels may be."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import statsmodels.api as sm
from sklearn import linear_model
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from suffice._core.errors import InvalidInput, InvalidParameter, NotConverged, RankDeficient, Separated
from suffice.bases import Polynomial
from suffice.glm import LogisticRegression

rng = np.random.default_rng(11)
N, D = 240, 3
X = rng.standard_normal((N, D)) * [1.0, 3.0, 0.2] + [0.5, -2.0, 1.0]
ODDS = X @ [1.0, -0.3, 2.0] - 1.5
Y = (rng.uniform(size=N) < 1 / (1 + np.exp(-ODDS))).astype(int)
THREE = np.array(["fern", "moss", "oak"])[
    np.digitize(ODDS + 2 * rng.logistic(size=N), np.quantile(ODDS, [0.3, 0.7]))
]
WEIGHT = rng.integers(0, 4, N).astype(float)


def peer(**options):
    """scikit-learn's, driven to its last digits."""
    return linear_model.LogisticRegression(
        **{"solver": "newton-cholesky", "tol": 1e-12, "max_iter": 500} | options
    )


def assert_peer(model, other, rtol=1e-7):
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=rtol, atol=rtol)
    np.testing.assert_allclose(model.intercept_, other.intercept_, rtol=rtol, atol=rtol)


# -- statsmodels ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("intercept", [True, False])
def test_maximum_likelihood_is_that_of_statsmodels(intercept):
    model = LogisticRegression(prior_precision=0, fit_intercept=intercept).fit(X, Y)
    table = sm.add_constant(X) if intercept else X
    other = sm.Logit(Y, table).fit(disp=0, method="newton", maxiter=100, tol=1e-14)
    w = np.append(model.intercept_, model.coef_) if intercept else model.coef_[0]
    np.testing.assert_allclose(w, other.params, rtol=1e-9)
    # the curvature is that of the last pass, at most √tol of a standard error before the mode
    np.testing.assert_allclose(np.sqrt(np.diag(model.cov_params_)), other.bse, rtol=1e-7)
    np.testing.assert_allclose(model.cov_params_, other.cov_params(), rtol=1e-6, atol=1e-9)
    assert model.log_likelihood_ == pytest.approx(other.llf, rel=1e-12)
    assert model.deviance_ == pytest.approx(-2 * other.llf, rel=1e-12)
    assert model.aic_ == pytest.approx(other.aic, rel=1e-12)
    assert model.bic_ == pytest.approx(other.bic, rel=1e-12)


def test_weights_are_those_of_a_glm():
    model = LogisticRegression(prior_precision=0).fit(X, Y, WEIGHT)
    glm = sm.GLM(Y, sm.add_constant(X), family=sm.families.Binomial(), freq_weights=WEIGHT)
    other = glm.fit(tol=1e-14, maxiter=100)
    np.testing.assert_allclose(np.append(model.intercept_, model.coef_), other.params, rtol=1e-9)
    np.testing.assert_allclose(model.summary().std_error, other.bse, rtol=1e-8)
    assert model.deviance_ == pytest.approx(other.deviance, rel=1e-11)


def test_summary_is_that_of_statsmodels():
    summary = LogisticRegression(prior_precision=0).fit(X, Y).summary(0.9)
    other = sm.Logit(Y, sm.add_constant(X)).fit(disp=0, method="newton", maxiter=100, tol=1e-14)
    np.testing.assert_allclose(summary.p, other.pvalues, rtol=1e-7)
    np.testing.assert_allclose(np.column_stack([summary.low, summary.high]), other.conf_int(0.1), rtol=1e-8)


# -- scikit-learn -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("intercept", [True, False])
def test_penalty_is_that_of_scikit_learn(C, intercept):
    model = LogisticRegression(C=C, fit_intercept=intercept).fit(X, Y, WEIGHT)
    assert_peer(model, peer(C=C, fit_intercept=intercept).fit(X, Y, WEIGHT))
    by_precision = LogisticRegression(prior_precision=1 / C, fit_intercept=intercept).fit(X, Y, WEIGHT)
    np.testing.assert_allclose(by_precision.coef_, model.coef_, rtol=1e-12)


@pytest.mark.parametrize("choice", [{0: 3.0, 1: 0.2}, {1: 5.0}, "balanced"])
def test_class_weight_is_that_of_scikit_learn(choice):
    assert_peer(LogisticRegression(class_weight=choice).fit(X, Y), peer(class_weight=choice).fit(X, Y))


def test_balanced_counts_weights():
    counts = np.bincount(Y, WEIGHT)
    by_hand = dict(enumerate(counts.sum() / (2 * counts)))
    a = LogisticRegression(class_weight="balanced").fit(X, Y, WEIGHT)
    b = LogisticRegression(class_weight=by_hand).fit(X, Y, WEIGHT)
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-12)
    assert_peer(b, peer(class_weight=by_hand).fit(X, Y, WEIGHT))


@pytest.mark.parametrize(
    "options", [{}, {"C": 0.01}, {"class_weight": {"moss": 4.0}}, {"fit_intercept": False}]
)
def test_several_classes_are_scikit_learns_multinomial(options):
    model = LogisticRegression(**options).fit(X, THREE, WEIGHT + 1)
    other = peer(solver="lbfgs", tol=1e-13, max_iter=10_000, **options).fit(X, THREE, WEIGHT + 1)
    assert_peer(model, other, rtol=1e-6)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-12)
    assert np.array_equal(model.predict(X), other.predict(X))
    spread = model.decision_function(X) - other.decision_function(X)
    np.testing.assert_allclose(spread - spread[:, :1], 0, atol=1e-5)


def test_standardize_is_a_scaler_before_it():
    model = LogisticRegression(C=0.05, standardize=True).fit(X, Y)
    pipe = make_pipeline(StandardScaler(), peer(C=0.05)).fit(X, Y)
    np.testing.assert_allclose(model.decision_function(X), pipe.decision_function(X), rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(model.coef_ * X.std(axis=0), pipe[-1].coef_, rtol=1e-7)


def test_powers_are_columns():
    x = X[:, :1]
    model = LogisticRegression(C=2.0, basis=Polynomial(3)).fit(x, Y)
    powers = PolynomialFeatures(3, include_bias=False).fit_transform(x)
    assert_peer(model, LogisticRegression(C=2.0).fit(powers, Y), rtol=1e-9)
    assert_peer(model, peer(C=2.0).fit(powers, Y), rtol=1e-6)


# -- separation -------------------------------------------------------------------------------------------------
def test_complete_separation_is_said_with_its_direction():
    table = rng.standard_normal((40, 3))
    with pytest.warns(Separated, match=r"direction \+1 × 'x1'.*prior_precision > 0"):
        model = LogisticRegression(prior_precision=0).fit(table, table[:, 1] > 0.2)
    assert np.isfinite(model.coef_).all()
    assert np.array_equal(model.predict(table), table[:, 1] > 0.2)


def test_quasi_separation_names_the_guilty_column():
    import pandas

    side = np.where(np.arange(60) < 10, 1.0, 0.0)  # where it is 1, y is 1; where it is 0, y is anything
    x = rng.standard_normal(60)
    y = np.where(side > 0, 1, rng.integers(0, 2, 60))
    table = pandas.DataFrame({"dose": x, "treated": side})
    with pytest.warns(Separated, match=r"direction \+1 × 'treated' \(") as said:
        model = LogisticRegression(prior_precision=0).fit(table, y)
    assert "dose" not in str(said[0].message)
    alone = LogisticRegression(prior_precision=0).fit(x[10:, None], y[10:])
    assert model.coef_[0, 0] == pytest.approx(alone.coef_[0, 0], rel=1e-5)


def test_several_classes_that_are_told_apart():
    table = rng.standard_normal((60, 2))
    labels = np.digitize(table[:, 0], [-0.5, 0.5])
    with pytest.warns(Separated, match="'x0'"):
        model = LogisticRegression(prior_precision=0).fit(table, labels)
    assert np.array_equal(model.predict(table), labels)


@pytest.mark.parametrize("precision", [1e-6, 1e-3, 1.0])
def test_a_prior_makes_separated_weights_finite(precision):
    table = rng.standard_normal((40, 2))
    model = LogisticRegression(prior_precision=precision).fit(table, table[:, 1] > 0.2)
    assert model.trace_.converged
    assert_peer(model, peer(C=1 / precision).fit(table, table[:, 1] > 0.2), rtol=1e-5)


def test_overlap_is_not_called_separation():
    x = np.linspace(-1, 1, 30)[:, None]
    y = (x[:, 0] > 0).astype(int)
    y[[13, 16]] = 1, 0  # one row on each wrong side
    model = LogisticRegression(prior_precision=0).fit(x, y)
    other = sm.Logit(y, sm.add_constant(x)).fit(disp=0, method="newton", maxiter=100, tol=1e-14)
    np.testing.assert_allclose(np.append(model.intercept_, model.coef_), other.params, rtol=1e-8, atol=1e-12)


# -- labels -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "names", [(0, 1), (-1, 1), (1.0, 2.0), ("no", "yes"), (False, True), (np.int8(3), np.int8(7))]
)
def test_labels_of_any_type(names):
    labels = np.array(names)[Y]
    model = LogisticRegression().fit(X, labels)
    assert model.classes_.tolist() == sorted(set(labels.tolist()))
    np.testing.assert_allclose(model.coef_, LogisticRegression().fit(X, Y).coef_, rtol=1e-13)
    assert model.predict(X).dtype == labels.dtype
    listed = LogisticRegression().fit(X, labels.tolist())
    assert np.array_equal(listed.predict(X), model.predict(X))


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (np.where(np.arange(N) == 4, np.nan, Y), "y contains NaN at row 4"),
        (np.array([None, *Y[1:].astype(object)], dtype=object), "y contains NaN at row 0"),
        (np.array(["a", *Y[1:].astype(object)], dtype=object), "all of one kind"),
        (Y + 0.5 * X[:, 0], "use a regressor"),
        (np.zeros(N), "at least 2 classes.*one class, 0.0"),
        (np.full(N, "only"), "at least 2 classes.*one class, 'only'"),
        (np.column_stack([Y, Y]), "1d array of labels"),
        (Y * 1j, "Complex data not supported"),
    ],
)
def test_labels_that_are_none(labels, words):
    with pytest.raises(InvalidInput, match=words):
        LogisticRegression().fit(X, labels)


def test_one_class_after_weights():
    with pytest.raises(InvalidInput, match="at least 2 classes"):
        LogisticRegression().fit(X, Y, (Y == 1).astype(float))


def test_a_class_weight_for_a_label_that_is_not_there():
    with pytest.raises(
        InvalidParameter, match=r"class_weight names the class 'elm'; y has \['fern', 'moss', 'oak'\]"
    ):
        LogisticRegression(class_weight={"elm": 2.0}).fit(X, THREE)


def test_a_class_of_weight_zero_has_no_say_in_the_others():
    """Only its constant runs away, and that is said."""
    with pytest.warns(Separated, match=r"direction of the constant.*give penalize_intercept=True and"):
        model = LogisticRegression(prior_precision=1.0, class_weight={"moss": 0.0}).fit(X, THREE)
    kept = THREE != "moss"
    two = LogisticRegression(prior_precision=0.5).fit(X[kept], THREE[kept])
    np.testing.assert_allclose(model.coef_[2] - model.coef_[0], two.coef_[0], rtol=1e-6)


def test_one_of_C_and_precision():
    with pytest.raises(InvalidParameter, match="give one of them"):
        LogisticRegression(C=1.0, prior_precision=1.0).fit(X, Y)


# -- columns ----------------------------------------------------------------------------------------------------
def test_duplicated_columns_share_a_weight():
    import pandas

    table = pandas.DataFrame(np.column_stack([X, X[:, 1]]), columns=["a", "b", "c", "again"])
    with pytest.warns(RankDeficient, match="The weights of '(b|again)' are not determined"):
        model = LogisticRegression(prior_precision=0).fit(table, Y)
    plain = LogisticRegression(prior_precision=0).fit(X, Y)
    assert model.coef_[0, 1] == pytest.approx(model.coef_[0, 3], rel=1e-8)
    assert model.coef_[0, 1] + model.coef_[0, 3] == pytest.approx(plain.coef_[0, 1], rel=1e-8)
    np.testing.assert_allclose(model.predict_proba(table), plain.predict_proba(X), rtol=1e-9)
    se = np.sqrt(np.diag(model.cov_params_))
    assert np.isnan(se[[2, 4]]).all()
    np.testing.assert_allclose(se[[0, 1, 3]], np.sqrt(np.diag(plain.cov_params_))[[0, 1, 3]], rtol=1e-7)
    assert model.n_parameters_ == plain.n_parameters_


def test_a_constant_column_has_no_weight_of_its_own():
    table = np.column_stack([X, np.full(N, 7.0)])
    with pytest.warns(RankDeficient, match="'x3'"):
        model = LogisticRegression(prior_precision=0).fit(table, Y)
    plain = LogisticRegression(prior_precision=0).fit(X, Y)
    np.testing.assert_allclose(model.coef_[0], np.append(plain.coef_, 0.0), rtol=1e-9, atol=1e-12)
    assert np.isnan(np.diag(model.cov_params_)[[0, 4]]).all()
    assert np.isfinite(np.diag(model.cov_params_)[1:4]).all()


def test_more_columns_than_rows():
    wide = rng.standard_normal((20, 50))
    labels = np.arange(20) % 2
    model = LogisticRegression().fit(wide, labels)
    assert_peer(model, peer().fit(wide, labels), rtol=1e-6)
    with pytest.warns(Separated, match="The likelihood has no maximum"):
        LogisticRegression(prior_precision=0).fit(wide, labels)


def test_too_few_passes_are_said():
    with pytest.warns(NotConverged, match="after 1 iterations, with.*Increase the number of iterations"):
        model = LogisticRegression(max_iter=1).fit(X, Y)
    assert not model.trace_.converged
    best = LogisticRegression().fit(X, Y)
    start = -N * np.log(2)
    gained = (model.trace_.objective[-1] - start) / (best.trace_.objective[-1] - start)
    assert 0.5 < gained < 1  # one step from zero, as scikit-learn's newton-cholesky takes it


def test_a_failed_fit_leaves_the_model_as_it_was():
    model = LogisticRegression().fit(X, Y)
    before = model.predict_proba(X)
    with pytest.raises(InvalidInput, match="at least 2 classes"):
        model.fit(X, np.zeros(N))
    assert np.array_equal(model.predict_proba(X), before)


def test_probabilities_where_exponentials_overflow():
    model = LogisticRegression().fit(X, Y)
    far = X[:4] * 1e6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        logs = model.predict_log_proba(far)
    assert np.isfinite(logs).all()
    np.testing.assert_allclose(np.abs(logs).max(axis=1), np.abs(model.decision_function(far)), rtol=1e-12)
