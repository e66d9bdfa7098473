"""KL divergences: never negative, zero only for equals, and the integral they stand for."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, NumericalError, Unsupported
from suffice.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Dirichlet,
    Gamma,
    InverseGamma,
    InverseWishart,
    Multinomial,
    MultivariateNormal,
    MultivariateT,
    NegativeBinomial,
    Normal,
    Poisson,
    StudentT,
    Uniform,
    Wishart,
    kl,
    kl_method,
)
from suffice.distributions.expectations.divergence import _quadrature

PAIR, OTHER = np.array([[2.0, 0.6], [0.6, 1.0]]), np.array([[1.0, -0.2], [-0.2, 0.7]])
CASES = {
    "Normal": (Normal(0.0, 1.0), Normal(1.5, 0.7)),
    "Gamma": (Gamma(2.5, 1.0), Gamma(4.0, 3.0)),
    "InverseGamma": (InverseGamma(2.5, 1.0), InverseGamma(4.0, 3.0)),
    "Beta": (Beta(2.0, 3.0), Beta(0.7, 1.1)),
    "Poisson": (Poisson(3.0), Poisson(5.5)),
    "Bernoulli": (Bernoulli(0.2), Bernoulli(0.7)),
    "Binomial": (Binomial(7, 0.2), Binomial(7, 0.7)),
    "Categorical": (Categorical([0.2, 0.5, 0.3]), Categorical([0.6, 0.3, 0.1])),
    "Multinomial": (Multinomial(4, [0.2, 0.5, 0.3]), Multinomial(4, [0.6, 0.3, 0.1])),
    "Dirichlet": (Dirichlet([2.0, 3.0, 0.8]), Dirichlet([0.7, 1.1, 4.0])),
    "MultivariateNormal": (MultivariateNormal([0.0, 1.0], PAIR), MultivariateNormal([1.0, 0.0], OTHER)),
    "Wishart": (Wishart(5.0, PAIR), Wishart(8.5, OTHER)),
    "InverseWishart": (InverseWishart(5.0, PAIR), InverseWishart(8.5, OTHER)),
}
PAIRS = [pytest.param(p, q, id=name) for name, (p, q) in CASES.items()]


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_is_an_average_over_draws(p, q):
    for a, b in ((p, q), (q, p)):
        x = a.sample(40_000, rng=3)
        gain = a.log_prob(x) - b.log_prob(x)
        assert kl_method(a, b) == "closed form"
        assert abs(gain.mean() - kl(a, b)) <= 5 * gain.std() / 200  # five standard errors


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_is_zero_for_equals_only(p, q):
    assert kl(p, p) == kl(q, q) == 0
    assert kl(p, q) > 0
    assert kl(q, p) > 0
    assert kl(p, q) != pytest.approx(kl(q, p), rel=1e-3)


@pytest.mark.parametrize(
    "name", ["Normal", "Gamma", "InverseGamma", "Beta", "Poisson", "Bernoulli", "Binomial"]
)
def test_quadrature_agrees_with_the_closed_form(name):
    p, q = CASES[name]
    assert _quadrature(p, q) == pytest.approx(kl(p, q), rel=1e-10)
    assert _quadrature(q, p) == pytest.approx(kl(q, p), rel=1e-8)


@pytest.mark.parametrize("name", [n for n in CASES if n != "Categorical"])
def test_batches_are_loops(name):
    p, q = CASES[name]
    batch = type(p).concatenate([p._broadcast((1,)), q._broadcast((1,))])
    np.testing.assert_allclose(kl(batch, q), [kl(p, q), 0.0], rtol=1e-12)
    np.testing.assert_allclose(kl(p, batch), [0.0, kl(p, q)], rtol=1e-12)
    with pytest.raises(ValueError, match=r"p and q .* broadcast; got \(2,\) and \(3,\)"):
        kl(batch, p._broadcast((3,)))


def test_printed_numbers():  # Herbst §1.6.1, derived case D-10
    p = Categorical([0.5, 0.25, 0.125, 0.125])
    uniform = Categorical([0.25] * 4)
    assert kl(p, uniform) == pytest.approx(0.1732867951, abs=5e-11)
    assert kl(uniform, p) == pytest.approx(0.1732867951, abs=5e-11)
    assert kl(Bernoulli(0.9), Bernoulli(0.5)) == pytest.approx(0.3680642072, abs=5e-11)
    assert kl(Bernoulli(0.5), Bernoulli(0.9)) == pytest.approx(0.5108256238, abs=5e-11)


@pytest.mark.parametrize("scale", [1e-8, 1e-4])
def test_neighbours_keep_their_digits(scale):
    """KL ≈ ½ × Fisher information × step²."""
    assert kl(Normal(0, 1), Normal(scale, 1)) == pytest.approx(scale**2 / 2, rel=1e-9)
    assert kl(Normal(0, 1), Normal(0, 1 + scale)) == pytest.approx(scale**2, rel=3 * scale + 1e-7)
    assert kl(Poisson(9.0), Poisson(9.0 * (1 + scale))) == pytest.approx(4.5 * scale**2, rel=scale + 1e-7)
    assert kl(Bernoulli(0.5), Bernoulli(0.5 + scale)) == pytest.approx(2 * scale**2, rel=3 * scale + 1e-7)


def test_what_q_excludes_is_infinitely_surprising():
    assert kl(Normal(0, 1), Normal(0, 0)) == np.inf
    assert kl(Normal(0, 0), Normal(0, 1)) == np.inf
    assert kl(Normal(1, 0), Normal(1, 0)) == 0
    assert kl(Normal(1, 0), Normal(2, 0)) == np.inf
    assert kl(Categorical([0.5, 0.5]), Categorical([1.0, 0.0])) == np.inf
    assert kl(Categorical([1.0, 0.0]), Categorical([0.5, 0.5])) == pytest.approx(np.log(2))
    assert kl(Uniform(0.0, 2.0), Uniform(0.0, 1.0)) == np.inf
    assert kl(Uniform(0.0, 1.0), Uniform(-1.0, 3.0)) == pytest.approx(np.log(4), rel=1e-9)
    assert kl(Normal(0, 1), Gamma(2.0, 1.0)) == np.inf
    assert kl(StudentT(1.0), Normal(0, 1)) == np.inf  # the integral diverges
    assert kl(Poisson(2.0), Normal(2, 1)) == np.inf  # lumps against a density
    assert kl(MultivariateNormal([0.0, 0.0], np.ones((2, 2))), CASES["MultivariateNormal"][0]) == np.inf
    with pytest.raises(NumericalError, match="cov of q is singular"):
        kl(CASES["MultivariateNormal"][0], MultivariateNormal([0.0, 0.0], np.ones((2, 2))))


def test_a_sum_over_many_values():
    p, q, k = NegativeBinomial(50.0, 2e-3), Poisson(26000.0), np.arange(5000.0, 60000.0)
    want = np.sum(p.prob(k) * (p.log_prob(k) - q.log_prob(k)))
    assert kl(p, q) == pytest.approx(want, rel=1e-9)


def test_quadrature_says_so():
    p, q = StudentT(3.0), Normal(0.0, 2.0)
    assert kl_method(p, q) == "quadrature"
    # E log p = −entropy, E log q from the variance 3: both exact
    want = -p.entropy() + 0.5 * np.log(2 * np.pi * 4) + 3 / 8
    assert kl(p, q) == pytest.approx(want, rel=1e-8)
    with pytest.raises(InvalidInput, match="p must be a single distribution"):
        kl(StudentT([3.0, 4.0]), q)
    with pytest.raises(Unsupported, match="no closed form for MultivariateT and MultivariateNormal"):
        kl(MultivariateT(3.0, [0.0], [[1.0]]), MultivariateNormal([0.0], [[1.0]]))


def test_what_cannot_be_compared():
    with pytest.raises(InvalidInput, match="same classes"):
        kl(Categorical([0.5, 0.5]), Categorical([0.5, 0.5], classes=["a", "b"]))
    with pytest.raises(InvalidInput, match="same coordinates; got 2 and 3"):
        kl(Dirichlet([1.0, 1.0]), Dirichlet([1.0, 1.0, 1.0]))
    with pytest.raises(InvalidInput, match="same coordinates; got 2 and 1"):
        kl(CASES["MultivariateNormal"][0], MultivariateNormal([0.0], [[1.0]]))
    with pytest.raises(Unsupported, match="same number of trials"):
        kl(Binomial(3, 0.5), Binomial(4, 0.5))
