"""How often Laplace's intervals hold weights drawn from the prior; `tests/laws/test_sbc.py` judges exact posteriors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from suffice.glm import BayesianLogisticRegression, BayesianPoissonRegression
from suffice.inference import calibrate

pytestmark = pytest.mark.slow


def labels(alpha, X):
    def simulate(rng):
        while True:
            w = rng.standard_normal(2) / np.sqrt(alpha)
            y = (rng.random(len(X)) < expit(w[0] + X @ w[1:])).astype(int)
            if 0 < y.sum() < len(y):  # weights and labels anew, both, until there are two classes
                return w, (X, y)

    return simulate


def counts(alpha, X):
    def simulate(rng):
        w = rng.standard_normal(2) / np.sqrt(alpha)
        return w, (X, rng.poisson(np.exp(w[0] + X @ w[1:])).astype(float))

    return simulate


def coverage(cls, simulate, alpha: float, n: int, repeats: int, seed: int = 2) -> np.ndarray:
    """Share of intercepts and slopes inside their 95 % intervals."""
    X = np.random.default_rng(3).standard_normal((n, 1))
    model = cls(alpha, intercept="prior")
    return calibrate(model, simulate(alpha, X), repeats, draws=399, random_state=seed).coverage(0.95).share


TABLE = {
    (0.1, 6): (0.916, 0.887),
    (0.1, 12): (0.922, 0.892),
    (0.1, 50): (0.934, 0.933),
    (2.0, 6): (0.955, 0.938),
    (2.0, 12): (0.955, 0.929),
    (2.0, 50): (0.945, 0.945),
}


def agrees(alpha: float, n: int, repeats: int) -> bool:
    """With 2000 simulations in the notes of the model: four standard errors of the difference."""
    shares = np.array(TABLE[alpha, n])
    error = np.sqrt(shares * (1 - shares) * (1 / repeats + 1 / 2000))
    found = coverage(BayesianLogisticRegression, labels, alpha, n, repeats)
    return bool(np.all(np.abs(found - shares) < 4 * error))


def test_coverage_of_labels_is_what_the_notes_say():
    assert agrees(0.1, 6, 150)


@pytest.mark.long
@pytest.mark.parametrize(("alpha", "n"), TABLE)
def test_coverage_of_labels_is_what_the_notes_say_in_many_simulations(alpha, n):
    assert agrees(alpha, n, 1000)


@pytest.mark.long
@pytest.mark.parametrize("n", [6, 12])
def test_few_labels_and_a_wide_prior_are_covered_too_seldom(n):
    found = coverage(BayesianLogisticRegression, labels, 0.1, n, 1500)
    assert np.all(found < 0.95 - 3 * np.sqrt(0.95 * 0.05 / 1500))


@pytest.mark.parametrize("n", [10, pytest.param(50, marks=pytest.mark.long)])
def test_coverage_of_counts(n):
    """Twice 150 weights: five standard errors are 0.06. What is found is written in the notes of the model."""
    assert abs(coverage(BayesianPoissonRegression, counts, 2.0, n, 150).mean() - 0.95) < 0.06
