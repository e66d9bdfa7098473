"""What is special about the normal-gamma: marginals of the pair."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput
from suffice.distributions import Gamma, Normal, NormalGamma, StudentT

D = NormalGamma(0.5, 2.0, 3.0, 4.0)


def test_is_a_normal_given_the_precision():
    x = D.sample(9, rng=0)
    mean, precision = x.T
    given = Normal(0.5, 1 / np.sqrt(2.0 * precision)).log_prob(mean)
    np.testing.assert_allclose(D.log_prob(x), given + Gamma(3.0, 4.0).log_prob(precision), rtol=1e-12)


def test_integrating_the_precision_out_leaves_student():
    s = np.linspace(-30, 8, 4001)
    precision = np.exp(s)
    for mean in (-8.0, 0.0, 0.4, 3.0):
        pairs = np.stack([np.full_like(s, mean), precision], axis=-1)
        total = np.sum(D.prob(pairs) * precision) * (s[1] - s[0])
        assert total == pytest.approx(D.marginal_mean().prob(mean), rel=1e-10)
    assert D.marginal_mean() == StudentT(6.0, 0.5, np.sqrt(4.0 / 6.0))


def test_integrating_the_mean_out_leaves_gamma():
    mean = np.linspace(-60, 60, 60_001)
    for precision in (0.05, 0.7, 2.0):
        pairs = np.stack([mean, np.full_like(mean, precision)], axis=-1)
        total = D.prob(pairs).sum() * (mean[1] - mean[0])
        assert total == pytest.approx(Gamma(3.0, 4.0).prob(precision), rel=1e-10)
    assert D.marginal_precision() == D.marginal(1) == Gamma(3.0, 4.0)
    assert D.marginal(0) == D.marginal_mean()


def test_moments():
    np.testing.assert_allclose(D.event_mean, [0.5, 0.75])
    np.testing.assert_allclose(D.var, [4.0 / (2.0 * 2.0), 3.0 / 16.0])
    np.testing.assert_allclose(D.mode, [0.5, 2.5 / 4.0])
    heavy = NormalGamma(0.5, 2.0, [0.4, 0.8], 4.0)
    assert np.isnan(heavy.event_mean[0, 0])
    assert np.isinf(heavy.var[1, 0])
    assert np.isnan(heavy.mode[0]).all()
    low, high = D.interval(0.9)
    assert (low[1], high[1]) == D.marginal_precision().interval(0.9)


def test_outside_the_support():
    assert D.log_prob([[0.0, 0.0], [0.0, -1.0]]).tolist() == [-np.inf, -np.inf]
    assert np.isnan(D.log_prob([0.0, np.nan]))
    with pytest.raises(InvalidInput, match=r"2 coordinates in its last axis; got shape \(3,\)"):
        D.log_prob([1.0, 2.0, 3.0])


def test_fit_keeps_its_digits_far_from_zero():
    x = D.sample(500, rng=1)
    near, far = NormalGamma.fit(x), NormalGamma.fit(x + [1e6, 0.0])
    assert far.mean - 1e6 == pytest.approx(near.mean, abs=1e-8)
    assert far.strength == pytest.approx(near.strength, rel=1e-7)
    with pytest.raises(InvalidInput, match=r"pairs \[mean, precision > 0\]"):
        NormalGamma.fit([[1.0, -1.0]])
    with pytest.raises(InvalidInput, match="idx must be 0"):
        D.marginal([0, 1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, 0.0, 1.0, 1.0), "strength must be > 0; got 0"),
        ((0.0, 1.0, -1.0, 1.0), "shape must be > 0; got -1"),
        ((0.0, 1.0, 1.0, np.inf), "rate must be finite"),
        ((np.nan, 1.0, 1.0, 1.0), "mean must be a number; got nan"),
        (([0.0, 1.0], [1.0, 1.0, 1.0], 1.0, 1.0), r"broadcast; got \(2,\) and \(3,\)"),
    ],
)
def test_domains(arguments, message):
    with pytest.raises(ValueError, match=message):
        NormalGamma(*arguments)
