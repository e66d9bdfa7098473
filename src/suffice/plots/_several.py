"""One record or several by name: colors, names in a legend of their own rows, curves with few points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.plots._labels import cut
from suffice.plots._style import INK, LEGEND
from suffice.plots.fits import DASHED, HUES, STROKES

MOST_POINTS = 2000
MOST_BANDS = 3  # more bands than this hide each other
ROWS = 6  # names in one column of a legend


def by_name(records: Any, kind: type | tuple[type, ...], what: str) -> dict[str, Any]:
    """The records by name; a single one has the empty name."""
    named = dict(records) if isinstance(records, Mapping) else {"": records}
    if not named:
        raise InvalidInput(f"There is no {what} to draw.")
    for name, one in named.items():
        if not isinstance(one, kind):
            where = f" under {name!r}" if name else ""
            raise InvalidInput(
                f"This figure draws {what}, one or a mapping from names to several; "
                f"got {type(one).__name__}{where}."
            )
    return {str(name): one for name, one in named.items()}


def check_record(record: Any, kind: type, what: str = "") -> None:
    """Raise unless a figure gets the record that it draws; `what` names it, with its article."""
    if not isinstance(record, kind):
        wanted = what or f"a{'n' * (kind.__name__[0] in 'AEIO')} {kind.__name__}"
        raise InvalidInput(f"This figure draws {wanted}; got {type(record).__name__}.")


def looks(n: int) -> list[dict[str, Any]]:
    """A color and a stroke for each of n curves; the first three differ in color for every reader."""
    strokes = [STROKES[i // len(HUES) % len(STROKES)] for i in range(n)]
    return [{"color": HUES[i % len(HUES)], "linestyle": stroke} for i, stroke in enumerate(strokes)]


def entry(name: str, words: str) -> str:
    """A line of a legend: the name, if there is one, and what was measured."""
    return f"{cut(name, 28)}: {words}" if name else words


def rows_legend(ax: Any) -> None:
    """A legend above the axes, one row per name; two columns where there are many."""
    handles, labels = ax.get_legend_handles_labels()
    if handles:
        tight = {"handlelength": 1.6, "columnspacing": 1.4, "labelspacing": 0.35, "borderpad": 0.2}
        ax.legend(handles, labels, ncols=1 + (len(labels) > ROWS), **LEGEND, **tight)


def thinned(x: np.ndarray, y: np.ndarray, most: int = MOST_POINTS) -> np.ndarray:
    """Positions of at most so many points of a monotone curve, evenly spread along it; both ends are among them."""
    if len(x) <= most:
        return np.arange(len(x))
    steps = sum(np.abs(np.diff(v)) / (np.ptp(v) or 1.0) for v in (x, y))
    way = np.concatenate([[0.0], np.cumsum(steps)])
    kept = np.searchsorted(way, np.linspace(0, way[-1], most - 1))
    return np.unique(np.append(np.minimum(kept, len(x) - 1), len(x) - 1))


def unit_square(ax: Any, room: float = 0.015) -> None:
    """Both axes from 0 to 1, as long as each other."""
    ax.set(
        xlim=(-room, 1 + room),
        ylim=(-room, 1 + room),
        xticks=np.linspace(0, 1, 6),
        yticks=np.linspace(0, 1, 6),
    )
    ax.set_box_aspect(1)


def diagonal(ax: Any, color: str) -> None:
    """From corner to corner of the unit square."""
    ax.plot([0, 1], [0, 1], color=color, linewidth=1, linestyle=DASHED, zorder=1.5)


def threshold_line(ax: Any, at: float) -> None:
    """Where rows begin to be called positive."""
    label = f"threshold {at:.4g}"
    ax.axvline(at, color=INK, linewidth=1.2, linestyle=DASHED, zorder=4, label=label)
