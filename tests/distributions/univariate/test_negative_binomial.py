"""The negative binomial: its limits, its other names, and what it refuses."""

import numpy as np
import pytest

from suffice._core.errors import AtBound, InvalidInput, InvalidParameter
from suffice.distributions import Gamma, NegativeBinomial, Poisson
from suffice.distributions.univariate import negative_binomial


def test_it_is_a_poisson_averaged_over_a_gamma():
    draws = Gamma(3.0, 0.5).sample(400_000, rng=0)
    for k in (0, 4, 15):
        p = Poisson(draws).prob(k)
        error = 5 * p.std() / np.sqrt(len(p))  # five standard errors
        assert NegativeBinomial(3.0, 0.5).prob(k) == pytest.approx(p.mean(), abs=error)


def test_large_shapes_are_poisson():
    k = np.arange(30)
    np.testing.assert_allclose(
        NegativeBinomial.from_mean(7.0, 1e14).log_prob(k), Poisson(7.0).log_prob(k), rtol=1e-11
    )


def test_other_parametrisations():
    d = NegativeBinomial.from_probability(4, 0.25)  # failures before the fourth success
    assert d.prob(0) == pytest.approx(0.25**4)
    assert d.prob(1) == pytest.approx(4 * 0.25**4 * 0.75)
    assert NegativeBinomial.from_mean(6.0, 3.0) == NegativeBinomial(3.0, 0.5)


def test_entropy_of_a_heavy_tail():
    d = NegativeBinomial(0.5, 1e-4)
    k = np.arange(600_000)
    assert d.entropy() == pytest.approx(-np.sum(d.prob(k) * d.log_prob(k)), rel=1e-9)
    assert NegativeBinomial([3.0, 0.5], [0.5, 1e-4]).entropy()[1] == d.entropy()


def test_quantiles_and_modes():
    d = NegativeBinomial(0.1, 0.01)
    assert d.quantile([0.0, 0.5, 1.0]).tolist() == [0.0, 0.0, np.inf]
    assert d.mode == 0.0
    assert NegativeBinomial(3.0, 0.5).mode == 3.0  # 4 is as probable
    assert NegativeBinomial(3.0, 0.5).prob(3) == pytest.approx(NegativeBinomial(3.0, 0.5).prob(4))


def test_counts_without_surplus_spread_are_told():
    with pytest.warns(AtBound, match="use Poisson"):
        fitted = NegativeBinomial.fit([2, 3, 2, 3])
    assert fitted.mean == pytest.approx(2.5)
    assert fitted.var == pytest.approx(2.5, rel=2e-6)
    assert fitted.shape == 2.5e6  # an end where there is none


@pytest.mark.parametrize("shape", [0.5, 29.0, 31.0, 2.5e3, 2.5e5])
def test_shapes_are_found_in_few_steps(shape, monkeypatch):
    """Counts in their exact shares: the likeliest shape is their own, also where it hardly changes the likelihood."""
    looks, log_mass = [], negative_binomial._log_mass
    monkeypatch.setattr(negative_binomial, "_log_mass", lambda *a: looks.append(a) or log_mass(*a))
    k = np.arange(300.0)
    fitted = NegativeBinomial.fit(k, NegativeBinomial.from_mean(5.0, shape).prob(k))
    assert fitted.shape == pytest.approx(shape, rel=1e-10 if shape < 1e3 else 1e-3)
    assert len(looks) < 40


def test_counts_that_hardly_vary_more_have_an_end():
    k = np.arange(60.0)
    with pytest.warns(AtBound, match=r"set to 5e\+06; use Poisson"):
        fitted = NegativeBinomial.fit(k, NegativeBinomial.from_mean(5.0, 1e9).prob(k))
    assert fitted.shape == pytest.approx(5e6, rel=1e-10)


def test_quantiles_where_not_all_integers_are_doubles():
    d = NegativeBinomial(1.0, 1e-20)  # close to an exponential distribution
    np.testing.assert_allclose(d.quantile([0.1, 0.9]), -1e20 * np.log([0.9, 0.1]), rtol=1e-12)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: NegativeBinomial(0.0, 1.0), InvalidParameter, "shape must be > 0; got 0.0"),
        (lambda: NegativeBinomial(1.0, -1.0), InvalidParameter, "rate must be > 0; got -1.0"),
        (lambda: NegativeBinomial.from_probability(2, 1.0), InvalidParameter, "p must be < 1; got 1.0"),
        (lambda: NegativeBinomial.fit([0, 0]), InvalidInput, "must not be all 0"),
        (lambda: NegativeBinomial.fit([1, -2]), InvalidInput, "integers >= 0; got -2.0"),
    ],
)
def test_bad_input(call, error, words):
    with pytest.raises(error, match=words):
        call()
