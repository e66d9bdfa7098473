"""FCML Figs 1.12–1.13: games up to 1976 train, later ones validate.

Training loss falls with every order; the loss on later games says that the line is best.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save, whole_numbers

from suffice.bases import Polynomial
from suffice.datasets import olympic_100m_men
from suffice.linear import LinearRegression

men = olympic_100m_men()
seen = men.X[:, 0] < 1980
orders = range(9)
fits = [LinearRegression(basis=Polynomial(k)).fit(men.X[seen], men.y[seen]) for k in orders]
train = [np.mean((men.y[seen] - f.predict(men.X[seen])) ** 2) for f in fits]
valid = [np.mean((men.y[~seen] - f.predict(men.X[~seen])) ** 2) for f in fits]

fig, axes = figure(1, 3, size=(13, 3.8))
axes[0].plot(orders, train, "o-")
axes[0].set(xlabel="order", ylabel="mean squared loss", title="Training loss always falls …")
axes[1].plot(orders, np.log(valid), "o-", color=ORANGE)
best = int(np.argmin(valid))
axes[1].plot(best, np.log(valid[best]), "o", ms=11, mfc="none", color=INK, label=f"best: order {best}")
axes[1].set(xlabel="order", ylabel="log validation loss", title="… the loss on later games does not")
axes[1].legend()
for ax in axes[:2]:
    whole_numbers(ax)

years = np.linspace(1892, 2010, 300)[:, None]
for k, style in ((1, "-"), (4, "--"), (8, ":")):
    axes[2].plot(years, fits[k].predict(years), style, color=GREY if k > 1 else BLUE, label=f"order {k}")
axes[2].scatter(men.X[seen], men.y[seen], s=18, color=INK, label="training", zorder=5)
axes[2].scatter(men.X[~seen], men.y[~seen], s=26, color=ORANGE, marker="s", label="validation", zorder=5)
axes[2].set(
    xlabel="year", ylabel="seconds", ylim=(8.6, 12.4), title="Orders 4 and 8 leave the future at once"
)
axes[2].legend(loc="lower left", ncols=2)
save(fig, __file__)
