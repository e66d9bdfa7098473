"""The rows of a validation, cut to folds, and how much the folds weigh."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils import _safe_indexing, get_tags, indexable

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice._core.table_checks import column_or_1d
from suffice._estimator import check_weight
from suffice.evaluation._levels.arguments import arguments_of_fit
from suffice.evaluation._levels.densities import check_weighted
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
        return replace(self, params=arguments_of_fit(model, self.params))

    def _has_rows(self, value: Any) -> bool:
        return np.ndim(value) > 0 and len(value) == len(self)


def make_table(
    X: Any, y: Any, sample_weight: Any, params: dict[str, Any] | None, model: Any = None
) -> ValidationTable:
    """Rows that can be sliced, with weights that count them; labels in a column become a vector."""
    if sample_weight is not None and params and any(k.endswith("sample_weight") for k in params):
        raise InvalidInput("Give weights as sample_weight or inside params, not both.")
    if y is None and model is not None and get_tags(model).target_tags.required:
        raise InvalidInput(f"{type(model).__name__} requires y to be passed, but the target y is None.")
    if sample_weight is not None and model is not None:
        check_weighted(model)
    X, y = indexable(X, y)
    if isinstance(X, list | tuple) and len(X) and isinstance(X[0], list | tuple | np.ndarray):
        X = np.asarray(X)
    if model is not None and is_classifier(model) and np.ndim(y) == 2 and np.shape(y)[1] == 1:
        y = column_or_1d(y, warn=True)
    if model is not None and is_classifier(model):
        _refuse_missing_labels(y)
    sized = X if hasattr(X, "shape") else np.empty((len(X), 0))
    return ValidationTable(X, y, check_weight(sample_weight, sized), params or {})


def _refuse_missing_labels(y: Any) -> None:
    values = np.asarray(y)
    gaps = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
    if gaps.any():
        row = int(np.argmax(gaps.reshape(len(values), -1).any(axis=1)))
        raise InvalidInput(f"y contains NaN at row {row}. Remove rows without a label first.")


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
