"""FCML Fig. 2.8: two normal densities of two numbers, as surfaces and as contours.

Both have mean (2, 1) and unit variances. With covariance 0.8 the second number follows the first: given
x₁ = 3 its mean is 1.8, given x₁ = 1 it is 0.2.
"""

import matplotlib.pyplot as plt
import numpy as np
from _figure import ORANGE, STYLE, save

from suffice import plots
from suffice.distributions import MultivariateNormal

plt.rcParams.update(STYLE)
fig = plt.figure(figsize=(10.5, 8.2), layout="constrained")
x, y = np.linspace(-1.5, 5.5, 90), np.linspace(-2.5, 4.5, 90)
grid = np.stack(np.meshgrid(x, y), axis=-1)
for i, (name, cov) in enumerate(
    {"Independent": [[1, 0], [0, 1]], "Covariance 0.8": [[1, 0.8], [0.8, 1]]}.items()
):
    d = MultivariateNormal([2.0, 1.0], cov)
    surface = fig.add_subplot(2, 2, 2 * i + 1, projection="3d")
    surface.plot_surface(*np.meshgrid(x, y), d.prob(grid), cmap="Blues", linewidth=0, rcount=90, ccount=90)
    surface.set(xlabel="x₁", ylabel="x₂", zticks=[], title=f"{name}: peak {d.prob([2, 1]):.3f}")
    flat = fig.add_subplot(2, 2, 2 * i + 2)
    plots.contour(d, ax=flat)
    for value in (1.0, 3.0):
        given = d.condition(0, value).marginal(0)
        low, high = given.interval(0.95)
        flat.plot([value, value], [low, high], color=ORANGE, linewidth=2)
        flat.plot(value, given.mean, "o", color=ORANGE, markersize=6)
flat.plot([], [], "o-", color=ORANGE, label="x₂ given x₁: mean and 95 %")
flat.legend(loc="lower right")
save(fig, __file__)
