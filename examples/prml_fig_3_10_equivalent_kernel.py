"""PRML Figs 3.10–3.11: a regression is a weighted mean of the targets; the equivalent kernel holds the weights.

200 inputs on (−1, 1). Whatever the basis, bumps or powers or sigmoids, the weights gather around x, and some
are negative.
"""

import numpy as np
from _figure import GREY, INK, figure, save

from suffice.bases import CustomBasis, GaussianBasis, Polynomial
from suffice.linear import BayesianLinearRegression

x = np.linspace(-1, 1, 200)[:, None]
centers = np.linspace(-1, 1, 11)


def sigmoids(X):
    """σ((x − μ)/s) for every centre."""
    return 1 / (1 + np.exp(-(X - centers) / 0.1))


def kernel(basis, at):
    """Weights of all 200 targets in the predictions at some points; they do not depend on the targets."""
    model = BayesianLinearRegression(1e-2, noise_precision=10.0, basis=basis)
    return model.fit(x, np.zeros(len(x))).equivalent_kernel(at, x)


fig, axes = figure(1, 3, size=(13.5, 4))
bumps = GaussianBasis(centers, width=0.2)
image = axes[0].pcolormesh(
    x[:, 0], x[:, 0], kernel(bumps, x), cmap="YlGnBu_r", vmin=-0.02, vmax=0.07, rasterized=True
)
axes[0].grid(False)
axes[0].set(
    xlabel="x′, the input of a target", ylabel="x, where we predict", title="k(x, x′) of 11 Gaussian bumps"
)
fig.colorbar(image, ax=axes[0], extend="max")

at = np.array([[-0.6], [0.0], [0.6]])
for point, weights in zip(at[:, 0], kernel(bumps, at), strict=True):
    axes[1].plot(x, weights, label=f"x = {point:g}: sum {weights.sum():.3f}".replace("-", "−"))
axes[1].set(xlabel="x′", ylabel="weight of the target at x′", title="Three slices: near targets count")

for name, basis in {
    "Gaussian bumps": bumps,
    "powers to 11": Polynomial(11),
    "sigmoids": CustomBasis([sigmoids]),
}.items():
    axes[2].plot(x, kernel(basis, [[0.0]])[0], label=name)
axes[2].set(xlabel="x′", ylabel="weight of the target at x′", title="k(0, x′): local for every basis")
for ax in axes[1:]:
    ax.axhline(0, color=GREY, linewidth=0.8)
    ax.axvline(0, color=INK, linewidth=0.5, linestyle=":")
    ax.set_ylim(-0.018, 0.085)
    ax.legend(loc="upper left")
save(fig, __file__)
