"""Holm's rule and Wilcoxon's signed ranks."""

from itertools import product

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation.comparisons import error_interval, holm, mean_difference, signed_rank
from suffice.evaluation.comparisons.signed_rank import smaller_tail, walsh_averages


def test_holm_by_closed_testing():
    """The adjusted value is the largest Bonferroni value over all sets of hypotheses that hold the one."""
    p = np.array([0.04, 0.011, 0.5, 0.011, 0.3])
    sets = [np.flatnonzero(bits) for bits in product([0, 1], repeat=5) if any(bits)]
    brute = [max(min(1, len(s) * p[s].min()) for s in sets if i in s) for i in range(5)]
    np.testing.assert_allclose(np.asarray(holm(p)), brute, rtol=1e-14)


def test_order_does_not_matter():
    p, order = np.array([0.2, 0.01, 0.04, 0.9]), np.array([2, 0, 3, 1])
    np.testing.assert_array_equal(np.asarray(holm(p))[order], np.asarray(holm(p[order])))


def test_findings_bring_their_names():
    findings = [mean_difference([0.1, 0.2, 0.4]), mean_difference([0.1, -0.2, 0.4])]
    found = holm(findings)
    assert found.names == ("Paired t test", "Paired t test")
    np.testing.assert_array_equal(found.p_values, [f.p_value for f in findings])
    assert len(found) == 2
    with pytest.raises(InvalidInput, match="'Student-t interval' has no p-value"):
        holm([*findings, error_interval([1.0, 2.0])])


@pytest.mark.parametrize(
    ("p", "message"),
    [
        ([0.1, 1.2], "got 1.2 at position 1"),
        ([-0.1], "got -0.1"),
        ([np.nan], "NaN"),
        ([], "empty"),
        (["a"], "numbers"),
    ],
)
def test_bad_p(p, message):
    with pytest.raises(InvalidInput, match=message):
        holm(p)


def test_wrong_number_of_names():
    with pytest.raises(InvalidInput, match="2 p_values and 1 names"):
        holm([0.1, 0.2], names=["a"])


# -- signed ranks ---------------------------------------------------------------------------------
@pytest.mark.parametrize("n", [1, 4, 6, 9, 12])
@pytest.mark.parametrize("tail", [0.005, 0.025, 0.1])
def test_the_tail_by_enumeration(n, tail):
    sums = np.array([np.dot(bits, np.arange(1, n + 1)) for bits in product([0, 1], repeat=n)])
    c = smaller_tail(n, tail)
    assert np.mean(sums < c) <= tail < np.mean(sums < c + 1)


def test_the_normal_tail_joins_the_exact_one():
    exact = smaller_tail(50, 0.025)
    assert exact == 435  # P(T < 435) <= 0.025 < P(T < 436), n = 50
    assert abs(smaller_tail(51, 0.025) - exact) < 20


def test_shift_and_scale():
    rng = np.random.default_rng(4)
    a, b = rng.random(15), rng.random(15)
    found, moved = signed_rank(a, b), signed_rank(3 * a + 1, 3 * b)
    assert moved.estimate == pytest.approx(3 * found.estimate + 1, rel=1e-12)
    np.testing.assert_allclose(moved.interval, 3 * np.array(found.interval) + 1, rtol=1e-12)
    other = signed_rank(b, a)
    assert other.p_value == found.p_value
    assert other.estimate == pytest.approx(-found.estimate, rel=1e-12)


def test_the_interval_excludes_zero_exactly_when_the_test_rejects():
    rng = np.random.default_rng(2)
    verdicts = set()
    for shift in np.linspace(0, 1.5, 60):
        found = signed_rank(rng.standard_normal(12) + shift, np.zeros(12))
        outside = not found.interval[0] <= 0 <= found.interval[1]
        assert outside == (found.p_value <= 0.05)
        verdicts.add(outside)
    assert verdicts == {True, False}


def test_averages_of_pairs():
    np.testing.assert_allclose(walsh_averages(np.array([1.0, 4.0, 2.0])), [1, 1.5, 2, 2.5, 3, 4], rtol=1e-15)


def test_zeros_and_ties_are_noted():
    found = signed_rank([1, 2, 3, 4, 5, 6, 7], [1, 1, 2, 2, 3, 9, 1])
    assert any("zero" in note for note in found.notes)
    assert any("shared" in note for note in found.notes)
    same = signed_rank([1.0] * 8, [1.0] * 8)
    assert (same.p_value, same.estimate, same.interval) == (1.0, 0.0, (0.0, 0.0))


def test_too_few_and_too_many():
    found = signed_rank([1, 2, 3, 4, 5.5], [0, 0, 0, 0, 0])
    assert found.interval is None
    assert any("too few for a 95 % interval" in note for note in found.notes)
    assert signed_rank([1, 2, 3, 4, 5.5], [0] * 5, confidence=0.9).interval == (1.0, 5.5)
    with pytest.raises(InvalidInput, match="at most 2000; got 2001"):
        signed_rank(np.arange(2001.0), np.zeros(2001))


def test_bad_signed_rank():
    with pytest.raises(InvalidInput, match="a has 2, b has 1"):
        signed_rank([1, 2], [1])
    with pytest.raises(InvalidInput, match="b must be finite"):
        signed_rank([1, 2], [1, np.nan])
    with pytest.raises(InvalidParameter, match="zeros must be one of"):
        signed_rank([1, 2], [1, 3], zeros="drop")
