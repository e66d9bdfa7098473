"""Herbst Fig. 7.2.1: rows of three normals, with their labels, without, and in the colors of their responsibilities.

Left is what drew the rows, the middle what is seen of them, right what a mixture that was fitted to the middle says of
each: a row between two components has a color between theirs. The parameters of the text are not printed.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, ORANGE, figure, save

from suffice import plots
from suffice.distributions import MultivariateNormal
from suffice.mixtures import GaussianMixture

rng = np.random.default_rng(6)
parts = (
    MultivariateNormal([0.25, 0.35], [[0.012, 0.008], [0.008, 0.012]]),
    MultivariateNormal([0.50, 0.50], [[0.012, -0.007], [-0.007, 0.010]]),
    MultivariateNormal([0.75, 0.65], [[0.010, 0.006], [0.006, 0.012]]),
)
labels = rng.choice(3, size=500, p=[0.5, 0.3, 0.2])
X = np.array([parts[k].sample(rng=rng) for k in labels])
start = {"means_init": [p.mean for p in parts]}  # so that the colors of left and right agree
model = GaussianMixture(3, tol=1e-6, max_iter=1000, **start).fit(X)

fig, (left, middle, right) = figure(1, 3, size=(15, 4.8), sharex=True, sharey=True)
look = {"s": 18, "edgecolors": "white", "linewidths": 0.3}
left.scatter(*X.T, c=np.array([BLUE, ORANGE, GREEN])[labels], **look)
left.set(title="complete: rows and labels", ylabel="x₂")
middle.scatter(*X.T, c=GREY, **look)
middle.set(title="incomplete: rows")
plots.mixture_ellipses(model, X, levels=[2], ax=right)
right.set(title="what a mixture says of the rows", ylabel="")
right.get_legend().remove()
for ax in (left, middle, right):
    ax.set_xlabel("x₁")
save(fig, __file__)
