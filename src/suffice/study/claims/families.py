"""Intervals and p-values that hold for all pairs of a family at once.

The statistics of a family are about normal with the correlations of the units they are means of: models that predict
alike count as little more than one. P(max_j |Z_j| ≥ z) is found from draws of that law, the same every time, and never
put above Bonferroni's bound. Intervals take the critical value of the same draws, so they exclude 0 exactly where the
p-value is below the level.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from suffice._core.linalg import eigh
from suffice._core.random import generator
from suffice._core.records import record
from suffice.study.claims.pairs import PairTest

DRAWS = 20_000


@record
class LargestDraws:
    """The largest |z| of so many draws, sorted; none for a family of one."""

    size: int
    largest: np.ndarray

    def p_value(self, z: float) -> float:
        """The chance that any of the family is as far from zero as z, were all of them without a difference."""
        alone = 2 * float(ndtr(-abs(z)))
        if self.size == 1:
            return alone
        beyond = len(self.largest) - int(np.searchsorted(self.largest, abs(z), side="left"))
        return min(1.0, self.size * alone, max(beyond / len(self.largest), alone))

    def critical(self, alpha: float) -> float:
        """The z beyond which the p-value is at most alpha."""
        bound = -float(ndtri(alpha / 2 / self.size))
        if self.size == 1:
            return bound
        rank = len(self.largest) - 1 - int(alpha * len(self.largest))
        return min(bound, max(float(self.largest[rank]), -float(ndtri(alpha / 2))))


def family_of(tests: Sequence[PairTest]) -> LargestDraws:
    """The family of some tests of the same units; those without variation do not count."""
    moving = [t for t in tests if t.varies]
    if len(moving) < 2:
        return LargestDraws(1, np.zeros(0))
    values, vectors = eigh(_correlation(moving))
    root = (
        vectors * np.sqrt(np.maximum(values, 0.0))
    ) @ vectors.T  # symmetric, so the same for any eigenvectors
    draws = generator(0).standard_normal((DRAWS, len(moving))) @ root
    return LargestDraws(len(moving), np.sort(np.abs(draws).max(axis=1)))


def _correlation(tests: Sequence[PairTest]) -> np.ndarray:
    V = np.column_stack([t.moves / (np.linalg.norm(t.moves) or 1.0) for t in tests])
    R = V.T @ V
    np.fill_diagonal(R, 1.0)
    return R
