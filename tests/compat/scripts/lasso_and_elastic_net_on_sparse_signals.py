"""Which penalties find the few columns that matter among many correlated ones."""

import numpy as np
from sklearn.linear_model import ElasticNet, Lasso, Ridge
from sklearn.metrics import r2_score

rng = np.random.default_rng(0)
n_rows, n_columns, n_active = 100, 40, 5
X = rng.normal(size=(n_rows, n_columns))
X[:, 1:] += 0.5 * X[:, :-1]
weights = np.zeros(n_columns)
weights[:n_active] = [3, -2, 1.5, 1, -1]
y = X @ weights + rng.normal(scale=0.5, size=n_rows)
train, test = slice(0, 60), slice(60, None)

for model in (
    Lasso(alpha=0.1, tol=1e-8),
    ElasticNet(alpha=0.1, l1_ratio=0.7, tol=1e-8),
    Ridge(alpha=1.0, solver="cholesky"),
):
    model.fit(X[train], y[train])
    r2 = r2_score(y[test], model.predict(X[test]))
    print(type(model).__name__, "keeps", int(np.sum(model.coef_ != 0)), "weights,", f"R2 {r2:.6g}")
