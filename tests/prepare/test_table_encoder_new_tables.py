"""TableEncoder before a table unlike the one of the fit: what is absent, extra or strange has a rule and is counted."""

from __future__ import annotations

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from scipy import sparse

from suffice._core.errors import InvalidInput
from suffice.cli.batches import added
from suffice.prepare import Mismatch, TableEncoder
from suffice.study import Study

TABLE = {
    "age": [31.0, 45.0, 28.0, 52.0, 40.0] * 4,
    "city": ["Oslo", "Rome", "Oslo", "Oslo", "Lima"] * 4,
    "smoker": [True, False, False, False, False] * 4,
    "seen": (np.datetime64("2020-01-01") + np.arange(20)).tolist(),
    "size": ["low", "high", "medium", "low", "low"] * 4,
}
MODEL = TableEncoder(least_rows=1).fit(TABLE)
NAMES = list(MODEL.get_feature_names_out())


def row(**cells):
    """The first row with other cells, encoded."""
    table = {name: [cells.get(name, values[0])] for name, values in TABLE.items()}
    return dict(zip(NAMES, MODEL.transform(table)[0], strict=True))


# -- rules ------------------------------------------------------------------------------------------------
def test_an_unknown_level_is_the_average_row():
    shares = {"city = Lima": 0.2, "city = Rome": 0.2}
    Z = MODEL.transform(TABLE)
    for cell in ("Bonn", None):
        found = row(city=cell)
        for name, share in shares.items():
            assert found[name] == pytest.approx(share)
            assert found[name] == pytest.approx(Z[:, NAMES.index(name)].mean())


def test_gaps_and_words_among_numbers_are_filled():
    assert row(age=None)["age"] == row(age="unknown")["age"] == row(age=np.inf)["age"] == 40
    assert row(age="45")["age"] == 45
    assert row(smoker=None)["smoker"] == row(smoker="perhaps")["smoker"] == 0.2
    assert [row(smoker=v)["smoker"] for v in ("True", "false", 1, 0.0, "1")] == [1, 0, 1, 0, 1]
    assert row(smoker=2)["smoker"] == 0.2
    assert row(size="huge")["size as rank"] == row(size=None)["size as rank"] == 0
    assert row(seen="2020-01-03")["seen in days"] == 2
    assert row(seen="soon")["seen in days"] == row(seen=None)["seen in days"] == 9.5


def test_a_third_number_is_a_stranger_only_where_two_name_groups():
    model = TableEncoder().fit({"sex": [1, 2, 2, 1], "dose": [0.5, 2.5, 2.5, 0.5]})
    new = {"sex": [1, 3], "dose": [0.75, 9.0]}
    np.testing.assert_array_equal(model.transform(new), [[1, 0.75], [1.5, 9]])
    assert model.mismatch(new).strangers == {"sex": {"3": 1}}


def test_numbers_as_levels_may_be_written_otherwise():
    model = TableEncoder().fit({"region_code": [1, 2, 3, 1] * 5})
    expected = model.transform({"region_code": [2, 3, 1]})
    for cells in (["2", "3.0", "1"], [2.0, 3.0, 1.0], np.array([2, 3, 1], dtype=np.uint8)):
        np.testing.assert_array_equal(model.transform({"region_code": cells}), expected)
    assert model.mismatch({"region_code": ["2.0", "x", "4"]}).strangers == {"region_code": {"x": 1, "4": 1}}


def test_rare_levels_are_known():
    model = TableEncoder().fit({"k": ["a"] * 9 + ["b"] * 9 + ["c", "d"]})
    assert model.transform({"k": ["c", "d", "e"]}).tolist() == [[0, 1], [0, 1], [0.45, 0.1]]
    assert model.mismatch({"k": ["c", "d", "e"]}).strangers == {"k": {"e": 1}}


def test_columns_may_come_in_any_order_with_others_among_them():
    table = pandas.DataFrame({"extra": 1.0, **dict(reversed(TABLE.items()))})
    np.testing.assert_array_equal(MODEL.transform(table), MODEL.transform(TABLE))


@pytest.mark.parametrize("kind", [pandas.DataFrame, polars.DataFrame, pyarrow.table, lambda t: t])
def test_every_kind_of_table_gives_the_same(kind):
    np.testing.assert_array_equal(MODEL.transform(kind(TABLE)), MODEL.transform(TABLE))
    assert TableEncoder(least_rows=1).fit(kind(TABLE)).state_ == MODEL.state_


def test_no_rows_give_no_rows():
    assert MODEL.transform({name: values[:0] for name, values in TABLE.items()}).shape == (0, len(NAMES))


# -- mismatch ---------------------------------------------------------------------------------------------
def test_a_mismatch_counts_and_says_everything():
    table = {
        "Age": [1, 2, 3],
        "city": ["Bonn", "Bonn", "Kyiv"],
        "smoker": [True, None, None],
        "seen": ["2020-01-03", "soon", None],
        "size": ["low", "huge", "?"],
        "extra": [1, 2, 3],
    }
    found = MODEL.mismatch(table)
    assert found
    assert found.absent == ("age",)
    assert found.extra == ("Age", "extra")
    assert found.strangers == {
        "city": {"Bonn": 2, "Kyiv": 1},
        "seen": {"soon": 1},
        "size": {"huge": 1, "?": 1},
    }
    assert found.gaps == {"smoker": 2, "seen": 1}
    assert found.sentences() == (
        "Column 'age' is not in the table, but the model needs it.",
        "2 columns that the fit has not met are ignored: 'Age', 'extra'.",
        "Column 'city' has 3 cells that the fit was not prepared for ('Bonn' 2×, 'Kyiv' 1×); taken as the average row: "
        "the shares of the levels.",
        "Column 'seen' has 1 cell that the fit was not prepared for ('soon' 1×); taken as 2020-01-10, the median of "
        "the fit.",
        "Column 'size' has 2 cells that the fit was not prepared for ('huge' 1×, '?' 1×); taken as the rank 0, the "
        "median of the fit.",
        "Column 'smoker' has 2 gaps, where the fit had none; taken as 0.2, the mean of the fit.",
        "Column 'seen' has 1 gap, where the fit had none; taken as 2020-01-10, the median of the fit.",
    )


