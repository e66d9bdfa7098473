"""DTU Fig. 19.2: mixtures of four normals, of one number and of two, as a density and as its parts.

Weights scale the components: a narrow one of small weight may still be the highest. Parameters are ours.
"""

import numpy as np
from _figure import BLUE, GOLD, GREEN, INK, ORANGE, mosaic, save

from suffice.distributions import MixtureDistribution, MultivariateNormal, Normal

COLORS = (BLUE, ORANGE, GREEN, GOLD)
weights = [0.1, 0.3, 0.4, 0.2]
line = MixtureDistribution(
    weights, tuple(Normal(m, s) for m, s in ((-4, 0.6), (-1, 1.0), (2, 1.4), (5, 0.5)))
)
covariances = ([[1, 0.6], [0.6, 1]], [[1.5, -0.8], [-0.8, 0.8]], [[0.5, 0], [0, 2]], [[0.4, 0], [0, 0.4]])
centers = ((-2, -2), (2, -1), (-1, 3), (3, 3))
plane = MixtureDistribution(weights, tuple(map(MultivariateNormal, centers, covariances)))

fig, ax = mosaic(
    [["sum", "parts"], ["surface", "contours"]],
    size=(11, 8),
    per_subplot_kw={"surface": {"projection": "3d"}},
)
x = np.linspace(-7, 8, 400)
ax["sum"].plot(x, line.prob(x), color=INK)
ax["sum"].set(xlabel="x", ylabel="p(x)", title="the density")
for w, part, color in zip(line.weights, line.components, COLORS, strict=True):
    ax["parts"].plot(x, part.prob(x), color=color, linestyle="--", linewidth=1)
    ax["parts"].plot(x, w * part.prob(x), color=color, label=f"π = {w:.1f}")
ax["parts"].set(xlabel="x", title="its components, bare (dashed) and weighted")
ax["parts"].legend()
u, v = np.linspace(-6, 6, 140), np.linspace(-6, 7, 140)
height = plane.prob(np.stack(np.meshgrid(u, v), axis=-1))
ax["surface"].plot_surface(*np.meshgrid(u, v), height, cmap="Blues", linewidth=0)
ax["surface"].set(xlabel="x₁", ylabel="x₂", title="two numbers")
ax["contours"].contour(u, v, height, levels=12, colors=INK, linewidths=0.8)
for part, color in zip(plane.components, COLORS, strict=True):
    ax["contours"].plot(*part.mean, "+", color=color, markersize=14, markeredgewidth=3)
ax["contours"].set(xlabel="x₁", ylabel="x₂", title="from above")
save(fig, __file__)
