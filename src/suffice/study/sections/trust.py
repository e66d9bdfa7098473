"""How far the conclusion carries: more rows, other folds, fewer outliers, another prior."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from suffice._core.records import record


@record
class Learning:
    """Loss against the number of training rows, and what that says about getting more of them."""

    key: ClassVar[str] = "learning"
    heading: ClassVar[str] = "Would more rows help?"

    sizes: np.ndarray
    train: np.ndarray
    train_error: np.ndarray
    test: np.ndarray
    test_error: np.ndarray
    baseline: float | None
    loss: str
    diagnosis: str
    sentence: str


@record
class Change:
    """One thing done differently, and whether the conclusion stayed.

    `kind` is "seed", "folds", "outliers" or "prior". `best` has the lowest loss now, `estimate`, and saves the
    share `gain` of the baseline's; the sentence says what the model that the study chose saves. The conclusion `holds`
    if no other model is known to be better, and what was known about the baseline is still so.
    """

    kind: str
    what: str
    best: str
    best_title: str
    estimate: float
    gain: float
    holds: bool
    sentence: str


@record
class Sensitivity:
    """What would change the conclusion: the study again, with one thing done differently each time.

    `models` are the titles of those validated again: the baseline, the best and the one next to it. Without
    outliers others may be tried too, which the sentences name.
    """

    key: ClassVar[str] = "sensitivity"
    heading: ClassVar[str] = "What would change the conclusion"

    changes: tuple[Change, ...]
    sentences: tuple[str, ...]
    models: tuple[str, ...] = ()
