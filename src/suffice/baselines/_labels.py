"""What the baselines of classification share: counting labels, and the shell around it.

labels y ─▶ door: classes, codes ─▶ gather: n_c = Σ w [y = c] ─▶ solve: shares n_c / n
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

from suffice._estimator import Estimator, FromSums, check_not_empty, open_inputs, remember_columns
from suffice._estimator.labelled_rows import LabelledRows
from suffice._estimator.labels import LabelPlan
from suffice.distributions import Categorical
from suffice.engine import Rows
from suffice.statistics.labels import LabelCounts


@dataclass(eq=False, repr=False)
class LabelBaseline(LabelledRows, FromSums, ClassifierMixin, Estimator, ABC):
    """A distribution over classes that is the same for every row. Final classes add `_probabilities`."""

    statistics_: LabelCounts = field(init=False)
    class_prior_: np.ndarray = field(init=False)

    _lists_classes_once = False

    @abstractmethod
    def _probabilities(self) -> np.ndarray:
        """One number per class, from the fitted shares."""

    # -- statistics -------------------------------------------------------------------------------
    @property
    def state_needs_data(self) -> bool:
        """Nothing but the labels is taken from the rows."""
        return False

    @property
    def statistics_key(self) -> None:
        """Every model of this kind counts the same."""

    def _check_parameters(self) -> None:
        """There are none."""

    def gather(self, rows: Rows, plan: LabelPlan) -> LabelCounts:
        """Statistics of validated rows."""
        return LabelCounts.of_codes(plan.header, plan.classes, rows.Y, rows.weight)

    def solve(self, statistics: LabelCounts) -> Self:
        """Write every fitted attribute from the statistics."""
        check_not_empty(statistics.n)
        self.statistics_, self.classes_ = statistics, statistics.classes
        self.class_prior_ = statistics.counts.counts / statistics.n
        remember_columns(self, statistics.header)
        return self

    # -- prediction ---------------------------------------------------------------------------------
    def predict(self, X: Any) -> np.ndarray:
        """The most frequent class, for every row; the first in sorted order of several."""
        n = open_inputs(self, X).shape[0]
        return np.repeat(self.classes_[[np.argmax(self.class_prior_)]], n)

    def predict_proba(self, X: Any) -> np.ndarray:
        """One probability per class (columns as in `classes_`), the same for every row."""
        n = open_inputs(self, X).shape[0]
        return np.tile(self._probabilities(), (n, 1))

    def predict_dist(self, X: Any) -> Categorical:
        """`predict_proba` as a distribution over `classes_`."""
        return Categorical(self.predict_proba(X), self.classes_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # that is what a baseline is for
        return tags
