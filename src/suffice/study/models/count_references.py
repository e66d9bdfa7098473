"""Models of counts from outside, for orientation: they predict positive numbers, and are never chosen."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor

from suffice.study.models.candidate import Candidate
from suffice.study.models.references import (
    BOOSTING,
    BOOSTING_WORDS,
    FOREST,
    FOREST_WORDS,
    SteadyForest,
    _reference,
)


class CountingForest(SteadyForest):
    """A random forest with one more tree, which predicts the mean: no count is impossible where leaves hold zeros."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees, and keep the mean."""
        super().fit(X, y, sample_weight)
        self.mean_ = max(float(np.average(y, weights=sample_weight)), 0.5 / len(y))
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The mean of the trees, the one that knows nothing included."""
        return (self.forest_.n_estimators * super().predict(X) + self.mean_) / (self.forest_.n_estimators + 1)


COUNT_REFERENCES: tuple[Candidate, ...] = (
    _reference(
        "forest-counts",
        "Random forest",
        lambda: CountingForest(RandomForestRegressor(**FOREST)),
        FOREST_WORDS,
        ("counts",),
    ),
    _reference(
        "boosting-counts",
        "Gradient boosting",
        lambda: HistGradientBoostingRegressor(loss="poisson", **BOOSTING),
        BOOSTING_WORDS,
        ("counts",),
    ),
)