def test_the_table_of_the_fit_is_no_mismatch():
    assert not MODEL.mismatch(TABLE)
    assert MODEL.mismatch(TABLE).sentences() == ()
    gaps = {"x": [1.0, None, 3.0, 7.0], "k": ["a", None, "b", "a"]}
    assert not TableEncoder().fit(gaps).mismatch(gaps)


def test_sentences_stay_short_and_in_one_line():
    strangers = {"k": {f"level\n{i}": 1 for i in range(300)}}
    (said,) = Mismatch((), (), strangers, {}).sentences()
    assert "\n" not in said
    assert said.endswith("and 295 more).")
    assert len(said) < 250


def test_every_cell_is_placed_or_counted():
    """Strangers and gaps of a number column are the cells that got the fill, no more and no fewer."""
    cells = ["1", "x", None, "", "NA", 2.5, "3,5", np.inf, "inf", True, "x"]
    model = TableEncoder().fit({"v": [1.0, 2.0, 4.0, 1000.0]})
    found = model.mismatch({"v": cells})
    assert found.strangers == {"v": {"x": 2, "inf": 1, "true": 1}}
    filled = int(np.sum(model.transform({"v": cells}) == 3.0))
    assert found.gaps["v"] + sum(found.strangers["v"].values()) == filled == 8


# -- tables that are refused ------------------------------------------------------------------------------
def test_absent_columns_are_named_with_those_that_may_be_meant():
    table = pandas.DataFrame(TABLE).rename(columns={"age": "Age", "city": "cty"})
    with pytest.raises(
        InvalidInput, match="lacks 'age', 'city', which the fit has used. 'Age' may be 'age', 'cty' may"
    ):
        MODEL.transform(table)
    with pytest.raises(InvalidInput, match="lacks 'age'.* It has 'city', 'smoker', 'seen', 'size'"):
        MODEL.transform({name: values for name, values in TABLE.items() if name != "age"})


def test_arrays_are_read_by_place():
    X = np.array([[1.0, np.nan], [2.0, 5.0], [4.0, 6.0]])
    model = TableEncoder().fit(X)
    with pytest.raises(InvalidInput, match="X has 3 features, but TableEncoder is expecting 2 features"):
        model.transform(np.ones((2, 3)))
    with pytest.raises(InvalidInput, match="Expected 2D array, got 1D array instead. Reshape your data"):
        model.transform(X[0])
    named = TableEncoder().fit({"a": X[:, 0], "b": X[:, 1]})
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        np.testing.assert_array_equal(named.transform(X), model.transform(X))
    with pytest.warns(UserWarning, match="fitted without feature names"):
        np.testing.assert_array_equal(
            model.transform(pandas.DataFrame(X, columns=["a", "b"])), model.transform(X)
        )


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (sparse.csr_array(np.eye(3)), "TableEncoder does not take sparse tables: .* Pass X.toarray"),
        (np.ones((2, 2, 2)), "Expected 2D array, got 3D"),
        (np.ones((2, 1)) * 1j, "Complex data not supported"),
        ([1, 2, 3], "Expected 2D array, got 1D"),
        (pandas.DataFrame(), r"0 feature\(s\) \(shape=\(0, 0\)\)"),
        ({"a": []}, r"0 sample\(s\) \(shape=\(0, 1\)\)"),
        ({"a": [1, 2], "b": [1]}, "as many rows each; got 'a': 2, 'b': 1"),
        ("table.csv", "Read the file first"),
        (None, "A table is needed"),
    ],
    ids=repr,
)
def test_what_is_no_table(table, words):
    with pytest.raises(InvalidInput, match=words):
        TableEncoder().fit(table)


# -- numbers far outside --------------------------------------------------------------------------------------
def test_numbers_far_outside_the_fit_are_counted_over_all_batches():
    model = TableEncoder().fit({"dose": np.arange(10.0, 31.0), "two": [1, 2, 2] * 7})
    assert not model.mismatch({"dose": [5.0, 35.0], "two": [1, 2]})  # a quarter of the range is near
    first = model.mismatch({"dose": [4.0, 20.0, np.nan, -90.0], "two": [1] * 4})
    assert first
    assert first.far["dose"].cells == 2
    whole = added(first, model.mismatch({"dose": [36.0, 20.0], "two": [1] * 2}))
    assert whole.sentences()[-1] == (
        "Column 'dose' has 3 cells far outside the fit (10 … 30), such as -90: predictions there are extrapolated."
    )
    again = added(first, model.mismatch({"dose": [20.0], "two": [1]}))
    assert again.far == first.far


def test_the_model_of_a_study_says_what_lies_far_outside():
    model = Study("@olympic_100m_men", models=["linear"], folds=3, references=False).run().model
    assert model.mismatch({"year": [2012]}).sentences() == ()
    (said,) = model.mismatch({"year": [2012, 2500]}).sentences()
    assert said.startswith("Column 'year' has 1 cell far outside the fit (1896 … 2008), such as 2500")
