"""Three species of iris by logistic regression on two columns."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

X, y = load_iris(return_X_y=True)
model = LogisticRegression(C=10, tol=1e-10, max_iter=2000).fit(X[:, :2], y)
grid = np.array([[4.5, 3.0], [5.8, 2.7], [7.0, 3.2]])
print("classes", model.classes_, "score", f"{model.score(X[:, :2], y):.6g}")
for row in model.predict_proba(grid):
    print(" ".join(f"{p:.5f}" for p in row))
print(model.predict(grid), model.coef_.shape, model.intercept_.shape)
