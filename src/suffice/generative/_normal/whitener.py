r"""Whiteners of covariances: W with WᵀΣW = I, so that ‖(x − μ)W‖² is the Mahalanobis distance.

Σ = AᵀA + T, T a diagonal and A (r, D) of fewer rows than columns, has a whitener that needs no D × D numbers. With
A T^−½ = U S Qᵀ and g = (1 + S²)^−½,

    Σ = T^½ (I + Q S² Qᵀ) T^½,      W = T^−½ (I + Q (g − 1) Qᵀ),      log √det Σ = ½ Σ log T − Σ log g
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from suffice._core.linalg import qr_factor, qr_pivoted, solve_triangle, span_of_rows, svd
from suffice._core.memory import need_memory
from suffice._core.numerics import LOG_2PI
from suffice._core.records import frozen_array, record
from suffice.generative._normal.root import Root

SINGULAR = 1e-10  # of a unit column: what is left of it beside the others


@record
class ClassWhitener:
    """W (D, r) and its root (r, D): rootᵀ root = Σ and root W = I; `log_root` is log √det Σ over those directions."""

    root: np.ndarray
    matrix: np.ndarray
    log_root: float

    @classmethod
    def of_root(cls, root: np.ndarray) -> ClassWhitener:
        """From a triangle of full rank."""
        matrix = solve_triangle(root, np.eye(len(root)))
        return cls(frozen_array(root), frozen_array(matrix), float(np.log(np.diagonal(root)).sum()))

    @property
    def covariance(self) -> np.ndarray:
        """Σ."""
        size = self.root.shape[1]
        need_memory(
            2 * 8 * size**2, f"The covariance of {size} columns", "Densities and predictions need none."
        )
        return self.root.T @ self.root

    @property
    def rank(self) -> int:
        return self.matrix.shape[1]

    def whiten(self, Z: np.ndarray) -> np.ndarray:
        """Z W."""
        return np.dot(Z, self.matrix)

    def slopes(self, V: np.ndarray) -> np.ndarray:
        """V Wᵀ: directions in units of the covariance as weights of the columns."""
        return V @ self.matrix.T

    def restricted(self, columns: np.ndarray) -> ClassWhitener | LiftedWhitener:
        """That of some of the columns: the others integrated out."""
        root = Root.of(qr_factor(np.asfortranarray(self.root[:, columns])))
        return pseudo_whitener(root, SINGULAR) if len(dependent_columns(root)) else whitener_of(root)

    def distances(self, Z: np.ndarray) -> np.ndarray:
        """Squared Mahalanobis lengths of rows of deviations."""
        white = self.whiten(Z)
        return np.einsum("nr,nr->n", white, white)

    def log_density(self, Z: np.ndarray) -> np.ndarray:
        """log N(z | 0, Σ) of rows of deviations."""
        return -0.5 * self.distances(Z) - 0.5 * self.rank * LOG_2PI - self.log_root


@record
class LiftedWhitener:
    """The same of rows and a diagonal, of full rank: √T (D,), Q (D, r) and g (r,) of the module's docstring."""

    unit: np.ndarray
    directions: np.ndarray
    shrink: np.ndarray

    @classmethod
    def of(cls, root: Root) -> LiftedWhitener:
        """Every column must be lifted."""
        unit = np.sqrt(root.lift)
        L, Q = span_of_rows(root.rows / unit)
        _, s, vt = svd(L)
        return cls(frozen_array(unit), frozen_array(Q @ vt.T), frozen_array(1 / np.hypot(1.0, s)))

    @property
    def log_root(self) -> float:
        """log √det Σ."""
        return float(np.log(self.unit).sum() - np.log(self.shrink).sum())

    @property
    def rank(self) -> int:
        return len(self.unit)

    @cached_property
    def lifted(self) -> Root:
        """The rows and the diagonal of Σ."""
        s = np.sqrt((1 - self.shrink) * (1 + self.shrink)) / self.shrink
        return Root(s[:, None] * self.directions.T * self.unit, np.square(self.unit))

    @property
    def root(self) -> np.ndarray:
        """The D × D triangle of Σ."""
        return self.lifted.triangle()

    @property
    def matrix(self) -> np.ndarray:
        """W, D × D numbers."""
        need_memory(3 * 8 * self.rank**2, f"The whitener of {self.rank} columns", "Use whiten.")
        return self.whiten(np.eye(self.rank))

    @property
    def covariance(self) -> np.ndarray:
        """Σ, D × D numbers."""
        need_memory(2 * 8 * self.rank**2, f"The covariance of {self.rank} columns", "Densities need none.")
        rows = self.lifted.rows
        out = rows.T @ rows
        np.fill_diagonal(out, self.lifted.variances)
        return out

    def whiten(self, Z: np.ndarray) -> np.ndarray:
        """Z W."""
        return self._shrunk(Z / self.unit)

    def slopes(self, V: np.ndarray) -> np.ndarray:
        """V Wᵀ."""
        return self._shrunk(V) / self.unit

    def _shrunk(self, b: np.ndarray) -> np.ndarray:
        return b - ((b @ self.directions) * (1 - self.shrink)) @ self.directions.T

    def restricted(self, columns: np.ndarray) -> ClassWhitener | LiftedWhitener:
        """That of some of the columns: the others integrated out."""
        return whitener_of(self.lifted.columns(columns))

    def distances(self, Z: np.ndarray) -> np.ndarray:
        """Squared Mahalanobis lengths of rows of deviations."""
        white = self.whiten(Z)
        return np.einsum("nr,nr->n", white, white)

    def log_density(self, Z: np.ndarray) -> np.ndarray:
        """log N(z | 0, Σ) of rows of deviations."""
        return -0.5 * self.distances(Z) - 0.5 * self.rank * LOG_2PI - self.log_root


def whitener_of(root: Root) -> ClassWhitener | LiftedWhitener:
    """Of a covariance of full rank."""
    if root.is_wide and np.all(root.lift > 0):
        return LiftedWhitener.of(root)
    return ClassWhitener.of_root(root.triangle())


def pseudo_whitener(root: Root, tol: float) -> ClassWhitener:
    """A whitener of the directions in which unit columns vary by more than `tol`: all others are left out."""
    length = np.sqrt(root.variances)
    length = np.where(length > 0, length, 1.0)
    _, s, vt = svd(root.stacked / length)
    kept = s > tol
    rows = s[kept, None] * vt[kept] * length
    matrix = (vt[kept] / s[kept, None]).T / length[:, None]
    return ClassWhitener(
        frozen_array(rows), frozen_array(matrix), float(np.log(s[kept]).sum() + np.log(length).sum())
    )


def dependent_columns(root: Root, tolerance: float = SINGULAR) -> np.ndarray:
    """Columns that are, but for rounding, combinations of the others."""
    if np.all(root.lift > tolerance**2 * root.variances):
        return np.zeros(0, dtype=np.intp)
    length = np.sqrt(root.variances)
    _, R, order = qr_pivoted(root.stacked / np.where(length > 0, length, 1.0))
    left = np.zeros(len(order))
    left[: min(R.shape)] = np.abs(np.diagonal(R))
    return np.sort(order[left <= tolerance])
