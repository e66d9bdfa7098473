r"""Do the columns say anything about the target at all? A score test by flipping signs, with all rows.

With r = y − ȳ (a column per class), centred columns z_j and an orthonormal basis Q of them:

    many columns, a little each    T = ‖Qᵀ r‖², the sum of squares that least squares explains
    one column                     M = max_j (z_jᵀ r)² / Σ_g (z_jᵀ r)_g²

Units g (rows, groups, stretches) add a part to each of these sums. Were the columns to say nothing, the parts of a unit
might as well have the other sign, whatever their size and however alike the rows of a unit are; so T and M are compared
with what they are under random signs, the same for both (Hemerik, Goeman and Finos 2020), and the surer of the two with
what the surer is there. No model is fitted in folds, which is why this sees a modest structure that the losses of rows
not seen leave open.
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
ROUNDING = 1e-12


def columns_p_value(problem: Problem) -> float | None:
    """The chance of so much explained, were the columns to say nothing; None with too many columns for the units."""
    units = units_of(problem, np.arange(problem.n))
    Z, R = _scaled(problem.Z, units.weight), _residuals(problem, units.weight)
    Q = _basis(Z)
    C = np.einsum("nd,nk->ndk", np.hstack([Q, Z]), R).reshape(problem.n, -1)  # (N, D K)
    parts = _per_unit(C, units)
    if not Q.shape[1] or Q.shape[1] > MOST * len(parts):
        return None
    signs = np.vstack([np.ones(len(parts)), generator(0).choice([-1.0, 1.0], (FLIPS, len(parts)))])
    many, single = np.split(parts, [Q.shape[1] * R.shape[1]], axis=1)
    explained = np.sum((signs @ many) ** 2, axis=1)
    length = np.sqrt(np.sum(single**2, axis=0))
    highest = np.max((signs @ (single[:, length > 0] / length[length > 0])) ** 2, axis=1, initial=0.0)
    surer = np.minimum(_as_high(explained), _as_high(highest))
    return float(np.mean(surer <= surer[0]))


def _as_high(values: np.ndarray) -> np.ndarray:
    """The share of all values that are as high as each; those that differ by rounding are equally high."""
    v = np.sort(values)
    return 1 - np.searchsorted(v, values * (1 - ROUNDING), side="left") / len(v)


def _scaled(Z: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Centred columns in units of their spread; constant ones are left out."""
    centred = Z - np.average(Z, axis=0, weights=weight)
    spread = np.sqrt(np.average(centred**2, axis=0, weights=weight))
    return centred[:, spread > 0] / spread[spread > 0]


def _basis(Z: np.ndarray) -> np.ndarray:
    """Orthonormal columns that span the scaled ones."""
    U, s, _ = svd(Z)
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
