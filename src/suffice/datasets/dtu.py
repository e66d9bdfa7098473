"""Herlau, Schmidt & Mørup, Introduction to Machine Learning and Data Mining: its tables, generators for its figures."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from suffice._core.errors import InvalidInput, check_number
from suffice._core.random import generator
from suffice._core.records import frozen_array, record
from suffice.datasets._records import GENERATED, Dataset, _Table, check_size

_TEXT = "Herlau, Schmidt & Mørup, Introduction to Machine Learning and Data Mining"
_TRAFFIC = (  # rain, temperature, people at another station, cars; people at the station of interest
    (1, 23.7, 120, 236, 164),
    (1, 22.9, 141, 249, 163),
    (1, 24.6, 168, 243, 186),
    (0, 25.0, 179, 250, 184),
    (0, 26.4, 189, 254, 196),
    (0, 26.1, 215, 271, 197),
    (1, 25.3, 227, 278, 211),
)


@record
class Recording(_Table):
    """A table and its target, recorded over time: row i belongs to `time[i]`."""

    time: np.ndarray

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "time", frozen_array(self.time, dtype=None))
        if self.time.shape != (len(self.y),):
            raise InvalidInput(f"time must have one entry per row ({len(self.y)}); got {self.time.shape}.")

    _times: ClassVar[tuple[str, ...]] = ("time",)
    __repr__ = _Table.__repr__


def traffic() -> Recording:
    """People at a train station every twenty minutes of an afternoon, with what was measured (Table 10.2).

    The text calls `cars` a velocity in km/h, which its values contradict; they are used as printed. Hour and
    weekday of Table 10.3 come from `time`, by `suffice.prepare.CalendarFeatures`.

    Examples
    --------
    >>> from suffice.datasets import traffic
    >>> data = traffic()
    >>> data.X.shape, str(data.time[0]), float(data.y[0])
    ((7, 4), '2019-09-06T13:20', 164.0)
    """
    rows = np.array(_TRAFFIC)
    time = np.datetime64("2019-09-06T13:20") + np.timedelta64(20, "m") * np.arange(len(rows))
    names = ("rain", "temperature", "station", "cars")
    return Recording(
        rows[:, :4], rows[:, 4], names, "people", f"{_TEXT}, Table 10.2", "printed numbers", time
    )


def quadratic_surface(n: int = 100, noise_std: float = 0.05, random_state: Any = None) -> Dataset:
    """y = −0.5 + 0.5x₁ + 0.5x₂ − 0.25x₁² − 0.25x₂² − 0.125x₁x₂, plus noise (§8.1.1, Fig. 8.5).

    The weights are printed. The number of points, their law (uniform on [−2, 2]²) and the noise are ours.
    """
    check_size(n)
    check_number("noise_std", noise_std, low=0.0)
    inputs, noise = generator(random_state).spawn(2)
    X = inputs.uniform(-2.0, 2.0, size=(n, 2))
    a, b = X.T
    y = -0.5 + 0.5 * a + 0.5 * b - 0.25 * a**2 - 0.25 * b**2 - 0.125 * a * b
    y = y + noise_std * noise.standard_normal(n)
    return Dataset(X, y, ("x1", "x2"), "y", f"{_TEXT}, Fig. 8.5", GENERATED)
