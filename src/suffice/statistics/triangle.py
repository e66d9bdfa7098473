r"""The triangle: everything a linear-Gaussian model can know about N rows, in min(N, p) × p numbers.

For the columns A = √w · [1, Φ − c, Y − d] the triangle is the factor R of A = Q R, built block by
block (`gathering.py`), so that

    RᵀR = AᵀA      (cross-products, without losing digits to the condition of the columns)

Its first row holds the total weight and the means, the rest is the triangle of the *centred*
columns. Triangles of disjoint rows add (stack and factor again) and, while the rest stays well
conditioned, subtract. The shift (c, d) is a provisional center: it keeps columns with huge means exact
and is moved without cost. With fewer rows than columns the triangle is a trapezoid: rows of zeros are not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, NumericalError, Unsupported, as_numbers
from suffice._core.linalg import column_lengths, positive_diagonal, qr_trapezoid, svd
from suffice._core.memory import need_memory
from suffice._core.numerics import first_nonfinite
from suffice._core.records import frozen_array, record, same_columns
from suffice._core.threads import one_blas_thread
from suffice.statistics import lstsq as _lstsq
from suffice.statistics import penalized as _penalized
from suffice.statistics.downdate import downdate
from suffice.statistics.gathering import count, factor_of_rows, factors_of_groups
from suffice.statistics.header import Fingerprint, Header
from suffice.statistics.layout import Layout

MAX_COLUMNS = 20_000
ROUNDING = 16 * np.finfo(float).eps


@record
class Triangle:
    """Factor, layout and counts. Build one with `Triangle.of(X, y, sample_weight)`.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.statistics import Triangle
    >>> X, y = np.array([[1.0], [3.0], [5.0]]), np.array([4.8, 11.3, 17.2])
    >>> both = Triangle.of(X[:2], y[:2]) + Triangle.of(X[2:], y[2:])
    >>> both.n, both.lstsq().weights.round(6)
    (3.0, array([1.8, 3.1]))
    """

    factor: np.ndarray
    layout: Layout
    rows: int
    n: float
    log_weight: float = 0.0

    # -- building ---------------------------------------------------------------------------------
    @classmethod
    def of(cls, X: Any, y: Any = None, sample_weight: Any = None) -> Triangle:
        """The triangle of a table; `y` may be a vector, a matrix or absent."""
        X = X if hasattr(X, "toarray") else np.asarray(X, dtype=float)
        if X.ndim != 2:
            raise InvalidInput(f"X must have two dimensions; got shape {X.shape}.")
        y = np.zeros((X.shape[0], 0)) if y is None else np.asarray(y, dtype=float)
        if y.ndim not in (1, 2) or len(y) != X.shape[0]:
            raise InvalidInput(f"y must have one entry per row of X ({X.shape[0]}); got shape {y.shape}.")
        weight = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        if weight is not None and (
            weight.shape != (X.shape[0],) or not np.all((weight >= 0) & (weight < np.inf))
        ):
            raise InvalidInput("sample_weight must be one finite, non-negative number per row.")
        for name, values in (("X", X.data if hasattr(X, "toarray") else X), ("y", y)):
            if place := first_nonfinite(values):
                raise InvalidInput(f"{name} contains {place}.")
        n_targets, Y = (None if y.ndim == 1 else y.shape[1]), y.reshape(X.shape[0], -1)
        layout = Layout.plan(Header(X.shape[1], n_targets=n_targets), X, Y, weight)
        with one_blas_thread():
            return gather(layout, X, Y, weight)

    @classmethod
    def empty(cls, layout: Layout) -> Triangle:
        """The zero of `+`."""
        return cls(frozen_array(np.zeros((0, 1 + len(layout.shift)))), layout, 0, 0.0, 0.0)

    def check_loaded(self) -> int:
        """Nothing is made; raises for rows without a weight in the factor."""
        first = float(self.factor[:1, :1].sum())  # zero where there is no row
        if self.n > 0 and not first > 0:
            raise InvalidInput(f"The factor begins with {first:g} for a weight of {self.n:g}.")
        return 0

    # -- reading ----------------------------------------------------------------------------------
    @property
    def header(self) -> Header:
        return self.layout.header

    @property
    def n_columns(self) -> int:
        return self.layout.n_columns

    @property
    def mean(self) -> np.ndarray:
        """Weighted means of all columns, targets last, in this triangle's frame."""
        return self.layout.shift + self._offset

    @property
    def mean_offset(self) -> np.ndarray:
        """Means of the columns of the design from the shift: exact where the means themselves are rounded."""
        return self._offset[: self.n_columns]

    @property
    def _offset(self) -> np.ndarray:
        first = self.factor[:1].sum(axis=0)  # zero where there is no row
        return first[1:] / first[0] if first[0] > 0 else np.zeros(len(first) - 1)

    @property
    def mean_x(self) -> np.ndarray:
        return self.mean[: self.n_columns]

    @property
    def target_means(self) -> np.ndarray:
        return self.mean[self.n_columns :]

    @property
    def mean_y(self) -> Any:
        """The mean of the target, or of each if y was a matrix."""
        return self.target_means[0] if self.header.n_targets is None else self.target_means

    @property
    def scatter_y(self) -> np.ndarray:
        """Σ w (y − ȳ)² per target."""
        return np.sum(self.factor[1:, 1 + self.n_columns :] ** 2, axis=0)

    @property
    def fingerprint(self) -> Fingerprint:
        """n, Σw, Σwy and Σwy² of the targets, read off the factor."""
        mean = self.target_means
        return Fingerprint(
            self.rows,
            self.n,
            frozen_array(self.n * mean),
            frozen_array(self.scatter_y + self.n * mean**2),
        )

    # -- algebra ----------------------------------------------------------------------------------
    @same_columns
    def __add__(self, other: Triangle) -> Triangle:
        if other.n == 0:
            return self
        if self.n == 0:
            return other
        p = self.factor.shape[1]
        _check_size(p, min(p, len(self.factor) + len(other.factor)))
        layout = self.layout.union(other.layout)
        mine, theirs = self.moved(layout), other.moved(layout)
        with one_blas_thread():
            factor = qr_trapezoid(mine.factor, theirs.factor)
        return Triangle(
            frozen_array(factor),
            layout,
            self.rows + other.rows,
            self.n + other.n,
            self.log_weight + other.log_weight,
        )

    @same_columns
    def __sub__(self, other: Triangle) -> Triangle:
        if other.n == 0:
            return self
        if other.n > self.n * (1 + 1e-12):
            raise NumericalError(f"Cannot take a weight of {other.n:g} out of {self.n:g}.")
        factor = downdate(self.factor, other.moved(self.layout).factor, 1 + self.n_columns)
        return Triangle(
            frozen_array(factor),
            self.layout,
            max(self.rows - other.rows, 1),  # a row of weight 3 stays when weight 1 of it goes
            self.n - other.n,
            self.log_weight - other.log_weight,
        )

    def moved(self, layout: Layout) -> Triangle:
        """The same rows seen from another frame and shift."""
        if layout == self.layout:
            return self
        if layout.frame == self.layout.frame:
            return self._shifted(layout)
        A, b = self.layout.transfer(layout.frame)
        return self._mapped(A, b, layout)

    def _shifted(self, layout: Layout) -> Triangle:
        """From another shift in the same frame: only the first row changes."""
        factor = self.factor.copy()
        factor[:1, 1:] += factor[:1, :1] * (self.layout.shift - layout.shift)
        return Triangle(frozen_array(factor), layout, self.rows, self.n, self.log_weight)

    def _mapped(self, A: np.ndarray, b: np.ndarray, layout: Layout) -> Triangle:
        d, k = self.n_columns, self.header.n_outputs
        T = np.zeros((1 + d + k, 1 + A.shape[1] + k))
        T[0, 0] = 1
        T[0, 1 : 1 + A.shape[1]] = self.layout.shift_x @ A + b - layout.shift_x
        T[0, 1 + A.shape[1] :] = self.layout.shift_y - layout.shift_y
        T[1 : 1 + d, 1 : 1 + A.shape[1]] = A
        T[1 + d :, 1 + A.shape[1] :] = np.eye(k)
        columns = self.factor @ T
        columns[1:, 1 : 1 + A.shape[1]][:, self._cancels(A, columns)] = 0
        if A.shape[0] != A.shape[1] or np.any(np.tril(columns, -1)):
            columns = qr_trapezoid(columns)
        columns = positive_diagonal(columns)
        return Triangle(frozen_array(columns), layout, self.rows, self.n, self.log_weight)

    def _cancels(self, A: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Which of the columns Φ A are constant but for the rounding of larger ones that they are differences of.

        Such a column appears where rows are taken away, as x₁ x₂ without the only row with x₂ ≠ 0. Its rounding must
        not pass for a spread, by which it would be divided.
        """
        d = self.n_columns
        reach = np.maximum(np.abs(self.mean_x), np.abs(self.layout.shift_x))
        size = np.hypot(column_lengths(self.factor[1:, 1 : 1 + d]), np.sqrt(self.n) * reach)
        left = column_lengths(columns[1:, 1 : 1 + A.shape[1]])
        sums = np.count_nonzero(A, axis=0) > 1
        return sums & (left <= ROUNDING * (size @ np.abs(A.astype(float))))

    # -- maps of the columns ------------------------------------------------------------------------
    def affine(self, A: Any, b: Any = 0.0, names: tuple[str, ...] | None = None) -> Triangle:
        """The triangle of the columns Φ A + b in place of Φ."""
        A = np.asarray(A, dtype=float)
        b = np.broadcast_to(np.asarray(b, dtype=float), (A.shape[1],))
        header = Header(A.shape[1], names, None, self.header.n_targets)
        shift = np.concatenate([self.layout.shift_x @ A + b, self.layout.shift_y])
        return self._mapped(A, b, Layout(header, frozen_array(shift)))

    def select(self, columns: Any) -> Triangle:
        """The triangle of some of the columns, in the order given."""
        index = np.arange(self.n_columns)[columns]
        names = tuple(np.array(self.header.column_names, dtype=object)[index])
        return self.affine(np.eye(self.n_columns)[:, index], 0.0, names)

    def target(self, j: int) -> Triangle:
        """The triangle of all columns and one of the targets."""
        d, h = self.n_columns, self.header
        index = np.array([*range(1 + d), 1 + d + j])
        factor = qr_trapezoid(self.factor[:, index])
        layout = Layout(
            Header(h.n_features, h.features, h.basis, None),
            frozen_array(self.layout.shift[index[1:] - 1]),
            self.layout.frame,
        )
        return Triangle(frozen_array(factor), layout, self.rows, self.n, self.log_weight)

    def narrowed(self, header: Header, columns: Sequence[int]) -> Triangle:
        """The triangle of some of the columns under a header that describes them, in the same frame."""
        d, m = self.n_columns, len(columns)
        index = np.array([0, *(1 + j for j in columns), *range(1 + d, self.factor.shape[1])])
        factor = self.factor[:, index]
        if list(columns) == list(range(m)):  # leading columns: only the targets' rows below need folding
            below = qr_trapezoid(factor[1 + m :, 1 + m :])
            factor = np.vstack([factor[: 1 + m], np.hstack([np.zeros((len(below), 1 + m)), below])])
        else:
            factor = qr_trapezoid(factor)
        layout = Layout(header, frozen_array(self.layout.shift[index[1:] - 1]), self.layout.frame)
        return Triangle(frozen_array(factor), layout, self.rows, self.n, self.log_weight)

    def rescaled(
        self, columns: np.ndarray, center: np.ndarray, scale: np.ndarray, names: tuple[str, ...] | None = None
    ) -> Triangle:
        """The triangle of (Φ[columns] − center) / scale; huge means cancel before they are divided."""
        d, m = self.n_columns, len(columns)
        factor = self.factor[:, [0, *(1 + columns), *range(1 + d, self.factor.shape[1])]]
        factor[:, 1 : 1 + m] /= scale
        if m != d or np.any(columns != np.arange(d)):
            factor = qr_trapezoid(factor)
        shift = np.concatenate([(self.layout.shift_x[columns] - center) / scale, self.layout.shift_y])
        layout = Layout(Header(m, names, None, self.header.n_targets), frozen_array(shift))
        return Triangle(
            frozen_array(positive_diagonal(factor)), layout, self.rows, self.n, self.log_weight
        )  # fmt: skip

    def standardized(self) -> Triangle:
        """The triangle of (Φ − mean) / std, divisor n; constant columns become zero."""
        columns = np.arange(self.n_columns)
        return self.rescaled(columns, self.mean_x, self.scale(), self.header.column_names)

    def scale(self) -> np.ndarray:
        """Standard deviations of the columns (divisor n); one for constant columns."""
        norms = column_lengths(self.factor[1:, 1 : 1 + self.n_columns])
        flat = _lstsq.constant_columns(self)
        return np.where(flat, 1.0, norms / np.sqrt(max(self.n, np.finfo(float).tiny)))

    def raw_scale(self) -> np.ndarray:
        """Standard deviations of the raw columns, whatever frame this triangle is in."""
        return self.scale() if self.layout.frame is None else self.moved(self.layout.in_frame(None)).scale()

    def without_intercept(self) -> Triangle:
        """Moved so that a function with value zero at zero needs no constant column."""
        frame = None if self.layout.frame is None else self.layout.frame.at_origin
        zero = frozen_array(np.zeros_like(self.layout.shift))
        return self.moved(Layout(self.header, zero, frame))

    # -- answers ------------------------------------------------------------------------------------
    def lstsq(
        self, *, fit_intercept: bool = True, rcond: float | None = None, standardize: bool = False
    ) -> _lstsq.Solution:
        """Least squares; minimum norm in raw (or standardized) units where columns are dependent."""
        with one_blas_thread():
            return _lstsq.solve(self, fit_intercept, rcond, standardize)

    def truncated_lstsq(
        self, cutoff: float, *, fit_intercept: bool = True, standardize: bool = False
    ) -> _lstsq.Solution:
        """Least squares without the singular values up to `cutoff` times the largest."""
        with one_blas_thread():
            return _lstsq.truncated(self, cutoff, fit_intercept, standardize)

    def ridge(self, alphas: Any, *, fit_intercept: bool = True) -> _penalized.RidgePath:
        """Penalized least squares for all penalties from one decomposition."""
        with one_blas_thread():
            return _penalized.ridge_path(self, np.atleast_1d(as_numbers("alphas", alphas)), fit_intercept)

    def centered_svd(self) -> tuple[np.ndarray, np.ndarray]:
        """Singular values and right singular vectors (rows) of the centred design."""
        with one_blas_thread():
            _, s, vt = svd(self.factor[1:, 1 : 1 + self.n_columns])
        return s, vt

    def sse(self, weights: Any) -> Any:
        """Σ w (y − b − φᵀw)² for weights (b, w), intercept first, on the raw columns."""
        weights = np.asarray(weights, dtype=float)
        b, w = weights[0], weights[1:].reshape(self.n_columns, self.header.n_outputs)
        start = np.atleast_1d(b)
        here = w
        if self.layout.frame is not None:
            A, a = self.layout.transfer(None)  # raw columns from mine
            here, start = (A @ w).astype(float), start + (a @ w).astype(float)
        offset = start + self.layout.shift_x @ here - self.layout.shift_y
        total = self.squared_error(here, offset)
        return total[0] if self.header.n_targets is None else total

    def squared_error(self, slope: np.ndarray, offset: np.ndarray) -> np.ndarray:
        """Σ w (y − ŷ)² per target for ŷ − shift_y = offset + (Φ − shift_x) slope, in this frame.

        Several functions are compared with the same targets at once: one target after another in the
        columns of `slope`, again for each function.
        """
        return np.sum((self.factor @ self.against_targets(slope, offset)) ** 2, axis=0)

    def against_targets(self, slope: np.ndarray, offset: np.ndarray) -> np.ndarray:
        """The combination of columns that is ŷ − y, for each function and target."""
        d, columns = slope.shape
        k = self.header.n_outputs
        out = np.zeros((1 + d + k, columns))
        out[0], out[1 : 1 + d] = offset, slope
        for j in range(k):
            out[1 + d + j, j::k] = -1.0
        return out

    def __repr__(self) -> str:
        k = self.header.n_outputs
        return f"Triangle(n={self.n:g}, columns={self.n_columns}, targets={k})"


def _check_size(p: int, rows: int) -> None:
    if rows > MAX_COLUMNS:
        raise Unsupported(
            f"A triangle of {p} columns is too large; at most {MAX_COLUMNS} are supported, unless there are fewer rows."
        )
    need_memory(4 * 8 * p * rows, f"A triangle of {rows} rows and {p} columns", "Take fewer columns.")


def gather(layout: Layout, X: Any, Y: np.ndarray, weight: np.ndarray | None = None) -> Triangle:
    """The triangle of validated rows, in one pass over them."""
    p = 1 + len(layout.shift)
    _check_size(p, min(p, X.shape[0]))
    factor = factor_of_rows(layout, X, Y, weight)
    return Triangle(frozen_array(factor), layout, *count(X.shape[0], weight))


def gather_groups(
    layout: Layout, X: Any, Y: np.ndarray, weight: np.ndarray | None, group: np.ndarray, n_groups: int
) -> list[Triangle]:
    """The triangles of groups of validated rows, numbered from 0, in one pass over all of them."""
    factors = factors_of_groups(layout, X, Y, weight, group, n_groups)
    sizes = np.bincount(group, minlength=n_groups).tolist()
    return [
        Triangle(frozen_array(f), layout, *count(n, None if weight is None else weight[group == i]))
        for i, (f, n) in enumerate(zip(factors, sizes, strict=True))
    ]
