r"""A straight line in time, regressed out and put back (DTU §10.3.1).

y(t) ≈ a + b (t − t₀)      least squares, from the triangle of (t − t₀, y)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.html_tables import Tabular
from suffice._core.records import frozen_array, record
from suffice.prepare._values import read_columns, refuse_nonfinite
from suffice.prepare.sequences._time import (
    check_same_kind,
    elapsed,
    for_frame,
    has_zone,
    read_axis,
    read_times,
)
from suffice.statistics import AffineFunction, Triangle


@record
class Trend:
    """A straight line in time, a + b (t − origin); datetimes count in days."""

    origin: Any
    function: AffineFunction
    zoned: bool | None = None

    @property
    def slope(self) -> Any:
        """Change per unit of time, or per day: one number, or one per column."""
        return self._shaped(self.function.slope)[0]

    def __call__(self, time: Any) -> np.ndarray:
        """The line at some times."""
        if self.zoned is not None and has_zone(time) not in (None, self.zoned):
            own = "has a time zone, and time has none" if self.zoned else "has no time zone, and time has one"
            raise InvalidInput(f"The time of this trend {own}; give times as those of the fit were.")
        return self._at(read_axis("time", time))

    def _at(self, time: np.ndarray) -> np.ndarray:
        check_same_kind("time", time, "the trend's time", np.asarray(self.origin))
        return self._shaped(self.function(elapsed(time, self.origin)[:, None]))

    def _shaped(self, a: np.ndarray) -> np.ndarray:
        return a[..., 0] if self.function.layout.header.n_targets is None else a


@record
class Detrended(Tabular):
    """Values without their linear trend, and the trend; `frame()` has the time and these values."""

    values: np.ndarray
    trend: Trend
    time: np.ndarray

    def restore(self, values: Any, time: Any = None) -> np.ndarray:
        """Values of this kind (predictions, say) with the trend added back, at their own times."""
        values = np.asarray(values, dtype=float)
        line = self.trend._at(self.time) if time is None else self.trend(time)
        if values.shape != line.shape:
            raise InvalidInput(
                f"values must have the shape of the trend at these times, {line.shape}; got {values.shape}."
            )
        return values + line

    def _columns(self) -> dict[str, np.ndarray]:
        table = self.values.reshape(len(self.time), -1)
        names = ["values"] if table.shape[1] == 1 else [f"values{j}" for j in range(table.shape[1])]
        return {"time": for_frame(self.time)} | {n: table[:, j].copy() for j, n in enumerate(names)}

    _title = "Values without their linear trend"


def detrend(values: Any, time: Any = None) -> Detrended:
    """Regress out a straight line in time.

    The line is that of all rows given. To judge forecasts, detrend the past alone, and let `trend` or
    `restore` carry the line into the future.

    Parameters
    ----------
    values
        A series, or several in columns. They come first here, since time may be left out; `resample` and
        `interpolate` cannot do without and begin with it.
    time
        When each row was recorded: numbers or datetimes. Rows are equidistant if it is left out.

    Examples
    --------
    >>> from suffice.prepare import detrend
    >>> flat = detrend([1.0, 4.0, 5.0, 8.0])
    >>> flat.values.round(6)
    array([-0.2,  0.6, -0.6,  0.2])
    >>> float(flat.trend.slope.round(6)), flat.restore([0.0], time=[10]).round(6)
    (2.2, array([23.2]))
    """
    if _holds_times(values):
        raise InvalidInput("values must be numbers; got times. The values come first: detrend(values, time).")
    columns = read_columns("values", values, "values")
    n = len(columns.values)
    zoned = None if time is None else has_zone(time)
    time = np.arange(float(n)) if time is None else read_times(time, n)
    refuse_nonfinite(
        "values", columns, "Leave these rows out, with their times, or fill them with `interpolate`."
    )
    if n == 0 or (time == time[0]).all():
        raise InvalidInput(f"A trend needs two different times; got {len(np.unique(time))}.")
    origin = time[0]
    y = columns.shaped(columns.values)
    trend = Trend(origin, Triangle.of(elapsed(time, origin)[:, None], y).lstsq().function, zoned)
    return Detrended(frozen_array(y - trend._at(time)), trend, frozen_array(time, None))


def _holds_times(values: Any) -> bool:
    kind = str(getattr(values, "dtype", getattr(values, "type", ""))).lower()
    return kind.startswith(("date", "timestamp")) or np.asarray(values).dtype.kind == "M"
