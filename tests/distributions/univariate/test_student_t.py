"""What is special about Student's t: moments that do not exist, limits, and its fit."""

import numpy as np
import pytest

from suffice._core.errors import AtBound, NotConverged, Unsupported
from suffice.distributions import Normal, StudentT
from suffice.distributions._numerics import student


def test_moments_that_do_not_exist():
    d = StudentT([0.5, 1.0, 1.5, 2.0, 3.0, np.inf], 7.0, 2.0)
    np.testing.assert_array_equal(d.mean, [np.nan, np.nan, 7, 7, 7, 7])
    np.testing.assert_allclose(d.var, [np.nan, np.nan, np.inf, np.inf, 12, 4], rtol=1e-15)
    assert d.mode.tolist() == [7.0] * 6


def test_point_mass():
    d = StudentT([0.5, 4.0], 2.0, 0.0)
    assert d.mean.tolist() == [2.0, 2.0]
    assert d.var.tolist() == [0.0, 0.0]
    assert d.log_prob(2.0).tolist() == [np.inf, np.inf]
    assert d.log_prob(1.0).tolist() == [-np.inf, -np.inf]
    assert d.cdf(2.0).tolist() == [1.0, 1.0]
    assert d.log_sf(1.9).tolist() == [0.0, 0.0]
    assert d.quantile(0.0).tolist() == [2.0, 2.0]
    assert d.sample(rng=0).tolist() == [2.0, 2.0]


def test_infinite_dof_is_normal():
    d, n = StudentT(np.inf, 1.0, 2.0), Normal(1.0, 2.0)
    x = np.linspace(-100, 100, 41)
    for name in ("log_prob", "cdf", "log_sf"):
        np.testing.assert_allclose(getattr(d, name)(x), getattr(n, name)(x), rtol=1e-13)
    assert d.quantile(0.1) == pytest.approx(n.quantile(0.1), rel=1e-14)
    assert d.entropy() == pytest.approx(n.entropy(), rel=1e-14)
    assert d.var == n.var


def test_far_tails():
    # closed forms: the Cauchy distribution, and ½ (1 − t/√(2 + t²)) without its cancellation
    t = np.array([1e2, 1e5, 1e10, 1e200])
    np.testing.assert_allclose(StudentT(1).log_sf(t), np.log(np.arctan2(1, t) / np.pi), rtol=1e-14)
    closed = -np.log(np.hypot(t, np.sqrt(2))) - np.log(t + np.hypot(t, np.sqrt(2)))
    np.testing.assert_allclose(StudentT(2).log_sf(t), closed, rtol=1e-14)


def test_no_step_where_formulas_meet():
    for dof in (0.5, 3.0, 100.0, 1e6):
        t = np.array([30 - 1e-9, 30 + 1e-9])
        gap = np.diff(StudentT(dof).log_sf(t))[0]
        slope = -StudentT(dof).prob(30) / StudentT(dof).sf(30)
        assert gap == pytest.approx(2e-9 * slope, abs=1e-11)
    below, above = StudentT(30 * (1 - 1e-15)), StudentT(30 * (1 + 1e-15))
    assert below.log_prob(1.0) == pytest.approx(above.log_prob(1.0), rel=1e-14)
    assert below.entropy() == pytest.approx(above.entropy(), rel=1e-13)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: StudentT(0), r"dof must be > 0; got 0\.0"),
        (lambda: StudentT(np.nan), r"dof must be > 0; got nan"),
        (lambda: StudentT(3, np.inf), r"loc must be finite; got inf"),
        (lambda: StudentT(3, 0, -1), r"scale must be >= 0; got -1\.0"),
        (lambda: StudentT([3, 4], [1, 2, 3]), r"broadcast; got \(2,\) and \(3,\) and \(\)"),
        (lambda: StudentT.fit([1.0, 2.0], dof=-1), r"dof must be > 0; got -1\.0"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_statistics_do_not_exist():
    with pytest.raises(Unsupported, match="no sufficient statistics of fixed size"):
        StudentT.statistics([1.0, 2.0])


def test_parametrisation():
    assert StudentT.from_precision(4, 1, 0.25) == StudentT(4, 1, 2)


# -- the fit -------------------------------------------------------------------------------------


@pytest.mark.parametrize("theta", [(0.25, 0.1, 0.0), (1e-3, 0.1, 0.2), (2.0, 0.3, -1.0), (0.034, 0.0, 0.5)])
def test_gradient_is_a_central_difference(theta):
    x, w = StudentT(4).sample(200, rng=0), np.full(200, 1 / 200)
    _, gradient = student._loss(np.array(theta), x, w)
    for k, h in enumerate(1e-5 * np.eye(3)):
        difference = (student._loss(theta + h, x, w)[0] - student._loss(theta - h, x, w)[0]) / 2e-5
        assert gradient[k] == pytest.approx(difference, rel=1e-6, abs=1e-8)


def test_fit_is_stationary_and_equivariant():
    x = StudentT(3, 10, 2).sample(2000, rng=1)
    d = StudentT.fit(x)
    for step in ({"dof": 1.01}, {"scale": 1.01}, {"dof": 0.99}, {"scale": 0.99}):
        moved = StudentT(d.dof * step.get("dof", 1), d.loc, d.scale * step.get("scale", 1))
        assert moved.log_prob(x).sum() < d.log_prob(x).sum()
    again = StudentT.fit(1e6 * x - 5e7)
    assert again.dof == pytest.approx(d.dof, rel=1e-5)
    assert again.loc == pytest.approx(1e6 * d.loc - 5e7, rel=1e-6)
    assert again.scale == pytest.approx(1e6 * d.scale, rel=1e-6)


def test_fit_of_light_tails_is_normal():
    x = np.linspace(-1, 1, 101)  # lighter than normal
    d = StudentT.fit(x)
    assert d.dof == np.inf
    assert d.scale == pytest.approx(x.std(), rel=1e-7)


def test_fit_with_given_dof():
    x = StudentT(3).sample(500, rng=2)
    d = StudentT.fit(x, dof=5.0)
    assert d.dof == 5
    z = (x - d.loc) / d.scale
    pull = 6 / (
        5 + z**2
    )  # the EM weights: at the maximum the weighted mean is loc, the weighted square scale²
    assert np.mean(pull * z) == pytest.approx(0, abs=1e-7)
    assert np.mean(pull * z**2) == pytest.approx(1, rel=1e-7)


def test_fit_of_a_constant():
    assert StudentT.fit([2.0, 2.0, 2.0]) == StudentT(np.inf, 2, 0)


def test_fit_says_when_there_is_no_maximum():
    with pytest.warns(NotConverged, match="many equal values"):
        StudentT.fit([0.0] * 90 + [1.0, -2.0, 3.0, 5.0])


def test_fit_says_when_it_ends_at_its_range():
    with pytest.warns(AtBound, match=r"edge of its range, dof = 0\.2"):
        d = StudentT.fit(StudentT(0.1).sample(500, rng=0))
    assert d.dof == pytest.approx(0.2)
