"""FCML Fig. 3.5: what the shape of a belief about the coin says.

Left, the coin favours heads, surely; middle, it may be almost anything; right, it favours tails, perhaps. The
shaded intervals hold 95 %. The text does not print the parameters; with these the mean alone hides how sure
each belief is. Above each stands the probability of winning the game, averaged over the belief.
"""

from _figure import BLUE, GREEN, GREY, ORANGE, figure, save

from suffice import plots
from suffice.distributions import Beta
from suffice.distributions.coin_game import CoinGame

fig, axes = figure(1, 3, size=(13, 3.8), sharey=True)
beliefs = {
    "Heads, surely": (Beta(70, 18), BLUE),
    "Almost anything": (Beta(1.6, 1.4), ORANGE),
    "Tails, perhaps": (Beta(4, 8), GREEN),
}
for ax, (name, (belief, color)) in zip(axes, beliefs.items(), strict=True):
    low, high = belief.interval(0.95)
    plots.density(belief, color=color, x="r", ax=ax)
    ax.axvline(belief.mean, color=GREY, linestyle="--", linewidth=1)
    ax.annotate(f"r in [{low:.2f}, {high:.2f}]", (0.03, 0.9), xycoords="axes fraction", color=color)
    ax.set(xlim=(0, 1), ylim=(0, 10.5))
    ax.set_title(f"{name}: P(win) = {CoinGame().expected_win(belief):.2f}")
for ax in axes[1:]:
    ax.set_ylabel("")
save(fig, __file__)
