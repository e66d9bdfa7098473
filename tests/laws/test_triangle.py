"""Laws of the triangle: what it equals, how it adds and subtracts, how it answers for its rows.

Cross-products are compared relative to the lengths of the two columns, so a tolerance is a number of
rounding errors whatever the scales (1e-8 to 1e8 here) and shifts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from suffice._core.errors import HeaderMismatch, NumericalError
from suffice._core.records import frozen_array
from suffice.statistics import Header, Layout, Triangle, gather, leave_one_out_merges

TIGHT = 1e-13


@dataclass
class Table:
    """Rows drawn for one example."""

    X: np.ndarray
    Y: np.ndarray
    w: np.ndarray | None

    def __getitem__(self, rows) -> Table:
        return Table(self.X[rows], self.Y[rows], None if self.w is None else self.w[rows])

    def __len__(self) -> int:
        return len(self.X)

    @property
    def of(self) -> Triangle:
        return Triangle.of(self.X, self.Y, self.w)

    @property
    def columns(self) -> np.ndarray:
        return np.hstack([self.X, self.Y])

    @property
    def weights(self) -> np.ndarray:
        return np.ones(len(self.X)) if self.w is None else self.w


@st.composite
def tables(draw, rows=st.integers(1, 40), features=st.integers(0, 5), integers=st.booleans()):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d, k = draw(rows), draw(features), draw(st.integers(0, 2))
    if draw(integers):  # small integers: ties, dependent and constant columns, exact arithmetic
        A = rng.integers(-2, 3, (n, d + k)).astype(float)
    else:
        scale = 10.0 ** rng.uniform(-8, 8, d + k)
        A = scale * (rng.standard_normal((n, d + k)) + 10.0 ** rng.uniform(-2, 6, d + k))
    kind = draw(st.sampled_from(["none", "counts", "fractions"]))
    w = {"none": None, "counts": rng.integers(0, 3, n).astype(float), "fractions": rng.exponential(size=n)}[
        kind
    ]
    return Table(A[:, :d], A[:, d:], w)


def seen(t: Triangle) -> np.ndarray:
    """[1, columns] cross-products about the shift."""
    return t.factor.T @ t.factor


def expected(table: Table, shift: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same from the rows, and the lengths by which rounding is judged."""
    A = np.column_stack([np.ones(len(table)), table.columns - shift]) * np.sqrt(table.weights)[:, None]
    return A.T @ A, np.sqrt(np.sum(A**2, axis=0))


def assert_cross_products(mine: np.ndarray, theirs: np.ndarray, size: np.ndarray, tolerance=TIGHT) -> None:
    unit = np.outer(size, size)
    assert np.all(np.abs(mine - theirs) <= tolerance * unit * max(1, len(size)) + 1e-300)


def assert_same_rows(a: Triangle, b: Triangle, tolerance: float, size: np.ndarray) -> None:
    """Equal weights, means and scatter; `size` are lengths of the centred columns as stored."""
    assert a.n == pytest.approx(b.n, rel=1e-12)
    assert a.rows == b.rows
    assert a.log_weight == pytest.approx(b.log_weight, rel=1e-9, abs=1e-9)
    moved = b.moved(Layout(a.header, a.layout.shift, a.layout.frame))
    assert_cross_products(seen(a), seen(moved), size, tolerance)


def lengths(*triangles: Triangle) -> np.ndarray:
    """Column lengths about either shift, and of the shifts themselves to rounding."""
    return np.max([np.linalg.norm(t.factor, axis=0) for t in triangles], axis=0)


def uncentred(table: Table) -> np.ndarray:
    A = np.column_stack([np.ones(len(table)), table.columns]) * np.sqrt(table.weights)[:, None]
    return np.sqrt(np.sum(A**2, axis=0))


