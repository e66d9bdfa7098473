"""FCML §6.3.9: many clusterings in place of one, and the probability that two rows belong together.

Left: two clouds that touch, and the labels of EM's best parameters. Middle: in how many of 4,000 sampled clusterings
two rows share a cluster; rows between the clouds belong to both in part. Right: how probably a row is with the one
farthest right; a label says yes or no. The text prints no numbers and no figure here; the rows are ours.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save
from sklearn.mixture import GaussianMixture

from suffice.mixtures import GibbsGaussianMixture

rng = np.random.default_rng(7)
X = np.concatenate([rng.normal(size=(60, 2)) * [1.0, 1.2] - [1.7, 0], rng.normal(size=(60, 2)) + [1.7, 0]])
X = X[np.argsort(X[:, 0])]  # from left to right, so that the matrix has an order

point = GaussianMixture(2, n_init=5, random_state=0).fit(X)
model = GibbsGaussianMixture(3, random_state=0).fit(X)
together = model.coclustering_
sure = np.argmax(X[:, 0])  # the row farthest right
with_it = together[sure]

fig, (rows, matrix, shares) = figure(1, 3, size=(16.5, 5.0))
labels = point.predict(X)
rows.scatter(*X.T, c=np.where(labels == labels[sure], ORANGE, BLUE), s=26, edgecolors="white", linewidths=0.5)
unsure = (with_it > 0.15) & (with_it < 0.85)
rows.scatter(*X[unsure].T, s=90, facecolors="none", edgecolors=INK, label=f"{unsure.sum()} rows of both")
rows.set(xlabel="x₁", ylabel="x₂", title="One clustering, and the rows it is too sure of")
rows.legend(loc="upper left")

shown = matrix.imshow(together, vmin=0, vmax=1, cmap="cividis", interpolation="nearest")
fig.colorbar(shown, ax=matrix, label="P(same cluster)")
matrix.set(xlabel="row, from left to right", ylabel="row", title="Share of 4,000 clusterings, together")
matrix.grid(False)

shares.plot(X[:, 0], labels == labels[sure], "|", color=GREY, markersize=9, label="EM: one label per row")
shares.plot(X[:, 0], with_it, "o", color=BLUE, markersize=4, label="Gibbs: share of the draws")
shares.set(xlabel="x₁", ylabel="P(with the row farthest right)", title="What a point estimate cannot give")
shares.legend(loc="center right")
save(fig, __file__)
