"""Linear and quadratic discriminant analysis against scikit-learn, where the class has its name and meaning."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn import discriminant_analysis as theirs
from sklearn.datasets import load_iris, load_wine
from sklearn.utils.fixes import parse_version

from suffice.generative import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

pytestmark = pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.9"), reason="older ones divide by n − C, and n − 1"
)
rng = np.random.default_rng(6)
TABLES = {
    "wine": load_wine(return_X_y=True),
    "iris": load_iris(return_X_y=True),
    "two of wine": tuple(a[:130] for a in load_wine(return_X_y=True)),
    "one column": (load_iris().data[:, :1], load_iris().target),
}
tables = pytest.mark.parametrize("name", TABLES)


def split(name):
    X, y = TABLES[name]
    train = np.random.default_rng(0).random(len(y)) < 0.7
    return X[train], y[train], X[~train]


def priors_for(kind, k):
    return {"none": None, "given": np.arange(1, k + 1) / np.arange(1, k + 1).sum()}[kind]


@tables
@pytest.mark.parametrize("kind", ["none", "given"])
@pytest.mark.parametrize(
    "options",
    [
        {"solver": "svd"},
        {"solver": "lsqr"},
        {"solver": "eigen"},
        {"solver": "lsqr", "shrinkage": 0.3},
        {"solver": "eigen", "shrinkage": 1.0},
    ],
    ids=str,
)
def test_linear(name, kind, options):
    X, y, new = split(name)
    options = options | {"priors": priors_for(kind, len(np.unique(y)))}
    mine = LinearDiscriminantAnalysis(**options).fit(X, y)
    other = theirs.LinearDiscriminantAnalysis(**options).fit(X, y)
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(mine.intercept_, other.intercept_, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(mine.means_, other.means_, rtol=1e-12)
    np.testing.assert_allclose(mine.priors_, other.priors_, rtol=1e-12)
    np.testing.assert_allclose(
        mine.decision_function(new), other.decision_function(new), rtol=1e-7, atol=1e-8
    )
    near = other.predict_proba(new) > 1e-5  # beyond, theirs are logarithms of rounded probabilities
    np.testing.assert_allclose(
        mine.predict_log_proba(new)[near], other.predict_log_proba(new)[near], rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(mine.predict_proba(new), other.predict_proba(new), rtol=0, atol=1e-9)
    assert np.array_equal(mine.predict(new), other.predict(new))
    if options["solver"] != "svd":
        np.testing.assert_allclose(mine.covariance_, other.covariance_, rtol=1e-9, atol=1e-12)


@tables
@pytest.mark.parametrize("solver", ["svd", "eigen"])
def test_projections_up_to_signs(name, solver):
    X, y, new = split(name)
    mine = LinearDiscriminantAnalysis(solver).fit(X, y)
    other = theirs.LinearDiscriminantAnalysis(solver).fit(X, y)
    a, b = mine.transform(new), other.transform(new)
    assert a.shape == b.shape
    signs = np.sign(np.sum(a * b, axis=0))
    np.testing.assert_allclose(a * signs, b, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(
        mine.explained_variance_ratio_, other.explained_variance_ratio_, rtol=1e-7, atol=1e-10
    )


@tables
@pytest.mark.parametrize("kind", ["none", "given"])
@pytest.mark.parametrize(
    ("options", "solver"),
    [
        ({}, "svd"),
        ({"reg_param": 0.2}, "svd"),
        ({"reg_param": 1.0}, "svd"),
        ({"shrinkage": 0.25}, "eigen"),
        ({"shrinkage": 1.0}, "eigen"),
    ],
    ids=str,
)
def test_quadratic(name, kind, options, solver):
    X, y, new = split(name)
    options = options | {"priors": priors_for(kind, len(np.unique(y)))}
    mine = QuadraticDiscriminantAnalysis(**options, store_covariance=True).fit(X, y)
    other = theirs.QuadraticDiscriminantAnalysis(**options, solver=solver, store_covariance=True).fit(X, y)
    np.testing.assert_allclose(mine.means_, other.means_, rtol=1e-12)
    for a, b in zip(mine.covariance_, other.covariance_, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-12 * np.abs(b).max())
    np.testing.assert_allclose(
        mine.decision_function(new), other.decision_function(new), rtol=1e-8, atol=1e-8
    )
    np.testing.assert_allclose(
        mine.predict_log_proba(new), other.predict_log_proba(new), rtol=1e-8, atol=1e-9
    )
    assert np.array_equal(mine.predict(new), other.predict(new))
