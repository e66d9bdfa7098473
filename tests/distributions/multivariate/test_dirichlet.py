"""What is special about the Dirichlet: faces of the simplex, marginals, fits by Newton."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, NumericalError
from suffice.distributions import Beta, Dirichlet

D = Dirichlet([2.0, 3.0, 4.0])


def test_the_worked_number():  # Herbst §2.2.1, Dir(.2, .3, .5 | 2, 3, 4)
    assert D.prob([0.2, 0.3, 0.5]) == pytest.approx(7.56, rel=1e-12)


def test_integrates_to_one_on_a_plain_grid():
    h = 1 / 600
    centre = (np.arange(600) + 0.5) * h
    x, y = np.meshgrid(centre, centre)
    inside = x + y < 1
    points = np.stack([x, y, 1 - x - y], axis=-1)[inside]
    assert D.prob(points).sum() * h * h == pytest.approx(1, abs=1e-4)  # midpoints: error of order h²


def test_two_classes_are_a_beta():
    d, b, x = Dirichlet([0.6, 2.5]), Beta(0.6, 2.5), np.linspace(0.01, 0.99, 9)
    np.testing.assert_allclose(d.log_prob(np.stack([x, 1 - x], axis=1)), b.log_prob(x), rtol=1e-12)
    assert d.entropy() == pytest.approx(b.entropy(), rel=1e-12)
    assert (d.interval(0.9)[0][0], d.interval(0.9)[1][0]) == b.interval(0.9)


def test_marginals_add_up():
    assert D.marginal(0) == Beta(2.0, 7.0)
    assert D.marginal(-1) == Beta(4.0, 5.0)
    assert D.marginal([2, 0]) == Dirichlet([4.0, 2.0, 3.0])
    assert D.marginal([1]) == Dirichlet([3.0, 6.0])
    with pytest.raises(InvalidInput, match="some, not all, distinct coordinates"):
        D.marginal([0, 0])


def test_moments():
    m = D.mean
    np.testing.assert_allclose(D.cov, (np.diag(m) - np.outer(m, m)) / 10, rtol=1e-14)
    np.testing.assert_allclose(np.diag(D.cov), D.var, rtol=1e-13)
    logs = np.log(D.sample(40_000, rng=0))
    assert np.all(np.abs(logs.mean(axis=0) - D.mean_log) <= 5 * logs.std(axis=0) / 200)  # 5 standard errors
    assert D.strength == 9.0


def test_modes():
    np.testing.assert_allclose(D.mode, [1 / 6, 2 / 6, 3 / 6], rtol=1e-14)
    np.testing.assert_allclose(Dirichlet([1.0, 1.0]).mode, [0.5, 0.5])
    np.testing.assert_allclose(Dirichlet([1.0, 3.0]).mode, [0.0, 1.0])
    assert np.isnan(Dirichlet([0.9, 3.0]).mode).all()


def test_faces_of_the_simplex():
    assert Dirichlet([0.5, 2.0]).log_prob([0.0, 1.0]) == np.inf
    assert Dirichlet([2.0, 2.0]).log_prob([0.0, 1.0]) == -np.inf
    assert Dirichlet([1.0, 1.0, 1.0]).prob([0.0, 0.0, 1.0]) == pytest.approx(2.0)
    assert np.isnan(Dirichlet([0.5, 2.0, 1.0]).log_prob([0.0, 0.0, 1.0]))
    assert D.log_prob([[0.5, 0.5, 0.5], [-0.1, 0.6, 0.5], [0.2, 0.3, 0.4]]).tolist() == [-np.inf] * 3
    assert np.isnan(D.log_prob([np.nan, 0.5, 0.5]))


def test_tiny_alpha_still_yields_points_of_the_simplex():
    x = Dirichlet([1e-3, 1e-3, 1e-3]).sample(1000, rng=0)
    np.testing.assert_allclose(x.sum(axis=1), 1, rtol=1e-12)
    assert np.isfinite(x).all()
    assert np.mean(x.max(axis=1) > 0.999) > 0.97


@pytest.mark.parametrize("alpha", [[0.02, 0.5, 0.1], [2.0, 3.0, 4.0], [2e4, 3e4, 5e2]])
def test_fit_solves_its_equation(alpha):
    statistics = Dirichlet.statistics(np.maximum(Dirichlet(alpha).sample(300, rng=1), 1e-300))
    fitted = Dirichlet.from_statistics(statistics)
    np.testing.assert_allclose(fitted.mean_log, statistics.mean, rtol=1e-9)
    np.testing.assert_allclose(fitted.alpha, alpha, rtol=0.3)


def test_fit_refuses():
    with pytest.raises(InvalidInput, match=r"sum to one in every row; row 1 is \[0.0, 1.0\]"):
        Dirichlet.fit([[0.5, 0.5], [0.0, 1.0]])
    with pytest.raises(InvalidInput, match="sum to one in every row; row 0"):
        Dirichlet.fit([[0.5, 0.6]])
    with pytest.raises(NumericalError, match="rows that are all equal"):
        Dirichlet.fit([[0.3, 0.7], [0.3, 0.7]])


def test_parametrisations():
    assert Dirichlet.from_mean([0.25, 0.75], 4.0) == Dirichlet([1.0, 3.0])
    assert Dirichlet.symmetric(0.5, 3) == Dirichlet([0.5, 0.5, 0.5])
    with pytest.raises(ValueError, match=r"mean must sum to one; it sums to 0\.9"):
        Dirichlet.from_mean([0.2, 0.7], 1.0)


@pytest.mark.parametrize(
    ("alpha", "message"),
    [
        ([1.0, 0.0], r"alpha must be > 0; got 0"),
        ([1.0, np.inf], "alpha must be finite"),
        ([1.0], r"shape \(..., K\), K >= 2; got \(1,\)"),
        (1.0, r"K >= 2; got \(\)"),
    ],
)
def test_domains(alpha, message):
    with pytest.raises(ValueError, match=message):
        Dirichlet(alpha)


def test_wrong_shapes():
    with pytest.raises(InvalidInput, match=r"3 coordinates in its last axis; got shape \(2,\)"):
        D.log_prob([0.5, 0.5])
    with pytest.raises(InvalidInput, match=r"\(3,\) does not broadcast with the batch \(2,\)"):
        Dirichlet(np.ones((2, 3))).log_prob(np.full((3, 3), 1 / 3))
