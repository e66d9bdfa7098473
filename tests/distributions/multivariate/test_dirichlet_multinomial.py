"""What is special about the Dirichlet-multinomial: an average of multinomials."""

import numpy as np
import pytest

from suffice._core.errors import AtBound, InvalidInput, Unsupported
from suffice.distributions import BetaBinomial, Dirichlet, DirichletMultinomial, Multinomial

D = DirichletMultinomial(6, [2.0, 0.7, 1.3])


def test_is_the_expected_multinomial():
    """∫ Multinomial(x | n, p) Dirichlet(p) dp for two classes, by the double-exponential rule."""
    t = np.linspace(-3.5, 3.5, 401)
    u, rest = 1 / (1 + np.exp(-np.pi * np.sinh(t))), 1 / (1 + np.exp(np.pi * np.sinh(t)))
    w = (t[1] - t[0]) * np.pi * np.cosh(t) * u * rest
    p = np.stack([u, rest], axis=-1)
    prior = Dirichlet([0.8, 2.5]).prob(p) * w
    d, b = DirichletMultinomial(5, [0.8, 2.5]), BetaBinomial(5, 0.8, 2.5)
    for k in range(6):
        x = [k, 5 - k]
        mixed = np.sum(prior * np.exp(k * np.log(u) + (5 - k) * np.log(rest))) / 0.5**5
        mixed *= Multinomial(5, [0.5, 0.5]).prob(x)
        assert d.prob(x) == pytest.approx(mixed, rel=1e-9)
        assert d.log_prob(x) == pytest.approx(b.log_prob(k), rel=1e-12, abs=1e-13)
    assert d.entropy() == pytest.approx(b.entropy(), rel=1e-11)


def test_one_trial_is_the_mean():
    d = DirichletMultinomial(1, [2.0, 0.7, 1.3])
    np.testing.assert_allclose(d.prob(np.eye(3)), Dirichlet([2.0, 0.7, 1.3]).mean, rtol=1e-13)


def test_large_alpha_is_a_multinomial():
    p = np.array([0.5, 0.3, 0.2])
    d, m = DirichletMultinomial(6, 1e12 * p), Multinomial(6, p)
    x = m.sample(20, rng=0)
    np.testing.assert_allclose(d.log_prob(x), m.log_prob(x), rtol=1e-9)


def test_moments_and_marginals():
    np.testing.assert_allclose(np.diag(D.cov), D.var, rtol=1e-13)
    x = D.sample(50_000, rng=1)
    np.testing.assert_allclose(np.cov(x.T), D.cov, atol=0.1)  # 5 standard errors
    assert D.marginal(0) == BetaBinomial(6, 2.0, 2.0)
    assert D.marginal([1]) == DirichletMultinomial(6, [0.7, 3.3])
    total = sum(D.prob([2, k, 4 - k]) for k in range(5))
    assert D.marginal(0).prob(2) == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("alpha", [[2.5, 0.7, 1.3], [0.2, 0.3, 0.1], [1.2, 7.0, 3.0], [1.0, 1.0, 1.0]])
def test_mode_is_the_best_of_all(alpha):
    for n in (1, 4, 11):
        d = DirichletMultinomial(n, alpha)
        i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1))
        every = np.stack([i, j, n - i - j], axis=-1)[i + j <= n]
        assert d.log_prob(d.mode) >= d.log_prob(every).max() - 1e-12


def test_impossible_counts():
    assert D.log_prob([[3, 3, 3], [7, -1, 0], [2.5, 2.5, 1]]).tolist() == [-np.inf] * 3
    assert np.isnan(D.log_prob([np.nan, 3, 3]))
    assert DirichletMultinomial(0, [1.0, 2.0]).log_prob([0, 0]) == pytest.approx(0, abs=1e-14)


def test_fit():
    x = D.sample(3000, rng=2)
    fitted = DirichletMultinomial.fit(x)
    np.testing.assert_allclose(fitted.alpha, D.alpha, rtol=0.15)
    best = fitted.log_prob(x).sum()
    for step in (np.eye(3) * 1e-3, -np.eye(3) * 1e-3):  # flat: no neighbour is better
        for shift in step:
            assert DirichletMultinomial(6, fitted.alpha * (1 + shift)).log_prob(x).sum() < best
    with pytest.warns(AtBound, match="vary no more than those of a multinomial"):
        DirichletMultinomial.fit([[2, 2], [2, 2], [2, 2]])
    with pytest.raises(Unsupported, match="no sufficient statistics of fixed size"):
        DirichletMultinomial.statistics(x)
    with pytest.raises(InvalidInput, match="at least 2 counts"):
        DirichletMultinomial.fit([[1, 0], [0, 1]])
    with pytest.raises(InvalidInput, match="no count in column 1"):
        DirichletMultinomial.fit([[3, 0], [3, 0]])
    with pytest.raises(InvalidInput, match="same total in every row"):
        DirichletMultinomial.fit([[1, 2], [2, 2]])


@pytest.mark.parametrize(
    ("n", "alpha", "message"),
    [
        (5, [1.0, 0.0], "alpha must be > 0; got 0"),
        (1.5, [1.0, 1.0], "n must be an integer; got 1.5"),
        (5, [1.0], "K >= 2"),
        ([1, 2, 3], np.ones((2, 2)), r"n and alpha .* broadcast; got \(3,\) and \(2,\)"),
    ],
)
def test_domains(n, alpha, message):
    with pytest.raises(ValueError, match=message):
        DirichletMultinomial(n, alpha)
