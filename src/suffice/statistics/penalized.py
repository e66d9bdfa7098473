"""Penalized least squares: many penalties from one decomposition, and data rows stacked over prior rows.

min ‖Z − R u‖² + α ‖P u‖²      for every α: each singular direction of R P⁻¹ is shrunk by itself where P is diagonal,
                                   otherwise √α P is stacked under R and factored again
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.linalg import column_lengths, qr_factor, qr_pivoted, solve_triangle, svd
from suffice._core.records import record
from suffice.statistics.dependence import exact
from suffice.statistics.lstsq import AffineFunction, System, repeated, solve, system

if TYPE_CHECKING:
    from suffice.statistics.triangle import Triangle


HOLDS = 1e4  # times its length: a prior so much stronger than the data of a column holds it
APART = (
    1e6  # the longest column over the shortest: more, and one decomposition of all loses digits of the short
)


@record
class RidgePath:
    """Solutions for several penalties: slopes (a, d, k) at the mean of the columns."""

    alphas: np.ndarray
    functions: tuple[AffineFunction, ...]

    @property
    def coef(self) -> np.ndarray:
        """Weights on the raw columns, one row (d,) or (d, k) per penalty."""
        out = np.stack([f.raw()[1] for f in self.functions])
        return out[..., 0] if self.functions[0].layout.header.n_targets is None else out

    @property
    def intercept(self) -> np.ndarray:
        out = np.stack([f.raw()[0] for f in self.functions])
        return out[..., 0] if self.functions[0].layout.header.n_targets is None else out


def ridge_path(t: Triangle, alphas: np.ndarray, fit_intercept: bool = True) -> RidgePath:
    """min ‖y − Φw‖² + α‖w‖² for every α: one SVD, or one stacked QR each where the basis has a frame."""
    if not np.all((alphas >= 0) & (alphas < np.inf)):
        raise InvalidParameter(
            f"alphas must be finite numbers >= 0; got {alphas.min():g} to {alphas.max():g}."
        )
    k = t.header.n_outputs
    plain = solve(t, fit_intercept).function if np.any(alphas == 0) else None
    many = penalized_path(exact(system(t, fit_intercept)).in_row_space(), np.repeat(alphas, k), plain)
    columns = [slice(i * k, (i + 1) * k) for i in range(len(alphas))]
    functions = (many.replaced(many.value[c], many.slope[:, c]) for c in columns)
    return RidgePath(alphas, tuple(functions))


def penalized_path(s: System, alphas: np.ndarray, plain: AffineFunction | None = None) -> AffineFunction:
    """`penalized_paths` of a single system."""
    return penalized_paths([s], [alphas], [plain])[0]


def penalized_paths(
    systems: Sequence[System], alphas: Sequence[np.ndarray], plain: Sequence[AffineFunction | None]
) -> list[AffineFunction]:
    """Per system the functions for several penalties as one, a column each.

    `alphas` has one entry per value and target, `plain` the function without penalty for entries that are
    zero. One decomposition serves all penalties where they are diagonal, that is on the columns as they are
    or standardized (systems of one shape are decomposed in one call); otherwise each is stacked and factored.
    """
    weights: Any
    diagonal = all(s.is_diagonal and not _far_apart(s) for s in systems)
    if diagonal and len({s.R.shape + s.Z.shape for s in systems}) == 1:
        weights = _along_directions(systems, np.stack(alphas))
    elif diagonal:
        weights = [_along_directions([s], a[None])[0] for s, a in zip(systems, alphas, strict=True)]
    else:
        weights = [_stacked_each(s, a) for s, a in zip(systems, alphas, strict=True)]
    return [_path_function(*each) for each in zip(systems, alphas, plain, weights, strict=True)]


def _along_directions(systems: Sequence[System], alphas: np.ndarray) -> np.ndarray:
    """(systems, columns, penalties): every singular direction is shrunk by itself."""
    scale = np.stack([s.sizes for s in systems])
    Z = np.stack([s.Z for s in systems])
    U, sigma, Vt = svd(np.stack([s.R for s in systems]) / scale[:, None])
    g = (U.mT @ Z)[..., repeated(np.arange(Z.shape[2]), alphas.shape[1])]
    with np.errstate(divide="ignore", invalid="ignore"):  # where nothing is penalized, `plain` answers
        shrunk = sigma[..., None] / (sigma[..., None] ** 2 + alphas[:, None]) * g
        return Vt.mT @ shrunk / scale[..., None]


def _far_apart(s: System) -> bool:
    """Whether columns differ so much in length that singular directions of all of them mix the short ones up."""
    length = column_lengths(s.R / s.sizes)
    length = length[length > 0]
    return len(length) > 1 and s.span is None and float(length.max()) > APART * float(length.min())


def _stacked_each(s: System, alphas: np.ndarray) -> np.ndarray:
    """(columns, penalties): one factorization per penalty."""
    targets = repeated(np.arange(s.Z.shape[1]), len(alphas))
    u = np.empty((s.size, len(alphas)))
    for alpha in np.unique(alphas[alphas > 0]):
        here = alphas == alpha
        u[:, here] = penalized(s, alpha).mean[:, targets[here]]
    return u


def _path_function(
    s: System, alphas: np.ndarray, plain: AffineFunction | None, u: np.ndarray
) -> AffineFunction:
    f, here = s.function(u), alphas == 0
    value, slope = (f.value if s.counted else repeated(s.value, len(alphas))), f.slope
    if plain is not None:
        targets = repeated(np.arange(s.Z.shape[1]), len(alphas))[here]
        value = np.where(here, repeated(plain.value, len(alphas)), value)
        slope[:, here] = plain.slope[:, targets]
    return f.replaced(value, slope)


def penalized(s: System, alpha: float) -> Stacked:
    """min ‖Z − R u‖² + α ‖penalty u‖², for α > 0."""
    return stacked(s.R, s.Z, np.sqrt(alpha) * s.penalty, np.zeros((s.size, s.Z.shape[1])))


@record
class Stacked:
    """Data rows over prior rows, factored: minimum of ‖Z − R u‖² + ‖Q − P u‖².

    `mean` (d, k) minimizes it, `factor` (d, d) is the triangle of RᵀR + PᵀP with its columns in this `order`, and
    `misfit` (k,) is the minimum itself.
    """

    mean: np.ndarray
    factor: np.ndarray
    misfit: np.ndarray
    order: np.ndarray

    @property
    def log_det(self) -> float:
        """log |RᵀR + PᵀP|."""
        return 2.0 * float(np.sum(np.log(np.diagonal(self.factor))))

    @property
    def root(self) -> np.ndarray:
        """B with B Bᵀ = (RᵀR + PᵀP)⁻¹."""
        return solve_triangle(self.factor, np.eye(len(self.factor)))[np.argsort(self.order)]

    def trace(self, R: np.ndarray) -> float:
        """tr R (RᵀR + PᵀP)⁻¹ Rᵀ: the effective number of parameters."""
        return float(np.sum(solve_triangle(self.factor, R[:, self.order].T, transpose=True) ** 2))


def stacked(R: np.ndarray, Z: np.ndarray, P: np.ndarray, Q: np.ndarray) -> Stacked:
    """Factor the two systems together, the larger rows on top.

    Where there are fewer data rows than columns, those that the rows tell apart come first: so the others meet rows
    of the prior alone, which would drown in the rounding of far larger data.
    """
    d = R.shape[1]
    order = np.arange(d) if len(R) >= d else _by_what_they_add(R)
    if (held := _held(R, P)).any():
        return _stacked_below(R, Z, P, Q, np.concatenate([order[held[order]], order[~held[order]]]), held)
    data, prior = np.hstack([R[:, order], Z]), np.hstack([P[:, order], Q])
    first, second = (data, prior) if np.abs(R).max(initial=0) >= np.abs(P).max(initial=0) else (prior, data)
    A = np.vstack([first, second])
    if len(R) < d:  # each row keeps its own digits only below all that are larger
        A = A[np.argsort(-np.abs(A).max(axis=1), kind="stable")]
    A = qr_factor(np.asfortranarray(A), overwrite=True)
    misfit = np.sum(A[d:, d:] ** 2, axis=0)
    mean = solve_triangle(A[:d, :d], A[:d, d:])
    return Stacked(mean[np.argsort(order)], A[:d, :d], misfit, order)


def _held(R: np.ndarray, P: np.ndarray) -> np.ndarray:
    """Columns whose row of a diagonal prior is so much longer that it would lose their data beside other columns'."""
    sizes = np.abs(np.diagonal(P))
    if P.shape != (R.shape[1],) * 2 or np.count_nonzero(P) > np.count_nonzero(sizes):
        return np.zeros(R.shape[1], dtype=bool)
    length = column_lengths(R)
    return (
        (sizes > HOLDS * length)
        & (length > 0)
        & (length.max(initial=0.0) > sizes.min(initial=np.inf) / HOLDS)
    )


