"""The record of an ROC curve, and how it is made from scored rows; `roc.py` has the doors."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, check_fraction, check_number
from suffice._core.frames import to_frame
from suffice._core.proportions import jeffreys
from suffice._core.random import generator
from suffice._core.records import record
from suffice._core.showing import Paragraph
from suffice.evaluation.findings import Measured, number, percent
from suffice.evaluation.measures import _areas
from suffice.evaluation.measures._tally import Scored, ScoreTally
from suffice.evaluation.measures.confusion import Confusion

DRAWS = 2000


@record
class Band:
    """An interval of the true-positive rate for each false-positive rate; `tpr` is the curve itself."""

    fpr: np.ndarray
    tpr: np.ndarray
    low: np.ndarray
    high: np.ndarray
    confidence: float = 0.95

    def frame(self, kind: str = "pandas") -> Any:
        """One row per false-positive rate."""
        return to_frame({"fpr": self.fpr, "tpr": self.tpr, "low": self.low, "high": self.high}, kind)


@record
class Roc(Paragraph):
    """Hits against false alarms. `area` is a `Measured`; `fpr`, `tpr` and `thresholds` are the curve.

    Notes
    -----
    The interval is drawn on the logit scale, so it stays inside [0, 1]. Where fewer than eight rows of a class are out
    of order it is widened to an interval of score type, so a perfect ranking has a lower end below 1. Measured coverage
    at 95 % (binormal scores, 1,000 tables or more each): 94 to 97 % for areas of 0.6 to 0.95 with 50 or more rows of
    each class, equal and unequal spreads; 98 % at an area of 0.99. With 10 rows of a class it can fall to 92 %. The
    bootstrap and the partial area up to 0.2 cover 94 to 97 % there too. `tpr_band` covers 95 to 97 % at each point with
    200 rows of each class; with 50 it is cautious (95 to 99 %).
    """

    rows: Scored
    area: Measured
    confidence: float = 0.95

    @property
    def tally(self) -> ScoreTally:
        """Positives and negatives at each distinct score."""
        return self.rows.tally

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of the area."""
        return self.area.interval

    @cached_property
    def thresholds(self) -> np.ndarray:
        """Decreasing; positive is predicted where score > threshold. The last, −∞, takes all rows."""
        return self.tally.thresholds[::-1]

    @cached_property
    def tpr(self) -> np.ndarray:
        """True-positive rate at each threshold, from 0 to 1."""
        return self.tally.above[0][::-1] / self.tally.n_positive

    @cached_property
    def fpr(self) -> np.ndarray:
        """False-positive rate at each threshold, from 0 to 1."""
        return self.tally.above[1][::-1] / self.tally.n_negative

    def at(self, threshold: float) -> Confusion:
        """The table, with all its measures, where score > threshold is predicted positive."""
        value = check_number("threshold", threshold) if np.isfinite(threshold) else float(threshold)
        if np.isnan(value):
            raise InvalidParameter("threshold must be a number; got nan.")
        return Confusion.of_counts(*self.tally.at(value), confidence=self.confidence)

    @property
    def youden_threshold(self) -> float:
        """Where TPR − FPR is largest; chosen on these rows, so its measures flatter."""
        return float(self.thresholds[np.argmax(self.tpr - self.fpr)])

    @property
    def youden(self) -> Confusion:
        """The table at `youden_threshold`."""
        return self.at(self.youden_threshold)

    def tpr_at(self, fpr: Any) -> np.ndarray:
        """Height of the curve; the top where it is vertical."""
        at = _unit_array("fpr", fpr)
        k = np.minimum(np.searchsorted(self.fpr, at, side="right") - 1, len(self.fpr) - 2)
        run = self.fpr[k + 1] - self.fpr[k]
        part = np.where(run > 0, (at - self.fpr[k]) / np.where(run > 0, run, 1.0), 1.0)
        return self.tpr[k] + np.clip(part, 0, 1) * (self.tpr[k + 1] - self.tpr[k])

    def tpr_band(self, confidence: float | None = None, fpr: Any = None) -> Band:
        """An interval of the true-positive rate at each false-positive rate, for a plot: pointwise, not for the whole.

        Square-and-add of two Jeffreys intervals: that of the share of positives above the threshold, and that of the
        share of negatives, followed along the curve.
        """
        level = self.confidence if confidence is None else check_fraction("confidence", confidence)
        at = np.linspace(0, 1, 101) if fpr is None else np.atleast_1d(_unit_array("fpr", fpr))
        here, m, n = self.tpr_at(at), self.tally.n_positive, self.tally.n_negative
        low, high = jeffreys(here * m, np.full_like(at, m), level)
        before, after = (self.tpr_at(v) for v in jeffreys(at * n, np.full_like(at, n), level))
        down, up = np.hypot(here - low, here - before), np.hypot(high - here, after - here)
        return Band(at, here, np.maximum(here - down, 0), np.minimum(here + up, 1), level)

    def partial_area(self, max_fpr: float, *, min_fpr: float = 0.0, standardized: bool = False) -> Measured:
        """The area between two false-positive rates; `standardized` so that a coin has ½ and perfection 1 (McClish)."""
        low, high = check_number("min_fpr", min_fpr, low=0.0), check_number("max_fpr", max_fpr, low=0.0)
        if not low < high <= 1:
            raise InvalidParameter(
                f"min_fpr and max_fpr must satisfy 0 <= min < max <= 1; got {low} and {high}."
            )
        value, ends = _areas.partial(self.tally, low, high, self.confidence)
        if standardized:
            least, most = (high**2 - low**2) / 2, high - low
            value, *both = (0.5 * (1 + (v - least) / (most - least)) for v in (value, *ends))
            ends = both[0], both[1]
        return Measured(value, ends, self.confidence, "DeLong")

    @property
    def sentence(self) -> str:
        """The area in words."""
        low, high = self.area.interval or (np.nan, np.nan)
        return (
            f"Area under the ROC curve {number(self.area)}, {percent(self.confidence)} interval [{number(low)}, "
            f"{number(high)}] ({self.area.method}; {self.tally.n_positive:g} positive and "
            f"{self.tally.n_negative:g} negative rows)."
        )

    def frame(self, kind: str = "pandas") -> Any:
        """One row per threshold."""
        return to_frame({"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}, kind)


def curve_of(rows: Scored, level: float, method: str = "delong", random_state: Any = None) -> Roc:
    """The curve with its area, the standard error of it by `method`."""
    found = _areas.moments_of(rows)
    if method == "bootstrap":
        found = replace(found, variance=_bootstrap(rows.tally, generator(random_state)))
    value, interval = found.theta, _areas.interval_of(found, level)
    return Roc(rows, Measured(value, interval, level, {"delong": "DeLong"}.get(method, method)), level)


def _bootstrap(tally: ScoreTally, rng: np.random.Generator) -> float:
    """Variance of the area over draws of the positives and of the negatives."""
    m, n = round(tally.n_positive), round(tally.n_negative)
    draws = np.empty(DRAWS)
    for i in range(DRAWS):
        hits = rng.multinomial(m, tally.positives / tally.n_positive)
        alarms = rng.multinomial(n, tally.negatives / tally.n_negative)
        draws[i] = hits @ (np.cumsum(alarms) - 0.5 * alarms) / (m * n)
    return float(draws.var(ddof=1))


def _unit_array(name: str, values: Any) -> np.ndarray:
    array = np.asarray(values, dtype=float)
    if not ((array >= 0) & (array <= 1)).all():
        raise InvalidParameter(f"{name} must lie in [0, 1]; got {values!r}.")
    return array
