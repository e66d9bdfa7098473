"""One step of a forecast: a model fitted for just that horizon, tried on the blocks in time, then on the future.

A model per horizon needs no trust in what lies between: its band is as wide as its errors at that horizon were. Where
rows not seen show that it is too sure of itself, the band is made wider by the same factor.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.distributions import Normal
from suffice.evaluation.protocols import Predictive
from suffice.prepare import TableEncoder
from suffice.study.reading.series import blocks_after
from suffice.study.reading.series_rule import Clock, SeriesRule

MOST_SERIES = 50  # that are forecast
SPARE, MOST_SKIPPED = 3, 0.5  # rows beyond the columns that a block trains on; blocks that may have fewer


@record
class Past:
    """A series as the models see it: columns, target and clock of all rows, and how many of them come first."""

    columns: dict[str, np.ndarray]
    y: np.ndarray
    clock: Clock
    others: tuple[str, ...]
    types: dict[str, Any]
    first: int
    blocks: int

    @property
    def ends(self) -> np.ndarray:
        """The last row of every series; of many, of those with the most rows."""
        if self.clock.series is None:
            return np.array([int(np.argmax(self.clock.step))])
        order = np.lexsort((self.clock.step, self.clock.series))
        last = np.append(np.flatnonzero(np.diff(_codes(self.clock.series)[order])), len(order) - 1)
        rows = np.diff(last, prepend=-1)
        return order[last[np.argsort(-rows, kind="stable")[:MOST_SERIES]]]


def _codes(series: np.ndarray) -> np.ndarray:
    return np.unique(series, return_inverse=True)[1]


@record
class Ahead:
    """The forecast of one step, a value per series; the share of rows not seen in its bands, and their factor."""

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    tested: float | None
    widen: float


def step_ahead(model: Any, rule: SeriesRule, past: Past, moments: np.ndarray, level: float) -> Ahead:
    """What a model says of the moments one horizon after the end of every series."""
    table, known = _table(rule, past)
    Z, coming = _encoded(table, known, _coming(rule, past, moments), past, rule)
    y = past.y[known]
    fitted = clone(model).fit(Z, y)
    inside, widen, spread = _try_bands(model, rule, past, Z, y, known, level)
    mean, low, high = _band(fitted, coming, level, spread)
    return Ahead(mean, mean - widen * (mean - low), mean + widen * (high - mean), inside, widen)


# -- rows -----------------------------------------------------------------------------------------------------
def _table(rule: SeriesRule, past: Past) -> tuple[dict[str, np.ndarray], np.ndarray]:
    made = rule.made(past.y, past.clock)
    known = np.all([np.isfinite(v) for v in made.values()], axis=0)
    return made | rule.late(past.columns, past.clock), known


def _coming(rule: SeriesRule, past: Past, moments: np.ndarray) -> dict[str, np.ndarray]:
    """The row after the end of every series; what is missing in its past is the last value known before."""
    ends, made = past.ends, []
    for end, moment in zip(ends, moments, strict=True):
        same = slice(None) if past.clock.series is None else past.clock.series == past.clock.series[end]
        step, y = past.clock.step[same], past.y[same]
        grid = np.arange(step.min(), step.max() + 1)
        order = np.argsort(step)
        filled = y[order][np.searchsorted(step[order], grid, side="right") - 1]
        full = np.append(grid, step.max() + rule.horizon)
        along = np.full(len(full), (moment - rule.steps.origin) / rule.steps.width)
        if rule.steps.kind == "months":
            along = full.astype(float)
        row = rule.made(np.append(filled, np.nan), Clock(full, None, along))
        made.append({name: values[-1] for name, values in row.items()})
    found = {name: np.array([row[name] for row in made]) for name in made[0]}
    return found | {f"{name} {rule.horizon} before": past.columns[name][ends] for name in rule.behind}


def _encoded(
    table: dict[str, np.ndarray],
    known: np.ndarray,
    coming: dict[str, np.ndarray],
    past: Past,
    rule: SeriesRule,
) -> tuple[np.ndarray, np.ndarray]:
    late = {f"{name} {rule.horizon} before": name for name in rule.behind}
    own = {name: past.types[late[name]] for name in table if late.get(name) in past.types}
    types = own | {name: "interval" for name in table if name not in late}
    train = {name: values[known] for name, values in table.items()}
    encoder = TableEncoder(types=types).fit(train)
    return encoder.transform(train), encoder.transform(coming)


# -- bands ----------------------------------------------------------------------------------------------------
def _band(
    model: Any, Z: np.ndarray, level: float, spread: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Prediction and both ends; a model that states no distribution gets the spread of its errors."""
    mean = np.asarray(model.predict(Z), dtype=float)
    d = model.predict_dist(Z) if isinstance(model, Predictive) else Normal(mean, np.full(len(Z), spread))
    low, high = (np.broadcast_to(np.asarray(end, dtype=float), mean.shape) for end in d.interval(level))
    return mean, low, high


def _try_bands(
    model: Any, rule: SeriesRule, past: Past, Z: np.ndarray, y: np.ndarray, known: np.ndarray, level: float
) -> tuple[float | None, float, float]:
    """The share of rows not seen in their band, how much too narrow it is, and the typical error."""
    first = int(known[: past.first].sum())
    groups = None if past.clock.series is None else past.clock.series[known]
    blocks = blocks_after(first, len(y), past.blocks, rule.horizon - 1, groups)
    error, half, inside = [], [], []
    for train, test in blocks.split(Z, groups=groups):
        if len(train) < Z.shape[1] + SPARE:
            continue
        fitted = clone(model).fit(Z[train], y[train])
        mean, low, high = _band(fitted, Z[test], level, np.nan)
        error.append(y[test] - mean)
        half.append((high - low) / 2)
        inside.append((y[test] >= low) & (y[test] <= high))
    if len(error) < MOST_SKIPPED * past.blocks:
        raise InvalidInput(f"There are too few rows to train a model {rule.horizon} steps ahead.")
    off, wide = np.concatenate(error), np.concatenate(half)
    typical = float(np.sqrt(np.mean(off**2)))
    if not np.isfinite(wide).all():
        return None, 1.0, typical
    z = float(Normal(0.0, 1.0).interval(level)[1])
    stated = float(np.sqrt(np.mean(wide**2))) / z
    return (
        float(np.mean(np.concatenate(inside))),
        max(1.0, typical / max(stated, np.finfo(float).tiny)),
        typical,
    )
