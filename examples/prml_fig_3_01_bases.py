"""PRML Fig. 3.1: polynomials, Gaussian bumps and sigmoids; below, the other bases that §3.1 names.

Each panel is a set of columns made from one x, without the constant.
"""

import numpy as np
from _figure import figure, plt, save

from suffice.bases import FourierBasis, GaussianBasis, Polynomial, SigmoidBasis, SplineBasis, WaveletBasis

x = np.linspace(-1, 1, 400)[:, None]
centers = np.linspace(-1, 1, 11)
bases = {
    "Polynomial(10): felt everywhere": Polynomial(10),
    "GaussianBasis: felt nearby": GaussianBasis(centers, width=0.2),
    "SigmoidBasis: felt on one side": SigmoidBasis(centers, width=0.1),
    "FourierBasis: one frequency, everywhere": FourierBasis(2, period=2.0),
    "SplineBasis: cubic pieces between knots": SplineBasis(np.linspace(-1, 1, 7)),
    "WaveletBasis: local, on several scales": WaveletBasis(3, "ricker", interval=(-1.0, 1.0)),
}
fig, axes = figure(2, 3, size=(13, 6.6))
for ax, (title, basis) in zip(axes.flat, bases.items(), strict=True):
    columns = basis(x)
    colors = plt.get_cmap("viridis")(np.linspace(0.05, 0.9, columns.shape[1]))
    for column, color in zip(columns.T, colors, strict=True):
        ax.plot(x, column, color=color, linewidth=1.4)
    ax.locator_params(nbins=5)
    ax.set(xlabel="x", ylabel="φ(x)", title=title)
save(fig, __file__)
