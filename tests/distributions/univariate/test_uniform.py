"""What is special about the uniform distribution: its ends, the point mass, its fit."""

import numpy as np
import pytest

from suffice.distributions import Uniform


def test_ends_belong():
    d = Uniform(2, 5)
    np.testing.assert_allclose(d.prob([2, 5, 1.999, 5.001]), [1 / 3, 1 / 3, 0, 0])
    assert d.cdf([2, 5]).tolist() == [0.0, 1.0]
    assert d.sf([2, 5]).tolist() == [1.0, 0.0]


def test_point_mass():
    d = Uniform.fit([2.0, 2.0])
    assert d == Uniform(2, 2)
    assert d.log_prob([2.0, 1.0]).tolist() == [np.inf, -np.inf]
    assert d.cdf([1.9, 2.0]).tolist() == [0.0, 1.0]
    assert d.quantile([0.0, 0.3, 1.0]).tolist() == [2.0, 2.0, 2.0]
    assert d.entropy() == -np.inf


def test_fit_leaves_out_weight_zero():
    assert Uniform.fit([0.1, 5.0, 0.7], weight=[1, 0, 2]) == Uniform(0.1, 0.7)


def test_fit_gains_what_theory_says():
    # twice the gain is χ² with 4 degrees of freedom in the limit: mean 4, variance 8; here over 400 samples
    gains = []
    for seed in range(400):
        x = Uniform(0, 1).sample(300, rng=seed)
        gains.append(2 * np.sum(Uniform.fit(x).log_prob(x)))
    assert np.mean(gains) == pytest.approx(4, abs=5 * np.sqrt(8 / 400))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Uniform(1, 0), r"high must be >= low; got 0\.0 for low = 1\.0"),
        (lambda: Uniform(-np.inf, 0), "low must be finite; got -inf"),
        (lambda: Uniform(-1e308, 1e308), "high - low must be finite; got inf"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
