r"""How means and covariances follow from the moments of a component: shape, regularization, floor and prior.

    μ, S, n   by the prior, from Σ r, Σ r (x − μ₀), Σ r (x − μ₀)(x − μ₀)ᵀ about the means μ₀ before
    Σ         by the shape from S and n;  + reg I as scikit-learn does;  no smaller than the floor

Without regularization that is the maximum of the expected log posterior, for every shape and prior.
A component without rows keeps its place and its covariance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._components.normal.prior import Flat, ScatterMoments
from suffice._components.normal.shapes import Full, floored_roots
from suffice._core.records import frozen_array, record

EMPTY = 1e-12  # share of all weight below which a component says nothing about its parameters


@record
class Rule:
    """Shape, what is added to variances, the least variance of each column, and the prior."""

    shape: Any = Full()
    reg_covar: float = 0.0
    least: Any = None
    prior: Any = Flat()

    def dense(
        self,
        n: np.ndarray,
        first: np.ndarray,
        second: np.ndarray,
        means: np.ndarray,
        covariances: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Means and roots of covariances (K, D, D), or (1, D, D) where they are shared, from moments about `means`."""
        K, D = means.shape
        little = EMPTY * n.sum()
        empty = n <= little
        safe = np.where(empty, 1.0, n)
        shift = np.where(empty[:, None], 0.0, first / safe[:, None])
        scatter = second - n[:, None, None] * shift[:, :, None] * shift[:, None, :]
        each = np.broadcast_to(covariances, (K, D, D))
        m = self.prior.posterior(ScatterMoments(means + shift, scatter, n), each, self.shape.pooled)
        moved, scatter, count = m.means, m.scatter, m.n
        idle = count <= little
        moved = np.where(idle[:, None], means, moved)
        if self.shape.pooled:
            made = (scatter.sum(axis=0) / count.sum())[None]
        else:
            made = scatter / np.where(idle, 1.0, count)[:, None, None]
            made = np.where(idle[:, None, None], each, made)
        made = made + self.reg_covar * np.eye(D)
        made = (made + np.swapaxes(made, 1, 2)) / 2
        return moved, floored_roots(made, self.floor(D))

    def columnwise(
        self,
        n: np.ndarray,
        first: np.ndarray,
        second: np.ndarray,
        means: np.ndarray,
        variances: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same where columns are independent: everything is (K, D)."""
        little = EMPTY * n.sum(axis=0)
        empty = n <= little
        safe = np.where(empty, 1.0, n)
        shift = np.where(empty, 0.0, first / safe)
        scatter = np.maximum(second - n * np.square(shift), 0.0)
        m = self.prior.column_posterior(ScatterMoments(means + shift, scatter, n), variances)
        idle = m.n <= little
        moved = np.where(idle, means, m.means)
        scatter, count = np.where(idle, variances, m.scatter), np.where(idle, 1.0, m.n)
        return moved, self.shape.variances(scatter, count, self.reg_covar, self.floor(means.shape[1]))

    def floor(self, D: int) -> np.ndarray:
        """The least variance of each column; next to nothing where none is set."""
        return np.full(D, np.finfo(float).tiny) if self.least is None else self.least

    def marginal(self, columns: np.ndarray) -> Rule:
        """That of some columns, by which nothing can be fitted to a prior any more."""
        least = None if self.least is None else frozen_array(self.least[columns])
        return Rule(self.shape, self.reg_covar, least, Flat())
