"""DTU Figs 19.8 and 19.9, questions 19.1 and 19.3: which mixture drew these rows?

Left: 5000 rows of mixture B of question 19.1, under the ellipses of each of the four that are offered, with the mean
log density of the rows; B has the largest. Right: question 19.3, weights 0.7 and 0.3, and the mixture that is fitted to
the rows without knowing them. The rows of the text are not printed, but its parameters are.
"""

import numpy as np
from _figure import figure, save

from suffice import plots
from suffice.mixtures import GaussianMixture

TALL, FLAT = np.diag([0.5, 15.0]), np.diag([15.0, 0.5])
UP, DOWN = np.array([[2, 1.4], [1.4, 2]]), np.array([[2, -1.4], [-1.4, 2]])
RISES, FALLS = np.array([[10, 7], [7, 10]]), np.array([[10, -7], [-7, 10]])
OFFERED = {"A": (TALL, DOWN, RISES), "B": (TALL, UP, FALLS), "C": (TALL, FALLS, UP), "D": (FLAT, UP, FALLS)}


means, thirds = [[15, 15], [30, 0], [0, 0]], np.full(3, 1 / 3)
X, _ = GaussianMixture.of(thirds, means, OFFERED["B"]).sample(5000, random_state=0)
fig, axes = figure(1, 5, size=(19, 4.2))
for ax, (name, covariances) in zip(axes, OFFERED.items(), strict=False):
    model = GaussianMixture.of(thirds, means, covariances)
    plots.mixture_ellipses(model, X, levels=[2], ax=ax)
    ax.set_title(f"{name}: {model.score(X):.2f} per row")
truth = GaussianMixture.of([0.7, 0.3], [[0, 7], [0, 1]], [np.diag([20.0, 1.0]), np.diag([4.0, 1.0])])
Z, _ = truth.sample(1000, random_state=0)
found = GaussianMixture(2, covariance_type="diag", n_init=5, random_state=0).fit(Z)
plots.mixture_ellipses(found, Z, levels=[2], ax=axes[4])
first = int(np.argmax(found.means_[:, 1]))
axes[4].set_title(f"19.3: w₁ = {found.weights_[first]:.2f}, σ₁² = {found.covariances_[first, 0]:.0f}")
for ax in axes:
    ax.get_legend().remove()
    ax.set(xlabel="x", ylabel="y")
save(fig, __file__)
