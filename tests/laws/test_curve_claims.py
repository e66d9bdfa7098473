"""What Herbst's chapter 1 and DTU's chapters 8 and 14 claim about curves and penalties.

Numbers in brackets name the claim: H = Herbst & du Preez, D = DTU notes (D6 to D8 those of chapters 12–21).
Simulations have derived tolerances.
"""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, kstest
from sklearn.linear_model import LogisticRegression as ForeignLogistic

from suffice._core.errors import RankDeficient
from suffice.baselines import MedianRegressor
from suffice.bases import Polynomial
from suffice.datasets import noisy_line, sinusoid
from suffice.distributions import Normal, StudentT, decision
from suffice.evaluation import bias_variance, occam, select_features
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge

SEEDS = st.integers(0, 2**31)
FEW = st.integers(3, 9)


def squared(truth, point):
    return (truth - point) ** 2


def sine(X):
    return np.sin(2 * np.pi * X[:, 0])


def mean_square(model, data):
    return float(np.mean((data.y - model.predict(data.X)) ** 2))


# -- the generators of the texts ----------------------------------------------------------------------
def test_the_noisy_sine_is_a_sine_with_noise():  # gen-sin
    data = sinusoid(20_000, 0.3, random_state=5)
    noise = data.y - sine(data.X)
    assert kstest(data.X[:, 0], "uniform").pvalue > 1e-3
    assert kstest(noise / 0.3, "norm").pvalue > 1e-3
    assert abs(np.corrcoef(data.X[:, 0], noise)[0, 1]) < 5 / np.sqrt(20_000)


@pytest.mark.parametrize("precision", [0.5, 2.0])  # H-20, E11: as printed and as Bishop has it
def test_the_line_of_the_example_is_found_again(precision):
    data = noisy_line(500, -0.3, 0.5, 0.2, -1, 1, random_state=3)
    model = BayesianLinearRegression(precision, noise_precision=25.0, intercept="prior").fit(data.X, data.y)
    off = model.posterior_.mean - [-0.3, 0.5]
    assert np.all(np.abs(off) < 4 * np.sqrt(np.diag(model.posterior_.cov)))
    assert (
        np.sqrt(np.diag(model.posterior_.cov)).max() < 0.02
    )  # 0.2/√500 for the mean, √3 times that for the slope


# -- orders -------------------------------------------------------------------------------------------
@given(SEEDS, FEW, st.integers(0, 3))
def test_enough_powers_pass_through_every_point(seed, n, more):  # H2: M ≥ N − 1
    rng = np.random.default_rng(seed)
    x = (np.arange(n) + 0.5 * rng.random(n))[:, None] / n
    y = rng.standard_normal(n)
    with pytest.warns(RankDeficient, match="cannot determine") if more else nullcontext():
        model = LinearRegression(basis=Polynomial(n - 1 + more)).fit(x, y)
    np.testing.assert_allclose(model.predict(x), y, rtol=0, atol=1e-6)


@pytest.mark.slow
def test_order_six_on_nine_points_fits_better_and_predicts_worse():  # D32
    sets, worse, training = 200, 0, []
    for seed in range(sets):
        train, test = sinusoid(9, 0.3, "grid", seed), sinusoid(10, 0.3, random_state=seed + 10_000)
        fits = [LinearRegression(basis=Polynomial(k)).fit(train.X, train.y) for k in range(1, 7)]
        training.append([mean_square(f, train) for f in fits])
        worse += mean_square(fits[5], test) > mean_square(fits[2], test)
    assert np.all(np.diff(training, axis=1) <= 1e-12)
    assert worse > binom.ppf(0.9999, sets, 0.5)  # not the toss of a coin


@pytest.mark.slow
def test_a_penalty_tames_order_nine():  # H1: "improved dramatically"
    x, ratios = np.linspace(0, 1, 101)[:, None], []
    for seed in range(60):
        data = sinusoid(10, 0.3, random_state=seed)
        wild = LinearRegression(basis=Polynomial(9)).fit(data.X, data.y)
        tame = Ridge.book(np.exp(-10.0), "herbst", basis=Polynomial(9)).fit(data.X, data.y)
        assert np.linalg.norm(tame.coef_) < 0.05 * np.linalg.norm(wild.coef_)
        ratios.append(np.mean((wild.predict(x) - sine(x)) ** 2) / np.mean((tame.predict(x) - sine(x)) ** 2))
    assert np.median(ratios) > 10


