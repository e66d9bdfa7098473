"""The evidence and the posterior as the equations write them: N × N densities, no triangle anywhere.

Dense covariances of wide priors are ill-conditioned, so densities are computed in extended precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import block_diag
from scipy.special import gammaln

from suffice.linear import ARDRegression, BayesianLinearRegression, BayesianRidge, ConjugateLinearRegression

LOG_2PI = np.log(2 * np.longdouble(np.pi))


def columns(model: Any, X: np.ndarray) -> np.ndarray:
    """The raw design, without a constant."""
    return np.asarray(X, dtype=float) if model.basis is None else model.basis(X)


def expanded(X: np.ndarray, y: np.ndarray, weight: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Rows repeated as often as they count."""
    if weight is None:
        return X, y
    times = weight.astype(int)
    assert np.array_equal(times, weight), "counts are whole numbers here"
    return np.repeat(X, times, axis=0), np.repeat(y, times, axis=0)


def problem(
    model: BayesianLinearRegression, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None
) -> tuple:
    """(A, y, m, S, N): y ~ N(A θ, N), θ ~ N(m, S), with the parameters that have a prior; flat intercept left out."""
    precision = np.ones(len(y))
    if weight is not None and model.weight_kind == "precision":
        X, y, precision = X[weight > 0], y[weight > 0], weight[weight > 0]
    else:
        X, y = expanded(X, y, weight)
        precision = np.ones(len(y))
    phi = columns(model, X).astype(np.longdouble)
    if model.standardize:
        mean = np.average(phi, axis=0, weights=precision)
        phi = (phi - mean) / np.sqrt(np.average((phi - mean) ** 2, axis=0, weights=precision))
    if model.fit_intercept and model.intercept == "prior":
        phi = np.column_stack([np.ones(len(y)), phi])
    d = phi.shape[1]
    if isinstance(model, ARDRegression):  # a pruned weight has no variance
        noise = np.diag(1 / (model.noise_precision_ * precision))
        return phi, y, np.zeros(d), np.diag(1 / model.prior_precisions_), noise
    if isinstance(model, BayesianRidge):  # it is a model at the precisions found
        model = model.models_[0]
    mean = np.zeros(d) if model.prior_mean is None else np.asarray(model.prior_mean, dtype=float)
    cov = np.eye(d) if model.prior_cov is None else np.asarray(model.prior_cov)
    if isinstance(model, ConjugateLinearRegression):  # in units of the noise
        return phi, y, mean, cov / model.prior_precision, np.diag(1 / precision)
    return phi, y, mean, cov / model.prior_precision_, np.diag(1 / (model.noise_precision_ * precision))


def log_evidence(
    model: BayesianLinearRegression, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None
) -> float:
    """log ∫ p(y | θ) p(θ) dθ of one target; a flat intercept by generalized least squares."""
    A, y, m, S, noise = problem(model, X, y, weight)
    C, r = noise + A @ S @ A.T, y - A @ m
    L = extended_cholesky(C)
    z, log_det = forward(L, r), 2 * np.sum(np.log(np.diagonal(L)))
    n, square = len(y), z @ z
    if model.fit_intercept and model.intercept == "flat":
        e = forward(L, np.ones_like(r))
        rest = z - e * (e @ z) / (e @ e)
        n, log_det, square = n - 1, log_det + np.log(e @ e), rest @ rest
    if isinstance(model, ConjugateLinearRegression):  # a Student-t density: the precision is integrated out
        a, b = model.shape, model.rate
        constant = a * np.log(b) + gammaln(a + n / 2) - gammaln(a)
        return float(constant - 0.5 * (n * LOG_2PI + log_det) - (a + n / 2) * np.log(b + square / 2))
    return float(-0.5 * (n * LOG_2PI + log_det + square))


def extended_cholesky(C: np.ndarray) -> np.ndarray:
    """The lower factor, column by column, in long double."""
    L = np.array(C, dtype=np.longdouble)
    for j in range(len(L)):
        L[j:, j] -= L[j:, :j] @ L[j, :j]
        L[j:, j] /= np.sqrt(L[j, j])
        L[j, j + 1 :] = 0
    return L


def forward(L: np.ndarray, r: np.ndarray) -> np.ndarray:
    """L⁻¹ r."""
    z = np.array(r, dtype=np.longdouble)
    for i in range(len(z)):
        z[i] = (z[i] - L[i, :i] @ z[:i]) / L[i, i]
    return z


def posterior(
    model: BayesianLinearRegression, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance of (intercept, weights), from precisions; not for `standardize`."""
    A, y, m, S, noise = (a.astype(float) for a in problem(model, X, y, weight))
    precision = np.linalg.inv(S)
    if model.fit_intercept and model.intercept == "flat":
        A, m = np.column_stack([np.ones(len(y)), A]), np.concatenate([[0.0], m])
        precision = block_diag(0.0, precision)
    cov = np.linalg.inv(precision + A.T @ np.linalg.solve(noise, A))
    return cov @ (precision @ m + A.T @ np.linalg.solve(noise, y)), cov
