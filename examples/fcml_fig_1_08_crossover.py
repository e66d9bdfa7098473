"""FCML Fig. 1.8: extrapolate two lines far enough and they cross.

The text stops at the games of 2592. The bands, which it does not draw, hold the mean of 95 % of such fits if
straight lines were true for ever, which nothing in the data supports. Nor do the slopes differ significantly:
`crossover` finds no bound for the crossing at 95 %.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, band, figure, points, save

from suffice.datasets import olympic_100m_men, olympic_100m_women
from suffice.linear import LinearRegression, crossover

men, women = olympic_100m_men(), olympic_100m_women()
fits = {"men": LinearRegression().fit(men.X, men.y), "women": LinearRegression().fit(women.X, women.y)}
years = np.linspace(1890, 2750, 200)[:, None]

fig, ax = figure(size=(7.5, 4.2))
for (name, fit), data, color in zip(fits.items(), (men, women), (BLUE, ORANGE), strict=True):
    ax.plot(
        years,
        fit.predict(years),
        color=color,
        label=f"{name}: {fit.intercept_:.2f} − {-fit.coef_[0]:.4f} year",
    )
    band(ax, years, *fit.predict_dist(years, noise=False).interval(0.95), color=color)
    points(ax, data, None, color=color, s=14)

crossing = crossover(fits["men"], fits["women"])
cross, games = crossing.x, int(crossing.next_multiple(4))
print(crossing)  # the slopes do not differ significantly, so the crossing has no bound
ax.axvline(games, color=GREY, linestyle="--", linewidth=1)
ax.annotate(
    f"lines cross in {cross:.0f};\nnext games {games}, {crossing.values_at(games)[0]:.2f} s",
    (cross, crossing.y),
    (2320, 9.5),
    ha="left",
    color=INK,
    arrowprops={"arrowstyle": "->", "color": INK},
)
ax.axhline(0, color=INK, linewidth=0.8)
ax.set(xlabel="year", ylabel="seconds", ylim=(-2, 13), xlim=(1890, 2750))
ax.set_title("Lines know no limits: women overtake men in 2592, under two seconds")
ax.legend(title="least squares, 95 % bands", alignment="left", loc="lower left")
save(fig, __file__)
