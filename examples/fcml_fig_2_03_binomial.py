"""FCML Figs. 2.3, 3.1 and 3.2: how many heads, for three coins.

Fifty tosses with q = 0.7; ten tosses of a fair coin, with the six heads or fewer that win the game shaded;
ten tosses of a coin that almost always lands heads, with which one should not play.
"""

import numpy as np
from _figure import BLUE, GREY, figure, save, whole_numbers

from suffice.distributions import Binomial
from suffice.distributions.coin_game import CoinGame

fig, axes = figure(1, 3, size=(13, 3.6))
game = CoinGame()
cases = [
    (Binomial(50, 0.7), "Fifty tosses, q = 0.7"),
    (Binomial(10, 0.5), f"Fair coin: P(win) = {game.win(0.5):.4f}"),
    (Binomial(10, 0.9), f"r = 0.9: P(win) = {game.win(0.9):.4f}"),
]
for ax, (d, title) in zip(axes, cases, strict=True):
    y = np.arange(d.n + 1)
    wins = (y <= game.most_heads) | (d.n > 10)
    ax.bar(y, d.prob(y), width=0.8, color=np.where(wins, BLUE, GREY))
    ax.set(xlabel="heads y", ylabel="P(y)", title=title)
    ax.grid(axis="x", visible=False)
    whole_numbers(ax)
save(fig, __file__)
