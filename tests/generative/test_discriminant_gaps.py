"""Linear and quadratic discriminant analysis of rows with missing cells: integrated out, and fitted by iteration."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.impute import SimpleImputer
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline

import suffice
from suffice._core.errors import InvalidInput, NotConverged, RankDeficient, Unsupported
from suffice.distributions import MultivariateNormal
from suffice.engine import fit as engine_fit
from suffice.evaluation import cross_validate
from suffice.generative import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

BOTH = [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis]
both = pytest.mark.parametrize("cls", BOTH)
rng = np.random.default_rng(3)
N, D = 180, 3
Y = rng.choice(["a", "b", "c"], N, p=[0.4, 0.3, 0.3])
MIX = np.array([[1.0, 0.5, 0.2], [0.0, 1.2, -0.4], [0.3, 0.0, 0.8]])
X = rng.standard_normal((N, D)) @ MIX + np.where(Y == "a", 0.0, np.where(Y == "b", 2.0, -2.0))[:, None]
HOLES = np.where(rng.random(X.shape) < 0.2, np.nan, X)


def covariances(model):
    return [density.cov for density in model.conditionals_]


def observed_log_likelihood(X, y, labels, means, covs, weight=None):
    """Σ w log N(x_o | μ_o, Σ_oo), row by row."""
    total = 0.0
    for i, (row, label) in enumerate(zip(X, y, strict=True)):
        o, c = ~np.isnan(row), list(labels).index(label)
        if o.any():
            value = multivariate_normal(means[c][o], covs[c][np.ix_(o, o)]).logpdf(row[o])
            total += value * (1.0 if weight is None else weight[i])
    return total


# -- prediction ---------------------------------------------------------------------------------------
@both
def test_missing_cells_are_integrated_out(cls):
    model = cls().fit(X, Y)
    joint = model.predict_joint_log_proba(HOLES)
    for i, row in enumerate(HOLES[:40]):
        o = np.flatnonzero(~np.isnan(row))
        for k, (mean, cov) in enumerate(zip(model.means_, covariances(model), strict=True)):
            expected = model.class_log_prior_[k]
            if len(o):
                marginal = MultivariateNormal(mean, cov).marginal(o if len(o) > 1 else int(o[0]))
                expected += marginal.log_prob(row[o] if len(o) > 1 else row[o[0]])
            assert joint[i, k] == pytest.approx(expected, rel=1e-9, abs=1e-9)


@both
def test_a_row_without_cells_gets_the_priors(cls):
    model = cls().fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(np.full((2, D), np.nan)), [model.priors_] * 2, rtol=1e-12)


@both
def test_complete_rows_do_not_notice_rows_with_gaps(cls):
    model = cls().fit(X, Y)
    table = np.vstack([X[:5], HOLES[:5], X[5:9]])
    whole = model.predict_log_proba(table)
    np.testing.assert_allclose(whole[:5], model.predict_log_proba(X[:5]), rtol=1e-13)
    np.testing.assert_allclose(whole[10:], model.predict_log_proba(X[5:9]), rtol=1e-13)


@both
def test_decisions_with_gaps_agree_with_probabilities(cls):
    for labels in (Y, np.where(Y == "c", "a", Y)):
        model = cls().fit(HOLES, labels)
        values = model.decision_function(HOLES)
        logs = model.predict_log_proba(HOLES)
        if values.ndim == 1:
            np.testing.assert_allclose(values, logs[:, 1] - logs[:, 0], rtol=1e-9, atol=1e-9)
        else:
            np.testing.assert_allclose(values - values[:, :1], logs - logs[:, :1], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("solver", ["svd", "lsqr"])
def test_discriminants_with_a_gap_are_those_of_the_other_columns(solver):
    """A linear analysis fitted without the column, with the same means and covariance."""
    model = LinearDiscriminantAnalysis(solver).fit(X, Y)
    less = LinearDiscriminantAnalysis(solver).fit(X[:, :2], Y)
    holes = X.copy()
    holes[:, 2] = np.nan
    np.testing.assert_allclose(model.decision_function(holes), less.decision_function(X[:, :2]), rtol=1e-8)


def test_transform_takes_a_missing_cell_at_its_expectation():
    model = LinearDiscriminantAnalysis().fit(X, Y)
    row = np.array([[X[0, 0], np.nan, X[0, 2]]])
    share = model.predict_proba(row)[0]
    expected = [
        d.condition([0, 2], row[0, [0, 2]]).mean[0] for d in model.conditionals_
    ]  # E[x₁ | x₀, x₂] in each class
    filled = np.array([[X[0, 0], share @ expected, X[0, 2]]])
    np.testing.assert_allclose(model.transform(row), model.transform(filled), rtol=1e-9)
    between = ("a", "b")
    np.testing.assert_allclose(
        model.signed_distance(row, between), model.signed_distance(filled, between), rtol=1e-9
    )


# -- the fit ------------------------------------------------------------------------------------------
@both
def test_the_objective_is_the_observed_likelihood_and_never_falls(cls):
    model = cls().fit(HOLES, Y)
    trace = model.trace_
    assert trace.converged
    assert len(trace) > 3
    assert np.all(np.diff(trace.objective) >= -1e-9 * np.abs(trace.objective[0]))
    direct = observed_log_likelihood(HOLES, Y, model.classes_, model.means_, covariances(model))
    assert trace.objective[-1] == pytest.approx(direct, rel=1e-10)


def packed(means, covs):
    rows, columns = np.tril_indices(means.shape[1])
    roots = [np.linalg.cholesky(c)[rows, columns] for c in covs]
    return np.concatenate([means.ravel(), *roots])


def unpacked(theta, k, d, shared):
    rows, columns = np.tril_indices(d)
    means, rest = theta[: k * d].reshape(k, d), theta[k * d :].reshape(-1, len(rows))
    covs = []
    for values in rest:
        L = np.zeros((d, d))
        L[rows, columns] = values
        covs.append(L @ L.T)
    return means, covs * k if shared else covs


@pytest.mark.long_for("QuadraticDiscriminantAnalysis")
@pytest.mark.slow
@both
def test_the_end_is_a_stationary_point(cls):
    model = cls(em_tol=1e-13, em_max_iter=5000).fit(HOLES, Y)
    shared = cls is LinearDiscriminantAnalysis
    theta = packed(model.means_, covariances(model)[: 1 if shared else None])

    def value(t):
        return observed_log_likelihood(HOLES, Y, model.classes_, *unpacked(t, 3, D, shared))

    for j in range(len(theta)):
        step = np.zeros(len(theta))
        step[j] = 1e-5
        slope = (value(theta + step) - value(theta - step)) / 2e-5
        assert abs(slope) <= 1e-3, (j, slope)  # a step of 1e-3 changes a likelihood of 180 rows by 1e-4


@pytest.mark.long_for("QuadraticDiscriminantAnalysis")
@pytest.mark.slow
@both
def test_a_direct_optimizer_finds_the_same(cls):
    table, labels = HOLES[:40, :2], np.where(Y == "c", "a", Y)[:40]
    model = cls(em_tol=1e-14, em_max_iter=20000).fit(table, labels)
    shared = cls is LinearDiscriminantAnalysis
    complete = ~np.isnan(table).any(axis=1)
    rough = cls().fit(table[complete], labels[complete])
    start = packed(rough.means_, covariances(rough)[: 1 if shared else None])

    def loss(t):
        return -observed_log_likelihood(table, labels, model.classes_, *unpacked(t, 2, 2, shared))

    found = minimize(loss, start, method="BFGS", options={"gtol": 1e-8})
    means, covs = unpacked(found.x, 2, 2, shared)
    assert -found.fun == pytest.approx(model.trace_.objective[-1], rel=1e-9)
    np.testing.assert_allclose(model.means_, means, atol=2e-6)
    np.testing.assert_allclose(covariances(model), covs, atol=2e-6)


def test_gaps_in_one_column_have_a_closed_form():
    """Second column known in some rows: moments of the first from all rows, the regression from the complete ones."""
    r = np.random.default_rng(8)
    x = r.standard_normal(60)
    z = 1 + 0.7 * x + 0.5 * r.standard_normal(60)
    z[r.random(60) < 0.4] = np.nan
    y = np.repeat([0, 1], 30)
    model = QuadraticDiscriminantAnalysis(em_tol=1e-15, em_max_iter=20000).fit(np.column_stack([x, z]), y)
    for k in (0, 1):
        mine = y == k
        known = mine & ~np.isnan(z)
        mean, var = x[mine].mean(), x[mine].var()
        slope = np.cov(x[known], z[known], bias=True)[0, 1] / x[known].var()
        constant = z[known].mean() - slope * x[known].mean()
        rest = np.mean((z[known] - constant - slope * x[known]) ** 2)
        np.testing.assert_allclose(model.means_[k], [mean, constant + slope * mean], rtol=1e-6)
        cov = [[var, slope * var], [slope * var, rest + slope**2 * var]]
        np.testing.assert_allclose(covariances(model)[k], cov, rtol=1e-6)


def test_unbiased_variance_of_one_column_counts_the_known_cells():
    x = np.array([1.0, 2.0, 4.0, np.nan, 10.0, 11.0, 13.0, np.nan, np.nan, 17.0])[:, None]
    y = np.repeat([0, 1], [4, 6])
    model = QuadraticDiscriminantAnalysis(unbiased=True, em_tol=1e-15).fit(x, y)
    expected = [np.var([1.0, 2.0, 4.0], ddof=1), np.var([10.0, 11.0, 13.0, 17.0], ddof=1)]
    np.testing.assert_allclose(np.ravel(covariances(model)), expected, rtol=1e-7)


SETTINGS = [{}, {"shrinkage": "auto"}, {"shrinkage": 0.3}, {"covariance": "diagonal"}, {"unbiased": True}]


@both
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_the_fixed_point_is_what_the_model_makes_of_completed_rows(cls, options):
    """One gap among all rows moves the fit little: shrinkage and divisor act on the expected scatter."""
    holes = X.copy()
    holes[4, 1] = np.nan
    complete, gap = cls(**options).fit(X, Y), cls(**options).fit(holes, Y)
    np.testing.assert_allclose(gap.predict_proba(X), complete.predict_proba(X), atol=0.05)
    assert not np.allclose(gap.means_, complete.means_, atol=1e-6)


@both
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_weights_order_and_wild_rows(cls, options):
    times = np.random.default_rng(1).integers(0, 3, N).astype(float)
    rows = np.repeat(np.arange(N), times.astype(int))
    model = cls(em_tol=1e-11, em_max_iter=3000, **options)
    weighted = clone(model).fit(HOLES, Y, times)
    repeated = clone(model).fit(HOLES[rows], Y[rows])
    np.testing.assert_allclose(weighted.predict_proba(HOLES), repeated.predict_proba(HOLES), atol=1e-6)
    order = np.random.default_rng(2).permutation(N)
    again = clone(model).fit(HOLES[order], Y[order])
    np.testing.assert_allclose(
        again.predict_proba(HOLES), clone(model).fit(HOLES, Y).predict_proba(HOLES), atol=1e-6
    )
    wild = np.vstack([HOLES, np.full((1, D), 1e200)])
    heavy = clone(model).fit(wild, np.append(Y, "z"), np.append(times, 0.0))
    np.testing.assert_allclose(heavy.predict_proba(HOLES), weighted.predict_proba(HOLES), atol=1e-6)


@both
def test_empty_rows_count_for_the_priors_alone(cls):
    more = np.vstack([HOLES, np.full((5, D), np.nan)])
    model, plain = cls().fit(more, np.append(Y, ["a"] * 5)), cls().fit(HOLES, Y)
    assert model.class_count_[0] == plain.class_count_[0] + 5
    np.testing.assert_allclose(model.means_, plain.means_, atol=1e-5)


@both
@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_units_of_the_columns_do_not_matter(cls, scale):
    unit = np.array([1.0, scale, 1.0])
    for options in ({}, {"shrinkage": "auto"}):
        model, moved = cls(**options).fit(HOLES, Y), cls(**options).fit(HOLES * unit, Y)
        np.testing.assert_allclose(
            moved.predict_proba(HOLES * unit), model.predict_proba(HOLES), rtol=1e-6, atol=1e-9
        )


@both
@pytest.mark.parametrize(("scale", "word"), [(1e160, "overflow"), (1e-160, "vanish")])
def test_squares_that_do_not_exist_are_named(cls, scale, word):
    with pytest.raises(InvalidInput, match=f"'x1' has numbers of the order .* whose squares {word}; rescale"):
        cls().fit(HOLES * [1.0, scale, 1.0], Y)


# -- degenerate tables ----------------------------------------------------------------------------------
@both
def test_a_column_without_cells_is_refused_by_name(cls):
    import pandas

    table = pandas.DataFrame(HOLES, columns=["age", "weight", "height"])
    table["weight"] = np.nan
    with pytest.raises(InvalidInput, match="Column 'weight' has no known cell"):
        cls().fit(table, Y)


@both
def test_a_column_unknown_in_one_class_tells_nothing_about_it(cls):
    holes = HOLES.copy()
    holes[Y == "b", 1] = np.nan
    model = cls(shrinkage="auto").fit(holes, Y)
    assert np.isfinite(model.predict_log_proba(HOLES)).all()
    if cls is QuadraticDiscriminantAnalysis:
        assert model.means_[1, 1] == pytest.approx(np.nanmean(holes[:, 1]))


@both
def test_constant_and_doubled_columns_with_gaps(cls):
    holes = np.column_stack([HOLES, np.where(rng.random(N) < 0.2, np.nan, 7.0)])
    model, plain = cls().fit(holes, Y), cls().fit(HOLES, Y)
    np.testing.assert_allclose(model.predict_proba(holes), plain.predict_proba(HOLES), atol=1e-4)
    with pytest.warns(RankDeficient, match="combinations of other|too few"):
        doubled = cls().fit(np.column_stack([HOLES, HOLES[:, 0]]), Y)
    assert np.isfinite(doubled.predict_proba(np.column_stack([HOLES, HOLES[:, 0]]))).all()


@both
def test_more_columns_than_rows_with_gaps(cls):
    r = np.random.default_rng(5)
    wide = r.standard_normal((12, 20)) + np.repeat([0.0, 1.0], 6)[:, None]
    wide[r.random(wide.shape) < 0.1] = np.nan
    y = np.repeat([0, 1], 6)
    with pytest.warns(RankDeficient, match="too few"):
        model = cls().fit(wide, y)
    assert np.isfinite(model.predict_log_proba(wide)).all()
    assert np.isfinite(cls(shrinkage="auto").fit(wide, y).predict_log_proba(wide)).all()


def test_a_likelihood_without_a_maximum_is_noticed():
    """Two complete rows and many partial ones in three columns: a singular covariance fits ever better."""
    r = np.random.default_rng(3)
    table, y = r.standard_normal((40, 3)) @ MIX, np.repeat([0, 1], [24, 16])
    for i in range(24, 38):
        table[i, i % 3] = np.nan
    table[24:38][r.random((14, 3)) < 0.3] = np.nan
    with pytest.warns(
        RankDeficient, match=r"Class 1 has 1\d rows, too few .* missing cells; its correlations"
    ):
        model = QuadraticDiscriminantAnalysis().fit(table, y)
    assert np.isfinite(model.predict_log_proba(table)).all()
    assert np.linalg.cond(covariances(model)[1]) < 1e4


# -- what a fit with gaps cannot do ---------------------------------------------------------------------
@both
def test_no_statistics_and_a_reason(cls, tmp_path):
    model, plain = cls().fit(HOLES, Y), cls().fit(X, Y)
    assert not hasattr(model, "statistics_")
    for act in (
        lambda: suffice.merge([model, plain]),
        lambda: suffice.merge([plain, model]),
        lambda: suffice.forget(model, X[:2], Y[:2]),
        lambda: suffice.forget(plain, HOLES[:20], Y[:20]),
        lambda: model.partial_fit(X, Y),
        lambda: plain.partial_fit(HOLES, Y),
        lambda: engine_fit(cls(), [(X[:40], Y[:40]), (HOLES[40:], Y[40:])]),
    ):
        with pytest.raises(Unsupported, match="expectation–maximization, which needs all rows at once"):
            act()
    assert plain.statistics_.rows == N
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert np.array_equal(again.predict_proba(HOLES), model.predict_proba(HOLES))
    assert again.trace_ == model.trace_
    again.fit(X, Y)  # complete rows after all
    assert not hasattr(again, "trace_")
    assert suffice.merge([again, plain]).statistics_.rows == 2 * N


@both
def test_a_fit_with_gaps_leaves_nothing_of_an_earlier_one(cls):
    model = cls().fit(X, Y).fit(HOLES, Y)
    assert not hasattr(model, "statistics_")
    assert np.array_equal(model.predict_proba(HOLES), cls().fit(HOLES, Y).predict_proba(HOLES))
    with pytest.raises(Unsupported, match="needs all rows at once"):
        model.partial_fit(X, Y)


@both
def test_validation_refits_and_says_why(cls):
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    result = cross_validate(cls(), HOLES, Y, cv=cv, loss="log")
    assert result.how == "refit"
    assert "expectation–maximization" in " ".join(map(str, result.notes))
    folds = []
    for train, test in cv.split(X, Y):
        d = cls().fit(HOLES[train], Y[train]).predict_dist(HOLES[test])
        folds.append(-np.mean(d.log_prob(Y[test])))
    np.testing.assert_allclose(result.fold_losses, folds, rtol=1e-10)


@both
def test_gaps_of_any_table(cls):
    """Nullable columns, sparse matrices with NaN stored, and arrays give one model, and validation refits all."""
    import pandas
    from scipy import sparse

    plain = cls().fit(HOLES, Y).predict_proba(HOLES)
    nullable = pandas.DataFrame(HOLES, columns=list("uvw")).convert_dtypes()
    np.testing.assert_allclose(cls().fit(nullable, Y).predict_proba(nullable), plain, atol=1e-12)
    stored = sparse.csr_array(HOLES)
    np.testing.assert_allclose(cls().fit(stored, Y).predict_proba(stored), plain, atol=1e-12)
    for table in (nullable, stored):
        assert cross_validate(cls(), table, Y, cv=3).how == "refit"


@both
def test_stopping_early_is_said(cls):
    with pytest.warns(NotConverged, match="after 3 iterations; raise em_max_iter=3"):
        model = cls(em_max_iter=3).fit(HOLES, Y)
    assert not model.trace_.converged


# -- the bar --------------------------------------------------------------------------------------------
@pytest.mark.long_for("0", "1")
@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_wine_with_a_fifth_of_its_cells_missing(seed):
    """Better than the same model after means were filled in, by the log loss and not worse by accuracy."""
    table, y = load_wine(return_X_y=True)
    holes = np.where(np.random.default_rng(seed).random(table.shape) < 0.2, np.nan, table)
    model = QuadraticDiscriminantAnalysis(shrinkage="auto")
    found = {}
    for name, m in {"gaps": model, "filled": make_pipeline(SimpleImputer(), model)}.items():
        found[name] = np.zeros((len(y), 3))
        for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(table, y):
            found[name][test] = clone(m).fit(holes[train], y[train]).predict_proba(holes[test])
    assert np.mean(found["gaps"].argmax(axis=1) == y) >= 0.93
    assert log_loss(y, found["gaps"]) <= log_loss(y, found["filled"])
