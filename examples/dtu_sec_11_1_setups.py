"""DTU §11.1: two questions about the same cross-validation. Given this training set, and for new ones of this size.

Differences of squared error between three models and the mean of the progression of diabetes (442 patients, from
scikit-learn), by ten-fold two-layer cross-validation. Top: Setup I pools the rows. Bottom: Setup II has the folds as
its sample and allows for shared training rows; its intervals are wider. Right: is the small difference one that
anyone would act upon?
"""

import numpy as np
from _figure import mosaic, save

from suffice import plots
from suffice.datasets import diabetes
from suffice.evaluation import bayesian_correlated_t, two_layer
from suffice.linear import LinearRegression, Ridge

data = diabetes()
models = {
    "least squares": LinearRegression(),
    "ridge": (Ridge(standardize=True), {"alpha": np.logspace(-1, 3, 9)}),
    "strong ridge": Ridge(2000.0, standardize=True),
}
result = two_layer(models, data.X, data.y, outer=10, inner=10)

fig, axes = mosaic([["I", "rope"], ["II", "rope"]], size=(16, 7), width_ratios=[1.4, 1])
for setup in ("I", "II"):
    plots.forest(result.compare(setup=setup), ax=axes[setup])
difference = result.errors["ridge"] - result.errors["least squares"]
found = bayesian_correlated_t(difference, result.test_fraction, rope=30.0, names=("ridge", "least squares"))
plots.practical_equivalence(found, ax=axes["rope"])
axes["rope"].set_title("A difference of 30 is 1 % of the loss", pad=26)
save(fig, __file__)
