"""Lecture 3: male or female, from the height alone.

Two class-conditional densities (illustrative parameters: the lecture prints none), the posterior, and the
boundary where the better guess changes. The shaded area is the smallest error that any rule can make. With
few males among the people asked, the boundary moves up.
"""

import numpy as np
from _figure import BLUE, GREY, ORANGE, figure, save
from scipy.special import expit

from suffice.distributions import Normal, decision

fig, axes = figure(2, 2, size=(10.5, 6.6), sharex=True)
male, female = Normal(178, 7), Normal(165, 7)
h = np.linspace(140, 205, 600)
for column, prior in zip(axes.T, (0.5, 0.1), strict=True):
    joint = prior * male.prob(h), (1 - prior) * female.prob(h)
    for p, name, color in zip(joint, ("male", "female"), (BLUE, ORANGE), strict=True):
        column[0].plot(h, p, color=color, label=f"p(h | {name}) P({name})")
    column[0].fill_between(h, np.minimum(*joint), color=GREY, alpha=0.35, linewidth=0, label="error")
    error = decision.overlap_error(male, female, prior)
    column[0].set(ylabel="joint density", title=f"P(male) = {prior}: error {error:.3f}")
    column[1].plot(h, expit(decision.log_odds(h, male, female, prior)), color=BLUE)
    column[1].set(xlabel="height in cm", ylabel="P(male | h)", ylim=(0, 1))
    for at in decision.boundary(male, female, prior):
        for ax in column:
            ax.axvline(at, color=GREY, linestyle="--", linewidth=1)
        column[1].annotate(f" {at:.1f} cm", (at, 0.06))
axes[0, 1].legend(fontsize=8.5)
save(fig, __file__)
