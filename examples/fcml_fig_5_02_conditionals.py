"""FCML Figs 5.1, 5.2 and 5.4: rows of three classes and the normal densities fitted to each.

With a covariance of its own a density takes the shape of its class: five numbers per class. Independent columns need
four, and their ellipses lie along the axes, which is wrong for two of the classes; Fig. 5.5 shows how little that
matters for the decision. The contours hold 50, 80 and 95 % of each density.
"""

from _figure import figure, save
from _three_classes import three_classes

from suffice import plots
from suffice.distributions import MultivariateNormal, Normal
from suffice.generative import BayesClassifier

X, y = three_classes()
fig, axes = figure(1, 2, size=(11.5, 5.2))
for ax, (title, density) in zip(axes, {"Full": MultivariateNormal, "Naive": Normal}.items(), strict=True):
    model = BayesClassifier(density).fit(X, y)
    plots.class_conditionals(model, X, y, margin=0.25, ax=ax)
    right = model.score(X, y)
    ax.set_title(
        f"{title}: {model.n_parameters_ // 3} numbers per class, {right:.0%} of the rows right", pad=24
    )
save(fig, __file__)
