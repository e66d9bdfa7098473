"""What is special about the beta-binomial distribution: its shapes, limits and fit."""

import numpy as np
import pytest

from suffice._core.errors import AtBound
from suffice.distributions import Beta, BetaBinomial, Binomial


def test_it_is_the_predictive_of_a_beta():
    k, nodes = np.arange(6), np.polynomial.legendre.leggauss(40)
    p, w = (nodes[0] + 1) / 2, nodes[1] / 2
    want = np.sum(w * Beta(2.5, 4.0).prob(p) * Binomial(5, p).prob(k[:, None]), axis=1)
    np.testing.assert_allclose(BetaBinomial(5, 2.5, 4.0).prob(k), want, rtol=1e-6)


def test_uniform_and_binomial_limits():
    np.testing.assert_allclose(BetaBinomial(9, 1, 1).prob(np.arange(10)), 0.1, rtol=1e-14)
    k = np.arange(31)
    np.testing.assert_allclose(
        BetaBinomial(30, 3e14, 7e14).log_prob(k), Binomial(30, 0.3).log_prob(k), rtol=1e-11
    )


def test_modes_by_brute_force():
    for n in (0, 1, 7):
        for a in (0.2, 1.0, 1.5, 8.0):
            for b in (0.3, 1.0, 3.0):
                d = BetaBinomial(n, a, b)
                best = d.log_prob(np.arange(n + 1)).max()
                assert d.log_prob(d.mode) == pytest.approx(best, abs=1e-12)


def test_batches_of_different_n():
    d = BetaBinomial([3, 10], 2.0, 1.0)
    np.testing.assert_allclose(d.cdf(5), [1.0, BetaBinomial(10, 2.0, 1.0).cdf(5)], rtol=1e-14)
    np.testing.assert_allclose(d.entropy(), [d[0].entropy(), d[1].entropy()], rtol=1e-14)
    assert d.quantile(1.0).tolist() == [3.0, 10.0]


def test_fit_says_when_the_counts_are_binomial():
    with pytest.warns(AtBound, match="use Binomial"):
        d = BetaBinomial.fit([5, 5, 5, 4, 6], n=10)
    assert d.mean == pytest.approx(5.0, rel=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BetaBinomial(1.5, 1, 1), r"n must be an integer; got 1\.5"),
        (lambda: BetaBinomial(3, 0, 1), r"a must be > 0; got 0\.0"),
        (lambda: BetaBinomial.fit([1, 2]), "n must be given to a fit"),
        (lambda: BetaBinomial.fit([1, 0], n=1), "n must be >= 2 in a fit"),
        (lambda: BetaBinomial.fit([0, 0], n=5), "x must not be all 0 or all 5"),
        (lambda: BetaBinomial.fit([1, 7], n=5), r"x must be integers from 0 to 5; got 7\.0"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
