"""`describe`: nothing that a scale does not allow, the same for tables, batches and files."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse, stats

from suffice import datasets
from suffice.engine.sources.grids import Grid, GridSource
from suffice.prepare import Attribute, describe
from suffice.prepare.looking._summing import HEAD, summed
from suffice.statistics import tallies

N = 3000


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(0)
    x = rng.normal(size=N)
    return pl.DataFrame(
        {
            "x": x,
            "y": pl.Series(
                [
                    None if g else float(v)
                    for v, g in zip(2 * x + rng.normal(size=N), rng.random(N) < 0.2, strict=True)
                ]
            ),
            "weight": rng.lognormal(size=N),
            "age": rng.integers(18, 80, N),
            "city": rng.choice(["Lima", "Oslo", "Rome"], N, p=[0.5, 0.3, 0.2]),
            "note": [f"free text number {i}" for i in range(N)],
            "day": pl.Series(
                [dt.date(2020, 1, 1) + dt.timedelta(days=int(d)) for d in rng.integers(0, 500, N)]
            ),
            "ok": rng.random(N) < 0.25,
            "size": rng.choice(["small", "medium", "large"], N),
        }
    )


def assert_same(a, b):
    assert len(a) == len(b)
    for c, e in zip(a, b, strict=True):
        for key, value in c.row().items():
            other = e.row()[key]
            if isinstance(value, float):
                assert other == pytest.approx(value, rel=1e-11, abs=1e-12, nan_ok=True), (c.name, key)
            else:
                assert other == value, (c.name, key)
        assert (c.top, c.histogram, c.modes, c.attribute) == (e.top, e.histogram, e.modes, e.attribute)
    if a.correlation is None:
        assert b.correlation is None
    else:
        np.testing.assert_allclose(a.correlation, b.correlation, atol=1e-10)


# -- numbers --------------------------------------------------------------------------------------------
def test_numbers_are_those_of_numpy_and_scipy(mixed):
    d, w = describe(mixed)["weight"], mixed["weight"].to_numpy()
    assert d.attribute.scale == "ratio"
    assert d.mean == pytest.approx(w.mean(), rel=1e-13)
    assert d.std == pytest.approx(w.std(ddof=1), rel=1e-12)
    assert d.variation == pytest.approx(w.std(ddof=1) / w.mean(), rel=1e-12)
    assert d.skewness == pytest.approx(stats.skew(w), rel=1e-10)
    assert d.kurtosis == pytest.approx(stats.kurtosis(w), rel=1e-10)
    np.testing.assert_allclose(
        d.quartiles, np.quantile(w, [0, 0.25, 0.5, 0.75, 1], method="hazen"), rtol=1e-13
    )
    assert sum(d.histogram) == N


def test_correlations_are_pairwise(mixed):
    d = describe(mixed)
    expected = mixed.select(d.correlated).to_pandas().corr().to_numpy()
    assert set(d.correlated) >= {"x", "y", "weight"}
    np.testing.assert_allclose(d.correlation, expected, atol=1e-10)


def test_entropy_and_modes_of_words(mixed):
    c = describe(mixed)["city"]
    p = mixed["city"].value_counts()["count"].to_numpy() / N
    assert c.entropy == pytest.approx(stats.entropy(p), rel=1e-12)
    assert (c.modes, c.mode_count) == (("Lima",), mixed["city"].to_list().count("Lima"))
    assert describe({"v": [1, 2, 2, 4, 4]})["v"].modes == (2, 4)


def test_nothing_meaningless_for_a_scale(mixed):
    d = describe(mixed, {"age": "ordinal", "x": "interval", "weight": "nominal"})
    for name in ("city", "note", "ok", "weight"):
        c = d[name]
        assert (c.mean, c.std, c.quartiles, c.variation, c.skewness) == (None,) * 5, name
    assert d["weight"].entropy == pytest.approx(math.log(N), rel=1e-12)
    ages = sorted(mixed["age"].to_list())
    assert d["age"].quartiles == (ages[0], *(ages[math.ceil(N * q) - 1] for q in (0.25, 0.5, 0.75)), ages[-1])
    assert (d["age"].mean, d["age"].variation) == (None, None)
    assert describe({"r": [4, 2, 1, 3]}, {"r": "ordinal"})["r"].quartiles == (1, 1, 2, 3, 4)
    assert d["x"].mean is not None
    assert d["x"].variation is None
    assert d["day"].variation is None
    assert d["day"].quartiles[0] == "2020-01-01"
    assert "age" not in d.correlated
    assert "weight" not in d.correlated


def test_words_with_an_order_have_a_median(mixed):
    order = ["small", "medium", "large"]
    c = describe(mixed, {"size": order})["size"]
    held = sorted(mixed["size"].to_list(), key=order.index)
    assert c.quartiles == (held[0], *(held[math.ceil(N * q) - 1] for q in (0.25, 0.5, 0.75)), held[-1])
    with pytest.raises(ValueError, match="'city' is a column of text, and its order is not known"):
        describe(mixed, {"city": "ordinal"})
    with pytest.raises(ValueError, match="the order of 'size' leaves out 'large'"):
        describe(mixed, {"size": ["small", "medium"]})


def test_an_ordered_category_brings_its_order():
    frame = pd.DataFrame({"s": pd.Categorical(["b", "a", "b"], ["b", "a"], ordered=True)})
    assert describe(frame)["s"].quartiles == ("b", "b", "b", "a", "a")


def test_an_attribute_overrules(mixed):
    given = Attribute("age", "numbers", "nominal", "discrete", "Codes.", 0, 0, 0)
    a = describe(mixed, {"age": given})["age"].attribute
    assert (a.scale, a.why, a.rows, a.distinct) == ("nominal", "Codes.", N, mixed["age"].n_unique())


# -- one pass, anywhere ---------------------------------------------------------------------------------
def test_any_kind_of_table_is_described_alike(mixed):
    d = describe(mixed)
    assert_same(d, describe(mixed.to_arrow()))
    assert_same(d, describe(mixed.to_pandas()))
    assert_same(d, describe({name: mixed[name].to_list() for name in mixed.columns}))


@pytest.mark.parametrize("step", [1, 700])
def test_batches_are_the_array(mixed, step):
    table = mixed.head(40) if step == 1 else mixed
    batches = [table.slice(a, step) for a in range(0, len(table), step)]
    assert_same(describe(table), describe(iter(batches)))
    assert_same(describe(table), describe([b.to_arrow() for b in batches]))


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv", "jsonl"])
def test_files_are_the_table(mixed, tmp_path, ending):
    write = {"parquet": "write_parquet", "arrow": "write_ipc", "csv": "write_csv", "jsonl": "write_ndjson"}[
        ending
    ]
    for i in range(3):
        getattr(mixed.slice(1000 * i, 1000), write)(tmp_path / f"part-{i}.{ending}")
    found = describe(str(tmp_path / f"part-*.{ending}"))
    drop = {"day"} if ending == "jsonl" else set()  # JSON has no dates
    keep = [name for name in mixed.columns if name not in drop]
    whole = describe(mixed, columns=keep)
    assert found.rows == N
    for name in keep:
        a, b = whole[name].row(), found[name].row()
        assert b["mean"] == (None if a["mean"] is None else pytest.approx(a["mean"], rel=1e-12))
        assert (b["middle"], b["median"]) == (a["middle"], a["median"])
        assert (b["distinct"], b["missing"], b["mode_count"]) == (
            a["distinct"],
            a["missing"],
            a["mode_count"],
        )
    swapped = describe(mixed.select("x", "city").to_arrow(), columns=["city", "x"])
    assert [(c.name, c.attribute.kind) for c in swapped] == [("city", "text"), ("x", "numbers")]
    assert [c.name for c in describe(str(tmp_path / f"part-*.{ending}"), columns=["city", "x"])] == [
        "city",
        "x",
    ]


@pytest.mark.long
def test_processes_say_the_same(mixed, tmp_path):
    for i in range(2):
        mixed.slice(1500 * i, 1500).write_parquet(tmp_path / f"{i}.parquet")
    assert_same(describe(mixed), describe(str(tmp_path / "*.parquet"), executor="processes"))


def test_beyond_the_limits_errors_are_stated_and_hold(mixed, monkeypatch):
    exact = describe(mixed)
    monkeypatch.setitem(tallies.MOST, "numbers", 500)
    monkeypatch.setitem(tallies.MOST, "words", 500)
    batches = [mixed.slice(a, 300) for a in range(0, N, 300)]
    d = describe(batches)
    for name in ("weight", "note"):
        assert d[name].distinct_error > 0
        assert d[name].distinct == pytest.approx(exact[name].distinct, abs=4 * d[name].distinct_error)
    assert d["weight"].mean == pytest.approx(exact["weight"].mean, rel=1e-12)
    assert d["weight"].quartiles[0] == exact["weight"].quartiles[0]
    rank = stats.percentileofscore(mixed["weight"].to_numpy(), d["weight"].median) / 100
    assert abs(rank - 0.5) <= d["weight"].rank_error + 1 / N
    assert "~" in repr(d)
    assert "±" in repr(d)


# -- edges ----------------------------------------------------------------------------------------------
def test_empty_one_row_constant_and_odd_cells():
    assert describe(pl.DataFrame({"a": [], "b": []})).rows == 0
    one = describe({"a": [3.5]}, {"a": "ratio"})["a"]
    assert (one.mean, one.std, one.quartiles) == (3.5, 0.0, (3.5,) * 5)
    constant = describe({"a": [0.1] * 9, "b": range(9)}, {"a": "interval"})
    assert constant["a"].std == 0
    nothing = describe({"a": [None, None], "b": [math.nan, math.nan]})
    assert [c.attribute.kind for c in nothing] == ["nothing"] * 2
    assert [c.missing for c in nothing] == [2, 2]
    c = describe({"a": [1.0, math.inf, -math.inf, math.nan, 2.5, 7.0]}, {"a": "interval"})["a"]
    assert (c.infinite, c.nan, c.missing, c.mean) == (2, 1, 1, 3.5)
    c = describe({"a": [math.inf, -math.inf, math.inf]}, {"a": "ratio"})["a"]
    assert (c.infinite, c.distinct, c.mean, c.quartiles, c.histogram) == (3, 2, None, None, ())


def test_a_column_that_begins_with_gaps_is_judged_by_what_comes():
    late = [None] * 12_000 + [1.5, -2.5, 4.0]
    c = describe(pl.DataFrame({"a": late}))["a"]
    assert (c.attribute.kind, c.attribute.scale, c.mean) == ("numbers", "interval", 1.0)
    c = describe(pl.DataFrame({"a": [1.5, 2.5] * 6000 + [-1.25]}))["a"]
    assert c.attribute.scale != "ratio"


def test_the_first_rows_are_kept_and_no_more():
    parts = [summed([np.arange(a, a + 7000)], 7000, a < HEAD) for a in (0, 7000, 14_000)]
    for total in ((parts[0] + parts[1]) + parts[2], parts[0] + (parts[1] + parts[2])):
        np.testing.assert_array_equal(total.head[0], np.arange(HEAD))


def test_a_folder_is_its_files(mixed, tmp_path):
    (tmp_path / "README.md").write_text("no table")
    for i in range(2):
        mixed.slice(1500 * i, 1500).write_parquet(tmp_path / f"{i}.parquet")
    assert_same(describe(mixed), describe(tmp_path))


def test_unknown_names_and_scales_are_refused(mixed):
    with pytest.raises(ValueError, match="types: there is no column 'aeg' in the table.*age"):
        describe(mixed, {"aeg": "ordinal"})
    with pytest.raises(
        ValueError, match="must be one of nominal, ordinal, interval, ratio, .*, or an order; got 'big'"
    ):
        describe(mixed, {"age": "big"})
    with pytest.raises(ValueError, match="'city' holds text, which can be ordinal at most; got 'ratio'"):
        describe(mixed, {"city": "ratio"})
    with pytest.raises(ValueError, match="'day' holds times, which can be interval at most; got 'ratio'"):
        describe(mixed, {"day": "ratio"})
    with pytest.raises(ValueError, match="columns: there is no column 'nope'"):
        describe(mixed, columns=["nope"])
    with pytest.raises(ValueError, match="no known ending"):
        describe(__file__)
    with pytest.raises(ValueError, match="There is no file at"):
        describe("nowhere.csv")
    with pytest.raises(ValueError, match="Batches have 1 and 2 columns"):
        describe(
            GridSource(
                ("a",),
                (("t", lambda: iter([Grid(["a"], [np.ones(2)]), Grid(["a", "b"], [np.ones(2)] * 2)])),),
            )
        )


def test_arrays_data_sets_and_repeated_names():
    d = describe(datasets.olympic_100m_men())
    assert d.rows == 27
    for table in (
        np.arange(6.0).reshape(3, 2),
        [[0, 1], [2, 3], [4, 5]],
        sparse.csr_array(np.arange(6.0).reshape(3, 2)),
    ):
        assert [c.top[0][0] for c in describe(table)] == [0, 1]
    for series in (pd.Series([1.5, 2, 4], name="s"), pl.Series("s", [1.5, 2, 4])):
        assert describe(series, {"s": "interval"})["s"].mean == 2.5
    frame = pd.DataFrame([[1, 2.5], [3, 4.5], [9, 9.5]], columns=["a", "a"])
    assert [c.name for c in describe(frame)] == ["a", "a (2)"]


def test_arrow_types_of_all_kinds():
    table = pa.table(
        {
            "decimal": pa.array([1, 2, 4], pa.decimal128(5, 2)),
            "span": pa.array([1000, 2000, 4000], pa.duration("ms")),
            "clock": pa.array([1, 2, 2], pa.time32("s")),
            "list": pa.array([[1], [2], [1]]),
            "bytes": pa.array([b"a", b"\xff", b"a"]),
            "words": pa.array(["a", None, "a"]).dictionary_encode(),
            "zone": pa.array([0, 1, 2], pa.timestamp("ns", "Europe/Oslo")),
            "long": pa.array([2**64 - 1, 1, 5], pa.uint64()),
            "half": pa.array([1.0, None, 3.0], pa.float16()),
        }
    )
    d = describe(table, {"decimal": "ratio", "span": "ratio", "half": "ratio", "long": "ratio"})
    assert (d["decimal"].mean, d["span"].mean, d["half"].mean) == (
        pytest.approx(7 / 3),
        pytest.approx(7 / 3),
        2.0,
    )
    assert d["list"].modes == ("[1]",)
    assert d["bytes"].modes == ("a",)
    assert (d["words"].modes, d["words"].missing) == (("a",), 1)
    assert d["clock"].modes == ("00:00:02",)
    assert d["zone"].attribute.kind == "times"
    assert d["long"].quartiles[4] == pytest.approx(2.0**64)


def test_frame_repr_and_html(mixed):
    d = describe(mixed)
    assert d.frame()["column"].tolist() == list(mixed.columns)
    assert d.frame("polars").shape[0] == len(d)
    assert "3,000 rows × 9 columns" in repr(d)
    page = describe({"<b>": ["<i>x</i>", "<i>x</i>", "y"]})._repr_html_()
    assert "<b>" not in page
    assert "<i>" not in page
    assert "&lt;i&gt;" in page
    with pytest.raises(KeyError):
        d["nope"]
