"""Count, mean and scatter of vectors: values that add, subtract and keep their digits.

Scatter is Σ w (x − mean)(x − mean)ᵀ. Two parts are joined by the exact shift formula

    S = S₁ + S₂ + (n₁ n₂ / n) (m₁ − m₂)(m₁ − m₂)ᵀ

so a large mean costs only the digits that its own rounding costs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import HeaderMismatch, IllConditioned, InvalidInput, NumericalError, warn
from suffice._core.numerics import first_nonfinite, strided_sample
from suffice._core.records import frozen_array, record, same_kind

HALF = 1e-8  # of a scatter: what is left is known to half of its digits


@record
class Moments:
    """n, mean and scatter of weighted rows.

    Examples
    --------
    >>> from suffice.statistics import Moments
    >>> m = Moments.of([1.0, 2.0]) + Moments.of([6.0])
    >>> float(m.n), float(m.mean), float(m.variance)
    (3.0, 3.0, 4.666666666666667)
    """

    n: float
    rows: int
    mean: np.ndarray
    scatter: np.ndarray

    def check_loaded(self) -> int:
        """Nothing is made; raises unless the scatter is that of so many columns."""
        if self.scatter.shape != self.mean.shape * 2:
            raise InvalidInput(
                f"A mean of shape {self.mean.shape} has no scatter of shape {self.scatter.shape}."
            )
        return 0

    @classmethod
    def of(cls, X: Any, sample_weight: Any = None) -> Moments:
        """Moments of a vector (N,) or of the rows of a table (N, D)."""
        X = np.asarray(X, dtype=float)
        if X.ndim not in (1, 2):
            raise InvalidInput(f"Moments take a vector or a table; got shape {X.shape}.")
        flat = X.ndim == 1
        table = X[:, None] if flat else X
        w = np.ones(len(table)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        if w.shape != (len(table),) or np.any(~(w >= 0)) or np.any(np.isinf(w)):
            raise InvalidInput("sample_weight must be one finite, non-negative number per row.")
        if place := first_nonfinite(X):
            raise InvalidInput(f"X contains {place}.")
        n, d = float(w.sum()), table.shape[1]
        if n == 0:
            mean, scatter = np.zeros(d), np.zeros((d, d))
        else:
            counted = table if sample_weight is None else table[w > 0]
            shift = counted[strided_sample(len(counted))].mean(axis=0)
            centred = table - shift
            offset = w @ centred / n
            centred -= offset
            mean, scatter = shift + offset, (centred * w[:, None]).T @ centred
        rows = int(np.count_nonzero(w))
        if flat:
            return cls(n, rows, frozen_array(mean[0]), frozen_array(scatter[0, 0]))
        return cls(n, rows, frozen_array(mean), frozen_array(scatter))

    @property
    def variance(self) -> np.ndarray:
        """Scatter / n: the maximum-likelihood (co)variance."""
        self._need(0)
        return self.scatter / self.n

    @property
    def unbiased_variance(self) -> np.ndarray:
        """Scatter / (n − 1)."""
        self._need(1)
        return self.scatter / (self.n - 1)

    def about(self, mean: Any) -> np.ndarray:
        """Σ w (x − μ)(x − μ)ᵀ about a known mean μ."""
        gap = self.mean - np.asarray(mean, dtype=float)
        return self.scatter + self.n * (np.outer(gap, gap) if gap.ndim else gap**2)

    @property
    def fingerprint(self) -> tuple[int, float]:
        """Rows and total weight: density models have no targets to tell apart."""
        return self.rows, self.n

    @same_kind
    def __add__(self, other: Moments) -> Moments:
        return self._combine(other, +1.0)

    @same_kind
    def __sub__(self, other: Moments) -> Moments:
        if other.n > self.n * (1 + 1e-12) or other.rows > self.rows:
            raise NumericalError(f"Cannot take weight {other.n:g} out of {self.n:g}.")
        left = self._combine(other, -1.0)
        before, after = (np.diagonal(np.atleast_2d(m.scatter)) for m in (self, left))
        if np.any(after < -1e-9 * before):
            raise NumericalError(
                f"These rows cannot be taken out: column {int(np.argmin(after))} would have a negative spread. "
                "Were they ever in?"
            )
        self._warn_of_small_rest(left)
        return left

    def _warn_of_small_rest(self, left: Moments) -> None:
        """Say so where the rows that went carried nearly all of the spread of a column that is no constant."""
        before, after = (np.diagonal(np.atleast_2d(m.scatter)) for m in (self, left))
        varies = before > self.n * (1e-12 * np.atleast_1d(self.mean)) ** 2
        share = np.divide(after, before, out=np.ones(len(before)), where=varies & (left.n > 0))
        if (worst := float(share.min(initial=1.0))) < HALF:
            warn(
                f"Taking these rows out leaves a share of {max(worst, 0.0):.2g} of the squared spread of column "
                f"{int(np.argmin(share))}, so digits are lost. Use the moments of the remaining rows if you can.",
                IllConditioned,
            )

    def _combine(self, other: Moments, sign: float) -> Moments:
        if self.mean.shape != other.mean.shape:
            raise HeaderMismatch(
                f"Cannot combine moments of shapes {self.mean.shape} and {other.mean.shape}."
            )
        n = self.n + sign * other.n
        if other.n == 0:
            return self
        if n <= 0:
            return Moments(0.0, 0, frozen_array(0 * self.mean), frozen_array(0 * self.scatter))
        gap = other.mean - self.mean
        outer = np.outer(gap, gap) if gap.ndim else gap**2
        mean = self.mean + sign * other.n / n * gap
        scatter = self.scatter + sign * other.scatter + sign * self.n * other.n / n * outer
        return Moments(
            n, int(self.rows + sign * other.rows), frozen_array(mean), frozen_array(scatter)
        )  # fmt: skip

    def _need(self, more: float) -> None:
        if self.n <= more:
            raise NumericalError(f"A variance needs a total weight above {more:g}; got {self.n:g}.")
