"""FCML Fig. 6.7: rows drawn from a mixture of two normals, eq. 6.4 with π = (0.7, 0.3), after 1, 5, 10 and 50.

First a component is chosen, then a row is drawn from it; the latest row is the large one.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, density, figure, save

from suffice.distributions import MixtureDistribution, MultivariateNormal

parts = (MultivariateNormal([3, 3], np.diag([1.0, 2.0])), MultivariateNormal([1, -3], np.diag([2.0, 1.0])))
mixture = MixtureDistribution([0.7, 0.3], parts)
rng = np.random.default_rng(3)
chosen = rng.choice(2, size=50, p=mixture.weights)
rows = np.array([parts[k].sample(rng=rng) for k in chosen])

fig, axes = figure(1, 4, size=(15, 4), sharex=True, sharey=True)
x, y = np.linspace(-4, 7, 120), np.linspace(-7, 8, 120)
for ax, n in zip(axes, (1, 5, 10, 50), strict=True):
    for part, color in zip(parts, (BLUE, ORANGE), strict=True):
        density(ax, part, x, y, color=color)
    colors = np.where(chosen[:n] == 0, BLUE, ORANGE)
    ax.scatter(*rows[:n].T, c=colors, s=np.r_[np.full(n - 1, 22), 90], edgecolors="white", zorder=4)
    ax.scatter(*rows[n - 1], facecolors="none", edgecolors=INK, s=90, zorder=5)
    ax.set(title=f"{n} row{'s' if n > 1 else ''}: {np.mean(chosen[:n] == 0):.0%} from the upper", xlabel="x₁")
axes[0].set_ylabel("x₂")
save(fig, __file__)
