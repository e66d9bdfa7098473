"""FCML Figs 6.13 and 6.14: a hundred rows of ten binary columns, and the blocks that a mixture of Bernoullis finds.

The rows of the text are not printed; these are drawn as its script draws them, five components of equal weight whose
probabilities are uniform. Left: the rows as they come. Middle: sorted by the component they most likely belong to, a
block each. Right: the probabilities that were fitted.
"""

import numpy as np
from _figure import ORANGE, figure, save

from suffice.mixtures import BernoulliMixture

rng = np.random.default_rng(5)
chances = rng.uniform(size=(5, 10))
X = (rng.uniform(size=(100, 10)) < chances[rng.integers(5, size=100)]).astype(int)
model = BernoulliMixture(5, n_init=20, random_state=0).fit(X)
labels = model.predict(X)
order = np.argsort(labels, kind="stable")

fig, (left, middle, right) = figure(1, 3, size=(12, 5.6))
where = {"aspect": "auto", "cmap": "Greys", "interpolation": "nearest"}
left.imshow(X, extent=(0.5, 10.5, 100, 0), **where)
left.set(title="100 rows", xlabel="column", ylabel="row")
middle.imshow(X[order], extent=(0.5, 10.5, 100, 0), **where)
middle.hlines(np.cumsum(np.bincount(labels, minlength=5))[:-1], 0.5, 10.5, color=ORANGE, linewidth=2)
middle.set(title="the same rows, a block per component", xlabel="column")
shown = right.imshow(model.probabilities_, vmin=0, vmax=1, extent=(0.5, 10.5, 5.5, 0.5), **where)
right.set(title="probability of a 1", xlabel="column", ylabel="component", yticks=range(1, 6))
fig.colorbar(shown, ax=right, shrink=0.8)
for ax in (left, middle, right):
    ax.set_xticks(range(1, 11))
    ax.grid(visible=False)
save(fig, __file__)
