"""What is special about the binomial distribution: its edges, large numbers, limits."""

import numpy as np
import pytest

from suffice.distributions import Bernoulli, Binomial, Poisson


def test_edges():
    d = Binomial([0, 4, 4], [0.3, 0.0, 1.0])
    assert d.log_prob(0).tolist() == [0.0, 0.0, -np.inf]
    assert d.log_prob(4).tolist() == [-np.inf, -np.inf, 0.0]
    assert d.entropy().tolist() == [0.0, 0.0, 0.0]
    assert d.quantile(1.0).tolist() == [0.0, 0.0, 4.0]
    assert d.quantile(0.0).tolist() == [0.0, 0.0, 4.0]
    assert d.mode.tolist() == [0.0, 0.0, 4.0]


def test_one_trial_is_bernoulli():
    x = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    for name in ("log_prob", "cdf", "sf", "log_sf"):
        np.testing.assert_allclose(
            getattr(Binomial(1, 0.3), name)(x), getattr(Bernoulli(0.3), name)(x), rtol=1e-14
        )


def test_many_rare_trials_are_poisson():
    k = np.arange(20)
    np.testing.assert_allclose(Binomial(10**9, 4e-9).log_prob(k), Poisson(4.0).log_prob(k), rtol=1e-6)


def test_the_smaller_of_two_modes():
    assert Binomial(3, 0.5).mode == 1
    assert Binomial(10, 0.3).mode == 3


def test_quantile_of_many_trials():
    d = Binomial(10**6, 0.3)
    for p in (1e-12, 0.2, 1 - 1e-9):
        k = d.quantile(p)
        assert d.cdf(k) >= p > d.cdf(k - 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Binomial(2.5, 0.1), r"n must be an integer; got 2\.5"),
        (lambda: Binomial(-1, 0.1), r"n must be >= 0; got -1\.0"),
        (lambda: Binomial(3, -0.1), r"p must be in \[0, 1\]; got -0\.1"),
        (lambda: Binomial([1, 2], [0.1, 0.2, 0.3]), r"broadcast; got \(2,\) and \(3,\)"),
        (lambda: Binomial.fit([1, 2]), "n must be given to a fit"),
        (lambda: Binomial.fit([1, 5], n=4), r"x must be integers from 0 to 4; got 5\.0"),
        (lambda: Binomial.fit([0.5], n=4), r"got 0\.5"),
        (lambda: Binomial.from_statistics(Binomial.statistics([9]), n=4), "mean count, 9, exceeds n = 4"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
