"""The door of tables: every kind of table gives the same columns, and every cell keeps its meaning."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from suffice import datasets
from suffice._core.errors import InvalidInput
from suffice.prepare import attribute_types
from suffice.tables.cells import gaps
from suffice.tables.opening import Table, open_columns, unique

pytestmark = pytest.mark.sampled(4)

COLUMNS = {
    "whole": [1, 2, 3],
    "gappy": [1.5, None, 3.0],
    "word": ["a", None, "ü"],
    "flag": [True, False, True],
    "day": [dt.date(2020, 1, 1), None, dt.date(2021, 2, 3)],
    "money": [Decimal("1.5"), None, Decimal(2)],
    "list": [[1], [2, 3], None],
}
TABLES = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "arrow": lambda: pa.table(COLUMNS),
    "dict": lambda: COLUMNS,
    "rows": lambda: [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)],
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_kind_of_table_gives_the_same_columns(kind):
    found = open_columns(TABLES[kind]())
    assert list(found) == list(COLUMNS)
    assert found["whole"].dtype.kind == "i"
    np.testing.assert_array_equal(found["gappy"], [1.5, np.nan, 3.0])
    assert found["word"].tolist() == ["a", None, "ü"]
    assert found["flag"].dtype == bool
    assert found["day"].astype("datetime64[D]").astype(str).tolist() == ["2020-01-01", "NaT", "2021-02-03"]
    np.testing.assert_array_equal(found["money"], [1.5, np.nan, 2.0])
    assert [None if v is None else [int(x) for x in v] for v in found["list"]] == [[1], [2, 3], None]
    missing = {name: gaps(values).tolist() for name, values in found.items()}
    assert missing["gappy"] == missing["word"] == missing["day"] == missing["money"] == [False, True, False]
    assert missing["list"] == [False, False, True]
    assert not any(missing["whole"] + missing["flag"])


def test_pandas_has_many_ways_to_say_none():
    frame = pd.DataFrame(
        {
            "integer": pd.array([1, None, 3], dtype="Int64"),
            "boolean": pd.array([True, None, False], dtype="boolean"),
            "zone": pd.to_datetime(["2020-01-01 00:30", None, "2020-06-01 00:00"]).tz_localize("Europe/Oslo"),
            "span": pd.to_timedelta([1, None, 2], unit="D"),
            "mixed": [pd.NA, 1, "x"],
        }
    )
    found = open_columns(frame)
    np.testing.assert_array_equal(found["integer"], [1, np.nan, 3])
    assert found["boolean"].tolist() == [True, None, False]
    assert str(found["zone"][0])[:16] == "2019-12-31T23:30"
    assert found["span"].dtype.kind == "m"
    assert found["mixed"].tolist() == [None, 1, "x"]


def test_ordered_categories_are_told_apart():
    cat = pd.Categorical(["lo", "hi", None], categories=["lo", "mid", "hi"], ordered=True)
    frame = pd.DataFrame({"a": cat, "b": cat.as_unordered(), "c": [1, 2, 3]})
    assert Table.of(frame).levels == {"a": ("lo", "mid", "hi")}
    assert Table.of({"z": frame["a"], "c": [1, 2, 3]}).levels == {"z": ("lo", "mid", "hi")}
    assert Table.of(frame["a"]).levels == {"a": ("lo", "mid", "hi")}
    assert Table.of(np.ones((2, 2))).levels == {}
    assert open_columns(frame)["a"].tolist() == ["lo", "hi", None]


def test_arrays_and_records():
    structured = np.array([(1, "a"), (2, "b")], dtype=[("x", int), ("y", "U3")])
    assert open_columns(structured)["y"].tolist() == ["a", "b"]
    assert list(open_columns(np.ones((2, 2)))) == ["x0", "x1"]
    assert list(open_columns(np.ones((2, 2)), names=["p", "q"])) == ["p", "q"]
    assert open_columns([[1, "a"], [2, None]])["x1"].tolist() == ["a", None]
    assert list(open_columns(datasets.olympic_100m_men())) == ["year", "seconds"]
    assert open_columns(datasets.traffic())["time"].dtype.kind == "M"
    np.testing.assert_array_equal(open_columns(sparse.eye_array(2))["x0"], [1, 0])
    assert list(open_columns(pd.Series([1, 2], name="q"))) == ["q"]
    assert open_columns({"b": [b"\xff", b"x", None]})["b"].tolist() == ["\\xff", "x", None]
    assert open_columns({"s": np.array([b"x", b"y"])})["s"].tolist() == ["x", "y"]


def test_instants_are_told_in_utc():
    zone = dt.timezone(dt.timedelta(hours=5))
    found = open_columns({"t": [dt.datetime(2020, 1, 1, 3, tzinfo=zone), None, dt.date(2020, 1, 2)]})["t"]
    assert found.astype("datetime64[h]").astype(str).tolist() == ["2019-12-31T22", "NaT", "2020-01-02T00"]


def test_long_numbers_keep_their_digits():
    long, wide = 10**30 + 1, 2**60 + 1
    assert open_columns({"a": [long, 2]})["a"].tolist() == [long, 2]
    assert open_columns({"a": [wide, wide + 1]})["a"].tolist() == [wide, wide + 1]
    assert open_columns({"a": [wide, None]})["a"].tolist() == [wide, None]


def test_repeated_names_get_numbers():
    assert unique(["x", "x", "x (2)", "x"]) == ["x", "x (3)", "x (2)", "x (4)"]
    frame = pd.DataFrame([[1, 2, 3]], columns=["x", "x", ""])
    assert {n: v.tolist() for n, v in open_columns(frame).items()} == {"x": [1], "x (2)": [2], "": [3]}
    assert Table.of(frame).given == ("x", "x", "")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("a.csv", "Read the file first"),
        ({"a": 1}, "'a' must be a vector; got 1"),
        ({"a": "word"}, "'a' must be a vector"),
        ({"a": [1], "b": [1, 2]}, "'a': 1, 'b': 2"),
        ([[1], [1, 2]], r"as many cells each; got \[1, 2\]"),
        (5, "got int"),
        (None, "got NoneType"),
        (np.ones((2, 2, 2)), r"shape \(2, 2, 2\)"),
        ({"a": np.ones((2, 2))}, r"'a' must be a vector; got shape \(2, 2\)"),
    ],
)
def test_what_is_no_table_is_refused(table, words):
    with pytest.raises(InvalidInput, match=words):
        open_columns(table)


def test_names_must_fit():
    with pytest.raises(InvalidInput, match=r"one name per column \(2\); got 1"):
        open_columns(np.ones((2, 2)), names=["a"])


def test_categories_without_an_order_are_told():
    frame = pd.DataFrame(
        {"a": pd.Categorical([1, 2, 1]), "b": [1, 2, 1], "c": pd.Categorical([1, 2, 1], ordered=True)}
    )
    assert Table.of(frame).categories == {"a"}
    assert Table.of(pl.DataFrame({"a": pl.Series(["x"], dtype=pl.Categorical), "b": [1]})).categories == {"a"}
    assert Table.of(pa.table({"a": pa.array(["x"]).dictionary_encode(), "b": [1]})).categories == {"a"}
    assert Table.of({"a": frame["a"], "b": [1, 2, 3]}).categories == {"a"}
    assert attribute_types(frame)["a"].scale == "nominal"
    assert attribute_types(frame)["c"].scale == "ordinal"


def test_masked_cells_are_gaps():
    masked = np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])
    np.testing.assert_array_equal(open_columns(masked)["x1"], [np.nan, 4])
    np.testing.assert_array_equal(open_columns({"a": masked[0]})["a"], [1, np.nan])


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"a": {1, 2}}, "a set, which has no order"),
        (pl.LazyFrame({"a": [1]}), "got LazyFrame. Collect it first"),
    ],
)
def test_what_has_no_order_or_is_not_here_yet_is_refused(table, words):
    with pytest.raises(InvalidInput, match=words):
        attribute_types(table)
