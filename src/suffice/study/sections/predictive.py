"""How the chosen model did on rows it had not seen: numbers with intervals, or classes with probabilities."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

import numpy as np

from suffice._core.records import record
from suffice.study.sections.plain import Interval


@record
class LargestError:
    """A row that was predicted badly: its number in the table (from 0), its value, the prediction and its interval."""

    row: int
    observed: float
    predicted: float
    low: float | None
    high: float | None


@record
class Deciles:
    """Rows not seen, sorted by their prediction and cut into about ten equal parts: what was predicted, what happened.

    `what` says what is averaged: the target, the share of a class, or of right predictions. `low` and `high` are the
    interval of `observed`, NaN where rows are not independent.
    """

    what: str
    predicted: np.ndarray
    observed: np.ndarray
    low: np.ndarray
    high: np.ndarray
    count: np.ndarray


@record
class GainCurve:
    """Of two classes: the share `found` of the positive rows among the share `taken` with the highest probability."""

    positive: str
    taken: np.ndarray
    found: np.ndarray
    sentence: str


@record
class CostCurve:
    """Of two classes: what decisions by the model cost per row, against what a mistake of each kind costs.

    At `threshold` c a false alarm costs c and a missed positive row 1 − c, so that a row is best called positive where
    its probability is larger than c. `model` is the cost of doing so, `all_positive` and `all_negative` that of calling
    all rows alike. Twice the area below `model` is the Brier score.
    """

    positive: str
    threshold: np.ndarray
    model: np.ndarray
    all_positive: np.ndarray
    all_negative: np.ndarray
    sentence: str


@record
class PredictiveChecks:
    """Of a model that predicts numbers: how often its intervals held, and how large its errors were.

    `pit` are the weights of rows by probability integral transform in equal bins, flat if the distributions are
    right; `uniformity` says whether they are. `facts` are figures of the residuals by name, `largest` the rows that
    were predicted worst. Shares and means count rows by their weights; `n` and `inside` count rows.
    """

    key: ClassVar[str] = "predictive"
    heading: ClassVar[str] = "The predictions"

    name: str
    level: float
    n: int
    inside: int | None
    coverage: float | None
    coverage_interval: Interval | None
    typical_error: float
    largest_error: float
    pit: tuple[float, ...]
    sentences: tuple[str, ...]
    uniformity: str = ""
    facts: dict[str, float] = field(default_factory=dict)
    largest: tuple[LargestError, ...] = ()
    deciles: Deciles | None = None


@record
class Reliability:
    """Rows sorted by the stated probability of a class: how often it came true in each bin."""

    label: str
    stated: np.ndarray
    found: np.ndarray
    low: np.ndarray
    high: np.ndarray
    count: np.ndarray


@record
class Thresholds:
    """Of two classes: the confusion matrix at every threshold on the probability of the positive one.

    A row is predicted positive where its probability is larger than the threshold. At `start`, one half, that is the
    class that the model itself predicts.
    """

    positive: str
    negative: str
    threshold: np.ndarray
    true_positive: np.ndarray
    false_positive: np.ndarray
    true_negative: np.ndarray
    false_negative: np.ndarray
    start: float


@record
class ClassMeasure:
    """How one class was recognized."""

    label: str
    count: float
    precision: float | None
    recall: float | None
    auc: float | None


@record
class Classes:
    """Of a model that predicts classes: the confusion matrix, what the probabilities are worth, and the ROC curve.

    `confusion` has true classes in rows, predicted ones in columns. `roc` are points (false, true positive rate) of a
    binary problem, `thresholds` what a slider needs; both are None for more than two classes.
    """

    key: ClassVar[str] = "predictive"
    heading: ClassVar[str] = "The predictions"

    name: str
    n: int
    labels: tuple[str, ...]
    confusion: np.ndarray
    accuracy: float
    accuracy_interval: Interval | None
    majority: float
    brier: float | None
    auc: float | None
    auc_interval: Interval | None
    roc: np.ndarray | None
    measures: tuple[ClassMeasure, ...]
    reliability: tuple[Reliability, ...]
    thresholds: Thresholds | None
    sentences: tuple[str, ...]
    deciles: Deciles | None = None
    gain: GainCurve | None = None
    cost: CostCurve | None = None
