"""What predictions are worth to somebody who acts on them: outcomes by decile, and of two classes gain and cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.plots._labels import cut
from suffice.plots._several import DASHED
from suffice.plots._style import BLUE, GREEN, INK, MUTED, ORANGE, PALE, SMALL, axes, legend
from suffice.study.numbers import number, percent
from suffice.study.page.drawing import HALF, MIDDLE, Figure, Spot, brief, draw, printable
from suffice.study.page.shown import counted
from suffice.study.sections import Classes, CostCurve, Deciles, GainCurve

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

RATIOS = (9, 4, 2, 1, 1 / 2, 1 / 4, 1 / 9)  # false alarms that a missed row is worth
MOST_SPOTS = 60
PARTS = 10


def deciles(r: StudyResult) -> Figure | None:
    d = None if r.predictive is None else r.predictive.deciles
    if d is None:
        return None
    share = isinstance(r.predictive, Classes)
    tree = draw("deciles", lambda ax: paint_deciles(ax, d, share), (MIDDLE, 2.8))
    show = _percent if share else number
    parts = "ten parts" if len(d.count) == PARTS else counted(len(d.count), "part")
    stated = f" Lines are {percent(_level(r))} intervals." if np.isfinite(d.low).any() else ""
    caption = (
        f"Rows not seen, sorted by their prediction and cut into {parts}: bars show what happened, rings what was "
        f"predicted.{stated}"
    )
    alt = (
        f"{printable(d.what)} by part of the prediction: {show(d.observed[0])} in the lowest (predicted "
        f"{show(d.predicted[0])}), {show(d.observed[-1])} in the highest (predicted {show(d.predicted[-1])})."
    )
    return Figure("deciles", tree, alt, caption)


def _level(r: StudyResult) -> float:
    return 0.95 if r.chosen is None else r.chosen.confidence


def _percent(value: float) -> str:
    return percent(value, 1)


def paint_deciles(ax: Any, d: Deciles, share: bool) -> list[Spot]:
    """A bar for every part with its interval, and a ring for what was predicted."""
    axes(ax, x="part of the rows, from the lowest prediction to the highest", y=brief(d.what, 34), grid="y")
    x = np.arange(1, len(d.count) + 1)
    low = min(0.0, float(np.nanmin([*d.observed, *d.predicted, *d.low])))
    top = float(np.nanmax([*d.observed, *d.predicted, *d.high]))
    base = 0.0
    if not share and low >= 0 and float(np.nanmin([*d.observed, *d.low])) > 0.6 * top:
        base = low = float(np.nanmin([*d.observed, *d.predicted, *d.low])) - 0.15 * np.ptp(d.observed)
    ax.bar(x, d.observed - base, 0.72, bottom=base, color=PALE, zorder=1)
    ax.vlines(x, d.low, d.high, color=BLUE, linewidth=2, alpha=0.55, zorder=2)
    ax.plot(x, d.predicted, "o", markersize=6, markerfacecolor="none", markeredgecolor=INK, zorder=3)
    ax.set_ylim(low - 0.04 * (top - low) if low < 0 else low, top + 0.06 * (top - low))
    ax.set_xticks(x)
    if share:
        ax.yaxis.set_major_formatter(lambda value, _: percent(value))
    show = _percent if share else number
    return [
        (float(k), float(o), f"part {k}: {show(o)} happened, {show(p)} predicted; {counted(n, 'row')}")
        for k, o, p, n in zip(x, d.observed, d.predicted, d.count, strict=True)
    ]


# -- two classes --------------------------------------------------------------------------------------------------
def gain(r: StudyResult) -> Figure | None:
    g = r.predictive.gain if isinstance(r.predictive, Classes) else None
    if g is None:
        return None
    tree = draw("gain", lambda ax: paint_gain(ax, g), (HALF, 3.4))
    caption = (
        f"Gain curve: how many of all {printable(g.positive)} are among the rows with the highest probability. "
        "Dashed: rows drawn at random."
    )
    return Figure("gain", tree, f"Gain curve. {g.sentence}", caption, half=True)


def paint_gain(ax: Any, g: GainCurve) -> list[Spot]:
    """The share found against the share taken."""
    axes(ax, x="share of rows taken, highest probability first", y=f"share of {brief(g.positive, 20)} found")
    ax.plot([0, 1], [0, 1], color=MUTED, linewidth=1, linestyle=DASHED)
    ax.plot(g.taken, g.found, color=BLUE, linewidth=1.8, zorder=3)
    _in_percent(ax, "both")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    step = -(-len(g.taken) // MOST_SPOTS)
    return [
        (
            x,
            y,
            f"{percent(x)} of rows taken: {percent(y)} found, {number(y / x, 1)} times as many as at random",
        )
        for x, y in zip(g.taken[::step], g.found[::step], strict=True)
        if x > 0
    ]


def _in_percent(ax: Any, which: str) -> None:
    ticks = np.linspace(0, 1, 6)
    names = [percent(t) for t in ticks]
    if which == "both":
        ax.set_xticks(ticks, names)
    ax.set_yticks(ticks, names)


def cost(r: StudyResult) -> Figure | None:
    c = r.predictive.cost if isinstance(r.predictive, Classes) else None
    if c is None:
        return None
    tree = draw("cost", lambda ax: paint_cost(ax, c), (HALF, 3.4))
    caption = (
        "Cost curve: what mistakes cost per row, against what a miss costs for each false alarm; both together cost "
        "one. Lower is better."
    )
    return Figure("cost", tree, f"Cost curve. {c.sentence}", caption, half=True)


def paint_cost(ax: Any, c: CostCurve) -> list[Spot]:
    """Cost per row of the model and of calling all rows alike, for every ratio of the two costs."""
    axes(
        ax, x=f"cost of a missed {brief(c.positive, 18)} : cost of a false alarm", y="cost per row", grid="y"
    )
    name = cut(printable(c.positive), 14)
    ax.plot(
        c.threshold, c.all_positive, color=ORANGE, linewidth=1.2, linestyle=DASHED, label=f"call all {name}"
    )
    ax.plot(c.threshold, c.all_negative, color=GREEN, linewidth=1.2, linestyle=":", label="call none")
    ax.plot(c.threshold, c.model, color=BLUE, linewidth=1.9, zorder=3, label="by the model")
    top = float(np.max(np.minimum(c.all_positive, c.all_negative)))
    ax.set(xlim=(0, 1), ylim=(0, 1.35 * max(top, float(c.model.max())) or 1.0))
    ax.set_xticks([1 / (1 + r) for r in RATIOS], [_ratio(r) for r in RATIOS], fontsize=SMALL)
    legend(ax)
    return [
        (
            t,
            m,
            f"{_ratio((1 - t) / t)}: {number(m)} by the model, {number(min(a, b))} if all rows are called alike",
        )
        for t, m, a, b in list(zip(c.threshold, c.model, c.all_positive, c.all_negative, strict=True))[2:-2:2]
    ]


def _ratio(r: float) -> str:
    """`4 : 1`, `1 : 4`."""
    return f"{float(f'{r:.2g}'):g} : 1" if r >= 1 else f"1 : {float(f'{1 / r:.2g}'):g}"


MAKERS = (deciles, gain, cost)
