"""Functions of random variables, sums, equalized images, Monte Carlo, averages and shells."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gamma

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.distributions import (
    Categorical,
    Gamma,
    GeneralizedNormal,
    MultivariateNormal,
    Normal,
    StudentT,
    ball_volume,
    central_limit,
    change_of_variables,
    expectation,
    histogram_equalize,
    inverse_cdf_sample,
    monte_carlo,
    shell_volume,
    sum_of_independent,
)
from suffice.distributions.compound.sum_of_independent import TabulatedDensity
from suffice.distributions.tables.inverse_cdf import stick

UNIT = Normal(0, 1)
UNIFORM = change_of_variables(UNIT, UNIT.cdf, UNIT.quantile, lambda y: 1 / UNIT.prob(UNIT.quantile(y)))
LOG_NORMAL = change_of_variables(Normal(0.3, 0.5), np.exp, np.log, lambda y: 1 / y)
FALLING = change_of_variables(
    StudentT(4), lambda x: -2 * x + 1, lambda y: (1 - y) / 2, lambda y: -0.5 + 0 * y
)
SUM = sum_of_independent(Normal(1, 3), Normal(2, 4))


# -- change of variables -----------------------------------------------------------------------------


def test_log_normal():
    m, s = 0.3, 0.5
    assert LOG_NORMAL.mean == pytest.approx(np.exp(m + s**2 / 2), rel=1e-13)
    assert LOG_NORMAL.var == pytest.approx(np.expm1(s**2) * np.exp(2 * m + s**2), rel=1e-12)
    assert LOG_NORMAL.mode == pytest.approx(np.exp(m - s**2), rel=1e-6)
    assert LOG_NORMAL.entropy() == pytest.approx(m + 0.5 * np.log(2 * np.pi * np.e * s**2), rel=1e-12)
    assert LOG_NORMAL.cdf([-1.0, 0.0]).tolist() == [0.0, 0.0]
    assert LOG_NORMAL.log_prob([-1.0, 0.0]).tolist() == [-np.inf, -np.inf]
    assert LOG_NORMAL.log_sf(np.exp(m + 40 * s)) == pytest.approx(Normal(m, s).log_sf(m + 40 * s), rel=1e-13)


@pytest.mark.parametrize("d", [UNIFORM, LOG_NORMAL, FALLING, SUM], ids=["uniform", "exp", "falling", "sum"])
def test_laws(d):
    p = np.array([1e-3, 0.1, 0.5, 0.9, 0.999])
    x = d.quantile(p)
    np.testing.assert_allclose(d.cdf(x), p, rtol=1e-9)
    np.testing.assert_allclose(d.cdf(x) + d.sf(x), 1, rtol=1e-12)
    np.testing.assert_allclose(np.exp(d.log_cdf(x)), d.cdf(x), rtol=1e-12)
    np.testing.assert_allclose(np.exp(d.log_sf(x)), d.sf(x), rtol=1e-12)
    assert d.between(x[0], x[-1]) == pytest.approx(0.998, rel=1e-9)
    mass = quad(d.prob, x[0], x[-1], limit=200, points=x[1:-1])[0]
    assert mass == pytest.approx(0.998, rel=1e-7)
    draws = d.sample(40_000, rng=0)
    assert abs(draws.mean() - d.mean) < 5 * d.std / 200
    inside = np.mean((draws > x[1]) & (draws < x[3]))
    assert abs(inside - 0.8) < 5 * np.sqrt(0.16 / 40_000)
    np.testing.assert_array_equal(d.rvs(3, random_state=1), d.sample(3, rng=1))
    assert d.batch_shape == ()
    assert np.isscalar(d.sample(rng=0))
    assert type(d).__name__ in d._repr_html_()
    with pytest.raises(Unsupported, match="cannot be indexed"):
        d[0]
    with pytest.raises(Unsupported, match=r"statistics of inverse|computed, not fitted"):
        d.statistics([1.0])
    with pytest.raises(Unsupported, match=r"Fit the distribution of x|computed, not fitted"):
        d.fit([1.0])


@pytest.mark.parametrize(
    ("forward", "exact"),
    [
        (np.exp, LOG_NORMAL),
        (lambda x: np.exp(-x), change_of_variables(Normal(-0.3, 0.5), np.exp, np.log, lambda y: 1 / y)),
        (lambda x: 3 * x + 1, Normal(1.9, 1.5)),
    ],
    ids=["exp", "falling", "line"],
)
def test_inverse_and_slope_may_be_left_out(forward, exact):
    d = change_of_variables(Normal(0.3, 0.5), forward)
    p = np.array([1e-6, 0.1, 0.5, 0.9, 1 - 1e-6])
    x = exact.quantile(p)
    np.testing.assert_allclose(d.quantile(p), x, rtol=1e-10)
    np.testing.assert_allclose(d.cdf(x), p, rtol=1e-9)
    np.testing.assert_allclose(d.prob(x), exact.prob(x), rtol=1e-8)
    assert d.mean == pytest.approx(exact.mean, rel=1e-10)
    assert d.mode == pytest.approx(exact.mode, rel=1e-4)


def test_an_inverse_of_a_bounded_variable_keeps_to_its_range():
    d = change_of_variables(Gamma(2.0, 1.0), np.sqrt)
    y = np.array([0.01, 0.5, 1.0, 3.0])
    np.testing.assert_allclose(d.prob(y), 2 * y * Gamma(2.0, 1.0).prob(y**2), rtol=1e-7)
    assert d.cdf(-1.0) == 0


def test_probability_integral_transform_is_uniform():
    u = np.linspace(0.001, 0.999, 50)
    np.testing.assert_allclose(UNIFORM.prob(u), 1, rtol=1e-12)
    np.testing.assert_allclose(UNIFORM.cdf(u), u, rtol=1e-12)
    assert UNIFORM.entropy() == pytest.approx(0, abs=1e-12)
    assert UNIFORM.prob(1.2) == 0
    assert (UNIFORM.mean, UNIFORM.var) == pytest.approx((1 / 2, 1 / 12), rel=1e-13)


def test_falling_functions_swap_the_tails():
    assert FALLING.cdf(-9.0) == pytest.approx(StudentT(4).sf(5.0), rel=1e-13)
    assert FALLING.quantile(0.1) == pytest.approx(1 - 2 * StudentT(4).quantile(0.9), rel=1e-13)
    assert FALLING.var == pytest.approx(4 * StudentT(4).var, rel=1e-6)  # its tail beyond 1e-16 is left out
    assert FALLING.n_parameters == 3


@pytest.mark.parametrize(
    ("forward", "inverse", "derivative", "message"),
    [
        (np.square, np.sqrt, lambda y: 0.5 / np.sqrt(y), "strictly increasing or strictly decreasing"),
        (lambda x: 0.0, np.exp, np.exp, "strictly increasing or strictly decreasing"),
        (np.exp, np.log10, lambda y: 1 / y, r"inverse\(forward\(x\)\) must be x"),
        (np.exp, np.log, np.exp, "derivative must be that of inverse"),
    ],
)
def test_functions_that_do_not_belong_together(forward, inverse, derivative, message):
    with pytest.raises(InvalidInput, match=message):
        change_of_variables(Normal(0.3, 0.5), forward, inverse, derivative)


def test_changes_need_one_density():
    with pytest.raises(Unsupported, match="must have a density"):
        change_of_variables(Categorical([0.5, 0.5]), np.exp, np.log, lambda y: 1 / y)
    with pytest.raises(InvalidInput, match="single distribution"):
        change_of_variables(Normal([0.0, 1.0], 1.0), np.exp, np.log, lambda y: 1 / y)


# -- sums ------------------------------------------------------------------------------------------


def test_a_sum_of_normals_is_normal():
    exact, x = Normal(3, 5), np.linspace(-20, 26, 93)
    np.testing.assert_allclose(SUM.prob(x), exact.prob(x), rtol=1e-6)
    np.testing.assert_allclose(SUM.cdf(x), exact.cdf(x), rtol=1e-6)
    np.testing.assert_allclose(SUM.sf(x), exact.sf(x), rtol=1e-6)
    assert (SUM.mean, SUM.std) == pytest.approx((3, 5), rel=1e-7)
    assert SUM.entropy() == pytest.approx(exact.entropy(), rel=1e-7)
    assert SUM.mode == pytest.approx(3, abs=1e-2)


def test_a_sum_of_uniforms_is_a_triangle():
    z, x = sum_of_independent(UNIFORM, UNIFORM), np.linspace(0, 2, 41)
    np.testing.assert_allclose(z.prob(x), np.minimum(x, 2 - x), atol=1e-9)
    assert z.var == pytest.approx(1 / 6, rel=1e-7)
    assert z.prob([-0.1, 2.1]).tolist() == [0, 0]
    assert (z.cdf(-1.0), z.sf(3.0), z.quantile(0.0), z.quantile(1.0)) == pytest.approx((0, 0, 0, 2), abs=1e-9)


def test_the_error_falls_with_the_square_of_the_step():
    def worst(points):
        x = np.linspace(-4, 5, 1001)
        exact = UNIT.cdf(x) - UNIT.cdf(x - 1)  # a uniform number and a normal one
        return np.max(np.abs(sum_of_independent(UNIFORM, UNIT, points=points).prob(x) - exact))

    assert worst(8192) < worst(1024) / 50


def test_a_million_away_from_zero():
    z = sum_of_independent(Normal(1e9, 1), Normal(0, 1))
    assert z.cdf(1e9) == pytest.approx(0.5, abs=1e-6)


def test_bad_sums():
    with pytest.raises(InvalidInput, match="too coarse for a: its quartiles are 2 apart"):
        sum_of_independent(StudentT(1), UNIT)
    assert sum_of_independent(StudentT(1), UNIT, tail=1e-3).quantile(0.5) == pytest.approx(0, abs=1e-3)
    with pytest.raises(Unsupported, match="b must have a density"):
        sum_of_independent(UNIT, Normal(1, 0))
    with pytest.raises(InvalidParameter, match="points must be an integer >= 16; got 3"):
        sum_of_independent(UNIT, UNIT, points=3)
    with pytest.raises(InvalidParameter, match="tail must be > 0; got 0"):
        sum_of_independent(UNIT, UNIT, tail=0)
    with pytest.raises(InvalidParameter, match=r"density must integrate to one; got 0.5"):
        TabulatedDensity([0.0, 1.0], [0.5, 0.5])
    with pytest.raises(InvalidParameter, match="equally spaced and rising"):
        TabulatedDensity([0.0, 1.0, 3.0], [0.5, 0.5, 0.5])
    with pytest.raises(InvalidParameter, match="vectors of one length"):
        TabulatedDensity([0.0, 1.0], [1.0])


# -- expectations, images, draws ------------------------------------------------------------------------


def test_expectations_by_quadrature():
    assert expectation(np.square, UNIFORM) == pytest.approx(1 / 3, rel=1e-14)
    assert expectation(np.sin, UNIFORM) == pytest.approx(1 - np.cos(1), rel=1e-13)
    assert expectation(np.exp, UNIT) == pytest.approx(np.exp(0.5), rel=1e-12)
    assert expectation(lambda x: 1.0, UNIT) == pytest.approx(1, rel=1e-15)
    die = Categorical([1 / 6, 1 / 3, 1 / 3, 1 / 6], classes=[-2, 1, 4, 10])
    assert expectation(np.square, die) == pytest.approx(23, rel=1e-13)
    assert expectation(np.square, Normal(3, 0)) == 9
    with pytest.raises(InvalidInput, match="f gave NaN at -"), np.errstate(invalid="ignore"):
        expectation(np.sqrt, UNIT)
    with pytest.raises(Unsupported, match="must be a univariate distribution"):
        expectation(np.square, MultivariateNormal([0.0], [[1.0]]))


@pytest.mark.parametrize("power", [0.3, 0.5, 1.0, 1.5])
def test_expectations_across_a_corner_of_the_density(power):
    d = GeneralizedNormal(0.0, 1.0, power)
    e = gamma(np.array([1, 2, 3]) / power)  # E |z|ᵏ = Γ((k + 1)/q)/Γ(1/q)
    assert expectation(np.abs, d) == pytest.approx(e[1] / e[0], rel=1e-11)
    assert expectation(np.square, d) == pytest.approx(e[2] / e[0], rel=1e-9)
    assert expectation(lambda x: -d.log_prob(x), d) == pytest.approx(d.entropy(), rel=1e-12)
    moved = GeneralizedNormal(3.0, 0.5, power)
    assert expectation(lambda x: np.abs(x - 3), moved) == pytest.approx(e[1] / e[0] / 2, rel=1e-11)


def test_equalized_image():
    image = np.array([[0, 1, 1], [2, 2, 2], [3, 1, 7]])
    e = histogram_equalize(image, levels=8)
    np.testing.assert_allclose(e.table, np.array([1, 4, 7, 8, 8, 8, 8, 9]) / 9, rtol=1e-15)
    np.testing.assert_array_equal(e.image, e.table[image])
    assert e.before.tolist() == [1, 3, 3, 1, 0, 0, 0, 1]
    assert sum(e.after.values()) == 9
    assert len(set(e.after.values())) > 1  # not flat: levels cannot be split
    assert e.rounded.max() == 7
    assert "Equalized" in e._repr_html_()


@pytest.mark.parametrize("image", [[[0.5]], [[-1]], [[8]], []])
def test_bad_images(image):
    with pytest.raises(InvalidInput, match="whole grey levels 0 … 7"):
        histogram_equalize(image, levels=8)
    with pytest.raises(InvalidParameter, match="levels must be an integer >= 1; got 0"):
        histogram_equalize([[0]], levels=0)


def test_stick():
    p = np.array([0.2, 0.0, 0.5, 0.3, 0.0])
    assert stick(p, [0.0, 0.19, 0.2, 0.69, 0.7, 0.9999999999999999, 1.0]).tolist() == [0, 0, 2, 2, 3, 3, 3]
    draws = inverse_cdf_sample(p, 50_000, rng=0)
    share = np.bincount(draws, minlength=5) / 50_000
    assert np.all(np.abs(share - p) <= 5 * np.sqrt(p * (1 - p) / 50_000))
    values = inverse_cdf_sample([0.5, 0.5], 10, rng=0, values=[-2, 10])
    assert set(values.tolist()) <= {-2, 10}
    with pytest.raises(InvalidInput, match="values must have one entry per probability, 2"):
        inverse_cdf_sample([0.5, 0.5], 10, values=[1])
    with pytest.raises(InvalidInput, match="probabilities must be a vector"):
        inverse_cdf_sample([[0.5, 0.5]], 10)
    with pytest.raises(InvalidParameter, match=r"probabilities must sum to one; got a sum of 0.9"):
        inverse_cdf_sample([0.5, 0.4], 10)


def test_monte_carlo():
    result = monte_carlo(np.square, UNIT, 4000, rng=0)
    draws = UNIT.sample(4000, np.random.default_rng(0)) ** 2
    assert result.estimate == pytest.approx(draws.mean(), rel=1e-13)
    assert result.standard_error == pytest.approx(draws.std(ddof=1) / np.sqrt(4000), rel=1e-12)
    k = [1, 10, 500]
    np.testing.assert_allclose(result.running[k], [draws[: i + 1].mean() for i in k], rtol=1e-12)
    errors = [draws[: i + 1].std(ddof=1) / np.sqrt(i + 1) for i in k]
    np.testing.assert_allclose(result.running_error[k], errors, rtol=1e-10)
    assert np.isnan(result.running_error[0])
    assert result.n == len(result.frame()) == 4000
    assert result == monte_carlo(np.square, UNIT, 4000, rng=0)
    assert "4000 draws" in result._repr_html_()


def test_monte_carlo_intervals_cover():
    hits = 0
    for seed in range(400):
        low, high = monte_carlo(lambda x: x, UNIT, 20, rng=seed, confidence=0.9).interval
        hits += low < 0 < high
    assert abs(hits / 400 - 0.9) < 4 * np.sqrt(0.09 / 400)


def test_monte_carlo_of_vectors():
    d = MultivariateNormal([1.0, 2.0], np.eye(2))
    result = monte_carlo(lambda x: x[:, 0] * x[:, 1], d, 20_000, rng=0)
    assert abs(result.estimate - 2) < 5 * result.standard_error


def test_bad_monte_carlo():
    with pytest.raises(InvalidParameter, match="n must be an integer >= 2; got 1"):
        monte_carlo(np.square, UNIT, 1)
    with pytest.raises(InvalidInput, match=r"one number per draw, shape \(10,\), or .*; got shape \(\)"):
        monte_carlo(np.sum, UNIT, 10)
    with pytest.raises(InvalidInput, match="f gave inf for one of the draws"):
        monte_carlo(lambda x: x + np.inf, UNIT, 10)
    with pytest.raises(InvalidParameter, match="confidence must lie between 0 and 1"):
        monte_carlo(np.square, UNIT, 10, confidence=1.0)


def test_averages_become_normal():
    die = Categorical([1 / 6, 1 / 3, 1 / 3, 1 / 6], classes=[-2, 1, 4, 10])
    few, many = (central_limit(die, n, repeats=20_000, rng=0) for n in (2, 60))
    assert many.normal == Normal(3.0, np.sqrt(14 / 60))
    assert many.distance < few.distance / 3
    assert "averages of 60 draws" in many._repr_html_()
    # the variance of 20,000 averages: relative standard error about √(2/20000)
    assert many.averages.var() == pytest.approx(14 / 60, rel=5 * np.sqrt(2 / 20_000))
    with pytest.raises(InvalidInput, match="needs one finite variance; got inf"):
        central_limit(StudentT(1.5), 10)
    with pytest.raises(InvalidParameter, match="n must be an integer >= 1; got 0"):
        central_limit(die, 0)


def test_balls_and_shells():
    assert ball_volume([0, 1, 2, 3], 2.0) == pytest.approx([1, 4, 4 * np.pi, 32 / 3 * np.pi], rel=1e-13)
    assert ball_volume(3, 0.0) == 0
    d, e = 17, 0.03
    share = (ball_volume(d) - ball_volume(d, 1 - e)) / ball_volume(d)
    assert shell_volume(d, e) == pytest.approx(share, rel=1e-12)
    assert shell_volume(10, 1e-18) == pytest.approx(1e-17, rel=1e-14)
    assert shell_volume(5, [0.0, 1.0]).tolist() == [0.0, 1.0]
    assert shell_volume(0, 1.0) == 0
    with pytest.raises(InvalidParameter, match=r"epsilon must be in \[0, 1\]; got 1.5"):
        shell_volume(3, 1.5)
    with pytest.raises(InvalidParameter, match="dimension must be >= 0; got -1"):
        shell_volume(-1, 0.5)
