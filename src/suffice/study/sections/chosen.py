"""The best model, fitted to all rows in use."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from suffice._core.records import record


@record
class Estimates:
    """Weights of a fitted model, intercept first. NaN where the model states no uncertainty.

    `group` names what several sets of weights belong to, as the classes of a softmax regression; else it is empty.
    Each set starts with an intercept.
    """

    term: tuple[str, ...]
    estimate: np.ndarray
    std_error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    group: tuple[str, ...] = ()

    def effects(self, spread: np.ndarray) -> Self:
        """The weights after the intercept, each for a step as long as the spread of its column."""
        size = 1 + len(spread)
        sets = len(self.term) // size
        kept = np.flatnonzero(np.arange(len(self.term)) % size)
        steps = np.tile(spread, sets)
        sizes = (steps * column[kept] for column in (self.estimate, self.std_error, self.low, self.high))
        estimate, std_error, low, high = sizes
        group = tuple(self.group[i] for i in kept) if self.group else ()
        return type(self)(tuple(self.term[i] for i in kept), estimate, std_error, low, high, group)


@record
class Importances:
    """How much the loss on rows not seen grows when the cells of a column are shuffled, the largest first.

    `left_out` counts columns that were not shuffled, because there are many and they seem to matter least.
    """

    term: tuple[str, ...]
    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    loss: str
    repeats: int
    left_out: int = 0
    sentence: str = ""


@record
class EffectCurve:
    """How the mean prediction changes with one column, the other columns as they are (partial dependence).

    `at` are values of the column: numbers, or levels as text. `mean` is the mean prediction of the rows in use with
    this value in every row: of the target, or of the probability of the class `label`. `low` and `high` are its
    interval by the uncertainty of the weights of the column, NaN where the model states none. `counts` say how many
    rows in use have a value nearest to each.
    """

    column: str
    label: str
    at: tuple[float | str, ...]
    low: np.ndarray
    mean: np.ndarray
    high: np.ndarray
    counts: np.ndarray


@record
class Chosen:
    """The model with the lowest loss among our own, fitted to all rows in use, and what it says about them.

    `effects` are the weights for a step of one standard deviation of each column; `effect_on` says what they add to,
    as the target or the log odds of a class. `curves` are those of the columns that the predictions need most.
    """

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
    effect_on: str = ""
    curves: tuple[EffectCurve, ...] = ()
