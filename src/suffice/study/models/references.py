"""Models from outside, for orientation: how far might one get with these columns? They are never chosen.

Both come from scikit-learn with settings that suit tables of any size; nothing is tuned.
"""

from __future__ import annotations

from typing import Any

from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from suffice.study.models.candidate import Candidate, Trying

NUMBERS, CLASSES = ("regression", "counts"), ("binary", "multi-class")
FOREST: dict[str, Any] = {"n_estimators": 100, "min_samples_leaf": 3, "max_features": 0.4, "random_state": 0}
BOOSTING: dict[str, Any] = {"max_iter": 100, "learning_rate": 0.1, "early_stopping": False, "random_state": 0}


def _reference(name: str, title: str, build: Any, description: str, tasks: tuple[str, ...]) -> Candidate:
    return Candidate(
        name,
        title,
        build,
        description,
        study=Trying(tasks, {}),
        kind="reference",
        files=False,
        generative=False,
    )


FOREST_WORDS = "scikit-learn's random forest of 100 trees, as it is: an outside reference, never chosen."
BOOSTING_WORDS = (
    "scikit-learn's gradient boosting of 100 trees, as it is: an outside reference, never chosen."
)
REFERENCES: tuple[Candidate, ...] = (
    _reference("forest", "Random forest", lambda: RandomForestRegressor(**FOREST), FOREST_WORDS, NUMBERS),
    _reference(
        "boosting",
        "Gradient boosting",
        lambda: HistGradientBoostingRegressor(**BOOSTING),
        BOOSTING_WORDS,
        NUMBERS,
    ),
    _reference(
        "forest-classes", "Random forest", lambda: RandomForestClassifier(**FOREST), FOREST_WORDS, CLASSES
    ),
    _reference(
        "boosting-classes",
        "Gradient boosting",
        lambda: HistGradientBoostingClassifier(**BOOSTING),
        BOOSTING_WORDS,
        CLASSES,
    ),
)
