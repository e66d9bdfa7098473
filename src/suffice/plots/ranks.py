"""Methods on a line of average ranks: the critical-difference diagram (Demšar 2006).

The best method is at the left. Bars join methods whose ranks differ by less than the critical difference, which is
drawn to scale above the line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.evaluation.comparisons.ranks import Ranks
from suffice.evaluation.findings import number, percent
from suffice.plots._labels import cut
from suffice.plots._several import check_record
from suffice.plots._style import BLUE, INK, MUTED, NORMAL, SMALL, axes, note_at

BAR, NAME = 0.28, 0.45  # steps downwards per bar and per name


def critical_difference(ranks: Ranks, *, ax: Any = None) -> Any:
    """Average ranks of methods over many data sets; a bar joins those that the data cannot tell apart.

    Examples
    --------
    >>> from suffice import evaluation, plots
    >>> loss = [[0.2, 0.3, 0.4], [0.1, 0.2, 0.3], [0.3, 0.2, 0.5], [0.2, 0.3, 0.6], [0.4, 0.5, 0.7]]
    >>> ax = plots.critical_difference(evaluation.friedman(loss, names=["a", "b", "c"], better="lower"))
    """
    check_record(ranks, Ranks, "Ranks, as friedman returns them")
    k = len(ranks.names)
    depth = BAR * (len(ranks.groups) + 1) + NAME * ((k + 1) // 2)
    ax = axes(ax, size=(7.2, 1.1 + 0.55 * depth))
    ax.grid(False)
    _line(ax, k)
    _names(ax, ranks, BAR * (len(ranks.groups) + 1))
    _bars(ax, ranks)
    _scale(ax, ranks, k)
    ax.set(xlim=(1 - 0.42 * (k - 1), k + 0.42 * (k - 1)), ylim=(depth + 0.15, -1.15), yticks=[], xticks=[])
    return ax


def _line(ax: Any, k: int) -> None:
    """Ranks from 1, the best, to k."""
    ax.plot([1, k], [0, 0], color=INK, linewidth=1.2)
    for rank in range(1, k + 1, -(-k // 15)):
        ax.plot([rank, rank], [0, -0.12], color=INK, linewidth=1.2)
        ax.text(rank, -0.17, str(rank), ha="center", va="bottom", fontsize=SMALL, color=MUTED)


def _names(ax: Any, ranks: Ranks, top: float) -> None:
    """The better half of the names at the left, the others at the right, each on a line of its own."""
    order = np.argsort(ranks.average, kind="stable")
    k, half = len(order), (len(order) + 1) // 2
    for place, i in enumerate(order):
        left = place < half
        level = top + NAME * (place if left else k - 1 - place) + 0.12
        end, ha = (1 - 0.06 * (k - 1), "right") if left else (k + 0.06 * (k - 1), "left")
        at = ranks.average[i]
        ax.plot([at, at, end], [0, level, level], color=MUTED, linewidth=0.9, zorder=2)
        ax.plot(at, 0, "o", color=BLUE, markersize=5, zorder=4)
        words = [cut(ranks.names[i], 24), f"{at:.2f}"]
        look = {"ha": ha, "va": "center", "fontsize": NORMAL, "color": INK, "annotation_clip": False}
        note_at(ax, "  ".join(words), (end, level), (-4 if left else 4, 0), **look)


def _bars(ax: Any, ranks: Ranks) -> None:
    """One bar for each set of methods within a critical difference."""
    average = dict(zip(ranks.names, ranks.average.tolist(), strict=True))
    room = 0.02 * (len(ranks.names) - 1)
    for i, group in enumerate(ranks.groups):
        values = [average[name] for name in group]
        ends = [min(values) - room, max(values) + room]
        ax.plot(ends, [BAR * (i + 1)] * 2, color=BLUE, linewidth=4, solid_capstyle="round", zorder=3)


def _scale(ax: Any, ranks: Ranks, k: int) -> None:
    """The critical difference, to scale; one that is longer than the line is only told."""
    gap = ranks.critical_difference
    label = f"critical difference {number(gap)} ({percent(ranks.confidence)}, {ranks.n} data sets)"
    if gap <= k - 1:
        ax.plot([1, 1 + gap], [-0.72] * 2, color=INK, linewidth=1.6, marker="|", markersize=7)
    ax.text(1, -0.84, label, ha="left", va="bottom", fontsize=SMALL, color=MUTED)
