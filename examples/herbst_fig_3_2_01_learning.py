"""Herbst & du Preez Figs. 3.2.1–3.2.4: learning a line, predicting a sine, and the weights of the smoother.

Rows: beliefs about (w₀, w₁) after 0, 1, 3 and 20 points of t = −0.3 + 0.5x, noise 0.2, α = 2; the predictive mean
and band after 1, 2, 4 and 24 points of a sine with nine Gaussian bumps; curves y(x, w) with w drawn from the same
posteriors; the weight of every target in the prediction at four inputs: near targets count most. The notes print
neither points nor bases; these are ours.
"""

import numpy as np
from _figure import GREEN, GREY, INK, ORANGE, band, density, figure, save

from suffice.bases import GaussianBasis
from suffice.datasets import noisy_line, sinusoid
from suffice.distributions import MultivariateNormal
from suffice.linear import BayesianLinearRegression

fig, axes = figure(4, 4, size=(14, 12.5))
line, w = noisy_line(20, -0.3, 0.5, 0.2, -1, 1, random_state=6), np.linspace(-2.3, 2.3, 231)
for ax, n in zip(axes[0], (0, 1, 3, 20), strict=True):
    model = BayesianLinearRegression(2.0, noise_precision=25.0, intercept="prior")
    prior = MultivariateNormal(np.zeros(2), np.eye(2) / 2)
    belief = model.fit(line.X[:n], line.y[:n]).posterior_ if n else prior
    density(ax, belief, w, w)
    ax.plot(-0.3, 0.5, "+", color=ORANGE, markersize=12, markeredgewidth=2)
    ax.set(xlabel="w₀", title=f"Belief after {n} point{'s' * (n != 1)}", aspect="equal")

data = sinusoid(24, 0.3, random_state=12)
x = np.linspace(0, 1, 200)[:, None]
basis = GaussianBasis(np.linspace(0, 1, 9), width=0.12)
model = BayesianLinearRegression(2.0, noise_precision=1 / 0.3**2, basis=basis, intercept="prior")
for middle, low, n in zip(axes[1], axes[2], (1, 2, 4, 24), strict=True):
    d = model.fit(data.X[:n], data.y[:n]).predict_dist(x)
    band(middle, x, d.mean - d.std, d.mean + d.std, "± 1 standard deviation", ORANGE)
    middle.plot(x, d.mean, color=ORANGE, label="mean")
    low.plot(x, model.sample_functions(6, random_state=n)(x).T, color=ORANGE, linewidth=1)
    for ax in (middle, low):
        ax.plot(x, np.sin(2 * np.pi * x), color=GREEN, linewidth=1.3, label="sin 2πx")
        ax.scatter(data.X[:n], data.y[:n], s=24, color=INK, zorder=5)
        ax.set(xlabel="x", ylim=(-2.6, 2.6))
    middle.set_title(f"N = {n}: predictive")
    low.set_title(f"N = {n}: six curves of the posterior")

for ax, at in zip(axes[3], (0.1, 0.4, 0.5, 0.9), strict=True):
    k = model.equivalent_kernel([[at]], data.X)[0]
    ax.vlines(data.X[:, 0], 0, k, color=GREY)
    ax.plot(data.X[:, 0], k, "o", color=ORANGE, markersize=4)
    ax.axvline(at, color=INK, linewidth=0.8, linestyle=":")
    ax.set(xlabel="input of a target", ylim=(-0.12, 0.5), title=f"x = {at}: weights sum to {k.sum():.3f}")
axes[1, 3].legend(loc="upper right", fontsize=8)
for ax, label in zip(axes[:, 0], ("w₁", "t", "t", "weight in the prediction"), strict=True):
    ax.set_ylabel(label)
save(fig, __file__)
