"""PRML Fig. 3.15: the data decide in directions they know, the prior in the others.

Two nearly equal columns. In the eigenvectors of βΦᵀΦ the likelihood is a long ellipse: along its short axis λ ≫ α and
the most probable weights are those of maximum likelihood; along its long axis λ ≪ α and they stay near zero. Each
direction keeps the share λ/(λ + α) of its maximum-likelihood weight; the shares add up to γ (eq. 3.91).
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, figure, save

from suffice.linear import BayesianLinearRegression, LinearRegression, weight_surface

rng = np.random.default_rng(6)
shared = rng.standard_normal(20)
X = np.column_stack([shared + 0.1 * rng.standard_normal(20), shared + 0.1 * rng.standard_normal(20)])
y = X @ [1.6, 0.2] + rng.standard_normal(20)
alpha, beta = 1.0, 1.0
values, vectors = np.linalg.eigh(beta * X.T @ X)
U = X @ vectors  # the columns in the eigenvectors
options = {"fit_intercept": False}
ml = LinearRegression(**options).fit(U, y).coef_
bayes = BayesianLinearRegression(alpha, noise_precision=beta, **options).fit(U, y)
surface = weight_surface(bayes, first=(-4.5, 4.5), second=(-1.2, 3), points=201)

fig, axes = figure(1, 2, size=(12.5, 4.6), width_ratios=[1.6, 1])
ax = axes[0]
for part, color in (("prior", GREEN), ("likelihood", ORANGE), ("posterior", BLUE)):
    log = getattr(surface, f"log_{part}")
    height = np.exp(log - log.max())
    ax.contour(surface.first, surface.second, height, levels=[0.2, 0.5, 0.9], colors=color, linewidths=1.2)
    ax.plot([], [], color=color, label=part)
ax.plot(*ml, "x", color=INK, markersize=9, markeredgewidth=2, label="w_ML")
ax.plot(*bayes.coef_, "o", color=INK, markersize=6, label="w_MAP")
ax.plot([ml[0], bayes.coef_[0]], [ml[1], bayes.coef_[1]], ":", color=GREY)
ax.set(xlabel=f"u₁, λ = {values[0]:.2f}", ylabel=f"u₂, λ = {values[1]:.1f}", aspect="equal")
ax.set_title("The prior pulls only where the likelihood is flat")
ax.legend(loc="lower right", fontsize=8)

share = bayes.coef_ / ml
axes[1].bar([0, 1], share, width=0.5, color=BLUE)
axes[1].plot([0, 1], values / (values + alpha), "D", color=ORANGE, label="λ/(λ + α)")
axes[1].set_xticks([0, 1], [f"u₁\nλ = {values[0]:.2f}", f"u₂\nλ = {values[1]:.1f}"])
axes[1].set(ylabel="w_MAP / w_ML", ylim=(0, 1.15))
axes[1].set_title(f"They add up to γ = {bayes.well_determined_parameters_:.3f}")
axes[1].legend()
save(fig, __file__)
