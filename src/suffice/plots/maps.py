"""A whole table at a glance: how its columns go together, which cells are empty, each row as a line (DTU Fig. 7.7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, check_choice
from suffice.plots._labels import LETTER, cut, name_ticks, width
from suffice.plots._style import BLUE, INK, ORANGE, RULE, SMALL, axes
from suffice.plots._tables import (
    Groups,
    complete,
    finish,
    left_out,
    no_values,
    opened,
    same_unit,
    sample,
    several,
    unit,
)
from suffice.prepare.looking.figures import CorrelationTable, MissingCells, correlation_table, missing_cells

MOST_LINES = 1000
MOST_CORRELATED = 60
MOST_NAMED = 40
MOST_RULED = 200  # columns between which a rule can be seen
BANDS = 400  # of rows, when there are more rows than dots
SCALES = ("auto", "values", "range")


def correlation_map(table: Any, *, ax: Any = None) -> Any:
    """Correlations of all pairs of columns: blue where they rise together, orange where one falls; grey is unknown.

    `table` is a table or the `CorrelationTable` of `suffice.prepare.correlation_table`. Each pair uses the rows that
    have both values.

    Examples
    --------
    >>> from suffice import plots
    >>> ax = plots.correlation_map({"a": [1, 2, 3, 4], "b": [4, 3, 2, 1], "c": [1, 0, 0, 1]})
    >>> [text.get_text() for text in ax.texts]
    ['1.00', '-1.00', '0.00', '-1.00', '1.00', '0.00', '0.00', '0.00', '1.00']
    """
    columns = {} if isinstance(table, CorrelationTable) else opened(table)
    found = correlation_table(columns) if columns else table
    d = len(found.names)
    if d > MOST_CORRELATED:
        raise InvalidInput(
            f"This figure draws at most {MOST_CORRELATED} columns; got {d}. Choose some of them."
        )
    side = float(np.clip(1.6 + 0.5 * d, 3.4, 10.0))
    ax = axes(ax, x="column", y="column", size=(side + 0.5, side))
    ax.grid(False)
    ax.imshow(_shades(found.values), interpolation="nearest", aspect="equal")
    _write(ax, found.values)
    name_ticks(ax, list(found.names))
    ax.set_yticks(range(d), [cut(name, 22) for name in found.names])
    absent = {name: values for name, values in columns.items() if name not in found.names}
    finish(ax, _why_grey(found), left_out(0, found.infinite), no_values(absent))
    return ax


def missingness_map(table: Any, *, ax: Any = None) -> Any:
    r"""Which cells of a table are empty, rows from top to bottom, with the share of every column.

    `table` is a table or the `MissingCells` of `suffice.prepare.missing_cells`. Of more than 400 rows each line of the
    picture is a band of them, darker the more cells are empty; the title says so.

    Examples
    --------
    >>> from suffice import plots
    >>> ax = plots.missingness_map({"a": [1.0, None, 3.0, 4.0], "b": ["x", None, None, "y"]})
    >>> [tick.get_text() for tick in ax.get_xticklabels()]
    ['25 %\na', '50 %\nb']
    """
    found = table if isinstance(table, MissingCells) else missing_cells(opened(table))
    n, d = found.cells.shape
    ax = axes(ax, x="column, with its share of empty cells", y="row", size=(min(2.4 + 0.45 * d, 12.0), 4.6))
    ax.grid(False)
    ax.imshow(
        _blend(_bands(found.cells), INK),
        extent=(-0.5, d - 0.5, n - 0.5, -0.5),
        aspect="auto",
        interpolation="nearest",
    )
    if d <= MOST_RULED:
        ax.set_xticks(np.arange(1, d) - 0.5, minor=True)
        ax.grid(True, which="minor", axis="x", color="white", linewidth=min(2.0, 40 / d))
        ax.tick_params(which="minor", length=0)
    ax.yaxis.get_major_locator().set_params(integer=True)
    _name_some(ax, found.names, [_percent(s) for s in found.shares])
    size = -(-n // BANDS)
    finish(
        ax,
        f"{int(found.cells.sum())} of {n * d} cells are empty",
        f"{size} rows to a band" if n > BANDS else "",
    )
    return ax


def parallel_coordinates(
    table: Any, by: Any = None, *, columns: Any = None, scale: str = "auto", ax: Any = None
) -> Any:
    """Every row as a line over the columns, in the color of its group.

    Parameters
    ----------
    by
        A column or a label for each row.
    columns
        Which columns, and in which order; all that hold numbers without it.
    scale
        "values" as they are; "range" puts the smallest and the largest value of each column on the same heights;
        "auto" is "values" if all names end in the same unit, as in "width (cm)", else "range".

    Examples
    --------
    >>> from suffice import plots
    >>> ax = plots.parallel_coordinates({"age": [20, 40, 30], "height": [1.7, 1.8, 1.6]})
    >>> ax.get_ylabel()
    'share of the range of the column'
    """
    check_choice("scale", scale, SCALES)
    opened_table = opened(table)
    chosen = several(opened_table, columns, MOST_NAMED, by)
    names, values = list(chosen), list(chosen.values())
    rows, gone = complete(values)
    rows, note = sample(rows, MOST_LINES)
    ranged = scale == "range" or (scale == "auto" and not same_unit(names))
    heights = np.array([_ranged(v)[rows] if ranged else v[rows] for v in values])
    one = f"value ({unit(names[0])})" if same_unit(names) else "value"
    ax = axes(ax, x="column", y="share of the range of the column" if ranged else one)
    for mine, name, look in Groups.of(opened_table, by).at(rows).parts():
        look = {"color": look["color"], "alpha": 0.9 if len(rows) < 30 else 0.45, "linewidth": 1.0}
        lines = ax.plot(heights[:, mine], **look, marker="o" if len(names) == 1 else "", markersize=3)
        if lines and name:
            ax.plot([], [], color=look["color"], linewidth=2, label=name)
    ax.set_xlim(-0.2, len(names) - 0.8)
    name_ticks(ax, names)
    finish(ax, note, gone, no_values(opened_table, columns))
    return ax


# -- numbers ----------------------------------------------------------------------------------------------
def _ranged(values: np.ndarray) -> np.ndarray:
    """From 0 at the smallest to 1 at the largest; a constant column is ½."""
    low, high = np.nanmin(values), np.nanmax(values)
    return (
        (values / 2 - low / 2) / (high / 2 - low / 2)
        if high > low
        else np.where(np.isnan(values), np.nan, 0.5)
    )


def _why_grey(found: CorrelationTable) -> str:
    """Why some pairs have no correlation: a column without values in those rows, or with one value only."""
    unknown = np.isnan(found.values)
    if not unknown.any():
        return ""
    few, flat = (bool((unknown & which).any()) for which in (found.rows == 0, found.rows > 0))
    words = ["a column is constant there"] * flat + ["no row has both values"] * few
    return f"grey: {', or '.join(words)}"


def _bands(cells: np.ndarray) -> np.ndarray:
    """Shares of empty cells in bands of rows, (bands, columns)."""
    step = -(-len(cells) // BANDS)
    starts = np.arange(0, len(cells), step)
    sizes = np.diff(np.append(starts, len(cells)))[:, None]
    return np.add.reduceat(cells.astype(float), starts, axis=0) / sizes


# -- strokes ----------------------------------------------------------------------------------------------
def _blend(depth: np.ndarray, color: str) -> np.ndarray:
    """From the color of a rule (0) to a color (1), (…, 3)."""
    return _rgb(RULE) + depth[..., None] * (_rgb(color) - _rgb(RULE))


def _rgb(color: str) -> np.ndarray:
    return np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def _shades(values: np.ndarray) -> np.ndarray:
    known = np.nan_to_num(values)[..., None]
    hue = np.where(known > 0, _rgb(BLUE), _rgb(ORANGE))
    return np.where(np.isnan(values)[..., None], _rgb(RULE), 1 - np.abs(known) * (1 - hue))


def _write(ax: Any, values: np.ndarray) -> None:
    """Numbers into the cells where they can be read."""
    if width(ax) / len(values) < 5.2 * LETTER * SMALL:
        return
    for (i, j), value in np.ndenumerate(values):
        word = "?" if np.isnan(value) else f"{value + 0.0:.2f}".replace("-0.00", "0.00")
        color = "white" if abs(value) > 0.6 else INK
        ax.text(j, i, word, ha="center", va="center", fontsize=SMALL, color=color)


def _percent(share: float) -> str:
    return "< 1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


def _name_some(ax: Any, names: tuple[str, ...], shares: list[str]) -> None:
    """All names, or evenly spread ones where they would not fit."""
    if len(names) <= MOST_NAMED:
        name_ticks(ax, names, shares)
        return
    places = np.unique(np.linspace(0, len(names) - 1, MOST_NAMED).astype(int))
    ax.set_xticks(places, [f"{cut(names[p], 16)} · {shares[p]}" for p in places], rotation=90)
