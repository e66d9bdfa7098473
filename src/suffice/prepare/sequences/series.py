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
from suffice._core.html_tables import Tabular
from suffice._core.records import frozen_array, record
from suffice.prepare._values import NumberTable, read_columns, refuse_nonfinite
from suffice.prepare.sequences._interpolation import interpolate_column, lasts, means, places
from suffice.prepare.sequences._time import (
    check_order,
    check_same_kind,
    check_same_zone,
    for_frame,
    read_axis,
    read_times,
)

MOST_STEPS = 100_000_000


@record
class Resampled(Tabular):
    """Values on a grid of equal steps; NaN where a step has none. Times that had a zone are in UTC.

    `frame()` has the time and the values.
    """

    time: np.ndarray
    values: np.ndarray
    names: tuple[str, ...]

    def _columns(self) -> dict[str, np.ndarray]:
        table = self.values.reshape(len(self.time), -1)
        return {"time": for_frame(self.time)} | {n: table[:, j].copy() for j, n in enumerate(self.names)}

    @property
    def _title(self) -> str:
        return f"{len(self.time)} equal steps"


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
    given, wanted = time, at
    time, at = read_times(time, len(columns.values)), read_axis("at", at)
    check_same_kind("at", at, "time", time)
    check_same_zone("at", wanted, "time", given)
    check_order("time", time, strict=True)
    made = [
        interpolate_column(time, column, at, name, outside)
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

    Notes
    -----
    Times with a zone are instants: the grid comes back in UTC, as datetimes that do not name it.

    Examples
    --------
    >>> from suffice.prepare import resample
    >>> hourly = resample([0.0, 0.4, 1.5, 3.2], [1.0, 3.0, 6.0, 8.0], step=1.0)
    >>> hourly.time, hourly.values
    (array([0., 1., 2., 3.]), array([ 2.,  6., nan,  8.]))
    """
    check_choice("how", how, ("mean", "last", "interpolate"))
    columns = _read_values(values)
    if start is not None:
        check_same_zone("start", np.asarray(start)[None], "time", time)
    time = read_times(time, len(columns.values))
    check_order("time", time, strict=False)
    start = time[0] if start is None else _read_start(start, time)
    place = places(time, start, _read_step(step, time))
    if place[-1] < 0:
        raise InvalidParameter(f"start must not lie after the last time ({time[-1]}); got {start}.")
    if place[-1] >= MOST_STEPS:
        raise InvalidParameter(f"step = {step!r} makes {place[-1] + 1} steps; choose a longer one.")
    grid = start + np.arange(place[-1] + 1) * _read_step(step, time)
    if how == "interpolate":
        made = interpolate(time, values, np.minimum(grid, time[-1]))
    else:
        fill = means if how == "mean" else lasts
        used = place >= 0
        made = columns.shaped(fill(place[used], columns.values[used], len(grid)))
    return Resampled(frozen_array(grid, None), frozen_array(made), columns.names)


# -- the door -----------------------------------------------------------------------------------------
def _read_values(values: Any) -> NumberTable:
    columns = read_columns("values", values, "values")
    refuse_nonfinite("values", columns, "Remove these rows.", missing=True)
    return columns


def _read_continuous(values: Any) -> NumberTable:
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
