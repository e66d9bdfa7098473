"""Two classes and a score: ROC, precision and recall, rates against the threshold.

Figures of DTU ch. 16, FCML §5.4 and Herbst §1.2.1. A row is called positive where its score is above the threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import check_choice, check_number
from suffice.evaluation.findings import words
from suffice.evaluation.measures.curves import OTHERS, PROPORTIONS, ThresholdCurves
from suffice.evaluation.measures.error_rates import ErrorRates
from suffice.evaluation.measures.precision_recall import PrecisionRecall
from suffice.evaluation.measures.roc import OneVsRest, Roc
from suffice.plots._several import (
    DASHED,
    MOST_BANDS,
    by_name,
    diagonal,
    entry,
    looks,
    rows_legend,
    thinned,
    threshold_line,
    unit_square,
)
from suffice.plots._style import BLUE, INK, MUTED, ORANGE, axes, legend

SQUARE = (4.8, 5.0)
BANDS_AT = 120  # thresholds
ONE_ROW = 4  # rates
RATES = {
    "tpr": "true-positive rate", "fpr": "false-positive rate", "tnr": "true-negative rate",
    "fnr": "false-negative rate", "npv": "negative predictive value", "scaled_accuracy": "scaled accuracy",
    "f1": "F₁", "youden": "TPR − FPR",
}  # fmt: skip


def roc(
    curves: Roc | OneVsRest | Mapping[str, Roc],
    *,
    threshold: float | None = None,
    bands: bool | None = None,
    ax: Any = None,
) -> Any:
    """True-positive against false-positive rate, with the area of each curve and pointwise bands.

    Several curves come as a mapping from their names. `threshold` puts a dot on each. Up to three curves have
    bands unless `bands` says otherwise. The dashed diagonal is a coin.

    Examples
    --------
    >>> from suffice import evaluation, plots
    >>> curve = evaluation.roc([1, 1, 0, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3])
    >>> ax = plots.roc(curve, threshold=0.5)
    >>> [text.get_text().split(" [")[0] for text in ax.get_legend().get_texts()]
    ['area 0.812', 'threshold 0.5']
    """
    if isinstance(curves, OneVsRest):
        curves = {str(label): one for label, one in zip(curves.labels.tolist(), curves.curves, strict=True)}
    named = by_name(curves, Roc, "Roc")
    ax = axes(ax, x="false-positive rate", y="true-positive rate", size=SQUARE)
    diagonal(ax, MUTED)
    for (name, one), look in zip(named.items(), looks(len(named)), strict=True):
        if _wanted(bands, named):
            band = one.tpr_band()
            ax.fill_between(band.fpr, band.low, band.high, color=look["color"], alpha=0.13, linewidth=0)
        kept = thinned(one.fpr, one.tpr)
        label = entry(name, f"area {words(one.area, one.interval)}")
        ax.plot(one.fpr[kept], one.tpr[kept], linewidth=1.8, label=label, zorder=3, **look)
        if threshold is not None:
            table = one.at(threshold)
            _dot(ax, table.fpr, table.tpr, look["color"])
    _name_dots(ax, threshold)
    unit_square(ax)
    rows_legend(ax)
    return ax


def precision_recall(
    curves: PrecisionRecall | Mapping[str, PrecisionRecall],
    *,
    threshold: float | None = None,
    bands: bool | None = None,
    ax: Any = None,
) -> Any:
    """Precision against recall, in steps whose area is the average precision; dashed: scores without information.

    Examples
    --------
    >>> from suffice import evaluation, plots
    >>> y, score = [1, 1, 0, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3]
    >>> ax = plots.precision_recall(evaluation.precision_recall(y, score))
    >>> ax.get_legend().get_texts()[0].get_text().split(" [")[0]
    'average precision 0.854'
    """
    named = by_name(curves, PrecisionRecall, "PrecisionRecall")
    ax = axes(ax, x="recall", y="precision", size=SQUARE)
    for base in sorted({float(one.baseline) for one in named.values()}):
        ax.axhline(base, color=MUTED, linewidth=1, linestyle=DASHED, zorder=1.5)
    for (name, one), look in zip(named.items(), looks(len(named)), strict=True):
        kept = thinned(one.recall, one.precision)
        at = one.recall[kept]
        if _wanted(bands, named):
            low, high = (end[kept][1:] for end in one.precision_band())
            ax.fill_between(at[1:], low, high, step="pre", color=look["color"], alpha=0.13, linewidth=0)
        label = entry(name, f"average precision {words(one.average_precision, one.interval)}")
        ax.plot(at, one.precision[kept], drawstyle="steps-pre", linewidth=1.8, label=label, zorder=3, **look)
        if threshold is not None:
            table = one.at(threshold)
            _dot(ax, table.tpr, table.precision, look["color"])
    _name_dots(ax, threshold)
    unit_square(ax)
    rows_legend(ax)
    return ax


# -- against the threshold -----------------------------------------------------------------------------
def threshold_curves(
    curves: ThresholdCurves,
    rates: Sequence[str] = ("tpr", "fpr"),
    *,
    threshold: float | None = None,
    ax: Any = None,
) -> Any:
    """Rates against the threshold, with the pointwise intervals of those that are proportions.

    Examples
    --------
    >>> from suffice import evaluation, plots
    >>> curves = evaluation.threshold_curves([1, 0, 1, 1, 0, 0], [0.6, 0.4, 0.5, 0.2, 0.1, 0.3])
    >>> ax = plots.threshold_curves(curves, ["tpr", "fpr", "accuracy"], threshold=0.45)
    """
    by_name(curves, ThresholdCurves, "ThresholdCurves")
    rates = (rates,) if isinstance(rates, str) else tuple(rates)
    for name in rates:
        check_choice("rates", name, PROPORTIONS + OTHERS)
    ax = axes(ax, x="threshold", y="rate")
    for name, look in zip(rates, looks(len(rates)), strict=True):
        band = curves.band(name) if name in PROPORTIONS else None
        _steps(ax, curves.thresholds, curves.curve(name), band, look, RATES.get(name, name))
    if threshold is not None:
        threshold_line(ax, check_number("threshold", threshold))
    (legend if len(rates) <= ONE_ROW else rows_legend)(ax)
    return ax


def error_rates(rates: ErrorRates, *, ax: Any = None) -> Any:
    """False acceptance and false rejection against the threshold; the dot is the equal error rate, with its interval.

    Examples
    --------
    >>> from suffice import evaluation, plots
    >>> rates = evaluation.error_rates(genuine=[3.1, 2.4, 4.0, 1.2, 2.9], forged=[0.3, 1.5, 0.9, 2.6, 0.1])
    >>> ax = plots.error_rates(rates)
    """
    by_name(rates, ErrorRates, "ErrorRates")
    ax = axes(ax, x="threshold", y="share of items")
    for name, color in (("far", ORANGE), ("frr", BLUE)):
        label = {"far": "forged and accepted", "frr": "genuine and rejected"}[name]
        _steps(ax, rates.thresholds, getattr(rates, name), None, {"color": color}, label)
        _band_at(ax, rates, name, color)
    low, high = rates.eer.interval or (np.nan, np.nan)
    ax.plot([rates.eer_threshold] * 2, [low, high], color=INK, linewidth=2, alpha=0.6, zorder=4)
    label = f"equal error rate {words(rates.eer, rates.eer.interval)}"
    _dot(ax, rates.eer_threshold, rates.eer, INK, label)
    rows_legend(ax)
    return ax


# -- strokes -------------------------------------------------------------------------------------------
def _wanted(bands: bool | None, named: Mapping[str, Any]) -> bool:
    return len(named) <= MOST_BANDS if bands is None else bool(bands)


def _dot(ax: Any, x: float, y: float, color: str, label: str | None = None) -> None:
    look = {"markersize": 8, "markerfacecolor": "white", "markeredgecolor": color, "markeredgewidth": 2}
    ax.plot(float(x), float(y), "o", linestyle="none", label=label, zorder=5, **look)


def _name_dots(ax: Any, threshold: float | None) -> None:
    if threshold is not None:
        _dot(ax, np.nan, np.nan, MUTED, f"threshold {float(threshold):.4g}")


def _steps(ax: Any, at: np.ndarray, rate: np.ndarray, band: Any, look: dict[str, Any], label: str) -> None:
    """What holds from each threshold up to the next; the first, −∞, starts a little left of the second."""
    x, (y, *ends) = _extended(at, [rate, *(band or ())])
    kept = thinned(x, np.nan_to_num(y))
    if band is not None:
        low, high = (end[kept] for end in ends)
        ax.fill_between(x[kept], low, high, step="post", color=look["color"], alpha=0.13, linewidth=0)
    ax.plot(x[kept], y[kept], drawstyle="steps-post", linewidth=1.8, label=label, zorder=3, **look)
    ax.set_xlim(x[0], x[-1])


def _extended(at: np.ndarray, values: list[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """With a place for −∞ and one more after the last threshold."""
    room = 0.04 * (at[-1] - at[1]) or max(1e-6, 0.05 * abs(at[1]))
    x = np.concatenate([[at[1] - room], at[1:], [at[-1] + room]])
    return x, [np.append(v, v[-1]) for v in values]


def _band_at(ax: Any, rates: ErrorRates, name: str, color: str) -> None:
    """Intervals of a rate at some of the thresholds."""
    kept = thinned(rates.thresholds[1:], rates.far[1:] - rates.frr[1:], BANDS_AT)
    at = rates.thresholds[1:][kept]
    ends = np.array([getattr(rates.at(float(t)), name).interval for t in at])
    ax.fill_between(at, ends[:, 0], ends[:, 1], step="post", color=color, alpha=0.13, linewidth=0)
