"""Laws of linear models with unknown noise, of relevance, and of averages over models."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import ARDRegression as SklearnARD
from sklearn.model_selection import KFold, LeaveOneOut
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice._core.errors import (
    AtBound,
    HeaderMismatch,
    InvalidInput,
    InvalidParameter,
    NotConverged,
    Unsupported,
)
from suffice.bases import GaussianBasis, Polynomial
from suffice.datasets import sinusoid, sinusoid_10
from suffice.distributions import MixtureDistribution, MultivariateT
from suffice.evaluation import compare_evidence, cross_validate
from suffice.linear import (
    ARDRegression,
    BayesianLinearRegression,
    ConjugateLinearRegression,
    LinearRegression,
    Ridge,
    bayesian_model_average,
)

rng = np.random.default_rng(2)
N, D = 30, 3
X = rng.standard_normal((N, D)) + [2.0, 0.0, -1.0]
y = 1 + X @ [1.0, -2.0, 0.0] + 0.5 * rng.standard_normal(N)
NEW = rng.standard_normal((5, D))
RULES = {"flat": {}, "prior": {"intercept": "prior"}, "none": {"fit_intercept": False}}


# -- unknown noise ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("rule", RULES)
def test_a_sure_gamma_is_known_noise(rule):
    """a, b → ∞ at a/b = β: the posterior, the evidence and the predictions of known precisions."""
    beta, size = 4.0, 1e10
    sure = ConjugateLinearRegression(0.3, shape=size * beta, rate=size, **RULES[rule]).fit(X, y)
    known = BayesianLinearRegression(0.3 * beta, noise_precision=beta, **RULES[rule]).fit(X, y)
    np.testing.assert_allclose(sure.predict(NEW), known.predict(NEW), rtol=1e-12)
    np.testing.assert_allclose(sure.predict_dist(NEW).std, known.predict_dist(NEW).std, rtol=1e-8)
    np.testing.assert_allclose(sure.posterior_.given(beta).cov, known.posterior_.cov, rtol=1e-10, atol=1e-14)
    assert sure.log_evidence_ == pytest.approx(known.log_evidence_, rel=1e-5)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_flat_limit_is_least_squares_with_more_degrees_of_freedom(fit_intercept):
    flat = ConjugateLinearRegression(1e-12, shape=1e-12, rate=1e-12, fit_intercept=fit_intercept).fit(X, y)
    plain = LinearRegression(fit_intercept=fit_intercept).fit(X, y)
    a, b = flat.predict_dist(NEW), plain.predict_dist(NEW)
    np.testing.assert_allclose(a.loc, b.loc, rtol=1e-9)
    np.testing.assert_allclose(a.dof, b.dof + D, rtol=1e-10)
    np.testing.assert_allclose(a.scale**2 * a.dof, b.scale**2 * b.dof, rtol=1e-9)


def test_without_weights_the_flat_limit_is_student_itself():
    """Only an intercept: a column that never varies, and its weight has no say."""
    table = np.zeros((N, 1))
    flat = ConjugateLinearRegression(1.0, shape=1e-12, rate=1e-12).fit(table, y).predict_dist([[0.0]])
    assert flat.dof == pytest.approx(N - 1)
    assert flat.loc[0] == pytest.approx(y.mean(), rel=1e-12)
    assert flat.scale[0] == pytest.approx(np.sqrt(y.var(ddof=1) * (1 + 1 / N)), rel=1e-9)


def test_yesterdays_posterior_is_todays_prior():
    """Batch = two steps, with the first posterior handed in as a prior (claim 15 with unknown noise)."""
    start = {"prior_precision": 0.5, "shape": 2.0, "rate": 1.0, "intercept": "prior"}
    first = ConjugateLinearRegression(**start).fit(X[:12], y[:12])
    p = first.posterior_
    second = ConjugateLinearRegression(
        1.0, prior_mean=p.mean, prior_cov=p.cov, shape=p.shape, rate=p.rate, intercept="prior"
    ).fit(X[12:], y[12:])
    whole = ConjugateLinearRegression(**start).fit(X, y)
    for name in ("mean", "cov", "shape", "rate"):
        np.testing.assert_allclose(
            getattr(second.posterior_, name), getattr(whole.posterior_, name), rtol=1e-9, atol=1e-12
        )
    assert first.log_evidence_ + second.log_evidence_ == pytest.approx(whole.log_evidence_, rel=1e-10)


def test_evidence_is_a_product_of_predictions():
    """log p(y) = Σ log p(y_n | earlier): Student-t predictions, one row after another."""
    model = ConjugateLinearRegression(0.5, shape=2.0, rate=1.0, fit_intercept=False)
    total = model.fit(X[:1], y[:1]).log_evidence_
    for n in range(1, N):
        total += float(model.predict_dist(X[n : n + 1]).log_prob(y[n])[0])
        model.partial_fit(X[n : n + 1], y[n : n + 1])
    assert total == pytest.approx(model.log_evidence_, rel=1e-9)


def test_marginals_and_draws_agree():
    model = ConjugateLinearRegression(0.5, shape=4.0, rate=2.0, intercept="prior").fit(X, y)
    known, n = model.posterior_, 40_000
    weights, precisions = known.sample(n, 0)
    marginal = known.weights()
    assert isinstance(marginal, MultivariateT)
    error = np.sqrt(np.diagonal(marginal.cov) / n)
    assert np.all(np.abs(weights.mean(axis=0) - marginal.loc) < 4 * error)  # four standard errors
    np.testing.assert_allclose(np.cov(weights.T), marginal.cov, rtol=0.05, atol=0.05 * marginal.var.max())
    assert precisions.mean() == pytest.approx(known.precision().mean, rel=4 * 0.25 / np.sqrt(n))
    scaled = (weights - known.mean) * np.sqrt(precisions)[:, None]  # given the precision: covariance S
    np.testing.assert_allclose(np.cov(scaled.T), known.cov, rtol=0.05, atol=0.03 * known.cov.max())


@pytest.mark.slow
def test_drawn_functions_and_data_sets_have_the_predictive_moments():
    model = ConjugateLinearRegression(0.5, shape=4.0, rate=2.0).fit(X, y)
    n, function, whole = 20_000, model.predict_dist(NEW, noise=False), model.predict_dist(NEW)
    values, sets = model.sample_functions(n, 1)(NEW), model.sample_datasets(n, NEW, 2)
    for draws, d in ((values, function), (sets, whole)):
        assert np.all(np.abs(draws.mean(axis=0) - d.mean) < 4.5 * d.std / np.sqrt(n))
        np.testing.assert_allclose(draws.std(axis=0), d.std, rtol=0.03)  # 1/√(2n) = 0.005, heavier tails
        assert np.mean(draws < d.quantile(0.1)) == pytest.approx(0.1, abs=0.01)
    both = ConjugateLinearRegression().fit(X, np.column_stack([y, -y]))
    assert both.sample_functions(3, 0)(NEW).shape == both.sample_datasets(3, NEW, 0).shape == (3, 5, 2)


def test_prior_draws_are_student():
    """Before the data, φᵀw ~ t(2a, φᵀm, b/a φᵀSφ)."""
    model = ConjugateLinearRegression(2.0, shape=3.0, rate=1.5, prior_mean=[1.0, -1.0], intercept="prior")
    n, x = 20_000, np.array([[2.0]])
    values, sets = model.sample_functions(n, 3)(x)[:, 0], model.sample_datasets(n, x, 4)[:, 0]
    for draws, spread in ((values, 5 / 2), (sets, 1 + 5 / 2)):
        d = suffice.distributions.StudentT(6.0, -1.0, np.sqrt(0.5 * spread))
        for q in (0.05, 0.25, 0.5, 0.9):  # standard error below 0.0036; four of them
            assert np.mean(draws < d.quantile(q)) == pytest.approx(q, abs=4 * np.sqrt(q * (1 - q) / n))
    with pytest.raises(Unsupported, match="intercept='prior'"):
        ConjugateLinearRegression().sample_functions(2, 0)


@pytest.mark.parametrize(
    "options", [{}, {"intercept": "prior", "prior_mean": [1.0, 0.5, -2.0, 0.0]}], ids=["flat", "prior"]
)
@pytest.mark.parametrize("weighted", [False, True])
def test_held_out_rates_are_those_of_the_smaller_fits(options, weighted):
    model = ConjugateLinearRegression(0.7, shape=1.2, rate=0.4, **options)
    weight = np.arange(N) % 3 + 1.0 if weighted else None
    for cv in (KFold(6), LeaveOneOut()):
        splits = list(cv.split(X))
        fast = model.heldout(X, y, splits, weight)
        for train, test in splits:
            w = None if weight is None else weight[train]
            slow = (
                ConjugateLinearRegression(**model.get_params())
                .fit(X[train], y[train], w)
                .predict_dist(X[test])
            )
            for name in ("dof", "loc", "scale"):
                np.testing.assert_allclose(getattr(fast[test], name), getattr(slow, name), rtol=1e-9)


def test_precisions_must_be_positive():
    known = ConjugateLinearRegression().fit(X, y).posterior_
    with pytest.raises(InvalidInput, match="precision must be finite and above zero; got 0"):
        known.given(0.0)


# -- relevance ------------------------------------------------------------------------------------------------
def sparse_table(seed: int, n: int = 200, d: int = 20, correlated: float = 0.0):
    r = np.random.default_rng(seed)
    table = r.standard_normal((n, d)) @ (np.eye(d) + correlated * r.standard_normal((d, d)))
    w = np.where(r.random(d) < 0.3, r.uniform(0.5, 2.0, d) * r.choice([-1, 1], d), 0.0)
    return table, w, 3 + table @ w + r.standard_normal(n)


@pytest.mark.parametrize("noise", ["evidence", 1.3])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(4))
def test_fixed_point_of_the_text_and_no_column_left_out(seed, rule, noise):
    """α = γ/m², 1/β = SSE/(N − Σγ); a pruned column would not raise the evidence at any precision."""
    table, _, target = sparse_table(seed, correlated=0.3)
    model = ARDRegression(threshold_lambda=np.inf, noise_precision=noise, **RULES[rule]).fit(table, target)
    on = np.isfinite(model.prior_precisions_)
    w = np.append(model.intercept_, model.coef_) if rule == "prior" else model.coef_
    np.testing.assert_allclose(model.prior_precisions_[on], model.relevance_[on] / w[on] ** 2, rtol=1e-8)
    if noise == "evidence":
        left = len(target) - model.effective_parameters_
        sse = np.sum((target - model.predict(table)) ** 2)
        assert model.noise_precision_ == pytest.approx(left / sse, rel=1e-9)
    A = np.column_stack([np.ones(len(target)), table]) if rule == "prior" else table
    A, z = (A - A.mean(axis=0), target - target.mean()) if rule == "flat" else (A, target)
    C = np.eye(len(z)) / model.noise_precision_ + (A[:, on] / model.prior_precisions_[on]) @ A[:, on].T
    s, q = np.sum(A * np.linalg.solve(C, A), axis=0), A.T @ np.linalg.solve(C, z)
    assert np.all(q[~on] ** 2 <= s[~on] * (1 + 1e-9))  # Tipping and Faul's condition


@pytest.mark.parametrize("threshold", [1e4, np.inf])
@pytest.mark.parametrize("seed", range(6))
def test_evidence_never_falls(seed, threshold):
    data = sinusoid(60, 0.3, random_state=seed)
    basis = GaussianBasis(data.X, width=0.1)
    trace = ARDRegression(basis=basis, threshold_lambda=threshold).fit(data.X, data.y).trace_
    assert trace.converged
    assert len(trace) >= 2
    assert np.all(np.diff(trace.objective) >= -1e-9)


def test_single_steps_are_exact_maxima():
    """Every change of one precision gains what it promised, and no other value of it gains more."""
    from suffice.linear._solvers import tableau as search

    table, _, target = sparse_table(7, n=40, d=12, correlated=0.5)
    A = table - table.mean(axis=0)
    A, z = A / np.linalg.norm(A, axis=0), target - target.mean()
    p = search.TableauProblem(A, z / np.linalg.norm(z), 0.0, 39.0, None, 1e-30)
    tableau = search.Tableau(p, np.full(12, np.inf), np.zeros(12, dtype=bool))

    def height(ratios):
        return search.Tableau(p, ratios.copy(), np.zeros(12, dtype=bool)).log_evidence

    for _ in range(25):
        gain = tableau.proposals()[1]
        k, before = int(np.argmax(gain)), height(tableau.ratios)
        tableau.improve(k)
        after = height(tableau.ratios)
        assert after - before == pytest.approx(gain[k], rel=1e-7, abs=1e-10)
        for factor in (0.9, 1.1, np.inf):
            other = tableau.ratios.copy()
            other[k] *= factor
            assert height(other) <= after + 1e-11
    fresh = search.Tableau(p, tableau.ratios.copy(), tableau.banned)
    np.testing.assert_allclose(tableau.T, fresh.T, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_support_and_weights_of_scikit_learn(seed):
    table, w, target = sparse_table(seed, n=2000, d=30)
    table, target = table - table.mean(axis=0), target - target.mean()  # theirs counts N rows, not N − 1
    ours = ARDRegression(fit_intercept=False).fit(table, target)
    options = dict.fromkeys(("alpha_1", "alpha_2", "lambda_1", "lambda_2"), 0.0)
    theirs = SklearnARD(fit_intercept=False, tol=1e-9, max_iter=5000, **options).fit(table, target)
    assert np.array_equal(ours.coef_ != 0, theirs.coef_ != 0)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6, atol=1e-8)
    assert ours.noise_precision_ == pytest.approx(theirs.alpha_, rel=1e-8)
    assert np.all(ours.coef_[w != 0] != 0)
    assert np.mean(ours.coef_[w == 0] != 0) < 0.5


def test_pruned_weights_are_zero_and_the_rest_is_told():
    table, _, target = sparse_table(1, n=500)
    model = ARDRegression().fit(table, target)
    off = np.isinf(model.prior_precisions_)
    assert off.any()
    assert np.all(model.coef_[off] == 0)
    assert np.all(model.relevance_[off] == 0)
    assert np.all((model.relevance_[~off] > 0) & (model.relevance_[~off] <= 1))
    assert model.effective_parameters_ == pytest.approx(model.relevance_.sum() + 1)
    assert model.prior_precisions_[~off].max() <= model.threshold_lambda
    assert np.all(model.posterior_.var[1:][off] == 0)


def test_relevance_vectors_are_some_of_the_rows():
    data = sinusoid(80, 0.2, random_state=3)
    model = ARDRegression(basis=GaussianBasis(data.X, width=0.15)).fit(data.X, data.y)
    vectors = model.relevance_vectors_
    assert 2 <= len(vectors) <= 12
    assert np.isin(vectors[:, 0], data.X[:, 0]).all()
    assert len(vectors) == np.sum(model.coef_ != 0)
    truth = np.sin(2 * np.pi * data.X[:, 0])
    assert np.sqrt(np.mean((model.predict(data.X) - truth) ** 2)) < 0.1
    plain = ARDRegression().fit(X, y)
    with pytest.raises(AttributeError, match="centres of a GaussianBasis"):
        _ = plain.relevance_vectors_
    assert "relevance_vectors_" not in plain._repr_html_()


def test_a_target_of_zeros_needs_no_column():
    model = ARDRegression(noise_precision=4.0, fit_intercept=False).fit(X, np.zeros(N))
    np.testing.assert_array_equal(model.coef_, 0.0)


def test_duplicated_constant_and_too_many_columns():
    table = np.column_stack([X, X[:, 0], np.full(N, 7.0)])
    model = ARDRegression().fit(table, y)
    plain = ARDRegression().fit(X, y)
    np.testing.assert_allclose(model.predict(table), plain.predict(X), rtol=1e-9)
    assert model.coef_[3] == model.coef_[4] == 0


def test_more_columns_than_rows():
    r = np.random.default_rng(0)
    wide = r.standard_normal((40, 100))
    target = 3 * wide[:, 5] - 2 * wide[:, 60] + 0.3 * r.standard_normal(40)
    found = ARDRegression(noise_precision=1 / 0.09).fit(wide, target)
    assert {5, 60} <= set(np.flatnonzero(found.coef_))
    assert np.sum(found.coef_ != 0) < 20
    with pytest.warns(AtBound, match="no noise"):
        free = ARDRegression().fit(wide, target)
    sparse = ARDRegression().fit(wide[:, [5, 60]], target)
    assert (
        free.log_evidence_ > sparse.log_evidence_
    )  # a nearly exact fit is more probable: no fault of the search


def test_the_threshold_is_in_units_of_the_noise_and_speaks_up_where_it_costs_evidence():
    """Two weights of prior standard deviation 0.3 and 0.05 beside noise of 1, seen in 20,000 rows."""
    r = np.random.default_rng(5)
    table = r.standard_normal((20_000, 3))
    target = 0.3 * table[:, 0] + 0.05 * table[:, 1] + r.standard_normal(len(table))
    assert np.array_equal(ARDRegression().fit(table, target).coef_ != 0, [True, True, False])
    for unit in (1e-4, 1.0, 1e5):
        with pytest.warns(
            AtBound, match="threshold_lambda = 100 pruned weights .* log evidence by 21\\.7"
        ) as seen:
            model = ARDRegression(threshold_lambda=100.0).fit(table * unit, target / unit)
        assert len(seen) == 1
        assert np.array_equal(model.coef_ != 0, [True, False, False])


@pytest.mark.parametrize("scale", [1e-100, 1e100])
@pytest.mark.parametrize("threshold", [1e4, np.inf])
def test_units_only_rescale_the_precisions(scale, threshold):
    plain = ARDRegression(threshold_lambda=threshold).fit(X, y)
    inputs = ARDRegression(threshold_lambda=threshold).fit(X * scale, y)
    targets = ARDRegression(threshold_lambda=threshold).fit(X, y * scale)
    np.testing.assert_allclose(inputs.predict(NEW * scale), plain.predict(NEW), rtol=1e-8)
    np.testing.assert_allclose(targets.predict(NEW) / scale, plain.predict(NEW), rtol=1e-8)
    assert inputs.noise_precision_ == pytest.approx(plain.noise_precision_, rel=1e-8)


@given(
    st.integers(0, 50),
    st.floats(-6, 9),
    st.sampled_from([1e-3, 1.0, 1e3]),
    st.sampled_from([2, 3]),
    st.booleans(),
    st.sampled_from(["flat", "prior"]),
)
def test_a_constant_and_a_shifted_copy_add_no_weights_that_cancel(
    seed, shift, unit, degree, standardize, intercept
):
    """Products with a constant column are copies; what rounding leaves of them is not a column."""
    r = np.random.default_rng(seed)
    u, c = r.standard_normal(100), 10.0**shift
    table = np.column_stack([u * unit, np.full(100, c), u * unit + c])
    target = 1 + 2 * u + u**2 + 0.3 * r.standard_normal(100)
    basis = Polynomial(degree, interactions=True)
    model = ARDRegression(basis=basis, standardize=standardize, intercept=intercept).fit(table, target)
    terms = np.abs(model.coef_) * np.abs(basis(table)).max(axis=0)
    assert terms.max() < 1e4 * max(1.0, (c / unit) ** degree)
    assert np.std(model.predict(table) - target) < 0.5


def test_a_power_whose_precision_is_no_number_is_refused():
    with pytest.raises(
        InvalidInput, match=r"Column 'x0\^2' has numbers of the order 1e-159, whose squares vanish"
    ):
        ARDRegression(basis=Polynomial(2)).fit(X * 1e-80, y)


@pytest.mark.filterwarnings("ignore::suffice._core.errors.AtBound")
def test_limits_are_told():
    rng = np.random.default_rng(
        0
    )  # columns that nearly repeat each other keep changing each other's precisions
    table = rng.standard_normal((60, 1)) + 0.1 * rng.standard_normal((60, 6))
    target = table @ rng.standard_normal(6) + 0.1 * rng.standard_normal(60)
    with pytest.warns(NotConverged, match="max_iter = 1 changes per column"):
        ARDRegression(max_iter=1, threshold_lambda=np.inf).fit(table, target)
    with pytest.raises(InvalidInput, match="nothing is left to find a precision from"):
        ARDRegression().fit(X[:1], y[:1])


def test_exact_targets_are_told():
    with pytest.warns(AtBound, match="no noise"):
        model = ARDRegression().fit(X, 1 + 2 * X[:, 0])
    np.testing.assert_allclose(model.predict(X), 1 + 2 * X[:, 0], rtol=1e-7)


def test_precisions_are_found_anew_in_each_fold():
    table, _, target = sparse_table(0)
    fast = cross_validate(ARDRegression(), table, target, cv=KFold(5))
    assert fast.how == "statistics"
    for k, (train, test) in enumerate(KFold(5).split(table)):
        slow = ARDRegression().fit(table[train], target[train])
        loss = np.mean((target[test] - slow.predict(table[test])) ** 2)
        assert fast.fold_losses[k] == pytest.approx(loss, rel=1e-8)


# -- averages over models -------------------------------------------------------------------------------------
DATA = sinusoid_10()


def orders(*degrees: int) -> dict[str, BayesianLinearRegression]:
    return {
        f"order {m}": BayesianLinearRegression(5e-3, noise_precision=11.1, basis=Polynomial(m))
        for m in degrees
    }


def test_average_is_the_mixture_of_its_models():
    """Mean and variance by the laws of total expectation and variance; the density is a sum of densities."""
    prior = [0.2, 0.3, 0.5]
    average = bayesian_model_average(orders(1, 3, 9), DATA.X, DATA.y, prior=prior)
    x = np.linspace(0, 1, 7)[:, None]
    parts = [m.predict_dist(x) for m in average.models]
    d, w = average.predict_dist(x), average.weights[:, None]
    assert isinstance(d, MixtureDistribution)
    means, variances = np.array([p.mean for p in parts]), np.array([p.var for p in parts])
    np.testing.assert_allclose(d.mean, np.sum(w * means, axis=0), rtol=1e-12)
    total = np.sum(w * variances, axis=0) + np.sum(w * (means - d.mean) ** 2, axis=0)
    np.testing.assert_allclose(d.var, total, rtol=1e-12)
    np.testing.assert_allclose(average.predict(x), d.mean, rtol=1e-12)
    density = np.sum(w * np.exp([p.log_prob(0.3) for p in parts]), axis=0)
    np.testing.assert_allclose(np.exp(d.log_prob(0.3)), density, rtol=1e-12)


def test_weights_are_those_of_compare_evidence():
    fitted = {name: model.fit(DATA.X, DATA.y) for name, model in orders(0, 1, 3, 9).items()}
    prior = {"order 0": 1, "order 1": 2, "order 3": 3, "order 9": 4}
    average, compared = bayesian_model_average(fitted, prior=prior), compare_evidence(fitted, prior=prior)
    np.testing.assert_allclose(average.weights, compared.probabilities, rtol=1e-14)
    np.testing.assert_allclose(average.log_evidences, compared.log_evidences, rtol=1e-14)
    joint = np.array([1, 2, 3, 4]) * np.exp(average.log_evidences)
    np.testing.assert_allclose(average.weights, joint / joint.sum(), rtol=1e-12)
    assert average.weights.sum() == pytest.approx(1, rel=1e-14)
    assert average.best == "order 3"
    assert list(average.frame()["model"]) == list(fitted)
    assert repr(average).startswith("<ModelAverage of 4 models: order 3: 0.")
    assert "order 9" in average._repr_html_()


def test_two_sure_models_that_disagree_have_two_modes():
    """PRML §3.4: not a blend at the midpoint (claim 20)."""
    table, target = np.array([[0.0], [0.0]]), np.array([0.0, 0.0])
    made = {
        name: BayesianLinearRegression(
            1e4, noise_precision=100.0, prior_mean=[0.0, slope], intercept="prior"
        ).fit(table, target)
        for name, slope in (("up", 1.0), ("down", -1.0))
    }
    average = bayesian_model_average(made)
    np.testing.assert_allclose(average.weights, 0.5, rtol=1e-12)
    d = average.predict_dist([[1.0]])
    assert d.mean[0] == pytest.approx(0.0, abs=1e-12)
    assert d.log_prob(0.0)[0] < d.log_prob(1.0)[0] - 10
    assert d.log_prob(0.0)[0] < d.log_prob(-1.0)[0] - 10


def test_families_mix():
    pipe = make_pipeline(StandardScaler(), ConjugateLinearRegression())
    made = [ConjugateLinearRegression(), ARDRegression(), BayesianLinearRegression(), pipe]
    average = bayesian_model_average(made, X, y)
    assert average.names == ("model 0", "model 1", "model 2", "model 3")
    d = average.predict_dist(NEW)
    np.testing.assert_allclose(d.mean, average.predict(NEW), rtol=1e-12)
    both = bayesian_model_average(made[:2], X, np.column_stack([y, -y]))
    assert both.predict_dist(NEW).mean.shape == (5, 2)


@pytest.mark.parametrize(
    ("models", "error", "message"),
    [
        ([], InvalidInput, "two or more fitted models"),
        ("order 3", InvalidInput, "by name or in a list"),
        ({"a": Ridge(), "b": Ridge()}, Unsupported, "has no log_evidence_"),
        (
            [ConjugateLinearRegression(), ConjugateLinearRegression(intercept="prior")],
            InvalidInput,
            "treat the intercept differently",
        ),
    ],
)
def test_what_cannot_be_averaged(models, error, message):
    with pytest.raises(error, match=message):
        bayesian_model_average(models, X, y)


def test_averages_need_the_same_rows_and_a_sensible_prior():
    a, b = ConjugateLinearRegression().fit(X, y), ConjugateLinearRegression().fit(X[1:], y[1:])
    with pytest.raises(HeaderMismatch, match="different targets"):
        bayesian_model_average([a, b])
    with pytest.raises(InvalidParameter, match="prior must be 2 numbers"):
        bayesian_model_average([a, a], prior=[1.0, -1.0])
    with pytest.raises(InvalidInput, match="X and y must be given together"):
        bayesian_model_average([a, a], X)
