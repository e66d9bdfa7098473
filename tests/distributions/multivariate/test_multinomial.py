"""What is special about the multinomial: counts, marginals, modes, impossible vectors."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput
from suffice.distributions import Binomial, Multinomial

D = Multinomial(6, [0.5, 0.3, 0.2])


def test_the_worked_number():  # Herbst §2.2, Mult(3, 2, 1 | .5, .3, .2)
    assert D.prob([3, 2, 1]) == pytest.approx(0.135, rel=1e-12)


def test_moments():
    np.testing.assert_allclose(D.mean, [3.0, 1.8, 1.2], rtol=1e-15)
    p = D.probabilities
    np.testing.assert_allclose(D.cov, 6 * (np.diag(p) - np.outer(p, p)), rtol=1e-14)
    np.testing.assert_allclose(np.diag(D.cov), D.var, rtol=1e-14)
    np.testing.assert_allclose(np.cov(D.sample(50_000, rng=0).T), D.cov, atol=0.05)  # 5 standard errors


def test_marginals():
    assert D.marginal(1) == Binomial(6, D.probabilities[1])
    some = D.marginal([2, 0])
    np.testing.assert_allclose(some.probabilities, [0.2, 0.5, 0.3], rtol=1e-15)
    x = np.array([1, 3])
    total = sum(D.prob([3, k, 6 - 3 - k]) for k in range(4))
    assert D.marginal(0).prob(3) == pytest.approx(total, rel=1e-13)
    assert some.prob([*x, 2]) == pytest.approx(D.prob([3, 2, 1]), rel=1e-13)
    with pytest.raises(InvalidInput, match="some, not all, distinct coordinates"):
        D.marginal([0, 1, 2])
    with pytest.raises(InvalidInput, match="among 3 coordinates; got 3"):
        D.marginal(3)


def test_two_classes_are_a_binomial():
    d, b, k = Multinomial(9, [0.3, 0.7]), Binomial(9, 0.3), np.arange(10)
    np.testing.assert_allclose(d.log_prob(np.stack([k, 9 - k], axis=1)), b.log_prob(k), rtol=1e-12)
    assert d.entropy() == pytest.approx(b.entropy(), rel=1e-12)
    low, high = d.interval(0.8)
    assert (low[0], high[0]) == b.interval(0.8)


@pytest.mark.parametrize(
    "x", [[3, 2, 2], [7, 0, -1], [2.5, 2.5, 1], [np.inf, 0, 0], [6, 0, 0, 0][:3] + np.array([0, 0, 1])]
)
def test_impossible_counts(x):
    assert D.log_prob(x) == -np.inf


def test_edges():
    assert np.isnan(D.log_prob([np.nan, 3, 3]))
    assert Multinomial(0, [0.5, 0.5]).log_prob([0, 0]) == 0
    assert Multinomial(0, [0.5, 0.5]).entropy() == 0
    certain = Multinomial(4, [1.0, 0.0])
    assert certain.log_prob([[4, 0], [3, 1]]).tolist() == [0, -np.inf]
    assert certain.entropy() == pytest.approx(0, abs=1e-15)
    assert certain.sample(3, rng=0).tolist() == [[4, 0]] * 3
    assert Multinomial(5, [1.0]).prob([5]) == 1
    assert D.log_prob(np.zeros((0, 3))).shape == (0,)


@pytest.mark.parametrize("n", [1, 2, 7, 23])
def test_mode_is_the_best_of_all(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        d = Multinomial(n, rng.dirichlet([0.5, 1.0, 2.0]))
        i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1))
        every = np.stack([i, j, n - i - j], axis=-1)[i + j <= n]
        assert d.log_prob(d.mode) >= d.log_prob(every).max() - 1e-12
        assert d.mode.sum() == n


def test_entropy_of_many_trials_is_that_of_a_normal():
    d = Multinomial(10**7, [0.5, 0.3, 0.2])
    normal = 0.5 * np.log(np.linalg.det(2 * np.pi * np.e * d.cov[:2, :2]))
    assert d.entropy() == pytest.approx(normal, rel=1e-6)


def test_fit():
    d = Multinomial.fit([[3, 1, 0], [2, 1, 1]], weight=[1, 3])
    assert d.n == 4
    np.testing.assert_allclose(d.probabilities, [9 / 16, 4 / 16, 3 / 16], rtol=1e-14)
    with pytest.raises(InvalidInput, match=r"same total in every row, 4; row 1 is \[2.0, 1.0, 0.0\]"):
        Multinomial.fit([[3, 1, 0], [2, 1, 0]])
    with pytest.raises(InvalidInput, match="whole counts"):
        Multinomial.fit([[0.5, 0.5]])
    with pytest.raises(ValueError, match="without a single count"):
        Multinomial.fit([[0, 0]])


@pytest.mark.parametrize(
    ("n", "p", "message"),
    [
        (5, [0.5, 0.6], "probabilities must sum to one; they sum to 1.1"),
        (5, [1.5, -0.5], r"probabilities must be >= 0; got -0.5"),
        (2.5, [0.5, 0.5], "n must be an integer; got 2.5"),
        (-1, [0.5, 0.5], "n must be >= 0; got -1"),
        (5, 0.5, r"shape \(..., K\), K >= 1; got \(\)"),
        ([1, 2, 3], [[0.5, 0.5]] * 2, r"n and probabilities .* broadcast; got \(3,\) and \(2,\)"),
    ],
)
def test_domains(n, p, message):
    with pytest.raises(ValueError, match=message):
        Multinomial(n, p)
    with pytest.raises(InvalidInput, match=r"3 coordinates in its last axis; got shape \(2,\)"):
        D.log_prob([3, 3])
