"""What is special about the normal: the point mass, parametrisations, domains, broadcasting."""

import subprocess
import sys

import numpy as np
import pytest

from suffice.distributions import Normal
from suffice.statistics import Moments


def test_point_mass():
    d = Normal(2.0, 0.0)
    assert d.log_prob([1.0, 2.0, 3.0]).tolist() == [-np.inf, np.inf, -np.inf]
    assert d.cdf([1.0, 2.0, 3.0]).tolist() == [0.0, 1.0, 1.0]
    assert d.sf([1.0, 2.0, 3.0]).tolist() == [1.0, 0.0, 0.0]
    assert d.log_cdf([1.0, 2.0]).tolist() == [-np.inf, 0.0]
    assert d.quantile([0.0, 0.3, 1.0]).tolist() == [2.0, 2.0, 2.0]
    assert d.sample(3, rng=0).tolist() == [2.0, 2.0, 2.0]
    assert d.between(1, 2) == 1.0
    assert d.between(2, 3) == 0.0
    assert d.interval() == (2.0, 2.0)
    assert d.entropy() == -np.inf
    assert d.var == 0.0
    assert np.isnan(d.log_prob(np.nan))
    assert np.isnan(d.cdf(np.nan))


def test_point_masses_in_a_batch():
    d = Normal([0.0, 0.0], [0.0, 1.0])
    np.testing.assert_allclose(d.log_prob(0.0), [np.inf, -0.5 * np.log(2 * np.pi)], rtol=1e-15)
    assert d.quantile(0.0).tolist() == [0.0, -np.inf]


def test_parametrisations():
    assert Normal.from_variance(1, 4.0) == Normal(1, 2)
    assert Normal.from_precision(1, 0.25) == Normal(1, 2)
    assert Normal.from_variance([1, 2], 4.0) == Normal([1, 2], [2, 2])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Normal(0, -1.0), r"std must be >= 0; got -1\.0\."),
        (lambda: Normal(0, np.nan), r"std must be >= 0; got nan\."),
        (lambda: Normal(0, np.inf), r"std must be finite; got inf\."),
        (lambda: Normal([0, np.nan], 1), r"mean must be a number; got nan\."),
        (lambda: Normal("a", 1), "mean must be a number or an array of numbers; got 'a'"),
        (lambda: Normal(np.zeros(3), np.ones(2)), r"mean and std .* broadcast; got \(3,\) and \(2,\)"),
        (lambda: Normal.from_variance(0, -4.0), r"var must be >= 0; got -4\.0"),
        (lambda: Normal.from_precision(0, 0.0), r"precision must be > 0; got 0\.0"),
        (lambda: Normal(np.zeros(3), 1).log_prob(np.zeros(2)), r"\(2,\) does not broadcast .* \(3,\)"),
        (lambda: Normal(0, 1).log_prob("a"), "x must be a number or an array of numbers"),
        (lambda: Normal.fit([[1.0], [2.0]]), r"x must be a vector \(N,\); got shape \(2, 1\)"),
        (lambda: Normal.fit([1.0, np.nan]), "x must be finite; got nan"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_broadcasting():
    d = Normal(np.zeros((4, 1)), np.ones(3))
    assert d.batch_shape == d.mean.shape == d.std.shape == (4, 3)
    assert d.sample(2, rng=0).shape == (2, 4, 3)
    assert d[1].batch_shape == (3,)
    assert d[1, 2] == Normal(0, 1)
    assert d[..., 0].batch_shape == (4,)
    assert d[:, None].batch_shape == (4, 1, 3)
    with pytest.raises(IndexError, match="too many indices"):
        d[0, 0, 0]
    with pytest.raises(IndexError, match="out of bounds"):
        d[4]


def test_repr():
    assert repr(Normal(1.2, 0.5)) == "Normal(mean=1.2, std=0.5)"
    assert repr(Normal([1, 2], 1)) == "Normal(mean=[1., 2.], std=[1., 1.])"
    assert repr(Normal(np.zeros(100), 1)) == "Normal(mean=<array 100>, std=<array 100>)"


def test_parameters_are_copies():
    mean = np.zeros(3)
    d = Normal(mean, 1)
    mean[0] = 9
    assert d.mean[0] == 0


def test_fit_from_statistics():
    x = np.array([1e9 + 1, 1e9 + 2, 1e9 + 6])
    d = Normal.fit(x)
    assert d.mean == 1e9 + 3
    assert d.var == pytest.approx(14 / 3, rel=1e-14)
    assert Normal.from_statistics(Moments.of(x)) == d
    assert Normal.fit([5.0]) == Normal(5, 0)


def test_zero_of_either_sign_is_one_value():
    assert hash(Normal([-0.0], [1.0])) == hash(Normal([0.0], [1.0]))


def test_import_does_not_load_scipy_stats():
    code = (
        "import sys, suffice.distributions; print('scipy.stats' in sys.modules, 'matplotlib' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["False", "False"]
