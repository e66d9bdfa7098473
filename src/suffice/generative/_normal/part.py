"""What normal densities need of the rows of one class, whether counted or, with missing cells, expected."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.records import frozen_array, record
from suffice.generative._normal.covariance import FLOOR, least_within, share_within


@record
class ScatterPart:
    """Weight, mean and triangle of the scatter (TᵀT) of rows.

    `few`: the known cells do not determine a covariance, as their likelihood grows without end where it is singular.
    """

    n: float
    mean: np.ndarray
    factor: np.ndarray
    few: bool = False

    @classmethod
    def of(cls, triangle: Any) -> ScatterPart:
        """Of complete rows."""
        d = triangle.n_columns
        return cls(triangle.n, triangle.mean_x, triangle.factor[1 : 1 + d, 1 : 1 + d])


def variance_over_all(parts: tuple[ScatterPart, ...]) -> np.ndarray:
    """The variance of each column over the rows of all classes, divisor n."""
    n = np.array([p.n for p in parts])
    means = np.array([p.mean for p in parts])
    within = sum(np.square(p.factor).sum(axis=0) for p in parts)
    center = n @ means / n.sum()
    return (within + n @ np.square(means - center)) / n.sum()


def means_of(parts: tuple[ScatterPart, ...]) -> np.ndarray:
    return frozen_array([p.mean for p in parts])


@record
class ColumnScales:
    """Variances of the columns (D,) over all rows, and within the classes, of n rows in all.

    `within` is `least_within` for columns that vary in no class (`still`).
    """

    total: np.ndarray
    within: np.ndarray
    still: np.ndarray
    n: float

    @classmethod
    def of(cls, parts: tuple[ScatterPart, ...], total: np.ndarray) -> ColumnScales:
        """From the classes, and what is known over all of them."""
        n = sum(p.n for p in parts)
        within = sum(np.square(p.factor).sum(axis=0) for p in parts) / n
        still = (within < FLOOR * total) | ~(total > 0)
        return cls(total, np.where(still, least_within(total, n), within), still, n)

    def flat(self, n: float) -> np.ndarray:
        """Variances for columns that do not vary in a class of n rows."""
        return np.where(self.still, self.within, share_within(n) * self.within)

    @property
    def tiny(self) -> np.ndarray:
        """Next to nothing, for columns whose variance is decided elsewhere."""
        return np.where(self.total > 0, FLOOR * self.total, 1.0)
