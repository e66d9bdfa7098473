"""What the texts claim of sampling (FCML §4.5, Lecture 3), by number."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.special import expit

from suffice._core.errors import NotConverged
from suffice.datasets import two_clouds
from suffice.distributions import Beta, BetaBinomial, Binomial, MultivariateNormal
from suffice.glm import BayesianLogisticRegression
from suffice.inference import (
    MetropolisHastings,
    Quadrature,
    Samples,
    metropolis_hastings,
    monte_carlo,
    narrow_ridge,
    two_modes,
)

MODES = np.array([[-1.0, -1.0], [2.0, 2.0]])
FIXED = {"burn_in": 0, "adapt": False, "vectorized": True}


def walked(log_density, start, n, variance, seed=0, n_chains=4):
    """The texts' sampler as it is, converged or not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        proposal = variance * np.eye(2)
        return metropolis_hastings(
            log_density, start, n, n_chains=n_chains, proposal=proposal, random_state=seed, **FIXED
        )


def peaks(x):
    """log of `two_modes` up to a constant, without its overhead."""
    return np.logaddexp(*(-10 * ((x - m) ** 2).sum(axis=1) for m in MODES))


def expected_acceptance(target, log_density, variance):
    """E min(1, g(x̃)/g(x)) for x from the target and x̃ from N(x, variance I), from independent draws."""
    step = MultivariateNormal(np.zeros(2), variance * np.eye(2))

    def ratios(pair):
        x, z = pair
        return np.exp(np.minimum(log_density(x + z) - log_density(x), 0.0))

    return monte_carlo(ratios, lambda rng, n: (target.sample(n, rng), step.sample(n, rng)), 100_000, rng=1)


@pytest.mark.parametrize(
    ("a", "b", "printed"), [(7, 5, 0.6055), (15, 7, 0.4045), (64, 56, 0.7579), (19, 7, 0.2915)]
)
def test_fcml_e13_what_the_coin_game_prints_is_an_average_of_draws(a, b, printed):
    """§3.3 prints numbers that its closed form does not give; 10,000 draws of the posterior explain the gap."""
    drawn = monte_carlo(lambda r: Binomial(10, r).cdf(6), Beta(a, b), 10_000, rng=0)
    exact = float(BetaBinomial(10, a, b).cdf(6))
    assert abs(exact - printed) > 5e-5  # not rounding
    assert abs(exact - printed) < 2 * drawn.standard_error
    assert abs(exact - drawn.estimate) < 4 * drawn.standard_error


def test_fcml_18_averages_over_the_posterior_are_nearer_to_one_half_far_from_the_rows():
    """On every direction that the rows leave open, for six data sets; not everywhere, as the next test shows."""
    angle = np.radians(np.arange(0, 360, 15))
    far = 8.0 * np.column_stack([np.cos(angle), np.sin(angle)])
    for seed in range(6):
        data = two_clouds(30, random_state=seed)
        choice = MetropolisHastings(n_draws=1000, thin=8, seed=seed)
        model = BayesianLogisticRegression(1 / 10, fit_intercept=False, inference=choice).fit(data.X, data.y)
        plug_in = (
            expit(far @ model.map_) if hasattr(model, "map_") else model.compare_predictions(far).plug_in
        )
        averaged = model.predict_proba(far)[:, 1]
        assert np.all(np.abs(averaged - 0.5) <= np.abs(plug_in - 0.5) + 1e-9)
        assert np.max(np.abs(plug_in - averaged)) > 0.1


def test_fcml_18_but_not_near_them():
    """Six points of Lecture 3: at x = 1 the average is farther from one half, as the posterior leans outwards."""
    X, t = np.array([-2, -1, -0.5, 0.5, 1, 2.5])[:, None], [0, 0, 1, 0, 1, 1]
    model = BayesianLogisticRegression(0.5, intercept="prior", inference=Quadrature()).fit(X, t)
    near, far = np.array([[1.0]]), np.array([[3.0]])
    plug_in = [float(model.compare_predictions(x).plug_in[0]) for x in (near, far)]
    averaged = [float(model.predict_proba(x)[0, 1]) for x in (near, far)]
    assert averaged[0] - plug_in[0] > 0.005
    assert plug_in[1] - averaged[1] > 0.05


def test_fcml_20_the_error_of_a_chain_is_that_of_its_effective_size():
    """Forty chains of §4.5.2: their means scatter by their MCSE, five times as far as independent draws would."""
    target = MultivariateNormal([1.0, 1.0], [[3.0, 0.4], [0.4, 3.0]])
    P = np.linalg.inv(target.cov)
    starts = target.sample(40, np.random.default_rng(3))
    found = walked(lambda x: -0.5 * np.einsum("nd,de,ne->n", x - 1, P, x - 1), starts, 4000, 1.0, n_chains=40)
    means = found.draws.mean(axis=1)
    z = [(m - 1) / Samples(chain[None]).mcse for m, chain in zip(means, found.draws, strict=True)]
    # the mean square of 80 standard normal numbers is 1 ± 0.16; the chains' own errors are off by about 10 %
    assert 0.5 < np.mean(np.square(z)) < 1.7
    worth = 3 / 4000 / np.mean((means - 1) ** 2)  # effective draws per draw
    assert 1 / 45 < worth < 1 / 12
    assert found.acceptance_rate.mean() == pytest.approx(0.72, abs=0.02)


