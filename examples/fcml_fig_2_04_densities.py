"""FCML Figs. 2.4, 2.6 and 2.7: uniform, beta and normal densities.

The text does not print the parameters of the beta and normal densities; these look alike.
"""

from _figure import BLUE, GREEN, ORANGE, figure, save

from suffice import plots
from suffice.distributions import Beta, Normal, Uniform

fig, axes = figure(1, 3, size=(13, 3.6))
plots.density(Uniform(3, 8), interval=None, x="y", ax=axes[0])
axes[0].set(xlim=(2, 9), ylim=(0, 0.25))
axes[0].set_title("Uniform on [3, 8]")
betas = {"Beta(2, 5)": Beta(2, 5), "Beta(5, 2)": Beta(5, 2), "Beta(10, 10)": Beta(10, 10)}
normals = {"N(−2, 0.3)": (-2, 0.3), "N(0, 2)": (0, 2.0), "N(5, 1)": (5, 1.0)}
for (name, d), color in zip(betas.items(), (BLUE, ORANGE, GREEN), strict=True):
    plots.density(d, interval=None, label=name, color=color, x="r", ax=axes[1])
for (name, (mean, var)), color in zip(normals.items(), (BLUE, ORANGE, GREEN), strict=True):
    plots.density(Normal.from_variance(mean, var), interval=None, label=name, color=color, ax=axes[2])
save(fig, __file__)
