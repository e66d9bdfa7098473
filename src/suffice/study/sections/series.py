"""What comes next in a series: its past, its predictions of rows not seen, and a forecast with bands."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

import numpy as np

from suffice._core.records import record
from suffice.study.sections.plain import Interval


@record
class SeriesLine:
    """One series in the order of time: what was observed, what was predicted before that was known, what comes next.

    `times` are as people write them, `moments` the same as numbers (of dates: seconds since 1970). `predicted`, `low`
    and `high` are NaN in rows that only train. The fields from `next_times` on are the forecast, a value per step.
    """

    name: str | None
    times: tuple[str, ...]
    moments: np.ndarray
    observed: np.ndarray
    predicted: np.ndarray
    low: np.ndarray
    high: np.ndarray
    next_times: tuple[str, ...]
    next_moments: np.ndarray
    next_predicted: np.ndarray
    next_low: np.ndarray
    next_high: np.ndarray


@record
class Forecast:
    """The future of a series, or of several, by the chosen model; every step ahead has a fit of its own.

    `horizon` is the one of the study, at which the rows not seen were predicted; of these `n` have a band and the share
    `coverage` lies inside it. `steps` are those of the forecast, `tested` the share of rows not seen inside the band of
    each step as the model states it, and `widen` how many times wider it was made for that.
    """

    key: ClassVar[str] = "forecast"
    heading: ClassVar[str] = "The forecast"

    name: str
    target: str
    time: str
    unit: str
    dates: bool
    horizon: int
    level: float
    n: int
    coverage: float | None
    coverage_interval: Interval | None
    steps: tuple[int, ...]
    tested: tuple[float | None, ...]
    widen: tuple[float, ...]
    lines: tuple[SeriesLine, ...]
    sentences: tuple[str, ...] = field(default=())
