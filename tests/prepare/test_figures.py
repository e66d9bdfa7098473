"""Bins, boxes, correlations and gaps: laws, brute force and tables that are hard to draw."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_iris

from suffice import prepare
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.prepare import box_statistics, correlation_table, equal_bins, missing_cells

anything = arrays(float, st.integers(1, 40), elements=st.floats(allow_nan=True, allow_infinity=True))
whole = arrays(float, st.integers(1, 40), elements=st.integers(-50, 50).map(float))


# -- bins ----------------------------------------------------------------------------------------------
@given(anything, st.integers(1, 30))
def test_counts_sum_to_the_finite_values_whatever_their_size(values, bins):
    kept = values[np.isfinite(values)]
    if not len(kept):
        with pytest.raises(InvalidInput, match="is a finite number"):
            equal_bins(values, bins)
        return
    found = equal_bins(values, bins)
    assert found.counts.sum() == len(kept)
    assert found.missing == np.isnan(values).sum()
    assert found.infinite == np.isinf(values).sum()
    assert len(found.edges) == len(found.counts) + 1 == bins + 1
    assert np.isfinite(found.edges).all()
    assert np.all(np.diff(found.edges) >= 0)


def test_bins_are_equally_wide_from_the_smallest_to_the_largest_and_count_as_by_hand():
    values = np.random.default_rng(0).gamma(2.0, 3.0, 500)
    found = equal_bins(values, 7)
    np.testing.assert_allclose(np.diff(found.edges), np.ptp(values) / 7, rtol=1e-12)
    np.testing.assert_allclose(found.edges[[0, -1]], [values.min(), values.max()], rtol=1e-15)
    inside = [
        np.sum((values >= a) & (values < b)) for a, b in zip(found.edges[:-1], found.edges[1:], strict=True)
    ]
    inside[-1] += 1  # the largest value closes the last bin
    assert found.counts.tolist() == inside
    assert equal_bins(values).counts.size == 16
    assert found.frame("polars")["count"].sum() == 500


@pytest.mark.parametrize("value", [0.0, -3.5, 1e308, 5e-324, 1e16])
def test_a_constant_column_has_bins_around_it(value):
    found = equal_bins([value] * 5, 4)
    assert sorted(found.counts) == [0, 0, 0, 5]
    assert found.edges[0] <= value <= found.edges[-1]


@pytest.mark.parametrize("bins", [0, -1, 2.5, "many", True, None])
def test_bins_must_be_a_positive_integer(bins):
    with pytest.raises(InvalidParameter, match="bins must be a positive integer"):
        equal_bins([1, 2], bins)


# -- boxes ---------------------------------------------------------------------------------------------
def percentile(sorted_values, p):
    """Eq. 4.5 as it is printed."""
    n = len(sorted_values)
    z = min(max(n * p + 0.5, 1), n)
    k = min(int(np.floor(z)), n - 1) if n > 1 else 1
    here, there = sorted_values[k - 1], sorted_values[min(k, n - 1)]
    return here + (z - k) * (there - here)


@given(whole)
def test_quartiles_and_fences_are_those_of_the_equations(values):
    v = np.sort(values)
    l25, l50, l75 = (percentile(v, p) for p in (0.25, 0.5, 0.75))
    box = box_statistics(values)
    np.testing.assert_allclose([box.lower, box.median, box.upper], [l25, l50, l75], atol=1e-12)
    np.testing.assert_allclose(box.high, min(l75 + 1.5 * (l75 - l25), v[-1]), atol=1e-12)
    np.testing.assert_allclose(box.low, max(l25 - 1.5 * (l75 - l25), v[0]), atol=1e-12)
    np.testing.assert_array_equal(box.outliers, v[(v < box.low - 1e-9) | (v > box.high + 1e-9)])


@given(anything)
def test_a_box_is_ordered_and_finite_for_any_numbers(values):
    if not np.isfinite(values).any():
        return
    box = box_statistics(values)
    told = np.array([box.low, box.lower, box.median, box.upper, box.high])
    assert np.isfinite(told).all()
    assert box.lower <= box.median <= box.upper
    assert box.missing == np.isnan(values).sum()
    assert box.rows + box.missing + box.infinite == len(values)


def test_a_whisker_ends_at_the_fence_and_not_at_the_last_value_inside():
    iris = load_iris(as_frame=True).data
    box = box_statistics(iris["sepal width (cm)"])
    np.testing.assert_allclose([box.low, box.high], [2.05, 4.05], atol=1e-12)
    assert box.outliers.tolist() == [2.0, 4.1, 4.2, 4.4]


def test_deciles_are_the_other_whiskers():
    values = np.arange(1.0, 101.0)
    box = box_statistics(values, "deciles")
    np.testing.assert_allclose(
        [box.low, box.high], np.quantile(values, [0.1, 0.9], method="hazen"), rtol=1e-14
    )
    assert len(box.outliers) == 20
    with pytest.raises(InvalidParameter, match="whiskers must be one of 'fences', 'deciles'"):
        box_statistics(values, "range")
    assert box.frame()["outliers"].tolist() == [20]


def test_boxes_do_not_change_under_shuffling_but_correlations_do():
    """Q7.1: alike boxes say nothing about correlation."""
    rng = np.random.default_rng(3)
    a = rng.normal(size=400)
    b = a + 0.1 * rng.normal(size=400)
    shuffled = rng.permutation(b)
    assert box_statistics(b) == box_statistics(shuffled)
    assert correlation_table({"a": a, "b": b}).values[0, 1] > 0.98
    assert abs(correlation_table({"a": a, "b": shuffled}).values[0, 1]) < 4 / np.sqrt(400)


# -- correlations --------------------------------------------------------------------------------------
def test_correlations_are_those_of_pandas_pair_by_pair():
    rng = np.random.default_rng(1)
    table = pd.DataFrame(rng.normal(size=(60, 4)) @ rng.normal(size=(4, 4)), columns=list("abcd"))
    table = table.mask(rng.random(table.shape) < 0.2)
    table["word"] = "x"
    found = correlation_table(table)
    assert found.names == tuple("abcd")
    np.testing.assert_allclose(found.values, table[list("abcd")].corr(), rtol=1e-10)
    both = table["a"].notna() & table["c"].notna()
    assert found.rows[0, 2] == both.sum()
    assert len(found.frame()) == 6


def test_correlations_of_huge_tiny_constant_and_empty_columns():
    x = np.arange(6.0)
    table = {
        "x": x,
        "huge": 1e308 * (x / 6),
        "tiny": -1e-300 * x,
        "same": np.full(6, 0.1),
        "none": [np.nan] * 6,
    }
    found = correlation_table(table)
    np.testing.assert_allclose(found.values[0, :3], [1, 1, -1], rtol=1e-12)
    assert np.isnan(found.values[3:]).all()
    assert np.isnan(correlation_table({"same": np.full(7, 0.1), "x": np.arange(7.0)}).values[0]).all()
    with pytest.raises(InvalidInput, match="no column of numbers"):
        correlation_table({"word": ["a", "b"]})


# -- gaps ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame])
def test_gaps_are_found_in_every_kind_of_table(kind):
    found = missing_cells(kind({"a": [1.0, None, 3.0], "b": ["x", None, ""], "c": [1, 2, 3]}))
    assert found.cells.tolist() == [[False, False, False], [True, True, False], [False, False, False]]
    assert found.frame()["missing"].tolist() == [1, 1, 0]
    with pytest.raises(InvalidInput, match="no cells"):
        missing_cells(kind({"a": []}))


@pytest.mark.parametrize(
    ("values", "words"),
    [([[1, 2]], "one column of numbers"), (["a"], "must be numbers"), ([], "None of the 0 values"),
     ([np.nan, np.inf], "None of the 2 values")],
)  # fmt: skip
def test_what_is_no_column_of_numbers_is_refused(values, words):
    for summary in (equal_bins, box_statistics):
        with pytest.raises(InvalidInput, match=words):
            summary(values)


def test_records_compare_by_content_and_are_public():
    assert equal_bins([1, 2, 3]) == equal_bins([3, 2, 1])
    for name in ("Bins", "BoxStatistics", "CorrelationTable", "MissingCells"):
        assert name in prepare.__all__
