"""FCML Fig. 2.1: what the line leaves over. The errors look like draws from one Normal distribution.

Left: the residuals of the men's 100 m. Right: their histogram and the Normal that maximum likelihood fits,
with variance 0.0503; 1896 sits far in its tail.
"""

import numpy as np
from _figure import BLUE, GREY, ORANGE, figure, points, save

from suffice.datasets import olympic_100m_men
from suffice.distributions import Normal
from suffice.linear import LinearRegression

men = olympic_100m_men()
fit = LinearRegression().fit(men.X, men.y)
residuals = men.y - fit.predict(men.X)

fig, (left, right) = figure(1, 2)
years = np.array([[1892.0], [2012.0]])
left.plot(years, fit.predict(years), label="least squares")
left.vlines(men.X[:, 0], fit.predict(men.X), men.y, color=ORANGE, linewidth=1.3, label="residuals")
points(left, men)
left.set(xlabel="year", ylabel="seconds", title="No line passes through every point …")
left.legend()

noise = Normal(0.0, np.sqrt(fit.noise_variance_ml_))
grid = np.linspace(-0.9, 0.9, 200)
right.hist(
    residuals, bins=np.arange(-0.9, 0.91, 0.1), density=True, color=GREY, alpha=0.45, label="residuals"
)
right.plot(residuals, np.full_like(residuals, -0.05), "|", color=ORANGE, markersize=9)
right.plot(grid, noise.prob(grid), color=BLUE, label=f"N(0, {fit.noise_variance_ml_:.4f})")
right.annotate("1896", (residuals[0], 0.1), (0, 18), textcoords="offset points", ha="center")
right.set(xlabel="residual, seconds", ylabel="density", title="… so the rest is modelled as Normal noise")
right.legend()
save(fig, __file__)