# -- what it equals -----------------------------------------------------------------------------------
@given(tables(rows=st.integers(0, 40)))
def test_factor_holds_the_cross_products(table):
    assume(len(table) > 0)
    t = table.of
    products, size = expected(table, t.layout.shift)
    assert_cross_products(seen(t), products, size)
    assert t.n == pytest.approx(table.weights.sum(), rel=1e-14)
    assert t.rows == np.count_nonzero(table.weights)


@given(tables())
def test_factor_is_unique(table):
    R = table.of.factor
    p = 1 + table.columns.shape[1]
    assert R.shape == (min(table.of.rows, p), p)  # no rows of zeros where there are fewer rows than columns
    assert np.array_equal(R, np.triu(R))
    assert np.all(np.diagonal(R) >= 0)
    assert not R.flags.writeable


@given(tables(features=st.integers(1, 4)), st.integers(0, 2**31))
def test_maps_keep_the_factor_unique(table, seed):
    rng = np.random.default_rng(seed)
    d = table.X.shape[1]
    t = table.of
    signs = np.diag(rng.choice([-1.0, 1.0], d))
    other = Layout(t.header, frozen_array(t.layout.shift + rng.standard_normal(len(t.layout.shift))))
    for mapped in (
        t.affine(signs),
        t.affine(signs[::-1]),
        t.moved(other),
        t.select([d - 1]),
        t.standardized(),
    ):
        assert np.array_equal(mapped.factor, np.triu(mapped.factor))
        assert np.all(np.diagonal(mapped.factor) >= 0)


@given(tables(), st.integers(0, 2**31))
def test_order_of_rows_is_irrelevant(table, seed):
    order = np.random.default_rng(seed).permutation(len(table))
    t = table.of
    other = gather(t.layout, table.X[order], table.Y[order], None if table.w is None else table.w[order])
    assert_cross_products(seen(other), seen(t), lengths(t))


@given(tables())
def test_means_and_scatter(table):
    assume(table.weights.sum() > 0)
    t = table.of
    mean = np.average(table.columns, axis=0, weights=table.weights)
    size = uncentred(table)[1:] / np.sqrt(table.weights.sum())
    assert np.all(np.abs(t.mean - mean) <= 1e-13 * size)
    assert np.array_equal(t.mean, np.concatenate([t.mean_x, t.mean_y]))
    direct = table.weights @ (table.Y - mean[table.X.shape[1] :]) ** 2
    assert np.all(
        np.abs(t.scatter_y - direct) <= 1e-12 * (direct + 1e-13 * (size * size)[table.X.shape[1] :] * t.n)
    )


@given(tables(), st.integers(0, 2**31))
def test_moving_the_shift_changes_only_the_first_row(table, seed):
    t = table.of
    rng = np.random.default_rng(seed)
    shift = t.layout.shift + rng.standard_normal(len(t.layout.shift)) * (lengths(t)[1:] + 1)
    moved = t.moved(Layout(t.header, frozen_array(shift)))
    assert np.array_equal(moved.factor[1:], t.factor[1:])
    assert moved.factor[0, 0] == t.factor[0, 0]
    products, size = expected(table, shift)
    assert_cross_products(seen(moved), products, size, 1e-12)


@given(tables())
def test_blocks_do_not_matter(table):
    """Many rows go block by block; the same rows a hundredfold are a weight of a hundred."""
    t = table.of
    many = Triangle.of(np.tile(table.X, (300, 1)), np.tile(table.Y, (300, 1)), np.tile(table.weights, 300))
    weighted = Triangle.of(table.X, table.Y, 300 * table.weights)
    assert_cross_products(
        seen(many.moved(t.layout)),
        seen(weighted.moved(t.layout)),
        20 * lengths(weighted, t) + uncentred(table),
        1e-13,
    )


