"""The evidence and the posterior as the equations write them: N × N densities, no triangle anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import block_diag
from scipy.stats import multivariate_normal

from suffice.linear import BayesianLinearRegression


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
    phi = columns(model, X)
    if model.standardize:
        mean = np.average(phi, axis=0, weights=precision)
        phi = (phi - mean) / np.sqrt(np.average((phi - mean) ** 2, axis=0, weights=precision))
    if model.fit_intercept and model.intercept == "prior":
        phi = np.column_stack([np.ones(len(y)), phi])
    d = phi.shape[1]
    mean = np.zeros(d) if model.prior_mean is None else np.asarray(model.prior_mean, dtype=float)
    cov = (np.eye(d) if model.prior_cov is None else np.asarray(model.prior_cov)) / model.prior_precision_
    return phi, y, mean, cov, np.diag(1 / (model.noise_precision_ * precision))


def log_evidence(
    model: BayesianLinearRegression, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None
) -> float:
    """log ∫ p(y | θ) p(θ) dθ of one target; a flat intercept by generalized least squares."""
    A, y, m, S, noise = problem(model, X, y, weight)
    C, r = noise + A @ S @ A.T, y - A @ m
    if not (model.fit_intercept and model.intercept == "flat"):
        return float(multivariate_normal(np.zeros(len(y)), C).logpdf(r))
    one = np.ones(len(y))
    information = one @ np.linalg.solve(C, one)
    best = one @ np.linalg.solve(C, r) / information
    peak = multivariate_normal(np.zeros(len(y)), C).logpdf(r - best)
    return float(peak + 0.5 * np.log(2 * np.pi / information))


def posterior(
    model: BayesianLinearRegression, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance of (intercept, weights), from precisions; not for `standardize`."""
    A, y, m, S, noise = problem(model, X, y, weight)
    precision = np.linalg.inv(S)
    if model.fit_intercept and model.intercept == "flat":
        A, m = np.column_stack([np.ones(len(y)), A]), np.concatenate([[0.0], m])
        precision = block_diag(0.0, precision)
    cov = np.linalg.inv(precision + A.T @ np.linalg.solve(noise, A))
    return cov @ (precision @ m + A.T @ np.linalg.solve(noise, y)), cov
