"""Poisson regression: statsmodels' numbers, counts that are none, and the contract on counts."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import sparse, stats
from sklearn import linear_model
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NoInformation,
    NotCounts,
    Separated,
    Unsupported,
)
from suffice._core.records import same
from suffice.bases import GaussianBasis, Polynomial
from suffice.evaluation import cross_validate
from suffice.glm import BayesianPoissonRegression, PoissonRegression

from ..contract.checks.scikit_learn import assert_accepted

rng = np.random.default_rng(41)
N = 200
X = rng.uniform(-1.5, 1.5, (N, 3)) + [0.0, 0.5, -0.3]
RATE = np.exp(0.4 + X @ [0.7, -0.4, 0.2])
TIME = rng.uniform(0.5, 4.0, N)
Y = rng.poisson(RATE).astype(float)
WEIGHT = rng.integers(0, 4, N).astype(float)
NEW = rng.uniform(-1, 1, (7, 3))

SETTINGS = {
    "default": {},
    "shrunk": {"prior_precision": 2.0, "penalize_intercept": True, "dispersion": "pearson"},
    "parabola through the origin": {"prior_precision": 0.1, "basis": Polynomial(2), "fit_intercept": False},
    "far": {
        "prior_precision": 20.0,
        "penalize_intercept": True,
        "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
        "standardize": True,
        "tol": 1e-10,
        "max_iter": 50,
    },
}
every_setting = pytest.mark.parametrize("setting", SETTINGS)


def made(setting):
    return PoissonRegression(**SETTINGS[setting])


def assert_same(a, b, rtol=1e-9):
    np.testing.assert_allclose(a.predict(NEW), b.predict(NEW), rtol=rtol)
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=rtol, atol=rtol)
    assert a.log_likelihood_ == pytest.approx(b.log_likelihood_, rel=rtol)


# -- statsmodels ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("intercept", [True, False])
def test_maximum_likelihood_is_that_of_statsmodels(intercept):
    table = sm.add_constant(X) if intercept else X
    model = PoissonRegression(fit_intercept=intercept).fit(X, Y)
    other = sm.Poisson(Y, table).fit(disp=0, method="newton", maxiter=100, tol=1e-14)
    w = np.append(model.intercept_, model.coef_) if intercept else model.coef_
    np.testing.assert_allclose(w, other.params, rtol=1e-9)
    np.testing.assert_allclose(np.sqrt(np.diag(model.cov_params_)), other.bse, rtol=1e-7)
    assert model.log_likelihood_ == pytest.approx(other.llf, rel=1e-12)
    assert model.aic_ == pytest.approx(other.aic, rel=1e-12)


def test_weights_offset_and_deviance_are_those_of_a_glm():
    counts = rng.poisson(RATE * TIME).astype(float)
    model = PoissonRegression().fit(X, counts, WEIGHT, offset=np.log(TIME))
    glm = sm.GLM(counts, sm.add_constant(X), sm.families.Poisson(), offset=np.log(TIME), freq_weights=WEIGHT)
    other = glm.fit(tol=1e-14, maxiter=100)
    np.testing.assert_allclose(np.append(model.intercept_, model.coef_), other.params, rtol=1e-9)
    np.testing.assert_allclose(model.summary().std_error, other.bse, rtol=1e-7)
    assert model.deviance_ == pytest.approx(other.deviance, rel=1e-10)
    np.testing.assert_allclose(model.predict(X, offset=np.log(TIME)), other.fittedvalues, rtol=1e-9)
    np.testing.assert_allclose(model.predict(X) * TIME, other.fittedvalues, rtol=1e-9)


@pytest.mark.parametrize("precision", [1e-3, 5.0])
def test_penalty_is_scikit_learns_times_rows(precision):
    """theirs is a mean: α of ours is n times theirs."""
    other = linear_model.PoissonRegressor(
        alpha=precision / N, solver="newton-cholesky", tol=1e-12, max_iter=500
    )
    other.fit(X, Y)
    model = PoissonRegression(prior_precision=precision).fit(X, Y)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-7)
    assert model.intercept_ == pytest.approx(other.intercept_, rel=1e-7)


def test_distribution_of_a_count():
    model = PoissonRegression().fit(X, Y)
    d = model.predict_dist(NEW)
    np.testing.assert_allclose(d.mean, model.predict(NEW), rtol=1e-14)
    np.testing.assert_allclose(
        d.log_prob(np.full(7, 3.0)), stats.poisson.logpmf(3, model.predict(NEW)), rtol=1e-10
    )
    np.testing.assert_allclose(np.log(model.predict(NEW)), model.linear_predictor(NEW), rtol=1e-12)


# -- counts -----------------------------------------------------------------------------------------------------
def changed(row, value):
    out = Y.copy()
    out[row] = value
    return out


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        (changed(6, -1.0), r"negative.*got -1 at row 6"),
        (changed(6, np.nan), r"y contains NaN.*row 6"),
        (changed(6, np.inf), r"y contains inf.*row 6"),
        (Y[:-1], "inconsistent|rows"),
        (np.column_stack([Y, Y]), "y must be one column"),
        (np.zeros((N, 0)), "y must be one column"),
    ],
)
def test_what_is_no_count(targets, words):
    with pytest.raises(ValueError, match=words):
        PoissonRegression().fit(X, targets)


def test_words_are_no_counts():
    with pytest.raises(ValueError, match="could not convert string to float|numbers|use a classifier"):
        PoissonRegression().fit(X, np.array(["one", "two"] * (N // 2)))


def test_fractions_are_taken_with_a_warning():
    """The mean of any target: statsmodels' quasi-likelihood."""
    with pytest.warns(NotCounts, match=r"y holds 0.5 at row 6, which is no count"):
        model = PoissonRegression().fit(X, changed(6, 0.5))
    other = sm.GLM(changed(6, 0.5), sm.add_constant(X), sm.families.Poisson()).fit(tol=1e-14, maxiter=100)
    np.testing.assert_allclose(np.append(model.intercept_, model.coef_), other.params, rtol=1e-9)


