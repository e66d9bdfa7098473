"""FCML §4.4.1 and Fig. 4.5: Laplace's approximation of a Gamma density, in a good and a bad case.

The mode is (α − 1)/β and the variance (α − 1)/β². What the approximation knows is the curvature at the mode: for α = 20
that is nearly all there is to know; for α = 2 it puts 16 % of its probability where y is impossible. The text prints
no parameters; these are ours. Below: by how much the two disagree about the probability of every half-line.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save

from suffice.distributions import Gamma, Normal
from suffice.inference import laplace

fig, axes = figure(2, 3, size=(14.5, 6.6), height_ratios=[2, 1], sharex="col")
cases = {"Good": Gamma(20.0, 0.5), "Fair": Gamma(5.0, 1.0), "Bad": Gamma(2.0, 2.0)}
for (above, below), (name, exact) in zip(axes.T, cases.items(), strict=True):

    def log_density(y, exact=exact):
        return float(exact.log_prob(y[0])) if y[0] > 0 else -np.inf

    near: Normal = laplace(log_density, [exact.mean]).distribution
    assert np.isclose(near.mean, (exact.shape - 1) / exact.rate)
    assert np.isclose(near.var, (exact.shape - 1) / exact.rate**2)
    y = np.linspace(near.mean - 3.2 * near.std, exact.quantile(0.9995), 500)
    above.plot(y, exact.prob(y), color=INK, label=f"Gamma({exact.shape:g}, {exact.rate:g})")
    above.plot(y, near.prob(y), "--", color=ORANGE, label=f"N({near.mean:.3g}, {near.var:.3g})")
    impossible = np.minimum(y, 0)
    above.fill_between(impossible, near.prob(impossible), color=ORANGE, alpha=0.25, linewidth=0)
    above.axvline(near.mean, color=GREY, linewidth=0.8)
    above.set_ylim(bottom=0)
    above.legend()
    above.set_title(f"{name}: {near.cdf(0.0):.1%} of it lies below zero")
    below.plot(y, near.cdf(y) - exact.cdf(y), color=BLUE)
    below.axhline(0, color=GREY, linewidth=0.8)
    below.set(xlabel="y", ylim=(-0.02, 0.3))
axes[0, 0].set_ylabel("density")
axes[1, 0].set_ylabel("difference of the\ntwo probabilities of ≤ y")
save(fig, __file__)
