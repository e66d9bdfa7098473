r"""Least squares and its geometry, from a triangle alone; penalties are in `penalized.py`.

Rank: a column is constant when its centred norm is below 16 eps of its uncentred norm; otherwise a
pivoted QR of the unit-scaled triangle with a tolerance of about 40 eps decides. Where columns
depend on each other, the solution is the one of minimum norm on the raw columns.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.linalg import (
    EPS,
    column_lengths,
    complete_qr,
    qr_pivoted,
    qr_trapezoid,
    solve_square,
    solve_triangle,
    span_of_rows,
    svd,
)
from suffice._core.memory import need_memory
from suffice._core.records import record

if TYPE_CHECKING:
    from suffice.statistics.layout import Layout
    from suffice.statistics.triangle import Triangle

RANK_TOLERANCE = 40 * EPS
SIZES = "The map to the weights whose size matters"


@record
class AffineFunction:
    """The function ŷ(x) = value + (φ(x) − center) slope, in the frame of its layout.

    `center` is where the function is best known (the mean of the rows). For columns with huge means it is
    rounded, so it is also kept as `offset` from the shift of the layout, from which rows differ exactly;
    `raw()` gives the weights on the plain columns.
    """

    layout: Layout
    center: np.ndarray
    value: np.ndarray
    slope: np.ndarray
    offset: np.ndarray | None = None

    def check_loaded(self) -> int:
        """Nothing is made; raises unless the center has a number per column of the layout."""
        if len(self.center) != self.layout.n_columns:
            raise InvalidInput(f"center has {len(self.center)} numbers for {self.layout.n_columns} columns.")
        return 0

    @property
    def from_shift(self) -> np.ndarray:
        """The center, seen from the shift of the layout."""
        return self.center - self.layout.shift_x if self.offset is None else self.offset

    def replaced(self, value: np.ndarray, slope: np.ndarray) -> AffineFunction:
        """Another function about the same center."""
        return AffineFunction(self.layout, self.center, value, slope, self.offset)

    def deviations(self, X) -> np.ndarray:
        """φ(x) − center, row by row."""
        return self.about(self.layout.design(X))

    def about(self, design: np.ndarray) -> np.ndarray:
        """φ − center for rows of the design."""
        return (design - self.layout.shift_x) - self.from_shift

    def __call__(self, X) -> np.ndarray:
        at_shift = self.value - self.from_shift @ self.slope
        return at_shift + (self.layout.design(X) - self.layout.shift_x) @ self.slope

    def to_raw(self) -> np.ndarray:
        """G with (intercept, weights on the raw columns) = G (value, slope)."""
        C, c = self.layout.raw_transfer()
        d = len(self.center)
        G = np.zeros((1 + d, 1 + d), dtype=C.dtype)
        G[0, 0], G[0, 1:], G[1:, 1:] = 1.0, c - self.center, C
        return G

    def raw(self) -> tuple[np.ndarray, np.ndarray]:
        """Intercepts (k,) and weights (d, k) on the raw columns."""
        weights = self.raw_of(np.vstack([self.value, self.slope])).astype(float)
        return weights[0], weights[1:]

    def raw_of(self, u: np.ndarray) -> np.ndarray:
        """G u for columns u over (value, slope); without G, which is large, where columns are raw already."""
        if self.layout.frame is not None:
            return self.to_raw() @ u
        return np.vstack([u[:1] - self.center @ u[1:], u[1:]])

    def sse(self, t: Triangle) -> np.ndarray:
        """Squared error per target on the rows of a triangle, without seeing them.

        A function with several times as many values as there are targets is several functions.
        """
        moved = t.moved(self._seen_by(t))
        shift_y = repeated(moved.layout.shift_y, len(self.value))
        here = moved.layout.shift_x - self.layout.shift_x - self.from_shift
        offset = self.value + here @ self.slope - shift_y
        return moved.squared_error(self.slope, offset)

    def _seen_by(self, t: Triangle) -> Layout:
        return t.layout if t.layout.frame == self.layout.frame else t.layout.in_frame(self.layout.frame)


@record
class Solution:
    """A least-squares fit: the function, its residual, and what the columns could determine.

    `basis` (d, r) spans the determined directions with basis basisᵀ = (ΦᵀΦ)⁺; `null` (d, d − r)
    spans the undetermined ones, both in the frame of the function. Of fewer rows than columns it is not kept (None):
    there it is the complement of `basis` on columns divided by `scale`. `condition` is the ratio of the largest to
    the smallest pivot of the unit-scaled columns that were kept.
    """

    function: AffineFunction
    residual: np.ndarray
    basis: np.ndarray
    null: np.ndarray | None
    constant: tuple[int, ...]
    dependent: tuple[int, ...]
    fit_intercept: bool = True
    condition: float = 1.0
    scale: np.ndarray | None = None

    @property
    def rank(self) -> int:
        return self.basis.shape[1]

    @property
    def sse(self) -> np.ndarray:
        """Residual sum of squares per target."""
        return np.sum(self.residual**2, axis=0)

    @property
    def intercept(self) -> np.ndarray:
        return self._as_given(self.function.raw()[0])

    @property
    def coef(self) -> np.ndarray:
        return self._as_given(self.function.raw()[1])

    @property
    def weights(self) -> np.ndarray:
        """Intercept and weights on the raw columns, intercept first."""
        b, w = self.function.raw()
        return self._as_given(np.vstack([b, w]))

    def looseness(self, rows: np.ndarray) -> np.ndarray:
        """How much of each row (over slopes) lies where nothing is determined."""
        if self.null is not None:
            return np.abs(rows @ self.null).max(axis=1, initial=0.0)
        return column_lengths(self._outside(rows)[0].T)

    def leaves_span(self, rows: np.ndarray) -> np.ndarray:
        """Which rows have a part there that is more than rounding."""
        if self.null is None:
            outside, whole = (column_lengths(part.T) for part in self._outside(rows))
            return outside > 1e-8 * whole + 1e-300
        null = self.null / np.linalg.norm(self.null, axis=0)
        return (np.abs(rows @ null) > 1e-8 * (np.abs(rows) @ np.abs(null)) + 1e-300).any(axis=1)

    def listed_null(self) -> np.ndarray:
        """`null`, also where it is not kept."""
        if self.null is not None:
            return self.null
        return complete_qr(self.basis * self._unit[:, None])[0][:, self.rank :] / self._unit[:, None]

    def _outside(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The part of rows outside the span of `basis`, and all of them, in units of the weights whose size matters."""
        Q, b = span_of_rows((self.basis * self._unit[:, None]).T)[1], rows / self._unit
        return b - (b @ Q) @ Q.T, b

    @property
    def _unit(self) -> np.ndarray:
        return np.ones(len(self.basis)) if self.scale is None else self.scale

    def _as_given(self, a: np.ndarray) -> np.ndarray:
        return a[..., 0] if self.function.layout.header.n_targets is None else a


