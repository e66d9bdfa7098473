"""What is special about the generalized normal distribution: its family, the text's form, its fit."""

import mpmath
import numpy as np
import pytest

from suffice._core.errors import AtBound, Unsupported
from suffice.distributions import GeneralizedNormal, LaplaceDistribution, Normal, Uniform


def test_power_two_is_normal():
    x = np.linspace(-40, 40, 9)
    d, n = GeneralizedNormal(1.0, 2.0 * np.sqrt(2), 2.0), Normal(1.0, 2.0)
    for name in ("log_prob", "cdf", "log_sf", "log_cdf"):
        np.testing.assert_allclose(getattr(d, name)(x), getattr(n, name)(x), rtol=1e-12)
    assert d.var == pytest.approx(4.0, rel=1e-14)
    assert d.quantile(0.9) == pytest.approx(n.quantile(0.9), rel=1e-14)


def test_large_powers_are_a_box():
    d = GeneralizedNormal(0.0, 1.0, 2000.0)
    assert d.std == pytest.approx(Uniform(-1, 1).std, rel=1e-3)
    x = d.sample(20_000, rng=0)
    assert np.mean(np.abs(x) < 0.5) == pytest.approx(0.5, abs=0.02)  # five standard errors
    assert np.min(np.abs(x)) > 0  # a power of a gamma draw would round a few of these to zero


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0, 4.0])
def test_the_form_of_the_text(power):
    from scipy.special import gamma

    alpha, w = 1.7, np.array([-2.0, 0.1, 3.0])
    text = power / 2 * (alpha / 2) ** (1 / power) / gamma(1 / power) * np.exp(-alpha / 2 * np.abs(w) ** power)
    np.testing.assert_allclose(GeneralizedNormal.from_precision(alpha, power).prob(w), text, rtol=1e-13)


def test_from_variance():
    assert GeneralizedNormal.from_variance(1.0, 3.0, 0.7).var == pytest.approx(3.0, rel=1e-13)


def test_fit_with_given_power():
    x = Normal(3, 2).sample(500, rng=0)
    d = GeneralizedNormal.fit(x, power=2)
    assert d.loc == pytest.approx(x.mean(), rel=1e-10)
    assert d.std == pytest.approx(x.std(), rel=1e-10)
    d, laplace = GeneralizedNormal.fit(x, power=1), LaplaceDistribution.fit(x)
    assert (d.loc, d.scale) == (
        pytest.approx(laplace.loc, rel=1e-12),
        pytest.approx(laplace.scale, rel=1e-12),
    )


def test_fit_is_equivariant():
    x = GeneralizedNormal(0, 1, 3).sample(400, rng=1)
    d, moved = GeneralizedNormal.fit(x), GeneralizedNormal.fit(1e4 * x - 7e5)
    assert moved.power == pytest.approx(d.power, rel=1e-5)
    assert moved.loc == pytest.approx(1e4 * d.loc - 7e5, rel=1e-7)
    assert moved.scale == pytest.approx(1e4 * d.scale, rel=1e-5)


def test_fit_says_when_it_ends_at_its_range():
    with pytest.warns(AtBound, match="edge of its range, power = 1"):
        GeneralizedNormal.fit(GeneralizedNormal(0, 1, 0.4).sample(300, rng=0))


def test_fit_of_a_constant():
    assert GeneralizedNormal.fit([2.0, 2.0]) == GeneralizedNormal(2.0, 0.0, 2.0)


def test_statistics_do_not_exist():
    with pytest.raises(Unsupported, match="no sufficient statistics of fixed size"):
        GeneralizedNormal.statistics([1.0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GeneralizedNormal(0, 1, 0), r"power must be > 0; got 0\.0"),
        (lambda: GeneralizedNormal(0, -1), r"scale must be >= 0; got -1\.0"),
        (lambda: GeneralizedNormal.from_precision(0, 2), r"precision must be > 0; got 0\.0"),
        (lambda: GeneralizedNormal.fit([1.0, 2.0], power=0.5), r"power must be >= 1 in a fit; got 0\.5"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("power", [0.3, 7.0, 300.0, 1000.0, 1e4, 1e6, 1e9])
def test_boxes_have_the_probabilities_of_the_formula(power):
    """|z|^q vanishes for a large power, while the probability up to z does not."""
    d, shape = GeneralizedNormal(0.0, 1.0, power), 1 / mpmath.mpf(power)
    with mpmath.workdps(50):
        for z in (1e-9, 0.01, 0.45, 0.7, 0.999, 1 - 1 / (3 * power) if power > 1 else 0.9):
            inside = mpmath.gammainc(shape, 0, mpmath.mpf(z) ** power, regularized=True)
            upper, lower = float((1 + inside) / 2), float((1 - inside) / 2)
            np.testing.assert_allclose([d.cdf(z), d.sf(-z)], upper, rtol=1e-13)
            np.testing.assert_allclose([d.sf(z), d.cdf(-z)], lower, rtol=1e-12)
            np.testing.assert_allclose([d.log_sf(z), d.log_cdf(-z)], np.log(lower), rtol=1e-12)
            np.testing.assert_allclose(d.log_cdf(z), float(mpmath.log((1 + inside) / 2)), rtol=1e-12)
            if lower > 1e-3:
                np.testing.assert_allclose(d.quantile(upper), z, rtol=1e-6 if z < 1e-3 else 1e-11)


def test_the_interval_of_a_box_has_a_width():
    low, high = GeneralizedNormal([0.0, 5.0], [1.0, 2.0], [1e4, 2.0]).interval(0.5)
    np.testing.assert_allclose([low[0], high[0]], [-0.5, 0.5], rtol=1e-4)
    np.testing.assert_allclose(high[1], 5 + 2 * np.sqrt(0.5) * 0.6744897501960817, rtol=1e-12)
