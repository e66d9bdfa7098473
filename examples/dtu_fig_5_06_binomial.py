"""DTU Fig. 5.6: heads in 4, 10 and 60 tosses of a coin with θ = 0.7."""

from _figure import figure, save

from suffice import plots
from suffice.distributions import Binomial

fig, axes = figure(1, 3, size=(13, 3.4))
for ax, n in zip(axes, (4, 10, 60), strict=True):
    d = Binomial(n, 0.7)
    plots.density(d, x="heads m", ax=ax)
    ax.set_title(f"N = {n}: peak {d.prob(d.mode):.4f}, 95 % dark")
save(fig, __file__)
