"""Affine maps of columns: of rows, of their statistics, and of functions back to the original columns."""

from __future__ import annotations

import numpy as np

from suffice._core.records import record
from suffice.statistics import AffineFunction, Triangle


@record
class ColumnMap:
    """(z[columns] − center) / scale."""

    columns: np.ndarray
    center: np.ndarray
    scale: np.ndarray

    @classmethod
    def identity(cls, n: int) -> ColumnMap:
        return cls(np.arange(n), np.zeros(n), np.ones(n))

    def __call__(self, Z: np.ndarray) -> np.ndarray:
        return (Z[:, self.columns] - self.center) / self.scale

    def then(self, other: ColumnMap) -> ColumnMap:
        """First this, then the other."""
        c = other.columns
        return ColumnMap(
            self.columns[c], self.center[c] + self.scale[c] * other.center, self.scale[c] * other.scale
        )

    def of_statistics(self, t: Triangle) -> Triangle:
        """The triangle of the mapped columns."""
        return t.rescaled(self.columns, self.center, self.scale)

    def pulled_back(self, function: AffineFunction, t: Triangle) -> AffineFunction:
        """A function of the mapped columns as a function of the columns of `t`."""
        slope = np.zeros((t.n_columns, function.slope.shape[1]))
        np.add.at(slope, self.columns, function.slope / self.scale[:, None])
        # small differences
        mean = (t.layout.shift_x[self.columns] - self.center) + t.mean_offset[self.columns]
        moved = mean / self.scale - function.center
        return AffineFunction(
            t.layout, t.mean_x, function.value + moved @ function.slope, slope, t.mean_offset
        )


@record
class AffineMap:
    """z A + b, then perhaps a map of the columns that gives."""

    A: np.ndarray
    b: np.ndarray
    after: ColumnMap | None = None

    def __call__(self, Z: np.ndarray) -> np.ndarray:
        mapped = Z @ self.A + self.b
        return mapped if self.after is None else self.after(mapped)

    def of_statistics(self, t: Triangle) -> Triangle:
        """The triangle of the mapped columns."""
        mapped = t.affine(self.A, self.b)
        return mapped if self.after is None else self.after.of_statistics(mapped)

    def pulled_back(self, function: AffineFunction, t: Triangle) -> AffineFunction:
        """A function of the mapped columns as a function of the columns of `t`."""
        if self.after is not None:
            function = self.after.pulled_back(function, t.affine(self.A, self.b))
        moved = t.mean_x @ self.A + self.b - function.center
        return AffineFunction(
            t.layout,
            t.mean_x,
            function.value + moved @ function.slope,
            self.A @ function.slope,
            t.mean_offset,
        )


Map = ColumnMap | AffineMap
