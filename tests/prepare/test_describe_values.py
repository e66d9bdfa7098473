"""`describe`: values that are easily lost (infinite, long, far, frequent), percentiles, covariance and notes."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from suffice import load, save
from suffice.prepare import attribute_types, audit, describe
from suffice.statistics import ColumnSummary, tallies
from suffice.statistics.pairs import PairMoments
from suffice.statistics.sketches import hash_numbers

RNG = np.random.default_rng(6)
INF = math.inf


# -- infinite and frequent values ---------------------------------------------------------------------------
def test_infinite_values_are_values():
    c = describe({"a": [INF] * 5 + [1.5, 2.5]})["a"]
    assert (c.modes, c.mode_count, c.top[1:], c.distinct) == ((INF,), 5, ((1.5, 1), (2.5, 1)), 3)
    c = describe({"a": ["x", INF, INF, -INF]})["a"]
    assert (c.modes, c.distinct, dict(c.top)) == (("inf",), 3, {"inf": 2, "-inf": 1, "x": 1})
    c = describe({"a": [INF, -INF, 7.0, 7.0]}, {"a": "nominal"})["a"]
    assert c.entropy == pytest.approx(1.5 * math.log(2), rel=1e-12)


def test_infinite_values_are_told(tmp_path):
    (tmp_path / "a.csv").write_text("a\ninf\n-inf\n3\nInfinity\n")
    d = describe(tmp_path / "a.csv")
    assert d.notes == ("Column 'a' is infinite in 3 of 4 rows; mean, spread and range leave these out.",)
    assert d.notes[0] in repr(d)


def test_no_mode_is_told_where_chance_made_it(monkeypatch):
    monkeypatch.setitem(tallies.MOST, "words", 1000)
    words = np.char.add("w", RNG.integers(0, 30_000, 100_000).astype(str))
    batches = [pl.DataFrame({"a": words[i : i + 10_000]}) for i in range(0, 100_000, 10_000)]
    c = describe(batches)["a"]
    assert c.frequency_error > 0
    assert (c.modes, c.mode_count, c.top, c.histogram) == ((), 0, (), ())
    often = [b.vstack(pl.DataFrame({"a": ["often"] * 500})) for b in batches]
    c = describe(often)["a"]
    assert c.modes == ("often",)
    assert 0 <= 5000 - c.mode_count <= c.frequency_error


# -- long integers, far and fine times ------------------------------------------------------------------------
@pytest.mark.parametrize(
    "values",
    [
        np.array([2**64 - 1, 2**64 - 2, 1], np.uint64),
        [10**30, 10**30 + 1, 5],
        [-(2**63), -(2**63) + 1, 2**63],
    ],
)
def test_long_integers_stay_apart(values):
    for table in ({"a": values}, [pd.DataFrame({"a": [v]}) for v in values]):
        c = describe(table, {"a": "ratio"})["a"]
        assert (c.distinct, c.mode_count, sum(c.histogram)) == (3, 1, 3)
        assert c.quartiles[4] == float(max(values))
        assert set(c.modes) == {v.item() if isinstance(v, np.generic) else v for v in values}


def test_long_integers_among_fractions_stay_apart():
    cells = [2**53, 2**53 + 1, 0.5, None]
    parts = [ColumnSummary.of([c]) for c in cells]
    for s in (ColumnSummary.of(cells), sum(parts[1:], parts[0])):
        assert s.numbers.counts.top(3) == [(0.5, 1), (2**53, 1), (2**53 + 1, 1)]
        assert (s.numbers.low, s.numbers.high, s.numbers.whole) == (0.5, 2**53 + 1, False)


def test_long_integers_of_a_file_stay_apart(tmp_path):
    (tmp_path / "a.csv").write_text("k\n9007199254740993\n9007199254740992\n9223372036854775808\n1.2e29\n")
    c = describe(tmp_path / "a.csv")["k"]
    assert c.distinct == 4
    assert {9007199254740993, 9007199254740992} < set(c.modes)


def test_hashes_of_long_integers_are_those_of_machine_integers():
    short = np.array([2**60, 2**60 + 1, 7])
    np.testing.assert_array_equal(hash_numbers(short), hash_numbers(short.astype(object)))
    long = np.array([10**30 + i for i in range(100)] + [2**64 + 5, 5], dtype=object)
    assert len(set(hash_numbers(long).tolist())) == 102


def test_times_keep_their_nanoseconds_and_their_years():
    c = describe({"a": np.array([0, 1], "datetime64[ns]")})["a"]
    assert (c.distinct, c.quartiles[4]) == (2, "1970-01-01T00:00:00.000000001")
    stamps = [pd.Timestamp("2020-01-01") + pd.Timedelta(i, "ns") for i in (0, 1, 1)]
    for table in (
        {"a": stamps},
        pa.table({"a": pa.array(stamps, pa.timestamp("ns"))}),
        {"a": [*stamps, "x"]},
    ):
        assert describe(table)["a"].top[0][1] == 2
    far = np.array(["1500-01-01", "2020-06-01T12:00", "9999-12-31"], "datetime64[s]")
    c = describe([pd.DataFrame({"a": far[:1]}), pd.DataFrame({"a": far[1:]})])["a"]
    assert (c.quartiles[0], c.median, c.quartiles[4]) == ("1500-01-01", "2020-06-01T12:00:00", "9999-12-31")
    with pytest.raises(
        ValueError, match="Column 'a': Times between -50000-01-01 and 300000-01-01 are too far"
    ):
        describe({"a": np.array(["-50000-01-01", "300000-01-01"], "datetime64[s]")})


def test_times_add_up_whatever_their_unit():
    days = np.array(["2020-01-01", "2021-01-01"], "datetime64[D]")
    parts = [ColumnSummary.of(days.astype(f"datetime64[{unit}]")) for unit in ("D", "s", "ms", "us", "ns")]
    total = sum(parts[1:], parts[0])
    assert total.times.counts.counts.tolist() == [5, 5]
    assert total.times.low == 1_577_836_800 * 10**9


def test_spans_of_time_are_seconds():
    spans = pd.Series(pd.to_timedelta([1, 2, 4], unit="D"))
    tables = ({"a": spans}, pd.DataFrame({"a": spans}), pl.DataFrame({"a": spans.to_list()}))
    for table in (*tables, pa.table({"a": pa.array(spans, pa.duration("ns"))})):
        c = describe(table)["a"]
        assert (c.attribute.scale, c.mean) == ("ratio", 7 / 3 * 86_400)
        assert "in seconds" in c.attribute.why


def test_an_index_of_pandas_is_a_column():
    table = {"day": pd.date_range("2020", periods=4), "k": pd.Index([1, 2, 3, 9])}
    assert attribute_types(table)["day"].scale == "interval"
    assert describe(table)["k"].mean == 15 / 4
    assert audit(table).columns == ("day", "k")


# -- pairs ----------------------------------------------------------------------------------------------------
def test_a_large_mean_costs_no_correlation():
    x = RNG.normal(size=500)
    y = 1e15 + x
    d = describe({"x": x, "y": y})
    expected = np.corrcoef(x, y - 1e15)
    np.testing.assert_allclose(d.correlation, expected, atol=1e-12)
    parts = [PairMoments.of(np.column_stack([x, y])[i : i + 70]) for i in range(0, 500, 70)]
    np.testing.assert_allclose(sum(parts[1:], parts[0]).correlation, expected, atol=1e-12)


def test_what_does_not_vary_over_the_common_rows_has_no_correlation():
    x = np.append(np.full(40, 0.3), RNG.normal(size=40))
    y = np.append(RNG.normal(size=40), np.full(40, np.nan))
    X = np.column_stack([x, y])[RNG.permutation(80)]
    for cuts in (1, 7):
        parts = [PairMoments.of(p) for p in np.array_split(X, cuts)]
        r = sum(parts[1:], parts[0]).correlation
        assert np.isnan(r[0, 1])
        assert np.isnan(r[1, 0])
        np.testing.assert_allclose(r.diagonal(), 1, atol=1e-12)


def test_covariances_are_pairwise():
    frame = pd.DataFrame(RNG.normal(size=(400, 3)) * [1, 1e3, 1e-6] + [0, 1e6, 5], columns=list("abc"))
    frame["b"] = frame["b"].where(RNG.random(400) > 0.2) + 40 * frame["a"]
    d = describe([frame[:150], frame[150:]])
    np.testing.assert_allclose(d.covariance, frame[list(d.correlated)].cov(), rtol=1e-9, atol=1e-12)
    stds = [d[name].std for name in d.correlated]
    np.testing.assert_allclose(np.sqrt(d.covariance.diagonal()), stds, rtol=1e-12)


# -- percentiles ------------------------------------------------------------------------------------------------
def test_percentiles_of_what_is_kept():
    x = RNG.normal(size=700)
    sizes = ["small", "medium", "large", "large"]
    day = np.array(["2020-01-01", "2020-01-03"], "datetime64[D]")
    d = describe({"x": x, "r": RNG.integers(1, 6, 700)}, {"r": "ordinal"})
    p = [0, 0.05, 1 / 3, 0.5, 0.99, 1]
    np.testing.assert_allclose(d.percentiles("x", p), np.quantile(x, p, method="hazen"), rtol=1e-12)
    assert d.percentiles("x", 0.5) == d["x"].median
    assert d.percentiles("r", [0, 0.25, 0.5, 0.75, 1]) == d["r"].quartiles
    assert describe({"s": sizes}).percentiles("s", [0.1, 0.4, 0.6]) == ("small", "medium", "large")
    assert describe({"day": day}).percentiles("day", 0.5) == "2020-01-02"
    with pytest.raises(ValueError, match="Column 'c' is nominal and has no percentiles"):
        describe({"c": ["x", "y"]}).percentiles("c", 0.5)
    with pytest.raises(ValueError, match="p must be shares between 0 and 1; got 50"):
        d.percentiles("x", 50)
    with pytest.raises(ValueError, match="There is no column 'X'. Did you mean 'x'"):
        d.percentiles("X", 0.5)


def test_a_file_does_not_get_the_values_of_rows(tmp_path):
    d = describe({"x": RNG.normal(size=300), "y": RNG.normal(size=300)})
    save(d, tmp_path / "d.suffice")
    back = load(tmp_path / "d.suffice")
    np.testing.assert_array_equal(back.covariance, d.covariance)
    assert back.summaries == ()
    with pytest.raises(ValueError, match="A description from a file keeps no counts"):
        back.percentiles("x", 0.5)


def test_percentiles_of_a_sketch_are_within_its_error(monkeypatch):
    monkeypatch.setitem(tallies.MOST, "numbers", 500)
    x = RNG.normal(size=60_000)
    d = describe([pl.DataFrame({"x": part}) for part in np.array_split(x, 12)])
    for p in (0.01, 0.2, 0.9):
        rank = np.mean(x <= d.percentiles("x", p))
        assert abs(rank - p) <= d["x"].rank_error + 1e-4
    assert d.percentiles("x", [0, 1]) == (x.min(), x.max())


# -- notes, tables without rows, and what is no table --------------------------------------------------------------
def test_numbers_and_dates_as_text_are_told():
    table = {
        "price": ["1,5", "2,5", "$7", "12 %"] * 9,
        "share": ["3.5", "4.5", "1", "2"] * 9,
        "day": ["31.12.2020", "05.03.2021"] * 18,
        "moment": ["2020-01-01T10:00:00+02:00", "2021-05-01T10:00:00+02:00"] * 18,
        "city": ["Oslo", "Rome"] * 18,
    }
    assert describe(table).notes == (
        "Column 'price' holds numbers written as text: a decimal comma; make numbers of them to compute with them.",
        "Column 'share' holds numbers written as text; convert them to compute with them.",
        "Columns 'day', 'moment' hold dates written as text; convert them to compute with them.",
    )


def test_times_with_zones_are_read(tmp_path):
    (tmp_path / "a.csv").write_text(
        "t,u\n2020-01-01T10:00:00+02:00,2020-01-01T10:00\n2020-01-01T10:00:00Z,2020-01-01T10:00Z\n"
    )
    d = describe(tmp_path / "a.csv")
    assert d["t"].quartiles[0] == "2020-01-01T08:00:00"
    assert d["t"].quartiles[4] == "2020-01-01T10:00:00"
    assert d["u"].distinct == 1


def test_tables_without_rows_have_columns(tmp_path):
    pq.write_table(
        pa.table({"a": pa.array([], pa.int64()), "b": pa.array([], pa.string())}), tmp_path / "e.parquet"
    )
    for table in (str(tmp_path / "e.parquet"), pl.DataFrame({"a": [], "b": []}).lazy()):
        d = describe(table)
        assert (d.rows, [c.name for c in d]) == (0, ["a", "b"])


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ([], "The table is an empty list"),
        (None, "JSON-lines, Excel, SQLite or DuckDB file; got None"),
        (5, "got 5 .int."),
    ],
)
def test_what_is_no_table(table, told):
    with pytest.raises(ValueError, match=told):
        describe(table)


def test_rows_may_be_tuples():
    assert [c.top[0][0] for c in describe([(1, 2), (3, 4)])] == [1, 2]
