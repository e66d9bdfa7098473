"""One column after the other: histograms, boxes and the points themselves (DTU §7.1, Figs 7.1 and 7.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, check_number
from suffice.plots._labels import name_ticks
from suffice.plots._style import BLUE, INK, ORANGE, PALE, axes
from suffice.plots._tables import (
    Groups,
    check_span,
    finish,
    left_out,
    no_values,
    note_on_widths,
    numbers,
    opened,
    same_unit,
    sample,
    several,
    unit,
)
from suffice.prepare.looking.figures import Bins, BoxStatistics, Whiskers, box_statistics, equal_bins

MOST_COLUMNS = 40
MOST_OUTLIERS = 2000  # crosses per box


def histogram(table: Any, column: Any = None, *, bins: int = 16, ax: Any = None) -> Any:
    """How many values lie in each of the bins, which are equally wide.

    Parameters
    ----------
    table
        A table, one column of numbers, or the `Bins` of `suffice.prepare.equal_bins`.
    column
        Which column, by name or number; needed if there are several.
    bins
        How many. Few hide the shape, many show single values.

    Examples
    --------
    >>> from suffice import plots
    >>> ax = plots.histogram({"age": [21, 22, 22, 25, 31, 40]}, bins=4)
    >>> [int(bar.get_height()) for bar in ax.patches]
    [4, 0, 1, 1]
    """
    found, name = (table, "value") if isinstance(table, Bins) else _counted(table, column, bins)
    check_span(name, found.edges)
    ax = axes(ax, x=name, y="count", grid="y")
    ax.bar(
        found.edges[:-1], found.counts, np.diff(found.edges), align="edge", color=BLUE, edgecolor="white", linewidth=0.8
    )  # fmt: skip
    ax.set_ylim(0, None)
    ax.yaxis.get_major_locator().set_params(integer=True)
    finish(ax, left_out(found.missing, found.infinite))
    return ax


def box_plot(
    table: Any, columns: Any = None, *, by: Any = None, whiskers: Whiskers = "fences", ax: Any = None
) -> Any:
    """Quartiles as a box, the median as a line, whiskers (eqs 7.1 and 7.2), and a cross for every value beyond them.

    Parameters
    ----------
    table
        A table, one column of numbers, or a mapping from names to `BoxStatistics`.
    columns
        Which columns; all that hold numbers without it.
    by
        A column or a label for each row: then a single column has a box per group.
    whiskers
        "fences", at most 1.5 box lengths from the box; "deciles", the 10th and 90th percentile.

    Examples
    --------
    >>> from suffice import plots
    >>> ax = plots.box_plot({"a": [1, 2, 3, 4, 5, 6, 20], "b": [2, 2, 3, 3, 3, 4, 4]})
    >>> [tick.get_text() for tick in ax.get_xticklabels()]
    ['a', 'b']
    """
    boxes, labels, absent = _boxes(table, columns, by, whiskers)
    ax = axes(ax, x=labels[0], y=labels[1], grid="y")
    for at, box in enumerate(boxes.values()):
        _box(ax, at, box)
    ax.set_xlim(-0.6, len(boxes) - 0.4)
    name_ticks(ax, list(boxes))
    cut_off = any(len(box.outliers) > MOST_OUTLIERS for box in boxes.values())
    finish(
        ax,
        left_out(*(sum(getattr(box, what) for box in boxes.values()) for what in ("missing", "infinite"))),
        absent,
        "" if by is not None else note_on_widths([box.high - box.low for box in boxes.values()]),
        f"{MOST_OUTLIERS} crosses per box at most" if cut_off else "",
    )
    return ax


def jitter(
    table: Any,
    columns: Any = None,
    *,
    by: Any = None,
    noise: float = 0.01,
    random_state: int = 0,
    ax: Any = None,
) -> Any:
    """Every value as a point, moved a little to both sides so that equal ones do not hide each other.

    Parameters
    ----------
    columns
        Which columns; all that hold numbers without it.
    by
        A column or a label for each row; groups have colors.
    noise
        Standard deviation of the noise on the values, in shares of the range of their column; 0 for none. To the side
        the noise is always there.

    Examples
    --------
    >>> from suffice import plots
    >>> ax = plots.jitter({"a": [1, 1, 2], "b": [2, 2, 2]}, noise=0)
    >>> sorted(float(v) for v in ax.collections[0].get_offsets()[:, 1])
    [1.0, 1.0, 2.0, 2.0, 2.0, 2.0]
    """
    noise = check_number("noise", noise, low=0)
    opened_table = opened(table)
    whole = several(opened_table, columns, MOST_COLUMNS, by, infinite=True)
    chosen = {name: np.where(np.isfinite(v), v, np.nan) for name, v in whole.items()}
    for title, drawn in chosen.items():
        check_span(title, drawn)
    groups = Groups.of(opened_table, by)
    rows, note = sample(np.arange(len(groups.places)), seed=random_state)
    ax = axes(ax, x="column", y=_shared_name(list(chosen)), grid="y")
    at, up = _moved(chosen, rows, noise, random_state)
    for mine, name, look in groups.at(rows).parts():
        ax.scatter(
            at[:, mine].ravel(), up[:, mine].ravel(), label=name, s=9, alpha=0.7, linewidths=0.6, **look, zorder=3,
            rasterized=len(rows) > 500,
        )  # fmt: skip
    ax.set_xlim(-0.6, len(chosen) - 0.4)
    name_ticks(ax, list(chosen))
    missing, infinite = (sum(int(is_so(v).sum()) for v in whole.values()) for is_so in (np.isnan, np.isinf))
    spans = [np.nanmax(v) - np.nanmin(v) for v in chosen.values() if not np.isnan(v).all()]
    finish(ax, note, left_out(missing, infinite), no_values(opened_table, columns), note_on_widths(spans))
    return ax


# -- numbers ----------------------------------------------------------------------------------------------
def _counted(table: Any, column: Any, bins: int) -> tuple[Bins, str]:
    columns = opened(table)
    if column is None and len(columns) > 1:
        raise InvalidInput(f"column must name one of the {len(columns)} columns of the table; got None.")
    name = next(iter(columns)) if column is None else column
    values = numbers(columns, name, "column", infinite=True)
    label = list(columns)[name] if isinstance(name, int) else str(name)
    return _named(label, equal_bins, values, bins), label


def _boxes(
    table: Any, columns: Any, by: Any, whiskers: Whiskers
) -> tuple[dict[str, BoxStatistics], tuple[str, str], str]:
    """Boxes by name, what the axes are called, and a note on columns without values."""
    if isinstance(table, dict) and table and all(isinstance(v, BoxStatistics) for v in table.values()):
        return {str(k): v for k, v in table.items()}, ("column", "value"), ""
    opened_table = opened(table)
    absent = no_values(opened_table, columns)
    chosen = several(opened_table, columns, MOST_COLUMNS, by, infinite=True)
    for name, values in chosen.items():
        check_span(name, values)
    if by is None:
        boxes = {n: _named(n, box_statistics, v, whiskers) for n, v in chosen.items()}
        return boxes, ("column", _shared_name(list(chosen))), absent
    if len(chosen) != 1:
        raise InvalidInput(f"by needs one column to draw; got {len(chosen)}. Choose it by columns=.")
    ((name, values),) = chosen.items()
    groups = Groups.of(opened_table, by)
    parts = {name: values[groups.places == i] for i, name in enumerate(groups.names)}
    parts |= {groups.rest: values[groups.places == -1]} if groups.rest else {}
    boxes = {g: box_statistics(part, whiskers) for g, part in parts.items() if np.isfinite(part).any()}
    if not boxes:
        raise InvalidInput(f"Column {name!r} has no finite number; there is nothing to draw.")
    return boxes, (by if isinstance(by, str) else "group", name), absent


def _named(name: str, summary: Any, values: np.ndarray, option: Any) -> Any:
    """A summary whose refusal names the column."""
    if not np.isfinite(values).any():
        raise InvalidInput(f"Column {name!r} has no finite number; there is nothing to draw.")
    return summary(values, option)


def _moved(
    chosen: dict[str, np.ndarray], rows: np.ndarray, noise: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Places of the points: (columns, rows) along x and along y."""
    side, up = np.random.default_rng(seed).spawn(2)
    values = np.array([v[rows] for v in chosen.values()])
    low, high = (
        f(np.where(np.isfinite(values), values, b), axis=1) for f, b in ((np.min, np.inf), (np.max, -np.inf))
    )
    spread = np.where(high > low, high / 2 - low / 2, 0.0)[:, None] * 2 * noise
    at = np.arange(len(chosen))[:, None] + side.uniform(-0.25, 0.25, values.shape)
    return at, values + spread * up.normal(size=values.shape) if noise else values


# -- strokes ----------------------------------------------------------------------------------------------
def _box(ax: Any, at: int, box: BoxStatistics) -> None:
    half = 0.28
    ax.vlines([at, at], [box.low, box.upper], [box.lower, box.high], color=INK, linewidth=1.1, zorder=2)
    ax.hlines([box.low, box.high], at - half / 2, at + half / 2, color=INK, linewidth=1.1, zorder=2)
    ax.fill_between(
        [at - half, at + half], box.lower, box.upper, facecolor=PALE, edgecolor=BLUE, linewidth=1.2, zorder=3
    )
    ax.hlines(box.median, at - half, at + half, color=BLUE, linewidth=2.2, zorder=4)
    if len(box.outliers):
        step = -(-len(box.outliers) // MOST_OUTLIERS)
        beyond = box.outliers[::step]
        ax.plot(
            np.full(len(beyond), at), beyond, "x", color=ORANGE, markersize=5, markeredgewidth=1.1, zorder=4
        )


def _shared_name(names: list[str]) -> str:
    """What an axis is called on which several columns share a place."""
    if len(names) == 1:
        return names[0]
    return f"value ({unit(names[0])})" if same_unit(names) else "value"