# -- adding -------------------------------------------------------------------------------------------
@given(tables(rows=st.integers(0, 40)), st.integers(0, 40), st.integers(0, 40))
def test_sum_is_the_triangle_of_all_rows(table, i, j):
    assume(len(table) > 0)
    i, j = sorted((i, j))
    a, b, c = (gather(table.of.layout, p.X, p.Y, p.w) for p in (table[:i], table[i:j], table[j:]))
    whole, left, right = table.of, (a + b) + c, a + (b + c)
    size = lengths(whole)
    for other in (left, right):
        assert_same_rows(other, whole, TIGHT, size)


@given(tables(rows=st.integers(2, 40)), st.integers(1, 39))
def test_sum_aligns_shifts(table, i):
    """Each part has a shift of its own here."""
    assume(0 < i < len(table))
    whole, both = table.of, table[:i].of + table[i:].of
    assert_same_rows(both, whole, 1e-13, lengths(whole, both) + 1e-2 * uncentred(table))


@given(tables())
def test_nothing_is_the_zero(table):
    t = table.of
    zero = Triangle.empty(t.layout)
    assert zero.rows == 0
    assert (zero + t) == t
    assert (t + zero) == t
    assert (t - zero) == t
    weightless = gather(t.layout, table.X, table.Y, np.zeros(len(table)))
    assert weightless == zero


@given(tables(), st.integers(1, 4))
def test_weight_k_is_the_row_k_times(table, k):
    t = table.of
    weighted = gather(t.layout, table.X, table.Y, k * table.weights)
    total = t
    for _ in range(k - 1):
        total = total + t
    assert_cross_products(seen(weighted), seen(total), lengths(total))
    assert weighted.n == pytest.approx(total.n, rel=1e-13)


def test_only_like_is_added_to_like():
    a = Triangle.of(np.eye(3), np.ones(3))
    with pytest.raises(HeaderMismatch, match="numbers of columns: 3 and 2"):
        a + Triangle.of(np.eye(2), np.ones(2))
    with pytest.raises(HeaderMismatch, match="shapes of y: None and 1"):
        a + Triangle.of(np.eye(3), np.ones((3, 1)))
    with pytest.raises(HeaderMismatch, match="column names"):
        a + gather(Layout(Header(3, ("a", "b", "c")), a.layout.shift), np.eye(3), np.ones((3, 1)))
    with pytest.raises(TypeError, match="unsupported operand"):
        a + 1
    with pytest.raises(TypeError, match="unsupported operand"):
        a - np.eye(4)


# -- taking out ---------------------------------------------------------------------------------------
@given(tables(rows=st.integers(24, 60), integers=st.just(False)), st.integers(1, 30))
def test_subtraction_undoes_addition(table, i):
    assume(np.count_nonzero(table.weights[i:]) >= 3 * (1 + table.columns.shape[1]))
    assume(np.ptp(np.log(table.weights[table.weights > 0])) < 7)
    a, b = table[i:].of, table[:i].of
    back = (a + b) - b
    assert_same_rows(back, a, 1e-9, lengths(a, a + b))
    assert back.rows == a.rows


@given(tables(rows=st.integers(24, 60), integers=st.just(False)))
def test_taking_out_everything_is_refused(table):
    assume(table.weights.sum() > 0)
    t = table.of
    with pytest.raises(NumericalError, match="cannot be taken out|Cannot take"):
        t - t


def test_foreign_rows_are_refused():
    rng = np.random.default_rng(0)
    t = Triangle.of(rng.standard_normal((50, 2)), rng.standard_normal(50))
    with pytest.raises(NumericalError, match="were these ever in"):
        t - Triangle.of([[100.0, -100.0], [90.0, 3.0]], [1.0, 2.0])
    with pytest.raises(NumericalError, match="Cannot take a weight of 51 out of 50"):
        t - Triangle.of(np.zeros((51, 2)), np.zeros(51))


