"""Herbst & du Preez Figs. 3.3.1 and 3.4.1: the evidence as a box, and the evidence of polynomials of degree 0 to 9.

Left: one weight; a box as high as its posterior and √(2π) deviations wide has the same area. Middle and right: the
fit of the best weights grows with the degree, and so does the price of their freedom. Fig. 3.4.1 has its peak at M = 3;
its data, α and β are not printed. On the ten points circulated with Bishop's text, α = 0.005, β = 11.1, it is M = 4,
and M = 3 with x on [−1, 1].
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, band, figure, save, whole_numbers

from suffice.bases import Polynomial
from suffice.datasets import noisy_line, sinusoid_10
from suffice.distributions import Normal
from suffice.evaluation import occam, occam_factor
from suffice.linear import BayesianLinearRegression

fig, (box, terms, total) = figure(1, 3, size=(15, 4.3))
line = noisy_line(5, 0.0, 0.8, 0.5, -1, 1, random_state=1)
slope = BayesianLinearRegression(0.25, noise_precision=4.0, fit_intercept=False).fit(line.X, line.y)
mean, std = slope.posterior_.mean[0], np.sqrt(slope.posterior_.cov[0, 0])
width, prior = np.sqrt(2 * np.pi) * std, Normal(0, 2)
w = np.linspace(-4, 4, 500)
box.plot(w, prior.prob(w), color=GREY, label="prior")
box.plot(w, Normal(mean, std).prob(w), color=BLUE, label="posterior")
top = Normal(mean, std).prob(mean)
band(box, np.array([mean - width / 2, mean + width / 2]), [0, 0], [top, top], "box of the same area", ORANGE)
box.axvline(mean, color=INK, linewidth=0.8, linestyle=":")
box.set(xlabel="w", ylabel="density", xlim=(-4, 4), ylim=(0, 1.5 * top))
box.set_title(f"Δposterior/Δprior = {float(occam_factor(width, np.sqrt(2 * np.pi) * 2)):.2f}")

data, degrees = sinusoid_10(), range(10)


def parts(X):
    """Fit and price of every degree; the constant has the weights' prior, as in the notes."""
    options = {"noise_precision": 11.1, "intercept": "prior"}
    models = [BayesianLinearRegression(5e-3, basis=Polynomial(k), **options).fit(X, data.y) for k in degrees]
    return [occam(m) for m in models]


raw = parts(data.X)
terms.plot(degrees, [p.log_likelihood for p in raw], "o-", color=BLUE, label="fit of the best weights")
terms.plot(degrees, [p.log_factor for p in raw], "o-", color=ORANGE, label="price of their freedom")
terms.set(xlabel="M", ylabel="term of the log evidence", title="What a degree gains and what it costs")
for found, name, color in ((raw, "[0, 1]", BLUE), (parts(2 * data.X - 1), "[−1, 1]", GREY)):
    logs = np.array([p.log_evidence for p in found])
    total.plot(degrees, logs, "o-", color=color, label=f"x on {name}: best M = {np.argmax(logs)}")
    total.plot(np.argmax(logs), logs.max(), "o", markersize=12, mfc="none", color=color)
total.set(xlabel="M", ylabel="log evidence", ylim=(-28, -13), title="Their sum is the evidence")
for ax in (terms, total):
    whole_numbers(ax)
for ax, where in ((box, "upper left"), (terms, "center right"), (total, "lower right")):
    ax.legend(loc=where)
save(fig, __file__)
