"""Series at the ends of what numbers and clocks can hold: huge values, nanoseconds, zones, and records in notebooks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from suffice._core.errors import InvalidInput
from suffice.prepare import (
    box_statistics,
    correlation_table,
    detrend,
    drop_missing,
    embed,
    equal_bins,
    interpolate,
    missing_cells,
    resample,
)
from suffice.similarity import binary_counts

BERLIN = pd.date_range("2020-01-01", periods=4, freq="h", tz="Europe/Berlin")
NAIVE = pd.date_range("2020-01-01", periods=4, freq="h")
HOUR = np.timedelta64(1, "h")
VALUES = [1.0, 2.0, 3.0, 4.0]


# -- numbers ----------------------------------------------------------------------------------------------
def test_a_line_between_huge_values_or_over_tiny_times():
    assert interpolate([0, 1], [-1.7e308, 1.7e308], [0.5]).tolist() == [0.0]
    assert interpolate([0, 1e-300, 2e-300], [0, 1e300, 0], [0.5e-300])[0] == pytest.approx(5e299, rel=1e-14)
    assert interpolate([0, 1e-300], [0, 1e300], [2e-300], outside="linear")[0] == pytest.approx(
        2e300, rel=1e-14
    )


def test_a_line_is_that_of_numpy_and_exact_at_the_observations():
    rng = np.random.default_rng(4)
    x, y = np.sort(rng.random(200)), rng.normal(size=200) * 10.0 ** rng.integers(-8, 8, 200)
    at = rng.uniform(x[0], x[-1], 500)
    np.testing.assert_allclose(interpolate(x, y, at), np.interp(at, x, y), rtol=1e-9, atol=1e-12)
    assert np.array_equal(interpolate(x, y, x), y)
    assert interpolate([0, 1, 2], [7.1, 7.1, 7.1], [0.3, 1.7]).tolist() == [7.1, 7.1]


def test_a_mean_of_huge_values_is_finite():
    found = resample([0.0, 0.5, 1.0], [1.7e308, 1.7e308, 1.0], 1.0)
    np.testing.assert_allclose(found.values, [1.7e308, 1.0], rtol=1e-15)


# -- clocks -----------------------------------------------------------------------------------------------
def test_frames_keep_nanoseconds():
    time = np.array(["2020-01-01T00:00:00.000000000", "2020-01-01T00:00:00.000000500"], dtype="M8[ns]")
    found = resample(time, [1.0, 2.0], np.timedelta64(500, "ns"))
    assert np.array_equal(found.frame()["time"].to_numpy(), time)
    assert np.array_equal(found.frame("polars")["time"].to_numpy(), time)
    assert np.array_equal(detrend([1.0, 2.0], time).frame()["time"].to_numpy(), time)


@pytest.mark.parametrize(
    ("time", "other"),
    [
        (BERLIN, NAIVE[1:3]),
        (NAIVE, BERLIN[1:3]),
        (pl.Series(list(NAIVE)).dt.replace_time_zone("UTC"), NAIVE[1:3]),
        (
            [
                "2020-01-01T00:00+01:00",
                "2020-01-01T01:00+01:00",
                "2020-01-01T02:00+01:00",
                "2020-01-01T03:00+01:00",
            ],
            NAIVE[1:3],
        ),
    ],
    ids=["pandas", "turned", "polars", "text"],
)
def test_times_with_and_without_a_zone_do_not_meet(time, other):
    with pytest.raises(InvalidInput, match=r"at has (a time zone|none), time has (a time zone|none)"):
        interpolate(time, VALUES, other)
    with pytest.raises(InvalidInput, match=r"start has (a time zone|none), time has (a time zone|none)"):
        resample(time, VALUES, HOUR, start=other[0])
    with pytest.raises(InvalidInput, match=r"The time of this trend has"):
        detrend(VALUES, time).trend(other)


def test_zones_that_differ_are_the_same_instants():
    assert interpolate(BERLIN, VALUES, BERLIN.tz_convert("UTC")).tolist() == VALUES
    found = resample(BERLIN, VALUES, HOUR, start=BERLIN[1])
    assert found.values.tolist() == VALUES[1:]
    assert found.time[0] == np.datetime64("2020-01-01T00:00")  # one o'clock in Berlin, in UTC
    assert detrend(VALUES, BERLIN).restore([0.0] * 4).tolist() == pytest.approx(VALUES)


def test_detrend_tells_times_that_stand_where_values_should():
    for times in (NAIVE, pd.Series(BERLIN), pl.Series(list(NAIVE))):
        with pytest.raises(InvalidInput, match=r"got times\. The values come first: detrend\(values, time\)"):
            detrend(times, VALUES)


# -- infinity is not a gap --------------------------------------------------------------------------------
def test_infinite_values_are_counted_apart():
    box, bins = box_statistics([1.0, np.inf, 2.0, np.nan]), equal_bins([1.0, -np.inf, 2.0, np.nan])
    assert (box.missing, box.infinite, box.rows) == (1, 1, 2)
    assert (bins.missing, bins.infinite, bins.counts.sum()) == (1, 1, 2)
    found = correlation_table({"a": [1.0, 2.0, np.inf], "b": [2.0, 1.0, 3.0]})
    assert found.infinite == 1
    assert found.rows[0, 1] == 2


# -- notebooks --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("made", "words"),
    [
        (resample([0.0, 1.0], [1.0, 2.5], 1.0), ["2 equal steps", "<td>2.5</td>"]),
        (embed(list(range(20)), p=3), ["Embedding(17 × 3", "and 7 more rows", "<th>y[t-1]</th>"]),
        (detrend(VALUES, NAIVE), ["linear trend", "2020-01-01T00:00"]),
        (drop_missing(pd.DataFrame({"<a>": [1.0, np.nan]}), "columns", 0.6), ["Dropped(0 of 1 columns)"]),
        (
            drop_missing(np.array([[1.0, np.nan], [2.0, 3.0]]), "columns"),
            ["Dropped(1 of 2 columns (x1))", "<td>0.5</td>"],
        ),
        (binary_counts([1, 0, 1], [1, 1, 0]), ["<td>x on</td><td>1</td><td>1</td>"]),
        (binary_counts([[1, 0], [0, 0]]), ["<th>row of y</th>"]),
        (box_statistics([1.0, 2.0, 9.0]), ["<th>median</th>"]),
        (equal_bins([1.0, 2.0, 9.0], 2), ["<td>1</td><td>5</td><td>2</td>"]),
        (
            correlation_table({"<a>": [1.0, 2.0], "b": [2.0, np.inf], "c": [1.0, 3.0]}),
            ["&lt;a&gt;", "1 infinite cell is left"],
        ),
        (missing_cells({"a": [1.0, np.nan]}), ["1 of 2 cells are empty"]),
    ],
    ids=lambda v: type(v).__name__ if not isinstance(v, list) else "",
)
def test_records_show_themselves_in_notebooks(made, words):
    html = made._repr_html_()
    assert html.count("<table>") == html.count("</table>") == 1
    assert "<a>" not in html
    for word in words:
        assert word in html
