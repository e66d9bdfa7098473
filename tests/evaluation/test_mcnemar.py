"""McNemar's exact test: counting, symmetry, edges, the p-value by enumeration, the interval by its moments."""

from itertools import product
from math import comb

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation.comparisons import MatchedPairs, matched_pairs, mcnemar, mcnemar_from_counts
from suffice.evaluation.comparisons.accuracy import share_interval as jeffreys
from suffice.evaluation.comparisons.mcnemar import beta_parameters, twice_the_tail


def test_matched_pairs_by_hand():
    y, a, b = list("xxyyz"), list("xyyxz"), list("xxxyy")
    pairs = matched_pairs(y, a, b)
    assert pairs == MatchedPairs(1, 2, 2, 0)
    np.testing.assert_array_equal(pairs.table, [[1, 2], [2, 0]])
    assert (pairs.n, pairs.discordant, pairs.difference) == (5, 4, 0.0)
    for kind in (np.array, pd.Series, pl.Series):
        assert matched_pairs(kind(y), kind(a), kind(b)) == pairs


def test_weights_are_counts():
    y, a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0]), np.array([1, 0, 1, 0])
    weight = [4, 1, 2, 3]
    rows = np.repeat(np.arange(4), weight)
    assert mcnemar(y, a, b, sample_weight=weight) == mcnemar(y[rows], a[rows], b[rows])


@pytest.mark.parametrize(("n12", "n21"), [(15, 5), (5, 15), (1, 0), (3, 3), (0, 9), (4, 5)])
def test_p_by_enumeration(n12, n21):
    """The chance that one of the two counts is as small as the smaller, over all 2^s ways to hand out s rows."""
    s, few = n12 + n21, min(n12, n21)
    ways = sum(comb(s, k) for k in range(s + 1) if min(k, s - k) <= few)
    found = mcnemar_from_counts([60, n12, n21, 20])
    assert found.p_value == pytest.approx(min(1, ways / 2**s), rel=1e-12)


def test_a_formula_above_one_is_clipped_and_said():
    found = mcnemar_from_counts([70, 10, 10, 10])
    assert found.p_value == 1.0
    assert any("1.176" in note and "at most 1" in note for note in found.notes)
    assert not any("at most" in note for note in mcnemar_from_counts([60, 15, 5, 20]).notes)


@pytest.mark.parametrize(
    "cells", [(60, 15, 5, 20), (0, 3, 1, 0), (9, 1, 0, 0), (0, 4, 0, 0), (7, 0, 0, 3), (0, 1, 0, 0)]
)
def test_swapping_the_models_turns_the_sign(cells):
    a, b, c, d = cells
    one, other = mcnemar_from_counts([a, b, c, d]), mcnemar_from_counts([a, c, b, d])
    assert one.estimate == -other.estimate
    assert one.p_value == other.p_value
    np.testing.assert_allclose(one.interval, -np.array(other.interval)[::-1], rtol=1e-10, atol=1e-14)


def test_p_ignores_rows_on_which_they_agree_and_the_interval_does_not():
    few, many = mcnemar_from_counts([5, 15, 5, 5]), mcnemar_from_counts([500, 15, 5, 20])
    assert few.p_value == many.p_value
    assert np.ptp(few.interval) > 5 * np.ptp(many.interval)


@pytest.mark.parametrize("cells", [(60, 15, 5, 20), (1, 1, 0, 0), (0, 2, 1, 5), (900, 30, 20, 50)])
def test_the_beta_has_the_moments_of_the_multinomial(cells):
    pairs = MatchedPairs(*cells)
    p, q = beta_parameters(pairs)
    mean, variance = stats.beta.stats(p, q, moments="mv")
    n, difference, discordant = pairs.n, pairs.difference, pairs.discordant / pairs.n
    assert 2 * mean - 1 == pytest.approx(difference, abs=1e-12)
    assert 4 * variance == pytest.approx((discordant - difference**2) / (n + 1), rel=1e-10)


