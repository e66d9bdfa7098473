"""The look shared by every figure: a palette safe for colour-blind readers, a light grid, no frames.

The hues are Okabe and Ito's. `axes` opens a figure for a person, `svg` draws one for a page.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from typing import Any

from suffice._core.frames import require
from suffice._core.showing import visible

INK, MUTED, RULE = "#1f2933", "#5f6c7b", "#e3e8ee"
BLUE, ORANGE, GREEN, PALE = "#0072b2", "#d55e00", "#009e73", "#d3e6f1"
SMALL, NORMAL, LARGE = 8.5, 9.5, 11.0
SIZE = (6.4, 3.9)

Size = tuple[float, float]
alone = threading.RLock()  # settings of matplotlib hold for all threads: one writes a picture at a time


def axes(ax: Any = None, *, x: str = "", y: str = "", grid: str = "both", size: Size = SIZE) -> Any:
    """The given axes, or those of a new figure, in the look of this room."""
    if ax is None:
        require("matplotlib")
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=size, layout="constrained")[1]
    ax.spines[["top", "right", "left", "bottom"]].set_visible(False)
    ax.tick_params(length=0, pad=5, labelsize=SMALL, labelcolor=MUTED)
    ax.set_axisbelow(True)
    ax.grid(False)
    ax.grid(True, axis=grid, color=RULE, linewidth=0.9)
    ax.set_xlabel(plain(x, 80), fontsize=NORMAL, color=INK, labelpad=6)
    ax.set_ylabel(plain(y, 60), fontsize=NORMAL, color=INK, labelpad=6)
    return ax


LEGEND: dict[str, Any] = {
    "loc": "lower left", "bbox_to_anchor": (-0.01, 1.0), "frameon": False, "fontsize": SMALL, "labelcolor": INK,
    "handletextpad": 0.6, "borderaxespad": 0.2,
}  # fmt: skip


def legend(ax: Any, **options: Any) -> None:
    """A legend above the data, in one row, if anything is labelled."""
    handles, labels = ax.get_legend_handles_labels()
    if handles:
        ax.legend(
            handles, labels, ncols=len(labels), **LEGEND, handlelength=1.4, columnspacing=1.6, **options
        )


def note_at(ax: Any, text: str, at: Any, offset: tuple[float, float], **look: Any) -> None:
    """Words `offset` points away from a place."""
    ax.annotate(text, at, offset, textcoords="offset points", **{"fontsize": SMALL, "color": MUTED} | look)


def plain(text: object, most: int = 40) -> str:
    """A name as it is: dollar signs start no formula, and a long one is cut."""
    text = visible(" ".join(str(text).split()))
    text = text if len(text) <= most else text[: most - 1] + "…"
    return text.replace("$", r"\$")


def svg(draw: Callable[[Any], Any], size: Size = SIZE) -> bytes:
    """What `draw(ax)` draws, as an SVG that needs no fonts and is the same on every run."""
    matplotlib = require("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    draw(figure.subplots())
    out = io.BytesIO()
    with alone, matplotlib.rc_context({"svg.hashsalt": "suffice", "svg.fonttype": "path"}):
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return visible(out.getvalue().decode("utf-8", "surrogatepass")).encode()
