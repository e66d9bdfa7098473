r"""Correlations of columns with gaps: each pair of columns from the rows where both have a finite number.

n_ij rows have both; m_ij is the mean of column i over them, v_ij its scatter, c_ij = Σ (x_i − m_ij)(x_j − m_ji).

    r_ij = c_ij / √(v_ij v_ji)                                                             eq. 4.7

Parts are joined pair by pair by the shift formula of `Moments`. Columns are scaled by a power of two, so no square
leaves the range of numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import HeaderMismatch
from suffice._core.records import record

LOWEST = -1000  # exponent of a column without numbers


@record
class PairMoments:
    """Counts, means, scatters and co-scatters of all pairs of columns; of x · 2^(−exponent) each.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.statistics.pairs import PairMoments
    >>> PairMoments.of(np.array([[1.0, 2.0], [2.0, 4.0], [np.nan, 0.0], [4.0, 8.0]])).correlation
    array([[1., 1.],
           [1., 1.]])
    """

    n: np.ndarray
    mean: np.ndarray
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
        shift = X.sum(axis=0) / np.maximum(one.sum(axis=0), 1)
        X = (X - shift) * one if gaps else X - shift
        n, sums, squares = (A.T @ one for A in (one, X, X * X)) if gaps else _without_gaps(X)
        mean = sums / np.maximum(n, 1)
        scatter = np.maximum(squares - n * mean**2, 0.0)
        return cls(
            n, np.where(n > 0, mean + shift[:, None], 0.0), scatter, X.T @ X - n * mean * mean.T, exponent
        )

    @property
    def correlation(self) -> np.ndarray:
        """NaN where a column does not vary over the rows that count."""
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = np.sqrt(self.scatter)
            tiny = spread <= 1e-14 * np.sqrt(self.n) * np.abs(self.mean)
            r = self.together / (spread * spread.T)
        r[tiny | tiny.T | (self.n < 2)] = np.nan
        return np.clip(r, -1, 1)

    def __add__(self, other: PairMoments) -> PairMoments:
        if self.n.shape != other.n.shape:
            raise HeaderMismatch(f"Cannot add pairs of {len(self.n)} and {len(other.n)} columns.")
        e = np.maximum(self.exponent, other.exponent)
        a, b = self._at(e), other._at(e)
        n = a.n + b.n
        share = b.n / np.maximum(n, 1)
        gap = b.mean - a.mean
        both = a.n * share
        together = a.together + b.together + both * gap * gap.T
        return PairMoments(n, a.mean + share * gap, a.scatter + b.scatter + both * gap**2, together, e)

    def _at(self, exponent: np.ndarray) -> PairMoments:
        by = self.exponent - exponent
        mean, scatter = np.ldexp(self.mean, by[:, None]), np.ldexp(self.scatter, 2 * by[:, None])
        return PairMoments(self.n, mean, scatter, np.ldexp(self.together, by[:, None] + by), exponent)


def _without_gaps(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    shape = (X.shape[1], X.shape[1])
    sums, squares = X.sum(axis=0)[:, None], np.einsum("ij,ij->j", X, X)[:, None]
    return np.full(shape, float(len(X))), np.broadcast_to(sums, shape), np.broadcast_to(squares, shape)