def test_counts_that_are_all_zero_have_no_maximum():
    with pytest.warns(Separated, match="The likelihood has no maximum.*constant"):
        model = PoissonRegression().fit(X, np.zeros(N))
    assert np.all(model.predict(X) < 1e-8)
    held = PoissonRegression(prior_precision=1.0, penalize_intercept=True).fit(X, np.zeros(N))
    assert held.trace_.converged


def test_a_category_without_counts_is_named():
    import pandas

    site = np.where(np.arange(N) < 30, 1.0, 0.0)
    table = pandas.DataFrame({"depth": X[:, 0], "harbor": site})
    with pytest.warns(Separated, match=r"direction -1 × 'harbor' \("):
        model = PoissonRegression().fit(table, np.where(site > 0, 0.0, Y))
    rest = PoissonRegression().fit(X[30:, :1], Y[30:])
    assert model.coef_[0] == pytest.approx(rest.coef_[0], rel=1e-6)
    assert model.coef_[1] < -10


@pytest.mark.parametrize("size", [1e4, 1e9, 1e15])
def test_huge_counts(size):
    counts = np.round(RATE * size)
    model = PoissonRegression().fit(X, counts)
    np.testing.assert_allclose(model.coef_, [0.7, -0.4, 0.2], rtol=1e-3)
    assert model.intercept_ == pytest.approx(0.4 + np.log(size), rel=1e-4)
    gradient = X.T @ (counts - model.predict(X))
    np.testing.assert_allclose(gradient / (size * N), 0, atol=1e-10)


def test_integers_and_booleans_are_counts():
    for kind in (np.int8, np.uint64, object):
        assert_same(PoissonRegression().fit(X, Y.astype(kind)), PoissonRegression().fit(X, Y), rtol=1e-12)
    assert_same(
        PoissonRegression().fit(X, Y > 1), PoissonRegression().fit(X, (Y > 1).astype(float)), rtol=1e-12
    )


@pytest.mark.parametrize(
    ("offset", "words"),
    [
        (np.ones(3), "200 finite numbers"),
        (np.full(N, np.nan), "finite"),
        (["long"] * N, "offset must be numbers"),
        (1.0, "one per row"),
    ],
)
def test_wrong_offsets(offset, words):
    with pytest.raises(InvalidInput, match=words):
        PoissonRegression().fit(X, Y, offset=offset)


WRONG = {
    "prior_precision": [-0.1, np.nan, np.inf, "some", None, True],
    "fit_intercept": ["no", 2, None],
    "penalize_intercept": ["no", 2, None],
    "standardize": ["no", 2, None],
    "basis": [3, "cubic"],
    "tol": [-1e-3, "small", np.nan, True, None],
    "max_iter": [0, 1.5, True, "many", None],
    "dispersion": ["some", None, 1.0],
}


@pytest.mark.parametrize(("name", "value"), [(k, v) for k, values in WRONG.items() for v in values])
def test_wrong_parameter(name, value):
    with pytest.raises(InvalidParameter, match=f"{name} must"):
        PoissonRegression(**{name: value}).fit(X, Y)


