"""Herbst & du Preez Figs. 1.2.5–1.2.7: the normal density, its likelihood, and a variance that is too small.

A density with the interval μ ± σ; the product of the heights over the data is the likelihood, highest for the
fitted mean and spread; and fits to two points at a time: their means are right on average, their variances
half of the truth, (N − 1)/N with N = 2. The data of the notes are not printed.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, band, figure, save

from suffice.distributions import Normal

fig, axes = figure(2, 3, size=(13.5, 7))
x, truth = np.linspace(-4, 4, 400), Normal(0, 1)
density, likelihood, variance = axes[0]
inside = np.linspace(-1, 1, 100)
density.plot(x, truth.prob(x))
band(density, inside, 0 * inside, truth.prob(inside))
density.annotate(f"{truth.between(-1, 1):.3f}", (0, 0.15), ha="center", fontsize=12)
density.set_xticks([-1, 0, 1], ["μ − σ", "μ", "μ + σ"])
density.set(ylabel="density", ylim=(0, 0.45), title="N(μ, σ²)")

data = Normal(0.5, 1).sample(6, rng=4)
best = Normal.fit(data)
for d, name, color in ((Normal(-1, 1), "another", GREY), (best, "best", BLUE)):
    label = f"{name}: log likelihood {d.log_prob(data).sum():.1f}".replace("-", "−")
    likelihood.plot(x, d.prob(x), color=color, label=label)
    likelihood.vlines(data, 0, d.prob(data), color=color, linewidth=1)
    likelihood.plot(data, d.prob(data), "o", color=color, markersize=4)
likelihood.plot(data, 0 * data, "o", color=INK, clip_on=False)
likelihood.set(xlabel="x", ylim=(0, 0.55), title="Likelihood: the product of the heights")
likelihood.legend(loc="upper left")

pairs = truth.sample(2 * 20_000, rng=2548).reshape(-1, 2)  # the first three lie apart, as in the notes
n = np.arange(1, len(pairs) + 1)
variance.semilogx(n, np.cumsum(pairs.var(axis=1)) / n, color=BLUE, label="variance")
variance.semilogx(n, np.cumsum(pairs.mean(axis=1)) / n, color=GREY, label="mean")
variance.axhline(0.5, color=ORANGE, linestyle="--", linewidth=1, label="(N − 1)/N σ² = ½")
variance.set(xlabel="fits to two points", ylim=(-0.6, 1.1), title="Average over fits")
variance.legend(loc="upper right", ncols=3, columnspacing=1)

for ax, pair in zip(axes[1], pairs, strict=False):
    fitted = Normal.fit(pair)
    ax.plot(x, truth.prob(x), color=GREEN, label="truth")
    ax.plot(x, fitted.prob(x), color=BLUE, label="fitted to two points")
    ax.plot(pair, [0, 0], "o", color=INK, clip_on=False)
    ax.set(xlabel="x", ylim=(0, 1.1))
    ax.set_title(f"Mean {fitted.mean:.2f}, variance {fitted.var:.2f}".replace("-", "−"))
axes[1, 0].legend(loc="upper left")
axes[1, 0].set_ylabel("density")
save(fig, __file__)
