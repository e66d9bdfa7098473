"""FCML Figs. 2.4, 2.6 and 2.7 and comment 2.4: uniform, beta and normal densities, and an area.

The area under y = 2x between 2 and 3 is 3² − 2² = 5. Probabilities are areas too: that between 0.2 and 0.3
under the density 2r of Beta(2, 1) is 0.05. The text does not print the parameters of the beta and normal
densities; these look alike.
"""

import numpy as np
from _figure import BLUE, GREEN, INK, ORANGE, band, figure, save

from suffice import plots
from suffice.distributions import Beta, Normal, Uniform

fig, axes = figure(2, 2, size=(11, 7.2))
plots.density(Uniform(3, 8), interval=None, x="y", ax=axes[0, 0])
axes[0, 0].set(xlim=(2, 9), ylim=(0, 0.25))
axes[0, 0].set_title("Uniform on [3, 8]")

x, inside = np.array([0.0, 4.0]), np.array([2.0, 3.0])
axes[0, 1].plot(x, 2 * x, color=BLUE)
band(axes[0, 1], inside, 0 * inside, 2 * inside)
area = 100 * Beta(2, 1).between(0.2, 0.3)  # ten times as wide and as high
axes[0, 1].annotate(f"{area:.0f}", (2.5, 2.3), ha="center", va="center", fontsize=13, color=INK)
axes[0, 1].set(xlabel="x", ylabel="y", xlim=(0, 4), ylim=(0, 8))
axes[0, 1].set_title("Area under y = 2x between 2 and 3")

betas = {"Beta(2, 5)": Beta(2, 5), "Beta(5, 2)": Beta(5, 2), "Beta(10, 10)": Beta(10, 10)}
normals = {"N(−2, 0.3)": (-2, 0.3), "N(0, 2)": (0, 2.0), "N(5, 1)": (5, 1.0)}
for (name, d), color in zip(betas.items(), (BLUE, ORANGE, GREEN), strict=True):
    plots.density(d, interval=None, label=name, color=color, x="r", ax=axes[1, 0])
for (name, (mean, var)), color in zip(normals.items(), (BLUE, ORANGE, GREEN), strict=True):
    plots.density(Normal.from_variance(mean, var), interval=None, label=name, color=color, ax=axes[1, 1])
save(fig, __file__)
