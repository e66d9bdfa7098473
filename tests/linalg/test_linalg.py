"""Bases, projections, angles and factorizations against their definitions."""

import numpy as np
import pytest
import scipy.linalg

from suffice._core.errors import InvalidInput, InvalidParameter, NotPositiveDefinite
from suffice.linalg import (
    angles,
    are_independent,
    check_linear,
    complement,
    coordinates,
    diagonalize_together,
    dimension,
    eigenbasis,
    orthonormal_basis,
    project,
    pseudo_inverse,
)


def matrices():
    rng = np.random.default_rng(0)
    for n, k, rank in [(5, 3, 3), (6, 4, 2), (3, 5, 3), (4, 4, 1), (1, 1, 1), (50, 10, 7)]:
        yield rng.normal(size=(n, rank)) @ rng.normal(size=(rank, k)), rank


def test_a_basis_spans_and_is_orthonormal_whatever_the_units_of_the_columns():
    for A, rank in matrices():
        for unit in (1.0, 1e-120, 10.0 ** np.linspace(-100, 100, A.shape[1])):
            Q = orthonormal_basis(A * unit)
            assert Q.shape[1] == rank == dimension(A * unit)
            np.testing.assert_allclose(Q.T @ Q, np.eye(rank), atol=1e-13)
            np.testing.assert_allclose(Q @ (Q.T @ A), A, atol=1e-12)
        assert are_independent(A) == (rank == A.shape[1])
        N = complement(A)
        assert N.shape == (len(A), len(A) - rank)
        np.testing.assert_allclose(N.T @ A, 0, atol=1e-12)


def test_vectors_of_nothing_span_a_point():
    assert dimension(np.zeros((3, 2))) == 0
    np.testing.assert_array_equal(complement(np.zeros((3, 2))), np.eye(3))
    np.testing.assert_array_equal(project([1.0, 2.0, 3.0], np.zeros((3, 2))), np.zeros(3))


def test_a_projection_is_nearest_and_stays():
    rng = np.random.default_rng(1)
    for A, _ in matrices():
        v = rng.normal(size=(len(A), 3))
        found = project(v, A)
        np.testing.assert_allclose(found, A @ np.linalg.lstsq(A, v, rcond=None)[0], atol=1e-12)
        np.testing.assert_allclose(project(found, A), found, atol=1e-12)


def test_coordinates_bring_the_vector_back_and_refuse_what_has_none():
    rng = np.random.default_rng(2)
    A = rng.normal(size=(6, 3)) * [1.0, 1e100, 1e-100]
    c = np.array([1.0, -2.0, 0.5]) / [1.0, 1e100, 1e-100]
    np.testing.assert_allclose(coordinates(A @ c, A), c, rtol=1e-12)
    with pytest.raises(InvalidInput, match=r"not in the span of A's columns: it is .* away"):
        coordinates(rng.normal(size=6), A)
    with pytest.raises(InvalidInput, match=r"span 1 dimensions, so several combinations"):
        coordinates([1.0, 1.0], [[1, 2], [1, 2]])


def test_angles_are_scipys_and_small_ones_keep_their_digits():
    rng = np.random.default_rng(3)
    for n, p, q in [(5, 2, 3), (4, 4, 1), (7, 1, 1)]:
        A, B = rng.normal(size=(n, p)), rng.normal(size=(n, q))
        np.testing.assert_allclose(
            angles(A, B), np.sort(scipy.linalg.subspace_angles(A, B)), rtol=1e-10, atol=1e-12
        )
    tiny = 1e-10
    np.testing.assert_allclose(angles([1.0, 0.0], [np.cos(tiny), np.sin(tiny)]), tiny, rtol=1e-9)


def test_the_pseudo_inverse_has_penroses_four_properties():
    for A, _ in matrices():
        P = pseudo_inverse(A)
        np.testing.assert_allclose(A @ P @ A, A, atol=1e-11)
        np.testing.assert_allclose(P @ A @ P, P, atol=1e-11)
        np.testing.assert_allclose(A @ P, (A @ P).T, atol=1e-11)
        np.testing.assert_allclose(P @ A, (P @ A).T, atol=1e-11)
    square = np.random.default_rng(4).normal(size=(4, 4))
    np.testing.assert_allclose(pseudo_inverse(square) @ square, np.eye(4), atol=1e-12)
    assert np.linalg.matrix_rank(pseudo_inverse(np.diag([1.0, 0.1, 0.01]), cutoff=0.05)) == 2


