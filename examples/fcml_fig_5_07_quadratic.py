"""FCML §5.2.2.2 and Fig. 5.7: logistic regression with squares of the inputs (eq. 5.10, no product of the two).

A blob inside a ring: no line separates them. With w₀ + w₁x₁ + w₂x₂ + w₃x₁² + w₄x₂² the contours are ellipses along the
axes, from a single w; in chapter 4 contours were curved only because many lines were averaged. Right: expand too far
and the contours follow single rows. The text prints neither rows nor σ²; these rows, and σ² = 100, are ours.
"""

import numpy as np
from _figure import figure, save

from suffice import plots
from suffice.bases import Polynomial
from suffice.evaluation import cross_validate
from suffice.glm import LogisticRegression

rng = np.random.default_rng(4)
y = np.repeat([0, 1], 60)
angle, far = rng.uniform(0, 2 * np.pi, 60), 3.0 + 0.7 * rng.standard_normal(60)
inner = rng.standard_normal((60, 2)) * [0.9, 0.9] + [0.3, 0.2]
outer = np.column_stack([1.3 * far * np.cos(angle), far * np.sin(angle)])
X = np.vstack([inner, outer])

fig, axes = figure(1, 3, size=(17, 5.2))
for ax, order in zip(axes, (1, 2, 6), strict=True):
    model = LogisticRegression(prior_precision=0.01, penalize_intercept=True, basis=Polynomial(order))
    seen = (model.fit(X, y).predict(X) != y).mean()
    unseen = cross_validate(model, X, y, loss="log").estimate
    plots.class_regions(model, X, y, of=1, levels=[0.1, 0.3, 0.5, 0.7, 0.9], ax=ax)
    ax.set(xlabel="x₁", ylabel="x₂")
    ax.set_title(f"powers to {order}: {seen:.0%} wrong here, log loss {unseen:.2f} on rows not seen", pad=24)
save(fig, __file__)
