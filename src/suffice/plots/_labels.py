"""Words beside lines: names at the ends of curves that keep apart, ticks for any kind of value.

Names that would overlap are moved by the least squared distance that leaves a gap between neighbours: the
isotonic regression of their places less the gaps below them.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from textwrap import fill
from typing import Any, Literal

import numpy as np
from scipy.optimize import isotonic_regression

from suffice.plots._style import MUTED, SMALL, note_at, plain

FAR = 100  # times below the smallest test loss, a training loss is not shown on a logarithmic axis
LETTER = 0.52  # mean width of a letter, in font sizes
LINE = 1.25  # height of a line of text, in font sizes
BACKING = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}

Curve = tuple[np.ndarray, np.ndarray, str, str]  # x, y, its name, its color


# -- numbers -------------------------------------------------------------------------------------------
def finite(values: Any) -> np.ndarray:
    """The numbers, with NaN for what cannot be drawn."""
    array = np.asarray(values, dtype=float)
    return np.where(np.isfinite(array), array, np.nan)


def cut(name: object, most: int = 22) -> str:
    """A long name without its middle: columns often differ only in the last letters."""
    text = " ".join(str(name).split())
    if len(text) > most:
        text = text[: most - most // 2 - 1] + "…" + text[-(most // 2) :]
    return plain(text, most)


def short(value: Any) -> str:
    """A value of a parameter in a few letters."""
    real = isinstance(value, Real) and not isinstance(value, Integral)
    return f"{value:.3g}" if real else cut(value, 16)


def spans_decades(values: np.ndarray, decades: int = 2) -> bool:
    """Whether non-negative numbers reach over more than so many powers of ten."""
    some = values[np.isfinite(values)]
    positive = some[some > 0]
    return bool(len(positive) and some.min() >= 0 and positive.max() > 10**decades * positive.min())


def spread(places: np.ndarray, gap: float, low: float, high: float) -> np.ndarray:
    """Places at least `gap` apart between `low` and `high`, in the same order, moved as little as possible."""
    order = np.argsort(places, kind="stable")
    steps = gap * np.arange(len(places))
    moved = np.empty(len(places))
    moved[order] = (
        np.clip(isotonic_regression(places[order] - steps).x, low, max(low, high - steps[-1])) + steps
    )
    return moved


# -- axes ----------------------------------------------------------------------------------------------
def value_axis(ax: Any, values: Sequence[Any]) -> np.ndarray:
    """Where along x each value is drawn: at itself if all are numbers, else at its place in the list."""
    if not all(isinstance(v, Real) and not isinstance(v, bool) and np.isfinite(float(v)) for v in values):
        name_ticks(ax, [short(v) for v in values])
        return np.arange(len(values), dtype=float)
    at = np.array(values, dtype=float)
    if spans_decades(at):
        zero = {"linthresh": at[at > 0].min(), "linscale": 0.5} if at.min() == 0 else {}
        ax.set_xscale("symlog" if zero else "log", **zero)
        ax.minorticks_off()
    if np.all(at == np.round(at)):
        _whole_ticks(ax, np.unique(at))
    return at


def _whole_ticks(ax: Any, at: np.ndarray) -> None:
    """A tick at every value, or at some whole numbers where they would stand too close."""
    names = [f"{v:.0f}" for v in at]
    if len(at) == 1 or np.min(np.diff(_along(ax, at))) >= (1 + LETTER * max(map(len, names))) * SMALL:
        ax.set_xticks(at, names)
    elif ax.get_xscale() == "linear":
        ax.xaxis.get_major_locator().set_params(integer=True)


def _along(ax: Any, at: np.ndarray) -> np.ndarray:
    """Places along x in points, when the axis ends at the first and last of them."""
    warped = ax.xaxis.get_transform().transform(at)
    return width(ax) * (warped - warped[0]) / (warped[-1] - warped[0])


def name_ticks(ax: Any, names: Sequence[str], counts: Sequence[int | str] | None = None) -> None:
    """Names along x, each with a count: level where they fit, slanted or upright where not."""
    room = width(ax) / len(names)
    names = [cut(name, 22 if len(names) <= 12 else 16) for name in names]
    heads = [""] * len(names) if counts is None else [str(n) for n in counts]
    if max(map(len, names)) * LETTER * SMALL <= room:
        ax.set_xticks(
            range(len(names)), [f"{n}\n{name}".strip() for n, name in zip(heads, names, strict=True)]
        )
        return
    words = [f"{name} · {n}".removesuffix(" · ") for n, name in zip(heads, names, strict=True)]
    slanted = {"rotation": 38, "ha": "right", "rotation_mode": "anchor"}
    ax.set_xticks(range(len(names)), words, **(slanted if room > 2 * SMALL else {"rotation": 90}))


def loss_axis(ax: Any, test: np.ndarray, *others: np.ndarray) -> None:
    """Logarithms where the test losses span a decade; what lies far below them then leaves the picture."""
    if not spans_decades(test, 1) or np.nanmin(test) == 0:
        return
    values = np.concatenate([test, *others])
    low, high = max(np.nanmin(values[values > 0]), np.nanmin(test) / FAR), np.nanmax(values)
    room = (high / low) ** 0.05
    ax.set_yscale("log")
    ax.minorticks_off()
    ax.set_ylim(low / room, high * room)
    if high < 10**3.5 * low:
        _fine_ticks(ax.yaxis)


def _fine_ticks(axis: Any) -> None:
    """At 1, 2 and 5 of each decade: a short logarithmic axis has few powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def width(ax: Any) -> float:
    """Of the axes, in points."""
    return 72 * ax.bbox.width / ax.figure.dpi


