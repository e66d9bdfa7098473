"""Distances against their definitions, written out pair by pair."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist

from suffice._core.errors import InvalidInput, InvalidParameter, NotPositiveDefinite, Unsupported
from suffice.similarity import (
    _euclid,
    blocks,
    check_metric,
    check_norm,
    correlation,
    cosine,
    frobenius,
    mahalanobis,
    minkowski,
    norm,
    norms,
)

POWERS = [0, 0.3, 0.5, 1, 1.5, 2, 2.5, 3, 7, 40, math.inf]


def by_hand(x, y, p: float) -> float:
    gaps = [abs(a - b) for a, b in zip(x, y, strict=True)]
    if p == 0:
        return sum(g != 0 for g in gaps)
    if p == math.inf:
        return max(gaps)
    if p < 1:
        return math.fsum(g**p for g in gaps)
    unit = max(gaps) or 1.0
    return unit * math.fsum((g / unit) ** p for g in gaps) ** (1 / p)


def all_by_hand(x, y, p: float) -> np.ndarray:
    return np.array([[by_hand(a, b, p) for b in y] for a in x])


@pytest.fixture(scope="module")
def tables():
    rng = np.random.default_rng(3)
    x, y = rng.standard_normal((23, 6)), rng.standard_normal((17, 6))
    y[4], y[5] = x[2], x[2] + 1e-9
    return x, y


@pytest.mark.parametrize("p", POWERS)
def test_all_pairs_are_the_definition(tables, p):
    x, y = tables
    np.testing.assert_allclose(minkowski(x, y, p=p), all_by_hand(x, y, p), rtol=1e-12)
    np.testing.assert_allclose(minkowski(x[0], y[1], p=p), by_hand(x[0], y[1], p), rtol=1e-12)
    np.testing.assert_allclose(minkowski(x[0], y, p=p), all_by_hand(x[:1], y, p)[0], rtol=1e-12)
    np.testing.assert_allclose(minkowski(x, y[0], p=p), all_by_hand(x, y[:1], p)[:, 0], rtol=1e-12)


@pytest.mark.parametrize("p", POWERS)
def test_a_table_with_itself_is_symmetric_with_a_zero_diagonal(tables, p):
    x = np.vstack([*tables, np.full((1, 6), 1e6)])
    d = minkowski(x, p=p)
    assert np.array_equal(d, d.T)
    assert np.all(np.diagonal(d) == 0)
    np.testing.assert_allclose(d, minkowski(x, x, p=p), rtol=1e-12)


def test_symmetry_holds_where_matrix_products_are_not_symmetric_to_the_last_bit():
    x = np.random.default_rng(0).standard_normal((450, 50))
    for d in (minkowski(x), mahalanobis(x), cosine(x), correlation(x)):
        assert np.array_equal(d, d.T)


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_near_and_equal_rows_keep_their_digits(offset):
    rng = np.random.default_rng(8)
    x = rng.standard_normal((300, 20)) + offset
    y = x + rng.choice([0.0, 1e-6, 1.0], size=(300, 1)) * rng.standard_normal((300, 20))
    ours, peer = minkowski(x, y), cdist(x, y)
    np.testing.assert_allclose(ours, peer, rtol=1e-12, atol=0)
    assert np.array_equal(ours == 0, peer == 0)
    assert (ours == 0).sum() > 50


@pytest.mark.slow
def test_tight_clusters_and_the_compiled_loops_keep_their_digits_too(monkeypatch):
    rng = np.random.default_rng(8)
    centers = 1e4 * rng.standard_normal((3, 12))
    x = centers[rng.integers(0, 3, 90)] + rng.standard_normal((90, 12))
    x[1], x[2] = x[0], np.nextafter(x[0], 2e4)
    expected = cdist(x, x)
    np.testing.assert_allclose(minkowski(x, x), expected, rtol=1e-13)
    monkeypatch.setattr(_euclid, "MANY", 0)
    np.testing.assert_allclose(minkowski(x, x), expected, rtol=1e-13)
    np.testing.assert_allclose(minkowski([[1e200, 1.0], [1e200, 4.0]]), [[0, 3], [3, 0]], rtol=1e-15)


@pytest.mark.parametrize("p", [2, 3, 1.5, 7])
@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1e-110, 1e110, 1e170, 1e300])
def test_huge_and_tiny_numbers(tables, p, scale):
    x, y = tables
    expected = minkowski(x[:, :3], y[:, :3], p=p) * scale
    far = minkowski(x[:, :3] * scale, y[:, :3] * scale, p=p)
    np.testing.assert_allclose(far, expected, rtol=1e-6, atol=1e-9 * scale)
    mixed = minkowski([[1e200, 1.0], [1e200, 4.0]], p=p)
    np.testing.assert_allclose(mixed, [[0, 3], [3, 0]], rtol=1e-12)


def test_what_no_number_can_hold_is_infinite():
    assert minkowski([1e308, 0], [-1e308, 0], p=1) == math.inf


@pytest.mark.parametrize("p", [1, 2])
def test_sparse_tables_are_the_written_out_ones(p):
    rng = np.random.default_rng(4)
    x, y = (sparse.random_array((n, 40), density=0.15, rng=rng, format="csr") for n in (31, 19))
    x = sparse.vstack([x, y[:2], sparse.csr_array((1, 40))]).tocsc()
    expected = minkowski(x.toarray(), y.toarray(), p=p)
    np.testing.assert_allclose(minkowski(x, y, p=p), expected, rtol=1e-12)
    np.testing.assert_allclose(minkowski(x, y.toarray(), p=p), expected, rtol=1e-12)
    d = minkowski(x, p=p)
    assert np.array_equal(d, d.T)
    assert np.all(np.diagonal(d) == 0)
    assert d[31, 32] > 0
    assert np.all(minkowski(x[[31, 32]], y[[0, 1]], p=p).diagonal() == 0)


def test_wide_sparse_tables_are_written_out_in_pieces(monkeypatch):
    rng = np.random.default_rng(4)
    x = sparse.random_array((31, 40), density=0.15, rng=rng, format="csr")
    monkeypatch.setattr(norms, "WRITTEN", 40 * 7)
    np.testing.assert_allclose(
        minkowski(x, x[:20], p=1), minkowski(x.toarray(), x[:20].toarray(), p=1), rtol=1e-14
    )


def test_sparse_tables_have_their_limits():
    with pytest.raises(Unsupported, match=r"p must be 1 or 2 for sparse tables; got 3.*toarray"):
        minkowski(sparse.eye_array(3), p=3)
    with pytest.raises(Unsupported, match=r"mahalanobis needs tables that are written out"):
        mahalanobis(sparse.eye_array(3))


def test_blocks_make_up_the_table(tables):
    x, y = tables
    for measure, options in ((minkowski, {"p": 1}), (minkowski, {}), (mahalanobis, {})):
        found = list(blocks(measure, x, y, rows=5, **options))
        assert [w.start for w, _ in found] == [0, 5, 10, 15, 20]
        whole = np.vstack([b for _, b in found])
        np.testing.assert_allclose(whole, measure(x, y, **options), rtol=1e-12, atol=1e-15)
    alone = np.vstack([b for _, b in blocks(mahalanobis, x, rows=7)])
    np.testing.assert_allclose(alone, mahalanobis(x), rtol=1e-9, atol=1e-15)
    with pytest.raises(InvalidParameter, match=r"rows must be a whole number >= 1; got 0"):
        blocks(minkowski, x, rows=0)
    with pytest.raises(InvalidParameter, match=r"measure must be one of .*jaccard.*; got"):
        blocks(frobenius, x)


# -- norms -------------------------------------------------------------------------------------------------
vectors = st.lists(st.floats(-100, 100).map(lambda v: round(v, 3)), min_size=3, max_size=3)


@settings(max_examples=40, deadline=None)
@given(st.lists(vectors, min_size=2, max_size=6), st.sampled_from(POWERS))
def test_every_power_is_a_metric(points, p):
    assert check_metric(lambda a, b: minkowski(a, b, p=p), points).holds


@settings(max_examples=40, deadline=None)
@given(st.lists(vectors, min_size=1, max_size=4), st.sampled_from([1, 1.5, 2, 3, math.inf]))
def test_powers_from_one_on_are_norms_and_fall_with_p(points, p):
    assert check_norm(lambda a: norm(a, p=p), points).holds
    falling = np.array([norm(points, p=q) for q in (1, 1.5, 2, 3, math.inf)])
    assert np.all(np.diff(falling, axis=0) <= 1e-12 * falling[0])


def test_counts_and_roots_below_one_are_no_norms():
    points = [[1.0, 0.0], [0.0, 1.0], [2.0, 3.0]]
    count = check_norm(lambda a: norm(a, p=0), points)
    assert not count["homogeneity"]
    assert count["positivity"]
    assert count["triangle inequality"]
    rooted = check_norm(lambda a: norm(a, p=0.5) ** 2, points)
    assert not rooted["triangle inequality"]
    assert rooted["homogeneity"]


@pytest.mark.parametrize("p", POWERS)
def test_a_norm_is_the_distance_from_the_origin(tables, p):
    x, _ = tables
    np.testing.assert_allclose(norm(x, p=p), minkowski(x, np.zeros(6), p=p), rtol=1e-12)
    np.testing.assert_allclose(norm(sparse.csr_array(x), p=p), norm(x, p=p), rtol=1e-12)


def test_frobenius_is_the_root_of_the_trace(tables):
    x, _ = tables
    y = x[::-1]
    np.testing.assert_allclose(frobenius(x), np.sqrt(np.trace(x.T @ x)), rtol=1e-14)
    np.testing.assert_allclose(frobenius(x, y), np.sqrt(((x - y) ** 2).sum()), rtol=1e-14)
    np.testing.assert_allclose(frobenius(sparse.csr_array(x), y), frobenius(x, y), rtol=1e-14)
    assert frobenius([[3e200, 4e200]]) == pytest.approx(5e200, rel=1e-14)
    with pytest.raises(InvalidInput, match=r"same shape; got \(23, 6\) and \(5, 6\)"):
        frobenius(x, x[:5])


# -- Mahalanobis ---------------------------------------------------------------------------------------------
def test_mahalanobis_is_the_definition(tables):
    x, y = tables
    cov = np.cov(np.vstack([x, y]), rowvar=False)
    expected = cdist(x, y, "mahalanobis", VI=np.linalg.pinv(cov))
    np.testing.assert_allclose(mahalanobis(x, y), expected, rtol=1e-7, atol=1e-15)
    np.testing.assert_allclose(mahalanobis(x, y, cov), expected, rtol=1e-7, atol=1e-15)
    assert mahalanobis(x, y)[2, 4] == 0
    np.testing.assert_allclose(mahalanobis(x, y, np.eye(6)), minkowski(x, y), rtol=1e-12)
    alone = mahalanobis(x)
    assert np.array_equal(alone, alone.T)
    np.testing.assert_allclose(alone, cdist(x, x, "mahalanobis", VI=np.linalg.pinv(np.cov(x.T))), rtol=1e-9)


def test_mahalanobis_is_euclid_after_whitening_and_blind_to_invertible_maps(tables):
    x, y = tables
    cov = np.cov(x, rowvar=False)
    values, vectors = np.linalg.eigh(cov)
    white = vectors / np.sqrt(values)
    np.testing.assert_allclose(mahalanobis(x, y, cov), minkowski(x @ white, y @ white), rtol=1e-7, atol=1e-14)
    rng = np.random.default_rng(1)
    turn, shift = rng.standard_normal((6, 6)) * np.logspace(-6, 6, 6), rng.standard_normal(6)
    np.testing.assert_allclose(mahalanobis(x @ turn + shift), mahalanobis(x), rtol=1e-6)


def test_singular_covariances_name_what_does_not_vary():
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((2, 30))
    frame = pd.DataFrame({"a": a, "b": b, "sum": a + 2 * b, "other": rng.standard_normal(30)})
    with pytest.raises(NotPositiveDefinite, match=r"\+1·'a' \+2·'b' -1·'sum' does not vary"):
        mahalanobis(frame)
    with pytest.raises(NotPositiveDefinite, match=r"column 'b' does not vary"):
        mahalanobis(frame.assign(b=1.0))
    with pytest.raises(NotPositiveDefinite, match=r"column 1 does not vary"):
        mahalanobis([1, 2], [3, 4], [[1, 0], [0, 0]])
    with pytest.raises(NotPositiveDefinite, match=r"cov is no covariance: it is indefinite"):
        mahalanobis([1, 2], [3, 4], [[1, 2], [2, 1]])
    with pytest.raises(InvalidInput, match=r"2 rows do not have a covariance.*give cov"):
        mahalanobis([1, 2], [3, 4])
    with pytest.raises(InvalidInput, match=r"cov must be 2 × 2.*got \(3, 3\)"):
        mahalanobis([1, 2], [3, 4], np.eye(3))
    with pytest.raises(NotPositiveDefinite, match=r"cov must be symmetric"):
        mahalanobis([1, 2], [3, 4], [[1, 0.5], [0, 1]])


# -- the door ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("measure", [minkowski, mahalanobis, norm, frobenius])
def test_what_is_not_finite_is_named(bad, measure):
    with pytest.raises(InvalidInput, match=rf"x holds {bad:g} in row 1, column 2"):
        measure([[1.0, 2.0, 3.0], [4.0, 5.0, bad]])
    with pytest.raises(InvalidInput, match=rf"x holds {bad:g} in row 1, column 'b'"):
        measure(pd.DataFrame({"a": [1.0, 2.0], "b": [0.0, bad]}))
    with pytest.raises(InvalidInput, match=rf"x holds {bad:g} in row 2, column 1"):
        measure(sparse.csr_array(([1.0, bad], ([0, 2], [0, 1])), shape=(3, 2)))


def test_shapes_and_kinds_are_checked():
    with pytest.raises(InvalidInput, match=r"same number of columns; got 2 and 3"):
        minkowski([1, 2], [1, 2, 3])
    with pytest.raises(InvalidInput, match=r"x is one vector, which makes no pair"):
        minkowski([1, 2])
    with pytest.raises(InvalidInput, match=r"at least one column; got shape \(1, 0\)"):
        minkowski([], [])
    with pytest.raises(InvalidInput, match=r"vector or a table.*got shape \(2, 2, 2\)"):
        minkowski(np.zeros((2, 2, 2)))
    with pytest.raises(InvalidInput, match=r"rows of the same length"):
        minkowski([[1, 2], [3]])
    with pytest.raises(Unsupported, match=r"x must be made of numbers"):
        minkowski(["a", "b"], ["a", "c"])
    with pytest.raises(Unsupported, match=r"x must be made of numbers; got 'u' in row 0, column 'b'"):
        minkowski(pd.DataFrame({"a": [1, 2], "b": ["u", "v"]}))
    assert minkowski(np.zeros((0, 3)), np.zeros((4, 3))).shape == (0, 4)
    assert minkowski(np.zeros((4, 3)), np.zeros((0, 3)), p=1).shape == (4, 0)
    assert minkowski([[1, 2]]).tolist() == [[0.0]]


@pytest.mark.parametrize("p", [-1, math.nan, "2", True, None])
def test_powers_are_checked(p):
    with pytest.raises(InvalidParameter, match=r"p must be a number >= 0, or infinity; got"):
        minkowski([1], [2], p=p)
