"""The scores of two classes and what a threshold makes of them (DTU Figs 16.2–16.5, 16.7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import check_number
from suffice.evaluation.measures.curves import ThresholdCurves
from suffice.evaluation.measures.error_rates import ErrorRates
from suffice.evaluation.measures.precision_recall import PrecisionRecall
from suffice.evaluation.measures.roc import Roc
from suffice.plots._labels import BACKING
from suffice.plots._several import by_name, threshold_line
from suffice.plots._style import BLUE, INK, ORANGE, SMALL, axes, legend, plain


def score_densities(
    curve: Roc | ThresholdCurves | PrecisionRecall | ErrorRates,
    *,
    threshold: float | None = None,
    names: tuple[str, str] = ("negative", "positive"),
    ax: Any = None,
) -> Any:
    """Where the scores of both classes lie, positives up and negatives down; the bars of a class add up to one.

    With `threshold` mistakes are dark, and the four corners say how many rows of a class lie on either side.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import evaluation, plots
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(500) < 0.3
    >>> ax = plots.score_densities(evaluation.roc(y, rng.normal(1.5 * y)), threshold=0.8)
    """
    by_name(curve, (Roc, ThresholdCurves, PrecisionRecall, ErrorRates), "the scores of a curve")
    tally = curve.tally
    cut = np.inf if threshold is None else check_number("threshold", threshold)
    edges = _edges(tally.scores, tally.n_positive + tally.n_negative, threshold)
    ax = axes(ax, x="score", y="share of its class")
    above = tally.scores > cut
    for weight, sign, color, name in zip(
        (tally.negatives, tally.positives), (-1, 1), (ORANGE, BLUE), names, strict=True
    ):
        for side in (above, ~above):
            wrong = threshold is not None and (side is above) == (sign < 0)
            heights = sign * _binned(tally.scores[side], weight[side], edges) / weight.sum()
            ax.stairs(heights, edges, fill=True, color=color, alpha=0.85 if wrong else 0.3, linewidth=0)
        ax.plot([], [], "s", color=color, alpha=0.6, markersize=8, label=plain(f"{name} ({weight.sum():g})"))
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    if threshold is not None:
        threshold_line(ax, cut)
        _corners(ax, tally.at(cut))
    legend(ax)
    return ax


# -- scores --------------------------------------------------------------------------------------------
def _edges(scores: np.ndarray, n: float, threshold: float | None) -> np.ndarray:
    """Bins of equal width; the threshold is an edge."""
    low, high = float(scores[0]), float(scores[-1])
    room = (high - low) / float(np.clip(np.sqrt(n), 8, 60)) or max(1e-6, 0.05 * abs(low))
    start = low if threshold is None or not low < threshold < high else threshold
    before, after = np.ceil((start - low) / room) + 1, np.ceil((high - start) / room) + 1
    return start + room * np.arange(-before, after + 1)


def _binned(scores: np.ndarray, weight: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Weight in the bins (a, b]: a row at the threshold lies left of it."""
    index = np.searchsorted(edges, scores, side="left") - 1
    return np.bincount(index, weight, len(edges) - 1)


def _corners(ax: Any, cells: tuple[float, float, float, float]) -> None:
    """What each region holds: counts and shares of their class."""
    low, high = ax.get_ylim()
    ax.set_ylim(1.3 * low, 1.3 * high)
    tp, fn, fp, tn = cells
    for name, m, n, x, y in (
        ("FN", fn, tp + fn, 0.015, 0.975), ("TP", tp, tp + fn, 0.985, 0.975),
        ("TN", tn, fp + tn, 0.015, 0.025), ("FP", fp, fp + tn, 0.985, 0.025),
    ):  # fmt: skip
        ax.text(
            x, y, f"{name}  {m:g}  ({m / n:.1%})", transform=ax.transAxes, ha="left" if x < 0.5 else "right",
            va="top" if y > 0.5 else "bottom", fontsize=SMALL + 0.5, color=INK, bbox=BACKING, zorder=6,
        )  # fmt: skip
