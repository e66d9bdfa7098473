"""The calendar against Python's own, on datetimes of every kind; and what of scikit-learn's contract applies."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.exceptions import SkipTestWarning
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.datasets.dtu import traffic
from suffice.linear import Ridge
from suffice.prepare.sequences.calendar import PARTS, CalendarFeatures

rng = np.random.default_rng(3)
SECONDS = rng.integers(-4_000_000_000, 8_000_000_000, 500)  # 1843 to 2223, before and after 1970
EDGES = [
    "1969-12-31T23:59:59",
    "1970-01-01",
    "2000-02-29",
    "2020-12-31",
    "2021-01-01",
    "2024-12-30",
    "1900-03-01",
]
TIMES = np.concatenate([SECONDS.astype("M8[s]"), np.array(EDGES, dtype="M8[s]")])
ORACLE = {
    "second": lambda t: t.second,
    "minute": lambda t: t.minute,
    "hour": lambda t: t.hour,
    "day": lambda t: t.weekday(),
    "weekend": lambda t: t.isoweekday() in (6, 7),
    "day_of_month": lambda t: t.day,
    "day_of_year": lambda t: t.timetuple().tm_yday,
    "week": lambda t: t.isocalendar().week,
    "month": lambda t: t.month,
    "quarter": lambda t: -(-t.month // 3),
    "year": lambda t: t.year,
}
SOME = ["2019-09-06T13:20:05", "2020-02-29T23:59:59", "1969-07-20T20:17:40"]
EXPECTED = [[13, 4], [23, 5], [20, 6]]


def test_every_feature_has_an_oracle():
    assert list(ORACLE) == list(PARTS)


@pytest.mark.parametrize("feature", PARTS)
def test_feature_is_that_of_the_standard_library(feature):
    made = CalendarFeatures((feature,)).fit_transform(TIMES)
    expected = [[ORACLE[feature](t)] for t in TIMES.tolist()]
    np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize("feature", [f for f in PARTS if f != "year"])
def test_one_hot_marks_the_value(feature):
    calendar = CalendarFeatures((feature,), one_hot=True)
    made, number = calendar.fit_transform(TIMES), CalendarFeatures((feature,)).transform(TIMES)[:, 0]
    names = calendar.get_feature_names_out()
    assert set(np.unique(made)) == {0.0, 1.0}
    np.testing.assert_array_equal(made.sum(axis=1), 1.0)
    assert [names[j] for j in made.argmax(axis=1)] == [f"{feature}_{int(v)}" for v in number]


def test_columns_of_one_hot_do_not_depend_on_the_rows():
    calendar = CalendarFeatures(("hour", "month"), one_hot=True)
    assert calendar.transform(["2019-09-06"]).shape == calendar.transform(TIMES).shape[:0] + (1, 24 + 12)


def kinds():
    import pandas
    import polars
    import pyarrow

    stamps = [datetime.fromisoformat(t) for t in SOME]
    east = timezone(timedelta(hours=5, minutes=30))
    return {
        "text": SOME,
        "text array": np.array(SOME),
        "text objects": np.array(SOME, dtype=object),
        "column of text": np.array(SOME)[:, None],
        "numpy s": np.array(SOME, dtype="M8[s]"),
        "numpy ns": np.array(SOME, dtype="M8[ns]"),
        "numpy column": np.array(SOME, dtype="M8[us]")[:, None],
        "python": stamps,
        "python rows": [[t] for t in stamps],
        "python, zone": [t.replace(tzinfo=east) for t in stamps],
        "text, zone": [t + "+05:30" for t in SOME],
        "numpy objects": np.array([np.datetime64(t) for t in SOME], dtype=object),
        "pandas series": pandas.Series(pandas.to_datetime(SOME)),
        "pandas index": pandas.DatetimeIndex(SOME),
        "pandas index, zone": pandas.DatetimeIndex(SOME).tz_localize("Asia/Tokyo"),
        "pandas zone": pandas.Series(pandas.to_datetime(SOME)).dt.tz_localize("Asia/Tokyo"),
        "pandas table": pandas.DataFrame({"when": pandas.to_datetime(SOME)}),
        "pandas table, zone": pandas.DataFrame({"when": pandas.to_datetime(SOME).tz_localize("US/Eastern")}),
        "pandas text": pandas.Series(SOME),
        "polars series": polars.Series(stamps),
        "polars zone": polars.Series(stamps).dt.replace_time_zone("Europe/Copenhagen"),
        "polars table": polars.DataFrame({"when": stamps}),
        "polars table, zone": polars.DataFrame({"when": stamps}).with_columns(
            polars.col("when").dt.replace_time_zone("Asia/Kolkata")
        ),
        "arrow": pyarrow.array(stamps),
        "arrow table": pyarrow.table({"when": stamps}),
        "arrow zone": pyarrow.chunked_array(
            [pyarrow.array([t.replace(tzinfo=UTC) for t in stamps], type=pyarrow.timestamp("us", tz="UTC"))]
        ),
    }


@pytest.mark.parametrize("kind", kinds())
def test_datetimes_of_every_kind(kind):
    np.testing.assert_array_equal(CalendarFeatures().fit_transform(kinds()[kind]), EXPECTED)


def test_dates_are_midnight():
    import polars

    days = [date(2019, 9, 6), date(2019, 9, 8)]
    for column in (days, np.array(days, dtype="M8[D]"), polars.Series(days)):
        np.testing.assert_array_equal(CalendarFeatures().transform(column), [[0, 4], [0, 6]])


def test_stateless():
    calendar = CalendarFeatures(("month", "hour"))
    before = calendar.transform(TIMES)
    calendar.fit(TIMES[:1])
    np.testing.assert_array_equal(calendar.transform(TIMES), before)
    np.testing.assert_array_equal(clone(calendar).fit_transform(TIMES), before)
    np.testing.assert_array_equal(calendar.transform(TIMES[::-1]), before[::-1])
    np.testing.assert_array_equal(np.vstack([calendar.transform([t]) for t in TIMES[:5]]), before[:5])


def test_several_columns():
    import pandas

    table = pandas.DataFrame(
        {"start": pandas.to_datetime(SOME), "end": pandas.to_datetime(SOME[::-1])}, index=[7, 8, 9]
    )
    calendar = CalendarFeatures().set_output(transform="pandas")
    made = calendar.fit_transform(table)
    assert list(made.columns) == ["start_hour", "start_day", "end_hour", "end_day"]
    assert made.index.tolist() == [7, 8, 9]
    np.testing.assert_array_equal(made.to_numpy(), np.hstack([EXPECTED, EXPECTED[::-1]]))
    assert (calendar.n_features_in_, list(calendar.feature_names_in_)) == (2, ["start", "end"])
    with pytest.raises(InvalidInput, match="X has 1 features, but CalendarFeatures is expecting 2 features"):
        calendar.transform(table[["start"]])
    with pytest.raises(
        InvalidInput, match=r"feature names should match those of the fit, \('start', 'end'\)"
    ):
        calendar.transform(table[["end", "start"]])
    with pytest.raises(InvalidInput, match=r"input_features must be \['start', 'end'\], as in fit"):
        calendar.get_feature_names_out(["a", "b"])


def test_names_without_fit_and_after_a_second_fit():
    import pandas

    calendar = CalendarFeatures(("year", "week"))
    assert list(calendar.get_feature_names_out()) == ["year", "week"]
    assert list(calendar.get_feature_names_out(["a", "b"])) == ["a_year", "a_week", "b_year", "b_week"]
    calendar.fit(pandas.DataFrame({"when": pandas.to_datetime(SOME)}))
    assert list(calendar.feature_names_in_) == ["when"]
    assert not hasattr(calendar.fit(SOME), "feature_names_in_")
    with pytest.raises(InvalidInput, match="input_features must have 1 names; got 2"):
        calendar.get_feature_names_out(["a", "b"])


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_inside_pipelines(kind):
    data = traffic()
    table = data.frame(kind)
    columns = make_column_transformer(
        (CalendarFeatures(one_hot=True), ["time"]), ("passthrough", ["rain", "temperature"])
    )
    model = make_pipeline(columns, Ridge(0.1)).fit(table, data.y)
    assert model[0].get_feature_names_out()[13] == "calendarfeatures__hour_13"
    assert np.isfinite(model.predict(table)).all()
    one = make_column_transformer((CalendarFeatures(), "time"))  # a column handed over as a vector
    np.testing.assert_array_equal(one.fit_transform(table)[:, 0], [13, 13, 14, 14, 14, 15, 15])


def test_parameters_can_be_searched():
    calendar = CalendarFeatures().set_params(features=("month",), one_hot=True)
    assert calendar.get_params() == {"features": ("month",), "one_hot": True}
    assert calendar.transform(SOME).shape == (3, 12)
    assert "one_hot=True" in repr(calendar)


# -- bad input ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([1.0, 2.0], r"X must be datetimes; got numbers \(float64\)\. Convert them first"),
        (np.array([[1567776000]]), r"Column 0 must be datetimes; got numbers \(int64\)"),
        ([True, False], r"X must be datetimes; got numbers \(bool\)"),
        (
            ["13:20, Sep 6th, 2019"],
            r"X is '13:20, Sep 6th, 2019' at row 0, which is not a datetime\. ISO text such",
        ),
        (["2019-09-06", "06/09/2019"], r"X is '06/09/2019' at row 1"),
        (["2019-09-06", ""], r"X is '' at row 1"),
        (["2019-09-06", None], "X is missing at row 1; remove the row"),
        (np.array(["2019-09-06", "NaT"], dtype="M8[D]"), "X is missing at row 1"),
        (["2019-09-06T10:00+02:00", "2019-09-06"], "X has a time zone at row 0 but not in every row"),
        (np.array([timedelta(1)]), "X is .*timedelta.* at row 0, which is not a datetime"),
        (np.array([1, 2], dtype="m8[s]"), r"X must hold times; got timedelta64\[s\]"),
        ([], "X must be datetimes; got numbers|X has no datetimes"),
        (np.array([], dtype="M8[s]"), "X has no datetimes; at least one row"),
        (np.zeros((2, 0), dtype="M8[s]"), "X has no datetimes; at least one row and one column"),
        (np.zeros((2, 2, 2), dtype="M8[s]"), r"a vector or a table of datetimes; got shape \(2, 2, 2\)"),
        ("2019-09-06", r"a vector or a table of datetimes; got shape \(\)"),
    ],
)
def test_bad_tables(X, message):
    for call in (CalendarFeatures().fit, CalendarFeatures().transform):
        with pytest.raises(InvalidInput, match=message):
            call(X)


def test_a_bad_column_is_named():
    import pandas

    table = pandas.DataFrame({"when": pandas.to_datetime(SOME), "speed": [1.0, 2.0, 3.0]})
    with pytest.raises(InvalidInput, match=r"Column 'speed' must be datetimes; got numbers"):
        CalendarFeatures().fit(table)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"features": "hour"}, r"features must be a tuple of names, such as \('hour', 'day'\); got 'hour'"),
        ({"features": ()}, "features must be a tuple of names"),
        ({"features": 3}, "features must be a tuple of names"),
        ({"features": ("hour", "fortnight")}, "features must be among second, .*, year; got 'fortnight'"),
        ({"features": ("hour", "hour")}, "features must be different from each other"),
        ({"features": ("hour", "year"), "one_hot": True}, "'year' has none. Encode it apart"),
        ({"one_hot": "yes"}, "one_hot must be True or False; got 'yes'"),
    ],
)
def test_bad_parameters(parameters, message):
    for call in ("fit", "transform"):
        with pytest.raises(InvalidParameter, match=message):
            getattr(CalendarFeatures(**parameters), call)(SOME)


# -- scikit-learn -------------------------------------------------------------------------------------
class OnNumbers(CalendarFeatures):
    """The same transformer behind a gate that turns numbers into datetimes, so that numbers can be fed to it."""

    def fit(self, X, y=None):
        return super().fit(as_times(X))

    def transform(self, X):
        return super().transform(as_times(X))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def as_times(X):
    numbers = np.asarray(X, dtype=float)
    return (1e6 * numbers).astype("M8[s]")


ABOUT_NUMBERS = {  # what these ask is answered by the gate, not by us
    "check_complex_data",
    "check_dtype_object",
    "check_estimators_empty_data_messages",
    "check_estimators_nan_inf",
    "check_estimator_sparse_tag",
    "check_estimator_sparse_array",
    "check_estimator_sparse_matrix",
    "check_array_api_input",
    "check_fit1d",
    "check_fit2d_predict1d",
    "check_transformer_data_not_an_array",
}


def outcomes(model):
    results = estimator_checks.check_estimator(model, on_fail=None, on_skip=None)
    return {r["check_name"]: (r["status"], r["exception"]) for r in results}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize(
    "options", [{}, {"features": ("week", "month"), "one_hot": True}], ids=["default", "far"]
)
def test_checks_of_scikit_learn_pass_once_numbers_are_turned_into_times(options):
    found = outcomes(OnNumbers(**options))
    assert {n: o for n, o in found.items() if o[0] != "passed" and n not in ABOUT_NUMBERS} == {}
    assert len(found) - len(ABOUT_NUMBERS) >= 25


def test_scikit_learn_can_feed_nothing_but_numbers():
    """So its generator yields no check for an estimator that says it takes none."""
    with pytest.warns(SkipTestWarning, match="Can't test estimator CalendarFeatures"):
        found = outcomes(CalendarFeatures())
    assert set(found) <= {"check_estimator_cloneable"}
