"""Mean losses and their differences over rows: formulas, scales, weights, and what cannot be judged."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation.comparisons import error_interval, mean_difference, paired_t, z_test

RNG = np.random.default_rng(3)
A, B = RNG.gamma(2.0, size=40), RNG.gamma(2.2, size=40)


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1.0, 1e150, 1e300])
def test_the_scale_does_not_matter(scale):
    plain, scaled = paired_t(A, B), paired_t(A * scale, B * scale)
    assert scaled.p_value == pytest.approx(plain.p_value, rel=1e-10)
    np.testing.assert_allclose(np.array(scaled.interval) / scale, plain.interval, rtol=1e-10, atol=0)
    np.testing.assert_allclose(
        np.array(error_interval(A * scale).interval) / scale, error_interval(A).interval, rtol=1e-10, atol=0
    )


def test_a_large_offset_keeps_the_digits():
    far = error_interval(A + 1e8)
    np.testing.assert_allclose(np.array(far.interval) - 1e8, error_interval(A).interval, rtol=1e-6, atol=0)


def test_swapping_the_models_turns_the_sign():
    one, other = paired_t(A, B), paired_t(B, A)
    assert one.estimate == -other.estimate
    assert one.p_value == other.p_value
    np.testing.assert_allclose(one.interval, -np.array(other.interval)[::-1], rtol=1e-13)


def test_p_and_interval_agree_about_zero():
    """The interval at level 1 − p ends at zero."""
    found = paired_t(A, B)
    low, high = paired_t(A, B, confidence=1 - found.p_value).interval
    assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-9)


def test_the_normal_interval_for_many_rows():
    z = np.random.default_rng(0).standard_normal(200_000)
    half = stats.norm.ppf(0.975) * z.std(ddof=1) / np.sqrt(len(z))
    np.testing.assert_allclose(error_interval(z).interval, [z.mean() - half, z.mean() + half], rtol=1e-3)


def test_weights_are_counts():
    weight = RNG.integers(0, 4, size=40)
    twice = paired_t(A, B, sample_weight=weight)
    assert twice.n == weight.sum()
    repeated = paired_t(np.repeat(A, weight), np.repeat(B, weight))
    np.testing.assert_allclose(twice.interval, repeated.interval, rtol=1e-12)
    assert twice.p_value == pytest.approx(repeated.p_value, rel=1e-11)
    single = error_interval(A, sample_weight=weight)
    np.testing.assert_allclose(single.interval, error_interval(np.repeat(A, weight)).interval, rtol=1e-12)


def test_rows_of_weight_zero_do_not_count():
    weight = np.array([1, 1, 1, 0])
    assert error_interval([1.0, 2.0, 4.0, 1e300], sample_weight=weight).interval == pytest.approx(
        error_interval([1.0, 2.0, 4.0]).interval, rel=1e-12
    )


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series, lambda v: np.array(v)[:, None]])
def test_columns_of_any_kind(kind):
    assert paired_t(kind(A.tolist()), kind(B.tolist())) == paired_t(A, B)
    assert mean_difference(kind((A - B).tolist())) == paired_t(A, B)


def test_few_rows_are_noted():
    assert any("29 rows are few" in note for note in error_interval(A[:29]).notes)
    assert error_interval(A[:30]).notes == ()


def test_equal_losses_have_no_interval():
    found = error_interval([0.3] * 50)
    assert found.estimate == pytest.approx(0.3, rel=1e-14)
    assert found.interval is None
    assert any("equal" in note for note in found.notes)
    assert "interval" not in found.sentence


def test_the_same_model_twice():
    found = paired_t(A, A)
    assert (found.estimate, found.interval, found.p_value) == (0.0, (0.0, 0.0), 1.0)
    assert any("no difference at all" in note for note in found.notes)
    assert "is the same" in found.sentence


def test_a_constant_difference_is_no_evidence():
    for shift in (0.1, 0.5):
        found = paired_t(A + shift, A)
        assert found.estimate == pytest.approx(shift, rel=1e-9)
        assert found.interval is None
        assert found.p_value is None
        assert any("without spread" in note for note in found.notes)


def test_one_row():
    found = paired_t([1.0], [2.0])
    assert (found.estimate, found.interval, found.p_value, found.n) == (-1.0, None, None, 1)
    assert any("single value" in note for note in found.notes)
    assert (
        found.sentence
        == "The mean loss of A is lower than that of B by 1, so A is ahead (n = 1 row), given this training set."
    )


def test_sentences():
    assert paired_t([1.0, 2, 3], [2.0, 4, 3], names=("tree", "line"), loss="absolute").sentence == (
        "The mean absolute loss of tree is lower than that of line by 1, so tree is ahead, 95 % interval [-1.48, 3.48] "
        "(n = 3 rows), paired t p = 0.23, given this training set."
    )


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        ([1.0, np.nan], "losses must be finite; it has NaN at row 1"),
        ([np.inf, 1.0], "inf at row 0"),
        ([], "losses is empty"),
        (["a", "b"], "made of numbers; it holds 'a'"),
        (np.ones((2, 3)), "one dimension"),
        ([None, 1.0], "NaN at row 0"),
        (1.0, "a column"),
    ],
)
def test_bad_losses(losses, message):
    with pytest.raises(InvalidInput, match=message):
        error_interval(losses)


def test_bad_pairs():
    with pytest.raises(InvalidInput, match="losses_a has 2, losses_b has 3"):
        paired_t([1, 2], [1, 2, 3])
    with pytest.raises(InvalidInput, match="losses_b must be finite"):
        paired_t([1, 2], [1, np.nan])


# -- known variance -------------------------------------------------------------------------------
def test_z_is_the_limit_of_t():
    z = z_test(0.2, 1.0, 10**6)
    values = np.array([0.2 - 1.0, 0.2 + 1.0])
    t = mean_difference(values, sample_weight=[500_000, 500_000])
    np.testing.assert_allclose(t.interval, z.interval, rtol=1e-5)


def test_z_of_another_null():
    assert z_test(5.2, 1.0, 100, null=5.0).p_value == pytest.approx(z_test(0.2, 1.0, 100).p_value, rel=1e-9)
    assert z_test(0.0, 4.0, 9).p_value == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((np.nan, 1, 5), "mean"), ((0, 0, 5), "variance must be a number > 0"), ((0, -1, 5), "variance"),
     ((0, 1, 0), "n must be a whole number >= 1"), ((0, 1, 2.5), "n must"), (("a", 1, 2), "mean")],
)  # fmt: skip
def test_bad_z(arguments, message):
    with pytest.raises(InvalidParameter, match=message):
        z_test(*arguments)
