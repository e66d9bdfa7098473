"""FCML Figs 2.12–2.14: had the noise been different, so would the weights. Theory says by how much.

t = −2 + 3x plus noise of variance 1/4, the same twenty x, 10,000 times; many data sets are one fit with as
many targets. The theory is cov{ŵ} = σ²(XᵀX)⁻¹.
"""

import numpy as np
from _figure import GREY, INK, ORANGE, density, figure, points, save

from suffice.datasets import noisy_line
from suffice.distributions import MultivariateNormal
from suffice.evaluation import repeated_experiment
from suffice.linear import LinearRegression

data = noisy_line(random_state=0)


def experiment(rng):
    return data.X, -2 + 3 * data.X[:, 0] + 0.5 * rng.standard_normal(20)


many = repeated_experiment(experiment, LinearRegression(), 10_000, noise_variance=0.25, random_state=1)
w = many.weights.T  # (2, 10000)
print(many)

fig, axes = figure(1, 3, size=(13.5, 4))
x = np.array([[0.0], [1.0]])
points(axes[0], data, "one data set")
axes[0].plot(x, -2 + 3 * x, color=INK, label="truth")
axes[0].plot(x, LinearRegression().fit(data.X, data.y).predict(x), color=ORANGE, label="its fit")
axes[0].set(xlabel="x", ylabel="t", title="One experiment gives one line")

theory = MultivariateNormal([-2, 3], many.theory_covariance)
axes[1].hexbin(*w, gridsize=45, cmap="Blues", mincnt=1, linewidths=0)
density(axes[1], theory, np.linspace(-3, -1, 150), np.linspace(1.5, 4.5, 150), ORANGE, "theory: 50, 90, 99 %")
axes[1].plot(-2, 3, "+", color=INK, markersize=12, label="truth")
axes[1].set(xlabel="intercept", ylabel="slope", xlim=(-3, -1), ylim=(1.5, 4.5))
axes[1].locator_params(nbins=6)
axes[1].set_title("10,000 experiments fill the ellipse of theory")

axes[2].plot(x, (w[0] + w[1] * x)[:, :10], color=GREY, linewidth=1)
axes[2].plot([], [], color=GREY, label="ten of the fits")
axes[2].plot(x, -2 + 3 * x, color=INK, label="truth")
axes[2].set(xlabel="x", ylabel="t", title="Steeper lines start lower: weights covary")
for ax in axes:
    ax.legend(loc="upper left" if ax is not axes[1] else "upper right")
save(fig, __file__)