# -- penalties ----------------------------------------------------------------------------------------
@given(SEEDS)
def test_shrinking_includes_the_constant_where_the_text_penalizes_it(seed):  # H §1.1, D6
    data = sinusoid(12, 0.3, random_state=seed)
    fits = [Ridge.book(v, "herbst", basis=Polynomial(5)).fit(data.X, data.y) for v in (1e-6, 1e-3, 1.0, 1e3)]
    sizes = [np.hypot(f.intercept_, np.linalg.norm(f.coef_)) for f in fits]
    assert np.all(np.diff(sizes) < 0)
    assert np.all(np.diff([f.noise_variance_ml_ for f in fits]) > 0)
    without, free = (
        Ridge.book(1e12, text, basis=Polynomial(5)).fit(data.X, data.y) for text in ("herbst", "dtu")
    )
    assert abs(without.intercept_) < 1e-9
    assert free.intercept_ == pytest.approx(data.y.mean(), rel=1e-6)


@given(SEEDS, st.integers(2, 6), st.integers(0, 4))
def test_a_vanishing_penalty_is_the_shortest_solution(seed, n, more):  # D §14.1: N ≤ M
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((n, n + more)), rng.standard_normal(n)
    with pytest.warns(RankDeficient, match="cannot determine"):
        least = LinearRegression().fit(X, y)
    np.testing.assert_allclose(least.predict(X), y, rtol=0, atol=1e-8)  # a perfect fit, by many weights
    shortest = np.linalg.pinv(X - X.mean(axis=0)) @ (y - y.mean())
    size = np.linalg.norm(shortest)
    np.testing.assert_allclose(least.coef_, shortest, rtol=0, atol=1e-7 * size)
    assert np.linalg.norm(Ridge(1e-9).fit(X, y).coef_) <= size * (1 + 1e-9)
    assert np.linalg.norm(Ridge(1.0).fit(X, y).coef_) < size


def test_a_constant_column_gets_no_weight():  # D §14.1: its spread is zero, which the text leaves open
    rng = np.random.default_rng(1)
    X, y = np.column_stack([rng.random(20), np.full(20, 7.0)]), rng.random(20)
    for lam in (0.0, 1e-3, 10.0):
        alone = Ridge.book(lam, "dtu").fit(X[:, :1], y)
        with pytest.warns(RankDeficient, match="'x1' do not vary") if lam == 0 else nullcontext():
            model = Ridge.book(lam, "dtu").fit(X, y)
        assert model.coef_[1] == 0
        np.testing.assert_allclose(model.predict(X), alone.predict(X[:, :1]), rtol=1e-12)


@pytest.mark.slow
def test_test_error_is_smallest_between_no_penalty_and_too_much():  # D6, Fig. 14.3
    penalties = [1e-8, 1e-6, 1e-4, 1e-2, 1.0, 100.0]
    test = sinusoid(2_000, 0.3, random_state=99)
    errors = np.array(
        [
            [mean_square(Ridge.book(v, "dtu", basis=Polynomial(6)).fit(t.X, t.y), test) for v in penalties]
            for t in (sinusoid(9, 0.3, "grid", seed) for seed in range(120))
        ]
    )
    logs = np.log(errors)
    best = int(np.argmin(logs.mean(axis=0)))
    assert penalties[best] in (1e-4, 1e-2)  # the text's example has its valley near 1e−2
    for end in (0, -1):
        gap = logs[:, end] - logs[:, best]
        assert gap.mean() > 5 * gap.std(ddof=1) / np.sqrt(len(gap))


# -- bias and variance --------------------------------------------------------------------------------
def linear_map(penalty, X, at):
    """The matrix that turns targets at X into predictions at some points: a fit to every unit target."""
    return Ridge.book(penalty, "dtu", basis=Polynomial(6)).fit(X, np.eye(len(X))).predict(at)


def test_a_penalty_buys_variance_with_bias():  # quiz 14.1 A, D8; exact, by the linear map
    X, at = np.linspace(0, 1, 12)[:, None], np.linspace(0.02, 0.98, 60)[:, None]
    maps = [linear_map(v, X, at) for v in (0.0, 1e-4, 1e-2, 1.0, 100.0)]
    variance = np.array([0.09 * np.mean(np.sum(H**2, axis=1)) for H in maps])
    bias = np.array([np.mean((H @ sine(X) - sine(at)) ** 2) for H in maps])
    assert np.all(np.diff(variance) < 0)
    assert np.all(np.diff(bias) > 0)
    assert 0 < np.argmin(variance + bias) < 4
    assert variance[1] < 0.8 * variance[0]
    assert bias[1] < 0.1 * (variance[0] - variance[1])  # "without introducing too much bias"


