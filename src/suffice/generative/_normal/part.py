"""What normal densities need of the rows of one class, whether counted or, with missing cells, expected."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.records import frozen_array, record


@record
class Part:
    """Weight, mean and triangle of the scatter (TᵀT) of rows.

    `few`: the known cells do not determine a covariance, as their likelihood grows without end where it is singular.
    """

    n: float
    mean: np.ndarray
    factor: np.ndarray
    few: bool = False

    @classmethod
    def of(cls, triangle: Any) -> Part:
        """Of complete rows."""
        d = triangle.n_columns
        return cls(triangle.n, triangle.mean_x, triangle.factor[1 : 1 + d, 1 : 1 + d])


def variance_over_all(parts: tuple[Part, ...]) -> np.ndarray:
    """The variance of each column over the rows of all classes, divisor n."""
    n = np.array([p.n for p in parts])
    means = np.array([p.mean for p in parts])
    within = sum(np.square(p.factor).sum(axis=0) for p in parts)
    center = n @ means / n.sum()
    return (within + n @ np.square(means - center)) / n.sum()


def means_of(parts: tuple[Part, ...]) -> np.ndarray:
    return frozen_array([p.mean for p in parts])
