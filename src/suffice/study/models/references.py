"""Models from outside, for orientation: how far might one get with these columns? They are never chosen.

Both come from scikit-learn with settings that suit tables of any size; nothing is tuned. The trees of a forest are
spread over the cores; boosting works on one (see `steps.validate.alone`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from suffice.study.models.candidate import Candidate, Trying
from suffice.study.models.sizes import by_trees, small_enough

NUMBERS, CLASSES = ("regression",), ("binary", "multi-class")
FOREST: dict[str, Any] = {"n_estimators": 100, "min_samples_leaf": 3, "random_state": 0, "n_jobs": -1}
ROWS = 20_000  # that a tree sees at most
BOOSTING: dict[str, Any] = {"max_iter": 100, "learning_rate": 0.1, "early_stopping": False, "random_state": 0}


def arranged(X: Any, y: Any, weight: Any, order: Sequence[int] | None) -> tuple[Any, Any, Any]:
    """Rows sorted by what they hold and columns in a given order, for trees draw both by their places."""
    Z = in_columns(X, order)
    rows = np.lexsort((np.unique(y, return_inverse=True)[1], *Z.T[::-1]))
    return Z[rows], np.asarray(y)[rows], None if weight is None else np.asarray(weight)[rows]


def in_columns(X: Any, order: Sequence[int] | None) -> np.ndarray:
    """The columns in a given order."""
    Z = np.asarray(X)
    return Z if order is None else Z[:, list(order)]


class _Steady(BaseEstimator):
    """A forest that predicts the same to the last digit every time, in whatever order rows and columns come.

    `order` arranges the columns, as by their names. Trees are added up one after the other: threads would add them in
    any order, and the last digits would change.
    """

    def __init__(self, forest: Any, order: Sequence[int] | None = None):
        self.forest, self.order = forest, order

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees on rows and columns in an order of their own."""
        self.forest_ = clone(self.forest).fit(*arranged(X, y, sample_weight, self.order))
        self.forest_.n_jobs = 1
        return self


class SteadyForest(RegressorMixin, _Steady):
    """A random forest of numbers."""

    def predict(self, X: Any) -> np.ndarray:
        """The mean of the trees."""
        return self.forest_.predict(in_columns(X, self.order))


class VotingForest(ClassifierMixin, _Steady):
    """A random forest with one more tree, which knows nothing: no class has the probability zero.

    Else one row whose class no tree voted for makes the log loss of all rows infinite.
    """

    @property
    def classes_(self) -> np.ndarray:
        return self.forest_.classes_

    def predict_proba(self, X: Any) -> np.ndarray:
        """Shares of the trees, the one that knows nothing included."""
        votes, n = self.forest_.predict_proba(in_columns(X, self.order)), self.forest_.n_estimators
        return (n * votes + 1 / votes.shape[1]) / (n + 1)

    def predict(self, X: Any) -> np.ndarray:
        """The class with the most votes."""
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]


def _sizes(problem: Any) -> dict[str, Any]:
    """How much of the table a tree looks at."""
    n, d = problem.Z.shape
    share = None if n <= ROWS else ROWS / n
    order = tuple(np.argsort(np.array(problem.names), kind="stable").tolist())
    return {
        "forest__max_features": max(0.1, min(0.4, 10 / np.sqrt(d))),
        "forest__max_samples": share,
        "order": order,
    }


def _reference(name: str, title: str, build: Any, description: str, tasks: tuple[str, ...]) -> Candidate:
    forest = title == "Random forest"
    return Candidate(
        name,
        title,
        build,
        description,
        study=Trying(
            tasks, _sizes if forest else {}, why_not=small_enough, seconds=by_trees(5e-5 if forest else 9e-6)
        ),
        kind="reference",
        files=False,
        generative=False,
    )


FOREST_WORDS = (
    "scikit-learn's random forest of 100 trees with at least 3 rows in a leaf, not tuned: an outside reference, never "
    "chosen."
)
BOOSTING_WORDS = (
    "scikit-learn's gradient boosting of 100 trees, not tuned: an outside reference, never chosen."
)
REFERENCES: tuple[Candidate, ...] = (
    _reference(
        "forest",
        "Random forest",
        lambda: SteadyForest(RandomForestRegressor(**FOREST)),
        FOREST_WORDS,
        NUMBERS,
    ),
    _reference(
        "boosting",
        "Gradient boosting",
        lambda: HistGradientBoostingRegressor(**BOOSTING),
        BOOSTING_WORDS,
        NUMBERS,
    ),
    _reference(
        "forest-classes",
        "Random forest",
        lambda: VotingForest(RandomForestClassifier(**FOREST)),
        FOREST_WORDS,
        CLASSES,
    ),
    _reference(
        "boosting-classes",
        "Gradient boosting",
        lambda: HistGradientBoostingClassifier(**BOOSTING),
        BOOSTING_WORDS,
        CLASSES,
    ),
)
