"""Automatic relevance determination finds the columns that were used to make the target."""

import numpy as np
from sklearn.datasets import make_regression
from sklearn.linear_model import ARDRegression, LinearRegression

X, y, weights = make_regression(
    n_samples=100, n_features=20, n_informative=4, noise=8, coef=True, random_state=42
)
ard = ARDRegression(tol=1e-9, max_iter=1000).fit(X, y)
ols = LinearRegression().fit(X, y)
used = np.flatnonzero(weights)
print("columns used", used, "kept", np.flatnonzero(np.abs(ard.coef_) > 1))
print("largest weight", f"{np.abs(ard.coef_).max():.4g}", f"{np.abs(ols.coef_).max():.4g}")
