"""The only Cholesky, QR, SVD and triangular solves of the library.

Arrays come in as float64 of known shape. A failure names the matrix and its smallest eigenvalue.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.linalg import blas, lapack
from scipy.linalg import solve_triangular as _solve_triangular

from suffice._core.errors import NotPositiveDefinite, NumericalError

EPS = float(np.finfo(float).eps)


def qr_factor(a: np.ndarray, overwrite: bool = False) -> np.ndarray:
    """The p × p upper-triangular R with RᵀR = aᵀa and a non-negative diagonal; zero rows if N < p.

    `a` (N, p) is best handed over in Fortran order; with `overwrite` its contents are lost.
    """
    return _with_rows(_qr(a, overwrite), a.shape[1])


def qr_trapezoid(*parts: np.ndarray) -> np.ndarray:
    """R of several matrices on top of each other, with no more rows than they have together: min(N, p) × p."""
    p = parts[0].shape[1]
    return _with_rows(_qr(_stacked(parts), True), min(sum(map(len, parts)), p))


def qr_stacked(*parts: np.ndarray) -> np.ndarray:
    """The triangle of several matrices on top of each other, leaving out rows of zeros."""
    return qr_factor(_stacked(parts), overwrite=True)


def _stacked(parts: tuple[np.ndarray, ...]) -> np.ndarray:
    return np.asfortranarray(np.vstack([part[part.any(axis=1)] for part in parts]))


def _qr(a: np.ndarray, overwrite: bool) -> np.ndarray:
    n, p = a.shape
    if n == 0 or p == 0:
        return np.zeros((0, p))
    factored, _, _, info = lapack.dgeqrf(a, overwrite_a=overwrite, lwork=64 * p)
    if info != 0:
        raise NumericalError(f"QR failed (LAPACK info {info}).")
    return positive_diagonal(np.triu(factored[: min(n, p)]))


def _with_rows(r: np.ndarray, n: int) -> np.ndarray:
    """With rows of zeros below, up to n."""
    if len(r) == n:
        return r
    out = np.zeros((n, r.shape[1]))
    out[: len(r)] = r
    return out


def qr_fold(blocks: Iterable[np.ndarray], p: int) -> np.ndarray:
    """The triangle of many blocks stacked, without holding them: p free rows on top of each take the R so far.

    Blocks are Fortran-ordered and lose their contents.
    """
    out, upper = np.zeros((p, p)), np.triu(np.ones((p, p)))
    for block in blocks:
        block[:p] = out
        factored, _, _, info = lapack.dgeqrf(block, overwrite_a=True, lwork=64 * p)
        if info != 0:
            raise NumericalError(f"QR failed (LAPACK info {info}).")
        np.multiply(factored[:p], upper, out=out)
    return positive_diagonal(out)


def column_lengths(a: np.ndarray) -> np.ndarray:
    """Lengths of the columns, also of those whose squares overflow or vanish; the same bits for all others."""
    _, exponent = np.frexp(np.abs(a).max(axis=0, initial=0.0))
    return np.ldexp(np.linalg.norm(np.ldexp(a, -exponent), axis=0), exponent)


def cross_products(a: np.ndarray) -> np.ndarray:
    """aᵀa. Threads run it side by side: `np.dot` gives up the interpreter's lock, `@` does not."""
    return np.dot(a.T, a)


def positive_diagonal(r: np.ndarray) -> np.ndarray:
    """Flip rows so that the diagonal is non-negative; that makes the triangle unique."""
    flip = np.diagonal(r) < 0
    if flip.any():
        r[flip] *= -1
    return r