def height(ax: Any) -> float:
    """Of the axes, in points."""
    return 72 * ax.bbox.height / ax.figure.dpi


# -- words ---------------------------------------------------------------------------------------------
def name_ends(ax: Any, curves: Sequence[Curve], side: Literal["left", "right"] = "right") -> None:
    """Write the name of each curve beside its last finite point, or its first; names that would overlap move."""
    drawn = [(x[ok], y[ok], name, color) for x, y, name, color in curves if (ok := np.isfinite(y)).any()]
    if not drawn:
        return
    ax.margins(x=0.02)
    low, high = sorted(ax.get_ylim())
    end = -1 if side == "right" else 0
    tips = [(x[end], float(np.clip(y[end], low, high))) for x, y, _, _ in drawn]
    ups = height(ax) * ax.transAxes.inverted().transform(ax.transData.transform(tips))[:, 1]
    moved = spread(ups, LINE * SMALL, 0.0, height(ax)) - ups
    for tip, shift, (_, _, name, color) in zip(tips, moved, drawn, strict=True):
        _name_at_end(ax, tip, float(shift), cut(name), color, side)


def _name_at_end(ax: Any, tip: tuple[float, float], shift: float, name: str, color: str, side: str) -> None:
    """A name beside a point; a thin line leads to one that was moved."""
    away, ha = (1, "left") if side == "right" else (-1, "right")
    line = {"arrowstyle": "-", "color": color, "linewidth": 0.6}
    lead = {**line, "shrinkA": 1, "shrinkB": 2, "relpos": (away < 0, 0.5)}
    far = abs(shift) > SMALL / 2
    look = {"ha": ha, "va": "center", "color": color, "annotation_clip": False, "bbox": BACKING}
    note_at(ax, name, tip, (away * (18 if far else 8), shift), arrowprops=lead if far else None, **look)


def subtitle(ax: Any, text: str, rows: int = 1) -> None:
    """A sentence above the axes and the rows of their legend, broken into lines of their width."""
    letters = max(20, int(1.02 * width(ax) / (LETTER * SMALL)))
    pad = 6 if ax.get_legend() is None else 6 + (0.5 + 1.5 * rows) * SMALL
    ax.set_title(fill(plain(text, 6 * letters), letters), loc="left", fontsize=SMALL, color=MUTED, pad=pad)
