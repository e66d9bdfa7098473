"""Models from outside, for orientation: how far might one get with these columns? They are never chosen.

Both come from scikit-learn with settings that suit tables of any size; nothing is tuned. The trees of a forest are
spread over the cores; boosting works on one (see `steps.validate.alone`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from suffice.study.models.candidate import Candidate, Trying
from suffice.study.models.sizes import by_trees, small_enough

NUMBERS, CLASSES = ("regression", "counts"), ("binary", "multi-class")
FOREST: dict[str, Any] = {"n_estimators": 100, "min_samples_leaf": 3, "random_state": 0, "n_jobs": -1}
ROWS = 20_000  # that a tree sees at most
BOOSTING: dict[str, Any] = {"max_iter": 100, "learning_rate": 0.1, "early_stopping": False, "random_state": 0}


@contextmanager
def in_order(forest: Any) -> Iterator[None]:
    """Trees are added up one after the other: threads would add them in any order, and the last digits would change."""
    jobs, forest.n_jobs = forest.n_jobs, 1
    try:
        yield
    finally:
        forest.n_jobs = jobs


class SteadyForest(RandomForestRegressor):
    """A random forest that predicts the same to the last digit every time."""

    def predict(self, X: Any) -> np.ndarray:
        """The mean of the trees."""
        with in_order(self):
            return super().predict(X)


class VotingForest(RandomForestClassifier):
    """A random forest with one more tree, which knows nothing: no class has the probability zero.

    Else one row whose class no tree voted for makes the log loss of all rows infinite.
    """

    def predict_proba(self, X: Any) -> np.ndarray:
        """Shares of the trees, the one that knows nothing included."""
        with in_order(self):
            votes = super().predict_proba(X)
        return (self.n_estimators * votes + 1 / votes.shape[1]) / (self.n_estimators + 1)


def _sizes(problem: Any) -> dict[str, Any]:
    """How much of the table a tree looks at."""
    n, d = problem.Z.shape
    share = None if n <= ROWS else ROWS / n
    return {"max_features": max(0.1, min(0.4, 10 / np.sqrt(d))), "max_samples": share}


def _reference(name: str, title: str, build: Any, description: str, tasks: tuple[str, ...]) -> Candidate:
    forest = title == "Random forest"
    return Candidate(
        name,
        title,
        build,
        description,
        study=Trying(
            tasks,
            _sizes if forest else {},
            why_not=small_enough,
            seconds=by_trees(3e-5 if forest else 9e-6, not forest),
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
    _reference("forest", "Random forest", lambda: SteadyForest(**FOREST), FOREST_WORDS, NUMBERS),
    _reference(
        "boosting",
        "Gradient boosting",
        lambda: HistGradientBoostingRegressor(**BOOSTING),
        BOOSTING_WORDS,
        NUMBERS,
    ),
    _reference("forest-classes", "Random forest", lambda: VotingForest(**FOREST), FOREST_WORDS, CLASSES),
    _reference(
        "boosting-classes",
        "Gradient boosting",
        lambda: HistGradientBoostingClassifier(**BOOSTING),
        BOOSTING_WORDS,
        CLASSES,
    ),
)