def test_an_eigenbasis_rebuilds_its_matrix():
    A = np.random.default_rng(5).normal(size=(5, 5))
    found = eigenbasis(A + A.T)
    U = found.vectors
    np.testing.assert_allclose((U * found.values) @ U.T, A + A.T, atol=1e-12)
    np.testing.assert_allclose(U.T @ U, np.eye(5), atol=1e-13)
    assert np.all(np.diff(found.values) <= 0)


@pytest.mark.parametrize("unit", [1.0, 1e-90, [1e-60, 1.0, 1e60, 1.0]])
def test_two_matrices_are_diagonal_together(unit):
    rng = np.random.default_rng(6)
    F, G = rng.normal(size=(6, 4)) * unit, rng.normal(size=(4, 4))
    S, T = F.T @ F, (G + G.T) * np.multiply.outer(np.ones(4) * unit, np.ones(4) * unit)
    found = diagonalize_together(S, T)
    B = found.vectors
    np.testing.assert_allclose(B.T @ S @ B, np.eye(4), atol=1e-10)
    np.testing.assert_allclose(B.T @ T @ B, np.diag(found.values), atol=1e-9)
    expected = np.sort(scipy.linalg.eigh(G + G.T, (F / unit).T @ (F / unit))[0])[::-1]
    np.testing.assert_allclose(found.values, expected, rtol=1e-8)


def test_a_singular_matrix_leaves_its_directions_out_or_is_refused():
    F = np.array([[1.0, 0, 1], [0, 1, 1]])  # rank 2 of 3
    S = F.T @ F
    found = diagonalize_together(S, F.T @ np.diag([3.0, 2.0]) @ F)
    assert found.vectors.shape == (3, 2)
    np.testing.assert_allclose(found.vectors.T @ S @ found.vectors, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(found.values, [3, 2], rtol=1e-12)
    with pytest.raises(InvalidInput, match="S has rank 2 of 3, and T is not zero in the directions"):
        diagonalize_together(S, np.eye(3))
    with pytest.raises(NotPositiveDefinite, match="smallest eigenvalue is -1"):
        diagonalize_together(np.diag([1.0, -1.0]), np.eye(2))


def test_linear_functions_are_told_from_others():
    rng = np.random.default_rng(7)
    A = rng.normal(size=(3, 4))
    assert check_linear(lambda x: A @ x, 4)
    assert check_linear(lambda x: 1e-200 * (A @ x), 4)
    assert not check_linear(lambda x: A @ x + 1e-3, 4)
    bend = check_linear(lambda x: np.abs(x).sum(), 2)
    assert not bend.additive
    assert "f(x + y) =" in bend.counterexample
    root = check_linear(lambda x: np.cbrt(x[0] ** 3 + x[1] ** 3), 2)  # homogeneous, and not additive
    assert root.homogeneous
    assert not root.additive
    real = check_linear(lambda x: np.round(x, 12), 2, tolerance=1e-6)
    assert real.holds


def test_bad_input_is_named():
    with pytest.raises(InvalidInput, match=r"A must be finite; A\[1, 0\] is nan"):
        dimension([[1.0], [np.nan]])
    with pytest.raises(InvalidInput, match="v must have 2 rows"):
        project([1.0, 2.0, 3.0], [[1.0], [1.0]])
    with pytest.raises(InvalidInput, match="vectors of the same length; got 2 and 3"):
        angles([1.0, 0.0], [1.0, 0.0, 0.0])
    with pytest.raises(NotPositiveDefinite, match="A must be symmetric; entries differ by 1"):
        eigenbasis([[1.0, 1.0], [0.0, 1.0]])
    with pytest.raises(InvalidParameter, match="n_inputs must be an integer >= 1; got 0"):
        check_linear(lambda x: x, 0)
    with pytest.raises(InvalidParameter, match="f must be a function; got 3"):
        check_linear(3)
    with pytest.raises(InvalidInput, match="all its values must be finite"):
        check_linear(lambda x: np.full(1, np.inf))
