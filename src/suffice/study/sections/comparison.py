"""The models tried, and how they did on the same folds."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from suffice._core.records import record
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
class Candidates:
    """The models compared. `skipped` says of others, by their title, why they were not tried."""

    key: ClassVar[str] = "candidates"
    heading: ClassVar[str] = "The models"

    models: tuple[Tried, ...]
    skipped: dict[str, str] = field(default_factory=dict)


@record
class Difference:
    """Mean difference in loss to another model (negative: better), its interval, and its p-values, raw and by Holm."""

    other: str
    estimate: float
    interval: Interval | None
    p_value: float | None
    p_holm: float | None
    sentence: str


@record
class Compared:
    """One model's loss on rows not seen, against the baseline and against the best of our own.

    `gain` is the share of the baseline's loss that it saves. `measures` are other figures by name (typical error,
    accuracy, area under the ROC curve, …), `chosen` the parameters picked in each outer fold.
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
    to_baseline: Difference | None
    to_best: Difference | None
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
class Comparison:
    """All models on the same folds.

    `best` is the one of our own models with the lowest loss; `proven` whether it is known to beat the baseline.
    `setup` is "I" or "II" (DTU §11.1), and `why` says why that one. `units` are what the tests count: "rows", "folds",
    or "stretches" of time. `baseline` is the one that every model is compared with; in time, the better of the mean
    and the last value.
    """

    key: ClassVar[str] = "comparison"
    heading: ClassVar[str] = "The comparison"

    loss: str
    loss_words: str
    outer: int
    inner: int
    splits: str
    confidence: float
    setup: str
    why: str
    baseline: str
    best: str
    proven: bool
    models: tuple[Compared, ...]
    failed: tuple[Failed, ...]
    sentences: tuple[str, ...]
    units: str = "rows"

    def of(self, name: str) -> Compared:
        """The row of one model."""
        return next(m for m in self.models if m.name == name)
