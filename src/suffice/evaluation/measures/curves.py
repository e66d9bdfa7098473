r"""Rates against the threshold (DTU §16.2.1, Figs 16.6 and 16.8).

At θ a row is positive where score > θ. TPR and FPR start at 1, where θ lies below all scores, never rise, and end at 0.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, check_choice, check_fraction
from suffice._core.frames import to_frame
from suffice._core.proportions import jeffreys
from suffice._core.records import record
from suffice.evaluation.measures._tally import ScoreTally, open_binary
from suffice.evaluation.measures.confusion import Confusion

PROPORTIONS = ("tpr", "fpr", "tnr", "fnr", "precision", "npv", "accuracy", "error")
OTHERS = ("scaled_accuracy", "f1", "youden")


@record
class ThresholdCurves:
    """Every rate at every threshold: −∞ first, then the distinct scores in increasing order.

    Rates are arrays: `tpr fpr tnr fnr precision npv accuracy error scaled_accuracy f1 youden`; `band(name)` has the
    pointwise Jeffreys interval of a proportion. Where nothing is predicted positive, precision is NaN.
    """

    tally: ScoreTally
    confidence: float = 0.95

    @cached_property
    def thresholds(self) -> np.ndarray:
        """Positive is predicted where score > threshold."""
        return self.tally.thresholds

    @property
    def tp(self) -> np.ndarray:
        """True positives."""
        return self.tally.above[0]

    @property
    def fp(self) -> np.ndarray:
        """False positives."""
        return self.tally.above[1]

    @property
    def fn(self) -> np.ndarray:
        """Positives that are missed."""
        return self.tally.n_positive - self.tp

    @property
    def tn(self) -> np.ndarray:
        """Negatives that are left alone."""
        return self.tally.n_negative - self.fp

    def _parts(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """m and n of a proportion m/n."""
        tp, fp, fn, tn = self.tp, self.fp, self.fn, self.tn
        both = {
            "tpr": (tp, fn), "fnr": (fn, tp), "fpr": (fp, tn), "tnr": (tn, fp),
            "precision": (tp, fp), "npv": (tn, fn), "accuracy": (tp + tn, fp + fn), "error": (fp + fn, tp + tn),
        }  # fmt: skip
        m, other = both[name]
        return m, m + other

    def curve(self, name: str) -> np.ndarray:
        """One of the rates, by name."""
        check_choice("name", name, PROPORTIONS + OTHERS)
        if name == "youden":
            return self.curve("tpr") - self.curve("fpr")
        if name == "scaled_accuracy":
            return (self.curve("tpr") + self.curve("tnr")) / 2
        m, n = (2 * self.tp, 2 * self.tp + self.fp + self.fn) if name == "f1" else self._parts(name)
        with np.errstate(invalid="ignore"):
            return m / n

    def __getattr__(self, name: str) -> np.ndarray:
        if name in PROPORTIONS + OTHERS:
            return self.curve(name)
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    def band(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Low and high ends of the Jeffreys interval at each threshold."""
        check_choice("name", name, PROPORTIONS)
        return jeffreys(*self._parts(name), self.confidence)

    def best(self, name: str = "accuracy") -> float:
        """The threshold with the largest value of a measure, the lowest of several; it flatters on the same rows."""
        values = self.curve(name)
        if np.isnan(values).all():
            raise InvalidParameter(f"{name} does not exist at any threshold.")
        return float(self.thresholds[np.nanargmax(values)])

    def at(self, threshold: float) -> Confusion:
        """The table, with all its measures, where score > threshold is predicted positive."""
        return Confusion.of_counts(*self.tally.at(threshold), confidence=self.confidence)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per threshold, one column per measure."""
        columns = {"threshold": self.thresholds, **{name: self.curve(name) for name in PROPORTIONS + OTHERS}}
        return to_frame(columns, kind)

    def __repr__(self) -> str:
        return f"<ThresholdCurves: {len(self.thresholds)} thresholds>"


def threshold_curves(
    y: Any, score: Any, *, positive: Any = None, confidence: float = 0.95, sample_weight: Any = None
) -> ThresholdCurves:
    """TPR, FPR, precision and the other rates at every threshold.

    Parameters
    ----------
    y
        Labels of two classes.
    score
        Larger for rows more likely positive.
    positive
        The positive class. For True/False, 0/1 and −1/1 the larger one.
    confidence
        Level of `band`.
    sample_weight
        How often each row counts.

    Examples
    --------
    >>> from suffice.evaluation import threshold_curves
    >>> curves = threshold_curves([1, 0, 1, 1, 0], [0.6, 0.4, 0.5, 0.1, 0.1])
    >>> curves.thresholds, curves.accuracy
    (array([-inf,  0.1,  0.4,  0.5,  0.6]), array([0.6, 0.6, 0.8, 0.6, 0.4]))
    """
    level = check_fraction("confidence", confidence)
    return ThresholdCurves(open_binary(y, score, positive, sample_weight, "a threshold curve").tally, level)
