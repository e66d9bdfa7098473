"""FCML Fig. 6.10 and Fig. 6.4(b): two tall, thin groups on which K-means fails and a mixture of normals does not.

K-means knows no shape: it cuts the rows across. The spreads (0.3 and 6, centers ±1) are ours, for the text prints none.
"""

import numpy as np
from _figure import BLUE, ORANGE, figure, save

from suffice import plots
from suffice.inference import lloyd, seeds
from suffice.mixtures import GaussianMixture

rng = np.random.default_rng(0)
group = np.repeat([0, 1], 100)
X = np.column_stack([2 * group - 1 + 0.3 * rng.standard_normal(200), 6 * rng.standard_normal(200)])
clusters = lloyd(X, X[seeds(X, 2, rng)])
model = GaussianMixture(2, n_init=10, random_state=0).fit(X)


def right(labels):
    """Shares of rows in the group they came from, whichever is called first."""
    same = np.mean(labels == group)
    return max(same, 1 - same)


fig, (left, other) = figure(1, 2, size=(11, 5))
left.scatter(*X.T, c=np.where(clusters.labels == 0, BLUE, ORANGE), s=20, edgecolors="white", linewidths=0.3)
left.plot(*np.asarray(clusters.centers).T, "k+", markersize=14, markeredgewidth=2.5)
left.set(xlabel="x₁", ylabel="x₂", title=f"K-means: {right(clusters.labels):.0%} right")
plots.mixture_ellipses(model, X, ax=other)
other.set(xlabel="x₁", ylabel="x₂")
other.set_title(f"a mixture of two normals: {right(model.predict(X)):.0%} right", pad=24)
save(fig, __file__)
