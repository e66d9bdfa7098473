"""Herbst & du Preez Figs. 1.2.8 and 1.2.9: a curve with a distribution of t around it, and the Bayesian one.

Maximum likelihood draws the same band everywhere, however few points are near (§1.2.5). The Bayesian treatment adds the
uncertainty of the weights, eq. 1.6: s²(x) = β⁻¹ + φᵀSφ, degree 9, α = 0.005, β = 11.1. It is wide beyond the points,
where nothing was seen. The data of the notes are not printed; these are the ten points circulated with Bishop's text.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, band, figure, points, save

from suffice.bases import Polynomial
from suffice.datasets import sinusoid_10
from suffice.distributions import Normal
from suffice.linear import BayesianLinearRegression, LinearRegression

data = sinusoid_10()
x = np.linspace(-0.1, 1.1, 300)[:, None]
likely = LinearRegression(basis=Polynomial(3)).fit(data.X, data.y)
sigma = np.sqrt(likely.noise_variance_ml_)
bayes = BayesianLinearRegression(5e-3, noise_precision=11.1, basis=Polynomial(9), intercept="prior")
d = bayes.fit(data.X, data.y).predict_dist(x)

fig, (left, middle, right) = figure(1, 3, size=(15, 4.4))
curve = likely.predict(x)
band(left, x, curve - sigma, curve + sigma, "± 1/√β")
left.plot(x, curve, color=BLUE, label="y(x, w), degree 3")
for at in (0.2, 0.65):
    mean = likely.predict([[at]])[0]
    t = np.linspace(mean - 4 * sigma, mean + 4 * sigma, 100)
    left.plot(at + 0.05 * Normal(mean, sigma).prob(t), t, color=ORANGE)
    left.axvline(at, color=INK, linewidth=0.6)
left.plot([], [], color=ORANGE, label="p(t | x) at two inputs")
points(left, data)
left.set(title="Maximum likelihood: N(t | y(x, w), 1/β)", ylabel="t")

band(middle, x, d.mean - d.std, d.mean + d.std, "± s(x)", ORANGE)
middle.plot(x, d.mean, color=ORANGE, label="m(x), degree 9")
middle.plot(x, np.sin(2 * np.pi * x), color=GREEN, linewidth=1.3, label="sin 2πx")
points(middle, data)
middle.set(title="Bayes: N(t | m(x), s²(x))", ylabel="t")

weights = bayes.predict_dist(x, noise=False).var
right.stackplot(
    x[:, 0],
    d.var - weights,
    weights,
    colors=[GREY, ORANGE],
    alpha=0.5,
    labels=["noise, β⁻¹", "weights, φᵀSφ"],
)
right.axhline(sigma**2, color=BLUE, linestyle="--", label="maximum likelihood, degree 3")
right.plot(data.X, 0 * data.y, "|", color=INK, markersize=12, label="inputs seen")
right.set(ylim=(0, 0.4), title="Where the variance comes from", ylabel="variance of t")
for ax in (left, middle):
    ax.set(ylim=(-2, 2))
for ax in (left, middle, right):
    ax.set(xlabel="x")
    ax.legend(loc="lower left" if ax is not right else "upper center", fontsize=8.5)
save(fig, __file__)
