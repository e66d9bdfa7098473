"""What is special about the Bernoulli distribution: certain outcomes, counts, log odds."""

import numpy as np
import pytest

from suffice.distributions import Bernoulli
from suffice.statistics import Counts


def test_certain_outcomes():
    d = Bernoulli([0.0, 1.0])
    assert d.log_prob(0).tolist() == [0.0, -np.inf]
    assert d.log_prob(1).tolist() == [-np.inf, 0.0]
    assert d.entropy().tolist() == [0.0, 0.0]
    assert d.quantile(0.0).tolist() == [0.0, 1.0]
    assert d.quantile(1.0).tolist() == [0.0, 1.0]
    assert d.sample(20, rng=0).sum(axis=0).tolist() == [0, 20]


def test_what_is_not_an_outcome():
    assert Bernoulli(0.3).log_prob([0.5, 2, -1]).tolist() == [-np.inf] * 3


def test_fit_from_counts_and_arrays():
    assert Bernoulli.fit(Counts.of([1, 0, 1, 1])) == Bernoulli(0.75)
    assert Bernoulli.fit([True, False, True, True]) == Bernoulli(0.75)
    assert Bernoulli.fit(Counts.of([0, 0])) == Bernoulli(0.0)
    assert Bernoulli.fit(Counts.of([True, True])) == Bernoulli(1.0)


def test_log_odds():
    assert Bernoulli.from_logit(0.0) == Bernoulli(0.5)
    assert Bernoulli.from_logit(-800.0).p == 0.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bernoulli(1.5), r"p must be in \[0, 1\]; got 1\.5"),
        (lambda: Bernoulli(np.nan), r"p must be a number; got nan"),
        (lambda: Bernoulli("half"), "p must be a number or an array of numbers; got 'half'"),
        (lambda: Bernoulli.fit([0, 2]), r"x must be integers from 0 to 1; got 2\.0"),
        (
            lambda: Bernoulli.fit(Counts.of(["a", "b"])),
            r"needs counts of 0 and 1; got the classes \['a', 'b'\]",
        ),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
