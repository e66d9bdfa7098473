"""What is special about the beta distribution: its ends, its modes, its fit."""

import numpy as np
import pytest

from suffice.distributions import Beta, Uniform


def test_closed_forms():
    x = np.linspace(0, 1, 11)
    np.testing.assert_allclose(Beta(3, 1).prob(x), 3 * x**2, rtol=1e-14)
    np.testing.assert_allclose(Beta(3, 1).cdf(x), x**3, rtol=1e-14)
    np.testing.assert_allclose(Beta(1, 2).sf(x), (1 - x) ** 2, rtol=1e-14)
    for name in ("prob", "cdf", "sf", "quantile"):
        np.testing.assert_allclose(getattr(Beta(1, 1), name)(x), getattr(Uniform(0, 1), name)(x), rtol=1e-13)


def test_density_at_the_ends():
    np.testing.assert_allclose(Beta([0.5, 1.0, 3.0], 2.0).prob(0.0), [np.inf, 2.0, 0.0], rtol=1e-14)
    np.testing.assert_allclose(Beta(2.0, [0.5, 1.0, 3.0]).prob(1.0), [np.inf, 2.0, 0.0], rtol=1e-14)


def test_modes():
    a = np.array([2.0, 1.0, 3.0, 1.0, 0.5, 0.5, 2.0, 0.9])
    b = np.array([4.0, 2.0, 1.0, 1.0, 2.0, 0.5, 0.5, 0.8])
    assert Beta(a, b).mode.tolist() == [0.25, 0.0, 1.0, 0.5, 0.0, 0.0, 1.0, 1.0]


def test_mirrored():
    x = np.array([1e-3, 0.25, 0.5])
    for name, other in (("log_cdf", "log_sf"), ("cdf", "sf"), ("log_prob", "log_prob")):
        np.testing.assert_allclose(
            getattr(Beta(3.3, 0.7), name)(x), getattr(Beta(0.7, 3.3), other)(1 - x), rtol=1e-12
        )


@pytest.mark.parametrize(("a", "b"), [(0.05, 0.1), (0.2, 5.0), (1.0, 1.0), (40.0, 3.0), (3e5, 2e5)])
def test_fit_solves_its_equations(a, b):
    from scipy.special import digamma

    x = np.clip(Beta(a, b).sample(3000, rng=0), 1e-300, 1 - 1e-16)
    d = Beta.fit(x)
    slack = 1e-9 / min(d.a, d.b, 1.0)
    assert digamma(d.a) - digamma(d.a + d.b) == pytest.approx(np.log(x).mean(), rel=1e-9, abs=slack)
    assert digamma(d.b) - digamma(d.a + d.b) == pytest.approx(np.log1p(-x).mean(), rel=1e-9, abs=slack)


def test_parametrisation():
    assert Beta.from_mean(0.25, 8.0) == Beta(2.0, 6.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Beta(0, 1), r"a must be > 0; got 0\.0"),
        (lambda: Beta(1, -2), r"b must be > 0; got -2\.0"),
        (lambda: Beta([1, 2], [1, 2, 3]), r"broadcast; got \(2,\) and \(3,\)"),
        (lambda: Beta.from_mean(1.0, 3), r"mean must be < 1; got 1\.0"),
        (lambda: Beta.fit([0.5, 1.0]), r"x must lie strictly between 0 and 1; got 1\.0"),
        (lambda: Beta.fit([0.5, 0.5]), "x must vary"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
