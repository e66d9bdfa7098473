"""The models tried, and how they did on the same folds."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from suffice._core.records import record
from suffice.study.sections.claim import Claim
from suffice.study.sections.plain import Interval


@record
class Tried:
    """One model of the study, before any result. `kind` is "baseline", "model" or "reference" (from outside)."""

    name: str
    title: str
    description: str
    estimator: str
    kind: str
    grid: dict[str, tuple[Any, ...]]
    generative: bool | None
    book: tuple[str, ...]


@record
class ComparedModels:
    """The models compared. `skipped` says of others, by their title, why they were not tried."""

    key: ClassVar[str] = "candidates"
    heading: ClassVar[str] = "The models"

    models: tuple[Tried, ...]
    skipped: dict[str, str] = field(default_factory=dict)


@record
class Compared:
    """One model's loss on rows not seen, against the baseline and against the best of our own.

    `gain` is the share of the baseline's loss that it saves. `measures` are other figures by name (typical error,
    accuracy, area under the ROC curve, …), `chosen` the parameters picked in each outer fold. `to_baseline` and
    `to_best` are the claims about it and the baseline, or the best; None for these themselves.
    """

    name: str
    title: str
    kind: str
    estimate: float
    interval: Interval | None
    fold_losses: np.ndarray
    gain: float
    measures: dict[str, float]
    coverage: float | None
    coverage_interval: Interval | None
    chosen: tuple[dict[str, Any], ...]
    to_baseline: Claim | None
    to_best: Claim | None
    how: str
    seconds: float
    notes: tuple[str, ...]


@record
class Failed:
    """A model that could not be fitted, and why."""

    name: str
    title: str
    reason: str


@record
class ModelComparison:
    """All models on the same folds.

    `lowest` is the one of our own models with the lowest loss, `best` the one that is handed over: the simplest that
    the rows do not tell from it. `proven` is whether the best is known to beat the baseline. `why` says what the claims
    are about and what they count; `unit` is "rows", "groups" or "stretches" of time, `counted` how many in words.
    `baseline` is the one that every model is compared with; in time, the best of the baselines.
    """

    key: ClassVar[str] = "comparison"
    heading: ClassVar[str] = "The comparison"

    loss: str
    loss_words: str
    outer: int
    inner: int
    splits: str
    confidence: float
    why: str
    baseline: str
    best: str
    lowest: str
    proven: bool
    models: tuple[Compared, ...]
    failed: tuple[Failed, ...]
    sentences: tuple[str, ...]
    unit: str = "rows"
    counted: str = ""

    def of(self, name: str) -> Compared:
        """The row of one model."""
        return next(m for m in self.models if m.name == name)
