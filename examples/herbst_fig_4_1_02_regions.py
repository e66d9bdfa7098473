"""Herbst & du Preez Fig. 4.1.2: the regions of linear discriminants are convex.

Three classes by least squares: whatever two points of one region are joined, the line stays in it. The notes print no
points; these are ours.
"""

import numpy as np
from _figure import INK, figure, save

from suffice.generative import LeastSquaresClassifier, LinearDiscriminantAnalysis
from suffice.plots import class_regions

rng = np.random.default_rng(3)
y = np.repeat([1, 2, 3], 60)
X = 0.7 * rng.standard_normal((180, 2)) + np.array([[0.0, 0.0], [4.0, 0.5], [1.5, 3.5]])[y - 1]
a, b = np.array([2.6, -2.0]), np.array([6.2, 3.2])
fig, axes = figure(1, 2, size=(11.5, 5))
for ax, model in zip(axes, (LeastSquaresClassifier(), LinearDiscriminantAnalysis()), strict=True):
    model.fit(X, y)
    met = np.unique(model.predict(a + np.linspace(0, 1, 99)[:, None] * (b - a)))
    assert len(met) == 1
    if hasattr(model, "predict_proba"):
        class_regions(model, X, y, ax=ax)
    else:
        u, v = np.meshgrid(np.linspace(-3, 7, 300), np.linspace(-3, 6, 300))
        shown = model.predict(np.c_[u.ravel(), v.ravel()]).reshape(u.shape)
        ax.contour(u, v, shown, levels=[1.5, 2.5], colors=[INK], linewidths=1)
        for c in (1, 2, 3):
            ax.scatter(*X[y == c].T, s=14, label=f"class {c}")
        ax.legend()
    ax.plot(*np.array([a, b]).T, color=INK, marker="o", linewidth=1.2)
    ax.set_title(f"{type(model).__name__}: one class from end to end", pad=24)
    ax.set(xlim=(-3, 7), ylim=(-3, 6))
save(fig, __file__)
