"""How often Laplace's intervals hold weights drawn from the prior; `tests/laws/test_sbc.py` judges exact posteriors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from suffice.glm import BayesianLogisticRegression, BayesianPoissonRegression
from suffice.inference import LaplaceApproximation

pytestmark = pytest.mark.slow
ALPHA = 2.0


def labels(w, X, rng):
    while len(set(y := (rng.random(len(X)) < expit(w[0] + X @ w[1:])).astype(int))) < 2:
        pass  # one table in some thousands has a single class, of which there is nothing to learn
    return y


def counts(w, X, rng):
    return rng.poisson(np.exp(w[0] + X @ w[1:])).astype(float)


CASES = {"labels": (BayesianLogisticRegression, labels), "counts": (BayesianPoissonRegression, counts)}


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
