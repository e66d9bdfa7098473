"""Several axes in one figure, and smooth densities of draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.frames import require
from suffice.plots._style import Size

KDE_DRAWS = 2000  # of which a smooth density is made; more change nothing that an eye sees


def panels(ax: Any, rows: int, columns: int, size: Size, **options: Any) -> np.ndarray:
    """Axes (rows, columns): of a new figure, in the place of one axes that is given, or as many as are given."""
    if ax is None:
        require("matplotlib")
        from matplotlib import pyplot as plt

        return plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False, **options)[1]
    given = np.asarray(ax, dtype=object)
    if given.size == rows * columns:
        return given.reshape(rows, columns)
    if given.size != 1:
        raise InvalidInput(
            f"ax must be one axes, or {rows} × {columns} of them for these draws; got {given.size}."
        )
    return _inside(given.item(), rows, columns, options)


def _inside(ax: Any, rows: int, columns: int, options: dict[str, Any]) -> np.ndarray:
    """The place of one axes, divided."""
    place = ax.get_subplotspec()
    if place is None:
        raise InvalidInput("ax must belong to a grid of subplots to be divided; draw without ax.")
    ax.set_axis_off()
    grid = place.subgridspec(rows, columns, **options.pop("gridspec_kw", {}))
    return grid.subplots(squeeze=False, **options)


def some(draws: np.ndarray, most: int) -> np.ndarray:
    """At most so many of the draws, evenly spread over them."""
    return draws[np.linspace(0, len(draws) - 1, min(most, len(draws))).astype(int)]


def smooth(draws: np.ndarray, at: np.ndarray) -> np.ndarray | None:
    """A density of draws (n,) or (n, 2) at some places, by Gaussian kernels; None where they do not spread out."""
    few = some(draws, KDE_DRAWS).T
    spread = np.atleast_2d(few).std(axis=-1)
    flat = len(draws) < 3 or not np.all(spread > 1e-10 * np.abs(few).max(initial=0.0))
    if flat or (few.ndim == 2 and abs(np.corrcoef(few)[0, 1]) > 1 - 1e-9):
        return None
    from scipy.stats import gaussian_kde  # slow to load

    return gaussian_kde(few)(at)
