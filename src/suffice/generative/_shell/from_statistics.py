"""Classifiers fitted from a statistic per class: the door, gathering, fits, and rows added later."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

from suffice._core.errors import (
    InvalidInput,
)
from suffice._estimator import (
    Estimator,
    check_weight,
    open_inputs,
    open_table,
    remember_columns,
)
from suffice._estimator.labels import (
    LabelPlan,
    check_same_classes,
    check_two_classes,
    codes_of,
    listed,
    open_labels,
)
from suffice.engine import Rows, one_blas_thread, reduce
from suffice.statistics import ClassStatistics, Counts, Header
from suffice.statistics.labels import LabelCounts


class FromClassStatistics(ClassifierMixin, Estimator, ABC):
    """The door, a statistic per class, and fits from them; what is predicted, and how, is said elsewhere."""

    statistics_: ClassStatistics
    classes_: np.ndarray
    class_count_: np.ndarray
    n_features_in_: int

    # -- what final classes say ----------------------------------------------------------------------
    @abstractmethod
    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        """Statistics of some validated rows, few enough for one block of work."""

    @abstractmethod
    def _solve(self, statistics: ClassStatistics) -> None:
        """Write the parameters; what concerns the classes themselves is written already."""

    def _check_parameters(self) -> None:
        """Raise for parameters outside their domain; called before rows are read."""

    def _open(self, X: Any, n: int, earlier: Any) -> tuple[Any, Any]:
        """X as numbers, and its header; classes that take something else override it."""
        X, _, header = open_table(self, X, np.zeros(n), like=earlier, gaps=self._takes_gaps)
        return X, Header(header.n_features, header.features, None, 0)

    def _plan(self, rows: Rows, plan: LabelPlan, like: LabelPlan | None) -> LabelPlan:
        """What else must be known before rows are counted; the same for every block of them."""
        return plan

    def _plan_like(self, statistics: ClassStatistics) -> LabelPlan:
        """The plan under which rows can be counted so that they add to these."""
        return LabelPlan(statistics.header, statistics.classes)

    def _open_inputs(self, X: Any) -> Any:
        """X for a prediction."""
        return open_inputs(self, X, gaps=self._takes_gaps)

    _takes_gaps = False
    _needs_contrast = False  # whether one class alone is no problem to solve

    # -- statistics ------------------------------------------------------------------------------------
    @property
    def state_needs_data(self) -> bool:
        """Nothing but the labels is taken from the rows before they are counted."""
        return False

    @property
    def statistics_key(self) -> Hashable:
        """Models with equal keys collect equal statistics."""
        return type(self).__name__

    def door(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        like: LabelPlan | None = None,
        classes: Any = None,
    ) -> tuple[Rows, LabelPlan]:
        """Validated rows with their labels as codes, and the classes; adding statistics unites their classes."""
        self._check_parameters()
        labels = open_labels(y)
        X, header = self._open(X, len(labels), None if like is None else like.header)
        weight = check_weight(sample_weight, X)
        known = listed(labels if weight is None else labels[weight > 0], classes)
        rows = Rows(X, codes_of(labels, known), weight)
        return rows, self._plan(rows, LabelPlan(header, known), like)

    def gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        """Statistics of validated rows."""
        return reduce(rows, self._gather, plan)

    def collect(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        like: ClassStatistics | None = None,
        classes: Any = None,
    ) -> ClassStatistics:
        """Statistics of a table; writes nothing to the model."""
        plan = None if like is None else self._plan_like(like)
        with one_blas_thread():
            return self.gather(*self.door(X, y, sample_weight, like=plan, classes=classes))

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
        if not counts.n > 0:
            raise InvalidInput("There are no rows with positive weight; a fit needs at least one.")
        if self._needs_contrast:
            instead = " List others with partial_fit(classes=...), or use a density model."
            check_two_classes(self, counts.classes, instead)
        self.classes_, self.class_count_ = counts.classes, counts.counts

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to a table.

        Parameters
        ----------
        X
            Rows are observations. Arrays, pandas, polars and Arrow tables and sparse matrices are taken.
        y
            Labels: strings, booleans or whole numbers.
        sample_weight
            How often each row counts.
        """
        return self.reported(lambda tick: self._fit_rows(*self.door(X, y, sample_weight)))

    @one_blas_thread()
    def _fit_rows(self, rows: Rows, plan: LabelPlan) -> Self:
        """Fit to all rows at once, behind the door."""
        return self.solve(self.gather(rows, plan))

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to those already seen; the same as fitting all of them at once.

        New labels become new classes. `classes` lists the labels that may occur: others are refused, and one that has
        not occurred yet has no density and is never predicted. A list that is given again must be the same.
        """
        earlier = getattr(self, "statistics_", None)
        if earlier is not None and classes is not None:
            check_same_classes(classes, earlier.classes)
        new = self.collect(X, y, sample_weight, like=earlier, classes=classes)
        return self.solve(new if earlier is None else earlier + new)

    def _place(self, label: Any) -> int:
        """Where a class stands in `classes_`."""
        place = np.flatnonzero(self.classes_ == label)
        if not len(place):
            raise InvalidInput(f"Unknown class {label!r}; there are {self.classes_.tolist()}.")
        return int(place[0])

    def why_not_summed(self, X: Any) -> str | None:
        """None if a table can be told from its statistics, else the reason why it must be fitted row by row."""
        return None

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "class_count_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._takes_gaps
        return tags


def label_counts(plan: LabelPlan, rows: Rows) -> Counts:
    """The weight of each class among validated rows."""
    return LabelCounts.of_codes(plan.header, plan.classes, rows.Y, rows.weight).counts
