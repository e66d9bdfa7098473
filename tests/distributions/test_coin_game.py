"""The coin game: beliefs toss by toss, and what the text says about them."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput
from suffice.distributions import Beta, coin_game
from suffice.distributions.coin_game import CUSTOMERS, SCENARIOS, CoinGame, evolution, heads

GAME = CoinGame()


def test_evolution_is_the_posterior_of_each_prefix():
    tosses = heads(CUSTOMERS)
    for prior in SCENARIOS.values():
        beliefs = evolution(prior, tosses)
        for n in (0, 1, 7, 20):
            assert beliefs[n] == prior.posterior(tosses[:n])


def rises(prior):
    return (np.flatnonzero(np.diff(evolution(prior, heads(CUSTOMERS)).var) > 0) + 1).tolist()


def test_a_surprise_makes_less_sure():
    assert rises(SCENARIOS["no knowledge"]) == [7]
    assert rises(SCENARIOS["fair coin"]) == []
    assert rises(SCENARIOS["biased coin"]) == [2, 7, 8, 9, 13, 14]


def test_evidence_ranks_the_scenarios():
    evidence = {name: prior.log_evidence(14, n=20) for name, prior in SCENARIOS.items()}
    assert sorted(evidence, key=evidence.get) == ["fair coin", "no knowledge", "biased coin"]


def test_plug_in_is_surer_but_not_by_a_law():
    beliefs = evolution(SCENARIOS["no knowledge"], heads(CUSTOMERS))
    gap = np.abs(GAME.expected_win(beliefs) - GAME.plug_in_win(beliefs))
    assert gap[[2, 7, 9]] == pytest.approx([0.1428, 0.0041, 0.0685], abs=5e-5)


def test_priors_are_forgotten_at_their_own_pace():
    tosses = np.random.default_rng(0).random(1000) < 0.7
    grid = np.linspace(0, 1, 2001)

    def distance(a, b, n):
        p, q = (SCENARIOS[name].posterior(tosses[:n].astype(int)).prob(grid) for name in (a, b))
        return 0.5 * np.sum(np.abs(p - q)) * (grid[1] - grid[0])

    near = [distance("no knowledge", "biased coin", n) for n in (100, 1000)]
    far = [distance("no knowledge", "fair coin", n) for n in (100, 1000)]
    assert near[1] < near[0] < 0.2
    assert far[1] < far[0]
    assert far[1] > 5 * near[1]


def test_rules_can_change():
    assert CoinGame(tosses=1, most_heads=0).win(0.3) == pytest.approx(0.7)
    assert CoinGame(stake=3.0, payoff=6.0).profit(0.5) == 0.0
    assert GAME.win([0.5, 0.9]).shape == (2,)
    assert GAME.expected_win(Beta(5e8, 5e8)) == pytest.approx(GAME.win(0.5), rel=1e-7)


def test_bad_input():
    with pytest.raises(InvalidInput, match="tosses must be H and T; got 'x'"):
        coin_game.heads("HTx")
