"""One value after the other: bars, dots or lines, as the scale of the values allows (DTU §7.1, Fig. 7.3).

A bar starts at zero, so its length means something only where zero does: on a ratio scale. Dots only need an order,
lines also that what lies between two places means something.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, check_choice
from suffice.plots._labels import name_ticks
from suffice.plots._style import BLUE, INK, axes
from suffice.plots._tables import complete, finish, numbers, opened, pick
from suffice.prepare.looking.attribute_types import attribute_types
from suffice.prepare.looking.attributes import SCALES, Scale

Kind = Literal["auto", "bar", "dot", "line", "line and dots"]
KINDS = ("auto", "bar", "dot", "line", "line and dots")
MOST_BARS = 60
MOST_WORDS = 60  # places with a name


def series_chart(
    table: Any,
    column: Any = None,
    *,
    along: Any = None,
    kind: Kind = "auto",
    scale: Scale | None = None,
    ax: Any = None,
) -> Any:
    """The values of a column in the order of the rows, or along another column.

    Parameters
    ----------
    table
        A table, one column of numbers, or a mapping from names to single numbers.
    column
        Which column; the last one of numbers without it.
    along
        A column of numbers, times or words; without it the number of the row.
    kind
        What is drawn. "auto": bars for a ratio scale, unless there are more than sixty; for others a line with dots
        along numbers and times, and dots along words.
    scale
        Of the values: "ordinal", "interval" or "ratio". Without it the verdict of `suffice.prepare.attribute_types`.

    Examples
    --------
    >>> from suffice import plots
    >>> rain = {"month": ["May", "June", "July"], "rain (mm)": [61.0, 70.5, 85.0]}
    >>> ax = plots.series_chart(rain, "rain (mm)", along="month", scale="ratio")
    >>> [float(bar.get_height()) for bar in ax.patches]
    [61.0, 70.5, 85.0]
    >>> plots.series_chart({"Rome": 21.0, "Oslo": 9.5}, kind="bar", scale="interval")
    Traceback (most recent call last):
        ...
    suffice._core.errors.InvalidInput: A bar starts at zero, which means nothing on an interval scale ('value'); use \
kind="dot" or "line", or scale="ratio" if zero means none.
    """
    check_choice("kind", kind, KINDS)
    columns, along = _opened(table, along)
    name = pick(columns, _last(columns, along) if column is None else column, "column")
    values = numbers(columns, name, "column")
    scale = _scale(columns, name, scale)
    place = None if along is None else pick(columns, along, "along")
    at, words = _places(columns, place, len(values))
    kind = _kind(kind, scale, name, len(values), words is not None)
    ax = axes(ax, x=place or "row", y=name, grid="y" if words else "both")
    kept, gone = complete([values, np.zeros(len(values)) if words else _steps(at)])
    _draw(ax, kind, at[kept], values[kept])
    if words is not None:
        ax.set_xlim(-0.7, len(words) - 0.3)
        name_ticks(ax, words)
    finish(ax, gone)
    return ax


# -- what is drawn ----------------------------------------------------------------------------------------
def _opened(table: Any, along: Any) -> tuple[dict[str, np.ndarray], Any]:
    """Columns of a table; a mapping to numbers becomes a column of names and one of values."""
    if (
        isinstance(table, dict)
        and table
        and all(np.ndim(v) == 0 and not isinstance(v, str) for v in table.values())
    ):
        return opened({"name": [str(k) for k in table], "value": list(table.values())}), "name"
    return opened(table), along


def _last(columns: dict[str, np.ndarray], along: Any) -> str:
    named = [n for n, c in columns.items() if c.dtype.kind in "biuf" and n != along]
    if not named:
        raise InvalidInput("The table has no column of numbers; there is nothing to draw.")
    return named[-1]


def _scale(columns: dict[str, np.ndarray], name: str, scale: Scale | None) -> Scale:
    if scale is None:
        return attribute_types({name: columns[name]})[name].scale
    check_choice("scale", scale, SCALES)
    return scale


def _kind(kind: Kind, scale: Scale, name: str, n: int, words: bool) -> Kind:
    """What to draw, or a refusal of what would mislead."""
    if scale == "nominal":
        raise InvalidInput(
            f"Numbers of a nominal scale ({name!r}) only name things and have no height; draw how often each occurs, "
            "or say which scale they have by scale=."
        )
    if kind == "bar" and scale != "ratio":
        raise InvalidInput(
            f"A bar starts at zero, which means nothing on an {scale} scale ({name!r}); "
            'use kind="dot" or "line", or scale="ratio" if zero means none.'
        )
    if kind != "auto":
        return kind
    if scale == "ratio" and n <= MOST_BARS:
        return "bar"
    return "dot" if words or scale == "ordinal" else "line" if n > MOST_BARS else "line and dots"


def _places(columns: dict[str, np.ndarray], along: str | None, n: int) -> tuple[np.ndarray, list[str] | None]:
    """Where along x each value stands, and the names of the places where they are words."""
    if along is None:
        return np.arange(1, n + 1), None
    place = columns[along]
    if place.dtype.kind in "iufM":
        order = place.astype("datetime64[us]") if place.dtype.kind == "M" else place
        return order, None
    if n > MOST_WORDS:
        raise InvalidInput(f"along has {n} names; at most {MOST_WORDS} can be read. Draw some of the rows.")
    return np.arange(n), ["no name" if v is None else str(v) for v in place]


def _steps(at: np.ndarray) -> np.ndarray:
    """Places as numbers, NaN where there is none."""
    return np.where(np.isnat(at), np.nan, 0.0) if at.dtype.kind == "M" else at.astype(float)


# -- strokes ----------------------------------------------------------------------------------------------
def _draw(ax: Any, kind: Kind, at: np.ndarray, values: np.ndarray) -> None:
    if kind == "bar":
        ax.bar(at, values, width=_width(at), color=BLUE, zorder=2)
        ax.axhline(0, color=INK, linewidth=0.9, zorder=3)
        return
    order = np.argsort(at, kind="stable")
    if "line" in kind:
        ax.plot(at[order], values[order], color=BLUE, linewidth=1.8)
    if "dot" in kind:
        ax.plot(at, values, "o", color=BLUE, markersize=5)


def _width(at: np.ndarray) -> Any:
    """Four fifths of the smallest step."""
    steps = np.diff(np.unique(at))
    return 0.8 * (steps.min() if len(steps) else np.timedelta64(1, "D") if at.dtype.kind == "M" else 1)
