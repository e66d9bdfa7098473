"""FCML Comment 4.3: Taylor's polynomials, and the one that Laplace's approximation takes of a log density.

Left: exp and its expansions about zero; at w = 1 the partial sums are 1, 2, 2.5, 2.667, 2.708, 2.717. Middle: each
order buys a wider region. Right: the second order of a log density about its mode is a parabola, a normal density.
"""

import numpy as np
from _figure import BLUE, GOLD, GREEN, GREY, INK, ORANGE, figure, save

from suffice.distributions import Gamma
from suffice.inference import laplace, taylor

orders = dict(zip((1, 2, 3, 4), (GREY, ORANGE, GREEN, BLUE), strict=True))
fig, (left, middle, right) = figure(1, 3, size=(15, 4.2))
x = np.linspace(-3, 3, 400)
left.plot(x, np.exp(x), color=INK, linewidth=2.4, label="exp(w)")
for order, color in orders.items():
    expansion = taylor([1.0] * (order + 1))
    left.plot(
        x, expansion(x), color=color, linewidth=1.4, label=f"order {order}: {expansion(1.0):.4g} at w = 1"
    )
    middle.plot(x, np.abs(expansion(x) - np.exp(x)), color=color, label=f"order {order}")
left.set(ylim=(-3, 12), xlabel="w", title="exp and its expansions about 0")
left.legend(fontsize=8.5)
middle.set(
    yscale="log", ylim=(1e-9, 20), xlabel="w", ylabel="absolute error", title="How far each order carries"
)
middle.legend(fontsize=8.5, loc="lower right")

density = Gamma(5.0, 1.0)
found = laplace(lambda y: float(density.log_prob(y[0])) if y[0] > 0 else -np.inf, [3.0])
mode, bend = found.mode[0], -1 / found.cov[0, 0]
y = np.linspace(0.3, 13, 400)
parabola = taylor([float(density.log_prob(mode)), 0.0, bend], mode)
right.plot(y, density.log_prob(y), color=INK, linewidth=2.4, label="log Gamma(y | 5, 1)")
right.plot(y, parabola(y), "--", color=ORANGE, label="order 2 about the mode")
right.plot(mode, density.log_prob(mode), "o", color=GOLD, markersize=8, zorder=5)
right.set(ylim=(-8, -1), xlabel="y", title="A parabola in logs is a normal density")
right.legend(fontsize=8.5, loc="upper right")
save(fig, __file__)