def test_residual_of_the_targets_never_goes_below_zero():
    x = np.arange(12.0)[:, None]
    t = Triangle.of(x, 2 * x[:, 0] + 1)  # an exact line leaves nothing over
    rest = t - Triangle.of(x[:4], 2 * x[:4, 0] + 1)
    assert np.all(np.isfinite(rest.factor))
    assert rest.lstsq().sse[0] <= 1e-20 * np.sum(x**2)


# -- maps of the columns ------------------------------------------------------------------------------
def map_size(table: Table, A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Lengths of |X||A| + |b|: what rounding inside a map is relative to."""
    reach = np.abs(table.X) @ np.abs(A) + np.abs(b)
    full = np.column_stack([np.ones(len(table)), reach, np.abs(table.Y)]) * np.sqrt(table.weights)[:, None]
    return np.sqrt(np.sum(full**2, axis=0))


@given(tables(features=st.integers(1, 4)), st.integers(1, 4), st.integers(0, 2**31))
def test_affine_is_the_triangle_of_mapped_columns(table, m, seed):
    rng = np.random.default_rng(seed)
    A, b = rng.standard_normal((table.X.shape[1], m)), rng.standard_normal(m)
    mapped, direct = table.of.affine(A, b), Triangle.of(table.X @ A + b, table.Y, table.w)
    assert mapped.n_columns == m
    assert_same_rows(mapped, direct, 1e-13, map_size(table, A, b))


@given(tables(features=st.integers(2, 5)), st.integers(0, 2**31))
def test_select_is_the_triangle_of_some_columns(table, seed):
    d = table.X.shape[1]
    index = np.random.default_rng(seed).permutation(d)[: max(1, d - 1)]
    chosen = table.of.select(index)
    direct = Triangle.of(table.X[:, index], table.Y, table.w)
    assert chosen.header.features == tuple(f"x{j}" for j in index)
    A = np.eye(d)[:, index]
    assert_same_rows(
        chosen.affine(np.eye(len(index))), direct, 1e-13, map_size(table, A, np.zeros(len(index)))
    )


@given(tables(rows=st.integers(3, 40), features=st.integers(1, 4), integers=st.just(False)))
def test_standardized_columns_have_mean_zero_and_length_n(table):
    assume(np.count_nonzero(table.weights) >= 3)
    t = table.of
    s = t.standardized()
    loss = 1e-14 * np.abs(t.mean_x) / t.scale() + 1e-14  # means swallow digits of narrow columns
    assert np.all(np.abs(s.mean_x) <= 10 * loss)
    np.testing.assert_allclose(np.sum(s.factor[1:, 1 : 1 + s.n_columns] ** 2, axis=0), s.n, rtol=1e-9)
    spread = np.sqrt(np.average((table.X - t.mean_x) ** 2, axis=0, weights=table.weights))
    assert np.all(np.abs(t.scale() / spread - 1) <= 1e-9 + loss)


def test_standardized_leaves_constant_columns_at_zero():
    X = np.column_stack([np.full(9, 3e7 + 0.1), np.arange(9.0)])
    s = Triangle.of(X, np.arange(9.0)).standardized()
    assert np.all(np.abs(s.factor[:, 1]) <= 1e-6)
    assert Triangle.of(X).scale()[0] == 1.0


@given(tables(features=st.integers(0, 4)), st.integers(0, 2**31))
def test_squared_error_without_the_rows(table, seed):
    rng = np.random.default_rng(seed)
    d, k = table.X.shape[1], table.Y.shape[1]
    assume(k > 0)
    weights = rng.standard_normal((1 + d, k))
    residual = table.Y - weights[0] - table.X @ weights[1:]
    direct = table.weights @ residual**2
    reach = np.abs(table.Y) + np.abs(weights[0]) + np.abs(table.X) @ np.abs(weights[1:])
    unit = table.weights @ reach**2
    assert np.all(np.abs(table.of.sse(weights) - direct) <= 1e-12 * unit)


@given(tables(rows=st.integers(8, 40), features=st.integers(0, 3)))
def test_residual_of_least_squares_is_the_squared_error_of_its_weights(table):
    assume(table.Y.shape[1] > 0)
    assume(table.weights.sum() > 0)
    t = table.of
    s = t.lstsq()
    again = s.function.sse(t)
    assert np.all(np.abs(s.sse - again) <= 1e-10 * t.scatter_y + 1e-24 * t.fingerprint.squares)
    assert np.all(s.sse <= t.scatter_y * (1 + 1e-12))


@given(tables(rows=st.integers(3, 30), features=st.integers(1, 4)))
def test_centred_singular_values(table):
    assume(table.weights.sum() > 0)
    t = table.of
    s, vt = t.centered_svd()
    C = t.factor[1:, 1 : 1 + t.n_columns]
    np.testing.assert_allclose(vt @ vt.T, np.eye(len(vt)), atol=1e-12)
    assert np.all(np.diff(s) <= 0)
    np.testing.assert_allclose(np.sum(s**2), np.sum(C**2), rtol=1e-10)


# -- fingerprint --------------------------------------------------------------------------------------
@given(tables(rows=st.integers(2, 40)), st.integers(1, 39), st.integers(0, 2**31))
def test_fingerprint_adds_and_forgets_the_order(table, i, seed):
    assume(0 < i < len(table))
    assume(table.Y.shape[1] > 0)
    assume(table.weights.sum() > 0)
    order = np.random.default_rng(seed).permutation(len(table))
    whole = table.of.fingerprint
    assert whole.matches((table[:i].of + table[i:].of).fingerprint)
    assert whole.matches(table[order].of.fingerprint)
    assert whole.matches(Triangle.of(table.X[:, :0], table.Y, table.w).fingerprint)  # columns play no part
    size = np.sqrt(table.weights.sum() * (table.weights @ table.Y**2))  # the most Σ w|y| can be
    assert np.all(np.abs(whole.total - table.weights @ table.Y) <= 1e-13 * size)
    np.testing.assert_allclose(whole.squares, table.weights @ table.Y**2, rtol=1e-9)


def test_fingerprint_tells_other_targets_apart():
    y = np.array([1.0, 2.0, 3.0, 4.0])
    one = Triangle.of(np.eye(4), y).fingerprint
    for other in (y + 1e-6, y[[0, 1, 2, 2]], -y, y * (1 + 1e-7)):
        assert not one.matches(Triangle.of(np.eye(4), other).fingerprint)
    assert not one.matches(Triangle.of(np.eye(4), y, np.array([1.0, 1, 1, 2])).fingerprint)
    assert not one.matches(Triangle.of(np.eye(3), y[:3]).fingerprint)
    assert one.matches(Triangle.of(np.ones((4, 1)), y[::-1]).fingerprint)


# -- folds --------------------------------------------------------------------------------------------
@given(tables(rows=st.integers(6, 40)), st.integers(2, 6))
def test_leave_one_out_merges(table, k):
    parts = [table[rows] for rows in np.array_split(np.arange(len(table)), k)]
    layout = table.of.layout
    triangles = [gather(layout, p.X, p.Y, p.w) for p in parts]
    for i, other in enumerate(leave_one_out_merges(triangles)):
        rows = np.concatenate([r for j, r in enumerate(np.array_split(np.arange(len(table)), k)) if j != i])
        direct = gather(layout, table.X[rows], table.Y[rows], None if table.w is None else table.w[rows])
        assert_cross_products(seen(other), seen(direct), lengths(table.of))
        assert other.rows == direct.rows


# -- content ------------------------------------------------------------------------------------------
@given(tables())
def test_equal_content_is_equal_and_hashes_alike(table):
    a, b = table.of, table.of
    assert a is not b
    assert a == b
    assert hash(a) == hash(b)
    assert a != Triangle.of(np.vstack([table.X, table.X[:1] + 1]), np.vstack([table.Y, table.Y[:1]]))
