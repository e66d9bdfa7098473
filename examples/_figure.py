"""What the gallery shares: one style, a few strokes, and the folder pictures are saved in.

Every script runs alone, `python examples/NAME.py [--out DIR]`, and saves one picture.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import MaxNLocator

BLUE, ORANGE, GREEN, GOLD, PINK = "#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7"  # Okabe and Ito's
GREY, INK, RULE = "#8a94a6", "#1f2933", "#e9edf2"
STYLE = {
    "figure.dpi": 110,
    "savefig.dpi": 140,
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": RULE,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": mpl.cycler(color=[BLUE, ORANGE, GREEN, GOLD, PINK, GREY]),
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
}


def figure(rows: int = 1, columns: int = 1, *, size: tuple[float, float] | None = None, **options):
    """A styled figure and its axes."""
    plt.rcParams.update(STYLE)
    size = size or (4.5 * columns + 0.6, 3.5 * rows)
    return plt.subplots(rows, columns, figsize=size, layout="constrained", **options)


def mosaic(layout, *, size: tuple[float, float], **options):
    """A styled figure whose axes have names."""
    plt.rcParams.update(STYLE)
    return plt.subplot_mosaic(layout, figsize=size, layout="constrained", **options)


def points(ax, data, label: str | None = "data", **options) -> None:
    """A data set with one input."""
    style = {"color": INK, "s": 22, "zorder": 5, "edgecolors": "white", "linewidths": 0.6} | options
    ax.scatter(data.X[:, 0], data.y, label=label, **style)


def band(
    ax, x: np.ndarray, low: np.ndarray, high: np.ndarray, label: str | None = None, color: str = BLUE
) -> None:
    """A region between two curves."""
    ax.fill_between(np.ravel(x), low, high, color=color, alpha=0.18, linewidth=0, label=label)


def density(
    ax, distribution, x: np.ndarray, y: np.ndarray, color: str = BLUE, label: str | None = None
) -> None:
    """Contours of a distribution of two numbers: 50, 90 and 99 % of its probability."""
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    depth = distribution.mahalanobis(grid)
    levels = [1.18, 2.15, 3.03]  # √χ²₂ at 50, 90 and 99 %
    ax.contour(x, y, depth, levels=levels, colors=color, linewidths=[1.8, 1.3, 0.8])
    if label:
        ax.plot([], [], color=color, label=label)


def whole_numbers(ax) -> None:
    """Ticks of an axis that counts."""
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def save(fig, script: str, *, folder: str = "out/examples", name: str | None = None) -> Path:
    """Save the picture under the script's name in `--out` (or the default folder), and say where."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=Path(folder))
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name or Path(script).stem}.png"
    fig.savefig(path)
    plt.close(fig)
    print(path)
    return path
