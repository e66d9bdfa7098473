"""PoissonRegressor and GammaRegressor against scikit-learn's, driven to their last digits."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as sk

from suffice._core.errors import InvalidInput, InvalidParameter, NotConverged, NotCounts
from suffice.glm import GammaRegressor, PoissonRegression, PoissonRegressor

RNG = np.random.default_rng(4)
X = RNG.normal(size=(200, 4)) * [1.0, 3.0, 0.2, 1.0] + 1
RATE = np.exp(0.4 * X[:, 0] - 0.2 * X[:, 1])
TARGETS = {"counts": RNG.poisson(RATE), "rates": RATE * RNG.gamma(2.0, 0.5, 200)}
WEIGHT = RNG.uniform(0.2, 3.0, 200)
CASES = [(PoissonRegressor, "counts"), (PoissonRegressor, "rates"), (GammaRegressor, "rates")]
every_case = pytest.mark.parametrize(("cls", "name"), CASES, ids=lambda v: getattr(v, "__name__", v))


@every_case
@pytest.mark.parametrize("options", [{}, {"alpha": 0.0}, {"alpha": 0.05, "fit_intercept": False}], ids=repr)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weighted"])
def test_scikit_learns_minimum(cls, name, options, weight):
    y = TARGETS[name]
    peer = getattr(sk, cls.__name__)(**options, solver="newton-cholesky", tol=1e-12).fit(X, y, weight)
    model = cls(**options).fit(X, y, weight)
    np.testing.assert_allclose(model.coef_, peer.coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.intercept_, peer.intercept_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.predict(X), peer.predict(X), rtol=1e-8)
    assert model.score(X, y, weight) == pytest.approx(peer.score(X, y, weight), rel=1e-8)
    np.testing.assert_allclose(model.predict_dist(X).mean, model.predict(X), rtol=1e-10)


@every_case
def test_sparse_and_single_precision(cls, name):
    Z = np.where(X > 1, X, 0.0)
    best = cls().fit(Z, TARGETS[name])
    thin = cls().fit(sparse.csr_array(Z), TARGETS[name])
    np.testing.assert_allclose(thin.coef_, best.coef_, rtol=1e-9, atol=1e-12)
    single = cls().fit(Z.astype(np.float32), TARGETS[name])
    assert single.coef_.dtype == np.float32
    np.testing.assert_allclose(single.coef_, best.coef_, rtol=1e-4, atol=1e-6)


def test_behind_the_door_is_a_model_with_standard_errors():
    model = PoissonRegressor(alpha=0.5).fit(X, TARGETS["counts"], WEIGHT)
    same = PoissonRegression(prior_precision=0.5 * WEIGHT.sum()).fit(X, TARGETS["counts"], WEIGHT)
    assert np.array_equal(model.coef_, same.coef_)
    assert np.array_equal(model.model_.cov_params_, same.cov_params_)
    with pytest.warns(NotCounts, match="no count"):
        PoissonRegression().fit(X, TARGETS["rates"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PoissonRegressor().fit(X, TARGETS["rates"])  # a mean is asked for, and any numbers have one


@pytest.mark.parametrize("cls", [PoissonRegressor, GammaRegressor])
def test_wrong_input(cls):
    y = TARGETS["rates"]
    with pytest.raises(InvalidParameter, match="alpha must be .*-1"):
        cls(alpha=-1.0).fit(X, y)
    with pytest.raises(InvalidParameter, match="solver must be .*'sag'"):
        cls(solver="sag").fit(X, y)
    for wrong in (True, np.inf, -1.0, "small"):
        with pytest.raises(InvalidParameter, match="tol must be a number >= 0; got"):
            cls(tol=wrong).fit(X, y)
    with pytest.raises(InvalidParameter, match="max_iter must be .*0"):
        cls(max_iter=0).fit(X, y)
    with pytest.raises(InvalidInput, match="-1"):
        cls().fit(X, np.append(y[:-1], -1.0))
    with pytest.raises(InvalidInput, match="requires y"):
        cls().fit(X, None)
    with pytest.warns(NotConverged, match="stopped after 1 step"):
        assert cls(max_iter=1).fit(X, y).n_iter_ == 1
