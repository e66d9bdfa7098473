"""What the baselines of classification share: the door for labels, counting, and the shell around both.

labels y ─▶ door: classes, codes ─▶ gather: n_c = Σ w [y = c] ─▶ solve: shares n_c / n
"""

from __future__ import annotations

import numbers
import warnings
from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.multiclass import check_classification_targets

from suffice._core.errors import InvalidInput
from suffice._core.records import frozen_array, record
from suffice._estimator import Estimator, check_weight, open_inputs, open_table, remember_columns
from suffice.distributions import Categorical
from suffice.engine import Rows
from suffice.statistics import Header
from suffice.statistics.counts import check_same_kind
from suffice.statistics.labels import LabelCounts


@record
class LabelPlan:
    """Columns of the table and the sorted classes that the codes of the rows refer to."""

    header: Header
    classes: np.ndarray


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
        known = _listed(labels if weight is None else labels[weight > 0], classes)
        return Rows(X, _codes(labels, known), weight), LabelPlan(header, known)

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


# -- the door for labels ------------------------------------------------------------------------------
def open_labels(y: Any, name: str = "y") -> np.ndarray:
    """A vector of strings, booleans or numbers without gaps; a single column is taken with a warning."""
    if y is None:
        raise InvalidInput("A classifier requires y to be passed, but the target y is None.")
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        warnings.warn(
            f"A column-vector {name} was passed when a 1d array was expected; it is flattened.",
            DataConversionWarning,
            stacklevel=2,
        )
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise InvalidInput(
            f"{name} should be a 1d array of labels, one per row; got an array of shape {labels.shape}."
        )
    labels = _from_objects(labels, name) if labels.dtype.kind in "OT" else labels
    if labels.dtype.kind not in "biufU":
        odd = "Complex data not supported as labels" if labels.dtype.kind == "c" else "Unknown label type"
        raise InvalidInput(f"{odd}: labels must be strings, booleans or numbers; got {labels.dtype}.")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        _refuse_missing(~np.isfinite(labels), labels, name)
    try:
        check_classification_targets(labels)
    except ValueError as error:
        raise InvalidInput(f"{error} For numbers that are not labels, use a regressor.") from None
    return labels


def _from_objects(labels: np.ndarray, name: str) -> np.ndarray:
    """Objects as the plain array they stand for, if they are all of one kind."""
    missing = np.array([_is_missing(v) for v in labels], dtype=bool)
    if missing.any():
        _refuse_missing(missing, labels, name)
    kinds = [_kind(v) for v in labels]
    for row, kind in enumerate(kinds):
        if kind is None or kind != kinds[0]:
            raise InvalidInput(
                f"Unknown label type: labels must be strings, booleans or numbers, all of one kind; "
                f"got {labels[0]!r:.40} at row 0 and {labels[row]!r:.40} at row {row}."
            )
    return np.array(labels.tolist())


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)


def _kind(value: Any) -> type | None:
    """str, bool or a number, with numpy's own counted among them; None for anything else."""
    kinds: dict[type, Any] = {str: str, bool: (bool, np.bool_), float: numbers.Real}
    return next((k for k, members in kinds.items() if isinstance(value, members)), None)


def _refuse_missing(bad: np.ndarray, labels: np.ndarray, name: str) -> None:
    row = int(np.argmax(bad))
    word = "inf" if labels.dtype.kind == "f" and np.isinf(labels[row]) else "NaN"
    raise InvalidInput(f"{name} contains {word} at row {row}. Remove rows without a label before fitting.")


def _listed(seen: np.ndarray, classes: Any) -> np.ndarray:
    """Sorted classes: the given list, which must have all that is in the rows, else what is in them."""
    found = np.unique(seen)
    if classes is not None:
        listed = np.unique(open_labels(classes, "classes"))
        check_same_kind(listed, found)
        unknown = np.setdiff1d(found, listed)
        if len(unknown):
            raise InvalidInput(
                f"Unknown label {unknown[0].item()!r} in y; classes lists {listed.tolist()}. Add it there."
            )
        found = listed
    return frozen_array(found, dtype=found.dtype)


def _codes(labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Positions among the classes; a label outside them has weight zero, so any position will do."""
    return np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
