"""Evidence and posterior of every Bayesian linear model against dense algebra, at all priors and intercept rules.

The dense side forms N × N covariances and (1 + d) × (1 + d) precisions as the equations write them; no triangle.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammaln
from scipy.stats import gamma, multivariate_normal, multivariate_t

from suffice.bases import GaussianBasis, Polynomial
from suffice.linear import ARDRegression, BayesianLinearRegression, ConjugateLinearRegression

from ..contract import brute

rng = np.random.default_rng(11)
N, D = 14, 3
X = rng.standard_normal((N, D)) * [1.0, 3.0, 0.5] + [1.0, 0.0, -2.0]
y = 2 + X @ [1.0, -0.5, 0.0] + 0.4 * rng.standard_normal(N)
NEW = rng.standard_normal((4, D))
COUNTS = rng.integers(0, 4, N).astype(float)
PRECISION = rng.uniform(0.3, 3.0, N)
WEIGHTS = {"plain": (None, "counts"), "counts": (COUNTS, "counts"), "precision": (PRECISION, "precision")}
A = rng.standard_normal((4, 4))
COV4 = A @ A.T + np.eye(4)
RULES = {"flat": {}, "prior": {"intercept": "prior"}, "none": {"fit_intercept": False}}
BASES = {"columns": None, "parabola": Polynomial(2), "bumps": GaussianBasis([-1.0, 1.0], width=1.0)}


def priors(rule: str) -> dict[str, dict]:
    size = slice(0, 4) if rule == "prior" else slice(1, 4)
    mean, cov = np.array([1.0, -0.5, 2.0, 0.3])[size], COV4[size, size]
    return {
        "plain": {},
        "mean": {"prior_mean": mean},
        "cov": {"prior_cov": cov},
        "both": {"prior_mean": mean, "prior_cov": cov},
    }


SETTINGS = {
    f"{rule}, {prior}": RULES[rule] | options for rule in RULES for prior, options in priors(rule).items()
} | {
    f"{rule}, {name}": RULES[rule] | {"basis": BASES[name]}
    for rule in RULES
    for name in ("parabola", "bumps")
}
TOLERANCE = {"rtol": 1e-9, "atol": 1e-11}


def raw_design(model, table: np.ndarray) -> np.ndarray:
    phi = brute.columns(model, table)
    return np.column_stack([np.ones(len(phi)), phi]) if model.fit_intercept else phi


# -- known precisions ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("precisions", [(0.4, 1.7), (1e-3, 40.0), (50.0, 0.2)], ids=str)
def test_bayesian(name, weights, precisions):
    weight, kind = WEIGHTS[weights]
    alpha, beta = precisions
    model = BayesianLinearRegression(alpha, noise_precision=beta, weight_kind=kind, **SETTINGS[name])
    model.fit(X, y, weight)
    assert model.log_evidence_ == pytest.approx(brute.log_evidence(model, X, y, weight), rel=1e-9, abs=0)
    mean, cov = brute.posterior(model, X, y, weight)
    np.testing.assert_allclose(model.posterior_.mean, mean, **TOLERANCE)
    np.testing.assert_allclose(model.posterior_.cov, cov, **TOLERANCE)


# -- unknown noise ------------------------------------------------------------------------------------------
def conjugate(name: str, weights: str, **options) -> tuple[ConjugateLinearRegression, np.ndarray | None]:
    weight, kind = WEIGHTS[weights]
    given = (
        {"prior_precision": 0.4, "shape": 1.5, "rate": 0.7, "weight_kind": kind} | SETTINGS[name] | options
    )
    return ConjugateLinearRegression(**given).fit(X, y, weight), weight


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("gamma_prior", [(1.5, 0.7), (30.0, 0.02)], ids=str)
def test_conjugate(name, weights, gamma_prior):
    model, weight = conjugate(name, weights, shape=gamma_prior[0], rate=gamma_prior[1])
    expected = brute.log_evidence(model, X, y, weight)
    assert model.log_evidence_ == pytest.approx(expected, rel=1e-9, abs=1e-9)
    mean, cov = brute.posterior(model, X, y, weight)
    known = model.posterior_
    np.testing.assert_allclose(known.mean, mean, **TOLERANCE)
    np.testing.assert_allclose(known.cov, cov, **TOLERANCE)
    phi, t, m, S, noise = (a.astype(float) for a in brute.problem(model, X, y, weight))
    center = 0.0
    C = noise + phi @ S @ phi.T
    if model.fit_intercept and model.intercept == "flat":
        ones = np.linalg.solve(C, np.ones(len(t)))
        center = ones @ (t - phi @ m) / ones.sum()
    r = t - phi @ m - center
    lost = float(model.fit_intercept and model.intercept == "flat")
    assert known.shape == pytest.approx(gamma_prior[0] + (len(t) - lost) / 2, rel=1e-13)
    assert known.rate == pytest.approx(gamma_prior[1] + 0.5 * r @ np.linalg.solve(C, r), rel=1e-9, abs=0)
    rows = raw_design(model, NEW)
    d = model.predict_dist(NEW)
    np.testing.assert_allclose(d.loc, rows @ mean, **TOLERANCE)
    scale = np.sqrt(known.rate / known.shape * (1 + np.sum((rows @ cov) * rows, axis=1)))
    np.testing.assert_allclose(d.scale, scale, rtol=1e-9)
    np.testing.assert_allclose(d.dof, 2 * known.shape, rtol=1e-13)


@pytest.mark.parametrize("name", ["prior, both", "none, mean"])
def test_conjugate_evidence_is_a_student_density(name):
    model, _ = conjugate(name, "plain")
    phi, t, m, S, _ = (a.astype(float) for a in brute.problem(model, X, y, None))
    shape = (np.eye(N) + phi @ S @ phi.T) * model.rate / model.shape
    expected = multivariate_t(phi @ m, shape, df=2 * model.shape).logpdf(t)
    assert model.log_evidence_ == pytest.approx(expected, rel=1e-9, abs=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["prior, both", "flat, cov", "none, plain"])
def test_conjugate_evidence_is_an_integral_over_the_precision(name):
    """∫ p(y | β) Gam(β) dβ with the evidence of known noise, whose prior is in units of the noise."""
    model, _ = conjugate(name, "plain")
    prior = gamma(model.shape, scale=1 / model.rate)

    def density(beta: float) -> float:
        alpha = model.prior_precision * beta
        known = BayesianLinearRegression(alpha, noise_precision=beta, **SETTINGS[name]).fit(X, y)
        return float(np.exp(known.log_evidence_ - model.log_evidence_ + prior.logpdf(beta)))

    peak = model.posterior_.precision()
    edges = [float(peak.quantile(q)) for q in (1e-14, 0.05, 0.5, 0.95, 1 - 1e-12)]
    pieces = pairwise(edges)
    area = sum(quad(density, a, b, epsabs=1e-12, epsrel=1e-11)[0] for a, b in pieces)
    area += quad(density, edges[-1], 3 * edges[-1])[0]
    assert area == pytest.approx(1.0, rel=1e-9)
    beta = 1.3 * peak.mean  # and the integrand is the posterior density of the precision
    assert density(beta) == pytest.approx(np.exp(peak.log_prob(beta)), rel=1e-9, abs=0)


def test_joint_density_is_normal_times_gamma():
    model, _ = conjugate("prior, both", "plain")
    known, w, beta = model.posterior_, np.array([1.0, 0.5, -0.5, 0.2]), 2.5
    expected = multivariate_normal(known.mean, known.cov / beta).logpdf(w)
    expected += known.shape * np.log(known.rate) - gammaln(known.shape)
    expected += (known.shape - 1) * np.log(beta) - known.rate * beta
    assert known.log_prob(w, beta) == pytest.approx(expected, rel=1e-10, abs=0)
    assert known.log_prob(w, [beta, -1.0, np.inf])[1:].tolist() == [-np.inf, -np.inf]


# -- precisions by evidence -----------------------------------------------------------------------------------
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("noise", ["evidence", 3.0])
def test_relevance(rule, basis, weights, noise):
    weight, kind = WEIGHTS[weights]
    options = RULES[rule] | {"basis": BASES[basis], "weight_kind": kind, "noise_precision": noise}
    model = ARDRegression(threshold_lambda=np.inf, **options).fit(X, y, weight)
    expected = brute.log_evidence(model, X, y, weight)
    assert model.log_evidence_ == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert model.trace_.objective[-1] == pytest.approx(model.log_evidence_, rel=1e-10)
    on = np.isfinite(model.prior_precisions_)
    phi, t, _, S, noise_cov = (a.astype(float) for a in brute.problem(model, X, y, weight))
    flat = model.fit_intercept and model.intercept == "flat"
    phi = np.column_stack([np.ones(len(t)), phi[:, on]]) if flat else phi[:, on]
    precision = np.diag(np.concatenate([np.zeros(int(flat)), 1 / np.diagonal(S)[on]]))
    cov = np.linalg.inv(precision + phi.T @ np.linalg.solve(noise_cov, phi))
    mean = cov @ phi.T @ np.linalg.solve(noise_cov, t)
    kept = np.concatenate([np.ones(int(flat), dtype=bool), on])
    np.testing.assert_allclose(model.posterior_.mean[kept], mean, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.posterior_.cov[np.ix_(kept, kept)], cov, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.posterior_.mean[~kept], 0, atol=1e-12)
    np.testing.assert_allclose(model.posterior_.cov[~kept], 0, atol=1e-12)
    assert np.array_equal(model.coef_ != 0, on[int(rule == "prior") :])
