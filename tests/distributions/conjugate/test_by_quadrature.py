"""Posteriors on a grid against conjugate ones, sharp and blunt likelihoods, tails that never end."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.distributions import (
    Beta,
    Binomial,
    Gamma,
    Normal,
    Poisson,
    StudentT,
    Uniform,
    log_evidence,
    posterior,
)

DATA = np.array([3, 0, 5, 2, 2])


@pytest.mark.parametrize(
    ("prior", "likelihood", "exact"),
    [
        (Beta(2, 3), lambda r: Binomial(9, r).log_prob(7), Beta(9, 5)),
        (Beta(1, 1), lambda r: Binomial(10**6, r).log_prob(300_000), Beta(300_001, 700_001)),
        (Gamma(2, 1), lambda r: sum(Poisson(r).log_prob(x) for x in DATA), Gamma(2 + DATA.sum(), 6)),
        (
            Normal(0, 1000),
            lambda m: Normal(m, 1e-3).log_prob(12.5),
            Normal(0, 1000).posterior([12.5], std=1e-3),
        ),
        (Normal(3, 2), lambda m: 0 * m, Normal(3, 2)),
    ],
    ids=["few", "sharp", "counts", "far sharper than the prior", "says nothing"],
)
def test_conjugate_posteriors_are_met(prior, likelihood, exact):
    found = posterior(prior, likelihood)
    np.testing.assert_allclose(found.mean, exact.mean, rtol=1e-7)
    np.testing.assert_allclose(found.std, exact.std, rtol=1e-6)
    p = np.array([0.001, 0.025, 0.5, 0.975, 0.999])
    np.testing.assert_allclose(found.quantile(p), exact.quantile(p), rtol=0, atol=1e-6 * exact.std)
    x = exact.quantile(p)
    np.testing.assert_allclose(found.prob(x), exact.prob(x), rtol=1e-5)


def test_evidence_is_the_conjugate_one():
    one = log_evidence(Gamma(2, 1), lambda r: sum(Poisson(r).log_prob(x) for x in DATA))
    np.testing.assert_allclose(one, Gamma(2, 1).log_evidence(DATA), rtol=1e-9)


def test_heavy_tails_and_two_modes():
    wide = posterior(StudentT(3), lambda m: Normal(m, 1).log_prob(2.0))
    x = np.linspace(-40, 40, 400_001)
    p = StudentT(3).prob(x) * Normal(0, 1).prob(x - 2)
    np.testing.assert_allclose(wide.mean, (x * p).sum() / p.sum(), rtol=1e-7)
    two = posterior(Uniform(-10, 10), lambda m: np.logaddexp(-((m - 6) ** 2) * 500, -((m + 6) ** 2) * 500))
    np.testing.assert_allclose([two.mean, two.cdf(0.0)], [0, 0.5], atol=1e-7)


def test_what_has_no_posterior_is_refused():
    with pytest.raises(InvalidInput, match="The likelihood is zero wherever the prior has probability"):
        posterior(Uniform(0, 1), lambda r: np.full(np.shape(r), -np.inf))
    with pytest.raises(InvalidInput, match="log_likelihood gave .* which is possible"):
        posterior(Uniform(-1, 1), np.log)
    with pytest.raises(InvalidParameter, match="log_likelihood must be a function; got 3"):
        posterior(Uniform(0, 1), 3)
    with pytest.raises(Unsupported, match="must have a density"):
        posterior(Poisson(3), lambda r: r)
