r"""Many overlapping training sets of the same rows, each at the price of a matrix product.

With the triangle R of all rows, A = Z R and ZᵀZ = I: the rows of Z are the rows of A in units in which
nothing is ill-conditioned. The cross-products of any part of them are then safe to form, they add like
numbers, and

    chol(Z_sᵀ Z_s)ᵀ R      is the triangle of the part s,

as exact as a factorization of its rows, as long as the part determines every direction that all rows do.
Where it does not (tr (ZᵀZ)⁻¹ is large), there is no answer, and the rows themselves are factored.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from suffice._core.linalg import (
    EPS,
    cross_products,
    inverse_of_triangle,
    qr_factor,
    rows_over_triangle,
    semidefinite_factor,
    try_cholesky,
)
from suffice._core.records import frozen_array, record
from suffice.statistics.folds import Index
from suffice.statistics.gathering import blocks, count
from suffice.statistics.header import Header
from suffice.statistics.layout import Layout
from suffice.statistics.triangle import Triangle

LEAST = 1e-5  # of a direction's length must be left in a part, or digits are lost
LARGEST = 60_000_000  # numbers in Z


@record
class Gram:
    """Cross-products of some rows in units of the triangle `whole` of all of them, and their counts."""

    products: np.ndarray
    whole: Triangle
    rows: int
    n: float
    log_weight: float

    @property
    def layout(self) -> Layout:
        return self.whole.layout

    @property
    def header(self) -> Header:
        return self.whole.header

    def __add__(self, other: Gram) -> Gram:
        return Gram(
            self.products + other.products,
            self.whole,
            self.rows + other.rows,
            self.n + other.n,
            self.log_weight + other.log_weight,
        )

    def squared_error(self, slope: np.ndarray, offset: np.ndarray) -> np.ndarray:
        """As `Triangle.squared_error`."""
        v = self.whole.factor @ self.whole.against_targets(slope, offset)
        return np.maximum(np.einsum("pj,pj->j", v, self.products @ v), 0.0)

    def moved(self, layout: Layout) -> Gram | Triangle:
        """The same rows seen from another frame and shift."""
        return self if layout == self.layout else self.as_triangle().moved(layout)

    def narrowed(self, header: Header, columns: Sequence[int]) -> Triangle:
        """As `Triangle.narrowed`."""
        return self.as_triangle().narrowed(header, columns)

    def as_triangle(self) -> Triangle:
        """The triangle of any rows, also of too few to determine every direction: for squared errors."""
        factor = qr_factor(np.asfortranarray(semidefinite_factor(self.products).T @ self.whole.factor))
        return Triangle(frozen_array(factor), self.layout, self.rows, self.n, self.log_weight)


@record
class Whitened:
    """Rows in units of their triangle."""

    whole: Triangle
    Z: np.ndarray
    weight: np.ndarray | None

    @classmethod
    def of(cls, whole: Triangle, X, Y: np.ndarray, weight: np.ndarray | None) -> Whitened | None:
        """None where the triangle leaves a direction undetermined, or the rows are too many to keep."""
        R = whole.factor
        if len(R) < R.shape[1]:
            return None
        size = np.linalg.norm(R, axis=0)
        if X.shape[0] * len(R) > LARGEST or np.any(np.diagonal(R) <= 1e4 * EPS * size):
            return None
        Z, start = np.empty((X.shape[0], len(R))), 0
        for block in blocks(whole.layout, X, Y, weight):
            part = rows_over_triangle(block, R)
            Z[start : start + len(part)] = part
            start += len(part)
        return cls(whole, Z, weight)

    def gram(self, rows: Index) -> Gram:
        """The cross-products of some rows."""
        Z = self.Z[rows]
        weight = None if self.weight is None else self.weight[rows]
        return Gram(cross_products(Z), self.whole, *count(len(Z), weight))

    def triangle(self, gram: Gram) -> Triangle | None:
        """The triangle of those rows; None where they determine too little."""
        L, found = try_cholesky(gram.products)
        if not np.all(found):
            return None
        left = np.sum(inverse_of_triangle(L) ** 2)  # tr (ZᵀZ)⁻¹, at least one over the smallest eigenvalue
        if not left * LEAST <= len(L):
            return None
        factor = np.triu(L.T @ self.whole.factor)
        return Triangle(frozen_array(factor), self.whole.layout, gram.rows, gram.n, gram.log_weight)
