r"""Receiver operating characteristic: hits against false alarms over all thresholds (DTU §16.2, FCML §5.4.3).

Points   (FPR_θ, TPR_θ), positive where score > θ, from (0, 0) to (1, 1); equal scores move together: slanted segments
Area     trapezoids = P(s⁺ > s⁻) + ½ P(s⁺ = s⁻): 1 perfect, ½ a coin, below ½ the wrong way round
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice, check_fraction
from suffice._core.records import record
from suffice.evaluation.findings import Measured
from suffice.evaluation.measures import _areas
from suffice.evaluation.measures._labels import label_array
from suffice.evaluation.measures._roc_curve import Band, Roc, curve_of
from suffice.evaluation.measures._tally import open_binary
from suffice.evaluation.measures.delong import influence
from suffice.evaluation.measures.gallery import open_scores
from suffice.evaluation.measures.per_class import PerClass

__all__ = ["Band", "OneVsRest", "Roc", "one_vs_rest", "roc"]


def roc(
    y: Any,
    score: Any,
    *,
    positive: Any = None,
    confidence: float = 0.95,
    method: str = "delong",
    sample_weight: Any = None,
    random_state: Any = None,
) -> Roc:
    """The ROC curve of scores, with the area under it and its interval.

    Parameters
    ----------
    y
        Labels of two classes.
    score
        Larger for rows more likely positive: probabilities, distances, log-odds. Only their order matters.
    positive
        The positive class. For True/False, 0/1 and −1/1 the larger one; more classes are then "the rest".
    confidence
        Level of the interval.
    method
        Where the standard error comes from: "delong", or "bootstrap", 2000 draws of the positives and of the negatives.
    sample_weight
        How often each row counts.
    random_state
        Seed of the bootstrap.

    Examples
    --------
    >>> from suffice.evaluation import roc
    >>> curve = roc([1, 1, 0, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3])
    >>> curve.area
    0.812 [0.329, 0.975]
    >>> curve.at(0.5).tpr
    0.75 [0.284, 0.972]
    """
    check_choice("method", method, ("delong", "bootstrap"))
    level = check_fraction("confidence", confidence)
    rows = open_binary(y, score, positive, sample_weight, "an ROC curve")
    return curve_of(rows, level, method, random_state)


# -- several classes ----------------------------------------------------------------------------------------------
@record
class OneVsRest:
    """An ROC curve for every class against the rest. There is no agreed way to combine their areas.

    `macro_area` is their plain mean, with an interval that accounts for the classes sharing their rows.
    """

    labels: np.ndarray
    curves: tuple[Roc, ...]
    macro_area: Measured
    confidence: float = 0.95

    def __getitem__(self, label: Any) -> Roc:
        if label not in self.labels.tolist():
            raise InvalidParameter(f"There is no class {label!r}; the classes are {self.labels.tolist()}.")
        return self.curves[self.labels.tolist().index(label)]

    def __iter__(self) -> Iterator[Roc]:
        return iter(self.curves)

    def __len__(self) -> int:
        return len(self.curves)

    @property
    def areas(self) -> PerClass:
        """The area of each class."""
        ends = np.array([c.interval for c in self.curves])
        values = np.array([float(c.area) for c in self.curves])
        return PerClass("area", self.labels, values, ends[:, 0], ends[:, 1], self.confidence, "DeLong")

    def frame(self, kind: str = "pandas") -> Any:
        """One row per class."""
        return self.areas.frame(kind)

    def __repr__(self) -> str:
        return f"<OneVsRest: {self.areas!r}>"


def one_vs_rest(
    y: Any, scores: Any, labels: Any = None, *, confidence: float = 0.95, sample_weight: Any = None
) -> OneVsRest:
    """An ROC curve for every class against the rest (FCML §5.4.3).

    Parameters
    ----------
    y
        Labels.
    scores
        One column per class.
    labels
        The class of each column; the sorted classes of `y` if left out.
    confidence
        Level of the intervals.
    sample_weight
        How often each row counts.

    Examples
    --------
    >>> from suffice.evaluation import one_vs_rest
    >>> scores = [[5, 3, 1], [3, 4, 1], [4, 3, 2], [1, 3, 2], [2, 5, 0], [6, 1, 2]]
    >>> one_vs_rest(list("abccba"), scores).areas.values
    array([1.   , 1.   , 0.875])
    """
    level = check_fraction("confidence", confidence)
    true = label_array("y", y)
    classes, codes, values = open_scores(true, scores, labels)
    counts = np.bincount(codes, minlength=len(classes))
    if not counts.all():
        raise InvalidInput(
            f"The class {classes.tolist()[int(np.argmin(counts))]!r} has no rows; it has no ROC curve."
        )
    rows = [codes == k for k in range(len(classes))]
    curves = tuple(
        curve_of(open_binary(row, values[:, k], None, sample_weight, "an ROC curve"), level)
        for k, row in enumerate(rows)
    )
    together = np.mean([influence(row, values[:, k], sample_weight) for k, row in enumerate(rows)], axis=0)
    return OneVsRest(classes, curves, _macro(curves, together, sample_weight, level), level)


def _macro(curves: tuple[Roc, ...], together: np.ndarray, sample_weight: Any, level: float) -> Measured:
    """The mean area; its variance is that of the sum over rows of their mean influence."""
    weight = np.ones(len(together)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    value, size = float(np.mean([c.area for c in curves])), float(np.sqrt(weight @ together**2))
    if not 0 < value < 1 or not size > 0:
        return Measured(value, (min(c.interval[0] for c in curves if c.interval), 1.0), level, "widest class")
    return Measured(value, _areas.on_scale(value, size, level, _areas.UNIT), level, "DeLong")
