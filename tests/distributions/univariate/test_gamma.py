"""What is special about the gamma distribution: its edge, its relatives, its fit."""

import numpy as np
import pytest

from suffice.distributions import Gamma
from suffice.distributions._numerics.gamma_shape import gamma_shape
from suffice.distributions._numerics.special import digamma_gap


def test_density_at_zero():
    np.testing.assert_allclose(Gamma([0.5, 1.0, 2.0], 3.0).prob(0.0), [np.inf, 3.0, 0.0], rtol=1e-14)
    assert Gamma(2.0, 3.0).prob(-1.0) == 0


def test_exponential():
    x = np.array([0.0, 0.3, 5.0, 1e4])
    np.testing.assert_allclose(Gamma.exponential(2.0).log_sf(x), -2 * x, rtol=1e-14)
    np.testing.assert_allclose(Gamma.exponential(2.0).log_prob(x), np.log(2) - 2 * x, rtol=1e-14)


def test_other_parametrisations():
    assert Gamma.from_scale(3.0, 0.5) == Gamma(3.0, 2.0)
    assert Gamma.chi_square(5.0) == Gamma(2.5, 0.5)
    d = Gamma.from_mean(6.0, 2.0)
    assert d.mean == pytest.approx(6.0, rel=1e-15)
    assert d.std == pytest.approx(2.0, rel=1e-15)


@pytest.mark.parametrize("gap", [1e-13, 1e-6, 0.01, 0.5, 3.0, 50.0, 1e5])
def test_shape_solves_its_equation(gap):
    assert digamma_gap(gamma_shape(gap)) == pytest.approx(gap, rel=1e-13)


def test_fit_of_data_that_hardly_vary():
    x = 1e6 + np.array([-1.0, 0.0, 1.0])  # shape near (mean/std)², which plain sums could not see
    assert Gamma.fit(x).shape == pytest.approx(1.5e12, rel=1e-5)


@pytest.mark.parametrize("a", [250.0, 1e4, 1e6])
def test_tails_beyond_a_few_deviations_of_large_shapes(a):
    d = Gamma(a, 1.0)
    for z in (-6.0, -4.5, 4.5, 6.0):
        x = a + z * np.sqrt(a)
        nodes = x + np.sign(z) * np.linspace(0, 8 * np.sqrt(a), 200_001)
        area = np.trapezoid(d.prob(nodes), nodes) * np.sign(z)
        assert (d.cdf(x) if z < 0 else d.sf(x)) == pytest.approx(area, rel=1e-7)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Gamma(0, 1), r"shape must be > 0; got 0\.0"),
        (lambda: Gamma(1, -1), r"rate must be > 0; got -1\.0"),
        (lambda: Gamma.fit([1.0, 0.0]), r"x must be > 0; got 0\.0"),
        (lambda: Gamma.fit([2.0, 2.0]), "x must vary"),
        (lambda: Gamma.from_mean(-1, 1), r"mean must be > 0; got -1\.0"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
