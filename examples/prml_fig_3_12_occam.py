"""PRML Fig. 3.12: the evidence from two widths, and how good that is.

One weight with a flat prior on [−2, 2]. Left: prior and posterior, and the box as high as the peak with the width
√(2π) σ, which has the posterior's area. Right: log evidence as the posterior narrows with more rows: best fit times
Δ_posterior/Δ_prior (eq. 3.70) against the integral, and the price of the weight, its log Occam factor.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, band, figure, save
from scipy.integrate import quad

from suffice.distributions import Normal
from suffice.evaluation import occam_factor
from suffice.linear import LinearRegression

rng = np.random.default_rng(3)
X = rng.uniform(-1, 1, (256, 1))
y = 0.7 * X[:, 0] + 1.5 * rng.standard_normal(256)


def widths(n):
    """Peak, standard deviation and height of the likelihood of n rows, its integral and its approximation."""
    fit = LinearRegression(fit_intercept=False).fit(X[:n], y[:n])
    w, sigma = fit.coef_[0], 1.5 / np.sqrt(np.sum(X[:n] ** 2))
    top = Normal(w * X[:n, 0], 1.5).log_prob(y[:n]).sum()
    shape = quad(lambda v: np.exp(-0.5 * ((v - w) / sigma) ** 2) / 4, -2, 2, points=[np.clip(w, -2, 2)])[0]
    price = occam_factor(np.sqrt(2 * np.pi) * sigma, 4.0)
    return w, sigma, top + np.log(shape), top + price.log, price.log


fig, axes = figure(1, 2, size=(11, 4))
w, sigma, *_ = widths(128)
v = np.linspace(-2.3, 2.3, 600)
axes[0].plot(v, Normal(w, sigma).prob(v), color=BLUE, label="posterior")
axes[0].plot([-2.3, -2, -2, 2, 2, 2.3], [0, 0, 0.25, 0.25, 0, 0], color=GREY, label="prior, 1/Δ_prior high")
half, peak = np.sqrt(2 * np.pi) * sigma / 2, Normal(w, sigma).prob(w)
band(axes[0], np.array([w - half, w + half]), [0, 0], [peak, peak], "box of width Δ_posterior", ORANGE)
axes[0].plot(w, peak, "o", color=INK, markersize=5)
axes[0].set(xlabel="w", ylabel="density", title="What the data leave of the prior")

sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256]
found = np.array([widths(n)[2:] for n in sizes])
axes[1].plot(sizes, found[:, 1] - found[:, 0], "o-", color=ORANGE, label="approximation − integral")
axes[1].plot(sizes, found[:, 2], "s-", color=GREEN, label="log Occam factor of the weight")
axes[1].set(xscale="log", xlabel="rows", ylabel="nats", title="Exact once the prior no longer cuts it off")
for ax in axes:
    ax.legend(fontsize=8)
save(fig, __file__)
