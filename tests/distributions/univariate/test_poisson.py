"""What is special about the Poisson distribution: rate zero, far tails, its two formulas for the entropy."""

import numpy as np
import pytest

from suffice.distributions import Normal, Poisson


def test_rate_zero():
    d = Poisson(0.0)
    assert d.log_prob([0, 1]).tolist() == [0.0, -np.inf]
    assert d.cdf(0) == 1
    assert d.quantile([0.0, 0.5, 1.0]).tolist() == [0.0, 0.0, 0.0]
    assert d.entropy() == 0
    assert d.sample(3, rng=0).tolist() == [0, 0, 0]


def test_quantile_one_is_infinite():
    assert Poisson(3.0).quantile(1.0) == np.inf
    assert Poisson(3.0).interval(1.0) == (0.0, np.inf)


def test_entropy_does_not_jump():
    below, above = Poisson(1000.0), Poisson(np.nextafter(1000.0, 2000.0))
    assert below.entropy() == pytest.approx(above.entropy(), rel=1e-13)
    assert Poisson(1e12).entropy() == pytest.approx(Normal(0, 1e6).entropy(), rel=1e-12)


def test_the_smaller_of_two_modes():
    assert Poisson([0.0, 0.5, 1.0, 3.0, 3.2]).mode.tolist() == [0, 0, 0, 2, 3]


@pytest.mark.parametrize("rate", [1e4, 1e6, 1e9])
def test_tails_of_large_rates_near_five_deviations(rate):
    d, z = Poisson(rate), 6.0
    k = np.floor(rate + z * np.sqrt(rate))
    tail = np.exp(d.log_prob(k + np.arange(1, 4 * np.sqrt(rate)))).sum()
    assert d.sf(k) == pytest.approx(tail, rel=1e-11)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Poisson(-1), r"rate must be >= 0; got -1\.0"),
        (lambda: Poisson(np.inf), "rate must be finite; got inf"),
        (lambda: Poisson.fit([1, -2]), r"x must be integers >= 0; got -2\.0"),
        (lambda: Poisson.fit([1.5]), r"x must be integers >= 0; got 1\.5"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
