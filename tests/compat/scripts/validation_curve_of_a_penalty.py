"""Training and test scores as the penalty grows."""

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Lasso, Ridge
from sklearn.model_selection import validation_curve

X, y = load_diabetes(return_X_y=True)
alphas = np.logspace(-3, 1, 5)
for model in (Ridge(), Lasso(tol=1e-8, max_iter=10_000)):
    train, test = validation_curve(model, X, y, param_name="alpha", param_range=alphas, cv=5, scoring="r2")
    print(type(model).__name__, train.shape)
    for alpha, a, b in zip(alphas, train.mean(axis=1), test.mean(axis=1), strict=True):
        print(f"  {alpha:.6g}: {a:.6g} {b:.6g}")
