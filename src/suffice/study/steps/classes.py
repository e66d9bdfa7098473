"""How the chosen model did on rows it had not seen: classes, and what their probabilities are worth.

The predicted class is the most probable one, the first of equals. Everything here follows from the same table of
probabilities, so the confusion matrix and the thresholds agree to the row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.evaluation import Calibration, Confusion, brier, calibration, confusion, roc
from suffice.study.numbers import number, percent, span
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Classes, ClassMeasure, Interval, Reliability, Thresholds
from suffice.study.steps.validate import Trial, tested
from suffice.study.steps.words import chance

STEPS, MOST_POINTS, MOST_CURVES, ROWS_PER_BIN = 101, 200, 5, 20


def classes_section(t: Trial, problem: Problem, options: Options) -> Classes:
    """The confusion matrix, measures of every class, and whether the probabilities come true."""
    rows = tested(t.layers)
    labels = np.array(problem.labels)
    y, P = problem.y[rows], np.asarray(t.validation.probabilities)[rows]
    w = np.ones(len(rows)) if problem.weight is None else problem.weight[rows]
    two, level = len(labels) == 2, options.confidence
    table = confusion(y, labels[np.argmax(P, axis=1)], labels=labels, sample_weight=w, confidence=level)
    share = np.array([w[y == label].sum() for label in labels]) / w.sum()
    curves = [_curve(y == label, P[:, k], w, level) for k, label in enumerate(labels)]
    bent = [_calibration(y == label, P[:, k], w, level) for k, label in enumerate(labels[:MOST_CURVES])]
    kept = bent[1:] if two else bent
    area = curves[-1].area if two and curves[-1] is not None else None
    return Classes(
        t.name,
        len(rows),
        tuple(map(str, labels)),
        np.asarray(table.table, dtype=float),
        float(table.accuracy),
        table.accuracy.interval,
        float(share.max()),
        float(brier(y, P, classes=labels, sample_weight=w)),
        None if area is None else float(area),
        None if area is None else area.interval,
        _points(curves[-1]) if two else None,
        _measures(table, labels, curves),
        tuple(
            _reliability(str(label), c) for label, c in zip(labels[1:] if two else labels, kept, strict=False)
        ),
        _thresholds(y, P, w, labels) if two else None,
        _sentences(table, share, labels, area, kept, level),
    )


def _curve(truth: np.ndarray, p: np.ndarray, w: np.ndarray, level: float) -> Any:
    """The ROC curve of one class against the rest; None where the tested rows hold only one of the two."""
    return (
        roc(truth, p, positive=True, sample_weight=w, confidence=level)
        if 0 < truth.sum() < len(truth)
        else None
    )


def _points(curve: Any) -> np.ndarray | None:
    """(false, true positive rate) from (0, 0) to (1, 1), no more than can be seen."""
    if curve is None:
        return None
    points = np.column_stack([curve.fpr, curve.tpr])
    keep = np.unique(np.linspace(0, len(points) - 1, min(len(points), MOST_POINTS)).round().astype(int))
    return points[keep]


def _measures(table: Confusion, labels: np.ndarray, curves: list[Any]) -> tuple[ClassMeasure, ...]:
    n = np.asarray(table.table, dtype=float)
    hits, true, given = np.diag(n), n.sum(axis=1), n.sum(axis=0)
    return tuple(
        ClassMeasure(
            str(label),
            float(true[k]),
            float(hits[k] / given[k]) if given[k] > 0 else None,
            float(hits[k] / true[k]) if true[k] > 0 else None,
            None if curves[k] is None else float(curves[k].area),
        )
        for k, label in enumerate(labels)
    )


# -- thresholds ------------------------------------------------------------------------------------------------
def _thresholds(y: np.ndarray, P: np.ndarray, w: np.ndarray, labels: np.ndarray) -> Thresholds:
    """Positive where the probability is larger than the threshold; at one half exactly what the model predicts."""
    p = np.where(
        np.argmax(P, axis=1) == 1, np.maximum(P[:, 1], np.nextafter(0.5, 1.0)), np.minimum(P[:, 1], 0.5)
    )
    at = np.arange(STEPS) / (STEPS - 1)
    positive = y == labels[1]
    above = [_weight_above(p[rows], w[rows], at) for rows in (positive, ~positive)]
    total = [float(w[rows].sum()) for rows in (positive, ~positive)]
    return Thresholds(
        str(labels[1]), str(labels[0]), at, above[0], above[1], total[1] - above[1], total[0] - above[0], 0.5
    )


def _weight_above(p: np.ndarray, w: np.ndarray, at: np.ndarray) -> np.ndarray:
    order = np.argsort(p, kind="stable")
    left = np.concatenate([np.cumsum(w[order][::-1])[::-1], [0.0]])
    return left[np.searchsorted(p[order], at, side="right")]


# -- do probabilities come true? ---------------------------------------------------------------------------------
def _calibration(truth: np.ndarray, p: np.ndarray, w: np.ndarray, level: float) -> Calibration | None:
    if not 0 < truth.sum() < len(truth):
        return None
    bins = int(np.clip(len(truth) // ROWS_PER_BIN, 2, 10))
    found = calibration(truth, np.clip(p, 0, 1), bins=bins, positive=True, sample_weight=w, confidence=level)
    return found if isinstance(found, Calibration) else None


def _reliability(label: str, c: Calibration | None) -> Reliability:
    if c is None:
        none = np.zeros(0)
        return Reliability(label, none, none, none, none, none)
    used = c.counts > 0
    return Reliability(
        label, *(np.asarray(v)[used] for v in (c.forecast, c.observed, c.low, c.high, c.counts))
    )


def _sentences(
    table: Confusion,
    share: np.ndarray,
    labels: np.ndarray,
    area: Any,
    bent: list[Calibration | None],
    level: float,
) -> tuple[str, ...]:
    bounds: Interval = table.accuracy.interval or (np.nan, np.nan)
    often = str(labels[int(np.argmax(share))])
    said = [
        f"The predicted class is right for {percent(float(table.accuracy), 1)} of the rows ({percent(level)} interval "
        f"{percent(bounds[0], 1)} to {percent(bounds[1], 1)}); always saying {often!r} is right for "
        f"{percent(float(share.max()), 1)}."
    ]
    if area is not None:
        sure = "" if area.interval is None else f" ({percent(level)} interval {span(area.interval)})"
        said.append(
            f"Of two rows of different classes, the one of class {str(labels[1])!r} gets the higher probability of it "
            f"{number(float(area))} of the time{sure}: the area under the ROC curve, 0.5 for a guess."
        )
    said += [_trust(c, str(label)) for label, c in zip(labels[-len(bent) :], bent, strict=True) if c]
    wrong = table.most_confused(1) if len(labels) > 2 else ()
    if wrong:
        said.append(
            f"The most frequent mistake: {str(wrong[0].true)!r} taken for {str(wrong[0].predicted)!r}, "
            f"{percent(float(wrong[0].share), 1)} of that class."
        )
    return tuple(said)


def _trust(c: Calibration, label: str) -> str:
    """Whether the probabilities of one class come true, judged by the slope that would set them right."""
    p = c.spiegelhalter.p_value
    ends = c.slope.interval
    if ends is None or p is None or not np.isfinite([*ends, p]).all():
        return f"Whether the stated probabilities of {label!r} come true cannot be told from these rows."
    off = f"off by {number(float(c.expected_error))} on average, {number(c.expected_error_if_calibrated)} if by chance"
    slope = f"calibration slope {number(float(c.slope))}, {span(ends)}; Spiegelhalter's test {chance(p)}"
    if ends[1] < 1:
        return f"The probabilities of {label!r} are overconfident: too near to 0 and 1 ({slope}; {off})."
    if ends[0] > 1:
        return f"The probabilities of {label!r} are underconfident: too far from 0 and 1 ({slope}; {off})."
    if p <= 1 - c.confidence:
        return f"The probabilities of {label!r} do not quite come true ({slope}; {off})."
    return f"The probabilities of {label!r} come true as far as these rows tell ({slope}; {off})."
