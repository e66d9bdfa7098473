"""A triangle as a penalty on single weights sees it: columns of unit length, and the way back.

    ‖y − b − Φ w‖² = ‖Z − A w‖²,  A = R P⁻¹,   w = P u the weights whose size matters (raw, or of standardized columns)
    v_j = w_j ‖A_j‖ / ‖z‖         so that both A_j / ‖A_j‖ and z / ‖z‖ have unit length, whatever the units of X and y

Rows of the triangle that are zero (more columns than rows) are left out.
"""

from __future__ import annotations

import numpy as np

from suffice._core.linalg import solve_square
from suffice._core.records import record
from suffice.inference.active_set import LassoProblem
from suffice.statistics import AffineFunction, Triangle
from suffice.statistics.lstsq import SIZES, System, constant_columns, system


@record
class UnitSystem:
    """Unit columns in rows (d, m), their lengths, and the targets (m, k).

    `scale` is what the size of a raw weight is multiplied with before it is penalized; `penalty` the full map P
    where the basis has a frame.
    """

    columns: np.ndarray
    lengths: np.ndarray
    targets: np.ndarray
    scale: np.ndarray
    start: AffineFunction
    penalty: np.ndarray | None = None

    def function(self, weights: np.ndarray) -> AffineFunction:
        """The function of penalized weights, one column per target, or several times that."""
        if self.penalty is None:
            slope = weights / self.scale[:, None]
        else:
            slope = solve_square(self.penalty, weights, SIZES)
        value = np.tile(self.start.value, weights.shape[1] // max(len(self.start.value), 1))
        return self.start.replaced(value, slope)

    def raw(self, weights: np.ndarray) -> np.ndarray:
        """Penalized weights as weights of the raw columns: a zero stays a zero."""
        return weights / self.scale[:, None]

    def size(self, j: int) -> float:
        """‖z‖ of a target; one for a target that does not vary."""
        return float(np.linalg.norm(self.targets[:, j])) or 1.0

    def level(self, power: float = 1.0) -> np.ndarray:
        """What |v_j|^q is multiplied with where |w_j|^q was penalized by one and ‖z‖ is one."""
        lengths = np.where(self.lengths > 0, self.lengths, 1.0)
        with np.errstate(over="ignore"):
            return lengths**-power

    def weights(self, v: np.ndarray, j: int) -> np.ndarray:
        """Penalized weights from those of the unit columns."""
        return v * self.size(j) / np.where(self.lengths > 0, self.lengths, 1.0)

    def problems(self) -> list[LassoProblem]:
        """One problem per target, with the products of all columns where those are the smaller table."""
        d, m = self.columns.shape
        gram = self.columns @ self.columns.T if d <= 2 * m else None
        return [
            LassoProblem(self.columns, self.targets[:, j] / self.size(j), gram)
            for j in range(self.targets.shape[1])
        ]


def unit_system(t: Triangle, fit_intercept: bool, standardize: bool) -> UnitSystem:
    """Centred rows with an intercept, rows about the origin without one."""
    d, k = t.n_columns, t.header.n_outputs
    if t.layout.frame is None and (
        fit_intercept or standardize
    ):  # without a map of all columns, which may be many
        value = t.target_means if fit_intercept else np.zeros(k)
        start = AffineFunction(t.layout, t.mean_x, value, np.zeros((d, k)), t.mean_offset)
        lean = Triangle(t.factor[t.factor.any(axis=1)], t.layout, t.rows, t.n, t.log_weight)
        scale, rows = lean.scale() if standardize else np.ones(d), lean.factor[1:]
        return _unit(rows[:, 1 : 1 + d], rows[:, 1 + d :], constant_columns(lean), scale, start, None)
    s: System = system(t, fit_intercept, standardize)
    flat, start = s.constant, s.function(np.zeros((d, k)))
    raw_scale = t.raw_scale() if standardize else np.ones(d)
    if s.triangle.layout.frame is None:
        return _unit(s.R, s.Z, flat, raw_scale, start, None)
    A = solve_square(s.penalty.T, s.R.T, SIZES).T
    moved = s.triangle.moved(s.triangle.layout.in_frame(None))
    return _unit(A, s.Z, constant_columns(moved), raw_scale, start, s.penalty)


def _unit(
    A: np.ndarray,
    Z: np.ndarray,
    flat: np.ndarray,
    scale: np.ndarray,
    start: AffineFunction,
    penalty: np.ndarray | None,
) -> UnitSystem:
    diagonal = scale if penalty is None else np.ones(len(scale))
    columns = np.where(flat, 0.0, A / diagonal).T if flat.any() else (A / diagonal).T
    lengths = np.linalg.norm(columns, axis=1)
    unit = columns / np.where(lengths > 0, lengths, 1.0)[:, None]
    return UnitSystem(np.ascontiguousarray(unit), lengths, np.asarray(Z), scale, start, penalty)
