"""The sections of a study, in their order: plain records that go to `result.json` as they are.

Each has a `key` (its name in the JSON, its anchor and its template `sections/<key>.html.j2`) and a `heading`.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar, Protocol

import numpy as np

from suffice._core.records import fields, record
from suffice.study._registry import Estimates

Interval = tuple[float, float]


class Section(Protocol):
    """What the report loops over."""

    key: ClassVar[str]
    heading: ClassVar[str]


@record
class Answer:
    """Which model, how good, how sure."""

    key: ClassVar[str] = "answer"
    heading: ClassVar[str] = "The short answer"

    headline: str
    sentences: tuple[str, ...]
    rmse: float
    rmse_interval: Interval
    baseline_rmse: float
    explained: float
    coverage: float | None


@record
class Column:
    """One column of the table; numbers are None where they mean nothing."""

    name: str
    kind: str
    role: str
    reason: str | None
    missing: int
    distinct: int
    mean: float | None = None
    std: float | None = None
    min: float | None = None
    q1: float | None = None
    median: float | None = None
    q3: float | None = None
    max: float | None = None
    histogram: tuple[int, ...] = ()


@record
class DataSheet:
    """What is in the table and which part of it was used."""

    key: ClassVar[str] = "data_sheet"
    heading: ClassVar[str] = "The data"

    target: str
    n_rows: int
    n_used: int
    n_target_missing: int
    columns: tuple[Column, ...]
    remarks: tuple[str, ...]

    def of_role(self, role: str) -> tuple[Column, ...]:
        """The columns with this role: "target", "feature" or "not used"."""
        return tuple(c for c in self.columns if c.role == role)


@record
class Tried:
    """One model of the study, before any result."""

    name: str
    title: str
    description: str
    estimator: str
    baseline: bool


@record
class Candidates:
    """The models compared."""

    key: ClassVar[str] = "candidates"
    heading: ClassVar[str] = "The models"

    models: tuple[Tried, ...]


@record
class Difference:
    """Mean of per-row differences in loss (negative: better), with its paired Student-t interval."""

    estimate: float
    interval: Interval


@record
class Compared:
    """One model's cross-validated error, against the baseline and against the best."""

    name: str
    title: str
    estimate: float
    interval: Interval
    rmse: float
    explained: float
    to_baseline: Difference | None
    to_best: Difference | None
    coverage: float | None
    coverage_interval: Interval | None
    how: str
    notes: tuple[str, ...]
    sentence: str


@record
class Failed:
    """A model that could not be fitted, and why."""

    name: str
    title: str
    reason: str


@record
class Comparison:
    """All models on the same folds."""

    key: ClassVar[str] = "comparison"
    heading: ClassVar[str] = "The comparison"

    loss: str
    folds: int
    confidence: float
    baseline: str
    best: str
    models: tuple[Compared, ...]
    failed: tuple[Failed, ...]

    def of(self, name: str) -> Compared:
        """The row of one model."""
        return next(m for m in self.models if m.name == name)


@record
class Chosen:
    """The model with the lowest error, fitted to all rows in use."""

    key: ClassVar[str] = "chosen"
    heading: ClassVar[str] = "The chosen model"

    name: str
    title: str
    estimator: str
    n: int
    r_squared: float
    residual_std: float
    facts: dict[str, float]
    weights: Estimates | None
    effects: Estimates | None
    confidence: float
    notes: tuple[str, ...]


@record
class Predictive:
    """How the chosen model did on rows it had not seen, row by row."""

    key: ClassVar[str] = "predictive"
    heading: ClassVar[str] = "The predictions"

    name: str
    level: float
    inside: int | None
    n: int
    coverage: float | None
    coverage_interval: Interval | None
    largest_error: float
    sentence: str


@record
class Appendix:
    """What is needed to repeat the study."""

    key: ClassVar[str] = "appendix"
    heading: ClassVar[str] = "Appendix"

    origin: str
    sha256: str | None
    seed: int
    folds: int
    confidence: float
    script: str
    versions: dict[str, str]
    seconds: dict[str, float]


def plain(value: Any) -> Any:
    """A record, array or container as JSON values; NaN and infinities become None."""
    if dataclasses.is_dataclass(value):
        return {name: plain(v) for name, v in fields(value).items()}
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, tuple | list | np.ndarray):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
