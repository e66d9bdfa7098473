"""The linear model at the end of a Pipeline, as one that is fitted from statistics of its prepared rows."""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils import _safe_indexing

from suffice._core.numerics import strided_sample
from suffice._estimator import LinearModel, LinearSmoother
from suffice.engine.protocols import FromStatistics
from suffice.evaluation._levels.maps import Map
from suffice.evaluation._levels.piped_classifier import PipedClassifier
from suffice.evaluation._levels.pipelines import Opaque, dense, enter, steps_of
from suffice.evaluation._levels.routing import keeps_weights_out
from suffice.evaluation.protocols import SumsUp
from suffice.prepare import BasisTransformer
from suffice.statistics.folds import Folds


class Piped:
    """A Pipeline that ends in a linear model, as a model fitted from statistics of its prepared rows."""

    def __init__(self, steps: list[tuple[str, Any]], X: Any, weighted: bool):
        name, self.model = steps[-1]
        self.prefix = f"{name}__"
        options, head = self.model.get_params(deep=False), _safe_indexing(X, strided_sample(_n_rows(X)))
        self.entered = enter(steps[:-1], head, weighted)
        basis = options.get("basis")
        if self.entered.scaling is not None and basis is None and self.model.basis is not None:
            raise Opaque(
                "its last step keeps no statistics of the columns that are scaled"
            )  # the mean of the target
        if self.entered.scaling is not None and basis is not None:  # its columns are one more step
            self.entered = enter([*steps[:-1], ("basis", BasisTransformer(basis))], head, weighted)
            self.model = clone(self.model).set_params(basis=None)
        free = options.get("fit_intercept", True) and not options.get("penalize_intercept", False)
        if self.entered.without_constant and not (free and options.get("intercept", "flat") == "flat"):
            raise Opaque("its polynomial features include a constant, which is penalized like a column")

    def with_parameter(self, parameter: str, value: Any) -> Piped:
        """The same steps before a model with one parameter changed."""
        other = copy.copy(self)
        other.model = clone(self.model).set_params(**{parameter.removeprefix(self.prefix): value})
        return other

    # -- level 1
    @property
    def state_needs_data(self) -> bool:
        return self.model.state_needs_data

    @property
    def statistics_key(self) -> Hashable:
        return self.entered.key, self.model.statistics_key

    def door(self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Any = None) -> tuple[Any, Any]:
        return self.model.door(self.entered.apply(X), y, sample_weight, like=like)

    def gather(self, rows: Any, plan: Any) -> Any:
        return self.model.gather(rows, plan)

    def collect(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        return self.model.collect(self.entered.apply(X), y, sample_weight)

    def fold_gatherer(self, rows: Any, plan: Any, visits: int) -> Any:
        return self.model.fold_gatherer(rows, plan, visits)

    def solve(self, statistics: Any) -> PipedFit:
        """A fitted copy; the pipeline itself stays as it is."""
        columns = self.entered.map(statistics)
        mine = statistics if columns is None else columns.of_statistics(statistics)
        return PipedFit(self.entered.apply, columns, clone(self.model).solve(mine), statistics)

    def doubt(self, statistics: Any) -> str | None:
        powers = self.entered.powers
        return self.model.doubt(statistics) if powers is None else powers.doubt(statistics)

    @property
    def path_parameters(self) -> tuple[str, ...]:
        return tuple(self.prefix + p for p in self.model.path_parameters)

    def solve_paths(
        self, statistics: Sequence[Any], parameter: str, values: Sequence[Any]
    ) -> list[PipedPath]:
        maps = [self.entered.map(t) for t in statistics]
        mine = [t if m is None else m.of_statistics(t) for m, t in zip(maps, statistics, strict=True)]
        paths = self.model.solve_paths(mine, parameter.removeprefix(self.prefix), values)
        back = [
            path if m is None else path.replaced(m.pulled_back(path.function, t))
            for m, path, t in zip(maps, paths, statistics, strict=True)
        ]
        return [PipedPath(self.entered.apply, path) for path in back]

    def narrows(self, key: Hashable) -> bool:
        return isinstance(key, tuple) and key[0] == self.entered.key and self.model.narrows(key[1])

    def narrow(self, statistics: Any) -> Any:
        return self.model.narrow(statistics)

    # -- level 2
    def why_not_held_out(self, folds: Folds) -> str | None:
        if not isinstance(self.model, LinearSmoother):
            return "the fit is no linear function of the targets"
        if self.entered.scaling is not None and not self.model.ignores_scale:
            return "the penalty is on columns that are scaled in each fold"
        return self.model.why_not_held_out(folds)

    def left_out_pays(self, folds: Folds, plan: Any) -> bool:
        return isinstance(self.model, LinearSmoother) and self.model.left_out_pays(folds, plan)

    def reading(self, rows: Any, plan: Any) -> Any:
        return self._smoother.reading(rows, plan)

    def left_out(self, reading: Any, folds: Any) -> Any:
        return self._smoother.left_out(reading, folds)

    def left_out_dist(self, left: Any, single: bool) -> Any:
        return self._smoother.left_out_dist(left, single)

    @property
    def _smoother(self) -> LinearSmoother:
        assert isinstance(self.model, LinearSmoother)  # else `why_not_held_out` has said so
        return self.model


def _n_rows(X: Any) -> int:
    return X.shape[0] if hasattr(X, "shape") else len(X)


class PipedFit:
    """A fitted linear model behind prepared columns."""

    def __init__(self, apply: Callable, columns: Map | None, model: LinearModel, statistics: Any):
        self.apply, self.columns, self.model, self.statistics = apply, columns, model, statistics

    def __sklearn_tags__(self) -> Any:
        return self.model.__sklearn_tags__()

    def _prepared(self, X: Any) -> Any:
        Z = self.apply(X)
        return Z if self.columns is None else self.columns(dense(Z))

    def predict(self, X: Any) -> np.ndarray:
        return self.model.predict(self._prepared(X))

    def predict_dist(self, X: Any) -> Any:
        return self.model.predict_dist(self._prepared(X))

    def squared_error(self, statistics: Any) -> float:
        function = self.model.function_
        if self.columns is not None:
            function = self.columns.pulled_back(function, self.statistics)
        return float(function.sse(statistics).mean())


PIPED = (Piped, PipedClassifier)


class PipedPath:
    """Functions of the prepared columns for several values of a parameter."""

    def __init__(self, apply: Callable, path: Any):
        self.apply, self.path = apply, path

    def squared_error(self, statistics: Any) -> np.ndarray:
        return self.path.squared_error(statistics)

    def predict(self, X: Any) -> np.ndarray:
        return self.path.predict(dense(self.apply(X)))


def see_through(model: Any, table: Any) -> tuple[FromStatistics | None, str | None]:
    """The model as one fitted from statistics of the table, or None and why not."""
    if table.weight is not None and (why := keeps_weights_out(model)):
        return None, why
    steps = steps_of(model)
    if steps is not None:
        last = steps[-1][1]
        if not isinstance(last, LinearModel) and not (
            is_classifier(last) and isinstance(last, FromStatistics)
        ):
            return None, f"its last step ({type(last).__name__}) is not fitted from a triangle"
        kind = Piped if isinstance(last, LinearModel) else PipedClassifier
        try:
            model = kind(steps, table.X, table.weight is not None)
        except Opaque as reason:
            return None, str(reason)
        except (ValueError, TypeError, KeyError, IndexError) as error:  # refitting says it in its own words
            return None, f"its steps cannot be bound to the table: {error}"
    if not isinstance(model, FromStatistics):
        return None, f"{type(model).__name__} is not fitted from statistics"
    if model.state_needs_data:
        return None, "its basis takes centres from the rows of each training set"
    why = model.why_not_summed(table.X) if isinstance(model, SumsUp) else None
    return (model, None) if why is None else (None, why)
