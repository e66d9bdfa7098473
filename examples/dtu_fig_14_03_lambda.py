"""DTU Figs 14.2–14.3 on real data: one penalty per weight path, and cross-validation to choose it (§14.1.1).

Ten attributes of 442 diabetes patients, standardized in each fold as the text does. 61 penalties in ten folds are one
reading of the table; the mark on the right is the largest penalty within one standard error of the best.
"""

import numpy as np
from _figure import figure, save

from suffice.datasets import diabetes
from suffice.evaluation import validate_path
from suffice.linear import Ridge
from suffice.plots import coefficient_path, validation_curve

data, model = diabetes(), Ridge.book(1.0, "dtu")
penalties = np.logspace(-3, 4, 61)
path = validate_path(model, data.X, data.y, "alpha", penalties)
fits = [Ridge.book(p, "dtu").fit(data.X, data.y) for p in penalties]
weights = np.array([f.coef_ for f in fits]) * data.X.std(axis=0, ddof=1)

fig, (left, right) = figure(1, 2, size=(13.5, 5))
coefficient_path(penalties, weights, data.feature_names, chosen=path.one_standard_error, ax=left)
left.set(xlabel="λ", ylabel="weight of the standardized column")
left.set_title("Weights shrink, together and alone", pad=24)
validation_curve(path, ax=right)
right.set(xlabel="λ")
right.set_title("Training error rises, test error has a valley", pad=24)
save(fig, __file__)
