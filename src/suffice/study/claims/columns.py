r"""Do the columns say anything about the target at all? A score test by flipping signs, with all rows.

With r = y − ȳ (a column per class) and an orthonormal basis Q of the centred columns, T = ‖Qᵀ r‖² is the sum of squares
that least squares explains. Units g (rows, groups, stretches) add C_g = Q_gᵀ r_g to Qᵀ r. Were the columns to say
nothing, each C_g might as well have the other sign, whatever its size and however alike the rows of a unit are; so T is
compared with ‖Σ_g ±C_g‖² over random signs (Hemerik, Goeman and Finos 2020). No model is fitted in folds, which is why
this sees a modest structure that the losses of rows not seen leave open.
"""

from __future__ import annotations

import numpy as np

from suffice._core.linalg import svd
from suffice._core.random import generator
from suffice.study.claims.units import Units, slow_cosines, units_of
from suffice.study.reading.problem import Problem

FLIPS = 1999
MOST = 0.25  # columns for one unit; with more, flipped signs say little
RANK = 1e-9


def columns_p_value(problem: Problem) -> float | None:
    """The chance of so much explained, were the columns to say nothing; None with too many columns for the units."""
    units = units_of(problem, np.arange(problem.n))
    Q, R = _basis(problem.Z, units.weight), _residuals(problem, units.weight)
    C = np.einsum("nd,nk->ndk", Q, R).reshape(problem.n, -1)  # (N, D K)
    parts = _per_unit(C, units)
    if not Q.shape[1] or Q.shape[1] > MOST * len(parts):
        return None
    signs = generator(0).choice([-1.0, 1.0], (FLIPS, len(parts)))
    found = float(np.sum(parts.sum(axis=0) ** 2))
    flipped = np.sum((signs @ parts) ** 2, axis=1)
    return (1 + int(np.sum(flipped >= found))) / (1 + FLIPS)


def _basis(Z: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Orthonormal columns that span the centred ones, each of these in units of its spread."""
    centred = Z - np.average(Z, axis=0, weights=weight)
    spread = np.sqrt(np.average(centred**2, axis=0, weights=weight))
    U, s, _ = svd(centred[:, spread > 0] / spread[spread > 0])
    return U[:, s > RANK * s.max(initial=0.0)]


def _residuals(problem: Problem, weight: np.ndarray) -> np.ndarray:
    """What a constant leaves of the target, times the weight of the row; of classes a column each."""
    y = problem.y
    Y = (
        np.stack([y == label for label in problem.labels], axis=1)
        if problem.is_classification
        else y[:, None]
    )
    Y = Y.astype(float)
    return weight[:, None] * (Y - np.average(Y, axis=0, weights=weight))


def _per_unit(C: np.ndarray, units: Units) -> np.ndarray:
    """The sums over units; in time over so many stretches of equal length as the slowest column is worth."""
    place = units.place if units.place is not None else np.arange(len(C))
    n = int(place.max()) + 1
    sums = np.zeros((n, C.shape[1]))
    np.add.at(sums, place, C)
    if units.kind != "stretches":
        return sums
    k = 1 + min(slow_cosines(c - c.mean()) for c in sums.T)
    return np.stack([part.sum(axis=0) for part in np.array_split(sums, min(k, n))])
