r"""Columns that depend on others up to rounding, seen as columns that depend on them exactly.

Rounding leaves a row of a few eps beside the rows of independent columns. Least squares drops it by the rank rule of
`lstsq`. A penalty that is weak in the units of the columns takes it for data: exact copies in units of 10⁹ had weights
of −121 and 122 under α = 1, where each of them has half the slope of one.

    R P = Q [T₁; T₂],  ‖T₂‖ a few eps    ⇒    ‖Z − R u‖² + α ‖u‖²  =  ‖Q₁ᵀZ − T₁ Pᵀu‖² + ‖Q₂ᵀZ‖² + α ‖u‖²

Where nothing depends on anything else nothing is changed, at the cost of a look at the diagonal.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from suffice._core.linalg import EPS, column_lengths, qr_pivoted
from suffice.statistics.lstsq import RANK_TOLERANCE, System

if TYPE_CHECKING:
    from suffice.statistics.penalized import Stacked

SOUND = 1e-6  # of a column's length left beside those before it: no dependence
NOTICEABLE = 1e-8  # of the largest weight
WEAK = 1e12  # scaled condition from which weights have lost most of their digits


def exact(s: System) -> System:
    """The same rows, with a row for each direction that the columns have and no others."""
    first = int(s.counted)  # the row and the column of the value at the center, which is in no other row
    slopes, targets = s.R[first:, first:], s.Z[first:]
    if _is_sound(slopes):
        return s
    Q, T, kept, rank = pivoted(slopes)
    if rank == len(kept):
        return s
    R, z = np.zeros((first + rank, s.R.shape[1])), Q[:, :rank].T @ targets
    R[:first] = s.R[:first]
    R[first:, first + kept] = T[:rank]
    rest = targets - Q[:, :rank] @ z
    return replace(s, R=R, Z=np.vstack([s.Z[:first], z]), left_over=np.vstack([s.left_over, rest]))


def pivoted(R: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Q, T, numbers and rank of the columns that are not zero, in the order of what each adds to its length."""
    scale = column_lengths(R)
    active = np.flatnonzero(scale)
    Q, T, order = qr_pivoted(R[:, active] / scale[active])
    pivots = np.abs(np.diagonal(T))
    rank = int(np.sum(pivots > RANK_TOLERANCE * pivots.max(initial=0.0)))
    return Q, T * scale[active][order], active[order], rank


def weak_condition(s: System, fit: Stacked) -> float | None:
    """The scaled condition of the columns, where it is such that weights lose their digits and the prior is too weak
    to help; None elsewhere."""
    if _counted_apart(s, fit):
        return 1 / EPS
    if s.span is not None:
        return None
    length, left = column_lengths(fit.factor), np.abs(np.diagonal(fit.factor))
    if np.all(left * WEAK > length):
        return None
    condition = scaled_condition(s.R)
    if sizes_cancel(s):
        condition = max(condition, float(np.max(length / np.maximum(left, np.finfo(float).tiny))))
    return condition if condition > WEAK else None


def sizes_cancel(s: System) -> bool:
    """Whether weights whose size matters are differences of others so large that hardly a digit of them is left.

    Those of powers about a center that is far from zero, in units of the column's spread, are.
    """
    if s.is_diagonal:
        return False
    length, left = column_lengths(s.penalty), np.abs(np.diagonal(s.penalty))
    return bool(np.any(left * WEAK < length))


def scaled_condition(R: np.ndarray) -> float:
    """The ratio of the largest to the smallest pivot of the unit-scaled columns, but for those that are dependent."""
    _, T, kept, rank = pivoted(R)
    pivots = np.abs(np.diagonal(T))[:rank] / column_lengths(R)[kept[:rank]]
    return float(pivots.max() / pivots.min()) if rank else 1.0


def _counted_apart(s: System, fit: Stacked) -> bool:
    """Whether dependent columns share a penalized constant by the rounding of their means, which differ by that."""
    if not s.counted or not s.outside:
        return False
    constant, weights = s.function(fit.mean).raw()
    return bool(EPS * np.abs(s.center).max() * np.abs(constant).max() > NOTICEABLE * np.abs(weights).max())


def _is_sound(R: np.ndarray) -> bool:
    """Whether a triangle (rows of zeros may follow) leaves a part of every column beside those before it."""
    left = np.abs(np.diagonal(R[R.any(axis=1)]))
    length = column_lengths(R)[: len(left)]
    return bool(np.all((left > SOUND * length) | (length == 0)))
