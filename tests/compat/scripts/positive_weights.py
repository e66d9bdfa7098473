"""Least squares whose weights may not be negative."""

import numpy as np
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split

rng = np.random.default_rng(42)
X = rng.normal(size=(120, 15))
weights = rng.normal(size=15).clip(0)
y = X @ weights + 2 * rng.normal(size=120)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)

for model in (LinearRegression(positive=True), LinearRegression(), Ridge(positive=True, tol=1e-10)):
    model.fit(X_train, y_train)
    r2 = r2_score(y_test, model.predict(X_test))
    print(
        f"R2 {r2:.6g}, weights below zero {int((model.coef_ < 0).sum())}, zero {int((model.coef_ == 0).sum())}"
    )
