"""FCML Figs 1.1, 1.4–1.7: least squares on three points, then on the Olympic 100 m.

The predictions for 2012 and 2016 are the text's 9.595 and 9.541 seconds.
"""

import numpy as np
from _figure import BLUE, GREY, ORANGE, figure, points, save

from suffice.datasets import olympic_100m_men, olympic_100m_women, three_points
from suffice.linear import LinearRegression

toy, men, women = three_points(), olympic_100m_men(), olympic_100m_women()
fig, axes = figure(2, 2)
years = np.linspace(1892, 2020, 2)[:, None]

fit = LinearRegression().fit(toy.X, toy.y)
x = np.linspace(0, 6, 2)[:, None]
axes[0, 0].plot(x, fit.predict(x), label=f"t = {fit.intercept_:.1f} + {fit.coef_[0]:.1f} x")
points(axes[0, 0], toy)
axes[0, 0].set(title="Three points, one line: by hand and by machine", xlabel="x", ylabel="t")

fit = LinearRegression().fit(men.X, men.y)
for ax in (axes[0, 1], axes[1, 0]):
    ax.plot(years, fit.predict(years), label=f"t = {fit.intercept_:.3f} − {-fit.coef_[0]:.4f} year")
    points(ax, men, "winning time, men")
    ax.set(xlabel="year", ylabel="seconds")
axes[0, 1].set_title("A century of faster men: 0.013 s a year")

ahead = np.array([[2012.0], [2016.0]])
axes[1, 0].scatter(ahead, fit.predict(ahead), color=ORANGE, marker="D", zorder=6, label="predicted")
for year, seconds in zip(ahead[:, 0], fit.predict(ahead), strict=True):
    axes[1, 0].annotate(
        f"{seconds:.3f} s", (year, seconds), (-6, -14), textcoords="offset points", ha="right"
    )
axes[1, 0].set(xlim=(1978, 2020), ylim=(9.4, 10.35), title="What the line says about 2012 and 2016")

fit_women = LinearRegression().fit(women.X, women.y)
axes[1, 1].plot(years, fit.predict(years), color=GREY, label="men's line")
axes[1, 1].plot(years[:, 0], fit_women.predict(years), color=BLUE, label="women's line")
points(axes[1, 1], women, "winning time, women")
axes[1, 1].set(xlabel="year", ylabel="seconds", title="Women: slower, and gaining faster")
for ax in axes.flat:
    ax.legend()
save(fig, __file__)
