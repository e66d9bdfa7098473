"""Dots with intervals: models side by side, weights side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.evaluation import Validation
from suffice.plots._style import BLUE, INK, MUTED, axes, plain

ROW = 0.34


def comparison(
    validations: Mapping[str, Validation],
    *,
    baseline: str | None = None,
    best: str | None = None,
    ax: Any = None,
) -> Any:
    """The loss of each model with its interval; the baseline is a dashed line, `best` stands out.

    Examples
    --------
    >>> from suffice import baselines, datasets, evaluation, linear, plots
    >>> data = datasets.olympic_100m_men()
    >>> models = {"mean": baselines.MeanRegressor(), "line": linear.LinearRegression()}
    >>> results = {name: evaluation.cross_validate(m, data.X, data.y) for name, m in models.items()}
    >>> ax = plots.comparison(results, baseline="mean")
    """
    if not validations:
        raise InvalidInput("There are no validations to compare.")
    for role, name in (("baseline", baseline), ("best", best)):
        if name is not None and name not in validations:
            raise InvalidInput(f"{role} must be one of {list(validations)}; got {name!r}.")
    first = next(iter(validations.values()))
    ax = axes(
        ax,
        x=f"{first.loss} loss on rows not seen, {100 * first.confidence:g} % interval",
        **_tall(validations),
    )
    if baseline is not None:
        ax.axvline(validations[baseline].estimate, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
    for i, (name, v) in enumerate(validations.items()):
        low, high = v.interval or (v.estimate, v.estimate)
        _row(ax, i, v.estimate, low, high, MUTED if name == baseline else BLUE, best is None or name == best)
    _rows(ax, list(validations), bold=best)
    return ax


def coefficients(summary: Any, *, most: int = 30, label: str = "weight", ax: Any = None) -> Any:
    """Weights with their intervals, in the order of the columns; those whose interval excludes zero are filled.

    `summary` has `term`, `estimate`, `low` and `high`, as `LinearRegression.summary()` does. A first term
    "intercept" is left out, and so are all but the `most` largest weights.

    Examples
    --------
    >>> from suffice import datasets, linear, plots
    >>> data = datasets.diabetes()
    >>> ax = plots.coefficients(linear.LinearRegression(standardize=True).fit(data.X, data.y).summary())
    """
    weights = np.arange(summary.term[0] == "intercept", len(summary.term))
    if not len(weights):
        raise InvalidInput("There are no weights to draw.")
    largest = weights[np.argsort(-np.abs(np.asarray(summary.estimate))[weights], kind="stable")[:most]]
    shown = np.sort(largest)
    more = "" if len(shown) == len(weights) else f", the {len(shown)} largest of {len(weights)}"
    ax = axes(ax, x=label + more, **_tall(shown))
    ax.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
    for i, j in enumerate(shown):
        w, low, high = summary.estimate[j], summary.low[j], summary.high[j]
        sure = low > 0 or high < 0
        _row(ax, i, w, low, high, BLUE if sure or np.isnan(low) else MUTED, sure)
    _rows(ax, [summary.term[j] for j in shown])
    return ax


# -- rows from the top down ----------------------------------------------------------------------------
def _tall(items: Any) -> dict[str, Any]:
    return {"grid": "x", "size": (6.4, 1.0 + ROW * max(len(items), 2))}


def _row(ax: Any, i: int, at: float, low: float, high: float, color: str, filled: bool) -> None:
    ax.plot([low, high], [i, i], color=color, linewidth=2.2, alpha=0.45, solid_capstyle="round", zorder=2)
    face = color if filled else "white"
    ax.plot(
        at, i, "o", markersize=7, markerfacecolor=face, markeredgecolor=color, markeredgewidth=1.6, zorder=3
    )


def _rows(ax: Any, names: list[str], bold: str | None = None) -> None:
    ax.set_yticks(range(len(names)), [plain(name) for name in names])
    for tick, name in zip(ax.get_yticklabels(), names, strict=True):
        tick.set(color=INK, fontweight="bold" if name == bold else "normal", fontsize=9.5)
    ax.set_ylim(len(names) - 0.4, -0.6)
