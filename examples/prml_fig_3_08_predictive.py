"""PRML Figs 3.8–3.9: predictions after 1, 2, 4 and 25 points of a sine, and functions drawn from the posterior.

Nine Gaussians, α = 2, β = 1/0.3². Bands are ± one standard deviation of an observation. Without a constant the
band closes to the noise outside the bumps: the model is surest where it knows least.
"""

import numpy as np
from _figure import GREEN, ORANGE, band, figure, save

from suffice.bases import GaussianBasis
from suffice.datasets import sinusoid
from suffice.linear import BayesianLinearRegression

data = sinusoid(25, 0.3, random_state=12)
basis = GaussianBasis(np.linspace(0, 1, 9), width=0.12)
model = BayesianLinearRegression(2.0, noise_precision=1 / 0.3**2, basis=basis, fit_intercept=False)
x = np.linspace(-0.05, 1.05, 300)[:, None]

fig, axes = figure(2, 4, size=(14, 6), sharex=True, sharey=True)
for top, bottom, n in zip(*axes, (1, 2, 4, 25), strict=True):
    model.fit(data.X[:n], data.y[:n])
    d = model.predict_dist(x)
    band(top, x, d.mean - d.std, d.mean + d.std, "± 1 standard deviation", ORANGE)
    top.plot(x, d.mean, color=ORANGE, label="mean")
    bottom.plot(x, model.sample_functions(5, random_state=n)(x).T, color=ORANGE, linewidth=1)
    for ax in (top, bottom):
        ax.plot(x, np.sin(2 * np.pi * x), color=GREEN, linewidth=1.3, label="sin 2πx")
        ax.scatter(data.X[:n], data.y[:n], s=24, color="#1f2933", zorder=5, label="data")
    top.set_title(f"{n} points" if n > 1 else "1 point")
    bottom.set_xlabel("x")
axes[0, 0].set(ylabel="predictive", ylim=(-1.9, 1.9))
axes[1, 0].set(ylabel="five draws of the function")
axes[0, 3].legend(loc="upper right", fontsize=8)
save(fig, __file__)
