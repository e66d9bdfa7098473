"""DTU Fig. 8.11: a class that depends on the product of two inputs, P(y = 1) = σ(2 + 10 x₁x₂) on [−1, 1]².

No plane in x₁ and x₂ helps: its boundary is a line. With the product x₁x₂ as a third column the model is still linear
in its weights, and finds those that made the rows.
"""

import numpy as np
from _figure import figure, save
from scipy.special import expit

from suffice import plots
from suffice.bases import Interactions, Polynomial
from suffice.glm import LogisticRegression

rng = np.random.default_rng(11)
X = rng.uniform(-1, 1, (600, 2))
y = (rng.random(600) < expit(2 + 10 * X[:, 0] * X[:, 1])).astype(int)
plain = LogisticRegression(prior_precision=0).fit(X, y)
crossed = LogisticRegression(prior_precision=0, basis=Polynomial(1) + Interactions()).fit(X, y)

fig, (left, middle, right) = figure(1, 3, size=(17, 5.2))
for ax, model, name in ((left, plain, "x₁, x₂"), (middle, crossed, "x₁, x₂, x₁x₂")):
    plots.class_regions(model, X, y, margin=0.02, ax=ax)
    ax.set(xlabel="x₁", ylabel="x₂")
    ax.set_title(
        f"{name}: {(model.predict(X) != y).mean():.1%} wrong, deviance {model.deviance_:.0f}", pad=24
    )
summary = crossed.summary()
plots.coefficients(summary, ax=right)
right.set_yticks(range(3), ["x₁", "x₂", "x₁x₂"])
right.plot([0, 0, 10], [0, 1, 2], "k|", markersize=16, markeredgewidth=1.6)
right.set_title(
    f"Weights and truth (bars); the constant is {summary.estimate[0]:.2f} ± {summary.std_error[0]:.2f}",
    pad=24,
)
save(fig, __file__)
