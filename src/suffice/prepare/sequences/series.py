r"""Bring a recording into the standard format: equidistant steps (DTU §10.3.1).

resample      values on a grid of equal steps, from the observations in each step or by interpolation
interpolate   on the line between the two nearest observations; never beyond the last one unless told

Before the first and after the last observation nothing is known; whoever wants a value there says which.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice, check_number
from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice.prepare._values import Columns, read_columns, refuse_nonfinite
from suffice.prepare.sequences._time import check_order, check_same_kind, elapsed, read_axis, read_times

MOST_STEPS = 100_000_000


@record
class Resampled:
    """Values on a grid of equal steps; NaN where a step has none."""

    time: np.ndarray
    values: np.ndarray
    names: tuple[str, ...]

    def frame(self, kind: str = "pandas") -> Any:
        """Time and values as a pandas or polars DataFrame."""
        table = self.values.reshape(len(self.time), -1)
        time = self.time.astype("M8[us]") if self.time.dtype.kind == "M" else self.time.copy()
        return to_frame({"time": time} | {n: table[:, j].copy() for j, n in enumerate(self.names)}, kind)


def interpolate(
    time: Any,
    values: Any,
    at: Any,
    *,
    outside: Literal["error", "missing", "hold", "linear"] = "error",
) -> np.ndarray:
    """Values at other times, on the straight line between the two nearest observations.

    NaN in `values` is a gap: that column is interpolated across it. A value in a gap knows the observation
    after it; where that would be cheating, use `resample(..., how="last")`.

    Parameters
    ----------
    time, values
        Observations, ordered by time: a vector or a table. Categories are refused: there is nothing between
        two of them.
    at
        Where values are wanted.
    outside
        What to do before the first and after the last observation of a column: refuse, give NaN, hold the
        nearest value, or extend the nearest line.

    Examples
    --------
    >>> from suffice.prepare import interpolate
    >>> interpolate([0, 10, 20], [1.0, float("nan"), 5.0], at=[0, 5, 10, 20])
    array([1., 2., 3., 5.])
    """
    check_choice("outside", outside, ("error", "missing", "hold", "linear"))
    columns = _read_continuous(values)
    time, at = read_times(time, len(columns.values)), read_axis("at", at)
    check_same_kind("at", at, "time", time)
    check_order("time", time, strict=True)
    made = [
        _along(time, column, at, name, outside)
        for name, column in zip(columns.names, columns.values.T, strict=True)
    ]
    return columns.shaped(np.column_stack(made))


def resample(
    time: Any,
    values: Any,
    step: Any,
    how: Literal["mean", "last", "interpolate"] = "mean",
    *,
    start: Any = None,
) -> Resampled:
    """Values on a grid of equal steps.

    Parameters
    ----------
    time, values
        Observations, ordered by time: a vector or a table.
    step
        Length of a step: a number, or for datetimes a `timedelta`.
    how
        "mean" or "last" of the observations in [t, t + step), NaN if there are none (a missing cell counts as
        none); "interpolate" takes the value at t itself.
    start
        First time of the grid; the first observation if left out. Observations before it are not used.

    Examples
    --------
    >>> from suffice.prepare import resample
    >>> hourly = resample([0.0, 0.4, 1.5, 3.2], [1.0, 3.0, 6.0, 8.0], step=1.0)
    >>> hourly.time, hourly.values
    (array([0., 1., 2., 3.]), array([ 2.,  6., nan,  8.]))
    """
    check_choice("how", how, ("mean", "last", "interpolate"))
    columns = _read_values(values)
    time = read_times(time, len(columns.values))
    check_order("time", time, strict=False)
    start = time[0] if start is None else _read_start(start, time)
    place = _places(time, start, _read_step(step, time))
    if place[-1] < 0:
        raise InvalidParameter(f"start must not lie after the last time ({time[-1]}); got {start}.")
    if place[-1] >= MOST_STEPS:
        raise InvalidParameter(f"step = {step!r} makes {place[-1] + 1} steps; choose a longer one.")
    grid = start + np.arange(place[-1] + 1) * _read_step(step, time)
    if how == "interpolate":
        made = interpolate(time, values, np.minimum(grid, time[-1]))
    else:
        fill = _means if how == "mean" else _lasts
        used = place >= 0
        made = columns.shaped(fill(place[used], columns.values[used], len(grid)))
    return Resampled(frozen_array(grid, None), frozen_array(made), columns.names)


# -- pieces -------------------------------------------------------------------------------------------
def _places(time: np.ndarray, start: Any, step: Any) -> np.ndarray:
    """Which step each time falls into; a time within rounding of a boundary belongs to the later one."""
    if time.dtype.kind == "M":
        return (time - start) // step
    steps = (time - start) / step
    nearest = np.round(steps)
    slack = 8 * np.finfo(float).eps * np.maximum(np.abs(time), abs(start)) / step
    return np.where(np.abs(steps - nearest) <= slack, nearest, np.floor(steps)).astype(np.int64)


def _means(place: np.ndarray, values: np.ndarray, n: int) -> np.ndarray:
    out = np.full((n, values.shape[1]), np.nan)
    for j, column in enumerate(values.T):
        seen = ~np.isnan(column)
        count = np.bincount(place[seen], minlength=n)
        total = np.bincount(place[seen], weights=column[seen], minlength=n)
        np.divide(total, count, out=out[:, j], where=count > 0)
    return out


def _lasts(place: np.ndarray, values: np.ndarray, n: int) -> np.ndarray:
    out = np.full((n, values.shape[1]), np.nan)
    for j, column in enumerate(values.T):
        seen = ~np.isnan(column)
        out[place[seen], j] = column[seen]  # of several rows in one step the last is kept
    return out


def _along(time: np.ndarray, column: np.ndarray, at: np.ndarray, name: str, outside: str) -> np.ndarray:
    """One column at other times."""
    seen = ~np.isnan(column)
    if not seen.any():
        raise InvalidInput(f"Column {name!r} has no observation; there is nothing to interpolate.")
    known, y = time[seen], column[seen]
    before, after = at < known[0], at > known[-1]
    beyond = before | after
    if outside == "error" and beyond.any():
        raise InvalidInput(
            f"at = {at[np.argmax(beyond)]} lies outside the observations of {name!r} ({known[0]} to {known[-1]}). "
            'Say what to do there with outside="hold", "linear" or "missing".'
        )
    x, u = elapsed(known, known[0]), elapsed(at, known[0])
    out = np.interp(u, x, y)
    if outside == "missing":
        out[beyond] = np.nan
    if outside == "linear" and beyond.any():
        if len(x) < 2:
            raise InvalidInput(f"Column {name!r} has one observation; a line needs two.")
        for side, (i, j) in ((before, (0, 1)), (after, (-1, -2))):
            out[side] = y[i] + (u[side] - x[i]) * (y[j] - y[i]) / (x[j] - x[i])
    return out


# -- the door -----------------------------------------------------------------------------------------
def _read_values(values: Any) -> Columns:
    columns = read_columns("values", values, "values")
    refuse_nonfinite("values", columns, "Remove these rows.", missing=True)
    return columns


def _read_continuous(values: Any) -> Columns:
    columns = _read_values(values)
    if columns.categorical:
        raise InvalidInput(
            f"Column {columns.categorical[0]!r} holds categories, and there is nothing between two of them. "
            "Convert it to numbers if they mean amounts, or leave it out."
        )
    return columns


def _read_start(start: Any, time: np.ndarray) -> Any:
    start = read_axis("start", np.asarray(start)[None])
    check_same_kind("start", start, "time", time)
    return start[0]


def _read_step(step: Any, time: np.ndarray) -> Any:
    if time.dtype.kind != "M":
        return check_number("step", step, low=0, strict=True)
    if not isinstance(step, timedelta | np.timedelta64):
        raise InvalidParameter(
            f"step must be a length of time, such as numpy.timedelta64(20, 'm'), as time holds datetimes; got {step!r}."
        )
    step = np.timedelta64(step)
    if np.datetime_data(step)[0] in ("Y", "M", "generic"):
        raise InvalidParameter(f"step must be a fixed length of time, in weeks or less; got {step!r}.")
    if not step > np.timedelta64(0, "s"):
        raise InvalidParameter(f"step must be a positive length of time; got {step!r}.")
    return step
