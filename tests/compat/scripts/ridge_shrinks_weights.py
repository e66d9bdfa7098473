"""How the weights of ridge regression shrink as the penalty grows, on an ill-conditioned matrix."""

import numpy as np
from sklearn import linear_model

X = 1.0 / (np.arange(1, 9) + np.arange(8)[:, np.newaxis])  # the Hilbert matrix
y = np.ones(8)

for alpha in np.logspace(-4, 2, 7):
    ridge = linear_model.Ridge(alpha=alpha, fit_intercept=False)
    ridge.fit(X, y)
    print(f"alpha {alpha:8.4g}: norm {np.linalg.norm(ridge.coef_):.6g}, first {ridge.coef_[0]:.6g}")
