"""The door for labels: strings, booleans or numbers without gaps, and their codes among sorted classes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import DataConversionWarning

from suffice._core.errors import InvalidInput
from suffice._core.records import frozen_array, record
from suffice._core.table_checks import check_classification_targets
from suffice.statistics import Header
from suffice.statistics.counts import check_same_kind
from suffice.tables.cells import gaps, kind_of
from suffice.tables.typed import TAKEN


@record
class LabelPlan:
    """Columns of the table, the sorted classes that the codes of the rows refer to, and what else a family plans."""

    header: Header
    classes: np.ndarray
    extra: Any = None


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
    missing = gaps(labels)
    if missing.any():
        _refuse_missing(missing, labels, name)
    kinds = [kind_of(v) for v in labels]
    for row, kind in enumerate(kinds):
        if kind not in TAKEN or kind != kinds[0]:
            raise InvalidInput(
                f"Unknown label type: labels must be strings, booleans or numbers, all of one kind; "
                f"got {labels[0]!r:.40} at row 0 and {labels[row]!r:.40} at row {row}."
            )
    return np.array(labels.tolist())


def _refuse_missing(bad: np.ndarray, labels: np.ndarray, name: str) -> None:
    row = int(np.argmax(bad))
    word = "inf" if labels.dtype.kind == "f" and np.isinf(labels[row]) else "NaN"
    raise InvalidInput(f"{name} contains {word} at row {row}. Remove rows without a label before fitting.")


def listed(seen: np.ndarray, classes: Any) -> np.ndarray:
    """Sorted classes: the given list, which must have all that is in the rows, else what is in them."""
    found = np.unique(seen)
    if classes is not None:
        listed = np.unique(open_labels(classes, "classes"))
        check_same_kind(listed, found)
        unknown = np.setdiff1d(found, listed)
        if len(unknown):
            raise InvalidInput(
                f"The target labels {unknown.tolist()!r:.80} in y do not exist in the initial classes, "
                f"{listed.tolist()!r:.80}. List them in classes."
            )
        found = listed
    return frozen_array(found, dtype=found.dtype)


def check_two_classes(model: Any, classes: np.ndarray, instead: str = "") -> None:
    """Raise where there is one class, of which nothing is to be told apart."""
    if len(classes) < 2:
        raise InvalidInput(
            f"{type(model).__name__} needs at least 2 classes in y; the data contain one class, "
            f"{classes[0].item()!r}.{instead}"
        )


def check_same_classes(classes: Any, known: np.ndarray) -> None:
    """Raise where `classes`, given again, lists others than are known."""
    again = open_labels(classes, "classes")
    if len(again) != len(known) or not np.array_equal(np.unique(again), known):
        raise InvalidInput(
            f"classes={again.tolist()!r:.80} is not the same as on last call to partial_fit: {known.tolist()!r:.80}. "
            "Leave classes out to let new labels in."
        )


def place_of(label: Any, classes: np.ndarray) -> int:
    """Where a class stands among the classes."""
    place = np.flatnonzero(classes == label)
    if not len(place):
        raise InvalidInput(f"Unknown class {label!r}; there are {classes.tolist()}.")
    return int(place[0])


def codes_of(labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Positions among the classes; a label outside them has weight zero, so any position will do."""
    return np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
