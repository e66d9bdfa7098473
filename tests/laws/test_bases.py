"""Laws of bases: columns are what the equations say, frames differ by an affine map, sums stand side by side."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.bases import (
    Basis,
    BasisSum,
    CustomBasis,
    FourierBasis,
    GaussianBasis,
    Interactions,
    Polynomial,
    SigmoidBasis,
    SplineBasis,
    TanhBasis,
    WaveletBasis,
)
from suffice.statistics import Frame


def cube(X):
    return X[:, 0] ** 3


BASES = {
    "line": Polynomial(1),
    "nothing": Polynomial(0),
    "quartic": Polynomial(4),
    "products": Polynomial(3, interactions=True),
    "bumps": GaussianBasis([-1.0, 0.0, 2.0], width=0.7),
    "functions": CustomBasis([cube, np.sin]),
    "bumps at rows": GaussianBasis.at_data(width=0.9),
    "steps": SigmoidBasis([-1.0, 0.5], width=0.4),
    "tanh": TanhBasis([-1.0, 0.5], width=0.4),
    "waves": FourierBasis(2, period=7.0),
    "splines": SplineBasis([-1.5, 0.0, 1.0, 1.5]),
    "haar": WaveletBasis(3, interval=(-2.5, 2.5)),
    "ricker": WaveletBasis(2, "ricker", interval=(-2.5, 2.5)),
    "pairs": Interactions(3),
    "sum": Polynomial(3) + GaussianBasis([0.0], width=2.0) + Polynomial(2, interactions=True),
}
LOCAL = {"functions", "bumps", "bumps at rows", "splines", "haar", "ricker"}  # flat somewhere
SEEDS = st.integers(0, 2**31)


def frames(rng, d):
    """None, and frames near and far from the data."""
    made = [Frame(rng.uniform(-3, 3, d), 10.0 ** rng.uniform(-1, 1, d)) for _ in range(2)]
    return [None, *made, made[0].at_origin]


@pytest.mark.parametrize("name", BASES)
@given(SEEDS, st.integers(1, 3), st.integers(1, 8))
def test_transfer_is_the_map_between_frames(name, seed, d, n):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (n, d))
    basis = BASES[name].resolve(X)
    for old in frames(rng, d):
        for new in frames(rng, d):
            A, b = basis.transfer(old, new, d)
            assert A.shape == (len(b), len(b))
            assert np.array_equal(A, np.triu(A))
            here, there = basis.design(X, old).astype(np.longdouble), basis.design(X, new)
            reach = np.abs(here) @ np.abs(A) + np.abs(b)  # what rounding is relative to
            assert np.all(
                np.abs(here @ A + b - there) <= 1e-14 * len(b) * np.maximum(reach, np.abs(there)) + 1e-300
            )


@pytest.mark.parametrize("name", BASES)
@given(SEEDS, st.integers(1, 3))
def test_names_owners_and_columns_agree(name, seed, d):
    X = np.random.default_rng(seed).uniform(-2, 2, (5, d))
    basis = BASES[name].resolve(X)
    m = basis.design(X, None).shape[1]
    names, owners = basis.names(tuple(f"c{j}" for j in range(d))), basis.owners(d)
    assert len(names) == len(owners) == m
    assert len(BASES[name](X).T) == m
    assert all(isinstance(word, str) for word in names)
    assert all(0 <= j < d for owner in owners for j in owner)


@pytest.mark.parametrize("name", BASES)
@given(SEEDS, st.integers(1, 3))
def test_owners_are_the_inputs_a_column_depends_on(name, seed, d):
    rng = np.random.default_rng(seed)
    X = rng.uniform(0.5, 2, (4, d))
    basis = BASES[name].resolve(X)
    before = basis.design(X, None)
    for j in range(d):
        other = X.copy()
        other[:, j] += 0.3
        moved = np.any(basis.design(other, None) != before, axis=0)
        for column, owner in enumerate(basis.owners(d)):
            if j not in owner:
                assert not moved[column]
            elif name not in LOCAL:
                assert moved[column]


@pytest.mark.parametrize("name", BASES)
@given(SEEDS)
def test_rows_are_treated_alone(name, seed):
    X = np.random.default_rng(seed).uniform(-2, 2, (6, 2))
    basis = BASES[name].resolve(X)
    np.testing.assert_allclose(
        basis.design(X, None), np.vstack([basis.design(X[i : i + 1], None) for i in range(6)]), rtol=1e-15
    )
    assert basis.design(X[:0], None).shape[0] == 0


@given(SEEDS, st.integers(0, 6), st.integers(1, 3))
def test_raw_polynomials_are_powers(seed, degree, d):
    X = np.random.default_rng(seed).uniform(-3, 3, (5, d))
    expected = [X[:, j] ** k for k in range(1, degree + 1) for j in range(d)]
    columns = Polynomial(degree)(X)
    assert columns.shape == (5, degree * d)
    np.testing.assert_allclose(columns, np.reshape(expected, (degree * d, 5)).T, rtol=1e-14)


@given(SEEDS, st.integers(1, 4), st.integers(1, 3))
def test_products_are_all_monomials_once(seed, degree, d):
    X = np.random.default_rng(seed).uniform(-3, 3, (5, d))
    basis = Polynomial(degree, interactions=True)
    exponents = basis.exponents(d)
    assert len(exponents) == len(set(exponents)) == math.comb(d + degree, d) - 1
    assert [sum(e) for e in exponents] == sorted(sum(e) for e in exponents)
    expected = np.column_stack([np.prod(X ** np.array(e), axis=1) for e in exponents])
    np.testing.assert_allclose(basis(X), expected, rtol=1e-13)


@pytest.mark.parametrize("interactions", [False, True])
@given(SEEDS, st.integers(1, 4), st.integers(1, 3))
def test_degrees_nest(interactions, seed, degree, d):
    X = np.random.default_rng(seed).uniform(-2, 2, (5, d))
    small, large = (Polynomial(k, interactions) for k in (degree, degree + 1))
    names = tuple(f"c{j}" for j in range(d))
    m = len(small.names(names))
    assert large.names(names)[:m] == small.names(names)
    for frame in frames(np.random.default_rng(seed), d):
        assert np.array_equal(large.design(X, frame)[:, :m], small.design(X, frame))


def test_order_and_names_of_products():
    basis = Polynomial(2, interactions=True)
    assert basis.names(("x1", "x2")) == ("x1", "x2", "x1^2", "x2^2", "x1*x2")
    assert basis([[2.0, 3.0]]).tolist() == [[2.0, 3.0, 4.0, 9.0, 6.0]]


@given(SEEDS, st.integers(1, 5), st.floats(0.1, 5))
def test_bumps_are_gaussians(seed, m, width):
    rng = np.random.default_rng(seed)
    centers, X = np.sort(rng.uniform(-2, 2, m)), rng.uniform(-3, 3, (6, 1))
    expected = np.exp(-((X - centers) ** 2) / (2 * width**2))
    np.testing.assert_allclose(GaussianBasis(centers, width)(X), expected, rtol=1e-12)


def test_bumps_in_the_plane_and_per_column():
    X = np.array([[0.0, 1.0], [2.0, -1.0]])
    plane = GaussianBasis([[0.0, 1.0]], width=1.0)
    np.testing.assert_allclose(plane(X)[:, 0], [1.0, np.exp(-4.0)])
    assert plane.owners(2) == ((0, 1),)
    each = GaussianBasis([0.0, 1.0], width=1.0).resolve(X)
    assert each.owners(2) == ((0,), (0,), (1,), (1,))
    np.testing.assert_allclose(each(X)[0], np.exp(-0.5 * np.array([0.0, 1.0, 1.0, 0.0])))
    with pytest.raises(InvalidInput, match="centres in 2 dimensions; X has 3 columns"):
        plane(np.zeros((1, 3)))


@pytest.mark.parametrize("d", [1, 2])
def test_bumps_spread_over_the_data(d):
    X = np.random.default_rng(0).uniform(-3, 5, (40, d))
    basis = GaussianBasis(4, width=0.5).resolve(X)
    assert basis.resolve(X[:3]) == basis  # resolved once
    columns = basis(X)
    assert columns.shape == (40, 4 * d)
    expected = [
        np.exp(-0.5 * ((X[:, j] - c) / 0.5) ** 2)
        for j in range(d)
        for c in np.linspace(X[:, j].min(), X[:, j].max(), 4)
    ]
    np.testing.assert_allclose(columns, np.column_stack(expected), rtol=1e-12)


@given(SEEDS)
def test_sums_stand_side_by_side(seed):
    X = np.random.default_rng(seed).uniform(-2, 2, (5, 2))
    parts = [Polynomial(2), GaussianBasis([0.0, 1.0], width=1.0), CustomBasis(cube)]
    total = parts[0] + parts[1] + parts[2]
    assert isinstance(total, BasisSum)
    assert total.parts == tuple(parts)
    assert (parts[0] + (parts[1] + parts[2])) == total  # no nesting
    np.testing.assert_array_equal(total(X), np.hstack([p(X) for p in parts]))


def test_equality_and_hash_by_content():
    pairs = [
        (Polynomial(3), Polynomial(np.int64(3))),
        (GaussianBasis([0.0, 1.0], 2), GaussianBasis(np.array([0, 1]), 2.0)),
        (CustomBasis([cube, np.sin]), CustomBasis((cube, np.sin))),
        (Polynomial(1) + Polynomial(2), Polynomial(1) + Polynomial(2)),
    ]
    for a, b in pairs:
        assert a == b
        assert hash(a) == hash(b)
    distinct = [p for pair in pairs for p in pair[:1]] + [
        Polynomial(3, interactions=True),
        GaussianBasis([0.0, 1.0], 1.0),
        GaussianBasis([0.0, 1.5], 2.0),
        Polynomial(2) + Polynomial(1),
    ]
    assert len(set(distinct)) == len(distinct)


def test_bases_are_frozen():
    centers = np.array([0.0, 1.0])
    basis = GaussianBasis(centers, 1.0)
    centers[0] = 9.0
    assert basis.centers[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        basis.centers[0] = 5.0
    with pytest.raises(AttributeError, match="cannot assign"):
        Polynomial(2).degree = 3


def test_replaced_reaches_inside_and_changes_nothing():
    total = Polynomial(2) + GaussianBasis([0.0], width=1.0)
    other = total.replaced(**{"0__degree": 5, "1__width": 3.0})
    assert other == Polynomial(5) + GaussianBasis([0.0], width=3.0)
    assert total == Polynomial(2) + GaussianBasis([0.0], width=1.0)
    assert total.get_params()["0__degree"] == 2
    with pytest.raises(
        InvalidParameter, match="Polynomial has no parameter 'order'; it has degree, interactions"
    ):
        Polynomial(2).replaced(order=3)
    with pytest.raises(ValueError, match="A sum of 2 bases has no parameter '7__degree'"):
        total.replaced(**{"7__degree": 1})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Polynomial(-1), "degree must be an integer >= 0; got -1"),
        (lambda: Polynomial(1.5), "degree must be an integer >= 0; got 1.5"),
        (lambda: Polynomial(True), "degree must be an integer >= 0; got True"),
        (lambda: Polynomial(2, interactions="yes"), "interactions must be.*got 'yes'"),
        (lambda: GaussianBasis(0), "centers must be at least 1; got 0"),
        (lambda: GaussianBasis([np.nan], 1.0), "centers must be"),
        (lambda: GaussianBasis([], 1.0), "centers must be"),
        (lambda: GaussianBasis("abc", 1.0), "centers must be"),
        (lambda: GaussianBasis([0.0], 0), "width must be a number > 0; got 0"),
        (lambda: GaussianBasis([0.0], "wide"), "width must be a number > 0; got 'wide'"),
        (lambda: GaussianBasis([0.0])([1.0]), "width must be given unless"),
        (lambda: CustomBasis([]), "functions must be callables"),
        (lambda: CustomBasis([3]), "functions must be callables"),
        (lambda: CustomBasis(5), "functions must be callables"),
    ],
)
def test_impossible_bases(make, message):
    with pytest.raises(InvalidParameter, match=message):
        make()


def cut(X):
    return X[:1, 0]


def test_a_function_of_the_wrong_length():
    with pytest.raises(InvalidInput, match=r"Basis function cut returned shape \(1,\) for 2 rows"):
        CustomBasis(cut)([1.0, 2.0])


def test_only_bases_add():
    with pytest.raises(TypeError, match="unsupported operand"):
        Polynomial(2) + 3
    with pytest.raises(InvalidInput, match="vector or a table"):
        Polynomial(2)(np.zeros((2, 2, 2)))
    assert isinstance(Polynomial(2), Basis)
