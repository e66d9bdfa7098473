"""Herbst & du Preez Figs. 2.3.1, 2.3.2, 2.3.5 and 2.3.6: what the normal distribution does.

Its principal axes; its marginals, and one coordinate given the other; a belief about a mean as data come in;
and the gamma densities that describe beliefs about precisions. The numbers are ours.
"""

import numpy as np
from _figure import BLUE, GREEN, INK, ORANGE, figure, save

from suffice import plots
from suffice.distributions import Gamma, MultivariateNormal, Normal

fig, axes = figure(2, 2, size=(11, 9))
d = MultivariateNormal([1.0, 2.0], [[2.0, 0.6], [0.6, 1.0]])
plots.contour(d, marginals=False, ax=axes[0, 0])
variances, directions = d.rotate_axes()
for variance, u in zip(variances, directions.T, strict=True):
    tip = d.mean + 2 * np.sqrt(variance) * u
    axes[0, 0].annotate("", tip, d.mean, arrowprops={"arrowstyle": "->", "color": INK, "linewidth": 1.6})
axes[0, 0].set(aspect="equal")
axes[0, 0].set_title(f"Axes: variances {variances[0]:.2f} and {variances[1]:.2f}")

given = d.condition(1, 3.0).marginal(0)
plots.density(d.marginal(0), interval=None, label="p(x₁)", x="x₁", ax=axes[0, 1])
label = f"p(x₁ | x₂ = 3) = N({given.mean:.2f}, {given.var:.2f})"
plots.density(given, interval=0.95, label=label, color=ORANGE, x="x₁", ax=axes[0, 1])

x = Normal(0.8, np.sqrt(0.1)).sample(10, rng=2)
prior = Normal.from_variance(0.0, 0.1)
beliefs = [prior.posterior(x[:n], std=np.sqrt(0.1)) for n in (0, 1, 2, 10)]
plots.posterior_evolution(beliefs, labels=["N = 0", "1", "2", "10"], x="μ", ax=axes[1, 0])
axes[1, 0].axvline(0.8, color=INK, linestyle=":", linewidth=1)

for (a, b), color in zip([(0.5, 0.5), (1, 1), (4, 6)], (BLUE, ORANGE, GREEN), strict=True):
    plots.density(Gamma(a, b), interval=None, label=f"Gam({a:g}, {b:g})", color=color, x="λ", ax=axes[1, 1])
axes[1, 1].set(xlim=(0, 3), ylim=(0, 2))
save(fig, __file__)
