"""Rejection sampling: the draws follow the density, the rate its integral, and a false bound is found."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError
from suffice.distributions import MultivariateNormal, Normal, StudentT
from suffice.inference import rejection

LOG_ROOT_2PI = 0.5 * np.log(2 * np.pi)


def two_bumps(x):
    return np.logaddexp(-0.5 * (x + 2) ** 2, np.log(2) - 0.5 * ((x - 2) / 0.5) ** 2)


def bound_of_two_bumps(proposal):
    x = np.linspace(-20, 20, 20_001)
    return float(np.max(two_bumps(x) - proposal.log_prob(x))) + 1e-6


def test_draws_follow_the_density():
    proposal = StudentT(3, 0.0, 2.0)
    result = rejection(two_bumps, proposal, bound_of_two_bumps(proposal), 20_000, rng=0)
    assert result.draws.shape == (20_000,)

    def cdf(x):
        return 0.5 * Normal(-2, 1).cdf(x) + 0.5 * Normal(2, 0.5).cdf(x)

    x = np.sort(result.draws)
    gap = np.max(np.abs(cdf(x) - (np.arange(20_000) + 0.5) / 20_000))
    assert gap < 1.95 / np.sqrt(20_000)  # Kolmogorov: exceeded once in a thousand


def test_the_rate_is_the_integral_over_the_bound():
    proposal = StudentT(3, 0.0, 2.0)
    bound = bound_of_two_bumps(proposal)
    result = rejection(two_bumps, proposal, bound, 20_000, rng=1)
    exact = 2 * np.exp(LOG_ROOT_2PI)  # ∫ of the two bumps
    rate = exact / np.exp(bound)
    assert result.acceptance_rate == pytest.approx(rate, rel=5 * np.sqrt((1 - rate) / 20_000))
    assert result.log_normalizer == pytest.approx(np.log(exact), abs=5 / np.sqrt(20_000))
    assert result.proposed >= 20_000
    assert f"{result.acceptance_rate:.4g}" in result._repr_html_()


def test_vectors():
    proposal = MultivariateNormal([0.0, 0.0], 4 * np.eye(2))
    bound = np.log(8 * np.pi) + 1
    result = rejection(lambda x: -0.5 * x[:, 0] ** 2 - 0.5 * (x[:, 1] - 1) ** 2, proposal, bound, 5000, rng=0)
    assert result.draws.shape == (5000, 2)
    assert np.all(np.abs(result.draws.mean(0) - [0, 1]) < 5 / np.sqrt(5000))


def test_a_perfect_proposal_keeps_everything():
    result = rejection(Normal(1, 2).log_prob, Normal(1, 2), 0.0, 1000, rng=0)
    assert result.acceptance_rate == 1.0
    assert result.log_normalizer == 0.0


def test_the_same_seed_gives_the_same_draws():
    runs = [rejection(two_bumps, Normal(0, 4), 5.0, 100, rng=3) for _ in range(2)]
    assert runs[0] == runs[1]


def test_a_bound_that_does_not_hold_is_an_error():
    with pytest.raises(InvalidInput, match=r"log_bound is too small: at .* exceeds the envelope by a factor"):
        rejection(Normal(0, 2).log_prob, Normal(0, 1), 0.5, 10_000, rng=0)


def test_hopeless_proposals_stop():
    def far(x):
        return np.where(x > 50, 0.0, -np.inf)

    with pytest.raises(NumericalError, match="Only 0 of 5 draws were kept after 1000 proposals"):
        rejection(far, Normal(0, 1), 10.0, 5, rng=0, max_proposals=1000)


def test_bad_input():
    with pytest.raises(InvalidParameter, match="n must be an integer >= 1; got 0"):
        rejection(two_bumps, Normal(0, 4), 5.0, 0)
    with pytest.raises(InvalidParameter, match="log_bound must be a finite number; got inf"):
        rejection(two_bumps, Normal(0, 4), np.inf, 1)
    with pytest.raises(InvalidInput, match="log_density must give one number per draw"):
        rejection(lambda x: 0.0, Normal(0, 4), 5.0, 1)
    with pytest.raises(InvalidInput, match="log_density gave nan at"):
        rejection(lambda x: x * np.nan, Normal(0, 4), 5.0, 1)