def test_every_small_table_has_an_interval_that_holds_its_estimate():
    for cells in product(range(4), repeat=4):
        if sum(cells):
            found = mcnemar_from_counts(cells)
            low, high = found.interval
            assert -1 <= low <= found.estimate <= high <= 1
            assert low < high
            assert 0 < found.p_value <= 1


def test_models_that_never_disagree():
    found = mcnemar_from_counts([90, 0, 0, 10])
    bound = jeffreys(0, 100, 0.95)[1]
    assert (found.estimate, found.p_value, found.interval) == (0.0, 1.0, (-bound, bound))
    assert any("same rows" in note for note in found.notes)
    assert "A and B are right equally often" in found.sentence


def test_one_model_alone_right_everywhere():
    found = mcnemar_from_counts([0, 12, 0, 0])
    assert found.estimate == 1.0
    assert found.interval == (2 * jeffreys(12, 12, 0.95)[0] - 1, 1.0)
    assert any("every row" in note for note in found.notes)


def test_few_discordant_rows_are_noted():
    assert any("needs 5 or more" in note for note in mcnemar_from_counts([90, 3, 1, 6]).notes)
    assert mcnemar_from_counts([90, 4, 1, 5]).notes == ()


def test_the_sentence_favors_effects():
    found = mcnemar_from_counts([60, 5, 15, 20], names=("tree", "line"), confidence=0.9)
    assert found.sentence == (
        "tree alone is right on 5 rows and line alone on 15 (n = 100): the accuracy of tree is lower by 0.1, "
        "so line is ahead, 90 % interval [0.0284, 0.171], exact McNemar p = 0.041, given this training set."
    )


def test_huge_counts_stay_finite():
    found = mcnemar_from_counts([10**7, 5000, 4000, 10**6])
    assert found.interval[0] < found.estimate < found.interval[1]
    assert 0 < found.p_value < 1e-20


def test_four_numbers_a_matrix_and_a_record_are_the_same():
    record = MatchedPairs(60, 15, 5, 20)
    assert (
        mcnemar_from_counts(record)
        == mcnemar_from_counts(record.table)
        == mcnemar_from_counts([60, 15, 5, 20])
    )
    assert twice_the_tail(record) == pytest.approx(0.041389465, rel=1e-8)


@pytest.mark.parametrize(
    ("pairs", "error", "message"),
    [
        ([1, 2, 3], InvalidInput, "four numbers"),
        ([0, 0, 0, 0], InvalidInput, "all zero"),
        ([1, -2, 3, 4], InvalidParameter, "only_first must be a whole number >= 0; got -2"),
        ([1, 2, 3.5, 4], InvalidParameter, "only_second"),
        ([1, 2, np.nan, 4], InvalidParameter, "only_second"),
    ],
)
def test_bad_counts(pairs, error, message):
    with pytest.raises(error, match=message):
        mcnemar_from_counts(pairs)


@pytest.mark.parametrize("names", [("A",), ("A", "A"), "AB", 3])
def test_bad_names(names):
    with pytest.raises(InvalidParameter, match="names must"):
        mcnemar_from_counts([1, 2, 3, 4], names=names)


def test_bad_columns():
    with pytest.raises(InvalidInput, match="y has 2, a has 2, b has 3"):
        mcnemar([0, 1], [0, 1], [0, 1, 1])
    with pytest.raises(InvalidInput, match="b has no label at row 0"):
        mcnemar([0.0, 1.0], [0, 1], [np.nan, 1])
    with pytest.raises(InvalidInput, match="got 0.5 at row 1"):
        mcnemar([0, 1], [0, 1], [1, 1], sample_weight=[1, 0.5])


def test_one_class_and_constant_predictions_are_fine():
    found = mcnemar([1] * 10, [1] * 10, [0] * 4 + [1] * 6)
    assert found.estimate == pytest.approx(0.4, rel=1e-14)
    assert found.p_value == pytest.approx(2 / 2**4, rel=1e-12)
