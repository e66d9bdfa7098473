"""Metropolis–Hastings: the right limit, one answer whatever runs it, and errors that say what to do."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit
from scipy import stats

from suffice._core.errors import InvalidInput, InvalidParameter, NotConverged, Unsupported
from suffice.distributions import Gamma, MultivariateNormal, Normal, Uniform
from suffice.inference import metropolis_hastings, monte_carlo, quadrature
from suffice.inference.sampling._walk import best_rate, windows

S = np.array([[3.0, 0.4], [0.4, 3.0]])
P = np.linalg.inv(S)


def normal(x):
    return -0.5 * (x - 1) @ P @ (x - 1)


def normal_rows(X):
    return -0.5 * np.einsum("ni,ij,nj->n", X - 1, P, X - 1)


@njit
def skewed(x):
    """Log of a Gumbel and a normal that leans on it."""
    return -x[0] - np.exp(-x[0]) - 0.5 * (x[1] - 0.5 * x[0]) ** 2


def within_error(found, truth, of=lambda x: x):
    """Four Monte Carlo standard errors."""
    mean, error = found.expectation(of)
    return np.all(np.abs(mean - truth) < 4 * error)


@pytest.mark.filterwarnings("ignore::suffice._core.errors.NotConverged")
def test_compiled_vectorized_and_plain_give_the_same_draws():
    ways = [
        metropolis_hastings(skewed, [0.0, 0.0], 300, random_state=1),
        metropolis_hastings(skewed.py_func, [0.0, 0.0], 300, random_state=1),
        metropolis_hastings(
            lambda X: np.array([skewed.py_func(x) for x in X]),
            [0.0, 0.0],
            300,
            vectorized=True,
            random_state=1,
        ),
    ]
    for other in ways[1:]:
        np.testing.assert_allclose(other.draws, ways[0].draws, rtol=1e-12)
        np.testing.assert_allclose(other.log_density, ways[0].log_density, rtol=1e-12)
        assert np.array_equal(other.accepted, ways[0].accepted)


def test_moments_are_those_of_quadrature():
    exact = quadrature(lambda x: skewed.py_func(x), [0.0, 0.0])
    found = metropolis_hastings(skewed, [0.0, 0.0], 20_000, random_state=2)
    assert within_error(found, exact.mean)
    second = exact.expectation(lambda x: np.array([x[0] ** 2, x[0] * x[1], x[1] ** 2]))
    assert within_error(
        found, second, lambda x: np.column_stack([x[:, 0] ** 2, x[:, 0] * x[:, 1], x[:, 1] ** 2])
    )


def test_marginals_are_those_of_the_density():
    found = metropolis_hastings(skewed, [0.0, 0.0], 25_000, thin=20, random_state=3)
    assert found.n_draws == 25_000
    some = found.flat[::10, 0]
    assert stats.kstest(some, stats.gumbel_r.cdf).pvalue > 0.01


def test_the_random_walk_is_adapted_to_the_density():
    """Coordinates of very different size, nearly on a line."""
    R = np.array([[1.0, 0.99], [0.99, 1.0]])
    scale = np.array([1e-2, 1e3])
    H = np.linalg.inv(R * np.outer(scale, scale))
    found = metropolis_hastings(lambda x: -0.5 * x @ H @ x, [0.0, 0.0], 5000, burn_in=2000, random_state=0)
    assert np.all(np.abs(found.acceptance_rate - best_rate(2)) < 0.1)
    assert found.ess.min() > 1000
    assert within_error(found, [0.0, 0.0])


def test_nothing_is_adapted_after_burn_in():
    """The steps that are proposed have one covariance from the first draw to the last."""
    found = metropolis_hastings(normal, [0.0, 0.0], 4000, keep_proposals=True, random_state=0)
    before = np.concatenate([found.proposed[:, :1], found.draws[:, :-1]], axis=1)
    steps = (found.proposed - before)[:, 1:]
    early, late = (np.cov(part.reshape(-1, 2).T) for part in (steps[:, :2000], steps[:, 2000:]))
    np.testing.assert_allclose(early, late, rtol=0.15, atol=0.15)


def test_the_texts_sampler():
    """A covariance that stays: accepted draws are the proposals, rejected ones repeat the draw before."""
    found = metropolis_hastings(
        normal,
        [0.0, 0.0],
        3000,
        proposal=np.eye(2),
        adapt=False,
        keep_proposals=True,
        burn_in=0,
        random_state=0,
    )
    took = found.accepted
    assert np.array_equal(found.draws[took], found.proposed[took])
    later = ~took[:, 1:]
    assert np.array_equal(found.draws[:, 1:][later], found.draws[:, :-1][later])
    steps = found.proposed[:, 1:] - found.draws[:, :-1]
    np.testing.assert_allclose(np.cov(steps.reshape(-1, 2).T), np.eye(2), atol=0.06)
    assert found.log_density == pytest.approx(normal_rows(found.flat).reshape(4, -1))


# -- any proposal --------------------------------------------------------------------------------------------------
def test_an_asymmetric_proposal_is_corrected():
    """A multiplicative walk on x > 0; without the correction its mean would be far off."""
    target = Gamma(3.0, 2.0)
    found = metropolis_hastings(
        lambda x: float(target.log_prob(x[0])),
        [1.0],
        2500,
        proposal=lambda x: Gamma(4.0, 4.0 / x),
        random_state=0,
    )
    assert within_error(found, [1.5])
    assert within_error(found, [3.0], lambda x: x**2)
    uncorrected = found.proposed is None
    assert uncorrected


def test_an_independent_proposal():
    found = metropolis_hastings(
        normal,
        [0.0, 0.0],
        400,
        burn_in=5,
        proposal=lambda x: MultivariateNormal([1.0, 1.0], 2 * S),
        random_state=0,
    )
    assert within_error(found, [1.0, 1.0])
    assert found.ess.min() > 500


def test_a_proposal_out_of_the_support_is_not_taken():
    found = metropolis_hastings(
        lambda x: 0.0 if 0 < x[0] < 1 else -np.inf,
        0.5,
        1500,
        proposal=lambda x: Uniform(x - 1, x + 1),
        random_state=1,
    )
    assert found.flat.min() > 0
    assert found.flat.max() < 1
    assert within_error(found, [0.5])


SHORT = pytest.mark.filterwarnings("ignore::suffice._core.errors.NotConverged")


# -- chains ---------------------------------------------------------------------------------------------------------
@SHORT
def test_chains_have_streams_of_their_own():
    found = metropolis_hastings(normal, [0.0, 0.0], 200, random_state=0)
    assert len(np.unique(found.draws[:, -1], axis=0)) == 4
    fewer = metropolis_hastings(
        normal, [0.0, 0.0], 200, n_chains=2, proposal=np.eye(2), adapt=False, random_state=0
    )
    more = metropolis_hastings(
        normal, [0.0, 0.0], 200, n_chains=5, proposal=np.eye(2), adapt=False, random_state=0
    )
    assert np.array_equal(more.draws[:2], fewer.draws)


def test_a_seed_repeats_and_blocks_do_not_show():
    a, b = (
        metropolis_hastings(normal_rows, [0.0, 0.0], 5000, vectorized=True, random_state=7) for _ in range(2)
    )
    assert np.array_equal(a.draws, b.draws)
    thinned = metropolis_hastings(normal_rows, [0.0, 0.0], 1000, thin=5, vectorized=True, random_state=7)
    assert np.array_equal(thinned.draws, a.draws[:, 4::5])


@SHORT
def test_progress_is_told():
    told = []
    metropolis_hastings(normal, [0.0, 0.0], 3000, random_state=0, progress=lambda *steps: told.append(steps))
    assert told == sorted(told)
    assert told[-1] == (4000, 4000)
    assert len(told) > 5


def test_windows_use_all_steps():
    for steps in (0, 1, 24, 25, 60, 1000, 12345):
        assert sum(windows(steps)) == steps


# -- what is wrong ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "given, message",
    [
        ({"n_draws": 0}, "n_draws must be an integer >= 1; got 0"),
        ({"n_chains": 1.5}, "n_chains must be an integer >= 1; got 1.5"),
        ({"burn_in": -1}, "burn_in must be an integer >= 0"),
        ({"thin": True}, "thin must be an integer >= 1; got True"),
        ({"start": np.zeros((3, 2))}, "one for each of 4 chains"),
        ({"start": [np.nan, 0.0]}, r"start must be finite; got \[nan, 0.0\]"),
        ({"proposal": np.eye(3)}, r"proposal must be a 2 × 2 covariance"),
        ({"proposal": [[1.0, 2.0], [0.0, 1.0]]}, "symmetric"),
        ({"adapt": False}, "needs a covariance"),
        ({"log_density": 3.0}, "log_density must be a function"),
        ({"names": ["a"]}, "names must be 2 different names"),
        ({"proposal": lambda x: 1.0}, "proposal must give a Distribution"),
        ({"proposal": lambda x: Normal(x[0], 1.0)}, "proposal must give 2 coordinates"),
        ({"names": "ab"}, "names must be 2 different names; got 'ab'"),
    ],
)
def test_bad_settings(given, message):
    settings = {"log_density": normal, "start": [0.0, 0.0], "n_draws": 50, "random_state": 0} | given
    with pytest.raises(InvalidParameter, match=message):
        metropolis_hastings(settings.pop("log_density"), settings.pop("start"), **settings)


def test_bad_densities():
    with pytest.raises(InvalidInput, match=r"log_density gave nan at \[.*\]; it must be a number"):
        metropolis_hastings(lambda x: np.nan if x[0] < 0 else -x[0], [1.0], 500, random_state=0, proposal=1.0)
    with pytest.raises(InvalidInput, match=r"log_density gave nan at \[-.*\]; it must be a number"):
        metropolis_hastings(njit(lambda x: np.nan if x[0] < 0 else -x[0]), [1.0], 500, random_state=0)
    with pytest.raises(InvalidInput, match="density is zero at the start of chain 2"):
        metropolis_hastings(lambda x: 0.0 if x[0] < 1 else -np.inf, [[0.0], [0.5], [2.0]], 10, n_chains=3)
    with pytest.raises(InvalidInput, match="one number per row"):
        metropolis_hastings(lambda X: 0.0, [0.0], 10, vectorized=True)
    with pytest.raises(InvalidInput, match="log_density gave nan"):
        metropolis_hastings(njit(lambda x: np.sqrt(x[0])), [-1.0], 10)


@SHORT
def test_a_proposal_that_cannot_come_back_is_never_taken():
    found = metropolis_hastings(
        lambda x: 0.0,
        [0.5],
        100,
        burn_in=0,
        n_chains=1,
        proposal=lambda x: Uniform(x + 0.1, x + 1),
        random_state=0,
    )
    assert not found.accepted.any()


def test_a_chain_that_does_not_mix_says_so():
    with pytest.warns(NotConverged):
        metropolis_hastings(
            lambda x: float(np.logaddexp(-0.5 * (x[0] + 20) ** 2, -0.5 * (x[0] - 20) ** 2)),
            [[-20.0], [20.0]], 300, n_chains=2, random_state=0,
        )  # fmt: skip


# -- what a stranger tried ---------------------------------------------------------------------------------------
def _shrunk(x):
    x *= 0.5
    return -0.5 * (x**2).sum()


def _shrunk_rows(X):
    X *= 0.5
    return -0.5 * (X**2).sum(axis=1)


@pytest.mark.parametrize(
    "density, vectorized", [(_shrunk, False), (njit(_shrunk), False), (_shrunk_rows, True)]
)
def test_a_density_may_write_on_what_it_is_given(density, vectorized):
    found = metropolis_hastings(density, [0.0, 0.0], 4000, vectorized=vectorized, random_state=0)
    assert found.std == pytest.approx([2.0, 2.0], rel=0.1)


def test_a_number_may_come_in_an_array():
    found = metropolis_hastings(lambda x: -0.5 * x**2, 0.0, random_state=0)
    assert found.std == pytest.approx([1.0], rel=0.1)
    with pytest.raises(InvalidInput, match=r"log_density must give one number; at \[0.0\] it gave 'a'"):
        metropolis_hastings(lambda x: "a", 0.0)
    with pytest.raises(InvalidInput, match="must give one number"):
        metropolis_hastings(lambda x: x, [0.0, 0.0])


@SHORT
def test_coordinates_may_be_proposed_each_by_itself():
    target = Gamma(3.0, 2.0)
    found = metropolis_hastings(
        lambda x: float(target.log_prob(x).sum()),
        [1.0, 1.0],
        1000,
        proposal=lambda x: Gamma(9.0, 9.0 / x),
        random_state=0,
    )
    assert within_error(found, [1.5, 1.5])


def test_compiled_functions_of_another_kind():
    for other in (njit(lambda x, y: 0.0), njit(lambda x: x)):
        with pytest.raises(InvalidParameter, match="must take one vector of float64 and give one number"):
            metropolis_hastings(other, [0.0])


def test_chains_are_not_drawn_from_again():
    found = metropolis_hastings(normal_rows, [0.0, 0.0], vectorized=True, random_state=0)
    with pytest.raises(Unsupported, match=r"use .expectation\(f\)"):
        monte_carlo(lambda x: x[:, 0], found, 1000)


def test_defaults_suffice_for_a_few_dimensions():
    """No warning in any of eight runs."""
    for seed in range(8):
        metropolis_hastings(normal_rows, [0.0, 0.0], vectorized=True, random_state=seed)
