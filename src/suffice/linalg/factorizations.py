r"""The pseudo-inverse, the eigenvectors of one symmetric matrix and of two at a time.

Pseudo-inverse   Φ† = (ΦᵀΦ)⁻¹Φᵀ for independent columns, and its limit for others            PRML (3.17)
Eigenbasis       A = U Λ Uᵀ with orthonormal U                                                DTU appendix A
Together         Bᵀ S B = I and Bᵀ T B = Λ, hence S⁻¹T = B Λ B⁻¹                              Herbst §4.1.6
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, NotPositiveDefinite, check_number
from suffice._core.linalg import EPS, eigh, svd
from suffice._core.records import record
from suffice.linalg._inputs import columns, symmetric


def pseudo_inverse(A: Any, *, cutoff: float | None = None) -> np.ndarray:
    """The Moore–Penrose inverse A†: A† b is the shortest of the vectors x that bring A x nearest to b.

    Parameters
    ----------
    cutoff
        Singular values below this share of the largest count as zero; by default max(n, k) times the machine epsilon.

    Examples
    --------
    >>> from suffice.linalg import pseudo_inverse
    >>> (6 * pseudo_inverse([[1, 0], [1, 1], [1, 2]])).round(9) + 0.0  # of a line through three points
    array([[ 5.,  2., -1.],
           [-3.,  0.,  3.]])
    """
    A = columns("A", A)
    share = max(A.shape) * EPS if cutoff is None else check_number("cutoff", cutoff, low=0.0)
    U, s, Vt = svd(A)
    kept = s > share * s.max(initial=0.0)
    return (Vt[kept].T / s[kept]) @ U[:, kept].T


@record(repr=True)
class Eigenbasis:
    """Eigenvalues, largest first, and eigenvectors as columns."""

    values: np.ndarray
    vectors: np.ndarray


def eigenbasis(A: Any) -> Eigenbasis:
    """The eigenvalues of a symmetric matrix and an orthonormal basis of its eigenvectors.

    The largest entry of every vector is positive.

    Examples
    --------
    >>> from suffice.linalg import eigenbasis
    >>> found = eigenbasis([[2.0, 1.0], [1.0, 2.0]])
    >>> found.values.round(12).tolist(), found.vectors.round(4).tolist()
    ([3.0, 1.0], [[0.7071, 0.7071], [0.7071, -0.7071]])
    """
    values, vectors = eigh(symmetric("A", A))
    return Eigenbasis(values[::-1], _signed(vectors[:, ::-1]))


def diagonalize_together(S: Any, T: Any) -> Eigenbasis:
    """B with Bᵀ S B = I and Bᵀ T B = diag(values): S positive semi-definite, T symmetric.

    Where S is singular, B has a column for each dimension in which it is not; T must be nothing in the others, or
    no B makes both diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.linalg import diagonalize_together
    >>> S, T = np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([[2.0, 1.0], [1.0, 3.0]])
    >>> found = diagonalize_together(S, T)
    >>> B = found.vectors
    >>> np.allclose(B.T @ S @ B, np.eye(2)), found.values.round(4).tolist()
    (True, [3.2247, 0.7753])
    """
    S, T = symmetric("S", S), symmetric("T", T)
    if S.shape != T.shape:
        raise InvalidInput(f"S and T must have the same size; got shapes {S.shape} and {T.shape}.")
    size = np.sqrt(np.maximum(np.diagonal(S), 0.0))
    unit = np.where(size > 0, size, 1.0)  # so that the rank does not depend on the units of the columns
    spread, U = eigh(S / unit[:, None] / unit)
    edge = len(S) * EPS * spread.max(initial=0.0)
    if spread.min(initial=0.0) < -1e3 * edge:
        raise NotPositiveDefinite(
            f"S must be positive semi-definite; its smallest eigenvalue is {float(eigh(S)[0][0]):.3g}."
        )
    kept = spread > edge
    outside = T / unit[:, None] / unit @ U[:, ~kept]
    if np.abs(outside).max(initial=0.0) > 1e-9 * np.abs(T / unit[:, None] / unit).max(initial=0.0):
        raise InvalidInput(
            f"S has rank {int(kept.sum())} of {len(S)}, and T is not zero in the directions that S lacks, so no basis "
            "makes both diagonal. Leave these directions out, or add a small multiple of the identity to S."
        )
    whitener = U[:, kept] / np.sqrt(spread[kept]) / unit[:, None]
    values, turned = eigh(whitener.T @ T @ whitener)
    return Eigenbasis(values[::-1], _signed(whitener @ turned[:, ::-1]))


def _signed(vectors: np.ndarray) -> np.ndarray:
    """Every column with its largest entry positive."""
    largest = np.argmax(np.abs(vectors).round(12), axis=0)
    return vectors * np.where(vectors[largest, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
