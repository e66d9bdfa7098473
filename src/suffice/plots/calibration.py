"""Do forecasts keep their promises? Probabilities against frequencies, where outcomes fell, coverage of intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.evaluation.comparisons.monte_carlo import Coverage
from suffice.evaluation.findings import chance, percent, words
from suffice.evaluation.scores.calibration import EventCalibration
from suffice.evaluation.scores.pit import IntervalCoverage
from suffice.evaluation.scores.pit_calibration import PitCalibration
from suffice.plots._labels import finite, subtitle
from suffice.plots._several import (
    DASHED,
    by_name,
    check_record,
    diagonal,
    entry,
    looks,
    rows_legend,
    unit_square,
)
from suffice.plots._style import BLUE, INK, MUTED, ORANGE, PALE, axes, legend

SQUARE = (4.8, 5.0)
STRIP = 0.16  # height of the histogram below a reliability diagram
MOST = 400  # simulated intervals


def calibration(found: EventCalibration | Mapping[str, EventCalibration], *, ax: Any = None) -> Any:
    """How often an event happened against its forecast probability, with Jeffreys intervals.

    On the diagonal forecasts come true. Bars at the foot are the rows behind each dot. Several forecasts come as a
    mapping from their names and have no such foot.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import evaluation, plots
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(500)
    >>> ax = plots.calibration(evaluation.calibration(rng.random(500) < truth, truth**2))
    """
    named = by_name(found, EventCalibration, "EventCalibration")
    event = {str(one.event) for one in named.values()}
    of = f" of {event.pop()}" if len(event) == 1 else ""
    ax = axes(ax, x=f"forecast probability{of}", y="observed frequency", size=SQUARE)
    diagonal(ax, MUTED)
    for (name, one), look in zip(named.items(), looks(len(named)), strict=True):
        label = entry(name, f"off by {words(one.expected_error, one.expected_error.interval)}")
        _dots(ax, one.forecast, one.observed, one.low, one.high, look, label)
    unit_square(ax)
    if len(named) == 1:
        _foot(ax, next(iter(named.values())))
    rows_legend(ax)
    return ax


def interval_coverage(
    found: IntervalCoverage | PitCalibration | Mapping[str, IntervalCoverage | PitCalibration],
    *,
    ax: Any = None,
) -> Any:
    """The share of outcomes inside central intervals against what these promise, with Jeffreys intervals.

    Above the diagonal intervals are too wide, below it too narrow.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import evaluation, plots
    >>> from suffice.distributions import Normal
    >>> y = np.random.default_rng(0).normal(size=200)
    >>> ax = plots.interval_coverage(evaluation.interval_coverage(y, Normal(0.0, 0.8)))
    """
    named = by_name(found, (IntervalCoverage, PitCalibration), "IntervalCoverage or PitCalibration")
    ax = axes(ax, x="promised", y="observed share inside", size=SQUARE)
    diagonal(ax, MUTED)
    for (name, one), look in zip(named.items(), looks(len(named)), strict=True):
        one = one.coverage if isinstance(one, PitCalibration) else one
        order = np.argsort(one.levels)
        x, y, low, high = (v[order] for v in (one.levels, one.observed, one.low, one.high))
        _dots(ax, x, y, low, high, look, entry(name, f"{one.n:g} rows, {percent(one.confidence)} intervals"))
    unit_square(ax)
    rows_legend(ax)
    return ax


def pit(found: PitCalibration, *, ax: Any = None) -> Any:
    """Where in their forecasts outcomes fell: level when forecasts are right, ∪ when too narrow, ∩ when too wide.

    Bars have Jeffreys intervals; the dashed line is the count expected of each.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import evaluation, plots
    >>> from suffice.distributions import Normal
    >>> y = np.random.default_rng(0).normal(size=300)
    >>> ax = plots.pit(evaluation.calibration(y, Normal(0.0, 0.7)))
    """
    check_record(found, PitCalibration)
    ax = axes(ax, x="probability of less than what happened", y="outcomes", grid="y")
    middle = (found.edges[1:] + found.edges[:-1]) / 2
    ax.bar(middle, found.counts, 0.94 * np.diff(found.edges), color=PALE)
    label = f"{percent(found.confidence)} interval"
    ax.vlines(middle, found.low, found.high, color=BLUE, linewidth=2, alpha=0.7, label=label)
    level = found.n / len(found.counts)
    ax.axhline(level, color=INK, linewidth=1.1, linestyle=DASHED, label=f"level: {level:g}", zorder=3)
    ax.set(xlim=(-0.01, 1.01), ylim=(0, None))
    legend(ax)
    tests = ((f.name, f.p_value) for f in (found.kolmogorov, found.chi_square))
    subtitle(ax, "Uniform? " + ", ".join(f"{name} {chance(1.0 if p is None else p)}" for name, p in tests))
    return ax


def coverage(found: Coverage, *, most: int = 100, ax: Any = None) -> Any:
    """Intervals of simulated data sets and the truth; those that miss it stand out (DTU Fig. 11.2).

    Examples
    --------
    >>> from suffice import evaluation, plots
    >>> found = evaluation.coverage(
    ...     lambda m: evaluation.accuracy_from_counts(m, 100).interval, lambda p, rng: rng.binomial(100, p), 0.7, 100, 0
    ... )
    >>> ax = plots.coverage(found)
    """
    check_record(found, Coverage)
    shown = min(len(found.covered), max(1, min(int(most), MOST)))
    some = "" if shown == len(found.covered) else f", the first {shown} of {len(found.covered)}"
    ax = axes(ax, x="simulated data set" + some, y="interval")
    low, high = finite(found.intervals[:shown]).T
    at, hit = np.arange(1, shown + 1), np.asarray(found.covered[:shown], dtype=bool)
    look = {"linewidth": float(np.clip(150 / shown, 0.8, 3.0))}
    for which, color, label in ((hit, BLUE, "holds the truth"), (~hit, ORANGE, "misses it")):
        if which.any():
            ax.vlines(at[which], low[which], high[which], color=color, label=label, **look)
    truths = np.broadcast_to(found.truths, found.covered.shape)[:shown]
    step = {"drawstyle": "steps-mid", "color": INK, "linewidth": 1.1, "linestyle": DASHED}
    ax.plot(at, truths, label="truth", **step)
    ax.set_xlim(0, shown + 1)
    legend(ax)
    subtitle(ax, found.sentence)
    return ax


# -- strokes -------------------------------------------------------------------------------------------
def _dots(
    ax: Any, x: np.ndarray, y: np.ndarray, low: np.ndarray, high: np.ndarray, look: dict[str, Any], label: str
) -> None:
    """Dots with bars, joined by a line; bins without rows are left out."""
    some = np.isfinite(x) & np.isfinite(y)
    ax.vlines(x[some], low[some], high[some], color=look["color"], linewidth=2, alpha=0.4)
    ax.plot(x[some], y[some], marker="o", markersize=5, linewidth=1.3, label=label, zorder=3, **look)


def _foot(ax: Any, one: EventCalibration) -> None:
    """Rows behind each dot, as bars below zero."""
    base, some = -STRIP - 0.04, one.counts > 0
    heights = STRIP * one.counts[some] / one.counts.max()
    ax.bar(one.forecast[some], heights, 0.018, base, color=BLUE, alpha=0.35, linewidth=0)
    ax.axhline(0, color=MUTED, linewidth=0.6)
    ax.set_ylim(base, 1.015)
