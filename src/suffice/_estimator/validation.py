"""How linear models answer validation: what they share between folds, penalties and subsets of columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.records import record
from suffice.engine import Rows
from suffice.statistics import AffineFunction, Triangle
from suffice.statistics.folds import Index

KEPT = 4_000_000  # numbers of a design that are kept between candidates


@record
class LinearPath:
    """Functions for several values of a parameter, as one function with a column per value and target."""

    function: AffineFunction
    n_outputs: int
    single: bool

    def squared_error(self, statistics: Any) -> np.ndarray:
        """Total squared error on the rows of a statistic, mean over targets, per value."""
        return self.function.sse(statistics).reshape(-1, self.n_outputs).mean(axis=1)

    def predict(self, X: Any) -> np.ndarray:
        """(values, rows) or (values, rows, targets)."""
        values = self.function(X).reshape(X.shape[0], -1, self.n_outputs).swapaxes(0, 1)
        return values[..., 0] if self.single else values

    def replaced(self, function: AffineFunction) -> LinearPath:
        return LinearPath(function, self.n_outputs, self.single)


@record
class Reading:
    """The triangle of all rows and the rows themselves, with their design where it is small enough to keep."""

    triangle: Triangle
    rows: Rows
    design: np.ndarray | None

    @classmethod
    def of(cls, t: Triangle, rows: Rows) -> Reading:
        small = len(rows) * t.n_columns <= KEPT and t.header.basis is not None
        return cls(t, rows, t.layout.design(rows.X) if small else None)

    def deviations(self, function: AffineFunction, columns: list[int] | None, rows: Index) -> np.ndarray:
        """The design of some rows less the center of a function of some of the columns, or of all."""
        if self.design is None or function.layout.frame != self.triangle.layout.frame:
            return function.deviations(self.rows.X[rows])
        design = self.design[rows]
        return function.about(design if columns is None else design[:, columns])
