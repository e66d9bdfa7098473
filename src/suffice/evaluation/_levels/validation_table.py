"""The rows of a validation, cut to folds, and how much the folds weigh."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.evaluation._levels.arguments import taken_by_fit
from suffice.evaluation._levels.pipelines import n_rows
from suffice.evaluation._levels.routing import refuse_unrequested, with_weights
from suffice.statistics.folds import Folds, Index, Partition


@record
class ValidationTable:
    """The rows of a validation: inputs and targets as given, weights, and further arguments of `fit`."""

    X: Any
    y: Any
    weight: np.ndarray | None
    params: dict[str, Any]

    def __len__(self) -> int:
        return n_rows(self.X)

    @cached_property
    def labels(self) -> np.ndarray:
        """The different targets, in order."""
        return np.unique(np.asarray(self.y))

    def inputs(self, rows: Index) -> Any:
        return _safe_indexing(self.X, rows)

    def targets(self, rows: Index) -> np.ndarray:
        if self.y is None:
            raise InvalidInput("This loss compares predictions with y, and there is no y; give it.")
        return np.asarray(self.y)[rows]

    def weights(self, rows: Index) -> np.ndarray:
        """The weights of some rows: ones where none were given."""
        if self.weight is not None:
            return self.weight[rows]
        return np.ones(len(range(*rows.indices(len(self))) if isinstance(rows, slice) else rows))

    def fit(self, model: Any, rows: np.ndarray) -> Any:
        """A fitted copy of the model, with everything that has one entry per row cut to these rows."""
        refuse_unrequested(model, self.params)
        new, weights = (clone(model), {}) if self.weight is None else with_weights(model, self.weight[rows])
        target = () if self.y is None else (_safe_indexing(self.y, rows),)
        return new.fit(self.inputs(rows), *target, **self.arguments(rows), **weights)

    def arguments(self, rows: Index) -> dict[str, Any]:
        """Further arguments of `fit` for some rows."""
        return {k: _safe_indexing(v, rows) if self._has_rows(v) else v for k, v in self.params.items()}

    def for_baseline(self, model: Any) -> ValidationTable:
        """The same rows for a constant, which takes no arguments but those its `fit` names."""
        return replace(self, params=taken_by_fit(model, self.params))

    def _has_rows(self, value: Any) -> bool:
        return np.ndim(value) > 0 and len(value) == len(self)


def sizes_of_tests(table: ValidationTable, folds: Folds) -> np.ndarray:
    """Total weight of the test rows of every fold."""
    if table.weight is None:
        return folds.sizes.astype(float)
    return check_counted(np.array([table.weight[folds.test(i)].sum() for i in range(len(folds))]))


def check_counted(sizes: np.ndarray) -> np.ndarray:
    """The total weights of folds; a fold without weight has no mean loss."""
    if np.any(sizes == 0):
        raise InvalidInput(
            f"Fold {int(np.argmin(sizes))} has no test rows with positive weight. Leave rows of weight 0 out of the "
            "table, or give folds that each test rows that count."
        )
    return sizes


def rows_to_read(folds: Folds) -> int:
    """How many rows reading every training set would take; a partition is read once."""
    return folds.rows if isinstance(folds, Partition) else sum(len(a) + len(b) for a, b in folds.splits)
