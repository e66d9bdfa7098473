r"""What the calendar knows about a moment: hour of the day, day of the week, … (DTU §10.3.1, Table 10.3).

Such features are *instantaneous*: they can be computed for the time of a target before it is observed. As
numbers, 23:00 and 02:00 are far apart; one column per value (`one_hot`) makes no such claim.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY
from typing import Any, Self

import numpy as np
from sklearn.base import TransformerMixin

from suffice._core.errors import InvalidInput, InvalidParameter, check_flags
from suffice._core.records import estimator, record
from suffice._estimator import Estimator
from suffice.prepare.sequences._time import read_clock
from suffice.tables.frames import frame_of
from suffice.tables.requiring import same_names, same_number


@record
class CalendarPart:
    """One reading of the calendar: its smallest and largest value (None: without bound), and its rule."""

    low: int
    high: int | None
    of: Callable[[np.ndarray], np.ndarray]

    @property
    def values(self) -> range | None:
        """All values it can take, if they are a fixed set."""
        return None if self.high is None else range(self.low, self.high + 1)


def _within(unit: str, whole: str) -> Callable[[np.ndarray], np.ndarray]:
    """How many units have passed since the whole began."""

    def rule(time: np.ndarray) -> np.ndarray:
        return (time.astype(f"M8[{unit}]") - time.astype(f"M8[{whole}]").astype(f"M8[{unit}]")).astype(int)

    return rule


def _plus_one(rule: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda time: rule(time) + 1


def _weekday(time: np.ndarray) -> np.ndarray:
    return (time.astype("M8[D]").astype(int) + 3) % 7  # day zero, 1 January 1970, was a Thursday


def _week(time: np.ndarray) -> np.ndarray:
    """ISO 8601: weeks begin on Monday and belong to the year of their Thursday."""
    thursday = time.astype("M8[D]") - _weekday(time) + 3
    return _within("D", "Y")(thursday) // 7 + 1


PARTS = {
    "second": CalendarPart(0, 59, _within("s", "m")),
    "minute": CalendarPart(0, 59, _within("m", "h")),
    "hour": CalendarPart(0, 23, _within("h", "D")),
    "day": CalendarPart(0, 6, _weekday),
    "weekend": CalendarPart(0, 1, lambda time: (_weekday(time) >= 5).astype(int)),
    "day_of_month": CalendarPart(1, 31, _plus_one(_within("D", "M"))),
    "day_of_year": CalendarPart(1, 366, _plus_one(_within("D", "Y"))),
    "week": CalendarPart(1, 53, _week),
    "month": CalendarPart(1, 12, _plus_one(_within("M", "Y"))),
    "quarter": CalendarPart(1, 4, lambda time: _within("M", "Y")(time) // 3 + 1),
    "year": CalendarPart(1, None, lambda time: time.astype("M8[Y]").astype(int) + 1970),
}


@estimator
class CalendarFeatures(TransformerMixin, Estimator):
    """Datetimes to columns that say where in the day, the week or the year they lie.

    It learns nothing, so `transform` works without `fit`. Datetimes of numpy, pandas, polars and Python and ISO
    text are taken, as a vector or as columns. Times with a zone are read as their clock showed them.

    Parameters
    ----------
    features
        Any of "second", "minute", "hour", "day" (of the week, Monday is 0), "weekend" (0 or 1), "day_of_month",
        "day_of_year", "week" (ISO), "month", "quarter" and "year"; the last five and "day_of_month" count from 1.
    one_hot
        One column per possible value, whether it occurs or not, instead of one number. "year" has no such set.

    Examples
    --------
    >>> from suffice.prepare import CalendarFeatures
    >>> clock = CalendarFeatures()
    >>> clock.fit_transform(["2019-09-06T13:20", "2019-09-07T00:00"])
    array([[13.,  4.],
           [ 0.,  5.]])
    >>> clock.get_feature_names_out()
    array(['hour', 'day'], dtype=object)
    """

    features: tuple[str, ...] = ("hour", "day")
    _: KW_ONLY
    one_hot: bool = False

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters and remember the columns; there is nothing to learn."""
        _check_parameters(self)
        columns, names = _clocks(X)
        self.n_features_in_ = len(columns)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def transform(self, X: Any) -> np.ndarray:
        """One column per feature, or per value of it, for each column of datetimes."""
        _check_parameters(self)
        columns, names = _clocks(X)
        self._check_columns(len(columns), names)
        return np.hstack(
            [_encoded(PARTS[f].of(time), PARTS[f], self.one_hot) for time in columns for f in self.features]
        )

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The features' names, after that of their column where there are several."""
        _check_parameters(self)
        known = getattr(self, "feature_names_in_", None)
        if input_features is not None and known is not None and list(input_features) != list(known):
            raise InvalidInput(
                f"input_features must be {list(known)}, as in fit; got {list(input_features)}."
            )
        names = known if input_features is None else input_features
        if names is None:
            names = [f"x{j}" for j in range(getattr(self, "n_features_in_", 1))]
        if len(names) != getattr(self, "n_features_in_", len(names)):
            raise InvalidInput(f"input_features must have {self.n_features_in_} names; got {len(names)}.")
        stems = [""] if len(names) == 1 else [f"{name}_" for name in names]
        return np.array(
            [s + label for s in stems for f in self.features for label in self._labels(f)], dtype=object
        )

    def _labels(self, feature: str) -> list[str]:
        return [f"{feature}_{v}" for v in PARTS[feature].values or ()] if self.one_hot else [feature]

    def _check_columns(self, n: int, names: list[str] | None) -> None:
        """As scikit-learn says it: the columns of the fit, if there was one."""
        same_number(n, getattr(self, "n_features_in_", n), "CalendarFeatures")
        same_names(names, getattr(self, "feature_names_in_", None))

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.two_d_array = False  # of numbers, that is: datetimes are taken
        return tags


