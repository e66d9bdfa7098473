"""FCML Fig. 4.6: Laplace's approximation of the logistic posterior, and the posterior itself under it.

Left: the normal density at the mode alone, contours at 50, 80 and 95 %. Middle: on the posterior, which leans away from
the origin where the rows say little; the ellipses know only the curvature at the top. Right: with forty times as many
rows they nearly agree. The text prints no rows; these are ours.
"""

import numpy as np
from _figure import INK, ORANGE, figure, save

from suffice import plots
from suffice.datasets import two_clouds
from suffice.glm import LogisticRegression, posterior_surface


def shared(model, data):
    """How much of their probability the posterior and its approximation have in common."""
    wide = posterior_surface(model, data.X, data.y, span=8.0, points=81)
    p, q = (np.exp(log - wide.height) for log in (wide.log_posterior, wide.log_laplace))
    return float(np.minimum(p / p.sum(), q / q.sum()).sum())


fig, (left, middle, right) = figure(1, 3, size=(16, 4.9))
for ax, n in ((middle, 50), (right, 2000)):
    data = two_clouds(n, random_state=1)
    model = LogisticRegression.book(1 / 10).fit(data.X, data.y)
    ends = {"first": (-1.5, 8), "second": (-1.5, 8)} if n == 50 else {}
    surface = posterior_surface(model, data.X, data.y, **ends)
    plots.posterior_surface(surface, ax=ax)
    ax.set_title(f"{n:,} rows: the two share {shared(model, data):.0%} of their probability", pad=24)
    if n == 50:
        depth, levels = surface.log_laplace - surface.height, np.log([0.05, 0.2, 0.5])
        left.contour(
            surface.first, surface.second, depth, levels, colors=[ORANGE], linestyles="--", linewidths=1.4
        )
        left.plot(*surface.peak, "*", color=INK, markersize=9)
        left.set_title("Laplace's approximation: N(ŵ, −H⁻¹)", pad=24)
for ax in (left, middle, right):
    ax.set(xlabel="w₁", ylabel="w₂")
save(fig, __file__)
