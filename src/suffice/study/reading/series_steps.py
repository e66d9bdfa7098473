"""The time of a series in whole steps: years, quarters, months, weeks, days, hours, or any other equal distance.

months     dates at least four weeks apart count by the calendar, so months of 28 and 31 days are one step each
even       other dates, and numbers, at equal distances; a few may be missing
rows       working days: each row is one step, and weekends and holidays are none
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.records import record
from suffice.prepare.transforming._column_codes import as_moments, as_numbers
from suffice.tables.cells import gaps

DAY = 86_400.0
MONTH = 27 * DAY  # dates further apart than this count by the calendar
NEAR = 0.2  # of a step: how far a distance may be from a whole number of steps
REGULAR, ONE = 0.9, 0.6  # shares of distances that are whole steps, and that are one step
YEARS = (1500, 2500)
MONTHS = {1: ("month", 12), 3: ("quarter", 4), 12: ("year", None)}
SECONDS = {1.0: "second", 60.0: "minute", 3600.0: "hour", DAY: "day", 7 * DAY: "week"}
OF_A_YEAR = {1.0: ("year", None), 0.25: ("quarter", 4), 1 / 12: ("month", 12)}
MOST_IN_A_DAY = 96


@record
class Steps:
    """How times become whole numbers: `width` from one step to the next (months, seconds or plain numbers).

    `unit` is what one step is called, `season` the steps of a turn that the calendar knows, None without one. `dates`
    says whether times are dates or numbers.
    """

    kind: str
    dates: bool
    origin: float
    width: float
    unit: str
    season: int | None

    def number(self, values: np.ndarray, series: np.ndarray | None = None) -> np.ndarray:
        """The step of each row."""
        moments = moments_of(values, self.dates)
        if self.kind == "rows":
            return _ranks(moments, series)
        x = _months(moments) if self.kind == "months" else moments
        return np.round((x - self.origin) / self.width).astype(np.int64)

    def moments(self, values: np.ndarray) -> np.ndarray:
        """Times as numbers; dates in seconds since 1970."""
        return moments_of(values, self.dates)

    def after(self, last: float, k: int) -> float:
        """The moment k steps after one."""
        if self.kind == "months":
            return _later(last, int(k * self.width))
        if self.kind == "rows":
            day = np.datetime64(int(last), "s").astype("M8[D]")
            return float(np.busday_offset(day, k, roll="backward").astype("M8[s]").astype(np.int64))
        return last + k * self.width

    def label(self, moment: float) -> str:
        """A moment as people write it."""
        if not self.dates:
            return f"{moment:.10g}"
        text = str(np.datetime64(round(moment), "s"))
        return (
            text[:7] if self.unit in ("month", "quarter") else text[:10] if self.width >= DAY else text[:16]
        )


def are_dates(values: np.ndarray) -> bool:
    """Whether a column holds dates, as dates or as text; else it holds numbers."""
    return values.dtype.kind in "mM" or bool(np.isnan(as_numbers(values[~gaps(values)])).any())


def moments_of(values: np.ndarray, dates: bool) -> np.ndarray:
    """Numbers as they are, dates in seconds; NaN for gaps."""
    if not dates:
        return as_numbers(values)
    found = as_moments(_text(values))
    return np.where(np.isnat(found), np.nan, found.astype(np.int64) / 1e6)


def _text(values: np.ndarray) -> np.ndarray:
    """Cells of dates as text that is read; a year and month alone mean the first day."""
    if values.dtype != object:
        return values
    made = [
        None if v is None else v.isoformat() if hasattr(v, "isoformat") else str(v).strip() for v in values
    ]
    return np.array([f"{t}-01" if t and len(t) == 7 and t[4] == "-" else t for t in made], dtype=object)


def steps_of(values: np.ndarray, series: np.ndarray | None) -> Steps | str:
    """The steps of a time column, or why it has none, to follow the name of the column."""
    dates = are_dates(values)
    moments = moments_of(values, dates)
    apart = _distances(moments, series)
    if not len(apart) or np.isnan(moments).any():
        return "has no two times after each other"
    if apart.min() <= 0:
        return "has several rows of one moment"
    if dates and np.quantile(apart, 0.05) >= MONTH:
        return _by_calendar(moments, series)
    return _even(moments, apart, dates)


# -- kinds ----------------------------------------------------------------------------------------------------
def _by_calendar(moments: np.ndarray, series: np.ndarray | None) -> Steps | str:
    months = _months(moments)
    apart = _distances(months, series)
    if apart.min() <= 0:
        return "has several rows of one month"
    width = float(np.median(apart))
    if not _regular(apart / width):
        return "goes in steps of different length"
    unit, season = MONTHS.get(int(width), (f"{width:g} months", None))
    return Steps("months", True, float(months.min()), width, unit, season)


def _even(moments: np.ndarray, apart: np.ndarray, dates: bool) -> Steps | str:
    width = float(np.median(apart))
    if dates and width == DAY and _weekdays(moments):
        return Steps("rows", True, float(moments.min()), DAY, "working day", 5)
    if not _regular(apart / width):
        return "goes in steps of different length"
    width = float(apart.sum() / np.round(apart / width).sum())  # a rounded step would drift
    unit, season = _dated(width) if dates else _numbered(moments, width)
    return Steps("even", dates, float(moments.min()), width, unit, season)


def _dated(width: float) -> tuple[str, int | None]:
    near = next((name for seconds, name in SECONDS.items() if np.isclose(width, seconds, rtol=0.02)), "step")
    if near in ("day", "week"):
        return near, 7 if near == "day" else 52
    per_day = DAY / width
    whole = abs(per_day - round(per_day)) < 0.1 and 2 <= round(per_day) <= MOST_IN_A_DAY
    return near, round(per_day) if whole else None


def _numbered(moments: np.ndarray, width: float) -> tuple[str, int | None]:
    """Numbers that look like years; others have no calendar."""
    if YEARS[0] <= moments.min() and moments.max() <= YEARS[1]:
        for size, found in OF_A_YEAR.items():
            if np.isclose(width, size, rtol=0.02):
                return found
    return "step", None


def _regular(steps: np.ndarray) -> bool:
    whole = np.abs(steps - np.round(steps)) <= NEAR * np.maximum(1, np.round(steps))
    return bool(np.mean(whole & (np.round(steps) >= 1)) >= REGULAR and np.mean(np.round(steps) == 1) >= ONE)


# -- moments --------------------------------------------------------------------------------------------------
def _distances(x: np.ndarray, series: np.ndarray | None) -> np.ndarray:
    """From each row to the next of its series, in the order of time."""
    if series is None:
        return np.diff(np.sort(x))
    order = np.lexsort((x, series))
    return np.diff(x[order])[series[order][1:] == series[order][:-1]]


def _months(moments: np.ndarray) -> np.ndarray:
    """Months since 1970."""
    return np.round(moments).astype("M8[s]").astype("M8[M]").astype(np.int64).astype(float)


def _later(last: float, months: int) -> float:
    """The same day of a later month, or its last one."""
    moment = np.datetime64(round(last), "s")
    first = moment.astype("M8[M]")
    day, until = (
        moment - first.astype("M8[s]"),
        (first + months + 1).astype("M8[s]") - (first + months).astype("M8[s]"),
    )
    ends = moment.astype("M8[D]") + 1 == (first + 1).astype("M8[D]")
    kept: Any = until - np.timedelta64(1, "D") if ends else min(day, until - np.timedelta64(1, "D"))
    return float(((first + months).astype("M8[s]") + kept).astype(np.int64))


def _weekdays(moments: np.ndarray) -> bool:
    return bool(np.is_busday(np.round(moments).astype("M8[s]").astype("M8[D]")).all())


def _ranks(moments: np.ndarray, series: np.ndarray | None) -> np.ndarray:
    """How many earlier rows the series of each row has."""
    code = np.zeros(len(moments), dtype=np.int64)
    if series is not None:
        code = np.unique(series, return_inverse=True)[1]
    order = np.lexsort((moments, code))
    starts = np.searchsorted(code[order], code[order])
    made = np.empty(len(moments), dtype=np.int64)
    made[order] = np.arange(len(moments)) - starts
    return made
