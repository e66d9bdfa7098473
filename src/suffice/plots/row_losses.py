"""Which rows a loss is about: shares as sorted bars, or as circles on the data. See `evaluation.loss_shares`."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.evaluation import LossShares
from suffice.plots._style import BLUE, INK, MUTED, ORANGE, SMALL, axes

CIRCLE = 2400.0  # area in points² of a row that has all of the loss


def loss_shares(shares: LossShares, *, most: int = 30, name: int = 3, ax: Any = None) -> Any:
    """The share of every row in the sum of the losses, those that weigh most first (DTU Fig. 7.9, right).

    Parameters
    ----------
    shares
        From `suffice.evaluation.loss_shares`.
    most
        How many rows to draw.
    name
        How many of the first to name by their number.

    Examples
    --------
    >>> from suffice.evaluation import loss_shares
    >>> from suffice import plots
    >>> ax = plots.loss_shares(loss_shares([1.0, 2.0, 9.0], [2.0, 2.0, 3.0]))
    """
    rows = shares.order[: max(int(most), 1)]
    values = shares.shares[rows]
    ax = axes(ax, x="rows, those that weigh most first", y=f"share of the {shares.loss} loss", grid="y")
    colors = [ORANGE if i < name else BLUE for i in range(len(rows))]
    ax.bar(np.arange(len(rows)), values, width=0.8, color=colors, zorder=3)
    for i in range(min(name, len(rows))):
        ax.annotate(
            f"row {rows[i]}",
            (i, values[i]),
            (0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=SMALL,
            color=INK,
        )
    ax.yaxis.set_major_formatter(lambda v, _: f"{v:.0%}")
    ax.set_xticks([])
    return ax


def loss_circles(shares: LossShares, x: Any, y: Any, *, prediction: Any = None, ax: Any = None) -> Any:
    """Rows as circles whose area is their share of the loss, beside the line that predicts them (DTU Fig. 7.9, left).

    Parameters
    ----------
    x, y
        The column to draw along, and the target.
    prediction
        Of every row; drawn as a line.

    Examples
    --------
    >>> from suffice.evaluation import loss_shares
    >>> from suffice import plots
    >>> x, y, line = [0.0, 1.0, 2.0], [1.0, 2.0, 9.0], [2.0, 2.0, 3.0]
    >>> ax = plots.loss_circles(loss_shares(y, line), x, y, prediction=line)
    """
    x, y = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if not len(x) == len(y) == len(shares.shares):
        raise InvalidInput(
            f"x and y must have a number for each of the {len(shares.shares)} rows of the shares."
        )
    ax = axes(ax, x="x", y="y")
    if prediction is not None:
        order = np.argsort(x, kind="stable")
        ax.plot(
            x[order], np.asarray(prediction, dtype=float).ravel()[order], color=MUTED, linewidth=1.4, zorder=2
        )
    ax.scatter(x, y, s=CIRCLE * shares.shares, color=ORANGE, alpha=0.35, linewidths=0, zorder=3)
    ax.scatter(x, y, s=12, color=BLUE, linewidths=0, zorder=4)
    ax.margins(0.2)
    return ax
