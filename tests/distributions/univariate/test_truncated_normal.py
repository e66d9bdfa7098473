"""What is special about the truncated normal distribution: cuts near and far, N⁺ and N⁻, its fit."""

import numpy as np
import pytest
from scipy.special import ndtr

from suffice._core.errors import AtBound
from suffice.distributions import Normal, TruncatedNormal


def test_positive_and_negative_halves():
    # E X = μ ± σ φ(μ/σ)/Φ(±μ/σ), σ included
    for mean, std in ((0.5, 2.0), (-1.0, 0.7), (0.0, 3.0)):
        z = mean / std
        phi = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
        assert TruncatedNormal.positive(mean, std).mean == pytest.approx(
            mean + std * phi / ndtr(z), rel=1e-13
        )
        assert TruncatedNormal.negative(mean, std).mean == pytest.approx(
            mean - std * phi / ndtr(-z), rel=1e-13
        )


def test_uncut_is_normal():
    d, n = TruncatedNormal(1.0, 2.0), Normal(1.0, 2.0)
    x = np.array([-90.0, -3.0, 1.0, 4.0, 100.0])
    for name in ("log_prob", "cdf", "sf", "log_cdf", "log_sf"):
        np.testing.assert_allclose(getattr(d, name)(x), getattr(n, name)(x), rtol=1e-12)
    np.testing.assert_allclose(d.quantile([1e-300, 0.2, 0.9]), n.quantile([1e-300, 0.2, 0.9]), rtol=1e-13)
    assert (d.mean, d.std) == (pytest.approx(1.0, rel=1e-13), pytest.approx(2.0, rel=1e-13))


def test_far_out_it_is_exponential():
    d = TruncatedNormal(-1e8, 1.0, low=0.0)  # rate 1e8
    assert d.mean == pytest.approx(1e-8, rel=1e-12)
    assert d.std == pytest.approx(1e-8, rel=1e-12)
    np.testing.assert_allclose(d.log_sf(np.array([1e-9, 1e-6])), [-0.1, -100.0], rtol=1e-12)
    np.testing.assert_allclose(d.quantile([1e-12, 0.5]), [1e-20, np.log(2) * 1e-8], rtol=1e-11)


def test_narrow_is_uniform():
    d = TruncatedNormal(0.0, 1.0, 3.0, 3.0 + 1e-9)
    assert d.std == pytest.approx(1e-9 / np.sqrt(12), rel=1e-6)
    assert d.cdf(3.0 + 2.5e-10) == pytest.approx(0.25, rel=1e-6)


def test_mirrored():
    d, m = TruncatedNormal(0.3, 2.0, 1.0, 9.0), TruncatedNormal(-0.3, 2.0, -9.0, -1.0)
    x = np.linspace(1.0, 9.0, 5)
    np.testing.assert_allclose(d.log_cdf(x), m.log_sf(-x), rtol=1e-14)
    np.testing.assert_allclose(d.quantile([0.1, 0.8]), -m.quantile([0.9, 0.2]), rtol=1e-13)
    assert d.mean == pytest.approx(-m.mean, rel=1e-14)


def test_fit_matches_moments():
    x = TruncatedNormal(1.0, 2.0, 0.0, 5.0).sample(4000, rng=0)
    d = TruncatedNormal.fit(x, low=0.0, high=5.0)
    assert d.mean == pytest.approx(x.mean(), rel=1e-11)
    assert d.std == pytest.approx(x.std(), rel=1e-11)
    assert TruncatedNormal.fit(x).loc == pytest.approx(x.mean(), rel=1e-11)  # no bounds: the normal


def test_fit_says_when_there_is_no_maximum():
    x = np.linspace(0, 1, 101) ** 4  # more spread out than any normal cut at zero
    with pytest.warns(AtBound, match="no maximum at a finite loc and scale"):
        TruncatedNormal.fit(x, low=0.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TruncatedNormal(0, 0), r"scale must be > 0; got 0\.0"),
        (lambda: TruncatedNormal(0, 1, 2, 2), r"high must be > low; got 2\.0 for low = 2\.0"),
        (lambda: TruncatedNormal(0, 1, np.nan), "low must be a number; got nan"),
        (lambda: TruncatedNormal.fit([0.5, -1.0], low=0.0), r"x must lie between 0 and inf; got -1\.0"),
        (lambda: TruncatedNormal.fit([0.5, 0.5], low=0.0), "x must vary"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
