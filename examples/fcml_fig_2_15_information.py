"""FCML Fig. 2.15: less noise, more information, a sharper likelihood.

t = 3x − 2 seen with two noise levels, the second five times smaller, so 25 times the Fisher information.
The contours are the likelihood of the weights, a Normal with the inverse information as its covariance.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, density, figure, points, save

from suffice.datasets import noisy_line
from suffice.distributions import MultivariateNormal
from suffice.linear import LinearRegression

fig, axes = figure(1, 3, size=(13, 3.9))
x = np.array([[0.0], [1.0]])
cases = {"noise 0.63": (0.4**0.5, BLUE), "noise 0.13": (0.4**0.5 / 5, GREEN)}
for ax, (name, (noise, color)) in zip(axes, cases.items(), strict=False):
    data = noisy_line(noise_std=noise, random_state=11)
    fit = LinearRegression().fit(data.X, data.y)
    points(ax, data, "20 points")
    ax.plot(x, -2 + 3 * x, color=GREY, linestyle=":", label="truth")
    ax.plot(x, fit.predict(x), color=color, label="fit")
    ax.set(xlabel="x", ylabel="t", ylim=(-4, 2.5), title=f"Standard deviation of the {name}")
    ax.legend()
    w = np.append(fit.intercept_, fit.coef_)
    likelihood = MultivariateNormal.from_precision(w, fit.fisher_information_)
    info = fit.fisher_information_[0, 0]
    label = f"{name}: I₀₀ = {info:,.0f}"
    density(axes[2], likelihood, np.linspace(-3.1, -0.9, 300), np.linspace(1.4, 4.6, 300), color, label)
axes[2].plot(-2, 3, "+", color=INK, markersize=12, label="truth")
axes[2].set(xlabel="intercept", ylabel="slope", title="Information is the sharpness of the likelihood")
axes[2].locator_params(nbins=6)
axes[2].legend()
save(fig, __file__)
