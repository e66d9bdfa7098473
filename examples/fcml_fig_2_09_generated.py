"""FCML Figs 2.2 and 2.9: generate data from the model and compare with the real thing.

The line alone makes points no one would believe; adding Normal noise of variance 0.05 makes games like ours.
"""

import numpy as np
from _figure import GREY, ORANGE, figure, save

from suffice.datasets import olympic_100m_men
from suffice.distributions import Normal
from suffice.linear import LinearRegression

men = olympic_100m_men()
fit = LinearRegression().fit(men.X, men.y)
inside = (men.X[:, 0] >= 1920) & (men.X[:, 0] <= 2000)
years = np.arange(1920, 2001, 4.0)
line = fit.predict(years[:, None])
drawn = Normal(line, np.sqrt(0.05)).sample(rng=1)

fig, axes = figure(1, 2, sharey=True)
titles = ("The line alone is too tidy to be true", "The line plus noise could be a century of races")
for ax, made, title in zip(axes, (line, drawn), titles, strict=True):
    ax.plot(years, line, color=GREY, linewidth=1.2, label="the fitted line")
    ax.scatter(men.X[inside], men.y[inside], s=20, facecolors="none", edgecolors=GREY, label="what happened")
    ax.scatter(years, made, s=24, color=ORANGE, zorder=5, label="generated")
    ax.set(xlabel="year", ylabel="seconds", title=title)
    ax.legend()
save(fig, __file__)
