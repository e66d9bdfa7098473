r"""Every row predicted without itself, for many penalties, from one decomposition (FCML §1.5.2).

With R = U S Vᵀ, rows x_i of weight w_i about the center and t_i = S⁻¹ Vᵀ x_i (so that Σ w t tᵀ = I):

    residual     r_i(α) = (y_i − ȳ − t_iᵀ U ᵀZ)  +  Σ_j t_ij (UᵀZ)_j D_j       D_j = α / (s_j² + α)
    1 − w_i k_i        = (1 − w_i c − w_i ‖t_i‖²) + w_i Σ_j t_ij² D_j           c = 1/n with a free constant, else 0
    left out     e_i = r_i / (1 − w_i k_i)

What stands in brackets is zero where rows are no more than directions, and is set so: no digit cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from suffice._core.linalg import EPS, svd
from suffice._core.records import record
from suffice.statistics.lstsq import System

BLOCK = 4096  # rows at a time


@record
class PenalizedDirections:
    """The decomposition R = U S Vᵀ of a system whose penalty is on its weights as they are.

    `whiten` (d, r) is V S⁻¹, `aim` (r, k) is UᵀZ; `constant` is 1/n with a free constant. `full`: without a
    penalty no row leaves a residual.
    """

    system: System
    whiten: np.ndarray
    sizes: np.ndarray
    aim: np.ndarray
    constant: float
    full: bool

    @classmethod
    def of(cls, s: System, fit_intercept: bool, rows: int) -> PenalizedDirections:
        """`rows` is how many have weight."""
        used = np.flatnonzero(s.R.any(axis=1))
        top = slice(0, int(used[-1]) + 1 if len(used) else 0)  # with fewer rows than columns the rest is zero
        U, sizes, Vt = svd(s.R[top])
        kept = sizes > EPS * max(s.R.shape) * sizes.max(initial=0.0)
        whiten, aim = Vt[kept].T / sizes[kept], U[:, kept].T @ s.Z[top]
        full = rows <= int(kept.sum()) + fit_intercept
        return cls(s, whiten, sizes[kept], aim, 1 / s.triangle.n if fit_intercept else 0.0, full)

    def errors(
        self, deviations: np.ndarray, Y: np.ndarray, weight: np.ndarray, alphas: np.ndarray
    ) -> np.ndarray:
        """y less its prediction without the row: (rows, targets, penalties)."""
        T, shrink = deviations @ self.whiten, alphas / (self.sizes[:, None] ** 2 + alphas)  # (r, a)
        outside_r, outside_h = np.zeros_like(Y), np.zeros(len(Y))
        if not self.full:
            outside_r = Y - self.system.value - T @ self.aim
            outside_h = np.maximum(1 - weight * (self.constant + np.square(T).sum(axis=1)), 0.0)
        residual = outside_r[:, :, None] + np.stack([(T * a) @ shrink for a in self.aim.T], axis=1)
        left = outside_h[:, None] + weight[:, None] * (np.square(T) @ shrink)
        return residual / left[:, None, :]


def errors_left_out(
    directions: PenalizedDirections,
    deviations: Callable[[slice], np.ndarray],
    Y: np.ndarray,
    weight: np.ndarray | None,
    alphas: np.ndarray,
) -> Iterator[tuple[slice, np.ndarray]]:
    """Some thousand rows at a time: which, and their errors when each is left out."""
    for start in range(0, len(Y), BLOCK):
        rows = slice(start, min(start + BLOCK, len(Y)))
        w = np.ones(rows.stop - start) if weight is None else weight[rows]
        yield rows, directions.errors(deviations(rows), Y[rows], w, alphas)
