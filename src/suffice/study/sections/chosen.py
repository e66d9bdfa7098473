"""The best model, fitted to all rows in use."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from suffice._core.records import record


@record
class Estimates:
    """Weights of a fitted model, intercept first. NaN where the model states no uncertainty.

    `group` names what several sets of weights belong to, as the classes of a softmax regression; else it is empty.
    """

    term: tuple[str, ...]
    estimate: np.ndarray
    std_error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    group: tuple[str, ...] = ()

    def effects(self, spread: np.ndarray) -> Self:
        """The weights after the intercept, each for a step as long as the spread of its column."""
        columns = (self.estimate, self.std_error, self.low, self.high)
        return type(self)(self.term[1:], *(spread * column[1:] for column in columns))


@record
class Importances:
    """How much the loss on rows not seen grows when the cells of a column are shuffled, the largest first."""

    term: tuple[str, ...]
    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    loss: str
    repeats: int


@record
class Chosen:
    """The model with the lowest loss among our own, fitted to all rows in use, and what it says about them."""

    key: ClassVar[str] = "chosen"
    heading: ClassVar[str] = "The chosen model"

    name: str
    title: str
    estimator: str
    params: dict[str, Any]
    n: int
    facts: dict[str, float]
    weights: Estimates | None
    effects: Estimates | None
    importances: Importances | None
    confidence: float
    notes: tuple[str, ...]
    sentences: tuple[str, ...]
