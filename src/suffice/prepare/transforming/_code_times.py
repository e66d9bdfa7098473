r"""Columns of moments as days, and as cosine and sine of the turn of the year, the week and the day."""

from __future__ import annotations

from collections import Counter

import numpy as np

from suffice._core.records import frozen_array, record
from suffice.prepare.transforming._cell_reading import DAY, as_moments
from suffice.prepare.transforming._code_numbers import names_with_gap, odd_words

TURNS = {"year": 365.2425, "week": 7.0, "day": 1.0}


@record
class TimeCode:
    """Days since `start` (microseconds of the epoch), and the turns that the times of the fit go through.

    `fill` is the median day and the means of the waves, for gaps; `pattern` is how dates were written as text, where
    that was not ISO 8601.
    """

    name: str
    names: tuple[str, ...]
    start: int
    fill: np.ndarray
    gap: bool
    turns: tuple[str, ...]
    pattern: str | None = None

    @property
    def rule(self) -> str:
        middle = np.datetime64(self.start + round(self.fill[0] * DAY), "us")
        return f"taken as {middle.astype('M8[D]')}, the median of the fit"

    def read(self, values: np.ndarray) -> np.ndarray:
        """Moments, NaT for what is none."""
        return as_moments(values, self.pattern)

    def write(self, cells: np.ndarray, out: np.ndarray) -> None:
        missing = np.isnat(cells)
        _write_days(cells, self.start, self.turns, out)
        out[missing, : len(self.fill)] = self.fill
        if self.gap:
            out[:, -1] = missing

    def strangers(self, values: np.ndarray) -> Counter[str]:
        """Cells that are no moments."""
        return odd_words(values, np.isnat(self.read(values)))

    def missing(self, values: np.ndarray) -> int:
        return int(np.isnat(self.read(values)).sum()) - self.strangers(values).total()


def time_code(name: str, values: np.ndarray, pattern: str | None = None) -> TimeCode:
    """The code of a column of moments: a turn is kept if the times go through it at least twice."""
    moments = as_moments(values, pattern)
    known = np.sort(moments[~np.isnat(moments)])
    us = known.astype(np.int64)
    start, span = int(us.min()), float(us.max() - us.min()) / DAY
    clock = np.any(us % DAY != 0)
    turns = tuple(t for t, days in TURNS.items() if span >= 2 * days and (t != "day" or clock))
    Z = np.zeros((len(known), 1 + 2 * len(turns)))
    _write_days(known, start, turns, Z)
    fill = frozen_array([np.median(Z[:, 0]), *Z[:, 1:].mean(axis=0)])
    waves = [f"{name} {wave} of the {turn}" for turn in turns for wave in ("cosine", "sine")]
    gap = len(known) < len(moments)
    return TimeCode(
        name, names_with_gap(name, [f"{name} in days", *waves], gap), start, fill, gap, turns, pattern
    )


def _write_days(moments: np.ndarray, start: int, turns: tuple[str, ...], out: np.ndarray) -> None:
    days = (moments.astype(np.int64) - start) / DAY
    out[:, 0] = days
    for j, turn in enumerate(turns):
        angle = 2 * np.pi * ((days + start / DAY) / TURNS[turn] % 1)
        out[:, 1 + 2 * j], out[:, 2 + 2 * j] = np.cos(angle), np.sin(angle)
