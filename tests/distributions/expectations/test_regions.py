"""Probabilities of regions and marginals against closed forms."""

import numpy as np
import pytest
from scipy import stats

from suffice._core.errors import InaccurateIntegral, InvalidInput, Unsupported
from suffice.distributions import (
    Dirichlet,
    MultivariateNormal,
    Normal,
    Uniform,
    central_limit,
    gamma_function,
    log_gamma,
    marginal_density,
    region_probability,
)


def test_rectangles_of_a_normal_are_scipys():
    mean, cov = np.array([0.3, -0.2]), np.array([[1.0, 0.7], [0.7, 2.0]])
    d = MultivariateNormal(mean, cov)
    for x, y in [((-1, 1), (0, 2)), ((0, np.inf), (-1, np.inf))]:
        low, high = np.array([x[0], y[0]]), np.array([x[1], y[1]])
        expected = stats.multivariate_normal(mean, cov).cdf(high, lower_limit=low)
        found = region_probability(d, x, y)
        np.testing.assert_allclose(found.value, expected, atol=2e-5)  # scipy's own error
    whole = region_probability(d, (-np.inf, np.inf), (-np.inf, np.inf))
    np.testing.assert_allclose(whole.value, 1, atol=1e-8)
    assert abs(whole.value - 1) <= whole.error + 1e-8


def test_ends_may_depend_on_x():
    def p(x, y):
        return x + y  # on the unit square

    below = region_probability(p, (0, 1), (0, lambda x: x))
    np.testing.assert_allclose(below.value, 0.5, atol=1e-12)
    half = region_probability(p, (0, 1), (0, lambda x: 1 - x))
    np.testing.assert_allclose(float(half), 1 / 3, atol=1e-12)


def test_marginals_integrate_the_other_variable_out():
    d = MultivariateNormal([1.0, 2.0], [[2.0, 0.5], [0.5, 1.0]])
    x = np.array([[-1.0, 0.0], [1.0, 3.0]])
    np.testing.assert_allclose(marginal_density(d, x), Normal(1, np.sqrt(2)).prob(x), rtol=1e-8)
    np.testing.assert_allclose(marginal_density(d, 2.0, over="x"), Normal(2, 1).prob(2.0), rtol=1e-8)


def test_what_is_no_density_of_the_plane_is_refused():
    with pytest.raises(InvalidInput, match=r"density must be over the plane; .* shape \(3,\)"):
        region_probability(Dirichlet([1, 1, 1]), (0, 1), (0, 1))
    with pytest.raises(InvalidInput, match=r"A density is not negative; p\("):
        region_probability(lambda x, y: -1.0, (0, 1), (0, 1))
    with pytest.raises(InvalidInput, match="x must be a pair of ends, the lower one first"):
        region_probability(lambda x, y: 1.0, (1, 0), (0, 1))
    with pytest.raises(InvalidInput, match="density must be a distribution or a function"):
        region_probability(3, (0, 1), (0, 1))
    with pytest.raises(InvalidInput, match="An end of y must be a number or a function of x; got 'a'"):
        region_probability(lambda x, y: 1.0, (0, 1), ("a", 1))
    with pytest.raises(InvalidInput, match="over must be 'x' or 'y'"):
        marginal_density(lambda x, y: 1.0, 0.0, over="z")
    with pytest.warns(InaccurateIntegral, match="may be off by"):
        marginal_density(lambda x, y: 1 / abs(y - 0.3), 0.0, between=(0, 1))


def test_the_gamma_function_is_the_factorial_and_its_recursion():
    n = np.arange(1, 20)
    np.testing.assert_allclose(gamma_function(n + 1), np.cumprod(n.astype(float)), rtol=1e-14)
    x = np.array([-1.5, -0.3, 0.5, 4.2, 30.0])
    np.testing.assert_allclose(gamma_function(x + 1), x * gamma_function(x), rtol=1e-13)
    np.testing.assert_allclose(np.exp(log_gamma(x[2:])), gamma_function(x[2:]), rtol=1e-12)
    with pytest.raises(InvalidInput, match="where Γ has poles; got -2"):
        gamma_function([1.0, -2.0])
    with pytest.raises(InvalidInput, match="x must be positive; got 0"):
        log_gamma(0)


def test_averages_of_unequal_variables_approach_the_sum_of_their_moments():
    parts = [Uniform(0, 1), Normal(3, 2), Uniform(-6, 0), Normal(0, 1)] * 5  # eq. 6.30: Var z = Σ σᵢ² / N²
    found = central_limit(parts, repeats=40_000, rng=0)
    np.testing.assert_allclose(found.normal.mean, np.mean([d.mean for d in parts]), rtol=1e-12)
    np.testing.assert_allclose(found.normal.var, np.sum([d.var for d in parts]) / 20**2, rtol=1e-12)
    np.testing.assert_allclose(found.averages.mean(), found.normal.mean, atol=4 * found.normal.std / 200)
    assert found.distance < 0.01
    with pytest.raises(Unsupported, match="distribution must be a univariate distribution; got 3"):
        central_limit([Normal(0, 1), 3])
    with pytest.raises(ValueError, match="n is the number of distributions, 20, or left out; got 3"):
        central_limit(parts, 3)
