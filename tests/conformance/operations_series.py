"""Operations about series: calendars, lags, splits in time, and the baselines that go with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.model_selection import KFold

from suffice.baselines.last_value import LastValue
from suffice.datasets.dtu import traffic
from suffice.evaluation.series import Consecutive, Padded, Rolling
from suffice.prepare.sequences.calendar import CalendarFeatures
from suffice.prepare.sequences.embedding import embed
from suffice.prepare.sequences.series import interpolate, resample
from suffice.prepare.sequences.trend import detrend


class Traffic:
    """The printed table, and what the calendar adds to it."""

    def __init__(self, features: list[str] | None = None, one_hot: bool = False):
        self.data = traffic()
        self.calendar = CalendarFeatures(tuple(features or ("hour", "day")), one_hot=one_hot)
        self.columns = self.calendar.fit_transform(self.data.time)

    def hour(self):
        return self.columns[:, 0]

    def day(self):
        return self.columns[:, 1]

    def shape(self):
        return self.columns.shape

    def row_sums(self):
        return self.columns.sum(axis=1)

    def table(self):
        """Table 10.3: rain, temperature, station, cars, hour, day, y."""
        return np.column_stack([self.data.X, self.columns, self.data.y])


class Embed:
    """A recording cut into lags: that of the printed table, or one whose values are their own step numbers."""

    def __init__(self, p: int, h: int, steps: int | None = None, calendar: bool = False, series: Any = None):
        if steps is None:
            data = traffic()
            z = CalendarFeatures().fit_transform(data.time) if calendar else None
            self.table, self.y = embed(data.y, data.X, p, h, z, series), data.y
        else:
            self.y = np.arange(1.0, steps + 1)
            self.table = embed(self.y, np.column_stack([self.y, self.y]), p, h, None, series)

    def shape(self):
        return self.table.X.shape

    def targets(self):
        return self.table.y

    def first_row(self):
        return self.table.X[0]

    def last_row(self):
        return self.table.X[-1]

    def rows(self):
        return self.table.X

    def steps_of_targets(self):
        return self.table.rows + 1

    def padding(self):
        return self.table.padding

    def last_values(self):
        model = LastValue(self.table.newest).fit(self.table.X, self.table.y)
        return model.predict(self.table.X)

    def mean_squared_change(self):
        return LastValue(self.table.newest).fit(self.table.X, self.table.y).noise_variance_ml_


class StandardFormat:
    """The printed recording brought to another grid, or freed of its trend."""

    def __init__(self, minutes: int = 20, how: str = "mean", drop: list[int] | None = None):
        self.data, self.drop = traffic(), drop or []
        self.step, self.how = np.timedelta64(minutes, "m"), how
        self.kept = np.setdiff1d(np.arange(len(self.data.y)), self.drop)

    def values(self):
        return resample(self.data.time[self.kept], self.data.y[self.kept], self.step, self.how).values

    def filled(self):
        return interpolate(self.data.time[self.kept], self.data.y[self.kept], self.data.time[self.drop])

    def slope_per_step(self):
        return detrend(self.data.y).trend.slope

    def sum_without_trend(self):
        flat = detrend(self.data.y, self.data.time)
        return abs(flat.values.sum()) + abs(flat.values @ np.arange(len(self.data.y)))


class Splits:
    """Rows of training and test of a scheme: how many, how near, and which come first."""

    def __init__(self, scheme: str, n: int, folds: int, padding: int = 0, random_state: int = 0):
        self.n, self.padding = n, padding
        cv = SCHEMES[scheme](folds, padding, random_state)
        self.splits = list(cv.split(np.zeros((n, 1))))

    def train_sizes(self):
        return [len(train) for train, _ in self.splits]

    def test_sizes(self):
        return [len(test) for _, test in self.splits]

    def times_tested(self):
        return np.bincount(np.concatenate([test for _, test in self.splits]), minlength=self.n)

    def nearest(self):
        """The smallest distance between a training and a test row, over all folds."""
        return min(np.abs(train[:, None] - test).min() for train, test in self.splits)

    def trains_on_the_future(self):
        return any(train.max() > test.min() for train, test in self.splits)


SCHEMES: dict[str, Callable] = {
    "random": lambda k, padding, seed: Padded(KFold(k, shuffle=True, random_state=seed), padding),
    "consecutive": lambda k, padding, seed: Consecutive(k, padding=padding),
    "rolling": lambda k, padding, seed: Rolling(k, padding=padding),
}

OPERATIONS: dict[str, Callable] = {
    "embed": Embed,
    "splits": Splits,
    "standard_format": StandardFormat,
    "traffic": Traffic,
}
