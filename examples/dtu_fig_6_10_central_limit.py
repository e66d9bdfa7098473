"""DTU Figs. 6.10 and 6.11: averages become normal.

Above: the share of heads in N tosses with θ = 0.7, exactly. Below: the average of N rolls of the die with
faces −2, 1, 1, 4, 4, 10, from 20,000 averages. Orange: the normal density with the same mean and variance.
N = 2 as in the caption; the text says 4.
"""

import numpy as np
from _figure import BLUE, ORANGE, figure, save

from suffice.distributions import Binomial, Discrete, Normal, central_limit

fig, axes = figure(2, 3, size=(13, 6.6))
die = Discrete([-2, 1, 1, 4, 4, 10], [1 / 6] * 6)
for column, n in zip(axes.T, (2, 10, 60), strict=True):
    heads = Binomial(n, 0.7)
    m = np.arange(n + 1)
    x = np.linspace(-0.25, 1.25, 400)
    column[0].bar(m / n, n * heads.prob(m), width=0.85 / n, color=BLUE, alpha=0.6, label="N P(m)")
    column[0].plot(x, Normal(0.7, heads.std / n).prob(x), color=ORANGE, label="normal")
    column[0].set(xlabel="m/N", title=f"N = {n}", xlim=(-0.25, 1.25))
    result = central_limit(die, n, 20_000, rng=n)
    values, counts = np.unique(np.round(result.averages, 9), return_counts=True)
    gap = 3 / n  # sums of this die move in steps of three
    column[1].bar(values, counts / counts.sum() / gap, width=0.85 * gap, color=BLUE, alpha=0.6)
    x = np.linspace(
        result.normal.mean - 4 * result.normal.std, result.normal.mean + 4.5 * result.normal.std, 400
    )
    column[1].plot(x, result.normal.prob(x), color=ORANGE)
    column[1].set(xlabel="average of the rolls", title=f"largest gap of the cdf {result.distance:.3f}")
axes[0, 0].legend(loc="upper left")
save(fig, __file__)
