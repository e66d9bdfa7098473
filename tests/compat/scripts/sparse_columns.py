"""A sparse table is fitted as it is, and gives what the dense one gives."""

import numpy as np
from scipy import sparse
from sklearn.linear_model import ElasticNet, LinearRegression, Ridge

X = sparse.random(200, 30, density=0.1, format="csr", random_state=0)
rng = np.random.default_rng(3)
y = X @ rng.normal(size=30) + 1.0 + 0.1 * rng.normal(size=200)

for model in (LinearRegression(), Ridge(0.5), ElasticNet(0.001, tol=1e-9, max_iter=10_000)):
    from_sparse = model.fit(X, y).coef_.copy()
    from_dense = model.fit(X.toarray(), y).coef_
    same = np.allclose(from_sparse, from_dense, atol=1e-3)
    print(type(model).__name__, same, f"constant {model.intercept_:.6g}, R2 {model.score(X, y):.6g}")
