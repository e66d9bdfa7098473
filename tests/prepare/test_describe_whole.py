"""`describe` judges a column by all its rows, and takes what the table or the user says of it."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from suffice.prepare import Attribute, attribute_types, describe
from suffice.prepare.looking._batches import HeldCategories
from suffice.prepare.looking._summarizing import HEAD
from suffice.statistics import tallies

RNG = np.random.default_rng(5)


# -- batches ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_batches_are_matched_by_name(make):
    a = make({"a": [1, 2, 3], "b": [10.5, 20.0, 30.0]})
    b = make({"b": [40.5], "a": [7]})
    for batches in ([a, b], iter([a, b])):
        d = describe(batches, {"a": "ratio", "b": "ratio"})
        assert (d["a"].mean, d["b"].mean) == (13 / 4, 101 / 4)
    with pytest.raises(
        ValueError, match="batch 1 has other columns than the first: 'a' missing, 'c' too many"
    ):
        describe([a, make({"b": [1.0], "c": [2]})])


def test_a_batch_that_is_no_table_is_refused():
    with pytest.raises(ValueError, match="batch 1 is a ndarray, not a table with columns 'a'"):
        describe(iter([pd.DataFrame({"a": [1]}), np.ones((2, 1))]))


# -- all rows ---------------------------------------------------------------------------------------------
LATE = {
    "two numbers, then many": [0] * 6000 + [1] * 4000 + list(range(2, 5000)),
    "counts the rows, then not": [*range(HEAD), *RNG.gamma(2.0, size=2 * HEAD).tolist()],
    "a rating, then not": [1, 2, 3, 4, 5] * 2000 + [1000, 7.5, -3],
    "whole, then not": list(range(100)) * 100 + [0.5],
}


@pytest.mark.parametrize("name", LATE)
def test_the_verdict_does_not_depend_on_where_the_odd_rows_are(name):
    values = LATE[name]
    shuffled = [values[i] for i in RNG.permutation(len(values))]
    late, mixed = describe({"v": values})["v"].attribute, describe({"v": shuffled})["v"].attribute
    assert late == mixed
    assert (late.scale, late.continuity, late.why) == (
        (whole := attribute_types({"v": shuffled})["v"]).scale,
        whole.continuity,
        whole.why,
    )


def test_files_in_any_order_say_the_same(tmp_path):
    pd.DataFrame({"v": [1, 2, 3, 4, 5] * 50}).to_csv(tmp_path / "q1.csv", index=False)
    pd.DataFrame({"v": RNG.normal(size=200)}).to_csv(tmp_path / "q2.csv", index=False)
    paths = [str(tmp_path / "q1.csv"), str(tmp_path / "q2.csv")]
    assert describe(paths)["v"].attribute == describe(paths[::-1])["v"].attribute


def test_more_values_than_are_counted_are_judged_by_what_is_kept(monkeypatch):
    monkeypatch.setitem(tallies.MOST, "numbers", 500)
    monkeypatch.setitem(tallies.MOST, "words", 500)
    n = 12_000
    table = {
        "key": np.arange(n),
        "late": np.append(np.arange(n - 1) * 2.0, -1.5),
        "name": [f"customer {i}" for i in range(n)],
        "again": [f"word {i % 3000}" for i in range(n)],
    }
    d = describe(table)
    assert (d["key"].attribute.identifier, d["name"].attribute.identifier) == (True, True)
    assert not d["again"].attribute.identifier
    assert (d["late"].attribute.scale, d["late"].attribute.continuity) == ("interval", "continuous")


@pytest.mark.parametrize(
    "values",
    [
        [1.5] * (HEAD + 1) + ["x"],
        [1, 2, 3, 4, 5] * 2000 + ["x"],
        ["S", "M", "L"] * 4000 + ["giant"],
        [dt.datetime(2020, 1, 1)] * (HEAD + 1) + ["x"],
        [1.5] * (HEAD + 1) + [dt.datetime(2020, 1, 1)],
    ],
)
def test_one_stray_cell_after_the_first_rows(values, tmp_path):
    c = describe({"a": values})["a"]
    assert (c.attribute.kind, c.attribute.scale) == ("text", "nominal")
    assert bool(c.mixed) == (not isinstance(values[0], str))
    pd.DataFrame({"a": values}).to_csv(tmp_path / "a.csv", index=False)
    assert describe(tmp_path / "a.csv")["a"].attribute.scale == "nominal"


# -- what the table says ----------------------------------------------------------------------------------
def test_categories_of_numbers_have_no_mean(tmp_path):
    codes = [1, 2, 3, 4, 9] * 5
    frame = pd.DataFrame({"g": pd.Categorical(codes)})
    frame.to_parquet(tmp_path / "g.parquet")
    tables = (
        frame,
        {"g": frame["g"]},
        {"g": pd.Categorical(codes)},
        pa.table({"g": pa.array(codes).dictionary_encode()}),
        str(tmp_path / "g.parquet"),
        iter([frame]),
    )
    for table in tables:
        c = describe(table)["g"]
        assert (c.attribute.scale, c.mean, c.quartiles) == ("nominal", None, None)


def test_ordered_categories_keep_their_order_in_a_file(tmp_path):
    frame = pd.DataFrame(
        {
            "s": pd.Categorical(["b", "a", "b"], ["b", "a"], ordered=True),
            "n": pd.Categorical([10, 2, 3], [10, 3, 2], ordered=True),
        }
    )
    frame.to_parquet(tmp_path / "s.parquet", row_group_size=1)
    for table in (frame, dict(frame), str(tmp_path / "s.parquet"), pq.read_table(tmp_path / "s.parquet")):
        assert describe(table)["s"].quartiles == ("b", "b", "b", "a", "a")
    assert describe(frame)["n"].quartiles == describe(dict(frame))["n"].quartiles == (10, 10, 3, 2, 2)
    lost = describe(tmp_path / "s.parquet")["n"]  # a file keeps that these are categories, not which
    assert (lost.attribute.scale, lost.quartiles) == ("nominal", None)


def test_orders_of_parts_that_contradict_are_none():
    ab, abc, ba = (
        HeldCategories(True, ("a", "b")),
        HeldCategories(True, ("a", "c", "b")),
        HeldCategories(True, ("b", "a")),
    )
    assert (ab + abc).levels == ("a", "c", "b")
    assert (ab + ba) == HeldCategories(True, None)
    assert (HeldCategories() + ab) == ab


# -- what the user says -----------------------------------------------------------------------------------
def test_an_order_of_numbers_is_taken():
    c = describe({"a": [1, 2, 3, 4]}, types={"a": [4, 3, 2, 1]})["a"]
    assert (c.quartiles, c.attribute.why) == ((4, 4, 3, 2, 1), "Said by the user.")
    assert describe({"a": [0.5, 1.5, np.inf]}, {"a": ["inf", "1.5", "0.5"]})["a"].quartiles[0] == np.inf
    flags = describe({"a": [True, False, True]}, {"a": [True, False]})["a"]
    assert flags.quartiles == ("True", "True", "True", "False", "False")
    with pytest.raises(ValueError, match="the order of 'a' leaves out '4'; got 1, 2, 3"):
        describe({"a": [1, 2, 3, 4]}, types={"a": [1, 2, 3]})
    with pytest.raises(ValueError, match="'a' holds times, which have an order of their own"):
        describe({"a": np.array(["2020-01-01"], "M8[D]")}, types={"a": ["2020-01-01"]})


SAID = ["nominal", "discrete", "identifier", [3, 2, 1], {"scale": "nominal", "why": "codes"}]


@pytest.mark.parametrize("said", SAID, ids=str)
def test_describe_and_attribute_types_take_the_same(said):
    table = {"a": [1.0, 2.0, 3.0, 2.0], "b": ["x", "y", "x", "z"]}
    assert describe(table, {"a": said})["a"].attribute == attribute_types(table, {"a": said})["a"]
    given = Attribute("q", "numbers", "nominal", "discrete", "Codes.", 0, 0, 0)
    assert describe(table, {"a": given})["a"].attribute == attribute_types(table, {"a": given})["a"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"b": "ratio"}, "'b' holds text, which can be ordinal at most; got 'ratio'"),
        ({"b": "binary"}, "'b' has 3 different values; binary has two at most"),
        ({"b": ["x", "y"]}, "the order of 'b' leaves out 'z'; got x, y"),
        ({"b": {"scales": "nominal"}}, "'b' has no field 'scales'"),
        (["nominal"], "must map names of columns to what they mean"),
        ({5: "nominal"}, "there is no column '5' in the table"),
    ],
)
def test_what_cannot_be_is_refused_by_both(said, told):
    table = {"a": [1.0, 2.0, 3.0, 2.0], "b": ["x", "y", "x", "z"]}
    with pytest.raises(ValueError, match=told):
        describe(table, said)
    with pytest.raises(ValueError, match=told):
        attribute_types(table, said)


def test_names_that_are_numbers():
    frame = pd.DataFrame([[1, 2.5], [3, 4.5], [2, 2.5]])
    assert [c.name for c in describe(frame, columns=[1])] == ["1"]
    assert [c.name for c in describe(frame, columns=0)] == ["0"]
    assert describe(frame, {0: "nominal"})["0"].attribute.scale == "nominal"
    assert attribute_types(frame, {0: "nominal"})["0"].scale == "nominal"
    with pytest.raises(ValueError, match="there is no column '7' in the table"):
        describe(frame, columns=[7])
