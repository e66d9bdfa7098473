"""DTU Figs. 6.1–6.3: rain as a histogram and as a density, and probabilities as areas and volumes.

The text does not print its rain; these are 2,000 draws of a gamma distribution, which the fit finds again. The
probability of a short interval is about its width times the density in it, that of a small rectangle its area
times the joint density.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, band, figure, save
from matplotlib.patches import Rectangle

from suffice.distributions import Gamma, Histogram, MultivariateNormal

fig, axes = figure(2, 2, size=(11.5, 8))
rain = Gamma(2.2, 0.9).sample(2000, rng=0)
fitted, end = Gamma.fit(rain), 10.0
boxes = Histogram.fit(rain, bins=np.arange(0, 13, 0.5))
axes[0, 0].bar(boxes.edges[:-1], boxes.counts, width=0.5, align="edge", color=BLUE, edgecolor="white")
axes[0, 0].set(xlabel="rain x in mm", ylabel="days", xlim=(0, end), title="2,000 days")

x = np.linspace(0, end, 400)
for ax in axes.flat[1:3]:
    ax.plot(x, fitted.prob(x), color=INK)
    ax.set(xlabel="rain x in mm", ylabel="density p(x)", xlim=(0, end), ylim=(0, None))
axes[0, 1].stairs(boxes.prob(boxes.edges[:-1] + 0.25), boxes.edges, color=GREY, linewidth=0.8)
names = ("0 ≤ x ≤ 1", "2 ≤ x ≤ 3", "5 ≤ x")
for name, low, high, color in zip(names, (0, 2, 5), (1, 3, np.inf), (GREEN, BLUE, ORANGE), strict=True):
    inside = np.linspace(low, min(high, end), 200)
    share = np.mean((rain >= low) & (rain <= high))
    label = f"P({name}) = {fitted.between(low, high):.3f}  (days: {share:.3f})"
    band(axes[0, 1], inside, 0 * inside, fitted.prob(inside), label, color)
axes[0, 1].set_title("A probability is an area")
axes[0, 1].legend(loc="upper right")

at, wide = 1.5, 1.0
axes[1, 0].bar(at, fitted.prob(at), width=wide, color=ORANGE, alpha=0.4, label="p(x) dx")
axes[1, 0].legend(loc="upper right")
exact = fitted.between(at - wide / 2, at + wide / 2)
axes[1, 0].set_title(f"p(x) dx = {fitted.prob(at) * wide:.4f}; exactly {exact:.4f}")

d = MultivariateNormal([2.0, 1.0], [[1.0, 0.5], [0.5, 0.8]])
x, y, corner, side = np.linspace(-1, 5, 200), np.linspace(-1.5, 3.5, 200), np.array([2.6, 0.7]), 0.5
axes[1, 1].contourf(x, y, d.prob(np.stack(np.meshgrid(x, y), axis=-1)), levels=9, cmap="Blues")
axes[1, 1].add_patch(Rectangle(corner, side, side, fill=False, color=ORANGE, linewidth=2))
fine = np.stack(np.meshgrid(*(c + side * (np.arange(50) + 0.5) / 50 for c in corner)), axis=-1)
about, exact = d.prob(corner + side / 2) * side**2, d.prob(fine).mean() * side**2
axes[1, 1].set(xlabel="x", ylabel="y", title=f"p(x, y) dx dy = {about:.4f}; exactly {exact:.4f}")
axes[1, 1].grid(visible=False)
save(fig, __file__)
