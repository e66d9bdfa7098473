"""FCML Fig. 2.16: lines drawn from N(ŵ, cov{ŵ}), ten models that the Olympic data find equally plausible.

The text plugs the maximum-likelihood variance into cov{ŵ}; so do we here.
"""

import numpy as np
from _figure import BLUE, INK, figure, points, save

from suffice.datasets import olympic_100m_men
from suffice.distributions import MultivariateNormal
from suffice.linear import LinearRegression

men = olympic_100m_men()
fit = LinearRegression.book("fcml").fit(men.X, men.y)
weights = MultivariateNormal(np.append(fit.intercept_, fit.coef_), fit.cov_params_)
drawn = weights.sample(10, rng=5)

fig, ax = figure(size=(7, 4))
years = np.array([1880.0, 2030.0])
ax.plot(years, (drawn[:, :1] + drawn[:, 1:] * years).T, color=BLUE, alpha=0.45, linewidth=1.1)
ax.plot([], [], color=BLUE, alpha=0.6, label="ten draws of the weights")
ax.plot(years, fit.predict(years[:, None]), color=INK, linewidth=1.6, label="least squares")
points(ax, men, "winning time, men")
spread = np.ptp(drawn @ np.array([[1, 1], [1950, 2030]]), axis=0)
note = f"the ten span {spread[0]:.2f} s in 1950 and {spread[1]:.2f} s in 2030"
ax.text(0.02, 0.05, note, transform=ax.transAxes)
ax.set(
    xlabel="year",
    ylabel="seconds",
    title="Plausible lines agree where there are data and part where there are none",
)
ax.legend()
save(fig, __file__)
