"""The perceptron's plane on rows in their order."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.linear_model import Perceptron

X, y = load_iris(return_X_y=True)
model = Perceptron(shuffle=False, tol=1e-3, max_iter=100).fit(X[:100], y[:100])
print(np.round(model.coef_, 6), np.round(model.intercept_, 6), f"{model.score(X[:100], y[:100]):.6g}")
