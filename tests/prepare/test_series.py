"""Recordings to tables: lags against a naive double loop, and what resampling, interpolation and trends promise."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.datasets.dtu import traffic
from suffice.prepare.sequences.embedding import Embedding, embed
from suffice.prepare.sequences.series import interpolate, resample
from suffice.prepare.sequences.trend import detrend

HOUR = np.timedelta64(1, "h")


def naive_embedding(y, X, p, h, z, series):
    """Eq. 10.7 as it is written, one series after the other, one cell at a time; rows sorted by target."""
    found = []
    for s in sorted(set(series)):
        steps = [i for i in range(len(y)) if series[i] == s]
        for i in range(p + 1, len(steps) - h + 2):  # the text counts from one
            cells = []
            for back in range(p, 0, -1):
                cells += [X[steps[i - back - 1]][j] for j in range(len(X[0]))]
            for back in range(p, 0, -1):
                cells.append(y[steps[i - back - 1]])
            target = steps[i + h - 2]
            found.append((target, cells + list(z[target]), y[target]))
    found.sort()
    return [f[0] for f in found], [f[1] for f in found], [f[2] for f in found]


@st.composite
def recordings(draw):
    p, h = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    lengths = draw(st.lists(st.integers(p + h, p + h + 6), min_size=1, max_size=3))
    series = np.repeat(np.arange(len(lengths)), lengths)
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    if draw(st.booleans()):
        rng.shuffle(series)  # a long table: rows of several series interleaved
    n = len(series)
    m, k = draw(st.integers(0, 3)), draw(st.integers(0, 2))
    return p, h, series, rng.standard_normal(n), rng.standard_normal((n, m)), rng.standard_normal((n, k))


class TestEmbed:
    @given(recordings())
    def test_is_the_double_loop(self, case):
        p, h, series, y, X, z = case
        table = embed(y, X if X.size else None, p, h, z if z.size else None, series)
        rows, inputs, targets = naive_embedding(y, X, p, h, z, series)
        assert table.rows.tolist() == rows
        np.testing.assert_array_equal(table.X, inputs)
        np.testing.assert_array_equal(table.y, targets)
        np.testing.assert_array_equal(table.groups, series[rows])

    @given(recordings())
    def test_shape_and_positions(self, case):
        p, h, _, y, X, z = case
        m, k = X.shape[1], z.shape[1]
        table = embed(y, X if m else None, p, h, z if k else None)
        assert table.X.shape == (len(y) - p - h + 1, p * (m + 1) + k)
        assert table.lagged.tolist() == list(range(p * (m + 1)))
        assert table.instantaneous.tolist() == list(range(p * (m + 1), p * (m + 1) + k))
        assert table.newest == p * (m + 1) - 1
        assert table.groups is None
        assert np.all(np.diff(table.rows) == 1)

    @given(recordings())
    def test_names_say_where_each_cell_comes_from(self, case):
        p, h, _, y, X, z = case
        table = embed(y, X if X.size else None, p, h, z if z.size else None)
        sources = {"y": y} | {f"x{j}": c for j, c in enumerate(X.T)} | {f"z{j}": c for j, c in enumerate(z.T)}
        assert len(set(table.names)) == table.X.shape[1]
        for name, column in zip(table.names, table.X.T, strict=True):
            source, back = re.fullmatch(r"(\w+)\[t(?:-(\d+))?\]", name).groups()
            np.testing.assert_array_equal(column, sources[source][table.rows - int(back or 0)])

    def test_one_series_is_the_default(self):
        y = np.arange(10.0) ** 2
        one, named = embed(y, p=3, h=2), embed(y, p=3, h=2, series_id=["a"] * 10)
        np.testing.assert_array_equal(one.X, named.X)
        np.testing.assert_array_equal(one.rows, named.rows)
        assert set(named.groups) == {"a"}

    def test_breaks_are_not_bridged(self):
        y = np.concatenate([np.arange(5.0), 100 + np.arange(5.0)])
        table = embed(y, p=2, series_id=[0] * 5 + [1] * 5)
        assert len(table.y) == 2 * (5 - 2)
        assert np.all(np.abs(table.X - table.y[:, None]) <= 2)
        assert np.abs(embed(y, p=2).X - embed(y, p=2).y[:, None]).max() > 90

    @pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
    def test_tables_of_every_kind(self, kind):
        import pandas
        import polars
        import pyarrow

        data = traffic()
        columns = {n: data.X[:, j] for j, n in enumerate(data.feature_names)}
        X = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "pyarrow": pyarrow.table}[kind](columns)
        y = {"pandas": pandas.Series, "polars": polars.Series, "pyarrow": pyarrow.array}[kind](data.y.copy())
        table, plain = embed(y, X, 2, 3), embed(data.y, data.X, 2, 3)
        np.testing.assert_array_equal(table.X, plain.X)
        np.testing.assert_array_equal(table.y, plain.y)
        assert table.names[:4] == ("rain[t-4]", "temperature[t-4]", "station[t-4]", "cars[t-4]")
        assert table.names[-1] == "y[t-3]"

    def test_a_named_series_keeps_its_name(self):
        import pandas
        import polars

        for make in (lambda v: pandas.Series(v, name="people"), lambda v: polars.Series("people", v)):
            table = embed(make([1.0, 2.0, 3.0]))
            assert (table.names, table.target_name) == (("people[t-1]",), "people[t]")

    @pytest.mark.parametrize("kind", ["pandas", "polars"])
    def test_frame(self, kind):
        table = embed([1.0, 2.0, 4.0, 8.0], [[0.0], [1.0], [0.0], [1.0]], p=2)
        frame = table.frame(kind)
        assert list(frame.columns) == ["x0[t-2]", "x0[t-1]", "y[t-2]", "y[t-1]", "y[t]"]
        np.testing.assert_array_equal(frame.to_numpy(), np.column_stack([table.X, table.y]))

    def test_integers_booleans_missing_objects(self):
        assert embed(np.array([1, 2, 3], dtype=np.int8)).y.tolist() == [2.0, 3.0]
        assert embed([1.0, 2.0], [True, False]).X.tolist() == [[1.0, 1.0]]
        assert embed(np.array([1, 2.5, 3], dtype=object)).y.tolist() == [2.5, 3.0]

    def test_the_recording_is_not_changed_and_the_table_cannot_be(self):
        y = np.arange(6.0)
        table = embed(y, p=2)
        for array in (table.X, table.y, table.rows):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
        y[0] = 99.0
        assert table.X[0, 0] == 0.0

    def test_is_a_value(self):
        y = np.arange(6.0)
        assert embed(y, p=2) == embed(y, p=2)
        assert hash(embed(y, p=2)) == hash(embed(y, p=2))
        assert embed(y, p=2) != embed(y, p=3)
        assert repr(embed(y, p=2, series_id=[0, 0, 0, 1, 1, 1])) == (
            "Embedding(2 × 2, p=2, h=1, 2 series: … y[t-1] → y[t])"
        )


class TestEmbedding:
    y = np.sin(np.arange(30.0)) + np.arange(30.0)
    X = np.column_stack([np.cos(np.arange(30.0)), np.arange(30.0) % 7])
    z = np.arange(30.0)[:, None] % 24

    def table(self, p=3, h=2) -> Embedding:
        return embed(self.y, self.X, p, h, self.z)

    def test_only_one_kind_of_column(self):
        table = self.table()
        now, past = table.only("instantaneous"), table.only("lagged")
        np.testing.assert_array_equal(np.hstack([past.X, now.X]), table.X)
        assert past.names + now.names == table.names
        for part in (now, past):
            np.testing.assert_array_equal(part.y, table.y)
            np.testing.assert_array_equal(part.rows, table.rows)
        assert (now.lagged.size, now.instantaneous.tolist()) == (0, [0])
        assert past.newest == table.newest
        with pytest.raises(InvalidInput, match="no lagged columns, so there is no newest"):
            _ = now.newest
        with pytest.raises(InvalidInput, match="no instantaneous columns; it has y"):
            embed(self.y).only("instantaneous")
        with pytest.raises(InvalidParameter, match="kind must be one of 'instantaneous', 'lagged'; got 'x'"):
            table.only("x")

    @pytest.mark.parametrize(("p", "h"), [(1, 1), (3, 1), (2, 4), (5, 2)])
    def test_ahead_is_the_row_that_comes_when_the_target_does(self, p, h):
        known = 20
        later = embed(self.y[: known + h], self.X[: known + h], p, h, self.z[: known + h])
        table = embed(self.y[:known], self.X[:known], p, h, self.z[:known])
        row = table.ahead(self.y[:known], self.X[:known], self.z[[known + h - 1]])
        np.testing.assert_array_equal(row, later.X[-1:])
        shortest = table.ahead(
            self.y[known - p : known], self.X[known - p : known], [[self.z[known + h - 1, 0]]]
        )
        np.testing.assert_array_equal(row, shortest)

    def test_ahead_wants_the_same_columns(self):
        import pandas

        table = self.table()
        with pytest.raises(InvalidInput, match=r"make the columns y\[t-4\].*; the embedding has x0\[t-4\]"):
            table.ahead(self.y)
        with pytest.raises(InvalidInput, match="the recording has 2 steps; at least 3 are needed"):
            table.ahead(self.y[:2], self.X[:2], [[1.0]])
        with pytest.raises(InvalidInput, match=r"instantaneous must have one row per step \(1\); got 30"):
            table.ahead(self.y, self.X, self.z)
        named = pandas.DataFrame(self.X, columns=["a", "b"])
        table = embed(self.y, named, 2)
        np.testing.assert_array_equal(table.ahead(self.y, self.X), table.ahead(self.y, named))
        with pytest.raises(InvalidInput, match=r"columns b\[t-2\]"):
            table.ahead(self.y, named[["b", "a"]])

    @pytest.mark.parametrize(("p", "h"), [(1, 1), (4, 1), (1, 3), (3, 2)])
    def test_padding_is_the_distance_at_which_nothing_is_shared(self, p, h):
        table = embed(np.arange(40.0), p=p, h=h)  # every value occurs once, so sharing shows
        rows = [set(x) for x in table.X]

        def leaks(a, b):
            return table.y[a] in rows[b] or table.y[b] in rows[a]

        apart = [abs(a - b) for a in range(len(rows)) for b in range(len(rows)) if leaks(a, b)]
        assert max(apart) == table.padding == p + h - 1


class TestEmbedRefuses:
    @pytest.mark.parametrize("name", ["p", "h"])
    @pytest.mark.parametrize("value", [0, -1, 1.0, True, "1", None, np.nan])
    def test_sizes(self, name, value):
        with pytest.raises(InvalidParameter, match=rf"^{name} must be an integer >= 1; got "):
            embed([1.0, 2.0, 3.0], **{name: value})

    def test_numpy_integers_are_integers(self):
        assert embed([1.0, 2.0, 3.0], p=np.int64(2)).X.shape == (1, 2)

    def test_short_series(self):
        with pytest.raises(InvalidInput, match=r"y has 3 steps; at least 5 are needed \(p \+ h = 2 \+ 3\)"):
            embed([1.0, 2.0, 3.0], p=2, h=3)
        with pytest.raises(InvalidInput, match=r"series week 2 has 1 steps; at least 2 are needed"):
            embed([1.0, 2.0, 3.0], series_id=["week 1", "week 1", "week 2"])
        with pytest.raises(InvalidInput, match="y has 0 steps"):
            embed([])

    @pytest.mark.parametrize(("value", "word"), [(np.nan, "NaN"), (np.inf, "inf"), (-np.inf, "inf")])
    def test_gaps(self, value, word):
        y, X = np.arange(5.0), np.ones((5, 2))
        y[3] = value
        with pytest.raises(InvalidInput, match=rf"y contains {word} at row 3\. Fill the gap.*interpolate"):
            embed(y)
        X[2, 1] = value
        with pytest.raises(InvalidInput, match=rf"X contains {word} at row 2, column 'x1'\. Fill the gap"):
            embed(np.arange(5.0), X)
        with pytest.raises(InvalidInput, match=rf"instantaneous contains {word} at row 2, column 'z1'"):
            embed(np.arange(5.0), instantaneous=X)

    def test_missing_values_of_tables(self):
        import pandas

        with pytest.raises(InvalidInput, match="y contains NaN at row 1"):
            embed(pandas.Series([1, None, 3], dtype="Int64"))
        with pytest.raises(InvalidInput, match="y contains NaN at row 0"):
            embed(np.array([None, 1, 2], dtype=object))

    def test_lengths(self):
        with pytest.raises(InvalidInput, match=r"X must have one row per step \(5\); got 4"):
            embed(np.arange(5.0), np.ones((4, 1)))
        with pytest.raises(InvalidInput, match=r"instantaneous must have one row per step \(5\); got 6"):
            embed(np.arange(5.0), instantaneous=np.ones((6, 1)))
        with pytest.raises(
            InvalidInput, match=r"series_id must have one entry per step of y \(5\); got shape \(4,\)"
        ):
            embed(np.arange(5.0), series_id=[1, 1, 1, 1])

    def test_shapes(self):
        with pytest.raises(InvalidInput, match=r"y must be one series, a vector; got shape \(5, 1\)"):
            embed(np.ones((5, 1)))
        with pytest.raises(InvalidInput, match=r"X must be a vector or a table; got shape \(5, 1, 1\)"):
            embed(np.arange(5.0), np.ones((5, 1, 1)))
        with pytest.raises(InvalidInput, match=r"X has no columns; at least one is needed"):
            embed(np.arange(5.0), np.ones((5, 0)))

    def test_text(self):
        import pandas

        with pytest.raises(InvalidInput, match=r"y must be numbers; got .*'a'.* at row 0"):
            embed(["a", "b", "c"])
        with pytest.raises(InvalidInput, match="y must be numbers; got '2' at row 1"):
            embed(np.array([1, "2", 3], dtype=object))
        table = pandas.DataFrame({"speed": [1, 2, 3], "weather": ["dry", "wet", "dry"]})
        with pytest.raises(
            InvalidInput, match="X, column 'weather', must be numbers; got 'dry' at row 0. Encode"
        ):
            embed([1.0, 2.0, 3.0], table)
        when = np.array(["2019-01-01", "2019-01-02", "2019-01-03"], dtype="M8[D]")
        with pytest.raises(InvalidInput, match="X, column 'x', must be numbers; got .*2019-01-01"):
            embed([1.0, 2.0, 3.0], when)

    def test_names_that_meet(self):
        import pandas

        table = pandas.DataFrame({"y": [1.0, 2.0, 3.0]})
        with pytest.raises(InvalidInput, match="share the name 'y'; rename one"):
            embed([1.0, 2.0, 3.0], table)
        with pytest.raises(InvalidInput, match="share the name 'y'; rename one"):
            embed([1.0, 2.0, 3.0], instantaneous=table)
        twice = pandas.DataFrame([[1.0, 2.0]] * 3, columns=["a", "a"])
        with pytest.raises(InvalidInput, match="X has 2 columns called 'a'; rename them"):
            embed([1.0, 2.0, 3.0], twice)

    def test_series_without_a_name(self):
        with pytest.raises(InvalidInput, match="series_id is missing at row 1"):
            embed([1.0, 2.0, 3.0], series_id=[1.0, np.nan, 1.0])
        with pytest.raises(InvalidInput, match="series_id is missing at row 2"):
            embed([1.0, 2.0, 3.0], series_id=["a", "a", None])
        with pytest.raises(InvalidParameter, match="series_id must be all numbers or all text"):
            embed([1.0, 2.0, 3.0], series_id=np.array(["a", 1, "a"], dtype=object))


# -- interpolation ------------------------------------------------------------------------------------
@st.composite
def observations(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(2, 12))
    time = draw(st.sampled_from([0.0, -7.0, 1e9])) + np.cumsum(rng.integers(1, 9, n)).astype(float)
    return time, rng.standard_normal(n), rng.uniform(time[0], time[-1], 7)


def naive_interpolation(time, values, at):
    """Between the nearest observation before and the nearest after, in proportion."""
    out = []
    for t in at:
        i = max(k for k in range(len(time) - 1) if time[k] <= t)
        share = (t - time[i]) / (time[i + 1] - time[i])
        out.append((1 - share) * values[i] + share * values[i + 1])
    return np.array(out)


class TestInterpolate:
    @given(observations())
    def test_is_the_line_between_neighbours(self, case):
        time, values, at = case
        np.testing.assert_allclose(
            interpolate(time, values, at), naive_interpolation(time, values, at), rtol=1e-9, atol=1e-12
        )

    @given(observations())
    def test_observations_are_kept(self, case):
        time, values, _ = case
        np.testing.assert_array_equal(interpolate(time, values, time), values)

    @given(observations(), st.floats(-3, 3), st.floats(-3, 3))
    def test_lines_stay_lines(self, case, a, b):
        time, _, at = case
        line = a + b * (time - time[0])
        np.testing.assert_allclose(interpolate(time, line, at), a + b * (at - time[0]), rtol=1e-9, atol=1e-9)

    def test_gaps_are_filled_column_by_column(self):
        table = [[1.0, np.nan], [np.nan, 10.0], [3.0, 20.0], [4.0, 30.0]]
        filled = interpolate([0, 1, 2, 3], table, [1, 2, 3])
        np.testing.assert_array_equal(filled, [[2.0, 10.0], [3.0, 20.0], [4.0, 30.0]])
        with pytest.raises(
            InvalidInput, match=r"at = 0\.0 lies outside the observations of 'values1' \(1\.0 to 3\.0\)"
        ):
            interpolate([0, 1, 2, 3], table, [0])

    def test_outside_only_when_told(self):
        time, values, at = [10.0, 20.0, 40.0], [1.0, 3.0, 2.0], [0.0, 15.0, 60.0]
        with pytest.raises(
            InvalidInput, match=r'at = 0.0 lies outside .*Say what to do there with outside="hold"'
        ):
            interpolate(time, values, at)
        np.testing.assert_array_equal(interpolate(time, values, at, outside="hold"), [1.0, 2.0, 2.0])
        np.testing.assert_allclose(
            interpolate(time, values, at, outside="linear"), [-1.0, 2.0, 1.0], rtol=1e-14
        )
        np.testing.assert_array_equal(interpolate(time, values, at, outside="missing"), [np.nan, 2.0, np.nan])

    def test_datetimes_of_every_kind(self):
        import pandas
        import polars

        time = np.array(["2020-02-28T12:00", "2020-02-29T12:00", "2020-03-02T12:00"], dtype="M8[m]")
        at = np.array(["2020-02-29T00:00", "2020-03-01T12:00"], dtype="M8[ns]")
        expected = [1.5, 3.0]
        for make in (
            lambda t: t,
            lambda t: t.astype("M8[us]").tolist(),
            lambda t: [str(v) for v in t],
            lambda t: pandas.Series(t),
            lambda t: pandas.DatetimeIndex(t),
            lambda t: polars.Series(t.astype("M8[us]")),
        ):
            np.testing.assert_allclose(
                interpolate(make(time), [1.0, 2.0, 4.0], make(at)), expected, rtol=1e-14
            )

    def test_times_with_a_zone_are_instants(self):
        import pandas
        import polars

        east = timezone(timedelta(hours=9))
        time = [
            datetime(2020, 1, 1, 0, tzinfo=UTC),
            datetime(2020, 1, 1, 13, tzinfo=east),
        ]  # four hours apart
        at = [datetime(2020, 1, 1, 1, tzinfo=UTC)]
        np.testing.assert_allclose(interpolate(time, [0.0, 4.0], at), [1.0], rtol=1e-14)
        zoned = pandas.Series(pandas.to_datetime(["2020-10-25 00:30", "2020-10-25 01:30"], utc=True))
        local = zoned.dt.tz_convert("Europe/Copenhagen")  # the clock shows 02:30 twice
        np.testing.assert_allclose(interpolate(local, [0.0, 1.0], local), [0.0, 1.0], rtol=1e-14)
        strange = polars.Series(zoned.dt.tz_localize(None).to_list()).dt.replace_time_zone("UTC")
        strange = strange.dt.convert_time_zone("Europe/Copenhagen")
        np.testing.assert_allclose(interpolate(strange, [0.0, 1.0], local), [0.0, 1.0], rtol=1e-14)

    def test_categories_are_refused(self):
        import pandas
        import polars

        for column in (
            [True, False],
            pandas.Series([1, 2], dtype="category"),
            polars.Series([True, False]),
        ):
            with pytest.raises(
                InvalidInput, match="holds categories, and there is nothing between two of them"
            ):
                interpolate([0, 1], column, [0.5])
        table = pandas.DataFrame({"speed": [1.0, 2.0], "wet": pandas.Categorical([0, 1])})
        with pytest.raises(InvalidInput, match="'wet' holds categories"):
            interpolate([0, 1], table, [0.5])
        with pytest.raises(InvalidInput, match="values must be numbers; got .*'a'"):
            interpolate([0, 1], ["a", "b"], [0.5])

    def test_bad_input(self):
        with pytest.raises(
            InvalidInput, match=r"time must increase from row to row; row 2 \(1\.0\) follows 1\.0"
        ):
            interpolate([0, 1, 1], [1.0, 2.0, 3.0], [0.5])
        with pytest.raises(InvalidInput, match=r"row 1 \(0\.0\) follows 5\.0\. Sort the rows by time"):
            interpolate([5, 0], [1.0, 2.0], [0.5])
        with pytest.raises(InvalidInput, match=r"time must have one entry per row of values \(2\); got 3"):
            interpolate([0, 1, 2], [1.0, 2.0], [0.5])
        with pytest.raises(InvalidInput, match="time contains NaN at row 1"):
            interpolate([0, np.nan], [1.0, 2.0], [0.5])
        with pytest.raises(InvalidInput, match="at contains inf at row 0"):
            interpolate([0, 1], [1.0, 2.0], [np.inf])
        with pytest.raises(InvalidInput, match="values contains inf at row 1"):
            interpolate([0, 1], [1.0, np.inf], [0.5])
        with pytest.raises(InvalidInput, match="'values' has no observation"):
            interpolate([0, 1], [np.nan, np.nan], [0.5])
        with pytest.raises(InvalidInput, match="'values' has one observation; a line needs two"):
            interpolate([0, 1], [np.nan, 1.0], [0.5], outside="linear")
        with pytest.raises(InvalidInput, match="at least one observation is needed"):
            interpolate([], [], [0.5])
        with pytest.raises(InvalidInput, match=r"time must be a vector; got shape \(2, 1\)"):
            interpolate([[0], [1]], [1.0, 2.0], [0.5])
        with pytest.raises(InvalidInput, match="at holds numbers, time datetimes; give both in the same way"):
            interpolate(["2020-01-01", "2020-01-02"], [1.0, 2.0], [0.5])
        with pytest.raises(
            InvalidInput, match=r"time is '13:20, Sep 6th, 2019' at row 0, which is not a datetime\. ISO"
        ):
            interpolate(["13:20, Sep 6th, 2019", "later"], [1.0, 2.0], [0.5])
        with pytest.raises(InvalidInput, match="time is missing at row 1"):
            interpolate(np.array(["2020-01-01", "NaT"], dtype="M8[D]"), [1.0, 2.0], [0.5])
        with pytest.raises(InvalidInput, match="time has a time zone at row 1 but not in every row"):
            interpolate(["2020-01-01", "2020-01-02T00:00Z"], [1.0, 2.0], ["2020-01-01"])
        with pytest.raises(InvalidInput, match="time must hold times; got bool"):
            interpolate([False, True], [1.0, 2.0], [0.5])
        with pytest.raises(InvalidParameter, match="outside must be one of 'error'.*; got 'wrap'"):
            interpolate([0, 1], [1.0, 2.0], [0.5], outside="wrap")


# -- resampling ---------------------------------------------------------------------------------------
def naive_bins(time, values, step, start, how):
    out = []
    for k in range(int((time[-1] - start) // step) + 1):
        inside = [
            v for t, v in zip(time, values, strict=True) if start + k * step <= t < start + (k + 1) * step
        ]
        inside = [v for v in inside if v == v]
        out.append(np.nan if not inside else np.mean(inside) if how == "mean" else inside[-1])
    return np.array(out)


class TestResample:
    @given(st.integers(0, 10**6), st.sampled_from(["mean", "last"]), st.integers(1, 5), st.integers(-3, 3))
    def test_is_a_loop_over_steps(self, seed, how, step, shift):
        rng = np.random.default_rng(seed)
        time = np.sort(rng.integers(0, 40, rng.integers(1, 25)))
        values = np.where(rng.random(len(time)) < 0.2, np.nan, rng.standard_normal(len(time)))
        start = min(time[0] + shift, time[-1])
        made = resample(time, values, step, how, start=start)
        np.testing.assert_allclose(made.values, naive_bins(time, values, step, start, how), rtol=1e-12)
        np.testing.assert_array_equal(made.time, start + step * np.arange(len(made.time)))

    @given(st.integers(0, 10**6), st.sampled_from(["mean", "last"]))
    def test_datetimes_as_pandas_does(self, seed, how):
        import pandas

        rng = np.random.default_rng(seed)
        time = np.datetime64("2019-09-06T13:20:00") + np.sort(rng.integers(0, 90_000, 20)) * np.timedelta64(
            1, "s"
        )
        table = pandas.DataFrame({"a": rng.standard_normal(20), "b": rng.standard_normal(20)}, index=time)
        made = resample(time, table, np.timedelta64(25, "m"), how)
        theirs = getattr(table.resample("25min", origin="start"), how)()
        np.testing.assert_array_equal(made.time, theirs.index.to_numpy())
        np.testing.assert_allclose(made.values, theirs.to_numpy(), rtol=1e-12)
        assert made.names == ("a", "b")

    def test_tenths_do_not_slip_into_the_step_before(self):
        for offset in (0.0, 1e6, -1e6):
            time = offset + 0.1 * np.arange(1000)
            made = resample(time, np.arange(1000.0), 0.1)
            np.testing.assert_array_equal(made.values, np.arange(1000.0))

    def test_interpolated_grid(self):
        time, values = [0.0, 2.0, 3.0, 7.0], [0.0, 4.0, 6.0, 14.0]
        made = resample(time, values, 1.5, "interpolate")
        np.testing.assert_allclose(made.time, [0.0, 1.5, 3.0, 4.5, 6.0], rtol=1e-14)
        np.testing.assert_allclose(made.values, 2 * made.time, rtol=1e-14)
        grid = resample([0.0, 0.1, 0.2, 0.3], np.arange(4.0), 0.1, "interpolate")  # 3 × 0.1 > 0.3
        np.testing.assert_allclose(grid.values, np.arange(4.0), rtol=1e-12)

    @pytest.mark.parametrize("how", ["mean", "last", "interpolate"])
    def test_equidistant_values_stay_as_they_are(self, how):
        data = traffic()
        made = resample(data.time, data.X, timedelta(minutes=20), how)
        np.testing.assert_array_equal(made.time, data.time)
        np.testing.assert_allclose(made.values, data.X, rtol=1e-14)

    @pytest.mark.parametrize("kind", ["pandas", "polars"])
    def test_frame(self, kind):
        frame = resample([0, 1, 2], [1.0, 2.0, 6.0], 2).frame(kind)
        assert list(frame.columns) == ["time", "values"]
        assert frame["values"].to_list() == [1.5, 6.0]
        data = traffic()
        times = resample(data.time, data.y, HOUR).frame(kind)["time"].to_list()
        assert [t.isoformat() for t in times] == [f"2019-09-06T{h}:20:00" for h in (13, 14, 15)]

    def test_bad_input(self):
        time = traffic().time
        with pytest.raises(InvalidInput, match=r"time must never decrease; row 1 \(0\.0\) follows 1\.0"):
            resample([1, 0], [1.0, 2.0], 1)
        for step in (0, -1.0, np.nan, np.inf, "1", True, None):
            with pytest.raises(InvalidParameter, match="step must be a number > 0; got"):
                resample([0, 1], [1.0, 2.0], step)
        with pytest.raises(InvalidParameter, match=r"step must be a length of time, such as .*; got 20"):
            resample(time, np.ones(7), 20)
        with pytest.raises(InvalidParameter, match="step must be a positive length of time"):
            resample(time, np.ones(7), timedelta(0))
        for step in (np.timedelta64(1, "M"), np.timedelta64(1, "Y"), np.timedelta64(1)):
            with pytest.raises(InvalidParameter, match="step must be a fixed length of time"):
                resample(time, np.ones(7), step)
        with pytest.raises(InvalidParameter, match="step must be a positive length of time"):
            resample(time, np.ones(7), np.timedelta64("NaT", "s"))
        with pytest.raises(InvalidParameter, match=r"step = 1e-09 makes \d+ steps; choose a longer one"):
            resample([0.0, 10.0], [1.0, 2.0], 1e-9)
        with pytest.raises(
            InvalidParameter, match=r"start must not lie after the last time \(1\.0\); got 5\.0"
        ):
            resample([0, 1], [1.0, 2.0], 1, start=5)
        with pytest.raises(InvalidInput, match="start holds numbers, time datetimes"):
            resample(time, np.ones(7), HOUR, start=0)
        with pytest.raises(InvalidInput, match="values contains inf at row 0"):
            resample([0, 1], [np.inf, 2.0], 1)
        with pytest.raises(InvalidInput, match="holds categories"):
            resample([0, 1], [True, False], 1, "interpolate")
        with pytest.raises(
            InvalidParameter, match="how must be one of 'mean', 'last', 'interpolate'; got 'sum'"
        ):
            resample([0, 1], [1.0, 2.0], 1, "sum")
        with pytest.raises(InvalidInput, match="lies outside the observations"):
            resample([1, 2], [1.0, 2.0], 1, "interpolate", start=0)


# -- trends -------------------------------------------------------------------------------------------
class TestDetrend:
    @given(st.integers(0, 10**6), st.sampled_from([0.0, 1e6, -1e9]), st.sampled_from([1e-3, 1.0, 1e5]))
    def test_what_remains_has_no_mean_and_no_slope(self, seed, offset, scale):
        rng = np.random.default_rng(seed)
        time = offset + scale * np.sort(rng.random(20))
        values = 3 + 0.5 * (time - offset) / scale + rng.standard_normal(20)
        flat = detrend(values, time)
        clock = (time - time.mean()) / scale
        np.testing.assert_allclose(flat.values.sum(), 0, atol=1e-9)
        np.testing.assert_allclose(flat.values @ clock, 0, atol=1e-9 * max(1, abs(offset) / scale / 1e3))
        slope = np.polyfit(clock, values, 1)[0] / scale
        np.testing.assert_allclose(flat.trend.slope, slope, rtol=1e-6)

    def test_restore_undoes(self):
        rng = np.random.default_rng(0)
        values = rng.standard_normal((30, 2)).cumsum(axis=0)
        flat = detrend(values)
        np.testing.assert_allclose(flat.restore(flat.values), values, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(
            flat.restore(flat.values[5:9], time=np.arange(5, 9)), values[5:9], rtol=1e-12, atol=1e-12
        )
        assert flat.trend.slope.shape == (2,)

    def test_a_line_is_all_trend_even_far_from_zero(self):
        time = 1e10 + np.arange(50.0)
        values = 7e9 + 0.25 * (time - 1e10)
        flat = detrend(values, time)
        assert flat.trend.slope == pytest.approx(0.25, rel=1e-12)
        np.testing.assert_allclose(flat.values, 0, atol=1e-5)  # 7e9 has an ulp of 1e-6
        np.testing.assert_allclose(flat.trend([1e10 + 100]), [7e9 + 25], rtol=1e-14)

    def test_days_for_datetimes(self):
        time = np.datetime64("2019-09-06T00:00") + np.arange(48) * HOUR
        flat = detrend(10 + 3 * np.arange(48) / 24, time)
        assert flat.trend.slope == pytest.approx(3.0, rel=1e-12)
        np.testing.assert_allclose(flat.trend(["2019-09-16"]), [40.0], rtol=1e-12)
        with pytest.raises(InvalidInput, match="time holds numbers, the trend's time datetimes"):
            flat.trend([3.0])

    def test_order_of_rows_does_not_matter(self):
        rng = np.random.default_rng(1)
        time, values, order = rng.random(20), rng.standard_normal(20), rng.permutation(20)
        a, b = detrend(values, time), detrend(values[order], time[order])
        np.testing.assert_allclose(a.values[order], b.values, rtol=1e-10, atol=1e-12)

    def test_bad_input(self):
        with pytest.raises(InvalidInput, match=r"values contains NaN at row 1\. Leave these rows out"):
            detrend([1.0, np.nan, 2.0])
        with pytest.raises(InvalidInput, match="values contains inf at row 0"):
            detrend([np.inf, 1.0])
        for values, time in (([1.0], None), ([1.0, 2.0], [3, 3])):
            with pytest.raises(InvalidInput, match="A trend needs two different times; got 1"):
                detrend(values, time)
        with pytest.raises(InvalidInput, match="A trend needs two different times; got 0"):
            detrend([])
        with pytest.raises(InvalidInput, match=r"one entry per row of values \(2\); got 3"):
            detrend([1.0, 2.0], [0, 1, 2])
        with pytest.raises(InvalidInput, match=r"shape of the trend at these times, \(2,\); got \(3,\)"):
            detrend([1.0, 2.0]).restore([1.0, 2.0, 3.0])
        with pytest.raises(InvalidInput, match="values must be numbers; got .*'a'"):
            detrend(["a", "b"])
