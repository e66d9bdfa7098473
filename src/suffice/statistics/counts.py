"""How often each label occurred: weighted counts that add, with their classes united."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import HeaderMismatch, InvalidInput, NumericalError
from suffice._core.records import frozen_array, record, same_kind

KINDS = {"b": "booleans", "i": "numbers", "u": "numbers", "f": "numbers", "U": "strings"}


@record
class Counts:
    """Sorted classes and their total weights.

    Examples
    --------
    >>> from suffice.statistics import Counts
    >>> c = Counts.of(["a", "b", "a"]) + Counts.of(["c"])
    >>> dict(zip(c.classes.tolist(), c.counts.tolist()))
    {'a': 2.0, 'b': 1.0, 'c': 1.0}
    """

    classes: np.ndarray
    counts: np.ndarray
    rows: int

    @classmethod
    def of(cls, labels: Any, sample_weight: Any = None, classes: Any = None) -> Counts:
        """Count labels; `classes` fixes the list, and a label outside it is an error."""
        labels = np.asarray(labels)
        if labels.ndim != 1:
            raise InvalidInput(f"labels must be a vector; got shape {labels.shape}.")
        if labels.dtype.kind == "f" and np.isnan(labels).any():
            raise InvalidInput(f"labels have NaN at row {int(np.argmax(np.isnan(labels)))}.")
        w = np.ones(len(labels)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        if w.shape != labels.shape or np.any(~(w >= 0)) or np.any(np.isinf(w)):
            raise InvalidInput("sample_weight must be one finite, non-negative number per row.")
        found, index = np.unique(labels, return_inverse=True)
        totals = np.bincount(index, weights=w, minlength=len(found))
        made = cls(_frozen(found), frozen_array(totals), int(np.count_nonzero(w)))
        return made if classes is None else made._within(np.unique(np.asarray(classes)))

    def _within(self, classes: np.ndarray) -> Counts:
        unknown = np.setdiff1d(self.classes, classes)
        if len(unknown):
            raise InvalidInput(f"Unknown label {unknown[0].item()!r}; known are {classes.tolist()}.")
        return Counts(_frozen(classes), frozen_array(self._spread(classes)), self.rows)

    def _spread(self, classes: np.ndarray) -> np.ndarray:
        out = np.zeros(len(classes))
        out[np.searchsorted(classes, self.classes)] = self.counts
        return out

    @property
    def n(self) -> float:
        return float(self.counts.sum())

    @property
    def fingerprint(self) -> tuple:
        """Counts per class that occurred."""
        used = self.counts > 0
        return tuple(zip(self.classes[used].tolist(), self.counts[used].tolist(), strict=True))

    @same_kind
    def __add__(self, other: Counts) -> Counts:
        check_same_kind(self.classes, other.classes)
        classes = np.union1d(self.classes, other.classes)
        total = self._spread(classes) + other._spread(classes)
        return Counts(_frozen(classes), frozen_array(total), self.rows + other.rows)

    @same_kind
    def __sub__(self, other: Counts) -> Counts:
        check_same_kind(self.classes, other.classes)
        left = self.counts - other._within(self.classes).counts
        if np.any(left < -1e-9 * max(self.n, 1.0)):
            worst = int(np.argmin(left))
            raise NumericalError(
                f"Cannot take out more of class {self.classes[worst].item()!r} than is in: "
                f"{left[worst]:g} would be left."
            )
        return Counts(self.classes, frozen_array(np.maximum(left, 0.0)), self.rows - other.rows)


def _frozen(classes: np.ndarray) -> np.ndarray:
    out = np.array(classes)
    out.setflags(write=False)
    return out


def check_same_kind(a: np.ndarray, b: np.ndarray) -> None:
    """Raise where one list of labels is of strings, say, and the other of numbers."""
    if not (len(a) and len(b)):
        return
    mine, theirs = (KINDS.get(x.dtype.kind, "objects") for x in (a, b))
    if mine != theirs:
        raise HeaderMismatch(
            f"Cannot combine labels that are {mine} ({a[0].item()!r}, …) with labels that are {theirs} "
            f"({b[0].item()!r}, …); write them the same way."
        )
