"""Classifiers that need no more of the rows of a class than their triangle: count, mean and scatter."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from suffice._core.errors import RankDeficient, warn
from suffice._core.linalg import qr_trapezoid
from suffice._core.records import frozen_array
from suffice._estimator.labelled_rows import PlanRules
from suffice._estimator.labels import LabelPlan
from suffice.engine import Rows
from suffice.generative._normal.covariance import centred_factor, least_within, pooled, without_flat
from suffice.generative._normal.part import ScatterPart, variance_over_all
from suffice.generative._normal.root import Root
from suffice.generative._normal.whitener import (
    ClassWhitener,
    LiftedWhitener,
    dependent_columns,
    pseudo_whitener,
    whitener_of,
)
from suffice.generative._shell.from_statistics import label_counts
from suffice.statistics import ClassStatistics, Header, Layout, Triangle
from suffice.statistics.triangle import gather_groups


def with_layout(model: Any, rows: Rows, plan: LabelPlan, like: LabelPlan | None) -> LabelPlan:
    """The plan with where columns sit in the triangles."""
    earlier = None if like is None else like.extra
    Y = np.zeros((rows.X.shape[0], 0))
    return LabelPlan(plan.header, plan.classes, Layout.plan(plan.header, rows.X, Y, rows.weight, earlier))


def plan_of_triangles(statistics: ClassStatistics) -> LabelPlan:
    """The plan under which rows can be added to these triangles."""
    return LabelPlan(statistics.header, statistics.classes, present(statistics)[0].layout)


def gather_triangles(rows: Rows, plan: LabelPlan) -> ClassStatistics:
    """One triangle per class, in one pass over the rows."""
    Y = np.zeros((rows.X.shape[0], 0))
    parts = gather_groups(plan.extra, rows.X, Y, rows.weight, rows.Y, len(plan.classes))
    return ClassStatistics(
        plan.header, label_counts(plan, rows), tuple(p if p.n > 0 else None for p in parts)
    )


class ClassTriangles:
    """A classifier that needs no more of the rows of a class than their triangle."""

    _needs_contrast: ClassVar[bool] = True
    _planning: ClassVar[PlanRules] = PlanRules(with_layout, plan_of_triangles)

    @property
    def statistics_key(self) -> str:
        """All models of triangles of classes count the same."""
        return "triangles of classes"

    def whole(self, statistics: ClassStatistics) -> Triangle:
        """The triangle of all rows, whatever their class."""
        parts = present(statistics)
        return sum(parts[1:], parts[0])


def present(statistics: ClassStatistics) -> list[Any]:
    """The triangles of the classes that have rows."""
    return [part for part in statistics.parts if part is not None]


def with_targets(statistics: ClassStatistics, scale: np.ndarray, targets: np.ndarray) -> Triangle:
    """The triangle of [1, X, T] from those of the classes, each scaled by its root weight; rows of class c have the
    targets of row c (classes, k)."""
    seen = [(c, part) for c, part in enumerate(statistics.parts) if part is not None]
    layout, k = seen[0][1].layout, targets.shape[1]
    factor = qr_trapezoid(*(scale[c] * _beside(part.moved(layout).factor, targets[c]) for c, part in seen))
    header = Header(layout.header.n_features, layout.header.features, layout.header.basis, k)
    shift = frozen_array(np.concatenate([layout.shift, np.zeros(k)]))
    rows, n = sum(part.rows for _, part in seen), sum(scale[c] ** 2 * part.n for c, part in seen)
    return Triangle(frozen_array(factor), Layout(header, shift, layout.frame), rows, n)


def _beside(R: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """[R | R e₁ tᵀ]: the targets of a class are multiples of the constant column."""
    return np.hstack([R, np.outer(R[:, 0], targets)])


def within_whitener(parts: list[Any], names: np.ndarray, tol: float) -> ClassWhitener | LiftedWhitener:
    """The whitener of S_W / n; directions of a singular S_W that do not vary are left out, with a warning."""
    n, total = sum(p.n for p in parts), variance_over_all(tuple(map(ScatterPart.of, parts)))
    root, _ = without_flat(
        Root.of(pooled([centred_factor(p) for p in parts]) / np.sqrt(n)), total, least_within(total, n)
    )
    dependent = dependent_columns(root)
    if not len(dependent):
        return whitener_of(root)
    listed = ", ".join(map(repr, names[dependent][:6].tolist()))
    warn(
        f"The scatter within the classes is singular: {listed} are combinations of other columns there. Directions "
        "that do not vary are left out; drop such columns to be rid of this warning.",
        RankDeficient,
    )
    return pseudo_whitener(root, tol)
