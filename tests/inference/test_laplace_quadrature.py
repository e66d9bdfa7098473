"""Laplace's approximation and quadrature against exact integrals."""

import numpy as np
import pytest
from scipy import integrate
from scipy.special import betaln, expit, gammaln

from suffice._core.errors import InvalidParameter, NotConverged, NotPositiveDefinite, Unsupported
from suffice.distributions import MultivariateNormal, Normal
from suffice.inference import laplace, normal_expectation, quadrature
from suffice.likelihoods import BernoulliLogit, PoissonLog

rng = np.random.default_rng(1)


def gaussian(mean, precision, height):
    def log_density(x):
        return float(height - 0.5 * (x - mean) @ precision @ (x - mean))

    return log_density


@pytest.mark.parametrize("d", [1, 2, 3])
def test_both_are_exact_for_a_normal_density(d):
    root = rng.standard_normal((d, d)) + 2 * np.eye(d)
    mean, precision = rng.standard_normal(d), root @ root.T
    f = gaussian(mean, precision, 1.5)
    exact = 1.5 + 0.5 * d * np.log(2 * np.pi) - 0.5 * np.linalg.slogdet(precision)[1]
    near, sum_ = laplace(f, np.zeros(d)), quadrature(f, np.zeros(d))
    assert near.log_normalizer == pytest.approx(exact, rel=1e-7)
    assert sum_.log_normalizer == pytest.approx(exact, abs=1e-9)
    np.testing.assert_allclose(near.cov, np.linalg.inv(precision), rtol=1e-5)
    np.testing.assert_allclose(sum_.mean, mean, rtol=0, atol=1e-8)
    np.testing.assert_allclose(sum_.cov, np.linalg.inv(precision), rtol=1e-7, atol=1e-10)
    assert isinstance(near.distribution, Normal if d == 1 else MultivariateNormal)


@pytest.mark.parametrize(("shape", "rate"), [(20.0, 0.5), (2.0, 3.0), (1.5, 0.1)])
def test_the_texts_gamma(shape, rate):
    """FCML §4.4.1: mean (α − 1)/β and variance (α − 1)/β²."""

    def f(y):
        return (shape - 1) * np.log(y[0]) - rate * y[0] if y[0] > 0 else -np.inf

    found = laplace(
        f, [shape / rate], lambda y: (shape - 1) / y - rate, lambda y: np.diag(-(shape - 1) / y**2)
    )
    assert found.mode[0] == pytest.approx((shape - 1) / rate, rel=1e-6)
    assert found.cov[0, 0] == pytest.approx((shape - 1) / rate**2, rel=1e-5)
    error = found.log_normalizer - (gammaln(shape) - shape * np.log(rate))
    stirling = -1 / (12 * (shape - 1))  # the next term of the series for log Γ
    assert error == pytest.approx(stirling, rel=0.1)


@pytest.mark.parametrize(("y", "n", "a", "b"), [(6, 10, 1.0, 1.0), (2, 30, 3.0, 2.0)])
def test_the_texts_beta(y, n, a, b):
    """FCML EX 4.2, 4.3: r̂ = (y + α − 1)/(N + α + β − 2), variance r̂ (1 − r̂)/(N + α + β − 2)."""

    def f(r):
        return (y + a - 1) * np.log(r[0]) + (n - y + b - 1) * np.log1p(-r[0]) if 0 < r[0] < 1 else -np.inf

    found, total = laplace(f, [0.5]), n + a + b - 2
    r = (y + a - 1) / total
    assert found.mode[0] == pytest.approx(r, rel=1e-6)
    assert found.cov[0, 0] == pytest.approx(r * (1 - r) / total, rel=1e-5)
    assert found.log_normalizer == pytest.approx(betaln(y + a, n - y + b), abs=0.1)


LOGIT, X = BernoulliLogit(), rng.standard_normal((25, 2))
Y = (X @ [1.5, -1.0] + rng.logistic(size=25) > 0).astype(float)