@pytest.mark.parametrize(("correlation", "noted"), [(0.0, 0.56), (0.9, 0.32), (0.99, 0.11), (0.999, 0.034)])
def test_fcml_21_a_round_proposal_misses_a_narrow_ridge(correlation, noted):
    target = narrow_ridge(correlation)
    P = np.linalg.inv(target.cov)
    log_density = lambda x: -0.5 * np.einsum("nd,de,ne->n", x, P, x)  # noqa: E731
    exact = expected_acceptance(target, log_density, 1.0)
    starts = target.sample(200, np.random.default_rng(0))
    rate = walked(log_density, starts, 400, 1.0, n_chains=200).acceptance_rate
    error = np.hypot(rate.std(ddof=1) / np.sqrt(200), exact.standard_error)
    assert abs(rate.mean() - exact.estimate) < 4 * error
    # the rates were noted from one chain each: four standard errors of 10,000 proposals
    assert exact.estimate == pytest.approx(noted, abs=4 * np.sqrt(noted * (1 - noted) / 10_000))


def test_fcml_21_steps_of_the_right_shape_do_not():
    """The cure: a walk that learned the covariance is accepted as often on the ridge as on a round density."""
    target = narrow_ridge(0.999)
    P = np.linalg.inv(target.cov)
    log_density = lambda x: -0.5 * np.einsum("nd,de,ne->n", x, P, x)  # noqa: E731
    found = metropolis_hastings(
        log_density, [0.0, 0.0], 2500, burn_in=1500, n_chains=8, vectorized=True, random_state=0
    )
    stiff = walked(log_density, [0.0, 0.0], 2500, 1.0, n_chains=8)
    assert found.acceptance_rate.min() > 0.2
    assert found.ess.min() > 10 * stiff.ess.max()


class TestTwoModes:
    """FCML 21: acceptance does not tell that half of the density was missed. Chains that began elsewhere do."""

    def test_same_density(self):
        x = np.random.default_rng(0).normal(0.5, 1.5, (50, 2))
        gap = two_modes().log_prob(x) - peaks(x)
        np.testing.assert_allclose(gap, gap[0], rtol=1e-9)

    def test_chains_from_one_mode_look_well(self):
        proposal = 0.3**2 * np.eye(2)
        found = metropolis_hastings(
            peaks, MODES[1], 5000, proposal=proposal, random_state=0, **FIXED
        )  # no warning: tests make errors of them
        assert not np.any(found.flat.sum(axis=1) < 1)  # none of 20,000 is nearer to the other mode
        assert found.r_hat.max() < 1.01
        assert np.all(np.abs(found.mean - 2) < 4 * found.mcse)  # 1.5 from the truth, and sure of it
        exact = expected_acceptance(MultivariateNormal(MODES[1], 0.05 * np.eye(2)), peaks, 0.09)
        assert exact.estimate == pytest.approx(0.45, abs=0.01)
        assert found.acceptance_rate.mean() == pytest.approx(exact.estimate, abs=0.02)

    def test_chains_from_both_do_not(self):
        proposal, starts = 0.3**2 * np.eye(2), MODES[[0, 1, 0, 1]]
        with pytest.warns(NotConverged, match="the chains disagree|effective sample size") as told:
            found = metropolis_hastings(peaks, starts, 2500, proposal=proposal, random_state=0, **FIXED)
        assert any("the chains disagree" in str(w.message) for w in told)
        assert found.r_hat.min() > 1.5
        assert found.acceptance_rate == pytest.approx([0.45] * 4, abs=0.04)  # as if nothing were wrong

    def test_steps_from_mode_to_mode(self):
        """The cure: steps as long as the modes are apart. Fewer are accepted, and the answer is right."""
        found = walked(peaks, MODES[[0, 1, 0, 1]], 8000, 3.0)
        other, error = found.expectation(lambda x: x.sum(axis=1) < 1)
        assert found.acceptance_rate.mean() < 0.1
        assert found.r_hat.max() < 1.1
        assert abs(other - 0.5) < 4 * error < 0.3


def test_lecture3_4_draws_come_nearer_than_laplace():
    """Six points: at x* = 1 and 3 the average over draws is within its error of the truth, Laplace's is not."""
    X, t = np.array([-2, -1, -0.5, 0.5, 1, 2.5])[:, None], [0, 0, 1, 0, 1, 1]
    at = np.array([[1.0], [3.0]])

    def probability(choice):
        model = BayesianLogisticRegression(0.5, intercept="prior", **choice).fit(X, t)
        return model.predict_proba(at)[:, 1], model.posterior_

    exact, _ = probability({"inference": Quadrature()})
    laplace, _ = probability({})
    drawn, posterior = probability({"inference": MetropolisHastings(n_draws=4000, seed=0)})
    Phi = np.column_stack([np.ones(2), at])
    mean, error = posterior.expectation(lambda w: expit(w @ Phi.T))
    assert np.all(np.abs(drawn - mean) < error)  # predictions leave draws out that tell nothing new
    assert np.all(np.abs(drawn - exact) < 4 * error)
    assert np.all(error < 0.005)
    assert np.all(np.abs(laplace - exact) > 0.03)