@record
class System:
    """What least squares sees of a triangle: min ‖Z − R u‖², and the function that u stands for.

    `penalty` turns u into the parameters whose size matters: weights of the raw columns, or of those divided by
    `scale`. `left_over` is the part of the targets that no u can reach. With `counted`, the first entry of u is
    the value at the center and `penalty` covers the intercept too. With `span`, u are coordinates in the span of
    the rows (`in_row_space`).
    """

    triangle: Triangle
    R: np.ndarray
    Z: np.ndarray
    scale: np.ndarray | None
    constant: np.ndarray
    center: np.ndarray
    value: np.ndarray
    left_over: np.ndarray
    counted: bool = False
    at_mean: bool = True
    span: RowSpace | None = None

    @property
    def size(self) -> int:
        """Unknowns."""
        return self.R.shape[1]

    @property
    def outside(self) -> int:
        """Parameters with a size, less the unknowns: directions of which the rows say nothing."""
        return 0 if self.span is None else len(self.span.directions) - self.size

    @cached_property
    def penalty(self) -> np.ndarray:
        """The parameters whose size matters, from u."""
        if self.span is not None:
            return np.eye(self.size)
        need_memory(4 * 8 * self.size**2, f"A penalty on {self.size} columns", "Take fewer columns.")
        slopes = penalty_map(self.triangle, self.scale)
        if not self.counted:
            return slopes
        out = np.zeros((self.size, self.size))
        out[0, 0], out[1:, 1:] = 1.0, slopes
        if self.scale is None:  # the constant of standardized columns is the value at their mean
            out[0, 1:] = (self.triangle.layout.raw_transfer()[1] - self.center).astype(float)
        return out

    @property
    def is_diagonal(self) -> bool:
        """Whether `penalty` is."""
        return self.span is not None or (self.triangle.layout.frame is None and not self.counted)

    @property
    def sizes(self) -> np.ndarray:
        """The diagonal of `penalty`, where that is all of it."""
        return np.ones(self.size) if self.span is not None or self.scale is None else self.scale

    def function(self, u: np.ndarray) -> AffineFunction:
        if self.span is not None:
            value, slope = self.span.unknowns(u)
            value = self.value if value is None else value
        else:
            value, slope = (u[0], u[1:]) if self.counted else (self.value, u)
        return AffineFunction(self.triangle.layout, self.center, value, slope, self.offset)

    def in_row_space(self) -> System:
        """The same with as many unknowns as rows, where there are fewer of those and sizes are those of raw columns."""
        if len(self.R) >= self.size or self.triangle.layout.frame is not None:
            return self
        span, L = RowSpace.of(self)
        return replace(self, R=L, span=span)

    def spread(self, root: np.ndarray) -> np.ndarray:
        """Directions in u as directions of (value at center, slope), or of the slope alone where it is not counted."""
        if self.span is None:
            return root
        value, slope = self.span.unknowns(root)
        return slope if value is None else np.vstack([value, slope])

    @property
    def offset(self) -> np.ndarray | None:
        """The center from the shift: the mean of the rows, unless that is at the origin."""
        return self.triangle.mean_offset if self.at_mean else None


