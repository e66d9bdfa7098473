"""Laws of every fit: a maximum by differences, its curvature, units that do not matter, a climb that never falls."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from suffice._core.errors import InvalidInput, NotConverged, RankDeficient, Separated
from suffice.bases import FourierBasis, GaussianBasis, Polynomial
from suffice.glm import LogisticRegression, PoissonRegression, ProbitRegression, SoftmaxRegression

from . import naive

N = 80
MODELS = {
    "logistic": (LogisticRegression, naive.log_bernoulli, 1),
    "probit": (ProbitRegression, naive.log_probit, 1),
    "poisson": (PoissonRegression, naive.log_poisson, 1),
    "softmax": (SoftmaxRegression, naive.log_softmax, 3),
}
every_model = pytest.mark.parametrize("kind", MODELS)
BASES = [
    None,
    Polynomial(2),
    Polynomial(3),
    GaussianBasis([-1.0, 0.5], width=0.8),
    FourierBasis(1, period=7.0),
]


def rows(kind, seed, n=N, d=2):
    """A table and targets that leave a maximum."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.5, 1.5, (n, d)) * rng.uniform(0.5, 2.0, d) + rng.uniform(-1, 1, d)
    a = 0.3 + X @ rng.normal(0, 0.5, d)
    if kind == "poisson":
        return X, rng.poisson(np.exp(a)).astype(float)
    if kind == "softmax":
        return X, np.argmax(np.column_stack([a, -a, 0 * a]) + rng.gumbel(size=(n, 3)), axis=1)
    return X, (a + rng.logistic(size=n) > 0).astype(int)


def likeliest(kind, **options):
    """Maximum likelihood, whatever the default."""
    return MODELS[kind][0](prior_precision=0.0, **options)


def weights_of(model):
    """(K, 1 + d): constants and weights of every function."""
    return np.column_stack([np.atleast_1d(model.intercept_), np.atleast_2d(model.coef_)])


def setting(seed):
    """Options at random, each seen with all others sooner or later."""
    rng = np.random.default_rng(1000 + seed)
    return {
        "prior_precision": float(rng.choice([0.01, 0.7, 30.0])),
        "fit_intercept": bool(rng.integers(2)),
        "penalize_intercept": bool(rng.integers(2)),
        "standardize": bool(rng.integers(2)),
        "basis": BASES[rng.integers(len(BASES))],
    }


def penalized(kind, model, X, y, weight):
    """The objective of the docstring, row by row, as a function of weights on the columns of the basis."""
    columns = X if model.basis is None else model.basis(X)
    held = model.penalize_intercept and model.fit_intercept

    def f(theta):
        likely = naive.log_likelihood(MODELS[kind][1], theta, columns, y, weight)
        cost = naive.penalty(
            theta, columns, model.prior_precision, weight, intercept=held, standardize=model.standardize
        )
        return likely - cost

    return f, columns


def direction_units(model, columns):
    """A step of about one standard error in every coordinate."""
    se = np.sqrt(np.diag(model.cov_params_)).reshape(len(weights_of(model)), -1)
    return se if model.fit_intercept else np.column_stack([np.zeros(len(se)), se])


# -- the maximum ------------------------------------------------------------------------------------------------
@every_model
@pytest.mark.parametrize("seed", range(6))
def test_the_slope_is_zero_in_every_direction(kind, seed):
    X, y = rows(kind, seed)
    weight = np.random.default_rng(seed).integers(0, 3, N).astype(float) if seed % 2 else None
    options = setting(seed)
    if options["standardize"] and not options["fit_intercept"]:
        options["fit_intercept"] = True  # else the function is zero at the mean of the columns: tested below
    model = MODELS[kind][0](**options).fit(X, y, weight)
    f, columns = penalized(kind, model, X, y, weight)
    theta, unit = weights_of(model), direction_units(model, X)
    np.testing.assert_allclose(naive.slopes(f, theta, unit), 0, atol=1e-6)
    rng = np.random.default_rng(seed)
    for _ in range(5):  # nothing nearby is higher
        assert f(theta + 0.1 * unit * rng.standard_normal(theta.shape)) < f(theta)
    assert model.trace_.converged
    log_prior = naive.penalty(
        theta,
        columns,
        model.prior_precision,
        weight,
        intercept=model.penalize_intercept and model.fit_intercept,
        standardize=model.standardize,
    )
    assert model.log_likelihood_ == pytest.approx(f(theta) + log_prior, rel=1e-11)


@every_model
def test_standardized_without_a_constant_is_zero_at_the_mean(kind):
    X, y = rows(kind, 3)
    model = MODELS[kind][0](prior_precision=0.5, fit_intercept=False, standardize=True).fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    scaled = MODELS[kind][0](prior_precision=0.5, fit_intercept=False).fit(Z, y)
    answer = "predict" if kind == "poisson" else "predict_proba"
    np.testing.assert_allclose(getattr(model, answer)(X), getattr(scaled, answer)(Z), rtol=1e-9)


