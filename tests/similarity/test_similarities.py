"""Similarities against their definitions and the laws of the text; the compiled loops against their twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from suffice._core.compiling import loops
from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.similarity import (
    _blocks,
    _euclid,
    _twins,
    binary_counts,
    blocks,
    check_metric,
    correlation,
    cosine,
    extended_jaccard,
    jaccard,
    mahalanobis,
    minkowski,
    similarity_from_distance,
    simple_matching,
    simple_matching_from_cityblock,
)

bits = st.lists(st.integers(0, 1), min_size=6, max_size=6)
reals = st.lists(st.floats(-50, 50).map(lambda v: round(v, 2)), min_size=4, max_size=4)
MEASURES = [simple_matching, jaccard, cosine, extended_jaccard, correlation]


def counted(x, y) -> tuple[int, int, int, int]:
    pairs = list(zip(x, y, strict=True))
    return tuple(pairs.count(cell) for cell in ((1, 1), (1, 0), (0, 1), (0, 0)))


# -- zeros and ones ------------------------------------------------------------------------------------------
@settings(max_examples=60, deadline=None)
@given(bits, bits)
def test_laws_of_zeros_and_ones(x, y):
    f11, f10, f01, f00 = counted(x, y)
    found = binary_counts(x, y)
    assert (found.f11, found.f10, found.f01, found.f00) == (f11, f10, f01, f00)
    assert found.total == 6 == sum(counted(x, y))
    assert minkowski(x, y, p=1) == f10 + f01 == minkowski(x, y, p=0)
    assert simple_matching(x, y) == pytest.approx((f11 + f00) / 6, rel=1e-15)
    assert simple_matching(x, y) == pytest.approx(simple_matching_from_cityblock(f10 + f01, 6), rel=1e-15)
    flipped = [1 - v for v in x], [1 - v for v in y]
    assert simple_matching(*flipped) == simple_matching(x, y)
    either = f11 + f10 + f01
    assert jaccard(x, y) == (f11 / either if either else 1.0)
    assert extended_jaccard(x, y) == pytest.approx(jaccard(x, y), rel=1e-14)
    if any(x) and any(y):
        assert cosine(x, y) == pytest.approx(f11 / math.sqrt(sum(x) * sum(y)), rel=1e-14)


@settings(max_examples=30, deadline=None)
@given(st.lists(bits, min_size=2, max_size=6))
def test_one_minus_jaccard_and_one_minus_matching_are_metrics(points):
    assert check_metric(lambda a, b: 1 - jaccard(a, b), points).holds
    assert check_metric(lambda a, b: 1 - simple_matching(a, b), points).holds


def test_jaccard_changes_with_scale_and_flips_where_cosine_and_matching_do_not():
    x, y = [1, 1, 0, 0], [1, 0, 0, 0]
    assert jaccard([1 - v for v in x], [1 - v for v in y]) != jaccard(x, y)
    doubled = [2 * v for v in x]
    assert cosine(doubled, y) == cosine(x, y)
    assert extended_jaccard(doubled, y) != extended_jaccard(x, y)


def test_counts_of_tables():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 2, (7, 9)), rng.integers(0, 2, (5, 9))
    found = binary_counts(x, y)
    cells = np.array([[counted(a, b) for b in y] for a in x])
    for k, counts in enumerate((found.f11, found.f10, found.f01, found.f00)):
        assert np.array_equal(counts, cells[:, :, k])
    assert np.array_equal(binary_counts(sparse.csr_array(x)).f11, x @ x.T)
    assert np.array_equal(binary_counts(x > 0, y > 0).f10, found.f10)


@pytest.mark.parametrize("measure", [simple_matching, jaccard, binary_counts])
def test_other_numbers_than_zero_and_one_are_refused(measure):
    with pytest.raises(InvalidInput, match=r"x holds 2 in row 1, column 0; .*zeros and ones"):
        measure([[0, 1], [2, 1]])
    with pytest.raises(InvalidInput, match=r"y holds nan in row 0, column 1"):
        measure([0, 1], [1, np.nan])


# -- numbers ---------------------------------------------------------------------------------------------------
@settings(max_examples=60, deadline=None)
@given(reals, reals, st.floats(0.01, 100), st.floats(-10, 10))
def test_laws_of_numbers(x, y, scale, shift):
    x, y = np.array(x), np.array(y)
    if x.any() and y.any():
        s = cosine(x, y)
        assert -1 <= s <= 1
        assert cosine(scale * x, y) == pytest.approx(s, abs=1e-12)
        assert s == pytest.approx(x @ y / np.sqrt((x @ x) * (y @ y)), abs=1e-12)
        dot = x @ y
        assert extended_jaccard(x, y) == pytest.approx(dot / (x @ x + y @ y - dot), abs=1e-12)
    if np.ptp(x) > 0.1 and np.ptp(y) > 0.1:
        r = correlation(x, y)
        assert r == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-10)
        assert correlation(x, -scale * x + shift) == pytest.approx(-1, abs=1e-10)
        assert correlation(x, scale * x + shift) == pytest.approx(1, abs=1e-10)


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200, 1e300])
def test_angles_at_any_scale(scale):
    x = np.array([[1.0, 2.0, 3.0], [3.0, -1.0, 2.0]])
    digits = 1e-3 if scale < 1e-300 else 1e-14  # so small numbers have few digits themselves
    np.testing.assert_allclose(correlation(x * scale, x), correlation(x), atol=digits)
    np.testing.assert_allclose(cosine(x * scale, x), cosine(x), atol=digits)
    np.testing.assert_allclose(cosine(sparse.csr_array(x) * scale, x), cosine(x), atol=digits)


def test_extended_jaccard_at_any_scale():
    x = np.array([[1.0, 2.0], [3.0, -1.0], [0.0, 0.0]])
    for scale in (1e-200, 1e200):
        np.testing.assert_allclose(extended_jaccard(x * scale), extended_jaccard(x), rtol=1e-14)


def test_what_has_no_direction_is_nan():
    assert math.isnan(cosine([0, 0], [1, 2]))
    assert math.isnan(correlation([0.1, 0.1, 0.1], [1, 2, 3]))
    assert math.isnan(correlation([5], [3]))
    found = cosine([[0, 0], [1, 0]], [[1, 1], [0, 0]])
    assert np.array_equal(np.isnan(found), [[True, True], [False, True]])
    assert np.array_equal(np.isnan(cosine(sparse.csr_array([[0, 0], [1, 0]]))), [[True, True], [True, False]])
    assert extended_jaccard([0, 0], [0, 0]) == 1
    assert extended_jaccard([0, 0], [1, 0]) == 0


@pytest.mark.parametrize("measure", MEASURES)
def test_tables_are_their_pairs(measure):
    rng = np.random.default_rng(6)
    x, y = rng.integers(0, 2, (19, 8)), rng.integers(0, 2, (11, 8))
    x[3], y[2] = y[4], 0
    whole = measure(x, y)
    one = np.array([[measure(a, b) for b in y] for a in x])
    np.testing.assert_allclose(whole, one, rtol=1e-14, atol=1e-15)
    alone = measure(x)
    assert np.array_equal(alone, alone.T, equal_nan=True)
    np.testing.assert_allclose(np.diagonal(alone), 1.0, rtol=1e-14)
    np.testing.assert_allclose(np.vstack([b for _, b in blocks(measure, x, y, rows=4)]), whole, rtol=1e-14)
    if measure is correlation:
        with pytest.raises(Unsupported, match=r"correlation centers its rows"):
            measure(sparse.csr_array(x))
    else:
        np.testing.assert_allclose(measure(sparse.csr_array(x), sparse.coo_array(y)), whole, rtol=1e-14)


def test_from_distances_to_similarities():
    d = np.array([0.0, 1.0, 9.0])
    assert np.array_equal(similarity_from_distance(d), -d)
    np.testing.assert_allclose(similarity_from_distance(d, a=3), 3 / (d + 3), rtol=1e-15)
    assert similarity_from_distance(0.0, a=1e-300) == 1.0
    assert similarity_from_distance(math.inf, a=2.0) == 0.0
    with pytest.raises(InvalidParameter, match=r"a must be a number > 0; got 0"):
        similarity_from_distance(d, a=0)
    with pytest.raises(InvalidInput, match=r"distance must not be negative; got -1"):
        similarity_from_distance([-1.0])
    with pytest.raises(InvalidParameter, match=r"distance must lie between 0 and n_columns = 15; got 16"):
        simple_matching_from_cityblock(16, 15)


# -- compiled and not ----------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("p", [0, 0.5, 1, 2, 3, math.inf])
def test_loops_and_twins_give_the_same_numbers(p, monkeypatch):
    rng = np.random.default_rng(9)
    x, y = rng.standard_normal((70, 9)).round(1), rng.standard_normal((600, 9)).round(1)
    plain = minkowski(x, y, p=p)
    monkeypatch.setattr(_euclid, "MANY", 0)
    assert loops(_euclid.LOOPS) is not None
    if p == 2:  # near pairs are added up in another order
        np.testing.assert_allclose(minkowski(x, y), plain, rtol=1e-15)
    else:
        assert np.array_equal(minkowski(x, y, p=p), plain)
    assert np.array_equal(minkowski(y, p=p), minkowski(y, p=p).T)


@pytest.mark.slow
def test_loops_and_twins_of_angles_and_sparse_rows(monkeypatch):
    rng = np.random.default_rng(9)
    x = rng.standard_normal((70, 9)) * (rng.random((70, 9)) < 0.4)
    thin = sparse.csr_array(x)
    plain = cosine(x + 1), correlation(x + 1), minkowski(thin, p=1), mahalanobis(x)
    monkeypatch.setattr(_euclid, "MANY", 0)
    for a, b in zip(
        (cosine(x + 1), correlation(x + 1), minkowski(thin, p=1), mahalanobis(x)), plain, strict=True
    ):
        assert np.array_equal(a, b)


def test_threads_do_not_change_numbers(monkeypatch):
    rng = np.random.default_rng(9)
    x = rng.standard_normal((301, 5))
    found = []
    for number in ("1", "3"):
        monkeypatch.setenv("SUFFICE_NUM_THREADS", number)
        found.append([minkowski(x, p=p) for p in (0.7, 1, 3)])
    assert np.array_equal(*found)


def test_threads_follow_the_limit_of_blas(monkeypatch):
    from threadpoolctl import threadpool_limits

    monkeypatch.setenv("SUFFICE_NUM_THREADS", "3")
    with threadpool_limits(1, user_api="blas"):
        assert _blocks.workers() == 1
    with threadpool_limits(2, user_api="blas"):
        assert _blocks.workers() == 3


def test_memory_is_bounded():
    """The answer of a table with itself is 18 MB; what is needed besides it is not of that order."""
    import tracemalloc

    x = np.random.default_rng(1).standard_normal((1500, 4))
    _twins.TILE, before = 512, _twins.TILE
    try:
        tracemalloc.start()
        for _, block in blocks(minkowski, x, rows=100, p=1):
            assert block.shape[1] == 1500
        assert tracemalloc.get_traced_memory()[1] < 9e6
    finally:
        tracemalloc.stop()
        _twins.TILE = before