def _encoded(values: np.ndarray, part: CalendarPart, one_hot: bool) -> np.ndarray:
    if not one_hot:
        return values[:, None].astype(float)
    return (values[:, None] == np.arange(part.low, (part.high or 0) + 1)).astype(float)


def _check_parameters(calendar: CalendarFeatures) -> None:
    check_flags(calendar, "one_hot")
    chosen = calendar.features
    if isinstance(chosen, str) or not isinstance(chosen, tuple | list) or len(chosen) == 0:
        raise InvalidParameter(f"features must be a tuple of names, such as ('hour', 'day'); got {chosen!r}.")
    for name in chosen:
        if name not in PARTS:
            raise InvalidParameter(f"features must be among {', '.join(PARTS)}; got {name!r}.")
    if len(set(chosen)) < len(chosen):
        raise InvalidParameter(f"features must be different from each other; got {chosen!r}.")
    unbounded = [f for f in chosen if PARTS[f].values is None]
    if calendar.one_hot and unbounded:
        raise InvalidParameter(
            f"features must have a fixed set of values where one_hot is True; {unbounded[0]!r} has none. "
            "Encode it apart, or leave it out."
        )


def _clocks(X: Any) -> tuple[list[np.ndarray], list[str] | None]:
    """Columns of wall-clock times, and their names if the table has some."""
    frame = frame_of(X)
    names = None if frame is None else list(frame.names)
    if frame is not None:
        columns = [read_clock(f"Column {name!r}", frame.column(j)) for j, name in enumerate(frame.names)]
    elif hasattr(X, "toarray") or np.ndim(X) not in (1, 2):
        raise InvalidInput(f"X must be a vector or a table of datetimes; got shape {np.shape(X)}.")
    elif np.ndim(X) == 1:
        columns = [read_clock("X", X)]
    else:
        columns = [read_clock(f"Column {j}", c) for j, c in enumerate(np.asarray(X).T)]
    if not columns or len(columns[0]) == 0:
        raise InvalidInput("X has no datetimes; at least one row and one column are needed.")
    return columns, names
