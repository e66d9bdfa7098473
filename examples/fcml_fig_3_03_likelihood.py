"""FCML Fig. 3.3: the likelihood of a coin, for 6 heads in 10 tosses and 70 in 100.

As a function of r it is no density: the areas under the curves are 1/11 and 1/101. More tosses make it
narrower, not larger.
"""

import numpy as np
from _figure import BLUE, ORANGE, figure, save

from suffice.distributions import Beta, Binomial

fig, axes = figure(1, 2, size=(9.6, 3.5))
r = np.linspace(0, 1, 501)
for ax, (heads, n), color in zip(axes, [(6, 10), (70, 100)], (BLUE, ORANGE), strict=True):
    area = np.exp(Beta(1, 1).log_evidence(heads, n=n))
    ax.plot(r, Binomial(n, r).prob(heads), color=color)
    ax.fill_between(r, Binomial(n, r).prob(heads), color=color, alpha=0.15, linewidth=0)
    ax.axvline(heads / n, color=color, linestyle="--", linewidth=1)
    ax.set(
        xlabel="r",
        ylabel=f"P({heads} heads in {n} | r)",
        title=f"{heads} of {n}: area {area:.4f} = 1/{n + 1}",
    )
    ax.set_ylim(bottom=0)
save(fig, __file__)