@every_model
@pytest.mark.parametrize("basis", [None, Polynomial(2)])
def test_covariance_is_the_inverse_of_a_hessian_by_differences(kind, basis):
    X, y = rows(kind, 9, n=60, d=1)
    options = {"parametrization": "reduced"} if kind == "softmax" else {}
    model = MODELS[kind][0](prior_precision=0.3, basis=basis, **options).fit(X, y)
    f, _ = penalized(kind, model, X, y, None)
    theta, se = weights_of(model), np.sqrt(np.diag(model.cov_params_))

    def full(t):
        return f(t if kind != "softmax" else np.vstack([t, np.zeros(t.shape[1])]))  # the last class is 0

    H = naive.hessian(full, theta, se)
    expected = np.linalg.inv(-H) * np.outer(se, se)
    np.testing.assert_allclose(model.cov_params_ / np.outer(se, se), expected / np.outer(se, se), atol=2e-5)


@every_model
def test_raw_powers_are_the_columns_of_a_polynomial(kind):
    X, y = rows(kind, 4, d=1)
    a = MODELS[kind][0](prior_precision=0.2, basis=Polynomial(3)).fit(X, y)
    b = MODELS[kind][0](prior_precision=0.2).fit(np.column_stack([X, X**2, X**3]), y)
    np.testing.assert_allclose(weights_of(a), weights_of(b), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(a.cov_params_, b.cov_params_, rtol=1e-6, atol=1e-9)


@every_model
def test_the_climb_never_falls(kind):
    X, y = rows(kind, 5)
    model = likeliest(kind).fit(X * 30, y)
    steps = np.diff(model.trace_.objective)
    assert np.all(steps >= -1e-13 * (1 + np.abs(model.trace_.objective[1:])))
    assert model.trace_.converged
    taken = len(model.trace_) - 1 if kind == "logistic" else len(model.trace_)
    assert model.n_iter_ == taken < 15
    assert model.trace_.columns["gradient"][-1] < 1e-4 * model.trace_.columns["gradient"][0]
    assert model.trace_.objective[-1] <= model.log_likelihood_ + 1e-10


@every_model
def test_too_few_passes(kind):
    X, y = rows(kind, 5)
    with pytest.warns(NotConverged, match="stopped after 1 step |did not converge after 1 iterations"):
        model = likeliest(kind, max_iter=1).fit(X, y)
    assert not model.trace_.converged
    assert np.any(model.coef_)


# -- units ------------------------------------------------------------------------------------------------------
@every_model
@pytest.mark.parametrize("unit", [1e-300, 1e-150, 1e-8, 1e8, 1e150, 1e300])
def test_units_of_columns_do_not_matter(kind, unit):
    """Maximum likelihood in other units is the same function."""
    X, y = rows(kind, 6)
    plain, model = likeliest(kind).fit(X, y), likeliest(kind).fit(X * [unit, 1.0], y)
    scale = np.array([1.0, unit, 1.0])
    np.testing.assert_allclose(weights_of(model) * scale, weights_of(plain), rtol=1e-7, atol=1e-10)
    assert model.log_likelihood_ == pytest.approx(plain.log_likelihood_, rel=1e-12)
    se, expected = (m.summary().std_error.reshape(-1, 3) for m in (model, plain))
    np.testing.assert_allclose(se * scale, expected, rtol=1e-6)


@every_model
@pytest.mark.parametrize("shift", [1e3, 1e8, -1e8])
def test_shifts_of_columns_do_not_matter(kind, shift):
    y = rows(kind, 6)[1]
    X = np.round(rows(kind, 6)[0] * 1024)  # sums that are exact
    plain, model = likeliest(kind).fit(X, y), likeliest(kind).fit(X + shift, y)
    np.testing.assert_allclose(weights_of(model)[:, 1:], weights_of(plain)[:, 1:], rtol=1e-8, atol=1e-13)
    assert model.log_likelihood_ == pytest.approx(plain.log_likelihood_, rel=1e-12)


@every_model
def test_a_standardized_penalty_knows_no_units(kind):
    X, y = rows(kind, 7)
    cls = MODELS[kind][0]
    a = cls(prior_precision=3.0, standardize=True).fit(X, y)
    b = cls(prior_precision=3.0, standardize=True).fit(X * [1e5, 1e-5] + [3.0, 1e-4], y)
    np.testing.assert_allclose(weights_of(b)[:, 1:] * [1e5, 1e-5], weights_of(a)[:, 1:], rtol=1e-8)


@every_model
@pytest.mark.parametrize("kind_of_table", [np.float32, np.int32, object, sparse.csr_array, sparse.csc_matrix])
def test_tables_of_other_types(kind, kind_of_table):
    X, y = rows(kind, 8)
    X = np.round(X * 8)
    table = (
        kind_of_table(X)
        if kind_of_table in (sparse.csr_array, sparse.csc_matrix)
        else X.astype(kind_of_table)
    )
    a, b = likeliest(kind).fit(table, y), likeliest(kind).fit(X, y)
    rounded = kind == "logistic" and kind_of_table == np.float32  # its weights are too, as scikit-learn's
    np.testing.assert_allclose(weights_of(a), weights_of(b), rtol=1e-6 if rounded else 1e-10, atol=1e-12)


# -- columns that say nothing -----------------------------------------------------------------------------------
@every_model
@pytest.mark.parametrize("value", [0.0, 1.0, 7.0, -1e9])
def test_constant_columns_are_named(kind, value):
    X, y = rows(kind, 10)
    with pytest.warns(RankDeficient, match="weights of 'x2' are not determined"):
        model = likeliest(kind).fit(np.column_stack([X, np.full(N, value)]), y)
    plain = weights_of(likeliest(kind).fit(X, y))
    np.testing.assert_allclose(weights_of(model)[:, 1:3], plain[:, 1:], rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(weights_of(model)[:, 3], 0, atol=1e-8 / max(1.0, 1e-2 * abs(value)))
    se = np.sqrt(np.diag(model.cov_params_)).reshape(-1, 4)
    assert np.isnan(se[:, 3]).all()
    assert np.isfinite(se[:, 1:3]).all()


@every_model
def test_duplicated_and_combined_columns(kind):
    X, y = rows(kind, 11)
    plain = likeliest(kind).fit(X, y)
    for extra in (X[:, 0], X @ [1.0, 2.0], 3 - X[:, 1]):
        with pytest.warns(RankDeficient, match="are not determined .*combinations of the others"):
            model = likeliest(kind).fit(np.column_stack([X, extra]), y)
        assert model.log_likelihood_ == pytest.approx(plain.log_likelihood_, rel=1e-11)
        assert np.linalg.norm(weights_of(model)[:, 1:]) < np.linalg.norm(weights_of(plain)[:, 1:])
        assert np.isnan(np.diag(model.cov_params_)).any()
        assert model.n_parameters_ == plain.n_parameters_


@every_model
def test_more_columns_than_rows_with_a_penalty(kind):
    """The weights lie in the span of the rows."""
    X, y = rows(kind, 12, n=12, d=30)
    model = MODELS[kind][0](prior_precision=1.0).fit(X, y)
    assert model.trace_.converged
    w = weights_of(model)[:, 1:]
    share = np.linalg.lstsq(X.T, w.T, rcond=None)[0]
    np.testing.assert_allclose(X.T @ share, w.T, atol=1e-8)


@pytest.mark.parametrize("kind", ["logistic", "probit", "softmax"])
def test_more_columns_than_rows_without_one(kind):
    X, y = rows(kind, 12, n=12, d=30)
    with pytest.warns(Separated, match="no maximum"):
        model = likeliest(kind).fit(X, y)
    assert np.array_equal(model.predict(X), y)


@pytest.mark.parametrize("kind", ["logistic", "probit", "softmax"])
def test_what_stops_a_runaway_does_not_depend_on_how_rows_are_counted(kind):
    """Weights and repetitions lead to the same place even where there is no maximum."""
    rng = np.random.default_rng(2)
    X, y = rows(kind, 12, n=12, d=30)
    count = rng.integers(0, 4, 12)
    with pytest.warns(Separated, match="no maximum"):
        a = likeliest(kind).fit(X, y, count)
    with pytest.warns(Separated, match="no maximum"):
        b = likeliest(kind).fit(np.repeat(X, count, axis=0), np.repeat(y, count))
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), rtol=1e-6)


@every_model
def test_rows_that_cannot_be(kind):
    X, y = rows(kind, 13)
    cls = MODELS[kind][0]
    with pytest.raises(InvalidInput, match="sample_weight is zero for all"):
        cls().fit(X, y, np.zeros(N))
    with pytest.raises(ValueError, match="0 sample"):
        cls().fit(X[:0], y[:0])
    with pytest.raises(InvalidInput, match="X contains NaN at row 2, column 'x1'"):
        cls().fit(np.where(np.arange(2 * N).reshape(N, 2) == 5, np.nan, X), y)
    with pytest.raises(ValueError, match="could not convert|holds text"):
        cls().fit(np.full((N, 2), "red"), y)
    with pytest.raises(ValueError, match="rows|inconsistent"):
        cls().fit(X, y[:-1], np.ones(N))
