"""Mixtures against a direct optimizer of the observed likelihood, which knows nothing of expectation–maximization."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from suffice.mixtures import GaussianMixture

N, D, K = 60, 2, 2
SHAPES = ("full", "tied", "diag", "spherical")


def sample(missing, seed=0):
    rng = np.random.default_rng(seed)
    side = rng.random(N) < 0.4
    X = np.where(side[:, None], rng.standard_normal((N, D)) @ [[1.0, 0.6], [0.0, 0.8]] + [4.0, 3.0], 0.0)
    X = np.where(side[:, None], X, rng.standard_normal((N, D)) @ [[0.7, -0.3], [0.0, 1.2]])
    X[rng.random(X.shape) < missing] = np.nan
    if missing:
        X[5] = np.nan
    return X, rng.choice([1.0, 2.0, 0.5], N)


def log_densities(X, weights, means, covariances):
    """log π_k N(x_o | μ_o, Σ_oo), row by row: the definition."""
    out = np.empty((len(X), len(weights)))
    for n, x in enumerate(X):
        o = ~np.isnan(x)
        for k in range(len(weights)):
            here = (
                multivariate_normal(means[k][o], covariances[k][np.ix_(o, o)]).logpdf(x[o])
                if o.any()
                else 0.0
            )
            out[n, k] = np.log(weights[k]) + here
    return out


# -- parameters as free numbers ---------------------------------------------------------------------------
def free_covariances(shape, values):
    """(K, D, D) from free numbers: logs of diagonals, and what is below them."""
    if shape == "spherical":
        return np.exp(2 * values)[:, None, None] * np.eye(D)
    if shape == "diag":
        return np.array([np.diag(np.exp(2 * v)) for v in values.reshape(K, D)])
    roots = []
    for v in values.reshape(-1, 3):
        L = np.array([[np.exp(v[0]), 0.0], [v[1], np.exp(v[2])]])
        roots.append(L @ L.T)
    return np.array(roots * (K if shape == "tied" else 1))


def unpacked(shape, theta):
    logits = np.r_[theta[0], 0.0]
    return np.exp(logits - logsumexp(logits)), theta[1:5].reshape(K, D), free_covariances(shape, theta[5:])


def packed(shape, model):
    normals = model.mixing_.components.covariances
    if shape == "spherical":
        free = 0.5 * np.log(normals[:, 0, 0])
    elif shape == "diag":
        free = 0.5 * np.log(np.diagonal(normals, axis1=1, axis2=2)).ravel()
    else:
        roots = np.linalg.cholesky(normals[:1] if shape == "tied" else normals)
        free = np.array([[np.log(L[0, 0]), L[1, 0], np.log(L[1, 1])] for L in roots]).ravel()
    return np.r_[np.log(model.weights_[0] / model.weights_[1]), model.means_.ravel(), free]


def fast_objective(shape, X, weight):
    """−Σ w log p(x) of free parameters, by the few patterns of two columns."""
    groups = [
        (o, ~np.isnan(X) @ [1, 2] == o @ [1, 2]) for o in np.array([[1, 1], [1, 0], [0, 1]], dtype=bool)
    ]

    def value(theta):
        weights, means, covariances = unpacked(shape, theta)
        total = 0.0
        for o, rows in groups:
            z = X[rows][:, o][:, None, :] - means[:, o]
            S = covariances[:, o][:, :, o]
            squares = np.einsum("nki,kij,nkj->nk", z, np.linalg.inv(S), z)
            logs = -0.5 * (squares + np.linalg.slogdet(2 * np.pi * S)[1]) + np.log(weights)
            total -= weight[rows] @ logsumexp(logs, axis=1)
        return total  # a row without a known cell has density one

    return value


def fitted(shape, X, weight, tol=1e-14):
    return GaussianMixture(
        K, covariance_type=shape, reg_covar=0.0, tol=tol, max_iter=20_000, means_init=[[0.0, 0.0], [4.0, 3.0]]
    ).fit(X, sample_weight=weight)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("missing", [0.0, 0.25])
def test_a_direct_optimizer_finds_the_same(shape, missing):
    X, weight = sample(missing)
    model = fitted(shape, X, weight)
    objective = fast_objective(shape, X, weight)
    begin = packed(shape, fitted(shape, X, weight, tol=1e-2)) + 0.05
    best = minimize(objective, begin, method="BFGS", jac="3-point", options={"gtol": 1e-6})
    likelihood = model.trace_.objective[-1]
    assert likelihood == pytest.approx(-best.fun, rel=1e-9)
    weights, means, covariances = unpacked(shape, best.x)
    np.testing.assert_allclose(model.weights_, weights, rtol=1e-6)
    np.testing.assert_allclose(model.means_, means, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(model.mixing_.components.covariances, covariances, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_end_is_a_stationary_point_of_the_observed_likelihood(shape):
    X, weight = sample(0.25, seed=3)
    model = fitted(shape, X, weight)
    objective, theta, h = fast_objective(shape, X, weight), packed(shape, model), 1e-5
    slopes = [(objective(theta + h * e) - objective(theta - h * e)) / (2 * h) for e in np.eye(len(theta))]
    assert np.max(np.abs(slopes)) <= 1e-4 * weight.sum()
    moved = [abs(objective(theta + 0.1 * e) - objective(theta)) for e in np.eye(len(theta))]
    assert min(moved) > 1e-3  # and every parameter matters


@pytest.mark.parametrize("shape", SHAPES)
def test_densities_and_shares_are_the_definition(shape):
    X, weight = sample(0.25, seed=4)
    model = fitted(shape, X, weight, tol=1e-3)
    logs = log_densities(X, model.weights_, model.means_, model.mixing_.components.covariances)
    np.testing.assert_allclose(model.score_samples(X), logsumexp(logs, axis=1), rtol=1e-10, atol=1e-12)
    shares = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
    np.testing.assert_allclose(model.predict_proba(X), shares, rtol=1e-9, atol=1e-13)
    assert np.array_equal(model.predict(X), logs.argmax(axis=1))
    assert model.score(X, sample_weight=weight) == pytest.approx(
        np.average(logsumexp(logs, axis=1), weights=weight)
    )
    n, total = weight.sum(), weight @ logsumexp(logs, axis=1)
    assert model.bic(X, weight) == pytest.approx(-2 * total + np.log(n) * model.n_parameters_)
    assert model.aic(X, weight) == pytest.approx(-2 * total + 2 * model.n_parameters_)
    entropy = -weight @ (shares * np.log(np.maximum(shares, 1e-300))).sum(axis=1)
    assert model.icl(X, weight) == pytest.approx(model.bic(X, weight) + 2 * entropy)
