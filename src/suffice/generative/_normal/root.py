r"""A covariance as rows and a diagonal, Σ = AᵀA + diag(lift): of more columns than rows no D × D numbers are formed.

With as many rows as columns A is a triangle, and what is lifted is folded into it at once: √lift stacked under A and
factored again.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from suffice._core.linalg import qr_factor, qr_stacked
from suffice._core.memory import need_memory
from suffice._core.records import record


@record
class Root:
    """A (r, D) and lift (D,), which is zero where A is a triangle."""

    rows: np.ndarray
    lift: np.ndarray

    @classmethod
    def of(cls, rows: np.ndarray) -> Root:
        """Without a diagonal."""
        return cls(rows, np.zeros(rows.shape[1]))

    def __len__(self) -> int:
        return self.rows.shape[1]

    @property
    def is_wide(self) -> bool:
        """More columns than rows."""
        return len(self.rows) < len(self)

    @cached_property
    def variances(self) -> np.ndarray:
        """The diagonal of Σ."""
        return np.square(self.rows).sum(axis=0) + self.lift

    def columns(self, which: np.ndarray) -> Root:
        """Of some of the columns; what is lifted is folded in where these are no more than rows."""
        part = Root(self.rows[:, which], self.lift[which])
        return part if part.is_wide or not part.lift.any() else Root.of(qr_stacked(part.stacked))

    def scaled(self, by: np.ndarray | float) -> Root:
        """Of columns times a number each."""
        return Root(self.rows * by, self.lift * np.square(by))

    def lifted(self, by: np.ndarray) -> Root:
        """With more variance, independent of all other columns."""
        if self.is_wide:
            return Root(self.rows, self.lift + by)
        stacked = np.vstack([self.rows, np.diag(np.sqrt(by))])
        return Root.of(qr_factor(np.asfortranarray(stacked), overwrite=True))

    def diagonal(self) -> Root:
        """The same variances without covariances."""
        if self.is_wide:
            return Root(self.rows[:0], self.variances)
        return Root.of(np.diag(np.sqrt(self.variances)))

    @cached_property
    def stacked(self) -> np.ndarray:
        """Rows whose cross-products are Σ: a row more for each column that is lifted."""
        some = np.flatnonzero(self.lift)
        if not len(some):
            return self.rows
        need_memory(3 * 8 * len(self) * (len(some) + len(self.rows)), *_words(len(self)))
        below = np.zeros((len(some), len(self)))
        below[np.arange(len(some)), some] = np.sqrt(self.lift[some])
        return np.vstack([self.rows, below])

    def triangle(self) -> np.ndarray:
        """The D × D triangle of Σ."""
        if not self.is_wide:
            return self.rows
        need_memory(3 * 8 * len(self) ** 2, *_words(len(self)))
        return qr_stacked(self.stacked)


def _words(columns: int) -> tuple[str, str]:
    return f"The covariance of {columns} columns", "Choose shrinkage='auto' or fewer columns."
