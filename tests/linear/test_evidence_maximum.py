"""The maximum of the evidence over both precisions, where the texts' iteration creeps."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.bases import Polynomial
from suffice.linear import BayesianLinearRegression


def noise():
    """Noise whose evidence has a very flat peak: the fixed point moves by 1e-7 after two thousand steps."""
    rng = np.random.default_rng(6)
    return np.linspace(0, 1, 10)[:, None], [rng.standard_normal(10) for _ in range(7)][6]


@pytest.mark.parametrize("known", [{}, {"noise_precision": 1.3}])
def test_a_flat_peak_is_found(known):
    X, y = noise()
    model = BayesianLinearRegression(basis=Polynomial(3), **known).fit(X, y)  # without a warning
    assert model.trace_.converged
    assert np.all(np.diff(model.trace_.objective) >= -1e-12)
    for factor in (0.9, 0.99, 1.01, 1.1):
        near = BayesianLinearRegression(
            factor * model.prior_precision_, noise_precision=model.noise_precision_, basis=Polynomial(3)
        )
        assert near.fit(X, y).log_evidence_ <= model.log_evidence_ + 1e-12
