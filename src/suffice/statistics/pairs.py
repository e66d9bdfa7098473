r"""Correlations of columns with gaps: each pair of columns from the rows where both have a finite number.

n_ij rows have both; m_ij is the mean of column i over them, v_ij its scatter, c_ij = Σ (x_i − m_ij)(x_j − m_ji).

    s_ij = c_ij / (n_ij − 1),   r_ij = c_ij / √(v_ij v_ji)                                 eq. 4.6, 4.7

Parts are joined pair by pair by the shift formula of `Moments`. Columns are scaled by a power of two, so no square
leaves the range of numbers. Means are kept as a value of the column and an offset from it: a large mean costs no
digits, and a column of one value has no spread at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import HeaderMismatch
from suffice._core.records import record

LOWEST = -1000  # exponent of a column without numbers
ROUNDED = 1e-13  # of a number, what rounding may leave where there is no spread


@record
class PairMoments:
    """Counts, means (shift + offset), scatters and co-scatters of all pairs of columns; of x · 2^(−exponent) each.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.statistics.pairs import PairMoments
    >>> PairMoments.of(np.array([[1.0, 2.0], [2.0, 4.0], [np.nan, 0.0], [4.0, 8.0]])).correlation
    array([[1., 1.],
           [1., 1.]])
    """

    n: np.ndarray
    shift: np.ndarray  # one per column
    offset: np.ndarray
    scatter: np.ndarray
    together: np.ndarray
    exponent: np.ndarray

    @classmethod
    def of(cls, X: Any) -> PairMoments:
        """Of the rows of a table of numbers; NaN and infinite cells count as gaps."""
        X = np.array(X, dtype=float)
        here = np.isfinite(X)
        if gaps := not here.all():
            X[~here] = 0.0
        exponent = np.frexp(np.abs(X).max(axis=0, initial=0.0))[1]
        exponent = np.where(here.any(axis=0), np.maximum(exponent, LOWEST), LOWEST)
        X = np.ldexp(X, -exponent)
        one = here.astype(float)
        shift = X[here.argmax(axis=0), np.arange(X.shape[1])] if len(X) else np.zeros(X.shape[1])
        X = (X - shift) * one if gaps else X - shift
        middle = X.sum(axis=0) / np.maximum(one.sum(axis=0), 1)
        X = (X - middle) * one if gaps else X - middle
        n, sums, squares = (A.T @ one for A in (one, X, X * X)) if gaps else _without_gaps(X)
        mean = sums / np.maximum(n, 1)
        scatter = squares - n * mean**2
        scatter = np.where(scatter > ROUNDED * squares, scatter, 0.0)
        offset = np.where(n > 0, mean + middle[:, None], 0.0)
        return cls(n, shift, offset, scatter, X.T @ X - n * mean * mean.T, exponent)

    @property
    def correlation(self) -> np.ndarray:
        """NaN where a column does not vary over the rows that count."""
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = np.sqrt(self.scatter)
            own = np.sqrt(self.scatter.diagonal() / np.maximum(self.n.diagonal(), 1))[:, None]
            tiny = spread <= ROUNDED * np.sqrt(self.n) * np.maximum(own, 0.1 * np.abs(self.offset))
            r = self.together / (spread * spread.T)
        r[tiny | tiny.T | (self.n < 2)] = np.nan
        return np.clip(r, -1, 1)

    @property
    def covariance(self) -> np.ndarray:
        """With divisor n − 1, as the variance; NaN where fewer than two rows count."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            scaled = np.where(self.n > 1, self.together / (self.n - 1), np.nan)
            return np.ldexp(np.ldexp(scaled, self.exponent[:, None]), self.exponent)

    def __add__(self, other: PairMoments) -> PairMoments:
        if self.n.shape != other.n.shape:
            raise HeaderMismatch(f"Cannot add pairs of {len(self.n)} and {len(other.n)} columns.")
        e = np.maximum(self.exponent, other.exponent)
        a, b = self._at(e), other._at(e)
        n = a.n + b.n
        share = b.n / np.maximum(n, 1)
        shift = np.where(a.n.diagonal() > 0, a.shift, b.shift)
        ours, theirs = (m.offset + (m.shift - shift)[:, None] for m in (a, b))
        gap = np.where((a.n > 0) & (b.n > 0), theirs - ours, 0.0)
        offset = np.where(a.n > 0, ours + share * gap, theirs)
        both = a.n * share
        together = a.together + b.together + both * gap * gap.T
        return PairMoments(n, shift, offset, a.scatter + b.scatter + both * gap**2, together, e)

    def _at(self, exponent: np.ndarray) -> PairMoments:
        by = self.exponent - exponent
        shift, offset = np.ldexp(self.shift, by), np.ldexp(self.offset, by[:, None])
        scatter, together = np.ldexp(self.scatter, 2 * by[:, None]), np.ldexp(self.together, by[:, None] + by)
        return PairMoments(self.n, shift, offset, scatter, together, exponent)


def _without_gaps(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    shape = (X.shape[1], X.shape[1])
    sums, squares = X.sum(axis=0)[:, None], np.einsum("ij,ij->j", X, X)[:, None]
    return np.full(shape, float(len(X))), np.broadcast_to(sums, shape), np.broadcast_to(squares, shape)
