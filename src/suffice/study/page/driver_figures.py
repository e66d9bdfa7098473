"""The columns that the predictions need most: how the prediction changes with each, the other columns as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.plots._labels import cut
from suffice.plots._several import looks, rows_legend
from suffice.plots._style import BLUE, MUTED, PALE, SMALL, axes
from suffice.study.numbers import decimals, number, percent
from suffice.study.page.drawing import Figure, Spot, brief, draw, printable
from suffice.study.page.shown import counted
from suffice.study.sections import EffectCurve

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

THIRD = (3.3, 2.75)
MOST_DRIVERS = 3
DOTTED = 10  # points of a curve that are marked
LONGEST = 14  # letters of a level below its dot


def drivers(r: StudyResult) -> tuple[tuple[EffectCurve, ...], ...]:
    """The curves column by column; several of one column belong to several classes."""
    if r.chosen is None:
        return ()
    names = dict.fromkeys(c.column for c in r.chosen.curves)
    return tuple(tuple(c for c in r.chosen.curves if c.column == name) for name in names)


def driver(k: int) -> Any:
    """A maker of the figure of the k-th driver."""

    def make(r: StudyResult) -> Figure | None:
        found = drivers(r)
        return _figure(f"driver-{k + 1}", found[k], found, r) if k < len(found) else None

    return make


MAKERS = tuple(driver(k) for k in range(MOST_DRIVERS))


def sentence(curves: tuple[EffectCurve, ...]) -> str:
    """What the curve of a column shows, in words: the ends of a curve, or the extremes of levels."""
    one = max(curves, key=lambda c: float(np.ptp(c.mean)))
    what = "mean prediction" if not one.label else f"mean probability of {one.label!r}"
    if isinstance(one.at[0], str):
        low, high = int(np.argmin(one.mean)), int(np.argmax(one.mean))
        return (
            f"The {what} is lowest where {one.column!r} is {one.at[low]!r} ({_show(one, low)}) and highest where it is "
            f"{one.at[high]!r} ({_show(one, high)})."
        )
    reach = f"As {one.column!r} goes from {_at(one, 0)} to {_at(one, -1)}"
    return f"{reach}, the {what} {_course(one.mean)} from {_show(one, 0)} to {_show(one, -1)}{_turn(one)}."


def _show(one: EffectCurve, k: int) -> str:
    """The prediction at a value: a number, or the probability of a class."""
    return percent(one.mean[k], 1) if one.label else number(one.mean[k])


def _course(mean: np.ndarray) -> str:
    return "rises" if mean[-1] > mean[0] else "falls" if mean[-1] < mean[0] else "goes"


def _turn(one: EffectCurve) -> str:
    """Where a curve that turns has its extreme; empty for one that does not."""
    ends = sorted((float(one.mean[0]), float(one.mean[-1])))
    reach = float(np.ptp(one.mean))
    for at, word in ((int(np.argmax(one.mean)), "a high"), (int(np.argmin(one.mean)), "a low")):
        beyond = max(float(one.mean[at]) - ends[1], ends[0] - float(one.mean[at]))
        if beyond > 0.1 * reach:
            return f", with {word} of {_show(one, at)} at {_at(one, at)}"
    return ""


def _at(one: EffectCurve, k: int) -> str:
    """A value of the column, with the digits that the reach of the curve deserves."""
    value = one.at[k]
    if isinstance(value, str):
        return value
    return number(value, decimals(float(one.at[-1]) - float(one.at[0])))


def drivers_shown(r: StudyResult) -> dict[str, Any] | None:
    """What stands above and below the curves; None where there are none."""
    found = drivers(r)
    if r.chosen is None or not found:
        return None
    names = [repr(curves[0].column) for curves in found]
    which = f"column {names[0]}" if len(names) == 1 else f"columns {', '.join(names[:-1])} and {names[-1]}"
    every = [c for curves in found for c in curves]
    stated = any(np.isfinite(c.low).any() for c in every)
    band = (
        f" Bands and lines are {percent(r.chosen.confidence)} intervals of the column's own weight."
        if stated
        else ""
    )
    return {
        "count": len(found),
        "intro": (
            f"The predictions of {r.chosen.title} need the {which} most: the loss on rows not seen grows most when "
            "their cells are shuffled."
        ),
        "reading": (
            "Each curve is the mean prediction with one value of the column in every row, the other columns as they "
            f"are.{band} Pale bars show where the rows are. All curves have the same scale. They are associations: "
            "they do not say what would happen if somebody changed a column."
        ),
    }


# -- drawing ------------------------------------------------------------------------------------------------------
def _figure(name: str, curves: tuple[EffectCurve, ...], every: Any, r: StudyResult) -> Figure:
    tree = draw(name, lambda ax: paint(ax, curves, _range(every), _what(r, curves)), THIRD)
    text = sentence(curves)
    alt = f"Effect curve of {curves[0].column}. {text}"
    return Figure(name, tree, alt, text, half=True)


def _what(r: StudyResult, curves: tuple[EffectCurve, ...]) -> str:
    """What the curves say of the target."""
    if len(curves) > 1:
        return "mean probability"
    target = printable(r.data_sheet.target or "")
    return f"probability of {curves[0].label}" if curves[0].label else target


def _range(every: tuple[tuple[EffectCurve, ...], ...]) -> tuple[float, float]:
    """One scale for all drivers, so that steeper is stronger; a band may widen it, up to twice."""
    curves = [c for column in every for c in column]
    low, high = min(float(c.mean.min()) for c in curves), max(float(c.mean.max()) for c in curves)
    reach = (high - low) or abs(high) or 1.0
    floor = min(float(np.nanmin([*c.low, c.mean.min()])) for c in curves)
    top = max(float(np.nanmax([*c.high, c.mean.max()])) for c in curves)
    low, high = max(floor, low - reach / 2), min(top, high + reach / 2)
    return low - 0.06 * reach, high + 0.06 * reach


def paint(ax: Any, curves: tuple[EffectCurve, ...], limits: tuple[float, float], what: str) -> list[Spot]:
    """The curves of one column, and where its rows are."""
    one = curves[0]
    axes(ax, x=brief(one.column, 34), y=brief(what, 34), grid="y")
    ax.set_ylim(*limits)
    place = np.arange(len(one.at)) if isinstance(one.at[0], str) else np.asarray(one.at, dtype=float)
    rows = one.counts / max(float(one.counts.max()), 1.0)
    _rows_below(ax, place, rows, limits)
    spots: list[Spot] = []
    for curve, look in zip(curves, looks(len(curves)), strict=True):
        _one(ax, place, curve, look if len(curves) > 1 else {"color": BLUE, "linestyle": "-"})
        spots += _spots(place, curve)
    ax.locator_params(nbins=5)
    if isinstance(one.at[0], str):
        _named_ticks(ax, [str(level) for level in one.at])
    if len(curves) > 1:
        rows_legend(ax)
    return spots


def _rows_below(ax: Any, place: np.ndarray, rows: np.ndarray, limits: tuple[float, float]) -> None:
    """How many rows there are at each value, as pale bars at the foot."""
    step = float(np.diff(place).min()) if len(place) > 1 else 1.0
    height = 0.14 * (limits[1] - limits[0])
    ax.bar(place, height * rows, 0.8 * step, bottom=limits[0], color=PALE, zorder=1)


def _one(ax: Any, place: np.ndarray, c: EffectCurve, look: dict[str, Any]) -> None:
    color = look["color"]
    stated = np.isfinite(c.low) & np.isfinite(c.high)
    if isinstance(c.at[0], str):
        ax.vlines(
            place[stated], c.low[stated], c.high[stated], color=color, linewidth=2.2, alpha=0.45, zorder=2
        )
        ax.plot(place, c.mean, "o", color=color, markersize=6, zorder=3, label=cut(printable(c.label)))
        return
    if stated.any():
        ax.fill_between(place, c.low, c.high, color=color, alpha=0.16, linewidth=0, zorder=2)
    marker = "o" if len(place) <= DOTTED else None
    ax.plot(
        place,
        c.mean,
        marker=marker,
        markersize=4,
        linewidth=1.9,
        zorder=3,
        label=cut(printable(c.label)),
        **look,
    )


def _named_ticks(ax: Any, levels: list[str]) -> None:
    names = [cut(printable(level), LONGEST) for level in levels]
    ax.set_xlim(-0.6, len(names) - 0.4)
    long = max(map(len, names)) * len(names) > 30
    turned = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if long else {}
    ax.set_xticks(range(len(names)), names, fontsize=SMALL, color=MUTED, **turned)


def _spots(place: np.ndarray, c: EffectCurve) -> list[Spot]:
    of = f", {c.label}" if c.label else ""
    return [
        (x, y, f"{_at(c, k)}{of}: {_show(c, k)}; {counted(n, 'row')} near")
        for k, (x, y, n) in enumerate(zip(place, c.mean, c.counts, strict=True))
    ]
