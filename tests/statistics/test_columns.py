"""Moments of columns: exact rational arithmetic as the oracle, the algebra of `+` and `−`, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

import suffice
from suffice._core.errors import HeaderMismatch, IllConditioned, InvalidInput, NumericalError
from suffice.statistics import Header, columns
from suffice.statistics.columns import ColumnMoments, gather_columns

pytestmark = pytest.mark.sampled(4)

rng = np.random.default_rng(3)
CELLS = st.one_of(st.just(np.nan), st.floats(-1e6, 1e6).map(lambda v: round(v, 3)))
TABLES = arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=CELLS)


def root(q: Fraction) -> float:
    """√q to about 30 digits, also where q has no floating-point neighbour."""
    scale = 10 ** (60 + 2 * max(0, len(str(q.denominator)) - len(str(q.numerator))))
    return float(Fraction(isqrt(q.numerator * scale**2 // q.denominator), scale))


def exact(X, weight=None) -> list[tuple[float, float, float]]:
    """n, mean and √scatter of each column in rational arithmetic, by the definition."""
    weight = np.ones(len(X)) if weight is None else weight
    out = []
    for x in X.T:
        cells = [(Fraction(float(w)), Fraction(float(v))) for w, v in zip(weight, x, strict=True) if v == v]
        n = sum((w for w, _ in cells), Fraction(0))
        if n == 0:
            out.append((0.0, 0.0, 0.0))
            continue
        mean = sum(w * v for w, v in cells) / n
        out.append((float(n), float(mean), root(sum(w * (v - mean) ** 2 for w, v in cells))))
    return out


def assert_exact(m: ColumnMoments, X, weight=None, rtol=1e-13) -> None:
    n, mean, norm = (np.array(v) for v in zip(*exact(X, weight), strict=True))
    np.testing.assert_allclose(m.n, n, rtol=1e-14)
    size = np.nanmax(np.abs(X), axis=0, initial=0.0)
    assert np.all(np.abs(m.mean - mean) <= 1e-15 * size + 1e-320)
    np.testing.assert_allclose(m.norm, norm, rtol=rtol, atol=0)


def close(a: ColumnMoments, b: ColumnMoments, size=1.0, rtol=1e-11) -> None:
    assert (a.header, a.rows) == (b.header, b.rows)
    assert a.weight == pytest.approx(b.weight, rel=1e-12)
    np.testing.assert_allclose(a.n, b.n, rtol=1e-12)
    np.testing.assert_allclose(a.mean, b.mean, rtol=rtol, atol=1e-13 * size)
    np.testing.assert_allclose(a.norm, b.norm, rtol=rtol, atol=1e-12 * size)


def with_gaps(X, share=0.2):
    return np.where(rng.random(X.shape) < share, np.nan, X)


# -- the numbers --------------------------------------------------------------------------------------
@pytest.mark.parametrize("shift", [0.0, 3.0, -1e10, 1e15])
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_against_rational_arithmetic(shift, gaps, weighted):
    X = rng.standard_normal((40, 3)) * [1.0, 50.0, 1e4] + shift
    X = with_gaps(X) if gaps else X
    w = rng.integers(0, 4, 40) * 0.5 if weighted else None
    assert_exact(ColumnMoments.of(X, w), X, w)


@pytest.mark.parametrize("scale", [1e-307, 1e-200, 1e200, 1e306])
def test_numbers_whose_squares_do_not_exist(scale):
    X = with_gaps(rng.uniform(-1, 1, (30, 2)) + [0.0, 0.5]) * scale
    m = ColumnMoments.of(X)
    assert_exact(m, X, rtol=1e-12)
    half = ColumnMoments.of(X[:11]) + ColumnMoments.of(X[11:])
    np.testing.assert_allclose(half.norm, m.norm, rtol=1e-13, atol=0)
    np.testing.assert_allclose(
        (half - ColumnMoments.of(X[11:])).norm, ColumnMoments.of(X[:11]).norm, rtol=1e-10
    )
    np.testing.assert_allclose(m.std / scale, np.nanstd(X / scale, axis=0), rtol=1e-12)


def test_many_rows_in_small_blocks(monkeypatch):
    X = with_gaps(rng.standard_normal((5000, 3)) + 1e8)
    whole = ColumnMoments.of(X)
    monkeypatch.setattr(columns, "BLOCK", 3 * 64)
    close(ColumnMoments.of(X), whole, 1e8)
    assert_exact(ColumnMoments.of(X), X, rtol=1e-9)  # noise of 1 on 1e8: eight digits less than sixteen


def test_what_follows_from_them():
    m = ColumnMoments.of([[1.0, 2.0], [3.0, np.nan], [8.0, 6.0]], [1.0, 1.0, 2.0])
    np.testing.assert_allclose(m.n, [4.0, 3.0])
    np.testing.assert_allclose(m.mean, [5.0, 14 / 3])
    np.testing.assert_allclose(m.scatter, [38.0, 32 / 3])
    np.testing.assert_allclose(m.variance, [9.5, 32 / 9])
    np.testing.assert_allclose(m.std, np.sqrt([9.5, 32 / 9]))
    assert m.rows == 3
    assert m.weight == 4.0
    assert m.fingerprint == (3, 4.0)
    assert repr(m) == "ColumnMoments(n=4, columns=2)"


def test_a_column_without_cells():
    m = ColumnMoments.of([[np.nan, 1.0], [np.nan, 2.0]])
    assert m.n.tolist() == [0.0, 2.0]
    assert np.isnan(m.std[0])
    assert np.isnan(m.variance[0])
    later = m + ColumnMoments.of([[7.0, 3.0], [9.0, np.nan]])
    np.testing.assert_allclose(later.mean, [8.0, 2.0])
    np.testing.assert_allclose(later.scatter, [2.0, 2.0])


def test_no_rows_at_all():
    empty = gather_columns(Header(2, n_targets=0), np.zeros((0, 2)))
    assert empty.weight == 0
    some = ColumnMoments.of([[1.0, np.nan], [4.0, 2.0]])
    close(some + empty, some)
    close(empty + some, some)
    close(some - empty, some)
    zero = gather_columns(Header(2, n_targets=0), np.full((3, 2), 1e300), np.zeros(3))
    close(zero, empty)


# -- constant columns ---------------------------------------------------------------------------------
@pytest.mark.parametrize("value", [0.0, 0.1, -1e15 - 0.3, 1e300, 5e-324, 1 / 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_constant_has_no_spread(value, weighted):
    X = np.full((1000, 1), value)
    w = rng.random(1000) if weighted else None
    m = ColumnMoments.of(X, w)
    assert m.constant.all()
    assert m.norm[0] == 0
    assert m.mean[0] == value
    both = m + ColumnMoments.of(X[:7])
    assert both.constant.all()


def test_every_constant_is_exactly_its_mean():
    for _ in range(300):
        value, w = rng.random() * 10.0 ** rng.integers(-5, 6), rng.random(rng.integers(2, 2000))
        for m in (
            ColumnMoments.of(np.full((len(w), 1), value), w),
            ColumnMoments.of(np.full((len(w), 1), value)),
        ):
            assert (m.mean[0], m.norm[0]) == (value, 0.0)


def test_where_constant_ends():
    """Steps of one unit in the last place are rounding; steps of a hundred are data."""
    ulp = np.spacing(1e6)
    flicker = 1e6 + ulp * np.tile([0.0, 1.0], 50)[:, None]
    assert ColumnMoments.of(flicker).constant.all()
    assert not ColumnMoments.of(1e6 + 100 * (flicker - 1e6)).constant.any()


# -- algebra ------------------------------------------------------------------------------------------
@given(TABLES, st.data())
def test_adding_pieces_is_the_whole(X, data):
    cut = data.draw(st.integers(0, len(X)))
    w = data.draw(arrays(float, len(X), elements=st.sampled_from([0.0, 0.5, 1.0, 3.0])))
    parts = [
        gather_columns(Header(X.shape[1], n_targets=0), X[i], w[i]) for i in (slice(cut), slice(cut, None))
    ]
    whole = ColumnMoments.of(X, w)
    close(parts[0] + parts[1], whole, 1e6)
    close(parts[1] + parts[0], whole, 1e6)


@given(TABLES)
def test_the_order_of_rows_and_columns_does_not_matter(X):
    m = ColumnMoments.of(X)
    close(ColumnMoments.of(X[::-1]), m, 1e6)
    turned = ColumnMoments.of(X[:, ::-1])
    np.testing.assert_array_equal(turned.n[::-1], m.n)
    np.testing.assert_allclose(turned.norm[::-1], m.norm, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("shift", [0.0, 1e10])
def test_taking_out_is_never_having_seen(shift):
    X = with_gaps(rng.standard_normal((60, 3))) + shift
    w = rng.integers(1, 4, 60).astype(float)
    rest = ColumnMoments.of(X, w) - ColumnMoments.of(X[40:], w[40:])
    close(rest, ColumnMoments.of(X[:40], w[:40]), size=max(shift, 1.0), rtol=1e-9)


def test_taking_out_everything_leaves_nothing():
    m = ColumnMoments.of(rng.standard_normal((9, 2)), np.full(9, 0.1))
    left = m - m
    assert left.n.tolist() == [0.0, 0.0]
    assert left.norm.tolist() == [0.0, 0.0]
    assert left.weight == 0


def test_constant_columns_can_be_taken_apart():
    X = np.column_stack([np.full(30, 0.1), np.zeros(30), rng.standard_normal(30)])
    rest = ColumnMoments.of(X) - ColumnMoments.of(X[10:])
    close(rest, ColumnMoments.of(X[:10]))
    assert rest.constant.tolist() == [True, True, False]


def test_what_cannot_be_taken_out():
    m = ColumnMoments.of([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
    with pytest.raises(NumericalError, match="Cannot take a weight of 4 out of 3"):
        m - ColumnMoments.of(np.ones((4, 2)))
    with pytest.raises(NumericalError, match="column 'x0' .* were these ever in"):
        m - ColumnMoments.of([[90.0, 5.0]])
    with pytest.raises(NumericalError, match="column 'x1' .* were these ever in"):
        m - ColumnMoments.of([[2.0, 6.0]])
    zeros = ColumnMoments.of(np.zeros((3, 1)))
    with pytest.raises(NumericalError, match="were these ever in"):
        zeros - ColumnMoments.of([[1e-3]])
    gaps = ColumnMoments.of([[1.0, np.nan], [2.0, 3.0], [3.0, 7.0]])
    with pytest.raises(NumericalError, match="Cannot take more cells out of column 'x1' than are in it"):
        gaps - ColumnMoments.of([[1.0, 2.0], [2.0, 3.0], [3.0, 7.0]])


def test_an_outlier_takes_the_digits_of_the_rest_with_it():
    x = rng.standard_normal((50, 1))
    with pytest.raises(NumericalError, match="a share of .* would remain"):
        ColumnMoments.of(np.vstack([x, [[1e9]]])) - ColumnMoments.of([[1e9]])
    with pytest.warns(IllConditioned, match="share of .* of the spread of column 'x0', so digits are lost"):
        rest = ColumnMoments.of(np.vstack([x, [[1e5]]])) - ColumnMoments.of([[1e5]])
    np.testing.assert_allclose(rest.norm, ColumnMoments.of(x).norm, rtol=1e-5)


def test_only_like_is_added_to_like():
    m = ColumnMoments.of(np.ones((2, 2)))
    with pytest.raises(HeaderMismatch, match="numbers of columns: 2 and 3"):
        m + ColumnMoments.of(np.ones((2, 3)))
    named = gather_columns(Header(2, ("a", "b"), None, 0), np.ones((2, 2)))
    with pytest.raises(HeaderMismatch, match="column names"):
        m - named
    with pytest.raises(TypeError, match="unsupported operand"):
        m + 1
    with pytest.raises(TypeError, match="unsupported operand"):
        m - 1


# -- sparse -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse_is_dense(kind):
    X = np.where(rng.random((50, 4)) < 0.6, 0.0, rng.standard_normal((50, 4)) * [1.0, 1e6, 1e-6, 1.0])
    X[:, 3] = 0.0
    X[4, 0], X[7, 1] = np.nan, np.nan
    w = rng.integers(0, 3, 50).astype(float)
    a, b = ColumnMoments.of(kind(X), w), ColumnMoments.of(X, w)
    assert (a.rows, a.weight) == (b.rows, b.weight)
    for name in ("n", "mean", "norm"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-12, atol=0)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_sparse_cells_of_any_size(scale):
    X = np.where(rng.random((50, 2)) < 0.5, 0.0, rng.standard_normal((50, 2))) * [scale, 1.0]
    a, b = ColumnMoments.of(sparse.csr_array(X)), ColumnMoments.of(X)
    np.testing.assert_allclose(a.norm, b.norm, rtol=1e-12, atol=0)
    np.testing.assert_allclose(a.mean, b.mean, rtol=1e-12, atol=0)


def test_sparse_with_a_cell_written_twice():
    twice = sparse.csr_array(
        (np.array([1.0, 2.0, 5.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2)
    )
    close(ColumnMoments.of(twice), ColumnMoments.of(twice.toarray()))
    assert twice.nnz == 3  # and the caller's matrix is as it was


# -- the door -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity_is_named(value):
    X = np.ones((4, 2))
    X[0, 0], X[2, 1] = np.nan, value
    with pytest.raises(InvalidInput, match="X contains inf at row 2, column 'x1'"):
        ColumnMoments.of(X)
    with pytest.raises(InvalidInput, match="X contains inf at row 2, column 'x1'"):
        ColumnMoments.of(sparse.csr_array(X))


@pytest.mark.parametrize("weight", [[1.0], [1.0, -1.0], [1.0, np.nan], [np.inf, 1.0], [[1.0, 1.0]]])
def test_wrong_weights(weight):
    with pytest.raises(InvalidInput, match="sample_weight must be one finite, non-negative number per row"):
        ColumnMoments.of(np.ones((2, 1)), weight)


def test_wrong_shapes():
    for X in (np.ones(3), np.ones((2, 2, 2)), 1.0):
        with pytest.raises(InvalidInput, match="two dimensions"):
            ColumnMoments.of(X)


def test_single_precision_is_cast():
    X = (rng.standard_normal((100, 2)) + 1e4).astype(np.float32)
    m = ColumnMoments.of(X)
    assert m.norm.dtype == np.float64
    close(m, ColumnMoments.of(X.astype(float)))


def test_saved_and_loaded(tmp_path):
    m = ColumnMoments.of(with_gaps(rng.standard_normal((9, 3))))
    suffice.save(m, tmp_path / "m.suffice", minimum_rows=0)
    assert suffice.load(tmp_path / "m.suffice") == m
