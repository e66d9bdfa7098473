"""Herbst & du Preez §4.3: logistic regression and its generative twin, with and without basis functions.

Two normal classes with one covariance have a logistic posterior (§4.2), so both models are right: discriminant analysis
learns two means and a covariance, logistic regression only what decides. With rows far out in one class, the normal
densities are wrong and drag the boundary along; logistic regression does not care. Right: for separable rows the
likelihood has no maximum, which the notes do not mention, and a prior is needed.
"""

import warnings

import numpy as np
from _figure import BLUE, INK, ORANGE, figure, save

from suffice import plots
from suffice.generative import LinearDiscriminantAnalysis
from suffice.glm import LogisticRegression

rng = np.random.default_rng(12)
y = np.repeat([1, 2], 60)
X = rng.multivariate_normal([0, 0], [[1.0, 0.6], [0.6, 1.2]], 120) + np.where(y[:, None] == 1, -1.0, 1.0) * [
    1.1,
    -0.6,
]
outliers = rng.multivariate_normal([9, -4], 0.4 * np.eye(2), 15)
data = {"Normal classes": (X, y), "… and rows far out": (np.vstack([X, outliers]), np.append(y, [2] * 15))}

fig, (left, middle, right) = figure(1, 3, size=(17, 5.1))
for ax, (title, (rows, labels)) in zip((left, middle), data.items(), strict=True):
    model = LogisticRegression(prior_precision=0).fit(rows, labels)
    twin = LinearDiscriminantAnalysis().fit(rows, labels)
    plots.class_regions(model, rows, labels, ax=ax)
    u, v = np.meshgrid(np.linspace(*ax.get_xlim(), 99), np.linspace(*ax.get_ylim(), 99))
    grid = np.column_stack([u.ravel(), v.ravel()])
    ax.contour(u, v, twin.predict_proba(grid)[:, 1].reshape(u.shape), [0.5], colors=INK, linestyles="--")
    wrong = [(m.predict(rows) != labels).mean() for m in (model, twin)]
    ax.set(xlabel="x₁", ylabel="x₂")
    ax.set_title(f"{title}: {wrong[0]:.0%} wrong; discriminant (dashed) {wrong[1]:.0%}", pad=24)

x, t = np.array([[-2.0], [-1.0], [1.0], [2.0]]), [0, 0, 1, 1]
steps = np.arange(1, 13)
for precision, color in ((0.0, ORANGE), (0.1, BLUE)):
    slopes = []
    for most in steps:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that four steps do not arrive is the picture
            fit = LogisticRegression(prior_precision=precision, fit_intercept=False, max_iter=int(most)).fit(
                x, t
            )
        slopes.append(fit.coef_[0, 0])
    right.plot(steps, slopes, "o-", color=color, markersize=4, label=f"prior precision {precision:g}")
right.set(xlabel="passes over the rows", ylabel="slope")
right.set_title("Separable rows: about one more per step, without end", pad=24)
right.legend(loc="upper left")
save(fig, __file__)
