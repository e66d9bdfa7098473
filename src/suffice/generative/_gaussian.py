"""What linear and quadratic discriminant analysis share: triangles of the classes, normal densities, leave-one-out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from suffice._core.errors import NotFinite
from suffice._core.records import frozen_array, record
from suffice._estimator import refuse_nonfinite
from suffice._estimator.labels import LabelPlan
from suffice.distributions import MultivariateNormal
from suffice.engine import Rows
from suffice.generative._classifier import GenerativeClassifier, label_counts
from suffice.statistics import ClassStatistics, Layout, Triangle
from suffice.statistics.triangle import gather_groups

ALONE = 1e-6  # share of the scatter below which a row left out is fitted anew


class GaussianClassifier(GenerativeClassifier, ABC):
    """Classes with normal densities, from one triangle per class."""

    _needs_contrast = True

    @property
    def statistics_key(self) -> str:
        """All models of triangles of classes count the same."""
        return "triangles of classes"

    def _plan(self, rows: Rows, plan: LabelPlan, like: LabelPlan | None) -> LabelPlan:
        earlier = None if like is None else like.extra
        Y = np.zeros((rows.X.shape[0], 0))
        return LabelPlan(plan.header, plan.classes, Layout.plan(plan.header, rows.X, Y, rows.weight, earlier))

    def _plan_like(self, statistics: ClassStatistics) -> LabelPlan:
        layout = next(part.layout for part in statistics.parts if part is not None)
        return LabelPlan(statistics.header, statistics.classes, layout)

    def whole(self, statistics: ClassStatistics) -> Triangle:
        """The triangle of all rows, whatever their class."""
        parts = [part for part in statistics.parts if part is not None]
        return sum(parts[1:], parts[0])

    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        Y = np.zeros((rows.X.shape[0], 0))
        try:
            parts = gather_groups(plan.extra, rows.X, Y, rows.weight, rows.Y, len(plan.classes))
        except NotFinite:
            refuse_nonfinite("X", rows.X, plan.header.feature_names)
            raise
        return ClassStatistics(
            plan.header, label_counts(plan, rows), tuple(part if part.n > 0 else None for part in parts)
        )

    @property
    @abstractmethod
    def conditionals_(self) -> tuple[MultivariateNormal, ...]:
        """p(x | c) of each class with rows."""

    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        which = int(np.sum(self.class_count_[:place] > 0))
        return self.conditionals_[which].sample(n, rng)


@record
class Deviation:
    """A row left out of its class, in units of the scatter T of that class or of all: z = (x − mean of its class) T⁻¹.

    Without the row, of weight w, the class has n' = n_c − w, its mean moves by −w (x − m_c) / n', and the scatter loses
    a zᵀz with a = w n_c / n'; `left` = 1 − a ‖z‖² is the share of the scatter that stays in the direction z.
    """

    size: np.ndarray
    rest: np.ndarray
    factor: np.ndarray
    square: np.ndarray
    left: np.ndarray

    @classmethod
    def of(cls, z: np.ndarray, size: np.ndarray, weight: np.ndarray) -> Deviation:
        """From whitened deviations (N, r), the weight of each row's class and its own."""
        rest = size - weight
        factor = weight * size / np.where(rest > 0, rest, 1.0)
        square = np.einsum("nr,nr->n", z, z)
        return cls(size, rest, factor, square, 1 - factor * square)

    @property
    def alone(self) -> np.ndarray:
        """Rows that take a direction, or their class, with them."""
        return (self.left < ALONE) | ~(self.rest > 0)

    @property
    def safe(self) -> np.ndarray:
        return np.where(self.alone, 1.0, self.left)

    @property
    def own(self) -> np.ndarray:
        """Squared distance of the row to the mean of its class, both without it."""
        rest = np.where(self.rest > 0, self.rest, 1.0)
        return (self.size / rest) ** 2 * self.square / self.safe


def total_variance(parts: list[Any]) -> np.ndarray:
    """The variance of each column over the rows of all classes, divisor n."""
    n = np.array([p.n for p in parts])
    means = np.array([p.mean_x for p in parts])
    within = sum(np.square(p.factor[1:, 1 : 1 + p.n_columns]).sum(axis=0) for p in parts)
    center = n @ means / n.sum()
    return (within + n @ np.square(means - center)) / n.sum()


def spread(values: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Columns of the classes that have rows, among all classes; −inf for the others."""
    if present.all():
        return values
    out = np.full((len(values), len(present)), -np.inf)
    out[:, present] = values
    return out


def frozen_means(parts: list[Any]) -> np.ndarray:
    return frozen_array([p.mean_x for p in parts])
