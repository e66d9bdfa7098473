"""What is special about the normal-inverse-Wishart: its events are pairs."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, NotPositiveDefinite, Unsupported
from suffice.distributions import (
    InverseWishart,
    MultivariateNormal,
    MultivariateT,
    NormalGamma,
    NormalInverseWishart,
)
from suffice.distributions.multivariate.normal_inverse_wishart import MeanAndCov

SCALE = np.array([[2.0, 0.6], [0.6, 1.0]])
D = NormalInverseWishart([0.0, 1.0], 2.0, SCALE, 9.0)


def test_is_a_normal_given_the_covariance():
    mu, sigma = x = D.sample(9, rng=0)
    assert isinstance(x, MeanAndCov)
    given = [MultivariateNormal([0.0, 1.0], s / 2).log_prob(m) for m, s in zip(mu, sigma, strict=True)]
    np.testing.assert_allclose(D.log_prob(x), given + InverseWishart(9.0, SCALE).log_prob(sigma), rtol=1e-11)
    assert D.log_prob((mu[0], sigma[0])) == pytest.approx(D.log_prob(x)[0], rel=1e-13)


def test_one_dimension_is_normal_gamma_of_the_inverse():
    d, g = NormalInverseWishart([0.5], 2.0, [[8.0]], 6.0), NormalGamma(0.5, 2.0, 3.0, 4.0)
    for mean, var in [(0.0, 1.0), (3.0, 0.2)]:
        jacobian = -2 * np.log(var)  # λ = 1/σ²
        want = g.log_prob([mean, 1 / var]) + jacobian
        assert d.log_prob(([mean], [[var]])) == pytest.approx(want, rel=1e-12)


def test_marginals():
    assert D.marginal_cov() == InverseWishart(9.0, SCALE)
    t = D.marginal_mean()
    assert t == MultivariateT(8.0, [0.0, 1.0], SCALE / 16)
    mu, sigma = D.sample(20_000, rng=1)
    distance = t.mahalanobis(mu) ** 2 / 2  # F(2, 8)
    from scipy.special import fdtr

    u = np.sort(fdtr(2, 8.0, distance))
    assert np.max(np.abs(u - (np.arange(20_000) + 0.5) / 20_000)) <= 2.5 / np.sqrt(20_000)  # Kolmogorov
    assert np.all(np.abs(sigma.mean(axis=0) - D.event_mean.cov) <= 5 * D.std.cov / np.sqrt(20_000))
    assert np.all(np.abs(mu.mean(axis=0) - D.event_mean.mean) <= 5 * D.std.mean / np.sqrt(20_000))


def test_entropy_is_expected_surprise():
    surprise = -D.log_prob(D.sample(40_000, rng=2))
    assert abs(surprise.mean() - D.entropy()) <= 5 * surprise.std() / 200  # 5 standard errors


def test_mode():
    top = D.log_prob(D.mode)
    for shift in (0.01, -0.01):
        assert D.log_prob((D.mode.mean + shift, D.mode.cov)) < top
        assert D.log_prob((D.mode.mean, D.mode.cov * (1 + shift))) < top


def test_fit_keeps_its_digits_far_from_zero():
    mu, sigma = D.sample(400, rng=3)
    near, far = (NormalInverseWishart.fit((mu + shift, sigma)) for shift in (0.0, 1e6))
    np.testing.assert_allclose(far.mean - 1e6, near.mean, atol=1e-8)
    assert far.strength == pytest.approx(near.strength, rel=1e-7)
    assert far.dof == pytest.approx(near.dof, rel=1e-12)


def test_pairs_only():
    with pytest.raises(InvalidInput, match=r"x must be a pair \(mean, cov\); got ndarray"):
        D.log_prob(np.zeros((2, 3)))
    with pytest.raises(InvalidInput, match=r"pair \(means, covs\); got ndarray"):
        NormalInverseWishart.fit(np.zeros((2, 3)))
    with pytest.raises(InvalidInput, match=r"means must have shape \(3, 2\)"):
        NormalInverseWishart.fit((np.zeros((2, 2)), np.stack([np.eye(2)] * 3)))
    with pytest.raises(InvalidInput, match="covs must hold symmetric positive definite"):
        NormalInverseWishart.fit((np.zeros((1, 2)), np.ones((1, 2, 2))))
    with pytest.raises(Unsupported, match=r"take \.marginal_mean\(\)\.interval\(level\)"):
        D.interval(0.5)
    assert D.log_prob(([0.0, 0.0], -np.eye(2))) == -np.inf
    assert np.isnan(D.log_prob(([np.nan, 0.0], np.eye(2))))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            ([0.0], 1.0, np.eye(2), 5.0),
            ValueError,
            r"mean must have shape \(..., 2\), as scale has; got \(1,\)",
        ),
        (([0.0, 0.0], 0.0, np.eye(2), 5.0), ValueError, "strength must be > 0; got 0"),
        (([0.0, 0.0], 1.0, np.eye(2), 1.0), ValueError, "dof must be > 1; got 1"),
        (
            ([0.0, 0.0], 1.0, -np.eye(2), 5.0),
            NotPositiveDefinite,
            "scale must be .* smallest eigenvalue is -1",
        ),
        (([0.0, 0.0], np.ones(3), np.eye(2), np.full(2, 5.0)), ValueError, "broadcast"),
    ],
)
def test_domains(arguments, error, message):
    with pytest.raises(error, match=message):
        NormalInverseWishart(*arguments)
