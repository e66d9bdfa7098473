r"""The coin game of FCML chapter 3: pay a stake, toss ten times, win if at most six are heads.

Win          P(Y ≤ 6 | r) = Σ_{y ≤ 6} Bin(y | 10, r)                       for a coin known to be r
Expected     E P(Y ≤ 6 | r) = Σ_{y ≤ 6} BetaBin(y | 10, a, b)              for a belief Beta(a, b), eq. 3.10
Plug-in      P(Y ≤ 6 | E r)                                                 for the mean of the belief alone
Return       payoff · P(win), worth playing if it exceeds the stake

Three beliefs before the first toss: nothing is known, the coin is fair, the stall holder cheats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.datasets import coin_tosses
from suffice.distributions.univariate.beta import Beta
from suffice.distributions.univariate.binomial import Binomial

SCENARIOS = {"no knowledge": Beta(1, 1), "fair coin": Beta(50, 50), "biased coin": Beta(5, 1)}
_PLAYED = "".join(np.where(coin_tosses().y == 1, "H", "T"))
QUEUE, CUSTOMERS = _PLAYED[:10], _PLAYED[10:]  # the player in front, §3.1.1; two games watched, §3.3


@record
class CoinGame:
    """The rules: how many tosses, up to how many heads win, what a game costs and what a win pays.

    Examples
    --------
    >>> from suffice.distributions import coin_game
    >>> game = coin_game.CoinGame()
    >>> belief = coin_game.SCENARIOS["no knowledge"].posterior(coin_game.heads(coin_game.CUSTOMERS))
    >>> print(belief, f"{game.expected_win(belief):.4f} {game.plug_in_win(belief):.4f}")
    Beta(a=15, b=7) 0.4047 0.3994
    >>> print(f"{game.win(0.5):.4f} {game.profit(game.win(0.5)):.4f}")
    0.8281 0.6562
    """

    tosses: int = 10
    most_heads: int = 6
    stake: float = 1.0
    payoff: float = 2.0

    def win(self, r: Any) -> Any:
        """P(win) with a coin that shows heads with probability r."""
        return Binomial(self.tosses, r).cdf(self.most_heads)

    def expected_win(self, belief: Beta) -> Any:
        """P(win) averaged over a belief about r."""
        return belief.predictive(n=self.tosses).cdf(self.most_heads)

    def plug_in_win(self, belief: Beta) -> Any:
        """P(win) at the mean of a belief: too sure, as it forgets how uncertain r is."""
        return self.win(belief.mean)

    def returns(self, win: Any) -> Any:
        """Expected return of a game, the stake not taken off."""
        return self.payoff * win

    def profit(self, win: Any) -> Any:
        """Expected return less the stake: play if it is positive."""
        return self.returns(win) - self.stake


def heads(tosses: str) -> np.ndarray:
    """A sequence such as "HTH" as ones and zeros."""
    unknown = set(tosses) - {"H", "T"}
    if unknown:
        raise InvalidInput(f"tosses must be H and T; got {sorted(unknown)[0]!r}.")
    return np.array([toss == "H" for toss in tosses], dtype=int)


def evolution(prior: Beta, tosses: Any) -> Beta:
    """The belief before the first toss and after each: a batch of N + 1.

    Examples
    --------
    >>> from suffice.distributions import Beta, coin_game
    >>> coin_game.evolution(Beta(1, 1), coin_game.heads("HTH"))
    Beta(a=[1., 2., 2., 3.], b=[1., 1., 2., 2.])
    """
    x = np.asarray(tosses, dtype=float)
    seen = np.r_[0.0, np.cumsum(x)]
    return Beta(prior.a + seen, prior.b + np.arange(len(x) + 1) - seen)
