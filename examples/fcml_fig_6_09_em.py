"""FCML Figs 6.8 and 6.9: expectation–maximization on three groups, from a random start to its end, and B and L.

Means are drawn at random and covariances are all the same, as in the text; ellipses are two standard deviations from
the mean, and rows have the mixed color of the components they belong to. The bound never lies above the likelihood, and
both rise. The rows of the text are not printed; these are drawn alike.
"""

import numpy as np
from _figure import mosaic, save
from _three_groups import three_groups

from suffice import plots
from suffice.mixtures import GaussianMixture

X = three_groups()
rng = np.random.default_rng(2)
model = GaussianMixture(
    3,
    weights_init=np.full(3, 1 / 3),
    means_init=X.mean(axis=0) + rng.standard_normal((3, 2)),
    precisions_init=np.tile(np.eye(2) / 4, (3, 1, 1)),
    tol=1e-6,
    reg_covar=0,
    max_iter=500,
).fit(X)
fig, ax = mosaic([["a", "b", "c"], ["d", "e", "f"]], size=(14, 8))
plots.em_film(X, model, steps=(0, 1, 5, 7, None), ax=[ax[name] for name in "abcdef"])
ax["f"].set_axis_on()
plots.bound_trace(model.trace_, ax=ax["f"])
save(fig, __file__)
