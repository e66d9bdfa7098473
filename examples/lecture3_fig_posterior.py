"""Lecture 3: prior, likelihood and posterior over two weights, Laplace's approximation, and decisions of two orders.

Above: P(C = 1 | x) = σ(θ₁ + θ₂x) with the prior N(0, 2 I) for both; Newton's steps start at (0, 0). The last panel has
the true contours and Laplace's. Below: decisions of models of order one and three over two inputs, averaged over the
posterior. The lecture prints no rows: above are six of ours, below a class whose boundary bends.
"""

import numpy as np
from _figure import mosaic, save
from scipy.special import expit

from suffice import plots
from suffice.bases import Polynomial
from suffice.glm import BayesianLogisticRegression, LogisticRegression, posterior_surface

x, t = np.array([[-2.0], [-1.0], [-0.5], [0.5], [1.0], [2.5]]), [0, 0, 1, 0, 1, 1]
model = LogisticRegression.book(0.5, "lecture3").fit(x, t)
surface = posterior_surface(model, x, t, first=(-4, 4), second=(-2, 5))

parts = ["prior", "likelihood", "posterior", "laplace"]
layout = [[p for p in parts for _ in range(3)], [m for m in ("one", "three", "exact") for _ in range(4)]]
fig, axes = mosaic(layout, size=(17, 9.6))
for part in parts[:3]:
    plots.posterior_surface(surface, part, laplace=False, path=part == "posterior", ax=axes[part])
    axes[part].set_title(
        {"prior": "Prior", "likelihood": "Likelihood", "posterior": "Posterior"}[part], pad=24
    )
plots.posterior_surface(surface, ax=axes["laplace"])
axes["laplace"].set_title("The posterior and Laplace's approximation", pad=24)
for part in parts:
    axes[part].set(xlabel="θ₁", ylabel="θ₂")

rng = np.random.default_rng(7)
X = rng.uniform(-2, 2, (160, 2))
y = (rng.random(160) < expit(4 * (X[:, 1] - X[:, 0] ** 3 + 1.5 * X[:, 0]))).astype(int)
for name, order in (("one", 1), ("three", 3)):
    fitted = BayesianLogisticRegression(0.5, intercept="prior", basis=Polynomial(order)).fit(X, y)
    plots.class_regions(fitted, X, y, margin=0.03, ax=axes[name])
    told = (
        f"Order {order}: {(fitted.predict(X) != y).mean():.0%} wrong, log evidence {fitted.log_evidence_:.1f}"
    )
    axes[name].set_title(told.replace("-", "−"), pad=24)
plots.class_regions(fitted, X, y, of=1, levels=np.arange(1, 10) / 10, margin=0.03, ax=axes["exact"])
axes["exact"].set_title("Order 3: the probabilities", pad=24)
for name in ("one", "three", "exact"):
    axes[name].set(xlabel="x₁", ylabel="x₂")
save(fig, __file__)
