"""What classifiers share that are fitted from sums: the door for labelled rows, and rows added later.

table, labels ─▶ door: classes, codes ─▶ rows, LabelPlan
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from suffice._core.errors import Unsupported
from suffice._estimator.estimator import check_weight, open_inputs, open_table
from suffice._estimator.labels import LabelPlan, check_same_classes, codes_of, listed, open_labels
from suffice.engine import Rows
from suffice.statistics import Header


class TableDoor(NamedTuple):
    """How tables become rows: `rows(model, X, n, earlier)` for a fit to n labels, `inputs(model, X)` for predictions.

    `rows` also gives the header; `earlier` is that of rows counted before.
    """

    rows: Callable[[Any, Any, int, Header | None], tuple[Any, Header]]
    inputs: Callable[[Any, Any], Any]


class PlanRules(NamedTuple):
    """What else must be known before rows are counted, the same for every block of them.

    `of_rows(model, rows, plan, like)` adds it to the plan of a table, `of_statistics` finds that of earlier rows.
    """

    of_rows: Callable[[Any, Rows, LabelPlan, LabelPlan | None], LabelPlan]
    of_statistics: Callable[[Any], LabelPlan]


NOTHING_ELSE = PlanRules(
    lambda model, rows, plan, like: plan, lambda statistics: LabelPlan(statistics.header, statistics.classes)
)


def open_numbers(model: Any, X: Any, n: int, earlier: Header | None) -> tuple[Any, Header]:
    """A table of numbers, sparse or not, and its header; NaN is a missing cell where the model takes gaps."""
    X, _, header = open_table(model, X, np.zeros(n), like=earlier, gaps=model._takes_gaps)
    return X, header


def open_number_inputs(model: Any, X: Any) -> Any:
    """A table of numbers to predict."""
    return open_inputs(model, X, gaps=model._takes_gaps)


@dataclass(eq=False, repr=False)
class LabelledRows(ABC):
    """Rows with labels: their door, and a `partial_fit` that may list classes."""

    classes_: np.ndarray = field(init=False)

    _table_door: ClassVar[TableDoor] = TableDoor(open_numbers, open_number_inputs)
    _planning: ClassVar[PlanRules] = NOTHING_ELSE
    _takes_gaps: ClassVar[bool] = False  # whether NaN is a missing cell
    _lists_classes_once: ClassVar[bool] = True  # whether a list of classes must stay what it was
    why_no_statistics: ClassVar[Any]  # of a model that can be fitted to rows in place of sums
    collect: ClassVar[Callable[..., Any]]  # these are those of `FromSums` and of the model
    solve: ClassVar[Callable[..., Any]]
    __sklearn_is_fitted__: ClassVar[Callable[..., bool]]

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise for parameters outside their domain; called before rows are read."""

    def plan_of(self, statistics: Any) -> LabelPlan:
        """The plan under which rows are counted so that they add to these statistics."""
        return self._planning.of_statistics(statistics)

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
        X, header = self._table_door.rows(self, X, len(labels), None if like is None else like.header)
        weight = check_weight(sample_weight, X)
        known = listed(labels if weight is None else labels[weight > 0], classes)
        rows = Rows(X, codes_of(labels, known), weight)
        return rows, self._planning.of_rows(self, rows, LabelPlan(header, known), like)

    def _open_inputs(self, X: Any) -> Any:
        """X for a prediction."""
        return self._table_door.inputs(self, X)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to those already seen; the same as fitting all of them at once.

        New labels become new classes. `classes` lists the labels that may occur: others are refused, and one that has
        not occurred yet is never predicted. A list that is given again must be the same.
        """
        earlier = getattr(self, "statistics_", None)
        if earlier is None and self.__sklearn_is_fitted__():
            raise Unsupported(f"This {type(self).__name__} cannot be added to: {self.why_no_statistics}.")
        if earlier is not None and classes is not None and self._lists_classes_once:
            check_same_classes(classes, earlier.classes)
        new = self.collect(X, y, sample_weight, like=earlier, classes=classes)
        return self.solve(new if earlier is None else earlier + new)
