"""The least-mean-squares rule: its steps, its expected path, and rates that are too large."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import has_fit_parameter

from suffice._core.errors import (
    HeaderMismatch,
    InvalidInput,
    InvalidParameter,
    NotConverged,
    NumericalError,
    Unsupported,
)
from suffice.bases import Polynomial
from suffice.evaluation import cross_validate
from suffice.linear import LeastMeanSquares, LinearRegression
from suffice.linear._solvers import online
from suffice.linear._solvers.online import take_steps
from suffice.linear.least_mean_squares import passed


def draw(n=200, d=2, seed=0, noise=0.1):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, d))
    return X, 1 + X @ np.arange(1.0, d + 1) + noise * rng.standard_normal(n)


def weights(model):
    return np.append(model.intercept_, model.coef_)


def test_steps_are_those_of_the_equation():
    X, y = draw(40)
    w, errors = np.zeros(3), []
    for x, t in zip(X, y, strict=True):
        phi = np.array([1.0, *x])
        errors.append(t - w @ phi)
        w = w + 0.05 * (t - w @ phi) * phi
    model = LeastMeanSquares(0.05).fit(X, y)
    np.testing.assert_allclose(weights(model), w, rtol=1e-13)
    assert model.noise_variance_ == pytest.approx(np.mean(np.square(errors)), rel=1e-12)
    assert model.trace_.objective == pytest.approx([np.mean(np.square(errors))], rel=1e-12)


def test_a_step_is_down_the_gradient_of_the_loglikelihood_of_its_row():
    """PRML 3.13 with the factor β that its print lacks: ∂ log p / ∂w = β (t − wᵀφ) φ (erratum E10)."""
    beta, t, phi, w = 4.0, 1.3, np.array([1.0, -0.5]), np.array([0.2, 0.7])

    def log_density(w):
        return 0.5 * np.log(beta / (2 * np.pi)) - 0.5 * beta * (t - w @ phi) ** 2

    slope = [(log_density(w + e) - log_density(w - e)) / 2e-6 for e in 1e-6 * np.eye(2)]
    model = LeastMeanSquares(0.1).fit([[phi[1]]], [t])
    first = weights(model)  # from zero weights
    np.testing.assert_allclose(first, 0.1 * t * phi, rtol=1e-13)
    np.testing.assert_allclose(slope, beta * (t - w @ phi) * phi, rtol=1e-7)


@pytest.mark.parametrize("rate", ["auto", 0.05])
def test_pieces_are_one_pass(rate):
    X, y = draw(90)
    whole, pieces = LeastMeanSquares(rate, decay=0.01).fit(X, y), LeastMeanSquares(rate, decay=0.01)
    for part in np.array_split(np.arange(90), [1, 7, 50]):
        pieces.partial_fit(X[part], y[part])
    np.testing.assert_allclose(weights(pieces), weights(whole), rtol=1e-13)
    assert pieces.noise_variance_ == pytest.approx(whole.noise_variance_, rel=1e-13)
    assert pieces.stable_rate_ == pytest.approx(whole.stable_rate_, rel=1e-12)
    assert len(pieces.trace_) == 4


def test_the_expected_path():
    """E{w_k} = w* + (I − ηR)ᵏ (w₀ − w*) for independent rows: 3000 runs of 12 rows, within 4 standard errors."""
    rate, k, runs = 0.3, 12, 3000
    rng = np.random.default_rng(5)
    ends = np.empty((runs, 2))
    for i in range(runs):
        x = rng.uniform(-1, 1, k)
        t = 1 + 2 * x + 0.2 * rng.standard_normal(k)
        columns, rates = np.column_stack([np.ones(k), x]), np.full(k, rate)
        ends[i] = passed(np.zeros((2, 1)), columns, t[:, None], rates)[0][:, 0]
    R = np.diag([1.0, 1 / 3])  # E{φφᵀ} for φ = (1, x), x uniform on (−1, 1)
    best = np.array([1.0, 2.0])
    expected = best - np.linalg.matrix_power(np.eye(2) - rate * R, k) @ best
    error = ends.std(axis=0) / np.sqrt(runs)
    assert np.all(np.abs(ends.mean(axis=0) - expected) < 4 * error)
    assert abs(best[1] - expected[1]) > 10 * error[1]  # far from the end: it is the path that is seen


def test_a_decaying_rate_comes_to_rest_at_least_squares():
    X, y = draw(300)
    truth = weights(LinearRegression().fit(X, y))
    constant = LeastMeanSquares(0.5, epochs=60, shuffle=True, random_state=0).fit(X, y)
    decaying = LeastMeanSquares(0.5, decay=0.01, epochs=60, shuffle=True, random_state=0).fit(X, y)
    assert np.max(np.abs(weights(decaying) - truth)) < 3e-3
    assert np.max(np.abs(weights(decaying) - truth)) < 0.2 * np.max(np.abs(weights(constant) - truth))


def test_one_rate_decides_between_rest_and_ruin():
    """One column, no constant, φ = 1: w ← (1 − η) w + η t, which settles for η < 2 = 2/λ_max."""
    X, y = np.ones((400, 1)), np.full(400, 3.0)
    below = LeastMeanSquares(1.9, fit_intercept=False).fit(X, y)
    assert below.stable_rate_ == pytest.approx(2.0, rel=1e-13)
    assert below.coef_[0] == pytest.approx(3.0, rel=1e-12)
    with pytest.warns(
        NotConverged, match=r"learning_rate=2.1 is too large .* 2/λ_max = 2,.* 1/max‖φ‖² = 1\."
    ):
        LeastMeanSquares(2.1, fit_intercept=False).fit(X[:50], y[:50])


def test_weights_that_overflow_are_refused():
    X, y = np.ones((2000, 1)), np.full(2000, 3.0)
    with pytest.raises(NumericalError, match=r"grew without bound.* 2/λ_max = 2,"):
        LeastMeanSquares(5.0, fit_intercept=False).fit(X, y)
    with pytest.raises(NumericalError, match="squared length of a row overflows"):
        LeastMeanSquares().fit(X * 1e200, y)


def test_auto_never_diverges():
    rng = np.random.default_rng(0)
    for scale in (1e-100, 1e-3, 1.0, 1e6, 1e100):
        X = scale * rng.standard_cauchy((300, 3))
        y = X @ [1.0, 2.0, 3.0] / scale
        model = LeastMeanSquares(fit_intercept=False).fit(X, y)
        assert model.trace_.objective[-1] <= np.mean(y**2)


def test_shuffles_are_seeded_and_different():
    X, y = draw(50)
    ends = [weights(LeastMeanSquares(shuffle=True, random_state=s).fit(X, y)) for s in (1, 1, 2)]
    np.testing.assert_array_equal(ends[0], ends[1])
    assert not np.allclose(ends[0], ends[2])
    assert not np.allclose(ends[0], weights(LeastMeanSquares().fit(X, y)))


def test_errors_fall_over_epochs():
    X, y = draw(100)
    trace = LeastMeanSquares(0.05, epochs=8).fit(X, y).trace_
    assert len(trace) == 8
    assert trace.objective[-1] < 0.1 * trace.objective[0]
    assert np.all(np.diff(trace.objective[:4]) < 0)


def test_a_basis_is_used_as_the_equations_write_it():
    x = np.linspace(-1, 1, 30)
    model = LeastMeanSquares(0.1, basis=Polynomial(2)).fit(x[:, None], x**2)
    by_hand = LeastMeanSquares(0.1).fit(np.column_stack([x, x**2]), x**2)
    np.testing.assert_allclose(weights(model), weights(by_hand), rtol=1e-13)


def test_zero_rows_move_nothing():
    model = LeastMeanSquares(fit_intercept=False).fit(np.zeros((5, 2)), np.arange(5.0))
    np.testing.assert_array_equal(model.coef_, 0)
    assert model.stable_rate_ == np.inf


def test_later_rows_must_look_like_the_first():
    X, y = draw(30)
    model = LeastMeanSquares().fit(X, y)
    with pytest.raises(InvalidInput, match="1 features, but .* is expecting 2"):
        model.partial_fit(X[:, :1], y)
    with pytest.raises(HeaderMismatch, match="shapes of y"):
        model.partial_fit(X, np.column_stack([y, y]))
    with pytest.raises(InvalidParameter, match="fit_intercept was changed"):
        model.set_params(fit_intercept=False).partial_fit(X, y)
    before = weights(model)
    with pytest.raises(InvalidInput, match="X contains NaN"):
        model.set_params(fit_intercept=True).partial_fit(np.full((2, 2), np.nan), y[:2])
    np.testing.assert_array_equal(weights(model), before)


# -- standardized columns ---------------------------------------------------------------------------------
@pytest.mark.parametrize("basis", [None, Polynomial(2)], ids=["columns", "basis"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_standardized_columns_are_those_of_a_scaler_with_divisor_n(basis, fit_intercept):
    X, y = draw(60)
    X = X * [1.0, 40.0] + [3.0, 100.0]
    Phi = X if basis is None else basis(X)
    options = {
        "learning_rate": 0.02,
        "epochs": 3,
        "shuffle": True,
        "random_state": 2,
        "fit_intercept": fit_intercept,
    }
    scaler = StandardScaler().fit(Phi)
    there = LeastMeanSquares(**options).fit(scaler.transform(Phi), y)
    here = LeastMeanSquares(**options, basis=basis, standardize=True).fit(X, y)
    np.testing.assert_allclose(here.coef_, there.coef_ / scaler.scale_, rtol=1e-9)
    np.testing.assert_allclose(here.predict(X), there.predict(scaler.transform(Phi)), rtol=1e-9)
    np.testing.assert_allclose(here.predict(X), here.intercept_ + Phi @ here.coef_, rtol=1e-9)
    assert here.stable_rate_ == pytest.approx(there.stable_rate_, rel=1e-9)


def test_standardized_steps_reach_least_squares_of_years():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.uniform(1900, 2000, 200), 1e-6 * rng.standard_normal(200)])
    y = 3 + 0.1 * X[:, 0] + 2e6 * X[:, 1] + 0.1 * rng.standard_normal(200)
    model = LeastMeanSquares(0.02, decay=1e-3, epochs=30, standardize=True).fit(X, y)
    best = LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, best.coef_, rtol=1e-2)
    np.testing.assert_allclose(model.predict(X), best.predict(X), atol=0.02)
    slow = LeastMeanSquares(epochs=30).fit(X, y)
    assert np.mean((slow.predict(X) - best.predict(X)) ** 2) > 1


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_standardized_columns_may_have_any_unit(unit):
    X, y = draw(50)
    a, b = (LeastMeanSquares(0.1, standardize=True).fit(Z, y) for Z in (X, X * unit))
    np.testing.assert_allclose(b.coef_ * unit, a.coef_, rtol=1e-9)


def test_a_constant_column_has_no_weight_when_standardized():
    X, y = draw(50)
    model = LeastMeanSquares(0.1, standardize=True).fit(np.column_stack([X, np.full(50, 0.1)]), y)
    assert abs(model.coef_[2]) < 1e-12
    np.testing.assert_allclose(
        model.coef_[:2], LeastMeanSquares(0.1, standardize=True).fit(X, y).coef_, rtol=1e-12
    )


def test_later_rows_are_measured_as_the_first_were():
    X, y = draw(90)
    mean, std = X[:40].mean(axis=0), X[:40].std(axis=0)
    there = LeastMeanSquares(0.05).fit((X - mean) / std, y)
    model = LeastMeanSquares(0.05, standardize=True)
    for part in (slice(0, 40), slice(40, 41), slice(41, 90)):
        model.partial_fit(X[part], y[part])
    np.testing.assert_allclose(model.coef_, there.coef_ / std, rtol=1e-10)
    with pytest.raises(
        InvalidInput, match="standardize takes mean and standard deviation from the first rows"
    ):
        LeastMeanSquares(standardize=True).partial_fit(X[:1], y[:1])


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_weights_are_refused_in_words(method):
    X, y = draw(20)
    with pytest.raises(Unsupported, match="takes no sample_weight.*show it twice"):
        getattr(LeastMeanSquares(), method)(X, y, sample_weight=np.ones(20))
    with pytest.raises(TypeError, match=f"LeastMeanSquares.{method} got an unexpected argument 'weights'"):
        getattr(LeastMeanSquares(), method)(X, y, weights=np.ones(20))
    getattr(LeastMeanSquares(), method)(X, y, sample_weight=None)
    assert not has_fit_parameter(LeastMeanSquares(), "sample_weight")
    with pytest.raises(Unsupported, match="takes no sample_weight"):
        cross_validate(LeastMeanSquares(), X, y, sample_weight=np.ones(20))


@pytest.mark.parametrize("targets", [1, 3])
def test_compiled_steps_are_those_of_their_twin(targets):
    numba_loops = pytest.importorskip("suffice.linear._solvers._loops")
    rng = np.random.default_rng(1)
    Phi, Y = rng.standard_normal((500, 4)), rng.standard_normal((500, targets))
    rates, results = rng.uniform(0.01, 0.05, 500), []
    for steps in (numba_loops.steps, take_steps):
        W, errors = np.ones((4, targets)), np.empty_like(Y)
        steps(W, Phi, Y, rates, errors)
        results.append((W, errors))
    np.testing.assert_allclose(results[0][0], results[1][0], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(results[0][1], results[1][1], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("shuffle", [False, True])
def test_many_rows_are_compiled_with_the_same_answer(monkeypatch, shuffle):
    X, y = draw(6000)
    model = LeastMeanSquares(0.02, epochs=2, shuffle=shuffle, random_state=3, decay=1e-3)
    compiled = weights(model.fit(X, y))
    monkeypatch.setattr(online, "loops", lambda module: None)
    np.testing.assert_allclose(weights(model.fit(X, y)), compiled, rtol=1e-12)