def test_every_parameter_is_in_the_list():
    assert set(WRONG) == set(PoissonRegression().get_params(deep=False))


# -- the contract -----------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("estimator", [made(setting) for setting in SETTINGS], ids=str)
@pytest.mark.filterwarnings("ignore::suffice._core.errors.SufficeWarning")
def test_scikit_learns_checks(estimator):
    assert_accepted(estimator)


@every_setting
def test_refit_is_the_first_fit(setting):
    model = made(setting)
    first = clone(model).fit(X, Y)
    second = model.fit(X[:50, :2], Y[50:100]).fit(X, Y)
    assert np.array_equal(first.predict(NEW), second.predict(NEW))
    assert first.deviance_ == second.deviance_


@every_setting
def test_order_of_rows(setting):
    order = rng.permutation(N)
    assert_same(made(setting).fit(X[order], Y[order]), made(setting).fit(X, Y), rtol=1e-9)


@every_setting
def test_weights_are_counts_of_rows(setting):
    rows = np.repeat(np.arange(N), WEIGHT.astype(int))
    weighted = made(setting).fit(X, Y, WEIGHT)
    assert_same(weighted, made(setting).fit(X[rows], Y[rows]))
    kept = WEIGHT > 0
    assert_same(weighted, made(setting).fit(X[kept], Y[kept], WEIGHT[kept]))
    wild = np.vstack([X, [[1e9, -1e9, 1e9]]])
    assert_same(
        made(setting).fit(wild, np.append(Y, 1e12), np.append(np.ones(N), 0.0)), made(setting).fit(X, Y)
    )


@every_setting
def test_one_row_at_a_time_sparse_tables_and_files(setting, tmp_path):
    model = made(setting).fit(X, Y)
    parts = np.concatenate([model.predict(NEW[i : i + 1]) for i in range(7)])
    np.testing.assert_allclose(model.predict(NEW), parts, rtol=1e-12)
    assert_same(made(setting).fit(sparse.csr_array(X), Y), model, rtol=1e-11)
    np.testing.assert_allclose(model.predict(sparse.csr_array(NEW)), model.predict(NEW), rtol=1e-12)
    suffice.save(model, tmp_path / "model.suffice")
    again = suffice.load(tmp_path / "model.suffice")
    assert np.array_equal(again.predict(NEW), model.predict(NEW))
    assert same(again.get_params(deep=False), model.get_params(deep=False))
    assert np.array_equal(again.cov_params_, model.cov_params_)


@pytest.mark.slow
@every_setting
def test_in_a_pipeline_and_a_search(setting):
    import pandas

    pipe = make_pipeline(StandardScaler(), made(setting))
    assert np.isfinite(cross_val_score(pipe, X, Y, cv=3)).all()
    search = GridSearchCV(made(setting), {"prior_precision": [0.0, 1.0, 100.0]}, cv=3).fit(X, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    table = pandas.DataFrame(X, columns=["a", "b", "c"])
    named = made(setting).fit(table, Y)
    np.testing.assert_allclose(named.predict(table), made(setting).fit(X, Y).predict(X), rtol=1e-13)
    assert list(named.feature_names_in_) == ["a", "b", "c"]


@every_setting
def test_validation_is_refitting(setting):
    splits = list(KFold(4).split(X))
    fast = cross_validate(made(setting), X, Y, cv=KFold(4))
    losses = [np.mean((Y[b] - made(setting).fit(X[a], Y[a]).predict(X[b])) ** 2) for a, b in splits]
    np.testing.assert_allclose(fast.fold_losses, losses, rtol=1e-8)


def test_slopes_cannot_be_merged():
    model = PoissonRegression().fit(X, Y)
    assert not hasattr(model, "partial_fit")
    with pytest.raises(Unsupported, match="is not a sum over rows"):
        suffice.merge([model, model])


def test_a_mean_beyond_all_numbers_is_told():
    r = np.random.default_rng(0)
    table, counts = r.standard_normal((50, 2)), r.poisson(1.0, 50)
    model = BayesianPoissonRegression(prior_precision=1e-6).fit(
        table, counts, sample_weight=np.full(50, 1e-6)
    )
    with pytest.warns(NoInformation, match="mean rate of row 0 is beyond all numbers"):
        assert np.isinf(model.predict(table[:1]))[0]
    with pytest.raises(InvalidParameter, match="rate must be finite; got inf"):
        model.predict_dist(table[:1])
