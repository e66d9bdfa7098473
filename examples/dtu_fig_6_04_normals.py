"""DTU Figs. 6.4–6.7: normal densities of one and of two numbers.

Left: N(4, σ²) for three σ; the narrowest exceeds one, as a density may. Then covariances: strong, unequal,
and the pair ± 0.7, whose ellipses mirror each other.
"""

from _figure import BLUE, GREEN, ORANGE, figure, save

from suffice import plots
from suffice.distributions import MultivariateNormal, Normal

fig, axes = figure(2, 3, size=(13.5, 8.2))
for std, color in zip((0.3, 1.0, 2.0), (BLUE, ORANGE, GREEN), strict=True):
    plots.density(Normal(4, std), interval=None, label=f"σ = {std:g}", color=color, ax=axes[0, 0])
covariances = {
    "covariance 0.8": [[1, 0.8], [0.8, 1]],
    "variances 0.2 and 1": [[0.2, 0], [0, 1]],
    "covariance 0.7": [[1, 0.7], [0.7, 1]],
    "covariance −0.7": [[1, -0.7], [-0.7, 1]],
    "covariance 0.45": [[1, 0.45], [0.45, 1]],
}
for ax, (name, cov) in zip(axes.flat[1:], covariances.items(), strict=True):
    d = MultivariateNormal([0.0, 0.0], cov)
    plots.contour(d, marginals=False, ax=ax)
    ax.set(xlim=(-3.3, 3.3), ylim=(-3.3, 3.3), aspect="equal")
    ax.set_title(f"{name}: peak {d.prob([0, 0]):.3f}")
save(fig, __file__)
