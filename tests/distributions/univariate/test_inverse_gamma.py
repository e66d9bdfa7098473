"""What is special about the inverse gamma distribution: missing moments, and the gamma behind it."""

import numpy as np
import pytest

from suffice.distributions import Gamma, InverseGamma


def test_moments_that_do_not_exist():
    d = InverseGamma([0.5, 1.0, 1.5, 2.0, 3.0], 4.0)
    assert d.mean.tolist() == [np.inf, np.inf, 8.0, 4.0, 2.0]
    assert d.var.tolist() == [np.inf] * 4 + [4.0]
    assert InverseGamma(3.0, 2.0).mode == 0.5


def test_one_over_a_gamma_variable():
    d, g = InverseGamma(3.3, 0.7), Gamma(3.3, 0.7)
    x = np.array([1e-3, 0.2, 1.0, 50.0])
    np.testing.assert_allclose(d.log_prob(x), g.log_prob(1 / x) - 2 * np.log(x), rtol=1e-13)
    np.testing.assert_allclose(d.log_cdf(x), g.log_sf(1 / x), rtol=1e-13)
    np.testing.assert_allclose(d.quantile([0.1, 0.9]), 1 / g.quantile([0.9, 0.1]), rtol=1e-12)
    found, behind = InverseGamma.fit(x), Gamma.fit(1 / x)
    assert (found.shape, found.scale) == (behind.shape, behind.rate)


def test_scaled_inverse_chi_square():
    assert InverseGamma.scaled_inverse_chi_square(6.0, 2.0) == InverseGamma(3.0, 12.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: InverseGamma(0, 1), r"shape must be > 0; got 0\.0"),
        (lambda: InverseGamma(1, 0), r"scale must be > 0; got 0\.0"),
        (lambda: InverseGamma.fit([1.0, -1.0]), r"x must be > 0; got -1\.0"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
