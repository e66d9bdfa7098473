"""Residuals of a least-squares fit: are they Normal, and which rows hold the line up? See `linear.residuals`."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.linear import Residuals
from suffice.plots._style import BLUE, INK, MUTED, ORANGE, axes, legend, note_at, plain

DASHED = (0, (4, 3))
MANY = 500
WILD = 3.0  # standard errors beyond which a row is named in color


def normal_quantiles(residuals: Residuals, *, name: int = 3, ax: Any = None) -> Any:
    """Studentized residuals against the quantiles of a Normal distribution: on the line if the errors are Normal.

    Parameters
    ----------
    residuals
        From `suffice.linear.residuals`.
    name
        How many of the largest to name by their row.

    Examples
    --------
    >>> from suffice import datasets, linear, plots
    >>> men = datasets.olympic_100m_men()
    >>> record = linear.residuals(linear.LinearRegression().fit(men.X, men.y), men.X, men.y)
    >>> ax = plots.normal_quantiles(record)
    """
    q, values = residuals.normal_quantiles()
    _need(values)
    rows = np.flatnonzero(np.isfinite(residuals.studentized))
    rows = rows[np.argsort(residuals.studentized[rows])]
    ax = axes(ax, x="quantile of the standard Normal", y="studentized residual", size=(5.0, 4.6))
    ends = np.array([q[0], q[-1]])
    ax.plot(ends, ends, color=MUTED, linewidth=1, linestyle=DASHED, label="Normal errors")
    _dots(ax, q, values, BLUE)
    for i in _largest(values, name):
        _label(ax, rows[i], q[i], values[i])
    legend(ax)
    return ax


def influence(residuals: Residuals, *, name: int = 3, ax: Any = None) -> Any:
    """How unlike its fit every row is, against how strongly it pulls; the area of a dot is Cook's distance.

    Parameters
    ----------
    residuals
        From `suffice.linear.residuals`.
    name
        How many of the most influential to name by their row.

    Examples
    --------
    >>> from suffice import datasets, linear, plots
    >>> men = datasets.olympic_100m_men()
    >>> record = linear.residuals(linear.LinearRegression().fit(men.X, men.y), men.X, men.y)
    >>> ax = plots.influence(record)
    """
    known = np.flatnonzero(np.isfinite(residuals.external) & np.isfinite(residuals.cook))
    _need(known)
    h, e, cook = residuals.leverage[known], residuals.external[known], residuals.cook[known]
    ax = axes(ax, x="leverage", y="residual, studentized without the row", size=(5.6, 4.4))
    ax.axhline(0, color=MUTED, linewidth=1, linestyle=DASHED, zorder=1.5)
    area = 12 + 480 * cook / max(float(cook.max()), 1e-300)
    ax.scatter(h, e, s=area, color=BLUE, alpha=0.55, linewidths=0.6, edgecolors="white", zorder=3)
    ax.scatter([], [], s=60, color=BLUE, alpha=0.55, label=f"Cook's distance, up to {cook.max():.2g}")
    ax.margins(0.1)
    for i in _largest(cook, name):
        _label(ax, known[i], h[i], e[i], area[i])
    legend(ax)
    return ax


def _need(values: np.ndarray) -> None:
    if len(values) == 0:
        raise InvalidInput("No residual is finite, so there is nothing to draw.")


def _largest(values: np.ndarray, n: int) -> np.ndarray:
    return np.argsort(-np.abs(values), kind="stable")[: max(int(n), 0)]


def _dots(ax: Any, x: np.ndarray, y: np.ndarray, color: str) -> None:
    size = 26.0 if len(x) <= 60 else 12.0
    ax.scatter(
        x, y, s=size, color=color, linewidths=0.5, edgecolors="white", zorder=3, rasterized=len(x) > MANY
    )


def _label(ax: Any, row: int, x: float, y: float, area: float = 26.0) -> None:
    """Beside the dot, on the side where there is room."""
    low, high = ax.get_xlim()
    left = x > low + 0.8 * (high - low)
    away = 3 + np.sqrt(area) / 2
    look = {"ha": "right" if left else "left", "va": "center", "color": ORANGE if abs(y) > WILD else INK}
    note_at(ax, plain(f"row {row}"), (x, y), (-away if left else away, 0), **look)