@record
class RowSpace:
    """Where smallest solutions lie: w = Q v for the parameters w whose size matters, Q orthonormal, A = L Qᵀ.

    A are the rows in units of these parameters, √α above their complement costs nothing, so that

        ‖Z − A w‖² + α ‖w‖²  =  ‖Z − L v‖² + α ‖v‖²  +  α ‖(I − QQᵀ) w‖²

    and everything that is known of w outside the span is its prior. `scale` is what raw weights are multiplied with;
    `center` is set where the first of w is a constant at the origin, `at_center` has the value at the center from v.
    """

    directions: np.ndarray
    scale: np.ndarray | None
    center: np.ndarray | None = None
    at_center: np.ndarray | None = None

    @classmethod
    def of(cls, s: System) -> tuple[RowSpace, np.ndarray]:
        """The span of the rows of a system, and L."""
        center = s.center if s.counted and s.scale is None else None
        bare = cls(np.zeros((s.size, 0)), s.scale, center, np.zeros(0) if s.counted else None)
        L, Q = span_of_rows(bare.rows(s.R))
        return replace(bare, directions=Q, at_center=L[0] / s.R[0, 0] if s.counted else None), L

    def rows(self, a: np.ndarray) -> np.ndarray:
        """Rows over (value at center, slopes), or slopes alone, in units of the parameters whose size matters."""
        if self.at_center is None:
            return a if self.scale is None else a / self.scale
        slopes = a[:, 1:] if self.scale is None else a[:, 1:] / self.scale
        return np.hstack([a[:, :1], slopes if self.center is None else slopes + a[:, :1] * self.center])

    def unknowns(self, v: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
        """Value at the center, if it is counted, and slopes."""
        w = self.directions @ v
        slope = w if self.at_center is None else w[1:]
        slope = slope if self.scale is None else slope / self.scale[:, None]
        return (None if self.at_center is None else self.at_center @ v), slope

    def outside(self, b: np.ndarray) -> np.ndarray:
        """What of rows in units of the parameters lies outside the span."""
        return b - (b @ self.directions) @ self.directions.T


def system(t: Triangle, fit_intercept: bool = True, standardize: bool = False) -> System:
    """Centred rows with an intercept; rows about the origin without one.

    Standardized columns have mean zero, so without an intercept they still pass through the mean of
    the columns, at the value zero.
    """
    d, k = t.n_columns, t.header.n_outputs
    if fit_intercept or standardize:
        value = t.target_means if fit_intercept else np.zeros(k)
        left = np.zeros((0, k)) if fit_intercept else np.sqrt(t.n) * t.target_means[None]
        flat = constant_columns(t)
        R, Z = _without(t.factor[1:, 1 : 1 + d], flat), t.factor[1:, 1 + d :]
        return System(t, R, Z, t.raw_scale() if standardize else None, flat, t.mean_x, value, left)
    moved_by = np.sqrt(t.n) * np.abs(t.layout.shift_x)
    t = t.without_intercept()
    A = qr_trapezoid(t.factor[:, 1:])
    zero = np.linalg.norm(A[:, :d], axis=0) <= 16 * EPS * moved_by  # what moving the shift leaves of nothing
    A[:, :d] = _without(A[:, :d], zero)
    return System(
        t, A[:, :d], A[:, d:], None, zero, np.zeros(d), np.zeros(k), np.zeros((0, k)),
        at_mean=False,
    )  # fmt: skip


def system_with_intercept(t: Triangle, standardize: bool = False) -> System:
    """Rows about the mean of the columns, with the value there as one more unknown."""
    d, k = t.n_columns, t.header.n_outputs
    R, Z = t.factor[:, : 1 + d].copy(), t.factor[:, 1 + d :].copy()
    R[:, 1:] = _without(R[:, 1:], constant_columns(t))
    R[0, 1:], Z[0] = 0.0, np.sqrt(t.n) * t.target_means
    value, none = np.zeros(k), np.zeros(d, dtype=bool)
    scale = t.raw_scale() if standardize else None
    return System(t, R, Z, scale, none, t.mean_x, value, np.zeros((0, k)), counted=True)


def _without(R: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """Columns that do not vary as zeros: what rounding left in them means nothing."""
    return np.where(flat, 0.0, R) if flat.any() else R


def penalty_map(t: Triangle, scale: np.ndarray | None) -> np.ndarray:
    """Weights on the raw columns (or on those divided by their standard deviation) from weights here."""
    C = t.layout.raw_transfer()[0].astype(float)
    return C if scale is None else scale[:, None] * C


def solve(
    t: Triangle, fit_intercept: bool = True, rcond: float | None = None, standardize: bool = False
) -> Solution:
    """Least squares with the rank rules of this module."""
    s = system(t, fit_intercept, standardize)
    d, tolerance = t.n_columns, RANK_TOLERANCE if rcond is None else rcond
    scale = np.linalg.norm(s.R, axis=0)
    active = np.flatnonzero((scale > 0) & ~s.constant)
    Q, T, order = qr_pivoted(s.R[:, active] / scale[active])
    rank = int(np.sum(np.abs(np.diagonal(T)) > tolerance * (abs(T[0, 0]) if T.size else 1.0)))
    kept, z = active[order], (Q.T @ s.Z)[:rank]
    null: np.ndarray | None
    if len(s.R) < d and s.triangle.layout.frame is None:
        basis, null = _smallest(s, T[:rank] * scale[kept], kept), None
    elif rank == d:
        basis, null = np.empty((d, d)), np.zeros((d, 0))
        basis[kept] = solve_triangle(T, np.eye(d)) / scale[kept, None]
    elif (
        rank == len(active) and s.triangle.layout.frame is None
    ):  # the others are constant: their weight is 0
        basis, null = np.zeros((d, rank)), np.delete(np.eye(d), active, axis=1)
        basis[kept] = solve_triangle(T, np.eye(rank)) / scale[kept, None]
    else:
        basis, null = _minimum_norm(s.penalty, T[:rank] * scale[kept], kept)
    residual = np.vstack([s.left_over, s.Z - Q[:, :rank] @ z])
    constant = tuple(map(int, np.flatnonzero(s.constant | (scale == 0))))
    dependent = tuple(sorted(map(int, kept[rank:])))
    condition = abs(float(T[0, 0] / T[rank - 1, rank - 1])) if rank else 1.0
    return Solution(
        s.function(basis @ z), residual, basis, null, constant, dependent, fit_intercept, condition, s.scale
    )


def truncated(t: Triangle, cutoff: float, fit_intercept: bool = True, standardize: bool = False) -> Solution:
    """Least squares by truncated singular values: A = U S Vᵀ of the columns whose weights matter, w = V S⁺ Uᵀ y.

    A has raw columns, centred with an intercept, or standardized ones. Singular values up to `cutoff` times the largest
    count as zero, so that their directions have weight zero, as in the pseudo-inverse.
    """
    s = system(t, fit_intercept, standardize)
    if s.is_diagonal:
        U, size, Vt = svd(s.R / s.sizes)
        back = Vt.T / s.sizes[:, None]
    else:
        to_here = solve_square(s.penalty, np.eye(t.n_columns), SIZES)  # from those weights
        U, size, Vt = svd(s.R @ to_here)
        back = to_here @ Vt.T
    largest = size[0] if len(size) else 0.0
    rank = int(np.sum(size > max(cutoff, RANK_TOLERANCE) * largest))
    basis, z = back[:, :rank] / size[:rank], U[:, :rank].T @ s.Z
    residual = np.vstack([s.left_over, s.Z - U[:, :rank] @ z])
    condition = float(largest / size[rank - 1]) if rank else 1.0
    none = np.zeros((t.n_columns, 0))  # what was dropped is known to be zero, not unknown
    return Solution(s.function(basis @ z), residual, basis, none, (), (), fit_intercept, condition)


def constant_columns(t: Triangle) -> np.ndarray:
    """Which columns of the design do not vary, up to the rounding of their values and of their shift."""
    d = t.n_columns
    centred = column_lengths(t.factor[1:, 1 : 1 + d])
    reach = np.maximum(np.abs(t.mean_x), np.abs(t.layout.shift_x))
    return centred <= 16 * EPS * np.hypot(centred, np.sqrt(t.n) * reach)


def off_center(t: Triangle, inputs: int, degree: int, start: int = 0) -> str | None:
    """Why powers in the frame of a triangle have lost digits for its rows, if they have.

    Rows that sit far from the origin of the frame, in units of their own spread, make powers nearly
    collinear: a condition of about (1 + |mean|/std)^degree, which rows in a frame of their own do not have.
    """
    first = slice(start, start + inputs)  # the columns of degree one
    varies = ~constant_columns(t)[first]
    distance = np.abs(t.mean_x[first][varies]) / t.scale()[first][varies]
    if degree < 2 or not np.any(degree * np.log10(1 + distance) > 6):
        return None
    return "its rows lie far from the center of all rows, where powers lose digits"


def _smallest(s: System, T: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """The same B for columns that are raw but for their units, without a map of all directions."""
    M = np.zeros((len(T), s.size))
    M[:, kept] = T
    L, Q = span_of_rows(M / s.sizes)
    inverse = solve_square(L, np.eye(len(L)), SIZES)
    return (Q / s.sizes[:, None]) @ inverse


def _minimum_norm(penalty: np.ndarray, T: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(B, N): B z is the u with T u[kept] = z and the smallest ‖penalty u‖; N spans the undetermined u."""
    rank, d = len(T), len(penalty)
    M = np.zeros((rank, d))
    M[:, kept] = T
    Q, R = complete_qr(solve_square(penalty.T, M.T, SIZES))  # (M penalty⁻¹)ᵀ
    here = solve_square(penalty, Q, SIZES)
    return here[:, :rank] @ solve_triangle(R[:rank], np.eye(rank), transpose=True), here[:, rank:]


def repeated(a: np.ndarray, n: int) -> np.ndarray:
    """One after another, again and again, up to n entries."""
    return np.broadcast_to(a, (n // len(a) if len(a) else 0, len(a))).ravel()
