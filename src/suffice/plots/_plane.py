"""What figures of classes share: labelled rows, one or two columns to draw along, a look for every class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, hold_warnings
from suffice._core.records import record
from suffice.plots._inputs import as_array, column_index, column_names
from suffice.plots._labels import BACKING, cut
from suffice.plots._several import ROWS, rows_legend
from suffice.plots._style import INK, MUTED, SMALL, legend, note_at
from suffice.plots.fits import HUES, RASTER_ABOVE
from suffice.tables.giving import like

MARKS = ("o", "s", "^", "D", "v", "P", "X")
NAMED = 2 * ROWS  # classes in a legend


@record
class Labelled:
    """Complete rows of a table with their labels, and how many were left out."""

    cells: np.ndarray
    labels: np.ndarray
    skipped: int

    @classmethod
    def of(cls, X: Any, y: Any) -> Labelled:
        """Rows with missing cells are counted, not drawn."""
        cells, labels = as_array(X), np.asarray(y)
        if labels.shape != (len(cells),):
            raise InvalidInput(f"y must have one label per row, {len(cells)}; got shape {labels.shape}.")
        whole = np.isfinite(cells).all(axis=1)
        if not whole.any():
            raise InvalidInput("Every row of X has a missing cell; there is nothing to draw.")
        return cls(cells[whole], labels[whole], int(np.sum(~whole)))

    @property
    def note(self) -> str:
        """What is not shown; empty if nothing."""
        rows = "row with a missing cell is" if self.skipped == 1 else "rows with missing cells are"
        return f"{self.skipped} {rows} not shown" if self.skipped else ""


@record
class PlotPlane:
    """A grid over one or two columns, the others at their means, as a table of the kind of X."""

    columns: tuple[int, ...]
    names: tuple[str, ...]
    edges: tuple[np.ndarray, ...]
    table: Any
    note: str

    @classmethod
    def over(cls, X: Any, rows: Labelled, columns: Any, points: int, margin: float) -> PlotPlane:
        """Around the rows, with a margin in shares of their range."""
        chosen, names = _chosen(X, columns), column_names(X)
        edges = tuple(_edge(rows.cells[:, j], points, margin) for j in chosen)
        grid = np.stack(np.meshgrid(*edges), axis=-1).reshape(-1, len(chosen))
        table = np.tile(rows.cells.mean(axis=0), (len(grid), 1))
        table[:, chosen] = grid
        rest = len(names) - len(chosen)
        held = f"the other {'column' if rest == 1 else f'{rest} columns'} at the mean" if rest else ""
        return cls(chosen, tuple(names[j] for j in chosen), edges, like(X, table), held)

    def shaped(self, values: np.ndarray) -> np.ndarray:
        """Values at the points of the grid as a picture, (rows, columns, …)."""
        return values.reshape(*(len(e) for e in self.edges[::-1]), *values.shape[1:])


def _chosen(X: Any, columns: Any) -> tuple[int, ...]:
    """Positions of one or two columns; the first two unless named."""
    if columns is None:
        return tuple(range(min(2, as_array(X).shape[1])))
    listed = [columns] if isinstance(columns, str | int) else list(columns)
    places = tuple(column_index(X, c) for c in listed)
    if len(set(places)) != len(places) or len(places) not in (1, 2):
        raise InvalidInput(f"columns must be one or two different columns of X; got {columns!r}.")
    return places


def _edge(values: np.ndarray, points: int, margin: float) -> np.ndarray:
    low, high = float(values.min()), float(values.max())
    room = margin * (high - low) or max(0.5, 0.01 * abs(low))
    return np.linspace(low - room, high + room, points)


def quietly(ask: Callable[[Any], np.ndarray], table: Any) -> np.ndarray:
    """An answer for points that nobody measured: what a model would warn of there is no news."""
    with hold_warnings():
        return np.asarray(ask(table))


def class_looks(classes: Any) -> list[dict[str, Any]]:
    """A color and a mark for each class; both repeat after seven, at different times."""
    marks = [MARKS[(i + i // len(HUES)) % len(MARKS)] for i in range(len(classes))]
    return [{"color": HUES[i % len(HUES)], "marker": mark} for i, mark in enumerate(marks)]


def scatter(ax: Any, at: np.ndarray, labels: np.ndarray, classes: Any) -> None:
    """Rows as points in the look of their class; labels that the model does not know are grey."""
    many = len(at) > RASTER_ABOVE
    edge = {
        "s": 12 if many else 24,
        "linewidths": 0.5,
        "edgecolors": "white",
        "rasterized": many,
        "zorder": 3,
    }
    for i, (label, look) in enumerate(zip(classes, class_looks(classes), strict=True)):
        mine = labels == label
        name = cut(label, 24) if i < NAMED else None
        ax.scatter(at[mine, 0], at[mine, 1], label=name, **edge, **look)
        if len(classes) > len(HUES) and mine.any():  # colors repeat, so the class says its name
            _name(ax, np.median(at[mine], axis=0), cut(label, 10))
    strange = ~np.isin(labels, classes)
    if strange.any():
        ax.scatter(at[strange, 0], at[strange, 1], label="other", color=MUTED, marker="x", s=20, zorder=3)


def _name(ax: Any, at: np.ndarray, name: str) -> None:
    ax.annotate(
        name, tuple(at), ha="center", va="center", fontsize=SMALL, color=INK, fontweight="bold", bbox=BACKING, zorder=4
    )  # fmt: skip


def class_legend(ax: Any, classes: Any, *notes: str) -> None:
    """Names of the classes above the axes, and notes below them."""
    (legend if len(classes) <= 4 else rows_legend)(ax)
    more = f"{len(classes) - NAMED} more classes are not named" if len(classes) > NAMED else ""
    text = "; ".join(note for note in (*notes, more) if note)
    if text:
        place = {"xycoords": "axes fraction", "ha": "right", "va": "top", "annotation_clip": False}
        note_at(ax, text, (1.0, 0.0), (0, -34), **place)
