"""FCML Figs 5.3 and 5.5: the probability of each class over the plane, from full and from naive normal densities.

Far from all rows the posterior is not uncertain: the class whose density falls slowest in that direction takes it all,
as in the corners of the pictures. What is uncertain there is log p(x), which no posterior shows. Naive densities are
clearly wrong here (Fig. 5.4), and still decide alike for most rows.
"""

from _figure import figure, save
from _three_classes import three_classes

from suffice import plots
from suffice.distributions import MultivariateNormal, Normal
from suffice.generative import BayesClassifier

X, y = three_classes()
models = [BayesClassifier(d, priors="uniform").fit(X, y) for d in (MultivariateNormal, Normal)]
alike = (models[0].predict(X) == models[1].predict(X)).mean()
corner = models[0].predict_proba([[8.0, -9.0]])[0]
fig, axes = figure(2, 4, size=(19, 9))
for row, model, kind in zip(axes, models, ("full", "naive"), strict=True):
    for ax, label in zip(row, model.classes_, strict=False):
        plots.class_regions(model, X, y, of=label, margin=0.4, ax=ax)
        ax.set_title(f"P(class {label} | x), {kind}", pad=24)
    plots.class_regions(model, X, y, margin=0.4, ax=row[3])
axes[0, 3].set_title(f"decisions; the same for {alike:.0%} of the rows", pad=24)
axes[1, 3].set_title(
    f"at (8, −9), far from all rows, class {corner.argmax() + 1} has {corner.max():.4f}", pad=24
)
save(fig, __file__)
