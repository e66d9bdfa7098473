"""FCML Figs 3.18–3.22: a prior over lines meets the Olympic data, game by game.

x = (year − 1896)/4, prior N(0, diag(100, 5)). With noise variance 10 the posterior stays wide after 27 games;
with 0.05 it is a pin. Top: 50, 90 and 99 % of the weights' distribution. Bottom: six lines drawn from it.
"""

import numpy as np
from _figure import BLUE, GREY, INK, density, figure, save

from suffice.datasets import olympic_100m_men
from suffice.distributions import MultivariateNormal
from suffice.linear import BayesianLinearRegression

men = olympic_100m_men()
X = (men.X - 1896) / 4
prior_cov = np.diag([100.0, 5.0])
stages = {
    "Before the data": (0, 10.0),
    "After 1 game": (1, 10.0),
    "After 5 games": (5, 10.0),
    "After all 27": (27, 10.0),
    "… with noise 0.05": (27, 0.05),
}
grid = np.linspace(-1, 30, 2)[:, None]

fig, axes = figure(2, len(stages), size=(15, 6))
for top, bottom, (title, (n, variance)) in zip(*axes, stages.items(), strict=True):
    model = BayesianLinearRegression(
        1.0, noise_precision=1 / variance, prior_cov=prior_cov, intercept="prior"
    )
    weights = MultivariateNormal(np.zeros(2), prior_cov)
    if n:
        weights = model.fit(X[:n], men.y[:n]).posterior_
    reach = 3.6 * weights.std
    a, b = (np.linspace(m - r, m + r, 120) for m, r in zip(weights.mean, reach, strict=True))
    density(top, weights, a, b)
    top.plot(*weights.mean, "+", color=INK)
    top.locator_params(nbins=4)
    top.set(title=title, xlabel="w₀, seconds", ylabel="w₁, seconds per games")

    lines = model.sample_functions(6, random_state=1)(grid)
    bottom.plot(grid, lines.T, color=BLUE, alpha=0.6, linewidth=1)
    bottom.scatter(X[n:], men.y[n:], s=12, facecolors="none", edgecolors=GREY, label="not yet seen")
    bottom.scatter(X[:n], men.y[:n], s=14, color=INK, zorder=5, label="seen")
    bottom.set(xlabel="x, games since 1896", ylabel="seconds", ylim=(0, 22) if variance == 10 else (9, 12.5))
axes[1, 2].legend(loc="lower right")
save(fig, __file__)
