"""The classifier at the end of a Pipeline, as one that is fitted from statistics of its prepared rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from suffice._core.numerics import strided_sample
from suffice.evaluation._levels.pipelines import Opaque, dense, enter
from suffice.evaluation.protocols import Predictive, Rescales, SumsUp
from suffice.statistics import ClassStatistics, Header


class PipedClassifier:
    """A Pipeline that ends in a classifier whose statistics are per class.

    Scaling is a map of the statistics of all rows of a training set, so each part of them is mapped alike. Steps that
    are fixed prepare the rows.
    """

    def __init__(self, steps: list[tuple[str, Any]], X: Any, weighted: bool):
        self.model = steps[-1][1]
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        self.entered = enter(steps[:-1], _safe_indexing(X, strided_sample(n)), weighted)
        if self.entered.scaling is not None and not isinstance(self.model, Rescales):
            raise Opaque(f"the statistics of {type(self.model).__name__} do not tell those of scaled columns")
        if self.entered.powers is not None or self.entered.without_constant:
            raise Opaque("its polynomial features are made of scaled columns, or include a constant")

    @property
    def state_needs_data(self) -> bool:
        return self.model.state_needs_data

    @property
    def statistics_key(self) -> Hashable:
        return self.entered.key, self.model.statistics_key

    def why_not_summed(self, X: Any) -> str | None:
        return self.model.why_not_summed(self.entered.apply(X)) if isinstance(self.model, SumsUp) else None

    def door(self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Any = None) -> tuple[Any, Any]:
        return self.model.door(self.entered.apply(X), y, sample_weight, like=like)

    def gather(self, rows: Any, plan: Any) -> Any:
        return self.model.gather(rows, plan)

    def collect(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        return self.model.collect(self.entered.apply(X), y, sample_weight)

    def solve(self, statistics: ClassStatistics) -> PipedDecisions:
        """A fitted copy; the pipeline itself stays as it is."""
        columns = None if self.entered.scaling is None else self.entered.map(self.model.whole(statistics))
        mine = statistics if columns is None else _mapped(statistics, columns)
        kind = PipedClassifierFit if isinstance(self.model, Predictive) else PipedDecisions
        return kind(self.entered.apply, columns, clone(self.model).solve(mine))


def _mapped(statistics: ClassStatistics, columns: Any) -> ClassStatistics:
    """The statistics of the mapped columns; they have lost their names."""
    parts = statistics.with_parts(columns.of_statistics)
    width = next(part.header.n_features for part in parts.parts if part is not None)
    return ClassStatistics(Header(width, None, None, 0), parts.counts, parts.parts)


class PipedDecisions:
    """A fitted classifier behind prepared columns; it need not know probabilities."""

    def __init__(self, apply: Callable, columns: Any, model: Any):
        self.apply, self.columns, self.model = apply, columns, model

    def __sklearn_tags__(self) -> Any:
        return self.model.__sklearn_tags__()

    @property
    def classes_(self) -> np.ndarray:
        return self.model.classes_

    def _prepared(self, X: Any) -> Any:
        Z = self.apply(X)
        return Z if self.columns is None else self.columns(dense(Z))

    def predict(self, X: Any) -> np.ndarray:
        return self.model.predict(self._prepared(X))


class PipedClassifierFit(PipedDecisions):
    """One that knows them."""

    def predict_proba(self, X: Any) -> np.ndarray:
        return self.model.predict_proba(self._prepared(X))

    def predict_dist(self, X: Any) -> Any:
        return self.model.predict_dist(self._prepared(X))
