"""Herbst & du Preez Figs. 1.2.5–1.2.7: the normal density, its likelihood, and a variance that is too small.

A density with the interval μ ± σ; the product of the heights over the data is the likelihood, higher for the
fitted mean and spread; and fits to two points at a time: their means are right on average, their variances
half of the truth, (N − 1)/N with N = 2. The data of the notes are not printed.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, band, mosaic, save

from suffice.distributions import Normal

fig, axes = mosaic([["density", "likelihood", "0"], ["density", "likelihood", "1"], ["variance"] * 2 + ["2"]],
                   size=(13, 7.5))  # fmt: skip
x, truth = np.linspace(-4, 4, 400), Normal(0, 1)
inside = np.linspace(-1, 1, 100)
axes["density"].plot(x, truth.prob(x))
band(axes["density"], inside, 0 * inside, truth.prob(inside))
axes["density"].annotate(f"{truth.between(-1, 1):.3f}", (0, 0.15), ha="center", fontsize=12)
axes["density"].set_xticks([-3, -2, -1, 0, 1, 2, 3], ["", "", "μ − σ", "μ", "μ + σ", "", ""])
axes["density"].set(ylabel="density", ylim=(0, 0.45), title="N(μ, σ²)")

data = truth.sample(6, rng=4)
best = Normal.fit(data)
for d, color in ((Normal(-1.2, 1.0), GREY), (best, BLUE)):
    total = d.log_prob(data).sum()
    label = f"N({d.mean:.1f}, {d.std:.1f}²): log likelihood {total:.1f}"
    axes["likelihood"].plot(x, d.prob(x), color=color, label=label)
axes["likelihood"].vlines(data, 0, best.prob(data), color=ORANGE, linewidth=1.2)
axes["likelihood"].plot(data, best.prob(data), "o", color=ORANGE, markersize=4)
axes["likelihood"].plot(data, 0 * data, "o", color=INK, markersize=6, clip_on=False)
axes["likelihood"].set(xlabel="x", ylim=(0, 0.62), title="Likelihood: the product of heights")
axes["likelihood"].legend(loc="upper left", fontsize=8.5)

pairs = truth.sample(2 * 20_000, rng=1).reshape(-1, 2)
for k in range(3):
    ax, fitted = axes[str(k)], Normal.fit(pairs[k])
    ax.plot(x, truth.prob(x), color=GREEN, label="truth")
    ax.plot(x, fitted.prob(x), color=BLUE, label="fitted")
    ax.plot(pairs[k], [0, 0], "o", color=INK, clip_on=False)
    ax.set(ylim=(0, 1.3), title=f"mean {fitted.mean:.2f}, variance {fitted.var:.2f}")
axes["0"].legend(loc="upper right", fontsize=8.5)

n = np.arange(1, len(pairs) + 1)
axes["variance"].semilogx(n, np.cumsum(pairs.mean(axis=1)) / n, color=GREY, label="average fitted mean")
axes["variance"].semilogx(n, np.cumsum(pairs.var(axis=1)) / n, color=BLUE, label="average fitted variance")
axes["variance"].axhline(0.5, color=ORANGE, linestyle="--", linewidth=1, label="(N − 1)/N σ² = ½")
axes["variance"].set(xlabel="fits to two points", ylim=(-0.6, 1.2))
axes["variance"].legend(loc="upper right", ncols=3)
save(fig, __file__)
