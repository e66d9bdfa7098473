"""Cross-products of mild columns give the triangle that reflections give; other columns are reflected."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from suffice._core.errors import InvalidInput, NotFinite
from suffice._core.frames import Columnar
from suffice.linear import LinearRegression
from suffice.statistics import Header, Layout, Triangle, gather, gathering
from suffice.statistics.triangle import gather_groups


def table(n=6000, d=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.4 * rng.normal(size=(d, d))) + 10.0 * rng.normal(size=d)
    return X, (X @ rng.normal(size=d) + rng.normal(size=n))[:, None]


def both_ways(monkeypatch, layout, X, Y, weight=None):
    """The triangle from cross-products, which must have been possible, and from reflections."""
    assert gathering._from_products(gathering.GroupedRows(layout, X, Y, weight, None, 1))[0] is not None
    fast = gather(layout, X, Y, weight).factor
    monkeypatch.setattr(gathering, "MILD", 0.0)
    return fast, gather(layout, X, Y, weight).factor


def assert_same(fast, slow):
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-13 * np.abs(slow).max())


@pytest.mark.parametrize(
    "kind", ["plain", "weights", "some weights zero", "float32", "sparse", "columns first"]
)
def test_cross_products_are_the_triangle(monkeypatch, kind):
    X, Y = table()
    weight = np.random.default_rng(1).uniform(0.1, 9.0, len(X)) if "weights" in kind else None
    if kind == "some weights zero":
        weight[::3] = 0.0
    layout = Layout.plan(Header(X.shape[1]), X, Y, weight)
    X = {
        "float32": X.astype(np.float32),
        "sparse": sparse.csr_array(X),
        "columns first": np.asfortranarray(X),
    }.get(kind, X)
    assert_same(*both_ways(monkeypatch, layout, X, Y, weight))


def test_rows_far_from_the_shift_are_measured_from_their_own_center(monkeypatch):
    X, Y = table()
    layout = Layout.plan(Header(X.shape[1]), X, Y)
    far = X + 1e6 * np.arange(1, X.shape[1] + 1)  # as a late part of a series that drifts
    fast, slow = both_ways(monkeypatch, layout, far, Y)
    t = Triangle(fast, layout, len(X), float(len(X)))
    np.testing.assert_allclose(t.mean_x, far.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(np.abs(fast[1:]), np.abs(slow[1:]), rtol=0, atol=1e-8 * np.abs(fast[1:]).max())
    spread = Triangle.of(X, Y[:, 0]).factor[1:, 1:]
    np.testing.assert_allclose(fast[1:, 1:], spread, rtol=0, atol=1e-9 * np.abs(spread).max())


def hard_columns():
    X, Y = table()
    rng = np.random.default_rng(2)
    yield "nearly a combination", np.column_stack([X, X.sum(axis=1) + 1e-3 * rng.normal(size=len(X))]), Y
    yield "exactly one", np.column_stack([X, X[:, 0] - X[:, 1]]), Y
    yield "constant", np.column_stack([X, np.full(len(X), 7.0)]), Y
    yield "a fit without noise", X, X @ np.ones((X.shape[1], 1))
    yield "powers", X[:, :1] ** np.arange(1, 7), Y


@pytest.mark.parametrize(("X", "Y"), [pytest.param(X, Y, id=name) for name, X, Y in hard_columns()])
def test_other_columns_are_reflected(X, Y):
    layout = Layout.plan(Header(X.shape[1]), X, Y)
    assert gathering._from_products(gathering.GroupedRows(layout, X, Y, None, None, 1))[0] is None
    A = np.column_stack([np.ones(len(X)), X, Y])
    A[:, 1:] -= layout.shift
    factor = gather(layout, X, Y).factor
    np.testing.assert_allclose(factor.T @ factor, A.T @ A, rtol=0, atol=1e-13 * np.abs(A.T @ A).max())
    singular = np.linalg.svd(A, compute_uv=False)  # which the products would lose below 1e-8 of the largest
    np.testing.assert_allclose(
        np.linalg.svd(factor, compute_uv=False), singular, rtol=0, atol=1e-13 * singular[0]
    )


def test_what_the_sample_does_not_show_is_found_in_the_products():
    X, Y = table(n=40_000, d=3)
    shown = np.zeros(len(X), dtype=bool)
    shown[:: -(-len(X) // (gathering.SAMPLE + 4 * 4))] = True
    X[~shown, 2] = X[~shown, 1]  # two columns differ only in the rows of the sample
    layout = Layout.plan(Header(3), X, Y)
    few = 1e-4 * X[shown, 2]
    X[shown, 2] = X[shown, 1] + few
    assert gathering._from_products(gathering.GroupedRows(layout, X, Y, None, None, 1))[0] is None


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_gaps_are_named_whichever_way(bad):
    X, Y = table()
    X[4321, 2] = bad
    with pytest.raises(NotFinite, match="NaN or infinity"):
        gather(Layout.plan(Header(5), X, Y), X, Y)
    with pytest.raises(InvalidInput, match="row 4321, column 'x2'"):
        LinearRegression().fit(X, Y[:, 0])


@pytest.mark.parametrize("kind", ["array", "columnar", "columnar of integers", "sparse", "weights"])
@pytest.mark.parametrize("n", [300, 6000, 70_000])  # reflected, one block, several
def test_groups_in_one_pass_are_the_groups_one_by_one(kind, n):
    X, Y = table(n)
    X = np.round(10 * X) if "integers" in kind else X
    group = np.random.default_rng(2).integers(0, 4, n).astype(np.uint8)
    group[group == 2] = 3  # a group may be empty
    weight = np.random.default_rng(1).uniform(0.0, 2.0, n) if kind == "weights" else None
    layout = Layout.plan(Header(X.shape[1]), X, Y, weight)
    columns = [X[:, j].astype(int) if "integers" in kind else X[:, j] for j in range(X.shape[1])]
    given = {"array": X, "sparse": sparse.csr_array(X), "weights": X}.get(kind, Columnar(columns, n))
    parts = gather_groups(layout, given, Y, weight, group, 4)
    assert parts[2].rows == 0
    assert parts[2].n == 0
    for i in (0, 1, 3):
        at = group == i
        one = gather(layout, X[at], Y[at], None if weight is None else weight[at])
        assert (parts[i].rows, parts[i].n) == (one.rows, pytest.approx(one.n, rel=1e-12))
        assert_same(parts[i].factor, one.factor)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_groups", [1, 4])
def test_compiled_products_are_those_of_arrays(n_groups, weighted):
    X, Y = table(120_000)
    columns = Columnar([np.ascontiguousarray(c) for c in X.T], len(X))
    rng = np.random.default_rng(2)
    group = None if n_groups == 1 else rng.integers(0, n_groups, len(X)).astype(np.uint8)
    weight = rng.uniform(0.0, 2.0, len(X)) if weighted else None
    layout = Layout.plan(Header(X.shape[1]), X, Y, weight)
    assert gathering._compilable(layout, columns, Y)
    given = gathering.GroupedRows(layout, columns, Y, weight, group, n_groups), layout.shift
    fast, plain = gathering._compiled_products(*given), gathering._products(*given)
    np.testing.assert_allclose(fast, plain, rtol=0, atol=1e-13 * np.abs(plain).max())


def test_what_is_not_plain_columns_of_numbers_is_not_compiled(monkeypatch):
    X, Y = table(120_000)
    layout = Layout.plan(Header(X.shape[1]), X, Y)
    columns = [np.ascontiguousarray(c) for c in X.T]
    assert not gathering._compilable(layout, X, Y)
    assert not gathering._compilable(layout, Columnar([c[:50] for c in columns], 50), Y[:50])
    assert not gathering._compilable(layout, Columnar([c.astype(np.float32) for c in columns], len(X)), Y)
    assert not gathering._compilable(layout, Columnar(list(X.T), len(X)), Y)
    monkeypatch.setattr(gathering, "loops", lambda module: None)
    assert not gathering._compilable(layout, Columnar(columns, len(X)), Y)


def test_columns_side_by_side():
    columns = [np.arange(6.0), np.arange(6) ** 2, np.arange(6) > 3]
    matrix = np.column_stack(columns).astype(float)
    lazy = Columnar(columns, 6)
    assert lazy.shape == matrix.shape
    assert len(lazy) == 6
    for rows in (slice(None), slice(1, 5, 2), np.array([5, 0, 0])):
        np.testing.assert_array_equal(np.asarray(lazy[rows]), matrix[rows])
    np.testing.assert_array_equal(np.asarray(lazy), matrix)
