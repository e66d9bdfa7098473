"""Every column against every other, and how well two of them tell the groups apart (DTU Figs 7.6 and 7.12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.evaluation.pairs import PairFits, fit_pairs
from suffice.plots._labels import BACKING, cut
from suffice.plots._panels import panels
from suffice.plots._plane import quietly
from suffice.plots._style import INK, MUTED, SMALL, axes, plain
from suffice.plots._tables import Groups, complete, opened, row_labels, sample, several
from suffice.plots.pairs import draw_points
from suffice.prepare.looking.figures import equal_bins
from suffice.tables.cells import gaps

MOST_PAIRS = 12  # columns of a matrix
MOST_IN_PANEL = 4000
GRID = 120  # points along a panel, for its boundary


def matrix_plot(
    table: Any, by: Any = None, *, columns: Any = None, model: Any = None, ax: Any = None
) -> np.ndarray:
    """Every column against every other, in the colors of the groups: axes (D, D), of which the lower triangle is used.

    On the diagonal each column is counted by group, in sixteen bins.

    Parameters
    ----------
    by
        A column or a label for each row.
    columns
        Which columns; all that hold numbers without it, twelve at most.
    model
        A classifier, such as `suffice.glm.LogisticRegression()`: a copy is fitted to every pair; a panel has its
        boundary and the share of the rows that it gets wrong.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from suffice import plots
    >>> from suffice.glm import LogisticRegression
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> grid = plots.matrix_plot(X, y, columns=[2, 3], model=LogisticRegression())
    >>> grid[1, 0].texts[0].get_text()
    'error 0.033'
    """
    opened_table = opened(table)
    chosen = several(opened_table, columns, MOST_PAIRS, by)
    groups = Groups.of(opened_table, by)
    names, values = list(chosen), list(chosen.values())
    labels = None if by is None else row_labels(opened_table, by)
    fits, gone = (None, "") if model is None else _fits(model, values, names, labels)
    shown, note = sample(np.arange(len(groups.places)), MOST_IN_PANEL)
    d = len(names)
    grid = panels(ax, d, d, _matrix_size(d), sharex="col")
    for (i, j), panel in np.ndenumerate(grid):
        _name_panel(panel, i, j, d, names)
        if j > i:
            panel.set_axis_off()
        elif i == j:
            _histograms(panel, values[i], groups)
        else:
            draw_points(panel, [values[j][shown], values[i][shown]], groups.at(shown), small=True)
            if fits is not None:
                _boundary(panel, *fits.of(j, i), values[j], values[i])
    _matrix_key(grid, note, gone)
    return grid


# -- numbers ----------------------------------------------------------------------------------------------
def _fits(
    model: Any, values: list[np.ndarray], names: list[str], labels: np.ndarray | None
) -> tuple[PairFits, str]:
    """Fitted to the rows without a gap that have a label."""
    if labels is None:
        raise InvalidInput("model needs groups to tell apart; give by=.")
    if len(values) < 2:
        raise InvalidInput("model needs two columns or more; got 1.")
    rows, gone = complete(values)
    rows = rows[~gaps(labels)[rows]]
    if len(set(labels[rows])) < 2:
        raise InvalidInput("model needs rows of two groups; the complete rows are all of one.")
    return fit_pairs(model, np.column_stack(values)[rows], labels[rows].astype(str), names), gone


# -- strokes ----------------------------------------------------------------------------------------------
def _matrix_size(d: int) -> tuple[float, float]:
    side = max(1.2 + (1.9 if d <= 4 else 1.45) * d, 3.6)
    return side + 0.4, side


def _name_panel(panel: Any, i: int, j: int, d: int, names: list[str]) -> None:
    """Names and numbers at the outer edges only."""
    bottom, first = i == d - 1, j == 0
    left = "count" if i == j == 0 else _label(names[i], d) if first else ""
    axes(panel, x=_label(names[j], d) if bottom else "", y=left)
    panel.tick_params(labelbottom=bottom, labelleft=first)
    panel.locator_params(nbins=3 if d > 4 else 4)


def _label(name: str, d: int) -> str:
    return cut(name, 22 if d <= 4 else 16)


def _histograms(panel: Any, values: np.ndarray, groups: Groups) -> None:
    """Counts of one column in bins that all groups share."""
    known = np.isfinite(values)
    panel.grid(False, axis="y")
    if not known.any():
        panel.annotate(
            "no numbers", (0.5, 0.5), xycoords="axes fraction", ha="center", fontsize=SMALL, color=MUTED
        )
        return
    edges = equal_bins(values).edges
    for mine, _, look in groups.parts():
        counts = np.histogram(values[mine][known[mine]], edges)[0]
        panel.stairs(counts, edges, color=look["color"], fill=True, alpha=0.25)
        panel.stairs(counts, edges, color=look["color"], linewidth=1.2)
    panel.set_ylim(0, None)
    panel.yaxis.get_major_locator().set_params(integer=True)


def _boundary(panel: Any, model: Any, error: float, x: np.ndarray, y: np.ndarray) -> None:
    """Where the decision of a model changes, over the range of the points."""
    edges = [_along_axis(v) for v in (x, y)]
    grid = np.stack(np.meshgrid(*edges), axis=-1).reshape(-1, 2)
    codes = np.searchsorted(model.classes_, quietly(model.predict, grid)).reshape(GRID, GRID)
    for code in range(len(model.classes_)):
        inside = (codes == code).astype(float)
        if inside.min() < inside.max():
            panel.contour(*edges, inside, levels=[0.5], colors=INK, linewidths=1.0, zorder=4)
    panel.set(xlim=(edges[0][0], edges[0][-1]), ylim=(edges[1][0], edges[1][-1]))
    panel.text(
        0.03, 0.97, f"error {error:.3f}", transform=panel.transAxes, ha="left", va="top", fontsize=SMALL, color=INK,
        bbox=BACKING, zorder=5,
    )  # fmt: skip


def _along_axis(values: np.ndarray) -> np.ndarray:
    low, high = np.nanmin(values), np.nanmax(values)
    room = 0.06 * (high - low) or max(0.5, 0.01 * abs(low))
    return np.linspace(low - room, high + room, GRID)


def _matrix_key(grid: np.ndarray, *notes: str) -> None:
    """Names of the groups in the empty corner, and what is left out above the first panel."""
    d = len(grid)
    handles, labels = grid[-1, 0].get_legend_handles_labels() if d > 1 else ([], [])
    if handles:
        grid[0, -1].legend(
            handles, labels, loc="upper right", frameon=False, fontsize=SMALL, labelcolor=INK, markerscale=1.6
        )
    note = "; ".join(n for n in notes if n)
    if note:
        grid[0, 0].set_title(plain(note[0].upper() + note[1:], 120), loc="left", fontsize=SMALL, color=MUTED)