def qr_pivoted(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Q (N, k), R (k, p) and the column order of the rank-revealing factorization a[:, order] = Q R."""
    from scipy.linalg import qr

    if a.size == 0:
        return np.zeros((len(a), 0)), np.zeros((0, a.shape[1])), np.arange(a.shape[1])
    return qr(a, mode="economic", pivoting=True, check_finite=False)


def span_of_rows(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """L (n, k) and Q (p, k) with a = L Qᵀ, Q orthonormal, k = min(n, p).

    Columns of `a` may be of any size: longest first and pivoted, a reflection does not spill the rounding of long ones
    over short ones (Cox and Higham's condition for stability row by row).
    """
    order = np.argsort(-np.abs(a).max(axis=0, initial=0.0), kind="stable")
    Q, R, pivots = qr_pivoted(a.T[order])
    L, back = np.empty((len(a), Q.shape[1])), np.empty_like(Q)
    L[pivots], back[order] = R.T, Q
    return L, back


def qr_thin(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Q (N, k) and R (k, p) with a = Q R and a non-negative diagonal, k = min(N, p)."""
    Q, R = np.linalg.qr(a)
    sign = np.where(np.diagonal(R) < 0, -1.0, 1.0)
    return Q * sign, R * sign[:, None]


def complete_qr(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Q (N, N) and R (N, p): the first columns of Q span a, the others its complement."""
    return np.linalg.qr(a, mode="complete")


def svd(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Thin decomposition a = U diag(s) Vᵀ of a matrix or a stack of them; threads run it side by side."""
    if a.size == 0:
        *stack, n, p = a.shape
        return np.zeros((*stack, n, 0)), np.zeros((*stack, 0)), np.zeros((*stack, 0, p))
    try:
        return np.linalg.svd(a, full_matrices=False)  # scipy's keeps the interpreter's lock
    except np.linalg.LinAlgError:
        raise NumericalError(_overflowed("singular")) from None


def solve_square(a: np.ndarray, b: np.ndarray, what: str) -> np.ndarray:
    """x with a x = b for a square matrix or a stack of them; `what` names it where it has no inverse."""
    try:
        return np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        raise NumericalError(
            f"{what} is singular up to rounding: columns depend on each other, or their sizes are too far apart. Leave "
            "such columns out, or divide columns by their spread."
        ) from None


def eigh(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues (ascending) and eigenvectors of a symmetric matrix or a stack of them."""
    try:
        return np.linalg.eigh(a)
    except np.linalg.LinAlgError:
        raise NumericalError(_overflowed("eigen")) from None


def _overflowed(kind: str) -> str:
    return (
        f"A matrix has no {kind}values that can be computed: it holds NaN or infinity, as sums of very large numbers "
        "do. Measure the columns and the target in larger units."
    )


def solve_triangle(
    r: np.ndarray, b: np.ndarray, *, transpose: bool = False, lower: bool = False
) -> np.ndarray:
    """r⁻¹ b, or r⁻ᵀ b, for triangular r."""
    if r.shape[0] == 0:
        return np.zeros((0, *b.shape[1:]))
    return _solve_triangular(r, b, trans=int(transpose), lower=lower, check_finite=False)


def rows_over_triangle(a: np.ndarray, r: np.ndarray) -> np.ndarray:
    """a r⁻¹ for an upper triangle r: every row of `a` in units of r."""
    return blas.dtrsm(1.0, r, a, side=1, overwrite_b=False)


def inverse_of_triangle(lower: np.ndarray) -> np.ndarray:
    """L⁻¹ for a lower triangle with a positive diagonal."""
    if len(lower) == 0:
        return lower
    inverse, info = lapack.dtrtri(lower, lower=1)
    if info:
        raise NumericalError(f"A triangle has a zero at position {info - 1} of its diagonal.")
    return inverse


def cholesky(a: np.ndarray, name: str = "the matrix") -> np.ndarray:
    """Lower Cholesky factor of a symmetric positive definite matrix, or of a stack of them."""
    try:
        return np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        smallest = float(np.min(np.linalg.eigvalsh(a)))
        raise NotPositiveDefinite(
            f"{name} must be positive definite; its smallest eigenvalue is {smallest:.3g}."
        ) from None


def try_cholesky(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lower Cholesky factors of a stack, the identity where a matrix has none, and which have one."""
    try:
        return np.linalg.cholesky(a), np.ones(a.shape[:-2], dtype=bool)
    except np.linalg.LinAlgError:
        rows = a.reshape(-1, *a.shape[-2:])
    if len(rows) == 1:
        return np.broadcast_to(np.eye(a.shape[-1]), a.shape), np.zeros(a.shape[:-2], dtype=bool)
    middle = len(rows) // 2  # few fail: find them by halving
    parts = zip(try_cholesky(rows[:middle]), try_cholesky(rows[middle:]), strict=True)
    factors, found = (np.concatenate(pair) for pair in parts)
    return factors.reshape(a.shape), found.reshape(a.shape[:-2])


def cholesky_pivoted(a: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """F (p, r) with F Fᵀ = a for semi-definite `a` of rank r, and the rows that make its first r × r lower triangular.

    Pivots below `tolerance` end it.
    """
    factored, pivots, rank, _ = lapack.dpstrf(a, lower=1, tol=tolerance)
    order = pivots - 1
    out = np.zeros((len(a), rank))
    out[order] = np.tril(factored)[:, :rank]
    return out, order[:rank]


def semidefinite_factor(a: np.ndarray, name: str = "the matrix", tolerance: float = 1e-10) -> np.ndarray:
    """A square L with L Lᵀ = a for symmetric positive *semi*-definite a, or a stack of them.

    The Cholesky factor where it exists, else the eigenvector form, in units of the diagonal so that no row loses its
    digits beside a larger one; eigenvalues below −tolerance × the largest are refused.
    """
    try:
        return np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        size = np.sqrt(np.maximum(np.diagonal(a, axis1=-2, axis2=-1), 0.0))
        size = np.where(size > 0, size, 1.0)
        values, vectors = eigh(a / size[..., None] / size[..., None, :])
        if not _semidefinite(values, tolerance):  # rounding noise on a diagonal is no unit
            size, (values, vectors) = np.ones_like(size), eigh(a)
        if not _semidefinite(values, tolerance):
            raise NotPositiveDefinite(
                f"{name} must be positive semi-definite; "
                f"its smallest eigenvalue is {float(np.min(values)):.3g}."
            ) from None
        return size[..., None] * vectors * np.sqrt(np.maximum(values, 0.0))[..., None, :]


def _semidefinite(values: np.ndarray, tolerance: float) -> bool:
    largest = np.max(np.abs(values), axis=-1, initial=0.0)
    smallest = np.min(values, axis=-1, initial=0.0)
    return bool(np.all(smallest >= -tolerance * np.maximum(largest, np.finfo(float).tiny)))


def check_symmetric(a: np.ndarray, name: str) -> None:
    """Raise unless the last two axes form symmetric matrices up to rounding."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise NotPositiveDefinite(f"{name} must be square; got shape {a.shape}.")
    gap = np.max(np.abs(a - np.swapaxes(a, -1, -2)), initial=0.0)
    if gap > 1e-8 * max(np.max(np.abs(a), initial=0.0), np.finfo(float).tiny):
        raise NotPositiveDefinite(f"{name} must be symmetric; entries differ by {gap:.3g}.")
