"""Figures drawn from the records of a study alone: ROC points, reliability, where observations fell, confusions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice import plots
from suffice.evaluation.measures.confusion import Confusion
from suffice.plots._labels import cut
from suffice.plots._several import DASHED, diagonal, looks, rows_legend, unit_square
from suffice.plots._style import BLUE, INK, MUTED, PALE, axes
from suffice.study.numbers import number, percent, span
from suffice.study.page.drawing import Spot, printable
from suffice.study.page.shown import counted
from suffice.study.sections import Reliability

MOST_SPOTS = 60


def pit(ax: Any, counts: Sequence[float]) -> list[Spot]:
    """Counts in equal bins from 0 to 1, and the count expected of each."""
    k, level = len(counts), sum(counts) / len(counts)
    axes(ax, x="probability of less than what happened", y="rows", grid="y")
    middle = (np.arange(k) + 0.5) / k
    ax.bar(middle, counts, 0.94 / k, color=PALE)
    ax.axhline(level, color=INK, linewidth=1.1, linestyle=DASHED, zorder=3)
    ax.set(xlim=(-0.01, 1.01), ylim=(0, None))
    return [
        (
            x,
            n / 2,
            f"{percent(x - 0.5 / k)} to {percent(x + 0.5 / k)}: {counted(n, 'row')}, {number(level)} expected",
        )
        for x, n in zip(middle, counts, strict=True)
    ]


def roc(ax: Any, points: np.ndarray) -> list[Spot]:
    """The points (false, true positive rate) of a curve."""
    axes(ax, x="false-positive rate", y="true-positive rate")
    diagonal(ax, MUTED)
    ax.plot(points[:, 0], points[:, 1], color=BLUE, linewidth=1.8, zorder=3)
    unit_square(ax)
    step = -(-len(points) // MOST_SPOTS)
    return [(x, y, f"{percent(y, 1)} found, {percent(x, 1)} false alarms") for x, y in points[::step]]


def reliability(ax: Any, found: Sequence[Reliability]) -> list[Spot]:
    """Found against stated, with intervals, a colour per class."""
    axes(ax, x="stated probability", y="share that came true")
    diagonal(ax, MUTED)
    spots: list[Spot] = []
    for one, look in zip(found, looks(len(found)), strict=True):
        color = look["color"]
        ax.vlines(one.stated, one.low, one.high, color=color, linewidth=2, alpha=0.4)
        ax.plot(
            one.stated,
            one.found,
            "o-",
            color=color,
            markersize=5,
            linewidth=1.1,
            label=cut(printable(one.label)),
        )
        spots += [
            (
                p,
                f,
                f"{one.label}: stated {percent(p)}, found {percent(f)} ({span((low, high))}), {counted(n, 'row')}",
            )
            for p, f, low, high, n in zip(one.stated, one.found, one.low, one.high, one.count, strict=True)
        ]
    unit_square(ax)
    if len(found) > 1:
        rows_legend(ax)
    return spots


def confusion(ax: Any, labels: Sequence[str], table: np.ndarray) -> None:
    """True classes in rows, predicted ones in columns."""
    names = np.array([printable(label) for label in labels], dtype=object)
    plots.confusion(Confusion(table, names), show="counts", ax=ax)
