"""The model at the end of a Pipeline, as one that is fitted from statistics of its prepared rows."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Sequence
from typing import Any, Self, cast

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from suffice._core.numerics import strided_sample
from suffice.evaluation._levels.maps import Map
from suffice.evaluation._levels.pipelines import NotSeenThrough, bind_steps, dense, n_rows
from suffice.evaluation.protocols import (
    HoldsOut,
    LinearInColumns,
    PathFit,
    Predictive,
    Rescales,
    SumsUp,
    offers,
)
from suffice.prepare import BasisTransformer
from suffice.statistics import AffineFunction, ClassStatistics, Header
from suffice.statistics.folds import Folds


class PreparedModel:
    """A model behind the steps of a Pipeline. Fixed steps prepare the rows; scaling maps the statistics of each fit."""

    def __init__(self, steps: Sequence[tuple[str, Any]], X: Any, weighted: bool):
        name, self.model = steps[-1]
        self.prefix, self.columns = f"{name}__", cast(Map | None, None)
        self.steps = bind_steps(steps[:-1], _safe_indexing(X, strided_sample(n_rows(X))), weighted)

    def __sklearn_clone__(self) -> Self:
        other = copy.copy(self)
        other.model = clone(self.model)
        return other

    def __sklearn_tags__(self) -> Any:
        return self.model.__sklearn_tags__()

    def set_params(self, **params: Any) -> Self:
        """Parameters of the last step, under their names in the Pipeline."""
        self.model.set_params(**{name.removeprefix(self.prefix): v for name, v in params.items()})
        return self

    @property
    def state_needs_data(self) -> bool:
        return self.model.state_needs_data

    @property
    def statistics_key(self) -> Hashable:
        return self.steps.key, self.model.statistics_key

    def why_not_summed(self, X: Any) -> str | None:
        return self.model.why_not_summed(self.steps.apply(X)) if isinstance(self.model, SumsUp) else None

    def door(self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Any = None) -> tuple[Any, Any]:
        return self.model.door(self.steps.apply(X), y, sample_weight, like=like)

    def gather(self, rows: Any, plan: Any) -> Any:
        return self.model.gather(rows, plan)

    def collect(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        return self.model.collect(self.steps.apply(X), y, sample_weight)

    def predict(self, X: Any) -> np.ndarray:
        return self.model.predict(self._prepared(X))

    def _prepared(self, X: Any) -> Any:
        Z = self.steps.apply(X)
        return Z if self.columns is None else self.columns(dense(Z))


class PreparedLinear(PreparedModel):
    """A linear model behind steps; what it finds is a function of the columns before they are scaled.

    So are its paths; they predict from prepared rows.
    """

    def __init__(self, steps: Sequence[tuple[str, Any]], X: Any, weighted: bool):
        super().__init__(steps, X, weighted)
        options = self.model.get_params(deep=False)
        basis = options.get("basis")
        if self.steps.scaling is not None and basis is None and self.model.basis is not None:
            # the mean of y
            raise NotSeenThrough("its last step keeps no statistics of the columns that are scaled")
        if self.steps.scaling is not None and basis is not None:  # its columns are one more step
            expanded = [*steps[:-1], ("basis", BasisTransformer(basis)), steps[-1]]
            super().__init__(expanded, X, weighted)
            self.model = clone(self.model).set_params(basis=None)
        free = options.get("fit_intercept", True) and not options.get("penalize_intercept", False)
        if self.steps.without_constant and not (free and options.get("intercept", "flat") == "flat"):
            raise NotSeenThrough(
                "its polynomial features include a constant, which is penalized like a column"
            )

    @property
    def scales_alone(self) -> bool:
        """Whether the steps do nothing but scale each column, which is the same for any of the columns."""
        return self.steps.key == () and not self.steps.chosen

    def fold_gatherer(self, rows: Any, plan: Any, visits: int) -> Any:
        return self.model.fold_gatherer(rows, plan, visits)

    def solve(self, statistics: Any) -> Self:
        self.columns, self.statistics = self.steps.map(statistics), statistics
        self.model.solve(statistics if self.columns is None else self.columns.of_statistics(statistics))
        return self

    def doubt(self, statistics: Any) -> str | None:
        powers = self.steps.powers
        return self.model.doubt(statistics) if powers is None else powers.doubt(statistics)

    def predict_dist(self, X: Any) -> Any:
        return self.model.predict_dist(self._prepared(X))

    @property
    def function_(self) -> AffineFunction:
        """Of the columns before they are scaled."""
        function = self.model.function_
        return function if self.columns is None else self.columns.pulled_back(function, self.statistics)

    def squared_error(self, statistics: Any) -> float:
        return float(self.function_.sse(statistics).mean())

    @property
    def path_parameters(self) -> tuple[str, ...]:
        return tuple(self.prefix + p for p in self.model.path_parameters)

    def solve_paths(self, statistics: Sequence[Any], parameter: str, values: Sequence[Any]) -> list[PathFit]:
        maps = [self.steps.map(t) for t in statistics]
        mine = [t if m is None else m.of_statistics(t) for m, t in zip(maps, statistics, strict=True)]
        paths = self.model.solve_paths(mine, parameter.removeprefix(self.prefix), values)
        return [
            path if m is None else path.replaced(m.pulled_back(path.function, t))
            for m, path, t in zip(maps, paths, statistics, strict=True)
        ]

    def narrows(self, key: Hashable) -> bool:
        return isinstance(key, tuple) and key[0] == self.steps.key and self.model.narrows(key[1])

    def narrow(self, statistics: Any) -> Any:
        return self.model.narrow(statistics)

    def why_not_held_out(self, folds: Folds) -> str | None:
        if not offers(self.model, HoldsOut):
            return "the fit is no linear function of the targets"
        if self.steps.scaling is not None and not self.model.ignores_scale:
            return "the penalty is on columns that are scaled in each fold"
        return self.model.why_not_held_out(folds)

    def left_out_pays(self, folds: Folds, plan: Any) -> bool:
        return offers(self.model, HoldsOut) and self.model.left_out_pays(folds, plan)

    def reading(self, rows: Any, plan: Any) -> Any:
        return self.model.reading(rows, plan)

    def left_out(self, reading: Any, folds: Any) -> Any:
        return self.model.left_out(reading, folds)

    def left_out_dist(self, left: Any, single: bool) -> Any:
        return self.model.left_out_dist(left, single)


class PreparedClassifier(PreparedModel):
    """A classifier with statistics per class behind steps; it need not know probabilities.

    Scaling is a map of the statistics of all rows of a training set, so each part of them is mapped alike.
    """

    def __init__(self, steps: Sequence[tuple[str, Any]], X: Any, weighted: bool):
        super().__init__(steps, X, weighted)
        if self.steps.scaling is not None and not isinstance(self.model, Rescales):
            raise NotSeenThrough(
                f"the statistics of {type(self.model).__name__} do not tell those of scaled columns"
            )
        if self.steps.powers is not None or self.steps.without_constant:
            raise NotSeenThrough("its polynomial features are made of scaled columns, or include a constant")

    def solve(self, statistics: ClassStatistics) -> Self:
        scaled = self.steps.scaling is not None
        self.columns = self.steps.map(self.model.whole(statistics)) if scaled else None
        self.model.solve(statistics if self.columns is None else _mapped(statistics, self.columns))
        return self

    @property
    def classes_(self) -> np.ndarray:
        return self.model.classes_


class PreparedProbabilities(PreparedClassifier):
    """One that knows them."""

    def predict_proba(self, X: Any) -> np.ndarray:
        return self.model.predict_proba(self._prepared(X))

    def predict_dist(self, X: Any) -> Any:
        return self.model.predict_dist(self._prepared(X))


def _mapped(statistics: ClassStatistics, columns: Any) -> ClassStatistics:
    """The statistics of the mapped columns; they have lost their names."""
    parts = statistics.with_parts(columns.of_statistics)
    width = next(part.header.n_features for part in parts.parts if part is not None)
    return ClassStatistics(Header(width, None, None, 0), parts.counts, parts.parts)


def kind_of(last: Any) -> type[PreparedModel]:
    """How the last step of a Pipeline is seen behind the others."""
    if isinstance(last, LinearInColumns):
        return PreparedLinear
    return PreparedProbabilities if isinstance(last, Predictive) else PreparedClassifier
