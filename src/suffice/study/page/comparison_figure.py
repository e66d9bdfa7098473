"""The comparison as a picture: how far the loss of every model is from that of the baseline, with its interval.

The interval is that of the paired difference, the one that the sentences go by: where it excludes zero, and only there,
a sentence says that the model is better or worse than the baseline.
"""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.plots._style import BLUE, INK, MUTED, SMALL, axes, plain
from suffice.study.numbers import number, percent, span
from suffice.study.page.drawing import Figure, Spot, draw, printable
from suffice.study.page.shown import to_baseline

if TYPE_CHECKING:
    from suffice.study.result import StudyResult
    from suffice.study.sections import Compared, ModelComparison

WIDTH, ROW = 5.2, 0.31  # inches
LETTERS = 24  # of a title in one line
FAR = 1.5  # times the loss of the baseline above it; models beyond leave the picture


def comparison(r: StudyResult) -> Figure | None:
    c = r.comparison
    if c is None:
        return None
    models = sorted(c.models, key=lambda m: m.estimate)
    far = len(models) - len(_near(c, models))
    lines = sum(1 + _title(m).count("\n") * 0.6 for m in models)
    tree = draw("comparison", lambda ax: paint(ax, c, models), (WIDTH, 0.95 + ROW * lines))
    beyond = f" {far} with larger losses lie beyond the right edge." if far else ""
    caption = (
        f"The {c.loss_words} of each model on rows not seen, at the right, and its difference from the baseline with a "
        f"{percent(c.confidence)} interval; left of the dashed line is better. Filled dots differ from the baseline by "
        f"more than chance.{beyond}{_typical(models)}"
    )
    best, base = c.of(c.best), c.of(c.baseline)
    alt = (
        f"Dots with intervals for {len(models)} models, against the baseline. Chosen: {best.title}, "
        f"{number(best.estimate)}; baseline: {base.title}, {number(base.estimate)}."
    )
    return Figure("comparison", tree, alt, caption)


def _typical(models: list[Compared]) -> str:
    """A word where differences are not those of the means at the right."""
    if not any(m.to_baseline is not None and m.to_baseline.by_ranks for m in models):
        return ""
    return " Where a few rows decide the mean, typical rows were compared, so a dot may lie elsewhere than the mean."


def _near(c: ModelComparison, models: list[Compared]) -> list[Compared]:
    """Models that fit into the picture."""
    base = c.of(c.baseline).estimate
    return [m for m in models if np.isfinite(_away(m, base)) and _away(m, base) <= FAR * base] or models


def _away(m: Compared, base: float) -> float:
    """How far the loss of a model is above that of the baseline, as it was compared."""
    found = to_baseline(m)
    return m.estimate - base if found is None else found[0]


def _title(m: Compared) -> str:
    outside = " (outside)" if m.kind == "reference" else ""
    return fill(plain(printable(m.title), 60) + outside, LETTERS)


def paint(ax: Any, c: ModelComparison, models: list[Compared]) -> list[Spot]:
    """A row for every model, the lowest loss on top."""
    axes(ax, x=f"difference from the baseline in {c.loss_words}", grid="x")
    ax.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    base, near, spots = c.of(c.baseline).estimate, _near(c, models), []
    ends = [0.0]
    for i, m in enumerate(models):
        if m not in near:
            ax.annotate(
                "→", (0.99, i), xycoords=("axes fraction", "data"), ha="right", va="center", color=MUTED
            )
            continue
        away, interval = to_baseline(m) or (m.estimate - base, None)
        low, high = interval or (away, away)
        ends += [low, high]
        _dot(ax, i, away, low, high, MUTED if m.name == c.baseline else BLUE)
        spots.append((away, float(i), f"{m.title}: {number(m.estimate)}; {_against(m, away, interval, c)}"))
    room = 0.05 * (max(ends) - min(ends)) or 1.0
    top = min(max(ends), FAR * base) if base > 0 else max(ends)
    ax.set_xlim(min(ends) - room, top + room)
    ax.locator_params(axis="x", nbins=5)
    _names(ax, c, models)
    return spots


def _dot(ax: Any, i: int, at: float, low: float, high: float, color: str) -> None:
    sure = low > 0 or high < 0
    ax.hlines(i, low, high, color=color, linewidth=2.4, alpha=0.45, zorder=2)
    ax.plot(
        at,
        i,
        "o",
        markersize=7,
        color=color,
        markerfacecolor=color if sure else "white",
        markeredgewidth=1.6,
        zorder=3,
    )


def _against(m: Compared, away: float, interval: tuple[float, float] | None, c: ModelComparison) -> str:
    if m.name == c.baseline:
        return "the baseline"
    return f"{number(away)} from the baseline ({span(interval)})"


def _names(ax: Any, c: ModelComparison, models: list[Compared]) -> None:
    """Titles at the left, losses at the right; the chosen model in bold."""
    ax.set_ylim(len(models) - 0.4, -0.6)
    ax.set_yticks(range(len(models)), [_title(m) for m in models])
    for label, m in zip(ax.get_yticklabels(), models, strict=True):
        label.set(fontsize=9.5, color=INK, fontweight="bold" if m.name == c.best else "normal")
    for i, m in enumerate(models):
        weight = "bold" if m.name == c.best else "normal"
        place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "ha": "left", "va": "center"}
        ax.annotate(number(m.estimate), (1.03, i), fontsize=SMALL, color=INK, fontweight=weight, **place)
