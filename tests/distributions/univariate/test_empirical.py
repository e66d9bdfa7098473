"""What is special about the empirical distribution: weights, ties, batches of samples."""

import numpy as np
import pytest

from suffice.distributions import Empirical


def test_it_is_the_sample():
    x = np.random.default_rng(0).normal(size=501)
    d = Empirical(x)
    assert d.mean == pytest.approx(x.mean(), rel=1e-13)
    assert d.var == pytest.approx(x.var(), rel=1e-13)
    assert d.quantile(0.5) == np.median(x)
    for p in (0.0, 0.1, 0.25, 0.777, 1.0):
        assert d.quantile(p) == np.quantile(x, p, method="inverted_cdf")
    np.testing.assert_allclose(d.cdf(x), [(x <= v).mean() for v in x], rtol=1e-13)


def test_quantiles_at_exact_shares_are_exact():
    """Sums of 1/2000 fall short of 0.95; counts do not."""
    for n in (7, 333, 2000):
        d, k = Empirical(np.arange(1.0, n + 1)), np.arange(1, n + 1)
        assert np.array_equal(d.quantile(k / n), k)
        assert np.array_equal(d.cdf(k.astype(float)), k / n)


def test_ties_and_weights_are_merged():
    assert Empirical([2.0, 1.0, 2.0]) == Empirical([1.0, 2.0], [1.0, 2.0])
    assert Empirical([1.0, 2.0, 9.0], [1, 2, 0]) == Empirical([1.0, 2.0], [1.0, 2.0])
    assert Empirical([1.0, 2.0], [3.0, 1.0]).prob(1.0) == 0.75


def test_batch_of_samples_with_ties():
    d = Empirical([[3.0, 1.0, 3.0], [5.0, 4.0, 6.0]], [1.0, 2.0, 1.0])
    np.testing.assert_allclose(d.prob([3.0, 4.0]), [0.5, 0.5])
    np.testing.assert_allclose(d.mean, [2.0, 4.75])
    np.testing.assert_allclose(d.cdf(3.0), [1.0, 0.0])
    assert d.quantile(0.6).tolist() == [3.0, 5.0]
    assert d.mode.tolist() == [1.0, 4.0]
    assert d.sample(7, rng=0).shape == (7, 2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Empirical([]), r"values must have shape \(..., N\), N >= 1; got \(0,\)"),
        (lambda: Empirical([1.0, 2.0], [1.0]), "weight must have one number per value"),
        (lambda: Empirical([1.0, 2.0], [0.0, 0.0]), "weight must have a positive sum"),
        (lambda: Empirical([1.0, 2.0], [1.0, -1.0]), r"weight must be >= 0; got -1\.0"),
        (lambda: Empirical([1.0, np.inf]), "values must be finite; got inf"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
