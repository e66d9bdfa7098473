"""DTU Figs. 6.8, 6.9 and 6.12: beta densities, an interval from the inverse cdf, and beliefs about coins.

The interval of Beta(7, 3) cuts 10 % from either end. After three heads in four tosses a flat prior gives
P(0.4 ≤ θ ≤ 0.6) = 0.25, after 51 in 100 more than 0.95.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, band, figure, save

from suffice import plots
from suffice.distributions import Beta

fig, axes = figure(1, 3, size=(13.5, 3.8))
x = np.linspace(0.001, 0.999, 500)
for a, b in [(1, 1), (0.5, 0.5), (2, 2), (2, 5), (7, 3), (3, 1)]:
    axes[0].plot(x, Beta(a, b).prob(x), label=f"({a:g}, {b:g})")
axes[0].set(xlabel="θ", ylabel="density", ylim=(0, 4), title="Beta(α, β)")
axes[0].legend(ncols=2, fontsize=8)

d = Beta(7, 3)
low, high = d.interval(0.8)
axes[1].plot(x, d.cdf(x), color=BLUE)
for end, p in ((low, 0.1), (high, 0.9)):
    axes[1].plot([0, end, end], [p, p, 0], color=ORANGE, linestyle="--", linewidth=1.2)
axes[1].axvspan(low, high, color=ORANGE, alpha=0.12, linewidth=0)
axes[1].set(xlabel="θ", ylabel="cdf", xlim=(0, 1), ylim=(0, 1))
axes[1].set_title(f"80 % of Beta(7, 3): [{low:.3f}, {high:.3f}]")

for (n, m), color in zip([(4, 3), (100, 51)], (BLUE, INK), strict=True):
    belief = Beta(1, 1).posterior(m, n=n)
    label = f"{m} of {n}: P(0.4 ≤ θ ≤ 0.6) = {belief.between(0.4, 0.6):.3f}"
    plots.density(belief, interval=None, color=color, x="θ", ax=axes[2])
    inside = np.linspace(0.4, 0.6, 100)
    band(axes[2], inside, 0 * inside, belief.prob(inside), color=color)
    axes[2].plot([], [], color=color, label=label)
axes[2].set(xlim=(0, 1), ylim=(0, 11.5))
axes[2].legend(loc="upper left", frameon=False, fontsize=8.5)
save(fig, __file__)
