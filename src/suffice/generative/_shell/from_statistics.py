"""Classifiers fitted from a statistic per class: what is counted, and the fit from it."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin

from suffice._estimator import Estimator, FromSums, check_not_empty, remember_columns
from suffice._estimator.labelled_rows import LabelledRows, TableDoor, open_number_inputs, open_numbers
from suffice._estimator.labels import LabelPlan, check_two_classes
from suffice.engine import Rows, reduce
from suffice.statistics import ClassStatistics, Counts, Header
from suffice.statistics.labels import LabelCounts


def without_targets(header: Header) -> Header:
    """The columns of a table of which nothing but the class is predicted."""
    return Header(header.n_features, header.features, None, 0)


def _open(model: Any, X: Any, n: int, earlier: Header | None) -> tuple[Any, Header]:
    X, header = open_numbers(model, X, n, earlier)
    return X, without_targets(header)


NUMBERS = TableDoor(_open, open_number_inputs)


@dataclass(eq=False, repr=False)
class FromClassStatistics(LabelledRows, FromSums, ClassifierMixin, Estimator, ABC):
    """A statistic per class, and fits from them; what is predicted, and how, is said elsewhere."""

    statistics_: ClassStatistics = field(init=False)
    class_count_: np.ndarray = field(init=False)

    _input_tags: ClassVar[tuple[str, ...]] = ("sparse",)
    _table_door: ClassVar[TableDoor] = NUMBERS
    _needs_contrast: ClassVar[bool] = False  # whether one class alone is no problem to solve

    # -- what final classes say ----------------------------------------------------------------------
    @abstractmethod
    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        """Statistics of some validated rows, few enough for one block of work."""

    @abstractmethod
    def _solve(self, statistics: ClassStatistics) -> None:
        """Write the parameters; what concerns the classes themselves is written already."""

    # -- statistics ------------------------------------------------------------------------------------
    @property
    def state_needs_data(self) -> bool:
        """Nothing but the labels is taken from the rows before they are counted."""
        return False

    def gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        """Statistics of validated rows."""
        return reduce(rows, self._gather, plan)

    def solve(self, statistics: ClassStatistics) -> Self:
        """Write every fitted attribute from the statistics, all of them or, if something fails, none."""
        self._check_parameters()
        new = copy.copy(self)
        new._write_classes(statistics.counts)
        new._solve(statistics)
        new.statistics_ = statistics
        remember_columns(new, statistics.header)
        self.__dict__ = new.__dict__
        return self

    def _write_classes(self, counts: Counts) -> None:
        check_not_empty(counts.n)
        if self._needs_contrast:
            instead = " List others with partial_fit(classes=...), or use a density model."
            check_two_classes(self, counts.classes, instead)
        self.classes_, self.class_count_ = counts.classes, counts.counts

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_gaps
        return tags


def label_counts(plan: LabelPlan, rows: Rows) -> Counts:
    """The weight of each class among validated rows."""
    return LabelCounts.of_codes(plan.header, plan.classes, rows.Y, rows.weight).counts
