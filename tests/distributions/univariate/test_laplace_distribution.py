"""What is special about the Laplace distribution: the median, the point mass."""

import numpy as np
import pytest

from suffice._core.errors import Unsupported
from suffice.distributions import GeneralizedNormal, LaplaceDistribution


def test_fit_is_the_median_and_the_mean_distance():
    assert LaplaceDistribution.fit([1.0, 2.0, 9.0]) == LaplaceDistribution(2.0, 8 / 3)
    assert LaplaceDistribution.fit([1.0, 2.0, 9.0], weight=[1, 1, 5]).loc == 9.0
    assert LaplaceDistribution.fit([1.0, 4.0]).loc == 1.0  # the lower of two medians


def test_statistics_do_not_exist():
    with pytest.raises(Unsupported, match="call LaplaceDistribution.fit with all the data"):
        LaplaceDistribution.statistics([1.0])


def test_point_mass():
    d = LaplaceDistribution.fit([2.0, 2.0])
    assert d == LaplaceDistribution(2.0, 0.0)
    assert d.log_prob([2.0, 1.0]).tolist() == [np.inf, -np.inf]
    assert d.cdf([1.9, 2.0]).tolist() == [0.0, 1.0]
    assert d.quantile([0.0, 1.0]).tolist() == [2.0, 2.0]
    assert d.sample(rng=0) == 2.0


def test_power_one():
    x = np.array([-50.0, -1.0, 0.3, 7.0])
    d, g = LaplaceDistribution(0.5, 2.0), GeneralizedNormal(0.5, 2.0, 1.0)
    for name in ("log_prob", "cdf", "sf", "log_cdf", "log_sf"):
        np.testing.assert_allclose(getattr(d, name)(x), getattr(g, name)(x), rtol=1e-12)
    assert d.entropy() == pytest.approx(g.entropy(), rel=1e-14)


def test_parametrisation():
    assert LaplaceDistribution.from_variance(1.0, 8.0) == LaplaceDistribution(1.0, 2.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LaplaceDistribution(np.nan), "loc must be a number; got nan"),
        (lambda: LaplaceDistribution(0, -1), r"scale must be >= 0; got -1\.0"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
