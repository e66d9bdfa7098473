"""p-values and coverage by simulation."""

import numpy as np
import pytest
from scipy import stats

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation.comparisons import accuracy_from_counts, coverage, monte_carlo_p
from suffice.evaluation.comparisons.accuracy import share_interval as jeffreys

NULL = np.array([-3.0, -1.0, 0.0, 0.5, 2.0, 2.0, 4.0])


@pytest.mark.parametrize(("side", "b"), [("two-sided", 4), ("greater", 3), ("less", 6)])
def test_counting_by_hand(side, b):
    found = monte_carlo_p(2.0, NULL, side)
    assert found.p_value == found.estimate == pytest.approx((b + 1) / 8, rel=1e-15)
    assert found.observed == pytest.approx(b / 7, rel=1e-15)
    assert monte_carlo_p(2.0, NULL, side, count="plain").p_value == pytest.approx(b / 7, rel=1e-15)
    assert found.interval == jeffreys(b, 7, 0.95)


def test_the_sign_does_not_matter_when_both_sides_count():
    assert monte_carlo_p(-2.0, NULL).p_value == monte_carlo_p(2.0, NULL).p_value
    assert monte_carlo_p(-2.0, -NULL, "less").p_value == monte_carlo_p(2.0, NULL, "greater").p_value


def test_rounding_does_not_break_ties():
    third = np.full(9, 0.1 + 0.2)
    assert monte_carlo_p(0.3, third, "less").observed == 1.0
    assert monte_carlo_p(0.3, third, "greater").observed == 1.0


def test_no_draw_as_extreme():
    found = monte_carlo_p(50.0, NULL)
    assert found.p_value == pytest.approx(1 / 8, rel=1e-15)
    plain = monte_carlo_p(50.0, NULL, count="plain")
    assert plain.p_value == 0
    assert any("no p-value" in note for note in plain.notes)


def test_it_approaches_the_formula():
    null = np.random.default_rng(1).standard_normal(200_000)
    found = monte_carlo_p(1.3, null, confidence=0.9999)
    assert found.interval[0] < 2 * stats.norm.sf(1.3) < found.interval[1]


def test_a_rank_among_its_own_kind_is_uniform():
    """(b + 1)/(m + 1) takes each of its m + 1 values equally often: exchangeability, by going through all ranks."""
    values = np.arange(10.0)
    found = sorted(monte_carlo_p(v, np.delete(values, i), "greater").p_value for i, v in enumerate(values))
    np.testing.assert_allclose(found, np.arange(1, 11) / 10, rtol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((np.nan, NULL), InvalidParameter, "statistic"),
        ((1.0, [1.0, np.nan]), InvalidInput, "null_samples must be finite; it has NaN at row 1"),
        ((1.0, []), InvalidInput, "null_samples is empty"),
        ((1.0, NULL, "both"), InvalidParameter, "side must be one of"),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        monte_carlo_p(*arguments)


# -- coverage -------------------------------------------------------------------------------------
def flip(theta, rng):
    return rng.binomial(30, theta)


def test_coverage_counts_what_it_returns():
    found = coverage(lambda m: accuracy_from_counts(m, 30), flip, 0.8, 200, 7)
    low, high = found.intervals.T
    assert found.share == np.mean((low <= 0.8) & (high >= 0.8)) == found.covered.mean()
    assert found.share.interval == jeffreys(int(found.covered.sum()), 200, 0.95)
    assert found.as_nominal
    assert len(found.frame()) == 200


def test_the_same_seed_gives_the_same_intervals():
    one, two, three = (
        coverage(lambda m: (m / 30 - 0.1, m / 30 + 0.1), flip, 0.8, 50, seed) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one.intervals, two.intervals)
    assert not np.array_equal(one.intervals, three.intervals)


def test_a_truth_drawn_from_its_prior():
    """Draws of the truth do not disturb draws of the data: a constant prior gives the same data as the constant."""

    def ends(m):
        return m / 30 - 0.1, m / 30 + 0.1

    drawn = coverage(ends, flip, lambda rng: 0.8 + 0 * rng.random(), 50, 1)
    np.testing.assert_array_equal(drawn.intervals, coverage(ends, flip, 0.8, 50, 1).intervals)
    spread = coverage(ends, flip, lambda rng: rng.beta(0.5, 0.5), 50, 1)
    assert len(set(spread.truths)) == 50


def test_an_interval_that_lies_is_found_out():
    found = coverage(lambda m: (m / 30 - 0.02, m / 30 + 0.02), flip, 0.8, 300, 3)
    assert not found.as_nominal
    assert "against 95 % nominal" in str(found)
    assert coverage(lambda m: (0, 1), flip, 0.8, 5, nominal=None).as_nominal is None


@pytest.mark.parametrize(
    ("interval", "message"),
    [(lambda m: None, "data set 0 it gave None"), (lambda m: (1, 0), "low <= high"), (lambda m: 3, "pair"),
     (lambda m: (np.nan, 1), "low <= high"), (lambda m: (1, 2, 3), "pair")],
)  # fmt: skip
def test_bad_intervals(interval, message):
    with pytest.raises(InvalidInput, match=message):
        coverage(interval, flip, 0.5, 3, 0)


def test_bad_numbers():
    with pytest.raises(InvalidParameter, match="n must be a whole number >= 1"):
        coverage(lambda m: (0, 1), flip, 0.5, 0)
    with pytest.raises(InvalidParameter, match="truth"):
        coverage(lambda m: (0, 1), flip, "half", 3)
