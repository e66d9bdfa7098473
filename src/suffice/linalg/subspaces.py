r"""Spaces spanned by vectors (DTU appendix A; PRML §3.1.2).

Span            {A c}: all combinations of the columns of A; its dimension is the rank of A
Projection      the point of the span nearest to v:  P v = Q Qᵀ v,  Q an orthonormal basis
Angles          cos θ_i are the singular values of Q₁ᵀ Q₂

The rank is that of the columns in units of their lengths, so it does not depend on the units they are measured in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.linalg import EPS, column_lengths, complete_qr, qr_pivoted, solve_triangle, svd
from suffice.linalg._inputs import columns, rows_like

_DEPENDENT = (
    40 * EPS
)  # of a column of length one, beside the columns before it; grows with the size of the matrix


def orthonormal_basis(A: Any) -> np.ndarray:
    """Q (n, r) with orthonormal columns that span what the columns of A span; r is the dimension.

    Examples
    --------
    >>> from suffice.linalg import orthonormal_basis
    >>> orthonormal_basis([[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]).round(4).tolist()
    [[0.7071], [0.7071], [0.0]]
    """
    return _factored(columns("A", A))[0]


def dimension(A: Any) -> int:
    """Of the span of the columns of A: its rank.

    Examples
    --------
    >>> from suffice.linalg import dimension
    >>> dimension([[1, 0, 1], [0, 1, 1], [0, 0, 0]])
    2
    """
    return orthonormal_basis(A).shape[1]


def are_independent(A: Any) -> bool:
    """Whether no column of A is a combination of the others.

    Examples
    --------
    >>> from suffice.linalg import are_independent
    >>> are_independent([[1, 1], [1, -1]]), are_independent([[1, 2], [2, 4]])
    (True, False)
    """
    A = columns("A", A)
    return _factored(A)[0].shape[1] == A.shape[1]


def complement(A: Any) -> np.ndarray:
    """An orthonormal basis of all vectors that are orthogonal to the columns of A.

    Examples
    --------
    >>> from suffice.linalg import complement
    >>> abs(complement([[1, 0], [0, 1], [0, 0]])).tolist()
    [[0.0], [0.0], [1.0]]
    """
    Q = orthonormal_basis(A)
    return complete_qr(Q)[0][:, Q.shape[1] :] if Q.size else np.eye(len(Q))


def project(v: Any, A: Any) -> np.ndarray:
    """The points of the span of A's columns nearest to v, a vector or the columns of a matrix.

    Examples
    --------
    >>> from suffice.linalg import project
    >>> project([1.0, 2.0, 3.0], [[1, 0], [0, 1], [0, 0]]).tolist()
    [1.0, 2.0, 0.0]
    """
    Q = orthonormal_basis(A)
    return Q @ (Q.T @ rows_like("v", v, len(Q)))


def coordinates(v: Any, A: Any) -> np.ndarray:
    """The numbers c with A c = v, refused where v is no combination of the columns of A, or of several kinds.

    Examples
    --------
    >>> from suffice.linalg import coordinates
    >>> coordinates([3.0, 1.0], [[1, 1], [1, -1]]).round(12).tolist()
    [2.0, 1.0]
    """
    A = columns("A", A)
    v = rows_like("v", v, len(A))
    Q, R, order, length = _factored(A)
    if Q.shape[1] < A.shape[1]:
        raise InvalidInput(
            f"The {A.shape[1]} columns of A span {Q.shape[1]} dimensions, so several combinations give the same "
            "vector. Leave dependent columns out, or take suffice.linalg.pseudo_inverse(A) @ v, the shortest one."
        )
    c = Q.T @ v
    rest = np.linalg.norm(v - Q @ c, axis=0)
    if np.any(rest > 1e3 * max(A.shape) * EPS * np.linalg.norm(v, axis=0)):
        raise InvalidInput(
            f"v is not in the span of A's columns: it is {float(np.max(rest)):.3g} away. "
            "suffice.linalg.project(v, A) gives the nearest vector that is."
        )
    out = np.empty((A.shape[1], *c.shape[1:]))
    out[order] = solve_triangle(R, c)
    return (out.T / length).T


def angles(A: Any, B: Any) -> np.ndarray:
    """The principal angles between two spans in radians, smallest first; of two vectors, the angle of their lines.

    Small ones are found from sines, so that they keep their digits (Björck and Golub).

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.linalg import angles
    >>> np.degrees(angles([1.0, 0.0], [1.0, 1.0])).round(6).tolist()
    [45.0]
    """
    P, Q = orthonormal_basis(A), orthonormal_basis(B)
    if len(P) != len(Q):
        raise InvalidInput(f"A and B must hold vectors of the same length; got {len(P)} and {len(Q)} rows.")
    if P.shape[1] < Q.shape[1]:
        P, Q = Q, P
    cosines = P.T @ Q
    _, c, Vt = svd(cosines)
    s = np.linalg.norm((Q - P @ cosines) @ Vt.T, axis=0)
    return np.arctan2(s, c)


def _factored(A: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Q (n, r) and R (r, k) of A's columns in units of their lengths, their order, and the lengths."""
    length = column_lengths(A)
    unit = np.where(length > 0, length, 1.0)
    Q, R, order = qr_pivoted(A / unit)
    pivots = np.diagonal(R)
    size, sign = np.abs(pivots), np.where(pivots < 0, -1.0, 1.0)
    rank = int(np.sum(size > _DEPENDENT * max(A.shape) ** 0.5 * size.max(initial=0.0)))
    return (Q * sign)[:, :rank], (R * sign[:, None])[:rank], order, unit
