r"""Mahalanobis' distance (DTU §4.3.1; Herbst §2.3).

d(x, y) = √((x − y)ᵀ Σ⁻¹ (x − y)) = ‖L⁻¹(x − y)‖,  Σ = L Lᵀ

Euclid's distance after whitening: small along directions in which the data vary. Σ = I gives Euclid's; an invertible
map of the rows that is applied to Σ too changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, NotPositiveDefinite, Unsupported
from suffice._core.linalg import EPS, check_symmetric, cholesky, eigh, inverse_of_triangle
from suffice.similarity._blocks import BlockPlan, table
from suffice.similarity._euclid import euclidean
from suffice.similarity._tables import Pair, check_names, pair, rows
from suffice.tables.frames import labels_of, library_frame


def mahalanobis(x: Any, y: Any = None, cov: Any = None) -> Any:
    """Distances in units of how the data vary, not squared; answers have the shape that `minkowski` gives.

    Parameters
    ----------
    x, y
        Vectors or tables.
    cov
        The covariance matrix; by default that of all rows given, x and y together (divisor N − 1).

    Examples
    --------
    >>> from suffice.similarity import mahalanobis
    >>> cov = [[1, 0.8], [0.8, 1]]
    >>> round(mahalanobis([2, 2], [-2, -2], cov), 2), round(mahalanobis([2, -2], [-2, 2], cov), 2)
    (4.22, 12.65)
    """
    both = pair(x, y)
    check_names(x, cov, "x", "cov")
    return both.answer(table(plan(both, cov, labels_of(x))))


def plan(both: Pair, cov: Any = None, names: list[Any] | None = None) -> BlockPlan:
    """How to fill all pairs."""
    if both.sparse:
        raise Unsupported(
            "mahalanobis needs tables that are written out; call .toarray() on a sparse one first."
        )
    names = list(range(both.x.shape[1])) if names is None else names
    matrix = _of_rows(both) if cov is None else _given(cov, both.x.shape[1])
    if cov is not None:
        _check_variances(matrix, names)
    return BlockPlan(euclidean(both, whitener(matrix, names)), len(both.x), len(both.y), both.mirrored)


def _of_rows(both: Pair) -> np.ndarray:
    """The covariance of all rows."""
    stacked = both.x if both.alone else np.vstack([both.x, both.y])
    if len(stacked) < 3:
        raise InvalidInput(
            f"{len(stacked)} rows do not have a covariance that tells directions apart; give cov."
        )
    size = np.max(np.abs(stacked), axis=0)
    size = np.where(size > 0, size, 1.0)
    with np.errstate(over="ignore", under="ignore"):
        out = np.atleast_2d(np.cov(stacked / size, rowvar=False)) * np.outer(size, size)
    if not np.all(np.isfinite(out)):
        raise InvalidInput("The covariance of the rows leaves the range of numbers; rescale the columns.")
    return out


def _given(cov: Any, columns: int) -> np.ndarray:
    matrix, _ = rows(cov, "cov")
    frame = library_frame(cov)
    down = [] if frame is None or frame.index is None else list(frame.index)
    across = labels_of(cov) or []
    if any(isinstance(name, str) for name in down) and across != down:
        raise InvalidInput(f"cov must name its rows as its columns; got {down[:8]} and {across[:8]}.")
    if np.shape(matrix) != (columns, columns):
        raise InvalidInput(
            f"cov must be {columns} × {columns}, as x has that many columns; got {matrix.shape}."
        )
    check_symmetric(matrix, "cov")
    return matrix


def _check_variances(cov: np.ndarray, names: list[Any]) -> None:
    variances = np.diagonal(cov)
    if np.any(variances < 0):
        k = int(np.argmin(variances))
        raise NotPositiveDefinite(
            f"cov is no covariance: the variance of column {names[k]!r} is {variances[k]:g}, and must be positive."
        )


def whitener(cov: np.ndarray, names: list[Any]) -> np.ndarray:
    """L⁻ᵀ, which turns rows into white ones; a matrix that is singular up to rounding is refused."""
    spread = np.sqrt(np.maximum(np.diagonal(cov), 0.0))
    if np.any(spread == 0):
        constant = ", ".join(repr(n) for n in np.array(names, dtype=object)[spread == 0][:5])
        raise NotPositiveDefinite(
            f"cov is singular: column {constant} does not vary. Leave it out, or give cov."
        )
    correlations = cov / spread / spread[:, None]
    values, vectors = eigh(correlations)
    smallest = len(values) * EPS * values[-1]
    if values[0] < -16 * smallest:
        raise NotPositiveDefinite(
            "cov is no covariance: it is indefinite, so some combination of the columns would have a negative "
            f"variance (eigenvalues of the correlations {values[0]:.3g} to {values[-1]:.3g})."
        )
    if values[0] <= smallest:
        raise NotPositiveDefinite(_flat(values, vectors[:, 0], spread, names))
    return np.asarray(inverse_of_triangle(cholesky(correlations, "cov"))).T / spread[:, None]


def _flat(values: np.ndarray, direction: np.ndarray, spread: np.ndarray, names: list[Any]) -> str:
    """The sentence that says which combination of columns does not vary."""
    used = np.flatnonzero(np.abs(direction) > 1e-6)
    share = direction / spread / (direction / spread)[used[0]]
    terms = [f"{share[k]:+.3g}·{names[k]!r}" for k in used]
    return (
        f"cov is singular: {' '.join(terms[:6])}{' …' if len(terms) > 6 else ''} does not vary "
        f"(eigenvalues of the correlations {values[0]:.3g} to {values[-1]:.3g}). "
        "Leave out one of these columns, or give cov."
    )
