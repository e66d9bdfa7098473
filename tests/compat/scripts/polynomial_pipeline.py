"""Polynomials of three orders fitted to a cosine, through a pipeline and cross-validated."""

import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import PolynomialFeatures

rng = np.random.default_rng(1)
x = np.sort(rng.random(60))
y = np.cos(1.5 * np.pi * x) + 0.1 * rng.normal(size=60)

for degree in (1, 4, 9):
    model = Pipeline(
        [
            ("powers", PolynomialFeatures(degree=degree, include_bias=False)),
            ("line", LinearRegression(tol=1e-14)),
        ]
    )
    scores = cross_val_score(model, x[:, np.newaxis], y, scoring="neg_mean_squared_error", cv=10)
    print(f"degree {degree}: error {-scores.mean():.6g} +/- {scores.std():.6g}")
