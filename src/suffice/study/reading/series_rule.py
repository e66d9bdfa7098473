"""What is known of a series before a row: lags, changes, the same season, season and trend, as columns by name.

A row t at horizon h gets nothing of the target that is newer than t - h:

    level            y[t - h]                              season   sine and cosine of the turn of the calendar
    changes          y[t - h - j + 1] - y[t - h - j]       trend    steps since the first row
    same season      y[t - s], s the fewest whole seasons of at least h steps, and the change to it over h steps
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.prepare.looking.gathering import gather_table
from suffice.prepare.sequences._lags import NOWHERE, rows_before, values_before
from suffice.prepare.transforming._column_codes import as_numbers, as_words
from suffice.study.reading.series_steps import Steps, moments_of

TREND = "trend"
YEAR_OF_WEEKS = 365.2425 / 7


@record
class Clock:
    """The rows of a table in a series: the step and the series of each, and its place on the line of time."""

    step: np.ndarray
    series: np.ndarray | None
    along: np.ndarray

    def before(self, y: np.ndarray, back: int) -> np.ndarray:
        """Values so many steps before each row."""
        return values_before(y, self.step, back, self.series)


@record
class SeriesRule:
    """How the past of a series becomes columns.

    `horizon` is h, `lags` how many values from y[t - h] back are used, `season` the steps of a turn (None without one),
    `waves` the sines and cosines of it, `repeats` whether the value of the same season is a column, `trend` whether the
    time itself is one. Columns `behind` are not known beforehand: they are those of the row h steps before.
    """

    target: str
    time: str
    group: str | None
    horizon: int
    steps: Steps
    lags: int = 1
    season: int | None = None
    waves: int = 0
    repeats: bool = True
    trend: bool = False
    behind: tuple[str, ...] = ()

    # -- names ------------------------------------------------------------------------------------------------
    @property
    def level(self) -> str:
        """The column of the newest value known."""
        return f"{self.target} {self.horizon} before"

    @property
    def seasonal(self) -> int | None:
        """The fewest whole seasons that are at least as long as the horizon, in steps; None without a season."""
        return None if self.season is None else self.season * -(-self.horizon // self.season)

    @property
    def same_season(self) -> str | None:
        """The column of the same season; None where that is the newest value, or too long ago, or never."""
        s = self.seasonal
        if s is None or s == self.horizon or not self.repeats:
            return None
        return f"{self.target} in the same season ({s} before)"

    @property
    def longest(self) -> int:
        """How many steps back the oldest value lies."""
        s = self.seasonal
        back = self.horizon + self.lags - 1
        return back if s is None or self.same_season is None else max(back, s + self.horizon)

    @property
    def needs(self) -> tuple[str, ...]:
        """The columns of a table that the past is read from."""
        return (self.time, self.target, *((self.group,) if self.group is not None else ()))

    def needed_columns(self, names: Sequence[str]) -> tuple[str, ...]:
        """The columns that a table must have, where a model reads columns of these names."""
        own = {*self._named(), *(f"{name} {self.horizon} before" for name in self.behind)}
        return (*self.needs, *self.behind, *(name for name in names if name not in own))

    def _named(self) -> tuple[str, ...]:
        none = Clock(np.zeros(1, dtype=np.int64), None, np.zeros(1))
        return tuple(self.made(np.zeros(1), none))

    def ahead(self, horizon: int, others: tuple[str, ...]) -> SeriesRule:
        """The same rule at another horizon, where nothing is known beforehand."""
        most = self.lags if self.seasonal is None else min(self.lags, max(1, self._gap(horizon)))
        return replace(self, horizon=horizon, lags=most, behind=others)

    def _gap(self, horizon: int) -> int:
        """Lags from the horizon on that do not reach the same season."""
        s = replace(self, horizon=horizon).seasonal or 0
        return s - horizon if s > horizon else self.lags

    # -- columns ----------------------------------------------------------------------------------------------
    def clock(self, columns: dict[str, np.ndarray]) -> Clock:
        """Where the rows of a table stand."""
        series = None if self.group is None else as_words(columns[self.group]).astype(str)
        step = self.steps.number(columns[self.time], series)
        if self.steps.kind == "months":
            return Clock(step, series, step.astype(float))
        moments = moments_of(columns[self.time], self.steps.dates)
        return Clock(step, series, (moments - self.steps.origin) / self.steps.width)

    def made(self, y: np.ndarray, clock: Clock) -> dict[str, np.ndarray]:
        """The columns of the past; NaN where it is not known."""
        h = self.horizon
        known = {back: clock.before(y, back) for back in range(h, h + self.lags)}
        found = {self.level: known[h]}
        found |= {f"change {b - 1} before": known[b - 1] - known[b] for b in range(h + 1, h + self.lags)}
        s = self.seasonal
        if s is not None and self.same_season is not None:
            then = clock.before(y, s)
            found[self.same_season] = then
            found[f"change to the same season ({s} before)"] = then - clock.before(y, s + h)
        return found | self._calendar(clock)

    def _calendar(self, clock: Clock) -> dict[str, np.ndarray]:
        """What is known of any moment beforehand."""
        found: dict[str, np.ndarray] = {}
        for k in range(1, self.waves + 1):
            turn = 2 * np.pi * k * clock.along / self._turn
            name = "season" if self.waves == 1 else f"season {k}"
            found |= {f"{name} sin": np.sin(turn), f"{name} cos": np.cos(turn)}
        return found | ({TREND: clock.along} if self.trend else {})

    @property
    def _turn(self) -> float:
        """Steps of a turn of the calendar: a year has somewhat more than 52 weeks."""
        return YEAR_OF_WEEKS if self.steps.unit == "week" else float(self.season or 1)

    def late(self, columns: dict[str, np.ndarray], clock: Clock) -> dict[str, np.ndarray]:
        """Columns that are known h steps later, under a name that says so; rows without them get a gap."""
        rows = rows_before(clock.step, self.horizon, clock.series)
        return {f"{name} {self.horizon} before": _picked(columns[name], rows) for name in self.behind}

    # -- new tables -------------------------------------------------------------------------------------------
    def with_past(self, table: Any) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """The columns of a table with those of the past added, and which rows have a past that is known."""
        columns = gather_table(table)
        absent = [name for name in (*self.needs, *self.behind) if name not in columns]
        if absent:
            raise InvalidInput(
                f"This is a model of a series: the table must have column {absent[0]!r:.60}, and the rows before those "
                f"to predict. {self.time!r:.60} orders them; {self.target!r:.60} is empty where it is not known yet."
            )
        clock = self.clock(columns)
        past = self.made(as_numbers(columns[self.target]), clock)
        known = np.all([np.isfinite(v) for v in past.values()], axis=0)
        if len(known) and not known.any():
            raise InvalidInput(
                f"No row can be predicted: that takes {self.target!r:.60} from {self.horizon} to {self.longest} steps "
                f"({self.steps.unit}) before it, in rows of the same table."
            )
        return columns | past | self.late(columns, clock), known


def _picked(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Cells of other rows; a gap where there is no such row."""
    if (rows != NOWHERE).all():
        return values[rows]
    if values.dtype.kind in "mM":
        return np.where(rows == NOWHERE, np.array("NaT", dtype=values.dtype), values[rows])
    if values.dtype.kind in "iufb":
        return np.where(rows == NOWHERE, np.nan, values[rows].astype(float))
    found = values[rows].astype(object)
    found[rows == NOWHERE] = None
    return found
