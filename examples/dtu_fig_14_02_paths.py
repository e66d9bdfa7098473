"""DTU Fig. 14.2 and §14.1.1: how ridge and lasso shrink the same weights, and what unseen rows say.

Ten attributes of 442 diabetes patients, standardized in each fold. Ridge keeps every weight; the lasso sets one after
the other to exactly zero. Both paths and their ten folds come from one reading of the table.
"""

import numpy as np
import pandas as pd
from _figure import figure, save

from suffice import plots
from suffice.datasets import diabetes
from suffice.evaluation import validate_path
from suffice.linear import Lasso, Ridge, coefficient_path

data = diabetes()
table = pd.DataFrame(data.X / data.X.std(axis=0), columns=data.feature_names)
settings = {
    "Ridge": (Ridge(standardize=True), np.logspace(-1, 5, 61)),
    "Lasso": (Lasso(standardize=True), np.logspace(-2, 1.7, 61)),
}

fig, axes = figure(2, 2, size=(13.5, 9.5))
for (top, bottom), (name, (model, penalties)) in zip(axes.T, settings.items(), strict=True):
    chosen = validate_path(model, table, data.y, "alpha", penalties)
    path = coefficient_path(model, table, data.y, penalties=penalties)
    plots.coefficient_path(path, chosen=chosen.one_standard_error, ax=top)
    kept = path.n_nonzero[chosen.one_standard_error_index]
    top.set_title(f"{name}: {kept} of {len(path.names)} weights at the mark", pad=24)
    top.set(ylabel="weight of the standardized column")
    plots.validation_curve(chosen, ax=bottom)
save(fig, __file__)
