"""Shrinkage rescues linear discriminant analysis where there are hardly more rows than columns."""

import numpy as np
from sklearn.datasets import make_blobs
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

rng = np.random.RandomState(0)


def rows(n, n_columns):
    X, y = make_blobs(n_samples=n, n_features=1, centers=[[-2], [2]], random_state=rng)
    return np.hstack([X, rng.randn(n, n_columns - 1)]), y


for n_columns in (2, 10, 18):
    X, y = rows(40, n_columns)
    X_test, y_test = rows(400, n_columns)
    for shrinkage in (None, 0.5):
        model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage).fit(X, y)
        print(n_columns, shrinkage, f"{model.score(X_test, y_test):.6g} {np.abs(model.coef_).sum():.6g}")
