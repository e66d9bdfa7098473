"""What is special about lists of numbers with probabilities: merging, order, unknown values."""

import numpy as np
import pytest

from suffice.distributions import Discrete


def test_the_silly_die():
    d = Discrete.equally_likely([-2, 1, 1, 4, 4, 10])
    assert d.values.tolist() == [-2, 1, 4, 10]
    np.testing.assert_allclose(d.probabilities, [1 / 6, 1 / 3, 1 / 3, 1 / 6], rtol=1e-14)
    assert d.mean == pytest.approx(3, rel=1e-14)
    assert d.var == pytest.approx(14, rel=1e-14)


def test_order_does_not_matter():
    assert Discrete([3, 1, 2], [0.5, 0.2, 0.3]) == Discrete([1, 2, 3], [0.2, 0.3, 0.5])


def test_batch_with_repeated_values():
    d = Discrete([2, 0, 2], [[0.1, 0.5, 0.4], [0.3, 0.3, 0.4]])
    np.testing.assert_allclose(d.probabilities, [[0.5, 0.5], [0.3, 0.7]])
    np.testing.assert_allclose(d.mean, [1.0, 1.4])


def test_what_is_not_a_value():
    assert Discrete([1, 2], [0.5, 0.5]).log_prob([1.5, 3.0]).tolist() == [-np.inf, -np.inf]


def test_values_of_probability_zero():
    d = Discrete([0, 1, 2], [0.0, 1.0, 0.0])
    assert d.quantile([0.0, 0.5, 1.0]).tolist() == [1.0, 1.0, 1.0]
    assert set(d.sample(50, rng=0)) == {1.0}
    assert d.cdf([0.0, 1.0]).tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Discrete([1, 2], [0.5, 0.6]), r"probabilities must sum to one; they sum to 1\.1"),
        (lambda: Discrete([1, 2], [1.5, -0.5]), r"probabilities must be >= 0; got -0\.5"),
        (lambda: Discrete([1, 2], [1.0]), r"got \(2,\) and \(1,\)"),
        (lambda: Discrete([1, np.nan], [0.5, 0.5]), "values must be a number; got nan"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
