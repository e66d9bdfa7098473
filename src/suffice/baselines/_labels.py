"""What the baselines of classification share: counting labels, and the shell around it.

labels y ─▶ door: classes, codes ─▶ gather: n_c = Σ w [y = c] ─▶ solve: shares n_c / n
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

from suffice._core.errors import InvalidInput
from suffice._estimator import Estimator, check_weight, open_inputs, open_table, remember_columns
from suffice._estimator.labels import LabelPlan, codes_of, listed, open_labels
from suffice.distributions import Categorical
from suffice.engine import Rows
from suffice.statistics.labels import LabelCounts


class LabelBaseline(ClassifierMixin, Estimator, ABC):
    """A distribution over classes that is the same for every row. Final classes add `_probabilities`."""

    statistics_: LabelCounts
    classes_: np.ndarray
    class_prior_: np.ndarray

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

    def door(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        like: LabelPlan | None = None,
        classes: Any = None,
    ) -> tuple[Rows, LabelPlan]:
        """Validated rows with their labels as codes, and the classes; adding counts unites their classes."""
        labels = open_labels(y)
        earlier = None if like is None else like.header
        X, _, header = open_table(self, X, np.zeros(len(labels)), like=earlier)
        weight = check_weight(sample_weight, X)
        known = listed(labels if weight is None else labels[weight > 0], classes)
        return Rows(X, codes_of(labels, known), weight), LabelPlan(header, known)

    def gather(self, rows: Rows, plan: LabelPlan) -> LabelCounts:
        """Statistics of validated rows."""
        return LabelCounts.of_codes(plan.header, plan.classes, rows.Y, rows.weight)

    def collect(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        like: LabelCounts | None = None,
        classes: Any = None,
    ) -> LabelCounts:
        """Statistics of a table; writes nothing to the model."""
        plan = None if like is None else LabelPlan(like.header, like.classes)
        return self.gather(*self.door(X, y, sample_weight, like=plan, classes=classes))

    def solve(self, statistics: LabelCounts) -> Self:
        """Write every fitted attribute from the statistics."""
        if not statistics.n > 0:
            raise InvalidInput("There are no rows with positive weight; a fit needs at least one.")
        self.statistics_, self.classes_ = statistics, statistics.classes
        self.class_prior_ = statistics.counts.counts / statistics.n
        remember_columns(self, statistics.header)
        return self

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to a table.

        Parameters
        ----------
        X
            Rows are observations; checked, and otherwise ignored.
        y
            Labels: strings, booleans or whole numbers.
        sample_weight
            How often each row counts.
        """
        return self.reported(lambda tick: self.solve(self.collect(X, y, sample_weight)))

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to those already seen; the same as fitting all of them at once.

        New labels become new classes. `classes` lists the labels that may occur: others are refused, and
        one that does not occur is a class of probability zero.
        """
        earlier = getattr(self, "statistics_", None)
        new = self.collect(X, y, sample_weight, like=earlier, classes=classes)
        return self.solve(new if earlier is None else earlier + new)

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

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "statistics_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # that is what a baseline is for
        return tags
