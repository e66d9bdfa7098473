"""`effective_parameters_` has one meaning: the trace of the hat matrix ∂ŷ/∂y, a constant that is fitted among it."""

import numpy as np
import pytest
from sklearn.base import clone

from suffice.bases import GaussianBasis
from suffice.linear import (
    ARDRegression,
    BayesianLinearRegression,
    ConjugateLinearRegression,
    ElasticNet,
    Lasso,
    QNormRegression,
    Ridge,
    coefficient_path,
    evidence_path,
)

RNG = np.random.default_rng(11)
X = RNG.normal(size=(25, 4)) * [1.0, 3.0, 0.2, 1.0] + 5
Y = X @ [1.0, 0.3, -2.0, 0.0] + RNG.normal(size=25)
INTERCEPTS = [{}, {"intercept": "prior"}, {"fit_intercept": False}]
SMOOTHERS = [
    *(
        Ridge(2.0, **o)
        for o in ({}, {"fit_intercept": False}, {"penalize_intercept": True}, {"standardize": True})
    ),
    *(BayesianLinearRegression(0.7, noise_precision=1.3, **o) for o in (*INTERCEPTS, {"standardize": True})),
    BayesianLinearRegression(0.7, noise_precision=1.3, basis=GaussianBasis(3, width=2.0)),
    *(ConjugateLinearRegression(0.7, **o) for o in INTERCEPTS),
]


def trace_of_the_hat(model, step=1.0):
    """Σ ∂ŷ_i/∂y_i by a step of each target: exact for what is linear in the targets."""
    fits = [clone(model).fit(X, Y + step * e) for e in np.eye(len(Y))]
    base = clone(model).fit(X, Y).predict(X)
    return sum(f.predict(X)[i] - base[i] for i, f in enumerate(fits)) / step


@pytest.mark.parametrize("model", SMOOTHERS, ids=repr)
def test_it_is_the_trace_of_the_hat_matrix(model):
    assert clone(model).fit(X, Y).effective_parameters_ == pytest.approx(trace_of_the_hat(model), rel=1e-8)


@pytest.mark.parametrize(
    "model", [Lasso(0.1, tol=1e-12), ElasticNet(0.1, tol=1e-12), QNormRegression(1.5, 1.0)], ids=repr
)
def test_it_is_the_trace_of_the_derivative_where_the_fit_bends(model):
    wanted = trace_of_the_hat(model, step=1e-4)
    assert clone(model).fit(X, Y).effective_parameters_ == pytest.approx(wanted, rel=1e-3)


@pytest.mark.parametrize("options", INTERCEPTS)
def test_at_precisions_that_were_found(options):
    found = BayesianLinearRegression(**options).fit(X, Y)
    fixed = BayesianLinearRegression(
        found.prior_precision_, noise_precision=found.noise_precision_, **options
    )
    assert found.effective_parameters_ == pytest.approx(trace_of_the_hat(fixed), rel=1e-8)
    ard = ARDRegression(noise_precision=1.0, **options).fit(X, Y)
    ones = np.ones((len(Y), 0 if options.get("fit_intercept") is False else 1))
    flat = ones[0] * 0 if options.get("intercept") != "prior" else []
    precisions = np.r_[flat, ard.prior_precisions_]
    A = np.hstack([ones, X])[:, np.isfinite(precisions)]
    H = A @ np.linalg.solve(A.T @ A + np.diag(precisions[np.isfinite(precisions)]), A.T)
    assert ard.effective_parameters_ == pytest.approx(np.trace(H), rel=1e-8)


@pytest.mark.parametrize("options", INTERCEPTS)
def test_the_evidence_leaves_a_flat_intercept_out(options):
    """PRML 3.91: γ = Σ λ/(λ + α), and α = γ/mᵀm at the maximum, over the weights that have a prior."""
    flat = 0 if options else 1
    for model in (
        BayesianLinearRegression(**options),
        ConjugateLinearRegression(0.7, **options),
        ARDRegression(**options),
    ):
        fit = model.fit(X, Y)
        assert fit.well_determined_parameters_ == pytest.approx(fit.effective_parameters_ - flat, rel=1e-12)
    best = BayesianLinearRegression(**options).fit(X, Y)
    w = np.append(best.coef_, best.intercept_ if options.get("intercept") == "prior" else 0)
    assert best.prior_precision_ == pytest.approx(best.well_determined_parameters_ / (w @ w), rel=1e-6)


def test_paths_count_the_same():
    model = BayesianLinearRegression(noise_precision=1.0)
    path = coefficient_path(model, X, Y, penalties=[0.1, 1.0])
    ridge = coefficient_path(Ridge(), X, Y, penalties=[0.1, 1.0])
    np.testing.assert_allclose(path.effective_parameters, ridge.effective_parameters, rtol=1e-9)
    evidence = evidence_path(model, X, Y, "prior_precision", [0.1, 1.0])
    np.testing.assert_allclose(evidence.effective_parameters, ridge.effective_parameters, rtol=1e-9)
    np.testing.assert_allclose(evidence.well_determined_parameters, ridge.effective_parameters - 1, rtol=1e-9)
