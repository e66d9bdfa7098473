"""Iris in the two directions that tell its species apart best."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

X, y = load_iris(return_X_y=True)
lda = LinearDiscriminantAnalysis(n_components=2)
Z = lda.fit(X, y).transform(X)
print("share of the variance between classes", np.round(lda.explained_variance_ratio_, 6))
for k in range(3):
    print(k, np.round(np.abs(Z[y == k].mean(axis=0)), 6), np.round(Z[y == k].std(axis=0), 6))
print(f"score {lda.score(X, y):.6g}", np.round(lda.means_[0], 6), np.round(lda.priors_, 6))