def _stacked_below(
    R: np.ndarray, Z: np.ndarray, P: np.ndarray, Q: np.ndarray, order: np.ndarray, held: np.ndarray
) -> Stacked:
    """The same where a prior holds some columns nearly at its mean: they come first, with their rows on top.

    So each is reflected onto its own row of the prior, to which the data add a little, and not onto a row of the data
    in which another column is far larger.
    """
    n, d = int(held.sum()), len(order)
    top = np.hstack([P[np.ix_(order[:n], order)], Q[order[:n]]])
    rest = np.vstack([np.hstack([R[:, order], Z]), np.hstack([P[np.ix_(order[n:], order)], Q[order[n:]]])])
    rest = rest[np.argsort(-np.abs(rest[:, :d]).max(axis=1, initial=0.0), kind="stable")]
    A = qr_factor(np.asfortranarray(np.vstack([top, rest])), overwrite=True)
    mean = solve_triangle(A[:d, :d], A[:d, d:])
    return Stacked(mean[np.argsort(order)], A[:d, :d], np.sum(A[d:, d:] ** 2, axis=0), order)


def _by_what_they_add(R: np.ndarray) -> np.ndarray:
    """Numbers of the columns, those first that add most, in units of their lengths, to the ones before."""
    length = column_lengths(R)
    return qr_pivoted(R / np.where(length > 0, length, 1.0))[2]
