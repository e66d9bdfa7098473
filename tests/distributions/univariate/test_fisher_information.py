"""The Fisher information is the variance of the score, and minus the mean curvature of log p."""

import numpy as np
import pytest

from suffice._core.errors import NumericalError
from suffice.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Gamma,
    LaplaceDistribution,
    Normal,
    Poisson,
    expectation_with_error,
)

SINGLE = [Bernoulli(0.3), Binomial(7, 0.2), Poisson(3.5), Normal(1.0, 2.0), LaplaceDistribution(-1.0, 0.5),
          Gamma(2.5, 3.0), Beta(20.0, 35.0)]  # fmt: skip
NAMES = {"Bernoulli": ["p"], "Binomial": ["p"], "Poisson": ["rate"], "Normal": ["mean", "std"],
         "LaplaceDistribution": ["loc", "scale"], "Gamma": ["shape", "rate"], "Beta": ["a", "b"]}  # fmt: skip


def score(d, name):
    """∂ log p / ∂θ as a function of x, by differences."""

    def at(x):
        value, h = getattr(d, name), 1e-5
        fields = {k: getattr(d, k) for k in d.__dataclass_fields__ if not k.startswith("_")}
        up, down = (type(d)(**fields | {name: value + s * h}) for s in (1, -1))
        return (up.log_prob(x) - down.log_prob(x)) / (2 * h)

    return at


@pytest.mark.parametrize("d", SINGLE, ids=lambda d: type(d).__name__)
def test_information_is_the_variance_of_the_score(d):
    names = NAMES[type(d).__name__]
    scores = [score(d, name) for name in names]
    breaks = [d.loc - 1e-5, d.loc, d.loc + 1e-5] if isinstance(d, LaplaceDistribution) else []
    found = [
        [expectation_with_error(lambda x, s=s, t=t: s(x) * t(x), d, breaks=breaks).value for t in scores]
        for s in scores
    ]
    given = np.atleast_2d(d.fisher_information())
    np.testing.assert_allclose(given, found, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(d.fisher_information(10), 10 * np.asarray(d.fisher_information()), rtol=1e-14)


def test_batches_have_one_each():
    assert Bernoulli([0.2, 0.5]).fisher_information().tolist() == pytest.approx([6.25, 4.0])
    assert Normal([0.0, 1.0, 2.0], 2.0).fisher_information().shape == (3, 2, 2)
    np.testing.assert_allclose(
        Gamma([1.0, 2.0], [[1.0], [3.0]]).fisher_information()[1, 0], Gamma(1.0, 3.0).fisher_information()
    )


def test_the_edge_of_a_range_has_no_finite_information():
    for d in (Bernoulli(1.0), Poisson(0.0), Binomial(3, 0.0)):
        with pytest.raises(NumericalError, match="a parameter lies on the edge of its range"):
            d.fisher_information()
