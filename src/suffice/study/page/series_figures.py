"""The forecast of a series as a picture: what was, what was predicted of it before, and what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.plots._style import BLUE, INK, ORANGE, PALE, axes, legend
from suffice.study.numbers import number, percent
from suffice.study.page.drawing import WIDE, Figure, Spot, draw
from suffice.study.sections import Forecast, SeriesLine

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

SHOWN, PER_STEP = 120, 6  # rows of the past, at least, and per step of the forecast
MOST_SPOTS = 60


def forecast(r: StudyResult) -> Figure | None:
    f = r.forecast
    if f is None or not f.steps:
        return None
    line = f.lines[0]
    start = max(0, len(line.observed) - max(SHOWN, PER_STEP * len(f.steps)))
    tree = draw("forecast", lambda ax: _paint(ax, f, line, start), (WIDE, 3.1))
    past = (
        ""
        if start == 0
        else f" The latest {len(line.observed) - start} of {len(line.observed)} rows are drawn."
    )
    whose = "" if line.name is None else f" Series {line.name}, one of {len(f.lines)}."
    caption = (
        f"Dark: observed. Blue: predicted {f.horizon} {f.unit}{'' if f.horizon == 1 else 's'} ahead by models that had "
        f"not seen the row. Orange: the forecast. Bands hold {percent(f.level)}.{whose}{past}"
    )
    return Figure("forecast", tree, " ".join(f.sentences), caption)


def _paint(ax: Any, f: Forecast, line: SeriesLine, start: int) -> list[Spot]:
    axes(ax, x=f.time, y=f.target, grid="y")
    x, later = _places(line.moments, f.dates)[start:], _places(line.next_moments, f.dates)
    seen = np.isfinite(line.predicted[start:])
    banded = seen & np.isfinite(line.low[start:]) & np.isfinite(line.high[start:])
    ax.fill_between(x, line.low[start:], line.high[start:], where=banded, color=PALE, linewidth=0)
    ax.plot(x, line.observed[start:], color=INK, linewidth=1.1, label="observed", zorder=3)
    ax.plot(x[seen], line.predicted[start:][seen], color=BLUE, linewidth=1.0, label="predicted", zorder=4)
    ax.fill_between(later, line.next_low, line.next_high, color=ORANGE, alpha=0.22, linewidth=0)
    ax.plot(later, line.next_predicted, color=ORANGE, linewidth=1.6, label="forecast", zorder=5)
    if len(later) == 1:
        ax.plot(later, line.next_predicted, "o", color=ORANGE, markersize=3.5, zorder=5)
    _limit(ax, line, start)
    if not f.dates:
        ax.ticklabel_format(axis="x", useOffset=False)
    legend(ax)
    return _spots(line, later)


def _places(moments: np.ndarray, dates: bool) -> np.ndarray:
    return np.round(moments).astype("M8[s]") if dates else moments


def _limit(ax: Any, line: SeriesLine, start: int) -> None:
    """A height that the observations decide: one wild band does not flatten them."""
    y = line.observed[start:]
    low, high = float(y.min()), float(y.max())
    room = max(high - low, 1e-12)
    bottom = min(low, float(np.nanmin(line.next_low)))
    top = max(high, float(np.nanmax(line.next_high)))
    ax.set_ylim(max(bottom, low - room) - 0.04 * room, min(top, high + room) + 0.04 * room)


def _spots(line: SeriesLine, later: np.ndarray) -> list[Spot]:
    from matplotlib.dates import date2num

    at = date2num(later) if later.dtype.kind == "M" else later
    step = -(-len(at) // MOST_SPOTS)
    text = [
        (
            float(at[i]),
            float(line.next_predicted[i]),
            f"{line.next_times[i]}: {number(line.next_predicted[i])} "
            f"({number(line.next_low[i])} to {number(line.next_high[i])})",
        )
        for i in range(0, len(at), step)
    ]
    return text
