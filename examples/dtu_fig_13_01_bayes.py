"""DTU Figs 13.1 and 13.2: two classes, the normal density of each, and the probability of a class by Bayes' rule.

A full covariance needs M + M(M + 1)/2 numbers per class, independent columns 2M (§13.2). Here the columns do depend on
each other within the classes, so the naive densities lie along the axes; what it costs is seen in the right panels.
The text does not print its rows; these are drawn.
"""

import numpy as np
from _figure import figure, save

from suffice import plots
from suffice.distributions import MultivariateNormal
from suffice.evaluation import cross_validate
from suffice.generative import GaussianNB, QuadraticDiscriminantAnalysis

rng = np.random.default_rng(13)
first = MultivariateNormal([0.0, 0.0], [[1.0, 0.75], [0.75, 1.0]]).sample(120, rng)
second = MultivariateNormal([2.2, 1.0], [[1.4, -0.8], [-0.8, 0.9]]).sample(80, rng)
X, y = np.concatenate([first, second]), np.repeat([0, 1], [120, 80])

models = {"Bayes": QuadraticDiscriminantAnalysis(unbiased=True), "Naive Bayes": GaussianNB.book(text="dtu")}
fig, axes = figure(2, 2, size=(11.0, 9.0))
for (name, model), (left, right) in zip(models.items(), axes, strict=True):
    model.fit(X, y)
    wrong = cross_validate(model, X, y, cv=10).estimate
    plots.class_conditionals(model, X, y, ax=left)
    left.set_title(f"{name}: {model.n_parameters_ // 2} numbers per class", pad=24)
    plots.class_regions(model, X, y, of=0, ax=right)
    right.set_title(f"p(y = 0 | x): {wrong:.1%} wrong in ten folds", pad=24)
save(fig, __file__)
