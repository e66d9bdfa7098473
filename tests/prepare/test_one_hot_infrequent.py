"""Infrequent categories of OneHotEncoder, the type of its result and its names: scikit-learn's answers, and sums."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace

import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.preprocessing import OneHotEncoder as TheirEncoder

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, NoInformation, Unsupported
from suffice.prepare import OneHotEncoder
from suffice.prepare.transforming._categories import Categories

rng = np.random.default_rng(5)
WORDS = rng.choice(list("fadbec"), 80, p=[0.4, 0.25, 0.15, 0.1, 0.05, 0.05])
TABLE = pandas.DataFrame(
    {
        "word": WORDS,
        "level": rng.choice([7, 3, 9, 1], 80, p=[0.5, 0.3, 0.1, 0.1]),
        "share": rng.choice([0.5, 0.25, np.nan, 2.5], 80, p=[0.6, 0.3, 0.05, 0.05]),
        "pair": rng.choice(["no", "yes"], 80, p=[0.9, 0.1]),
    }
)
NEW = TABLE.head(12).assign(word=["zebra", *"abcdef", "new", *"abcd"], level=[1, 3, 7, 9, 11, 12] * 2)
LIMITS = [
    {"min_frequency": 10},
    {"min_frequency": 0.15},
    {"max_categories": 1},
    {"max_categories": 2},
    {"max_categories": 3},
    {"max_categories": 40},
    {"min_frequency": 6, "max_categories": 4},
    {"min_frequency": 0.5, "max_categories": 2},
    {"min_frequency": 1},
    {"min_frequency": 1000},
]


def dense(**options):
    return OneHotEncoder(sparse_output=False, **options)


def quietly(model, table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of unknown values, which other tests ask for
        return model.transform(table)


def as_lists(columns):
    """Values of columns, gaps as None."""
    return [None if c is None else [None if v != v else v for v in c.tolist()] for c in columns]


# -- scikit-learn's numbers -----------------------------------------------------------------------------
@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("drop", [None, "first", "if_binary"])
@pytest.mark.parametrize("unknown", ["error", "ignore", "infrequent_if_exist", "warn"])
def test_scikit_learns_numbers(limits, drop, unknown):
    setting = {"drop": drop, "handle_unknown": unknown} | limits
    ours, theirs = dense(**setting).fit(TABLE), TheirEncoder(sparse_output=False, **setting).fit(TABLE)
    for table in (TABLE,) if unknown == "error" else (TABLE, NEW):
        expected = quietly(theirs, table)
        assert np.array_equal(quietly(ours, table), expected)
        assert np.array_equal(quietly(OneHotEncoder(**setting).fit(TABLE), table).toarray(), expected)
    assert as_lists(ours.infrequent_categories_) == as_lists(theirs.infrequent_categories_)
    assert as_lists(ours.categories_) == as_lists(theirs.categories_)
    assert (ours.drop_idx_ is None) == (drop is None)
    if drop is not None:
        assert ours.drop_idx_.tolist() == theirs.drop_idx_.tolist()
    assert list(ours.get_feature_names_out()) == list(theirs.get_feature_names_out())


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("drop", [None, "if_binary"])
def test_the_way_back_of_scikit_learn(limits, drop):
    columns = TABLE[["word", "level", "pair"]]
    ours, theirs = (make(drop=drop, **limits).fit(columns) for make in (OneHotEncoder, TheirEncoder))
    Z = ours.transform(columns)
    assert ours.inverse_transform(Z).tolist() == theirs.inverse_transform(Z).tolist()


def test_the_shared_column_comes_back_by_its_name_also_where_it_is_left_out():
    kept = dense(min_frequency=2, drop="first").fit([["a"], ["a"], ["b"], ["c"]])
    assert kept.transform([["a"], ["c"]]).tolist() == [[0], [1]]
    assert kept.inverse_transform([[0], [1]]).tolist() == [["a"], ["infrequent_sklearn"]]
    gone = dense(max_categories=1, drop="first").fit([["a"], ["b"]])
    assert gone.transform([["a"], ["b"]]).shape == (2, 0)
    assert list(gone.drop_idx_) == [0]
    numbers = dense(min_frequency=2, handle_unknown="ignore").fit([[1, 5], [1, 6], [2, 5]])
    assert numbers.inverse_transform([[0, 1, 1, 0], [0, 0, 0, 1]]).tolist() == [
        ["infrequent_sklearn", 5],
        [None, "infrequent_sklearn"],
    ]


def test_given_categories_that_do_not_occur_are_infrequent():
    setting = {"categories": [["c", "x", "a", "b", "y"]], "min_frequency": 2}
    column = np.array([["a"], ["a"], ["c"], ["b"], ["b"]], dtype=object)
    ours, theirs = dense(**setting).fit(column), TheirEncoder(sparse_output=False, **setting).fit(column)
    assert ours.infrequent_categories_[0].tolist() == ["c", "x", "y"]
    assert as_lists(ours.infrequent_categories_) == as_lists(theirs.infrequent_categories_)
    rows = np.array([["y"], ["a"], ["b"], ["c"]], dtype=object)
    assert np.array_equal(ours.transform(rows), theirs.transform(rows))


def test_of_equally_rare_categories_the_first_are_infrequent():
    column = np.array([f"w{i % 200:03d}" for i in range(500)], dtype=object)[:, None]  # 100 thrice, 100 twice
    ours, theirs = (make(max_categories=151).fit(column) for make in (OneHotEncoder, TheirEncoder))
    assert ours.infrequent_categories_[0].tolist() == [f"w{i}" for i in range(100, 150)]
    assert as_lists(ours.infrequent_categories_) == as_lists(theirs.infrequent_categories_)


# -- gaps and unknown values ----------------------------------------------------------------------------
def test_a_gap_may_be_infrequent_and_is_none_with_zeros():
    column = np.array([[1.0], [1.0], [2.0], [2.0], [np.nan], [3.0]])
    own = dense(min_frequency=2).fit(column)
    assert as_lists(own.infrequent_categories_) == [[3.0, None]]
    assert own.transform(column[-3:]).tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 1]]
    zeros = dense(min_frequency=2, missing="zeros").fit(column)
    assert as_lists(zeros.infrequent_categories_) == [[3.0]]
    assert zeros.transform(column[-3:]).tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 1]]
    frequent = dense(max_categories=2).fit(np.array([[None], [None], ["a"], ["b"]], dtype=object))
    assert list(frequent.get_feature_names_out()) == ["x0_nan", "x0_infrequent_sklearn"]
    share = dense(min_frequency=0.4, missing="zeros").fit(column)  # 2 of 6 rows, gaps among them
    assert as_lists(share.infrequent_categories_) == [[1.0, 2.0, 3.0]]


def test_an_unknown_gap_is_infrequent():
    model = dense(min_frequency=2, handle_unknown="infrequent_if_exist").fit([[1.0], [1.0], [2.0]])
    assert model.transform([[np.nan], [1.0]]).tolist() == [[0, 1], [1, 0]]
    assert dense(handle_unknown="infrequent_if_exist").fit([[1.0]]).transform([[np.nan]]).tolist() == [[0]]


def test_other_values_stay_apart_from_infrequent_ones():
    model = dense(min_frequency=2, handle_unknown="other").fit([["a"], ["a"], ["b"]])
    assert list(model.get_feature_names_out()) == ["x0_a", "x0_infrequent_sklearn", "x0_other"]
    Z = model.transform([["a"], ["b"], ["z"]])
    assert Z.tolist() == np.eye(3).tolist()
    assert model.inverse_transform(Z)[:, 0].tolist() == ["a", "infrequent_sklearn", None]


def test_unknown_values_are_warned_about():
    few = dense(handle_unknown="warn", min_frequency=2).fit([["a"], ["a"], ["b"]])
    with pytest.warns(NoInformation, match="Column 'x0' holds the unknown value 'z' at row 1, .* infrequent"):
        assert few.transform([["b"], ["z"]]).tolist() == [[0, 1], [0, 1]]
    none = dense(handle_unknown="warn").fit([["a"], ["b"]])
    with pytest.warns(NoInformation, match="'z' at row 0, .* gets zeros"):
        assert none.transform([["z"]]).tolist() == [[0, 0]]
    with pytest.warns(NoInformation, match="holds a gap at row 0"):
        none.transform(np.array([[None]], dtype=object))
    assert few.transform([["a"], ["b"]]).tolist() == [
        [1, 0],
        [0, 1],
    ]  # and no warning, which would be an error
    zeros = dense(handle_unknown="warn", missing="zeros").fit([["a"]])
    assert zeros.transform(np.array([[None]], dtype=object)).tolist() == [[0]]
    dropped = dense(handle_unknown="infrequent_if_exist", drop="first", max_categories=1).fit([["a"], ["b"]])
    with pytest.warns(NoInformation, match="zeros are those of the category 'infrequent_sklearn'"):
        dropped.transform([["z"]])


# -- the type and the names of the result ---------------------------------------------------------------
@pytest.mark.parametrize("dtype", [np.float32, np.int8, bool, "int64", np.dtype("uint8")], ids=str)
def test_the_type_of_the_result(dtype):
    column = TABLE[["word"]]
    for model in (OneHotEncoder(dtype=dtype), dense(dtype=dtype)):
        Z = model.fit_transform(column)
        assert Z.dtype == np.dtype(dtype)
        Z = Z.toarray() if sparse.issparse(Z) else Z
        assert np.array_equal(Z, dense().fit_transform(column))
        assert model.inverse_transform(Z).tolist() == column.to_numpy().tolist()


def test_names_by_a_function():
    def combine(feature, category):
        return f"{feature}={category}"

    columns = TABLE[["word", "level", "share", "pair"]]
    for more in ({}, {"min_frequency": 8, "drop": "first"}):
        setting = {"feature_name_combiner": combine} | more
        ours, theirs = OneHotEncoder(**setting).fit(columns), TheirEncoder(**setting).fit(columns)
        assert list(ours.get_feature_names_out()) == list(theirs.get_feature_names_out())
    kinds = dense(feature_name_combiner=lambda _, c: f"{c!r}", handle_unknown="other").fit(TABLE[["share"]])
    assert list(kinds.get_feature_names_out()) == ["0.25", "0.5", "2.5", "nan", "'other'"]
    with pytest.raises(InvalidInput, match="would be called 'word'"):
        dense(feature_name_combiner=lambda feature, _: feature).fit(columns).get_feature_names_out()
    with pytest.raises(InvalidParameter, match="feature_name_combiner must give strings; got None"):
        dense(feature_name_combiner=lambda *_: None).fit(columns).get_feature_names_out()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_frequency", 0),
        ("min_frequency", 1.0),
        ("min_frequency", 0.0),
        ("min_frequency", True),
        ("min_frequency", float("nan")),
        ("min_frequency", "few"),
        ("max_categories", 0),
        ("max_categories", 2.0),
        ("max_categories", True),
        ("dtype", "text"),
        ("dtype", object),
        ("feature_name_combiner", "join"),
    ],
)
def test_wrong_parameters(name, value):
    with pytest.raises(InvalidParameter, match=f"{name} must be .*{re.escape(repr(value))}"):
        OneHotEncoder(**{name: value}).fit(TABLE)


def test_a_function_is_not_written_to_a_file(tmp_path):
    model = dense(feature_name_combiner="{}={}".format).fit(TABLE)
    with pytest.raises(Unsupported, match="cannot be saved"):
        suffice.save(model, tmp_path / "m.suffice")


# -- statistics and files -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "limits", [{"min_frequency": 0.15}, {"min_frequency": 10, "max_categories": 3}], ids=str
)
def test_parts_add_and_leave(limits):
    whole = dense(drop="if_binary", **limits).fit(TABLE)
    parts = [TABLE.iloc[rows] for rows in np.array_split(np.argsort(WORDS), 5)]
    pieces = dense(drop="if_binary", **limits)
    for part in parts:
        pieces.partial_fit(part)
    merged = suffice.merge([dense(drop="if_binary", **limits).fit(p) for p in parts])
    more = dense(drop="if_binary", **limits).fit(pandas.concat([TABLE, NEW]))
    for model in (pieces, merged, suffice.forget(more, NEW)):
        assert as_lists(model.categories_) == as_lists(whole.categories_)
        assert as_lists(model.infrequent_categories_) == as_lists(whole.infrequent_categories_)
        assert np.array_equal(model.transform(TABLE), whole.transform(TABLE))
    assert as_lists(dense(**limits).fit(parts[0]).infrequent_categories_) != as_lists(
        whole.infrequent_categories_
    )


@pytest.mark.parametrize("places", [[0, 2], [1, 0], [1, 1]], ids=str)
def test_places_of_no_category_are_not_loaded(places):
    good = Categories(np.array(["a"]), gap=True, infrequent=np.array([0, 1]))
    assert good.check_loaded() == 0
    with pytest.raises(InvalidParameter, match="infrequent must be sorted places of categories"):
        replace(good, infrequent=np.array(places)).check_loaded()


def test_weights_count_rows():
    weight = rng.integers(0, 4, 80)
    repeated = dense(min_frequency=0.15).fit(TABLE.iloc[np.repeat(np.arange(80), weight)])
    assert dense(min_frequency=0.15).fit(TABLE, None, weight).state_ == repeated.state_


@pytest.mark.parametrize("limits", LIMITS[:3] + LIMITS[6:7], ids=str)
def test_saved_and_loaded(tmp_path, limits):
    model = OneHotEncoder(dtype=np.float32, drop="first", handle_unknown="infrequent_if_exist", **limits)
    suffice.save(model.fit(TABLE), tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert again.state_ == model.state_
    assert again.get_params() == model.get_params()
    assert np.array_equal(again.transform(TABLE).toarray(), model.transform(TABLE).toarray())
    assert again.drop_idx_.tolist() == model.drop_idx_.tolist()
