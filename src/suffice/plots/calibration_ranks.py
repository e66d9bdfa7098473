"""Where truths fell among draws of their posteriors: histograms of ranks, and their distribution less a uniform one."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.evaluation.findings import chance, percent
from suffice.inference import Calibration
from suffice.plots._labels import cut, subtitle
from suffice.plots._panels import panels
from suffice.plots._several import check_record
from suffice.plots._style import BLUE, INK, MUTED, ORANGE, PALE, SMALL, axes
from suffice.plots.fits import DASHED

MOST = 8  # parameters in one figure
ROOM = 1.15


def calibration_ranks(
    found: Calibration, *, bins: int | None = None, level: float = 0.99, ax: Any = None
) -> np.ndarray:
    """Ranks of simulated truths, a column per parameter: axes (2, D).

    Above, counts in bins with the limits of each bin under uniform ranks; below, the share of ranks under each point
    less that point, with limits that uniform ranks keep at all points at once (Säilynoja, Bürkner and Vehtari, 2022).
    What leaves its limits is orange. ∪ is a posterior too narrow, ∩ too wide, a slope one that lies to a side.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import plots
    >>> from suffice.inference import Calibration
    >>> ranks = np.random.default_rng(0).integers(0, 100, (200, 2))
    >>> plots.calibration_ranks(Calibration(ranks, 99, ("a", "b"))).shape
    (2, 2)
    """
    check_record(found, Calibration, "an inference.Calibration")
    if len(found.names) > MOST:
        raise InvalidInput(
            f"This figure has room for {MOST} parameters; got {len(found.names)}. Make a Calibration of some columns."
        )
    bars, curve = found.histogram(bins, level), found.curve(level)
    grid = panels(ax, 2, len(found.names), (0.6 + 3.3 * len(found.names), 5.2), sharex=True, sharey="row")
    for j, (name, (top, foot)) in enumerate(zip(found.names, grid.T, strict=True)):
        axes(top, y="simulations" if j == 0 else "", grid="y")
        axes(foot, x="rank of the truth, from 0 to 1", y="share below, less uniform" if j == 0 else "")
        _bars(top, bars, j, found.draws + 1)
        _curve(foot, curve, j)
        subtitle(top, f"{cut(name)}: uniform? {chance(found.adjusted[j])}")
    grid[0, 0].set_ylim(0, ROOM * max(bars.counts.max(), bars.high.max()))
    far = ROOM * max(np.abs(curve.difference).max(), -curve.low.min(), curve.high.max())
    grid[1, 0].set(xlim=(0, 1), ylim=(-far, far))
    _words(grid[0, 0], f"{percent(level)} of each bin")
    _words(grid[1, 0], f"{percent(level)} of whole curves")
    return grid


def _bars(ax: Any, bars: Any, j: int, size: int) -> None:
    edges = bars.edges / size
    counts, wide = bars.counts[:, j], np.diff(edges)
    out = (counts < bars.low) | (counts > bars.high)
    ax.bar(edges[:-1], counts, 0.94 * wide, align="edge", color=np.where(out, ORANGE, BLUE), alpha=0.75)
    _band(ax, edges, np.append(bars.low, bars.low[-1]), np.append(bars.high, bars.high[-1]), step="post")
    level = np.append(bars.expected, bars.expected[-1])
    ax.plot(edges, level, color=INK, linewidth=1.0, linestyle=DASHED, drawstyle="steps-post")


def _curve(ax: Any, curve: Any, j: int) -> None:
    at = np.concatenate([[0.0], curve.at, [1.0]])
    ends = lambda v: np.concatenate([[0.0], v, [0.0]])  # noqa: E731
    line, low, high = ends(curve.difference[:, j]), ends(curve.low), ends(curve.high)
    _band(ax, at, low, high)
    ax.axhline(0, color=INK, linewidth=1.0, linestyle=DASHED)
    ax.plot(at, line, color=BLUE, linewidth=1.6)
    out = np.where((line < low) | (line > high), line, np.nan)
    ax.plot(at, out, color=ORANGE, linewidth=2.4, marker="o", markersize=2.4)


def _band(ax: Any, x: np.ndarray, low: np.ndarray, high: np.ndarray, **options: Any) -> None:
    ax.fill_between(x, low, high, color=PALE, alpha=0.7, linewidth=0, zorder=0.5, **options)


def _words(ax: Any, text: str) -> None:
    """What a band holds, in its corner."""
    ax.text(0.02, 0.98, f"band: {text}", transform=ax.transAxes, fontsize=SMALL, color=MUTED, va="top")
