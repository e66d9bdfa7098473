"""Rows that count more than others move the line."""

import numpy as np
from sklearn.linear_model import LinearRegression, Ridge

rng = np.random.default_rng(2)
X = rng.uniform(0, 10, size=(50, 1))
y = 2 * X[:, 0] + rng.normal(size=50)
y[:5] += 20
weight = np.ones(50)
weight[:5] = 0.01

for model in (LinearRegression(), Ridge(alpha=5.0)):
    plain = model.fit(X, y).coef_[0]
    weighted = model.fit(X, y, sample_weight=weight)
    r2 = weighted.score(X, y, sample_weight=weight)
    print(type(model).__name__, f"{plain:.6g} becomes {weighted.coef_[0]:.6g}, R2 {r2:.6g}")
