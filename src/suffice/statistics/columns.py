r"""Count, mean and spread of every column on its own: values that add, also where cells are missing.

Over the cells of a column that are there, with weights w,

    n = Σ w,    m = Σ w x / n,    r = √(Σ w (x − m)²)

and two parts are joined by Chan's formula,

    m = m₁ + (n₂/n) (m₂ − m₁),    r² = r₁² + r₂² + (n₁ n₂/n) (m₂ − m₁)²

The root r is kept, not r²: like the factor of a triangle it exists for every column of finite numbers,
where squares of 1e200 overflow and those of 1e-200 vanish. Columns do not know each other, so a missing
cell costs its column one count and the other columns nothing.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from suffice._core.errors import IllConditioned, InvalidInput, NumericalError, warn
from suffice._core.linalg import EPS
from suffice._core.numerics import first_nonfinite
from suffice._core.records import frozen_array, record, same_columns
from suffice.statistics.downdate import REFUSE, WORRY
from suffice.statistics.header import Header

FLAT = 16 * EPS
BLOCK = 1 << 16  # cells
Part = tuple[np.ndarray, np.ndarray, np.ndarray]  # n, m, r per column


@record
class ColumnMoments:
    """Weight, mean and root of the scatter of each column, missing cells left out.

    `n` is the weight of the cells that are there, column by column; `weight` and `rows` belong to the
    whole table. A column without any cell has n = 0.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.statistics.columns import ColumnMoments
    >>> m = ColumnMoments.of([[1.0, 5.0], [2.0, np.nan]]) + ColumnMoments.of([[6.0, 7.0]])
    >>> print(m.n, m.mean, m.variance.round(4))
    [3. 2.] [3. 6.] [4.6667 1.    ]
    """

    header: Header
    rows: int
    weight: float
    n: np.ndarray
    mean: np.ndarray
    norm: np.ndarray

    @classmethod
    def of(cls, X: Any, sample_weight: Any = None) -> ColumnMoments:
        """Moments of the columns of a table; NaN is a missing cell, infinity an error."""
        X = X.tocsr() if hasattr(X, "toarray") else np.asarray(X, dtype=float)
        if X.ndim != 2:
            raise InvalidInput(f"X must have two dimensions; got shape {X.shape}.")
        w = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        if w is not None and (w.shape != X.shape[:1] or not np.all((w >= 0) & (w < np.inf))):
            raise InvalidInput("sample_weight must be one finite, non-negative number per row.")
        if place := first_infinite(X):
            raise InvalidInput(f"X contains {place}; a mean needs finite numbers.")
        return gather_columns(Header(X.shape[1], n_targets=0), X, w)

    @property
    def scatter(self) -> np.ndarray:
        """Σ w (x − mean)²."""
        with np.errstate(over="ignore", under="ignore"):
            return self.norm**2

    @property
    def std(self) -> np.ndarray:
        """Standard deviations, divisor n; NaN where a column has no cell."""
        with np.errstate(invalid="ignore"):
            return self.norm / np.sqrt(self.n)

    @property
    def variance(self) -> np.ndarray:
        """Scatter / n; NaN where a column has no cell."""
        with np.errstate(over="ignore", under="ignore"):
            return self.std**2

    @property
    def constant(self) -> np.ndarray:
        """Which columns do not vary: centred norm ≤ 16 eps × uncentred norm."""
        return self.norm <= FLAT * np.hypot(self.norm, np.sqrt(self.n) * np.abs(self.mean))

    @property
    def mean_x(self) -> np.ndarray:
        """The means, under the name that triangles have for them."""
        return self.mean

    def scale(self) -> np.ndarray:
        """Standard deviations of the columns (divisor n); one for constant columns and those without a cell."""
        flat = self.constant | (self.n == 0)
        return np.where(flat, 1.0, np.where(flat, 1.0, self.norm) / np.sqrt(np.where(flat, 1.0, self.n)))

    def rescaled(self, columns: np.ndarray, center: np.ndarray, scale: np.ndarray) -> ColumnMoments:
        """The moments of (X[columns] − center) / scale."""
        header = Header(len(columns), None, None, self.header.n_targets)
        part = self.n[columns], (self.mean[columns] - center) / scale, self.norm[columns] / scale
        return _made(header, self.rows, self.weight, part)

    @property
    def fingerprint(self) -> tuple[int, float]:
        """Rows and total weight: there are no targets to tell apart."""
        return self.rows, self.weight

    @same_columns
    def __add__(self, other: ColumnMoments) -> ColumnMoments:
        part = _joined((self.n, self.mean, self.norm), (other.n, other.mean, other.norm))
        return _made(self.header, self.rows + other.rows, self.weight + other.weight, part)

    @same_columns
    def __sub__(self, other: ColumnMoments) -> ColumnMoments:
        if other.weight > self.weight * (1 + 1e-12):
            raise NumericalError(f"Cannot take a weight of {other.weight:g} out of {self.weight:g}.")
        n = self.n - other.n
        if np.any(n < -1e-12 * self.n):
            name = self.header.feature_names[int(np.argmin(n))]
            raise NumericalError(f"Cannot take more cells out of column {name!r} than are in it.")
        n = np.where(n > 1e-12 * self.n, n, 0.0)
        rows = max(self.rows - other.rows, 1)  # a row of weight 3 stays when weight 1 of it goes
        return _made(self.header, rows, self.weight - other.weight, _rest(self, other, n))

    def __repr__(self) -> str:
        return f"ColumnMoments(n={self.weight:g}, columns={len(self.n)})"


def gather_columns(header: Header, X: Any, weight: np.ndarray | None = None) -> ColumnMoments:
    """One pass over validated rows, dense or CSR; empty and zero-weight parts are fine."""
    w = np.ones(X.shape[0]) if weight is None else weight
    if not np.all(w > 0):
        X, w = X[w > 0], w[w > 0]
    with np.errstate(over="ignore"):  # a spread beyond 1e308 is left as infinity for `solve` to name
        part = _of_sparse(X, w) if hasattr(X, "toarray") else _of_blocks(X, w)
    return _made(header, len(w), float(w.sum()), part)


def first_infinite(X: Any) -> str | None:
    """Where the first infinity is, in words; None if there is none, NaN or not."""
    if not np.isinf(X.data if hasattr(X, "toarray") else X).any():
        return None
    X = X.toarray() if hasattr(X, "toarray") else X
    return first_nonfinite(np.where(np.isnan(X), 0.0, X), tuple(f"x{j}" for j in range(X.shape[1])))


def _made(header: Header, rows: int, weight: float, part: Part) -> ColumnMoments:
    return ColumnMoments(header, rows, weight, *map(frozen_array, part))


# -- one part -----------------------------------------------------------------------------------------
def _of_blocks(X: np.ndarray, w: np.ndarray) -> Part:
    """Blocks that fit a cache, joined one after the other."""
    step = max(BLOCK // max(X.shape[1], 1), 64)
    cuts = [slice(a, a + step) for a in range(0, max(len(w), 1), step)]
    return reduce(_joined, (_of_dense(np.asarray(X[cut], dtype=float), w[cut]) for cut in cuts))


def _of_dense(X: np.ndarray, w: np.ndarray) -> Part:
    """About the mean, then once more about what its rounding left; in units of the largest cell."""
    gaps = np.isnan(X)
    holes = gaps.any()
    W = np.where(gaps, 0.0, w[:, None]) if holes else np.broadcast_to(w[:, None], X.shape)
    n = W.sum(axis=0) if holes else np.full(X.shape[1], w.sum())
    low, high = np.fmin.reduce(X, axis=0, initial=np.inf), np.fmax.reduce(X, axis=0, initial=-np.inf)
    low, high = np.where(n > 0, low, 0.0), np.where(n > 0, high, 0.0)
    unit = _unit(low, high)
    U = X / unit

    def total(values: np.ndarray) -> np.ndarray:
        return np.einsum("nd,nd->d", W, values) if holes else w @ values

    U[gaps] = 0.0
    m = np.clip(_over(total(U), n), low / unit, high / unit)  # exact for a constant column
    U -= m
    rounding = _over(total(U), n)
    U *= U
    r = np.sqrt(np.maximum(total(U) - n * rounding**2, 0.0))
    return n, unit * (m + rounding), unit * r


def _of_sparse(X: Any, w: np.ndarray) -> Part:
    """The stored cells, joined with the zeros between them."""
    X, d = X.tocsc(), X.shape[1]
    X.sum_duplicates()
    column, x, v = np.repeat(np.arange(d), np.diff(X.indptr)), X.data.astype(float), w[X.indices]
    gap = np.isnan(x)
    missing = np.bincount(column[gap], v[gap], minlength=d)
    column, x, v = column[~gap], x[~gap], v[~gap]
    low, high = np.full(d, np.inf), np.full(d, -np.inf)
    np.minimum.at(low, column, x)
    np.maximum.at(high, column, x)
    n = np.bincount(column, v, minlength=d)
    low, high = np.where(n > 0, low, 0.0), np.where(n > 0, high, 0.0)
    unit = _unit(low, high)
    u = x / unit[column]
    m = np.clip(_over(np.bincount(column, v * u, minlength=d), n), low / unit, high / unit)
    u -= m[column]
    rounding = _over(np.bincount(column, v * u, minlength=d), n)
    r = np.sqrt(np.maximum(np.bincount(column, v * u**2, minlength=d) - n * rounding**2, 0.0))
    zeros = np.maximum(w.sum() - missing - n, 0.0)
    return _joined((n, unit * (m + rounding), unit * r), (zeros, np.zeros(d), np.zeros(d)))


def _unit(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """A power of two near the largest cell: dividing by it is exact and leaves squares in range."""
    exponent = np.frexp(np.maximum(np.abs(low), np.abs(high)))[1]
    return np.ldexp(1.0, np.clip(exponent, -1000, 1000))


def _over(a: np.ndarray, n: np.ndarray) -> np.ndarray:
    return np.divide(a, n, out=np.zeros_like(n), where=n > 0)


# -- two parts ----------------------------------------------------------------------------------------
def _joined(a: Part, b: Part) -> Part:
    """Chan's formula; a column that one part has not seen comes from the other."""
    (n1, m1, r1), (n2, m2, r2) = a, b
    n = n1 + n2
    share = _over(n2, n)
    with np.errstate(over="ignore", invalid="ignore"):
        gap = m2 - m1
        return n, m1 + share * gap, np.hypot(np.hypot(r1, r2), np.sqrt(n1 * share) * np.abs(gap))


