"""FCML Figs. 3.4 and 3.6–3.14: three beliefs about a coin, toss by toss.

Columns: nothing is known, the coin is fair, the coin is biased. Rows: the belief before the tosses and after
1, 5, 10 and 20; its mean and spread after each toss, which may grow when a toss surprises; the probability
of winning, averaged over the belief and at its mean; the belief after 100 and 1,000 tosses of a coin with
r = 0.7 (the text does not print its sequence).
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, ORANGE, band, figure, save, whole_numbers

from suffice import plots
from suffice.distributions.coin_game import CUSTOMERS, SCENARIOS, CoinGame, evolution, heads

fig, axes = figure(4, 3, size=(13, 12.5))
game, tosses, n = CoinGame(), heads(CUSTOMERS), np.arange(len(CUSTOMERS) + 1)
many = (np.random.default_rng(3).random(1000) < 0.7).astype(int)
for column, (name, prior) in zip(axes.T, SCENARIOS.items(), strict=True):
    beliefs = evolution(prior, tosses)
    shown = [0, 1, 5, 10, 20]
    labels = ["prior", *(f"{k}" for k in shown[1:-1]), "20 tosses"]
    plots.posterior_evolution([beliefs[k] for k in shown], labels=labels, x="r", ax=column[0])
    column[0].set(xlim=(0, 1))
    column[0].set_title(f"{name.capitalize()}: Beta({prior.a:g}, {prior.b:g})\n", fontsize=12)
    column[1].plot(n, beliefs.mean, "o-", color=BLUE, markersize=3.5, label="mean")
    band(column[1], n, beliefs.mean - beliefs.std, beliefs.mean + beliefs.std, "± one standard deviation")
    rises = np.flatnonzero(np.diff(beliefs.var) > 0) + 1
    column[1].plot(rises, beliefs.mean[rises], "o", color=ORANGE, label="less sure than before")
    column[1].set(xlabel="tosses", ylabel="r", ylim=(0.2, 1.02))
    column[2].plot(n, game.expected_win(beliefs), color=BLUE, label="averaged over the belief")
    column[2].plot(
        n, game.plug_in_win(beliefs), color=GREY, linestyle="--", label="at the mean of the belief"
    )
    column[2].axhline(game.stake / game.payoff, color=ORANGE, linewidth=1, label="worth playing above")
    column[2].set(xlabel="tosses", ylabel="P(win)", ylim=(0, 1))
    for k, color in ((100, GREEN), (1000, BLUE)):
        label = f"{k:,} tosses"
        plots.density(prior.posterior(many[:k]), interval=None, label=label, color=color, x="r", ax=column[3])
    column[3].axvline(0.7, color=GREY, linestyle=":")
    column[3].set(xlim=(0.5, 0.85), ylim=(0, 30))
for ax in axes[1:3].flat:
    whole_numbers(ax)
axes[1, 1].legend(loc="upper right")
axes[2, 2].legend(loc="upper right")
save(fig, __file__)