@pytest.mark.long_for("0.05")
@pytest.mark.slow
@pytest.mark.parametrize("penalty", [1e-6, 0.05])
def test_simulated_bias_and_variance_are_those_of_the_linear_map(penalty):  # D8, eqs 14.6–14.9
    X, at, sets = np.linspace(0, 1, 12)[:, None], np.linspace(0.02, 0.98, 60)[:, None], 600
    model = Ridge.book(penalty, "dtu", basis=Polynomial(6))

    def simulate(rng):
        return X, sine(X) + 0.3 * rng.standard_normal(len(X))

    parts = bias_variance(model, simulate, sine, n_sets=sets, test=at, noise=0.09, random_state=0)
    H = linear_map(penalty, X, at)
    cov = 0.09 * H @ H.T / len(at)  # its trace is the mean variance; the trace of its square gives the error
    error = np.sqrt(2 * np.sum(cov**2) / sets)
    assert abs(parts.variance - np.trace(cov)) < 5 * error
    bias = H @ sine(X) - sine(at)
    spread = np.sqrt(4 * bias @ cov @ bias / len(at) / sets) + np.trace(cov) / sets
    assert abs(parts.bias2 - np.mean(bias**2)) < 5 * spread
    assert parts.error == pytest.approx(parts.noise + parts.bias2 + parts.variance, rel=1e-12)


# -- the rest of quiz 14.1 ----------------------------------------------------------------------------
def test_residuals_show_the_missing_transformation():  # quiz 14.1 C
    rng = np.random.default_rng(4)
    X = rng.uniform(-1, 1, (300, 2))
    y = X[:, 0] + 2 * X[:, 1] ** 2 + 0.1 * rng.standard_normal(300)
    line, curve = (LinearRegression(basis=b).fit(X, y) for b in (None, Polynomial(2)))

    def seen(model):
        residual = y - model.predict(X)
        return np.array([np.corrcoef(residual, c)[0, 1] for c in np.column_stack([X, X**2]).T])

    assert np.all(np.abs(seen(line)[:2]) < 1e-10)  # nothing left that is linear
    assert seen(line)[3] > 0.95
    assert abs(seen(line)[2]) < 5 / np.sqrt(300)
    assert np.all(np.abs(seen(curve)) < 1e-10)


def test_forward_selection_serves_both_tasks():  # quiz 14.1 D
    rng = np.random.default_rng(6)
    X = rng.standard_normal((150, 4))
    y = 3 * X[:, 2] + 0.3 * rng.standard_normal(150)
    for model, target in ((LinearRegression(), y), (ForeignLogistic(), (y > 0).astype(int))):
        found = select_features(model, X, target, direction="forward", cv=5, n_features=1)
        assert list(found.selected) == [2]


# -- losses, evidence ---------------------------------------------------------------------------------
@pytest.mark.parametrize("model", [LinearRegression(), BayesianLinearRegression(), Ridge(0.3)], ids=repr)
def test_the_mean_is_the_best_point_for_squared_loss(model):  # H §1.5.5
    data = sinusoid(15, 0.3, random_state=2)
    x = np.array([[0.1], [0.8]])
    d = model.fit(data.X, data.y).predict_dist(x)
    for i, guess in enumerate(model.predict(x)):
        one = (
            StudentT(d.dof[i], d.loc[i], d.scale[i])
            if isinstance(d, StudentT)
            else Normal(d.mean[i], d.std[i])
        )
        assert decision.optimal_point(one, squared) == pytest.approx(guess, rel=1e-6)


@given(SEEDS, FEW)
def test_the_median_is_the_best_constant_for_absolute_loss(seed, n):  # H §1.5.5
    y = np.random.default_rng(seed).standard_normal(n)
    X = np.zeros((n, 1))
    guess = MedianRegressor().fit(X, y).predict(X)[0]
    losses = [np.abs(y - c).sum() for c in y]  # the smallest is at one of the rows
    assert np.abs(y - guess).sum() == pytest.approx(min(losses), rel=1e-12)


@given(SEEDS, st.integers(0, 6), st.floats(1e-4, 1e3), st.floats(0.1, 100))
def test_freedom_never_comes_free(seed, order, alpha, beta):  # H19: the Occam term is negative
    data = sinusoid(10, 0.3, random_state=seed)
    model = BayesianLinearRegression(
        alpha, noise_precision=beta, basis=Polynomial(order), intercept="prior"
    ).fit(data.X, data.y)
    terms = occam(model)
    assert terms.log_factor < 0
    assert terms.log_likelihood + terms.log_factor == pytest.approx(model.log_evidence_, rel=1e-12)