def _rest(whole: ColumnMoments, gone: ColumnMoments, n: np.ndarray) -> Part:
    """Chan's formula read backwards, where enough of the scatter is left to be known."""
    left = n > 0
    gap = np.where(left, gone.mean - whole.mean, 0.0)
    mean = np.where(left, whole.mean - _over(gone.n, n) * gap, 0.0)
    lost = np.hypot(gone.norm, np.sqrt(gone.n * _over(whole.n, n)) * np.abs(gap))
    flat = whole.constant
    kept = 1 - np.divide(lost, whole.norm, out=np.ones_like(lost), where=~flat) ** 2
    unchanged = lost <= 1e-8 * np.hypot(whole.norm, np.sqrt(whole.n) * np.abs(whole.mean))
    _check_rest(whole.header, np.where(~left | (gone.n == 0) | (flat & unchanged), 1.0, kept))
    return n, mean, np.where(left, whole.norm * np.where(flat, 1.0, np.sqrt(np.maximum(kept, 0.0))), 0.0)


def _check_rest(header: Header, kept: np.ndarray) -> None:
    worst = int(np.argmin(kept)) if kept.size else 0
    if kept.size and kept[worst] < REFUSE:
        raise NumericalError(
            f"These rows cannot be taken out: of the spread of column {header.feature_names[worst]!r} a share of "
            f"{kept[worst]:.2g} would remain (needed {REFUSE:g}). Fit the remaining rows anew; were these ever in?"
        )
    if kept.size and kept[worst] < WORRY:
        warn(
            f"Taking these rows out leaves a share of {kept[worst]:.2g} of the spread of column "
            f"{header.feature_names[worst]!r}, so digits are lost. Fit the remaining rows anew if you can.",
            IllConditioned,
        )
