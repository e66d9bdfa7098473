"""Figures of the predictions of rows not seen: of numbers, and of classes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice import plots
from suffice.study.numbers import number, percent, span
from suffice.study.page import curves
from suffice.study.page.drawing import HALF, WIDE, Figure, draw
from suffice.study.sections import Classes, PredictiveChecks
from suffice.study.steps.predictive import held_out

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

MOST_DOTS, MOST_SPOTS = 1500, 400
MOST_IN_TABLE = 12  # classes


def every(n: int) -> int:
    """One row in how many is drawn."""
    return -(-n // MOST_DOTS)


def _heldout(r: StudyResult) -> SimpleNamespace | None:
    """Observed and predicted numbers of rows not seen, with intervals if the model states them; thinned."""
    if not isinstance(r.predictive, PredictiveChecks) or r.layers is None or r.problem is None:
        return None
    v = r.layers.validations[r.predictive.name]
    rows = np.flatnonzero(r.layers.fold >= 0)
    rows = rows[:: every(len(rows))]
    low = high = None
    parts = held_out(SimpleNamespace(validation=v, layers=r.layers), r.problem)  # type: ignore[arg-type]
    if parts:
        low, high = (end[rows] for end in _ends(parts, r.problem.n, r.predictive.level))
    predicted = np.asarray(v.predictions, dtype=float)[rows]
    return SimpleNamespace(
        y=r.problem.y[rows], predicted=predicted, low=low, high=high, rows=r.problem.rows[rows]
    )


def _ends(parts: list[tuple[np.ndarray, Any]], n: int, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of the interval of every row; NaN where the model states none."""
    low, high = np.full(n, np.nan), np.full(n, np.nan)
    for rows, d in parts:
        low[rows], high[rows] = d.interval(level)
    return low, high


def _spots(h: SimpleNamespace, y: np.ndarray, most: int = MOST_SPOTS) -> list[tuple[float, float, str]]:
    """Tooltips of dots, the largest errors first, so many that they can be told apart."""
    order = np.argsort(-np.abs(h.y - h.predicted), kind="stable")[:most]
    return [
        (
            h.predicted[i],
            y[i],
            f"row {h.rows[i]}: observed {number(h.y[i])}, predicted {number(h.predicted[i])}",
        )
        for i in order
    ]


def agreement(r: StudyResult) -> Figure | None:
    h = _heldout(r)
    if h is None or not isinstance(r.predictive, PredictiveChecks):
        return None

    def paint(ax: Any) -> Any:
        plots.agreement(h.y, h.predicted, h.low, h.high, level=r.predictive.level, ax=ax)  # type: ignore[union-attr]
        return _spots(h, h.y)

    tree = draw("agreement", paint, (HALF, 3.9))
    alt = f"Observations against predictions; typical error {number(r.predictive.typical_error)}."
    return Figure(
        "agreement",
        tree,
        alt,
        _thin(r, "Each dot is a row, predicted by a model that had not seen it."),
        half=True,
    )


def residuals(r: StudyResult) -> Figure | None:
    h = _heldout(r)
    if h is None or not isinstance(r.predictive, PredictiveChecks):
        return None

    def paint(ax: Any) -> Any:
        plots.residuals(h.y, h.predicted, ax=ax)
        return _spots(h, h.y - h.predicted)

    tree = draw("residuals", paint, (HALF, 3.9))
    alt = f"Errors against predictions; at most {number(r.predictive.largest_error)}."
    caption = _thin(
        r, "Errors against predictions. A pattern would be something that the model does not explain yet."
    )
    return Figure("residuals", tree, alt, caption, half=True)


def _thin(r: StudyResult, words: str) -> str:
    step = every(r.predictive.n) if r.predictive is not None else 1
    return words if step == 1 else f"{words} One row in {step} is drawn."


def pit(r: StudyResult) -> Figure | None:
    p = r.predictive
    if not isinstance(p, PredictiveChecks) or len(p.pit) < 2 or not sum(p.pit):
        return None
    tree = draw("pit", lambda ax: curves.pit(ax, p.pit), (WIDE, 2.4))
    caption = (
        "Where in their predicted distribution the observations fell. Level bars: the distributions are right; "
        "high ends: too narrow; a hump: too wide."
    )
    alt = f"Histogram of {number(sum(p.pit))} probabilities in {len(p.pit)} bins: {', '.join(map(number, p.pit))}."
    return Figure("pit", tree, alt, caption)


def roc(r: StudyResult) -> Figure | None:
    p = r.predictive
    if not isinstance(p, Classes) or p.roc is None or not len(p.roc):
        return None
    points = np.asarray(p.roc, dtype=float)
    tree = draw("roc", lambda ax: curves.roc(ax, points), (HALF, 3.9))
    area = "" if p.auc is None else f" The area under it is {number(p.auc)} ({span(p.auc_interval)})."
    caption = f"ROC curve: what catching more of one class costs in false alarms; dashed: a coin.{area}"
    return Figure("roc", tree, f"True-positive against false-positive rate.{area}", caption, half=True)


def reliability(r: StudyResult) -> Figure | None:
    p = r.predictive
    if not isinstance(p, Classes) or not p.reliability:
        return None
    shown = p.reliability[:5] if len(p.labels) > 2 else p.reliability[-1:]
    tree = draw("reliability", lambda ax: curves.reliability(ax, shown), (HALF, 3.9))
    what = shown[0].label if len(shown) == 1 else "each class"
    caption = f"How often {what} came true, against the probability stated; on the diagonal they agree."
    text = "; ".join(
        f"stated {percent(a)}, found {percent(b)}"
        for a, b in zip(shown[0].stated, shown[0].found, strict=True)
    )
    return Figure("reliability", tree, f"Reliability of {shown[0].label}: {text}.", caption, half=True)


def confusion(r: StudyResult) -> Figure | None:
    """A picture where a table would be too wide."""
    p = r.predictive
    if not isinstance(p, Classes) or len(p.labels) <= MOST_IN_TABLE:
        return None
    tree = draw("confusion", lambda ax: curves.confusion(ax, p.labels, np.asarray(p.confusion)), (6.4, 6.0))
    alt = f"True classes against predicted ones, {len(p.labels)} of each; {percent(p.accuracy, 1)} are right."
    return Figure(
        "confusion", tree, alt, "Rows by true and predicted class: blue is right, orange is wrong.", lit=True
    )
