"""Information: known values, units, and what has none."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score, normalized_mutual_info_score

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.distributions import Bernoulli, Categorical, Discrete, JointTable, Normal, Poisson, information

TABLE = np.array([[0.4, 0.2], [0.1, 0.3]])


def test_against_scikit_learn():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 4, 500)
    b = np.where(rng.random(500) < 0.6, a, rng.integers(0, 3, 500))
    table = JointTable.from_data({"a": a, "b": b})
    assert information.mutual_information(table) == pytest.approx(mutual_info_score(a, b), rel=1e-12)
    for average in ("geometric", "arithmetic", "min", "max"):
        ours = information.normalized_mutual_information(table, average)
        theirs = normalized_mutual_info_score(a, b, average_method=average)
        assert ours == pytest.approx(theirs, rel=1e-12)


def test_names_and_axes_of_conditional_entropy():
    table = JointTable(TABLE, ["x", "y"])
    by_hand = -sum(p * np.log(p / TABLE[i].sum()) for i in range(2) for p in TABLE[i])
    assert information.conditional_entropy(table, given="x") == pytest.approx(by_hand, rel=1e-14)
    assert information.conditional_entropy(TABLE) == pytest.approx(by_hand, rel=1e-14)
    swapped = information.conditional_entropy(TABLE.T, given=1)
    assert swapped == pytest.approx(by_hand, rel=1e-14)
    assert information.conditional_entropy(TABLE, given=-2) == pytest.approx(by_hand, rel=1e-14)


def test_batches_of_distributions():
    rows = np.array([[0.5, 0.5], [1.0, 0.0], [0.9, 0.1]])
    got = information.entropy(rows, base=2, axis=1)
    np.testing.assert_allclose(got, [1, 0, information.entropy(rows[2], base=2)], rtol=1e-14)


def test_small_divergences_keep_their_digits():
    # KL of (½ + d, ½ − d) from (½, ½) is 2d² + O(d⁴): far below the rounding of its terms
    d = 1e-7
    got = information.kl_divergence([0.5 + d, 0.5 - d], [0.5, 0.5])
    assert got == pytest.approx(2 * d**2, rel=1e-2)


def test_infinite_and_zero():
    assert information.self_information(0.0) == np.inf
    assert information.self_information([1.0, 0.25], base=2).tolist() == [0.0, 2.0]
    assert information.kl_divergence([0.5, 0.5], [1.0, 0.0]) == np.inf
    assert information.kl_divergence([1.0, 0.0], [0.5, 0.5], base=2) == pytest.approx(1, rel=1e-14)
    assert information.mutual_information(np.outer([0.3, 0.7], [0.2, 0.8])) == pytest.approx(0, abs=1e-16)
    assert information.entropy([1.0, 0.0]) == 0.0


def test_differential_entropy():
    assert information.differential_entropy(Normal(0, 1)) == pytest.approx(1.4189385332, rel=1e-10)
    bits = information.differential_entropy(Normal(0, 0.01), base=2)
    assert bits == pytest.approx(0.5 * np.log2(2 * np.pi * np.e * 1e-4), rel=1e-13)
    with pytest.raises(Unsupported, match="For tables: entropy"):
        information.differential_entropy([0.5, 0.5])


def test_what_is_undefined_says_why():
    with pytest.raises(InvalidInput, match="undefined: a variable that always has the same value"):
        information.normalized_mutual_information([[0.5, 0.5]])
    assert information.normalized_mutual_information([[0.5, 0.5]], "arithmetic") == 0
    with pytest.raises(InvalidInput, match="joint must have two variables; got shape"):
        information.mutual_information(np.full((2, 2, 2), 1 / 8))
    with pytest.raises(InvalidInput, match="two variables at least"):
        information.conditional_entropy([0.5, 0.5])
    with pytest.raises(InvalidInput, match="given must be an axis of the table or the name of one; got 2"):
        information.conditional_entropy(TABLE, given=2)
    with pytest.raises(InvalidInput, match="given must be an axis"):
        information.conditional_entropy(TABLE, given="x")


@pytest.mark.parametrize("base", [1, 0.5, -2, np.inf, "2"])
def test_bases(base):
    with pytest.raises(InvalidParameter, match="base must be a number > 1"):
        information.entropy([0.5, 0.5], base=base)


def test_bad_tables():
    with pytest.raises(InvalidParameter, match=r"p must sum to one; got a sum of 1.5"):
        information.entropy([0.5, 1.0])
    with pytest.raises(InvalidParameter, match=r"q must be >= 0; got -0.5"):
        information.kl_divergence([0.5, 0.5], [1.5, -0.5])
    with pytest.raises(InvalidInput, match="same cells"):
        information.kl_divergence([0.5, 0.5], [[0.5, 0.5]])
    with pytest.raises(InvalidInput, match=r"p must be in \[0, 1\]; got 2"):
        information.self_information(2.0)
    with pytest.raises(InvalidInput, match=r"table of probabilities; got the number 1.0"):
        information.entropy(1.0)
    with pytest.raises(InvalidParameter, match="average must be one of 'geometric'"):
        information.normalized_mutual_information(TABLE, "harmonic")


@pytest.mark.parametrize(
    "d", [Poisson(3.0), Bernoulli(0.3), Categorical([0.2, 0.8]), Discrete([1, 5], [0.5, 0.5])]
)
def test_values_with_probabilities_have_no_differential_entropy(d):
    with pytest.raises(Unsupported, match=rf"{type(d).__name__} gives probabilities.* Write d\.entropy\(\)"):
        information.differential_entropy(d)
