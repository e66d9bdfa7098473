"""Weights over many experiments against theory (FCML §2.9–2.10); tolerances are Monte Carlo errors."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.bases import Polynomial
from suffice.evaluation import repeated_experiment
from suffice.linear import LinearRegression, Ridge

x = np.linspace(0, 1, 20)
FIXED = x[:, None]


def line(rng):
    return FIXED, -2 + 3 * x + 0.5 * rng.standard_normal(20)


def test_weights_are_unbiased_and_covary_as_theory_says():
    r = repeated_experiment(line, LinearRegression(), 4000, noise_variance=0.25, random_state=0)
    Phi = np.column_stack([np.ones(20), x])
    theory = 0.25 * np.linalg.inv(Phi.T @ Phi)
    np.testing.assert_allclose(r.theory_covariance, theory, rtol=1e-11)
    assert np.all(np.abs(r.mean - [-2, 3]) < 4 * r.std_error)
    # a sample covariance of n draws has relative error about √(2/n) = 0.022
    np.testing.assert_allclose(r.covariance, theory, rtol=0.09)
    assert r.covariance[0, 1] < 0  # steeper lines start lower


@pytest.mark.parametrize(("degree", "n"), [(1, 6), (1, 20), (3, 20), (5, 10)])
def test_the_noise_variance_is_too_small_by_one_minus_d_over_n(degree, n):
    """σ̂² is σ²χ²/N: its mean over S sets has standard error σ²√(2(N − D)/S)/N."""
    X = np.linspace(-1, 1, n)[:, None]

    def simulate(rng):
        return X, 1 + X[:, 0] + 2 * rng.standard_normal(n)

    model, sets, d = LinearRegression(basis=Polynomial(degree)), 3000, degree + 1
    r = repeated_experiment(simulate, model, sets, noise_variance=4.0, random_state=1)
    expected = 4.0 * (1 - d / n)
    assert r.theory_noise_variance == pytest.approx(expected, rel=1e-12)
    assert abs(r.noise_variance_ml.mean() - expected) < 4 * 4.0 * np.sqrt(2 * (n - d) / sets) / n


def test_one_by_one_is_all_together():
    """A copy of X forces no separate fits, but another X does."""

    def copied(rng):
        return FIXED.copy(), line(rng)[1]

    a = repeated_experiment(line, LinearRegression(), 30, noise_variance=0.25, random_state=2)
    b = repeated_experiment(copied, LinearRegression(), 30, noise_variance=0.25, random_state=2)
    np.testing.assert_array_equal(a.weights, b.weights)
    rng = np.random.default_rng(2)
    for w, stream in zip(a.weights, rng.spawn(30), strict=True):
        one = LinearRegression().fit(*line(stream))
        np.testing.assert_allclose(w, [one.intercept_, *one.coef_], rtol=1e-11)


@pytest.mark.slow
def test_inputs_that_change():
    def simulate(rng):
        X = rng.uniform(-1, 1, (15, 2))
        return X, X @ [1.0, -1.0] + rng.standard_normal(15)

    r = repeated_experiment(
        simulate, LinearRegression(fit_intercept=False), 800, noise_variance=1.0, random_state=0
    )
    assert r.term == ("x0", "x1")
    assert np.all(np.abs(r.mean - [1, -1]) < 4 * r.std_error)
    np.testing.assert_allclose(np.diagonal(r.covariance), np.diagonal(r.theory_covariance), rtol=0.25)
    assert list(r.frame().columns) == ["term", "mean", "std", "theory_std"]


def test_bad_input():
    with pytest.raises(Unsupported, match="theory is of LinearRegression; got Ridge"):
        repeated_experiment(line, Ridge(), 10, noise_variance=0.25)
    with pytest.raises(InvalidParameter, match="n must be"):
        repeated_experiment(line, LinearRegression(), 1, noise_variance=0.25)
    with pytest.raises(InvalidParameter, match="whole number"):
        repeated_experiment(line, LinearRegression(), 2.5, noise_variance=0.25)
    with pytest.raises(InvalidParameter, match="noise_variance must be"):
        repeated_experiment(line, LinearRegression(), 10, noise_variance=0)
    with pytest.raises(InvalidInput, match="data set 0 failed"):
        repeated_experiment(lambda rng: 3.0, LinearRegression(), 10, noise_variance=1)
    with pytest.raises(InvalidInput, match=r"data set 0 has shape \(3, 1\)"):
        repeated_experiment(lambda rng: (FIXED[:3], FIXED[:3]), LinearRegression(), 10, noise_variance=1)