def logistic(W):
    W = np.atleast_2d(W)
    return np.array([LOGIT.log_prob(Y, X @ w).sum() - 0.5 * w @ w - np.log(2 * np.pi) for w in W])


@pytest.mark.slow
def test_the_evidence_of_logistic_regression_in_two_dimensions():
    found = quadrature(
        logistic, [0.0, 0.0], around=laplace(lambda w: logistic(w)[0], [0.0, 0.0]), vectorized=True
    )
    exact, _ = integrate.dblquad(
        lambda v, u: np.exp(logistic([u, v])[0]), -9, 9, -9, 9, epsabs=1e-14, epsrel=1e-11
    )
    assert found.log_normalizer == pytest.approx(np.log(exact), abs=1e-9)
    assert found.error <= 1e-10
    chance = found.expectation(lambda w: expit(X[0] @ w))
    direct, _ = integrate.dblquad(
        lambda v, u: expit(X[0] @ [u, v]) * np.exp(logistic([u, v])[0]),
        -9,
        9,
        -9,
        9,
        epsabs=1e-14,
        epsrel=1e-11,
    )
    assert chance == pytest.approx(direct / exact, rel=1e-9)
    assert found.weights.sum() == pytest.approx(1.0, rel=1e-13)


def test_a_skewed_density_is_reached_on_both_sides():
    counts = PoissonLog()
    y = np.array([0.0, 0.0, 1.0])

    def f(w):
        return float(counts.log_prob(y, np.repeat(w, 3)).sum() - 0.5 * (w[0] / 5) ** 2)

    found = quadrature(f, [0.0])
    exact, _ = integrate.quad(lambda w: np.exp(f(np.array([w]))), -60, 10, epsabs=0, epsrel=1e-12, limit=400)
    assert found.log_normalizer == pytest.approx(np.log(exact), abs=1e-9)
    assert laplace(f, [0.0]).log_normalizer != pytest.approx(np.log(exact), abs=1e-3)


def test_heavy_tails_and_edges_are_reported():
    with pytest.warns(NotConverged):
        quadrature(lambda x: -np.log1p(x[0] ** 2), [0.3])
    with pytest.warns(NotConverged, match="has an edge"):
        quadrature(lambda x: -(x[0] ** 2) if x[0] > -0.21 else -np.inf, [0.3])


def test_what_has_no_mode_or_too_many_dimensions():
    with pytest.raises(NotPositiveDefinite, match="does not curve down in every direction"):
        laplace(
            lambda x: -(x[0] ** 2),
            [1.0, 1.0],
            lambda x: np.array([-2 * x[0], 0.0]),
            lambda x: np.diag([-2.0, 0.0]),
        )
    with pytest.raises(Unsupported, match="A grid in 4 dimensions"):
        quadrature(lambda x: -float(x @ x), np.ones(4))
    with pytest.raises(InvalidParameter, match="none that is NaN"):
        quadrature(lambda x: np.full(len(x), np.nan), [0.0], around=laplace(lambda x: -float(x @ x), [1.0]),
                   vectorized=True)  # fmt: skip


@pytest.mark.parametrize("std", [0.1, 1.0, 3.0])
def test_expectations_under_a_normal(std):
    m = np.array([-2.0, 0.0, 5.0])
    np.testing.assert_allclose(normal_expectation(lambda a: a**2, m, std), m**2 + std**2, rtol=1e-12)
    exact = [
        integrate.quad(
            lambda a, c=c: expit(a) * Normal(c, std).prob(a), c - 12 * std, c + 12 * std, epsrel=1e-12
        )[0]
        for c in m
    ]
    np.testing.assert_allclose(normal_expectation(expit, m, std), exact, rtol=1e-6)
    with pytest.raises(InvalidParameter, match="n must be an integer >= 1"):
        normal_expectation(expit, 0.0, 1.0, n=0)
