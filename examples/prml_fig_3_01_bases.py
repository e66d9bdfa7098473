"""PRML Fig. 3.1: polynomials, Gaussian bumps and sigmoids, three sets of columns made from one x."""

import numpy as np
from _figure import figure, plt, save

from suffice.bases import CustomBasis, GaussianBasis, Polynomial

x = np.linspace(-1, 1, 400)[:, None]
centers = np.linspace(-1, 1, 11)


def sigmoids(X):
    """σ((x − μ)/s) for every centre."""
    return 1 / (1 + np.exp(-(X - centers) / 0.1))


bases = {
    "Polynomial(10): powers, felt everywhere": Polynomial(10),
    "GaussianBasis: bumps, felt nearby": GaussianBasis(centers, width=0.2),
    "CustomBasis: sigmoids, felt on one side": CustomBasis([sigmoids]),
}
fig, axes = figure(1, 3, size=(13, 3.6))
for ax, (title, basis) in zip(axes, bases.items(), strict=True):
    columns = basis(x)
    colors = plt.get_cmap("viridis")(np.linspace(0.05, 0.9, columns.shape[1]))
    for column, color in zip(columns.T, colors, strict=True):
        ax.plot(x, column, color=color, linewidth=1.4)
    ax.locator_params(nbins=5)
    ax.set(xlabel="x", ylabel="φ(x)", title=title)
save(fig, __file__)
