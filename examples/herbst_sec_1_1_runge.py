"""Herbst §1.1: a polynomial through all points. Exact at the points; between them it depends on where they lie.

Runge's function 1/(1 + 25x²) at 15 points, equally spaced and Chebyshev's, and how much each amplifies noise in y.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, figure, save

from suffice.linear import interpolate


def runge(x):
    """A harmless bell."""
    return 1 / (1 + 25 * x**2)


n, grid = 15, np.linspace(-1, 1, 801)
nodes = {"equally spaced": np.linspace(-1, 1, n), "Chebyshev": np.cos((np.arange(n) + 0.5) * np.pi / n)}
fig, (left, right) = figure(1, 2, size=(12, 4))
left.plot(grid, runge(grid), "--", color=INK, linewidth=1.2, label="1/(1 + 25x²)")
for (name, x), color in zip(nodes.items(), (ORANGE, BLUE), strict=True):
    p = interpolate(x, runge(x))
    error = np.abs(p(grid) - runge(grid)).max()
    left.plot(grid, p(grid), color=color, label=f"{name}: off by up to {error:.2g}")
    left.plot(x, p(x), "o", color=color, markersize=4)
    right.semilogy(grid, p.amplification(grid), color=color, label=name)
left.set(xlabel="x", ylim=(-2.2, 2), title=f"Degree {n - 1} through {n} points")
left.legend(loc="lower center")
right.set(xlabel="x", ylabel="Σ |ℓ(x)|", title="Noise in y, amplified at x")
right.legend(loc="upper center")
save(fig, __file__)
