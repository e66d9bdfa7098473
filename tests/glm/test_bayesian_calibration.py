"""Where the data come from the prior, an exact posterior is calibrated; how nearly Laplace's is, is measured.

Each repetition draws weights from the prior and targets from the likelihood, fits, and counts how many posterior draws
lie below the truth. A χ² test at 1 % judges the ranks of all parameters together.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import chi2

from suffice.glm import BayesianLogisticRegression, BayesianPoissonRegression
from suffice.inference import LaplaceApproximation, Quadrature

pytestmark = pytest.mark.slow
REPEATS, DRAWS, BINS, ALPHA, N = 150, 59, 10, 2.0, 12
DESIGN = np.random.default_rng(0).standard_normal((N, 1)) + 0.3


def labels(w, X, rng):
    while len(set(y := (rng.random(len(X)) < expit(w[0] + X @ w[1:])).astype(int))) < 2:
        pass  # one table in some thousands has a single class, of which there is nothing to learn
    return y


def counts(w, X, rng):
    return rng.poisson(np.exp(w[0] + X @ w[1:])).astype(float)


CASES = {"labels": (BayesianLogisticRegression, labels), "counts": (BayesianPoissonRegression, counts)}


def ranks(name: str, assumed: float = 1.0) -> np.ndarray:
    """Ranks of intercept and weight; `assumed` misstates the precision of the prior."""
    cls, simulate = CASES[name]
    rng, out = np.random.default_rng(1), []
    model = cls(assumed * ALPHA, intercept="prior", inference=Quadrature(tol=1e-4))
    for _ in range(REPEATS):
        w = rng.standard_normal(2) / np.sqrt(ALPHA)
        draws = model.fit(DESIGN, simulate(w, DESIGN, rng)).sample_boundaries(DRAWS, rng).weights
        out.append(np.sum(draws < w, axis=0))
    return np.array(out)


def uniformity(found: np.ndarray) -> np.ndarray:
    seen = np.stack([np.bincount(c * BINS // (DRAWS + 1), minlength=BINS) for c in found.T])
    expected = len(found) / BINS
    return np.sum((seen - expected) ** 2, axis=1) / expected


@pytest.mark.parametrize("name", CASES)
def test_ranks_on_the_grid_are_uniform(name):
    assert np.all(uniformity(ranks(name)) < chi2(BINS - 1).ppf(1 - 0.01 / 2))


def test_a_wrong_prior_is_found_out():
    assert np.any(uniformity(ranks("counts", assumed=40.0)) > chi2(BINS - 1).ppf(1 - 1e-6))


def coverage(cls, simulate, n: int, repeats: int) -> float:
    """Share of weights inside their 95 % interval, with known precision."""
    rng, inside = np.random.default_rng(2), []
    X = np.random.default_rng(3).standard_normal((n, 1))
    model = cls(ALPHA, intercept="prior", inference=LaplaceApproximation())
    for _ in range(repeats):
        w = rng.standard_normal(2) / np.sqrt(ALPHA)
        low, high = model.fit(X, simulate(w, X, rng)).posterior_.interval(0.95)
        inside.append((low < w) & (w < high))
    return float(np.mean(inside))


@pytest.mark.parametrize("name", CASES)
def test_coverage_of_laplace(name):
    """Twice 250 weights: five standard errors are 0.05. What is found is written in the docstrings of the models."""
    found = [coverage(*CASES[name], n, 250) for n in (10, 50)]
    assert np.all(np.abs(np.array(found) - 0.95) < 0.05)
