"""Columns shuffled one at a time, and the mean prediction along one of them."""

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.linear_model import Ridge

X, y = load_diabetes(return_X_y=True, as_frame=True)
model = Ridge(alpha=0.01).fit(X, y)
found = permutation_importance(model, X, y, n_repeats=5, random_state=0)
for j in np.argsort(-found.importances_mean)[:3]:
    print(X.columns[j], f"{found.importances_mean[j]:.6g} +/- {found.importances_std[j]:.6g}")
along = partial_dependence(model, X, ["bmi"], grid_resolution=5)
print(np.round(along["average"][0], 4), np.round(along["grid_values"][0], 5))
