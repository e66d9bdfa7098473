"""What an iteration did."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.trace import Trace
from suffice.plots._style import BLUE, GREEN, ORANGE, axes, note_at


def trace(trace: Trace, *, ax: Any = None) -> Any:
    """The objective after each iteration, and how it ended.

    Examples
    --------
    >>> from suffice import datasets, linear, plots
    >>> data = datasets.diabetes()
    >>> model = linear.BayesianLinearRegression(method="em").fit(data.X, data.y)
    >>> ax = plots.trace(model.trace_)
    """
    if not len(trace):
        raise InvalidInput("This trace has no iterations.")
    ax = axes(ax, x="iteration", y="objective")
    at = np.arange(len(trace))
    ax.plot(at, trace.objective, color=BLUE, linewidth=1.6, marker="o", markersize=3.2)
    color, word = (GREEN, "converged") if trace.converged else (ORANGE, "stopped at the limit")
    ax.plot(at[-1], trace.objective[-1], "o", color=color, markersize=7, zorder=3)
    note_at(ax, word, (at[-1], trace.objective[-1]), (-8, -14), ha="right", color=color)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.ticklabel_format(axis="y", useOffset=False)
    return ax
