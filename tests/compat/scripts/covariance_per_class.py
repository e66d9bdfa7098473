"""Linear against quadratic discriminants where classes have covariances of their own."""

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.metrics import brier_score_loss

rng = np.random.default_rng(8)
shape = np.array([[0.0, -1.0], [2.5, 0.7]])
X = np.r_[rng.normal(size=(150, 2)) @ shape, rng.normal(size=(150, 2)) @ shape.T + [1, 4]]
y = np.repeat([0, 1], 150)

for model in (
    LinearDiscriminantAnalysis(solver="svd", store_covariance=True),
    QuadraticDiscriminantAnalysis(store_covariance=True),
    QuadraticDiscriminantAnalysis(reg_param=0.1),
):
    chances = model.fit(X, y).predict_proba(X)[:, 1]
    print(type(model).__name__, f"{model.score(X, y):.6g} {brier_score_loss(y, chances):.6g}")
    if model.store_covariance:
        print(np.round(np.asarray(model.covariance_)[..., 0, 0], 6))
