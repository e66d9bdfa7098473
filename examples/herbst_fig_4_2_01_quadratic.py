"""Herbst Fig. 4.2.1: boundaries between normal classes, straight with one covariance, quadratic with one for each.

The rows are drawn here, as the text prints none: two classes share a shape and the third is narrower. A shared
covariance (left) gives straight boundaries with KD + D(D + 1)/2 numbers; covariances of their own (middle) bend them
around the narrow class with KD(D + 3)/2. On the right a third of the cells is missing: both fit and prediction go on
with what is known, and the boundary hardly moves.
"""

import numpy as np
from _figure import figure, save

from suffice import plots
from suffice.generative import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

rng = np.random.default_rng(4)
y = np.repeat(["first", "second", "third"], 80)
shape = np.linalg.cholesky([[1.6, 0.9], [0.9, 1.0]])
centers = {"first": [-2.2, 0.0], "second": [1.8, -1.2], "third": [0.6, 2.2]}
X = np.array([centers[label] for label in y])
X += np.where((y == "third")[:, None], 0.45, 1.0) * rng.standard_normal(X.shape) @ shape.T
holes = np.where(rng.random(X.shape) < 1 / 3, np.nan, X)

models = {
    "One covariance": LinearDiscriminantAnalysis().fit(X, y),
    "One for each class": QuadraticDiscriminantAnalysis().fit(X, y),
    "A third of the cells missing": QuadraticDiscriminantAnalysis().fit(holes, y),
}
fig, axes = figure(1, 3, size=(15, 4.8))
for ax, (title, model) in zip(axes, models.items(), strict=True):
    plots.class_regions(model, X, y, margin=0.2, ax=ax)
    seen = holes if "missing" in title else X
    ax.set_title(f"{title}: {model.n_parameters_} numbers, {model.score(seen, y):.0%} right", pad=24)
save(fig, __file__)
