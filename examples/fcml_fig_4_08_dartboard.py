"""FCML Fig. 4.8: a dartboard, and probabilities that are easy to sample and hard to integrate.

Left: throws at treble 20 with a spread of 20 mm. Middle: the estimate of P(double 20) for a player who aims there
settles as throws are added. Right: points to be expected of one throw. Treble 20 is best for those who throw well; its
neighbors are 5 and 1, so that others do better at treble 19, and the worst at the middle.
"""

import numpy as np
from _figure import BLUE, GOLD, INK, ORANGE, PINK, band, figure, save
from matplotlib.colors import ListedColormap

from suffice.distributions import MultivariateNormal
from suffice.inference import dart_score, monte_carlo
from suffice.inference.sampling.darts import RADII, SEGMENTS


def at(number, radius):
    """The middle of a segment at some distance."""
    turn = np.radians(18 * SEGMENTS.index(number))
    return np.array([radius * np.sin(turn), radius * np.cos(turn)])


fig, (board, settling, aims) = figure(1, 3, size=(17, 5.3))
turn, radius = np.meshgrid(np.radians(np.arange(-9, 352)), np.r_[0, RADII])
ring, odd = np.indices((6, 360))[0], np.arange(360) // 18 % 2
shade = np.choose(ring, [2, 3, odd, 2 + odd, odd, 2 + odd])
colors = ListedColormap(["#3b4350", "#f7f3e8", "#e08a7d", "#8dbf9c"])
board.pcolormesh(radius * np.sin(turn), radius * np.cos(turn), shade, cmap=colors)
for number in SEGMENTS:
    board.text(*at(number, 182), str(number), ha="center", va="center", fontsize=9, color=INK)
throws = MultivariateNormal(at(20, 103), 20**2 * np.eye(2)).sample(150, np.random.default_rng(4))
board.plot(*throws.T, "o", color=BLUE, markersize=4, markeredgecolor="white", markeredgewidth=0.5)
board.set(aspect="equal", xlim=(-192, 192), ylim=(-192, 192))
board.axis("off")
board.set_title(f"150 throws at treble 20: {dart_score(*throws.T).mean():.1f} points each")

aimed = MultivariateNormal(at(20, 166), 20**2 * np.eye(2))
found = monte_carlo(lambda x: dart_score(*x.T) == 40, aimed, 50_000, rng=3)
reach = 1.96 * found.running_error
band(settling, found.counts, found.running - reach, found.running + reach, "± 1.96 standard errors")
settling.plot(found.counts, found.running, color=BLUE, label="share of throws")
settling.set(xscale="log", xlim=(10, found.n), ylim=(0, 0.4), xlabel="throws", ylabel="P(double 20)")
settling.set_title("Aimed at, with 20 mm: {:.4f} in [{:.4f}, {:.4f}]".format(found.estimate, *found.interval))
settling.legend()

spreads, unit = np.arange(1, 81), np.random.default_rng(0).standard_normal((20_000, 2))
places = {"treble 20": at(20, 103), "treble 19": at(19, 103), "bull's-eye": at(20, 0), "14": at(14, 60)}
for (name, aim), color in zip(places.items(), (ORANGE, BLUE, PINK, GOLD), strict=True):
    places[name] = np.array([dart_score(*(aim + s * unit).T).mean() for s in spreads])
    aims.plot(spreads, places[name], color=color, label=name)
change = spreads[np.argmax(places["treble 19"] > places["treble 20"])]
aims.axvline(change, color=INK, linewidth=0.9, linestyle=":")
aims.set(xlabel="spread of a throw (mm)", ylabel="points per throw", xlim=(0, 80), ylim=(0, 62))
aims.set_title(f"Where to aim: treble 20 below {change} mm")
aims.legend()
save(fig, __file__)
