"""A column that varies in one row only is constant without it: folds from statistics must still equal refits."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from suffice.bases import Polynomial
from suffice.evaluation import cross_validate
from suffice.linear import (
    ARDRegression,
    BayesianLinearRegression,
    ConjugateLinearRegression,
    Lasso,
    LinearRegression,
    QNormRegression,
    Ridge,
)

SQUARES = Polynomial(2, interactions=True)
MODELS = {
    "ridge": Ridge(1.0, basis=SQUARES, standardize=True),
    "lasso": Lasso(0.01, basis=SQUARES, standardize=True),
    "q-norm": QNormRegression(1.5, 0.1, basis=SQUARES, standardize=True),
    "bayesian": BayesianLinearRegression(basis=SQUARES, standardize=True),
    "conjugate": ConjugateLinearRegression(basis=SQUARES, standardize=True),
    "ard": ARDRegression(basis=SQUARES, standardize=True),
    "least squares": LinearRegression(basis=SQUARES),
    "scaled twice": make_pipeline(
        StandardScaler(), PolynomialFeatures(2, include_bias=False), StandardScaler(), Ridge(1.0)
    ),
    "scaled after": make_pipeline(PolynomialFeatures(2, include_bias=False), StandardScaler(), Ridge(1.0)),
}


@pytest.mark.filterwarnings("ignore")  # dependent columns are warned about, which is not what is asked here
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", [0, 1])
def test_products_with_a_column_of_one_row(name, seed):
    rng = np.random.default_rng(seed)
    X = np.c_[rng.normal(size=(150, 2)), np.zeros(150)]
    X[3, 2] = 1.0
    y = X[:, 0] ** 2 + X[:, 0] * X[:, 1] + 0.2 * rng.normal(size=150)
    fast = cross_validate(MODELS[name], X, y, cv=KFold(5))
    slow = -cross_val_score(MODELS[name], X, y, cv=KFold(5), scoring="neg_mean_squared_error")
    assert fast.how == "statistics"
    assert fast.fold_losses == pytest.approx(slow, rel=1e-7)
