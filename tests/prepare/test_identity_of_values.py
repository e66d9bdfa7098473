"""Values that must stay what they are: whole numbers beyond 2^53, labels of two kinds, times that are no numbers."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.impute import SimpleImputer as TheirImputer

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, NoInformation
from suffice.bases import Polynomial
from suffice.prepare import (
    Affine,
    BasisTransformer,
    Binarizer,
    Centerer,
    LogTransform,
    OneHotEncoder,
    SimpleImputer,
    Standardizer,
    Whitener,
    class_weights,
    drop_missing,
    oversample,
    undersample,
)

WIDE = np.array([[2**53], [2**53 + 1], [2**60 + 3]])


# -- whole numbers that floats would merge ------------------------------------------------------------------
def test_categories_of_wide_whole_numbers_stay_apart_there_and_back():
    model = OneHotEncoder(sparse_output=False).fit(WIDE)
    assert model.transform(WIDE).tolist() == np.eye(3).tolist()
    back = model.inverse_transform(np.eye(3))
    assert back.dtype.kind == "i"
    assert back.tolist() == WIDE.tolist()
    as_unsigned = model.transform(WIDE.astype(np.uint64))
    assert as_unsigned.tolist() == np.eye(3).tolist()
    with pytest.raises(InvalidInput, match=r"not among its categories"):
        OneHotEncoder().fit(WIDE[1:]).transform(WIDE[:1].astype(float))


def test_whole_numbers_decode_to_whole_numbers_unless_a_gap_is_among_them():
    model = OneHotEncoder(handle_unknown="ignore").fit([[1], [2]])
    assert model.inverse_transform([[1.0, 0.0]]).dtype.kind == "i"
    back = model.inverse_transform([[0.0, 0.0], [0.0, 1.0]])
    assert np.isnan(back[0, 0])
    assert back[1, 0] == 2


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"x": pd.array([2**53, 2**53 + 1, None], dtype="Int64")}),
        pl.DataFrame({"x": [2**53, 2**53 + 1, None]}),
        pa.table({"x": [2**53, 2**53 + 1, None]}),
        pd.DataFrame({"x": [2**64, 2**64 + 1, 0]}, dtype=object),
    ],
    ids=["pandas", "polars", "arrow", "objects"],
)
def test_wide_whole_numbers_beside_gaps_are_refused_rather_than_merged(table):
    for model in (OneHotEncoder(), SimpleImputer("mode")):
        with pytest.raises(InvalidInput, match=r"Column 'x' holds \d+, which no float holds exactly"):
            model.fit(table)


def test_wide_whole_numbers_that_are_floats_may_have_gaps():
    table = pd.DataFrame({"x": pd.array([2**60, 2**53, None], dtype="Int64")})
    assert OneHotEncoder().fit(table).transform(table).shape == (3, 3)


def test_parts_whose_whole_numbers_would_merge_are_not_added():
    model = OneHotEncoder().fit(WIDE)
    with pytest.raises(InvalidInput, match=r"whole numbers beyond 2\^53 .* would merge"):
        model.partial_fit([[0.5]])


def test_the_imputer_keeps_wide_whole_numbers():
    table = np.array([[2**60 + 1], [2**60 + 3], [2**60 + 3]])
    found = SimpleImputer("mode").fit(table)
    assert found.state_[0].value == 2**60 + 3
    assert (
        found.transform(table).tolist()
        == TheirImputer(strategy="most_frequent").fit_transform(table).tolist()
    )
    beside = SimpleImputer("mode").fit_transform(pd.DataFrame({"id": [2**60 + 1, 7], "x": [0.5, np.nan]}))
    assert beside.tolist() == [[2**60 + 1, 0.5], [7, 0.5]]


# -- the imputer ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_columns_of_a_frame_keep_their_types_beside_text(kind):
    table = pd.DataFrame(
        {"x": [1.5, np.nan, 2.5], "ok": [True, False, True], "word": ["a", None, "a"], "n": [1, 2, 3]}
    )
    table.index = [7, 8, 9]
    model = SimpleImputer("auto", add_indicator=True).set_output(transform=kind).fit(table)
    found = model.transform(table)
    assert list(found.columns) == ["x", "ok", "word", "n", "missingindicator_x", "missingindicator_word"]
    assert [np.asarray(found[c]).dtype.kind for c in ("x", "ok", "n", "missingindicator_x")] == [
        "f",
        "b",
        "i",
        "f",
    ]
    assert np.asarray(found["x"]).tolist() == [1.5, 2.0, 2.5]
    assert list(found["word"]) == ["a", "a", "a"]
    if kind == "pandas":
        assert found.index.tolist() == [7, 8, 9]


def test_a_number_is_not_put_among_words():
    table = pd.DataFrame({"word": ["a", None], "x": [1.0, np.nan]})
    with pytest.raises(
        InvalidParameter, match=r"fill_value must be text for column 'word'; got 0; a mapping"
    ):
        SimpleImputer("constant", fill_value=0).fit(table)
    filled = SimpleImputer("constant", fill_value={"word": "?", "x": 0}).fit_transform(table)
    assert filled.tolist() == [["a", 1.0], ["?", 0.0]]


def test_a_mode_is_forgotten_whatever_the_spread_of_its_column():
    gone = np.array([[0.7], [0.3], [0.7], [0.7], [0.7]])
    both = SimpleImputer("mode").fit(np.vstack([np.full((3, 1), 0.1), gone]))
    assert both.state_[0].value == 0.7
    assert suffice.forget(both, gone).state_[0].value == 0.1  # of the spread nothing is left


# -- categories that are left out --------------------------------------------------------------------------
def test_an_unknown_value_that_looks_like_the_dropped_category_is_told():
    model = OneHotEncoder(drop="first", handle_unknown="ignore", sparse_output=False).fit([["a"], ["b"]])
    assert model.transform([["a"], ["b"]]).tolist() == [[0], [1]]  # no warning
    with pytest.warns(
        NoInformation, match=r"Column 'x0' holds the unknown value 'z' at row 1, .* category 'a'"
    ):
        assert model.transform([["b"], ["z"]]).tolist() == [[1], [0]]
    gappy = OneHotEncoder(drop="first", missing="zeros", sparse_output=False).fit([["a"], ["b"], [None]])
    with pytest.warns(NoInformation, match=r"Column 'x0' holds a gap at row 0"):
        assert gappy.transform([[None]]).tolist() == [[0]]
    kept = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit([["a"], ["b"]])
    assert kept.transform([["z"]]).tolist() == [[0, 0]]


def test_bytes_are_refused_in_words():
    with pytest.raises(
        InvalidInput, match=r"Column 'x0' holds bytes; decode them with .astype\(str\), or leave it out"
    ):
        OneHotEncoder().fit(np.array([[b"a"], [b"b"]]))


# -- times and text are no numbers -------------------------------------------------------------------------
NUMERIC = [
    Standardizer(),
    Centerer(),
    Whitener(),
    Binarizer(),
    LogTransform(),
    Affine(2.0),
    BasisTransformer(Polynomial(1)),
]
DAYS = np.array([["2020-01-01"], ["2020-01-02"], ["2020-01-04"]], dtype="M8[s]")


@pytest.mark.parametrize("model", NUMERIC, ids=lambda m: type(m).__name__)
def test_tables_of_times_or_text_are_refused_at_fit_and_transform(model):
    times = [
        DAYS,
        DAYS - DAYS[0],
        pd.DataFrame({"t": DAYS[:, 0]}),
        pl.DataFrame({"t": [dt.date(2020, 1, 1), dt.date(2020, 1, 2)]}),
        pa.table({"t": [dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2)]}),
    ]
    words = [
        np.array([["1"], ["2"]]),
        [["1"], ["2"]],
        pd.DataFrame({"t": ["1", "2"]}),
        pl.DataFrame({"t": ["1", "2"]}),
        pa.table({"t": ["1", "2"]}),
    ]
    model.fit(np.array([[1.0], [2.0], [4.0]]))
    for tables, what in ((times, "times"), (words, "text")):
        for table in tables:
            for call in (model.transform, clone(model).fit):
                with pytest.raises(InvalidInput, match=rf"holds {what} \("):
                    call(table)


def test_numbers_as_objects_are_numbers():
    table = pd.DataFrame({"a": [1, 2.5, 4]}, dtype=object)
    assert Centerer().fit_transform(table).ravel() == pytest.approx([-1.5, 0, 1.5])
    gaps = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64")})
    assert np.isnan(Standardizer().fit_transform(gaps)[1, 0])


# -- labels -----------------------------------------------------------------------------------------------
def test_labels_of_two_kinds_are_refused():
    labels = np.array([1, "1", "1", "1"], dtype=object)
    for call in (
        lambda: class_weights(labels),
        lambda: undersample(np.zeros((4, 1)), labels),
        lambda: oversample(np.zeros((4, 1)), labels),
        lambda: class_weights(np.array([True, "x", True], dtype=object)),
    ):
        with pytest.raises(
            InvalidInput, match=r"y holds .* at row 0 and '.' at row 1: labels must be all text"
        ):
            call()


def test_wide_labels_stay_apart():
    assert class_weights(np.array([2**63, -1, 2**63 + 1], dtype=object)) == {
        2**63: 1.0,
        -1: 1.0,
        2**63 + 1: 1.0,
    }


# -- logarithms, and names --------------------------------------------------------------------------------
def test_an_offset_of_one_keeps_digits_beside_other_offsets():
    model, x, z = LogTransform(offset=[1.0, 0.0]), [[1e-20, np.e]], [[1e-20, 1.0]]
    np.testing.assert_allclose(model.fit_transform(x), z, rtol=1e-15)
    np.testing.assert_allclose(model.inverse_transform(z), x, rtol=1e-15)


def test_a_parameter_set_after_the_fit_waits_for_the_next_one():
    model = LogTransform().fit([[1.0]]).set_params(offset=-5.0)
    assert model.transform([[1.0]]).tolist() == [[0.0]]
    turned = Affine([[1.0, 0.0], [0.0, 1.0]]).fit([[1.0, 2.0]]).set_params(A=2.0)
    with pytest.raises(InvalidInput, match="nan|NaN"):
        turned.transform([[np.nan, 1.0]])


def test_repeated_names_are_told_without_talk_of_batches():
    table = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(InvalidInput, match=r"^The table has 2 columns called 'a'; rename them\.$"):
        drop_missing(table)
