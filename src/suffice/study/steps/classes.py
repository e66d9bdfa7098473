"""How the chosen model did on rows it had not seen: classes, and what their probabilities are worth.

The predicted class is the most probable one, the first of equals. Everything here follows from the same table of
probabilities, so the confusion matrix and the thresholds agree to the row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.evaluation import Confusion, EventCalibration, brier, calibration, confusion, roc
from suffice.study.numbers import chance, number, percent, span
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Classes, ClassMeasure, Deciles, Interval, Reliability, Thresholds
from suffice.study.steps.clusters import area_interval, share_interval
from suffice.study.steps.deciles import cost_curve, deciles, gain_curve
from suffice.study.steps.validate import Trial, tested_rows

STEPS, MOST_POINTS, MOST_CURVES, ROWS_PER_BIN = 101, 200, 5, 20


def classes_section(t: Trial, problem: Problem, options: Options) -> Classes:
    """The confusion matrix, measures of every class, and whether the probabilities come true.

    Rows of one group are no evidence of their own: with groups, intervals count these, and nothing is tested by rows.
    """
    rows = tested_rows(t.layers)
    labels = np.array(problem.labels)
    y, P = problem.y[rows], np.asarray(t.validation.probabilities)[rows]
    w = problem.weights[rows]
    two, level = len(labels) == 2, options.confidence
    given = labels[np.argmax(P, axis=1)]
    table = confusion(y, given, labels=labels, sample_weight=w, confidence=level)
    share = np.array([w[y == label].sum() for label in labels]) / w.sum()
    curves = [_curve(y == label, P[:, k], w, level) for k, label in enumerate(labels)]
    judged = (1,) if two else range(min(len(labels), MOST_CURVES))
    bent = {str(labels[k]): _calibration(y == labels[k], P[:, k], w, level) for k in judged}
    thresholds = _thresholds(y, P, w, labels) if two else None
    area = curves[-1].area if two and curves[-1] is not None else None
    sure, area_sure = table.accuracy.interval, None if area is None else area.interval
    if problem.groups is not None:
        g = problem.groups[rows]
        sure = share_interval((y == given).astype(float), w, g, level)
        area_sure = None if area is None else area_interval(y == labels[1], P[:, 1], w, g, level)
    return Classes(
        t.name,
        len(rows),
        tuple(map(str, labels)),
        np.asarray(table.table, dtype=float),
        float(table.accuracy),
        sure,
        float(share.max()),
        float(brier(y, P, classes=labels, sample_weight=w)),
        None if area is None else float(area),
        area_sure,
        _points(curves[-1]) if two else None,
        _measures(table, labels, curves),
        tuple(_reliability(label, c, problem.groups is None) for label, c in bent.items()),
        thresholds,
        (
            *_right(table, share, labels, sure, level),
            *_area(area, area_sure, labels, level),
            *_trusted(bent, labels, None if problem.groups is None else problem.alike),
            *_mistake(table, labels),
        ),
        _deciles(y, P, w, labels, given, level, problem.groups is None),
        gain_curve(y == labels[1], P[:, 1], w, str(labels[1])) if two else None,
        None if thresholds is None else cost_curve(thresholds),
    )


def _deciles(
    y: np.ndarray,
    P: np.ndarray,
    w: np.ndarray,
    labels: np.ndarray,
    given: np.ndarray,
    level: float,
    independent: bool,
) -> Deciles | None:
    """Of two classes the share of the second by its probability, else the share of right ones by their own."""
    two = len(labels) == 2
    p, came = (P[:, 1], y == labels[1]) if two else (P.max(axis=1), y == given)
    what = f"share of {str(labels[1])!r}" if two else "share predicted right"
    return deciles(p, came, w, what, level, share=True, independent=independent)


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
def _calibration(truth: np.ndarray, p: np.ndarray, w: np.ndarray, level: float) -> EventCalibration | None:
    if not 0 < truth.sum() < len(truth):
        return None
    bins = int(np.clip(len(truth) // ROWS_PER_BIN, 2, 10))
    found = calibration(truth, np.clip(p, 0, 1), bins=bins, positive=True, sample_weight=w, confidence=level)
    return found if isinstance(found, EventCalibration) else None


def _reliability(label: str, c: EventCalibration | None, independent: bool) -> Reliability:
    """The bins of one class; without intervals where rows are not `independent`."""
    if c is None:
        none = np.zeros(0)
        return Reliability(label, none, none, none, none, none)
    used = c.counts > 0
    forecast, found, low, high, count = (
        np.asarray(v)[used] for v in (c.forecast, c.observed, c.low, c.high, c.counts)
    )
    unknown = np.full(len(found), np.nan)
    low, high = (low, high) if independent else (unknown, unknown)
    return Reliability(label, forecast, found, low, high, count)


# -- words -------------------------------------------------------------------------------------------------------
def _right(
    table: Confusion, share: np.ndarray, labels: np.ndarray, sure: Interval | None, level: float
) -> tuple[str, ...]:
    often = str(labels[int(np.argmax(share))])
    ends = (
        "" if sure is None else f" ({percent(level)} interval {percent(sure[0], 1)} to {percent(sure[1], 1)})"
    )
    sentence = (
        f"The predicted class is right for {percent(float(table.accuracy), 1)} of the rows{ends}; always saying "
        f"{often!r} is right for {percent(float(share.max()), 1)}."
    )
    return (sentence,)


def _area(area: Any, sure: Interval | None, labels: np.ndarray, level: float) -> tuple[str, ...]:
    if area is None:
        return ()
    ends = "" if sure is None else f" ({percent(level)} interval {span(sure)})"
    sentence = (
        f"A row of class {str(labels[1])!r} gets a higher probability of that class than a row of the other class in a "
        f"share of {number(float(area))} of all pairs{ends}: this is the area under the ROC curve, 0.5 for a guess."
    )
    return (sentence,)


def _mistake(table: Confusion, labels: np.ndarray) -> tuple[str, ...]:
    wrong = table.most_confused(1) if len(labels) > 2 else ()
    if not wrong:
        return ()
    sentence = (
        f"The most frequent mistake: {str(wrong[0].true)!r} taken for {str(wrong[0].predicted)!r}, "
        f"{percent(float(wrong[0].share), 1)} of that class."
    )
    return (sentence,)


def _trusted(
    bent: dict[str, EventCalibration | None], labels: np.ndarray, dependent: str | None
) -> list[str]:
    """A verdict per class that was judged, and how many were not; with groups only how far off they are."""
    known = {label: c for label, c in bent.items() if c is not None}
    if dependent is None:
        sentences = [_trust(c, label) for label, c in known.items()]
    else:
        sentences = [
            f"The probabilities of {label!r} are off by {number(float(c.expected_error))} on average."
            for label, c in known.items()
        ]
        if sentences:
            sentences.append(f"{dependent} are alike, so whether that is more than chance was not tested.")
    rest = len(labels) - len(bent)
    if len(labels) > 2 and rest:
        what = "1 more class" if rest == 1 else f"the other {rest} classes"
        sentences.append(f"The probabilities of {what} were not judged.")
    return sentences


def _trust(c: EventCalibration, label: str) -> str:
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
