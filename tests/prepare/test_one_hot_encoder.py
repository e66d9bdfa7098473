"""OneHotEncoder: the definition cell by cell, scikit-learn's answers, gaps, strangers, and parts that add."""

from __future__ import annotations

from unittest import SkipTest

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import OneHotEncoder as TheirEncoder
from sklearn.utils.estimator_checks import estimator_checks_generator

import suffice
from suffice import engine
from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter
from suffice.prepare import OneHotEncoder

rng = np.random.default_rng(2)
COLORS = rng.choice(["red", "green", "blue"], 60)
SIZES = rng.integers(1, 5, 60)
SHARES = rng.choice([0.25, 0.5, 1.0], 60)
FLAGS = rng.random(60) < 0.5
TABLE = pandas.DataFrame({"color": COLORS, "size": SIZES, "share": SHARES, "flag": FLAGS})
COUNTS = rng.integers(0, 3, 60).astype(float)


def dense(**options):
    return OneHotEncoder(sparse_output=False, **options)


# -- the numbers --------------------------------------------------------------------------------------
def test_the_worked_example_of_the_text():
    assert dense(categories=[[1, 2, 3, 4]]).fit_transform([[3]]).tolist() == [[0, 0, 1, 0]]  # DTU §2.4.1
    classes = dense().fit_transform(np.array([[2], [1], [1], [3]]))  # DTU ch. 15, one of K
    assert classes.tolist() == [[0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1]]


def test_one_where_the_value_is_the_category():
    model = dense().fit(TABLE)
    Z, at = model.transform(TABLE), 0
    for name, values in zip(TABLE.columns, model.categories_, strict=True):
        assert values.tolist() == sorted(set(TABLE[name].tolist()))
        for v in values:
            assert Z[:, at].tolist() == [float(cell == v) for cell in TABLE[name]]
            at += 1
    assert at == Z.shape[1]


@pytest.mark.parametrize("drop", [None, "first", "if_binary"])
def test_scikit_learns_numbers(drop):
    ours, theirs = OneHotEncoder(drop=drop).fit(TABLE), TheirEncoder(drop=drop).fit(TABLE)
    a, b = ours.transform(TABLE), theirs.transform(TABLE)
    assert sparse.issparse(a)
    assert a.has_canonical_format
    assert np.array_equal(a.toarray(), b.toarray())
    assert np.array_equal(dense(drop=drop).fit_transform(TABLE), b.toarray())
    assert ours.inverse_transform(a).tolist() == TABLE.to_numpy().tolist()
    names = [n.replace("share_1.0", "share_1") for n in theirs.get_feature_names_out()]
    assert list(ours.get_feature_names_out()) == names


def test_renaming_categories_leaves_distances_as_they_are():
    def distances(words):
        Z = dense().fit_transform(np.array(words)[:, None])
        return np.linalg.norm(Z[:, None] - Z[None], axis=2)

    other = [{"red": "z", "green": "a", "blue": "m"}[c] for c in COLORS]
    assert np.array_equal(distances(COLORS), distances(other))


def test_kinds_of_tables_give_the_same():
    data = {"color": COLORS.tolist(), "size": SIZES.tolist()}
    expected = dense().fit_transform(pandas.DataFrame(data))
    for table in (
        polars.DataFrame(data),
        pyarrow.table(data),
        pandas.DataFrame(data).astype({"color": "category"}),
    ):
        model = dense().fit(table)
        assert list(model.feature_names_in_) == ["color", "size"]
        assert np.array_equal(model.transform(table), expected)
    rows = [[c, int(s)] for c, s in zip(COLORS, SIZES, strict=True)]
    assert np.array_equal(dense().fit_transform(rows), expected)
    assert np.array_equal(dense().fit_transform(np.array(rows, dtype=object)), expected)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frames_out(kind):
    table = TABLE if kind == "pandas" else polars.from_pandas(TABLE)
    for model in (OneHotEncoder(), dense()):
        out = model.set_output(transform=kind).fit_transform(table)
        assert list(out.columns) == list(model.get_feature_names_out())
        assert np.array_equal(np.asarray(out), dense().fit_transform(TABLE))


def test_numbers_are_not_their_text():
    model = dense(handle_unknown="ignore").fit([[1], [2]])
    assert model.transform([[1]]).tolist() == [[1, 0]]
    assert model.transform([["1"]]).tolist() == [[0, 0]]
    assert dense(handle_unknown="ignore").fit([["1"]]).transform([[1]]).tolist() == [[0]]


def test_large_whole_numbers_stay_apart():
    big = np.array([[2**60], [2**60 + 1], [2**60]])
    model = dense().fit(big)
    assert model.transform(big).tolist() == [[1, 0], [0, 1], [1, 0]]


def test_huge_tiny_and_negative_numbers():
    column = np.array([[1e308], [-1e308], [5e-324], [0.0], [-0.0], [-7.0]])
    Z = dense().fit_transform(column)
    assert Z.sum(axis=1).tolist() == [1.0] * 6
    assert Z.shape[1] == 5
    assert np.array_equal(Z[3], Z[4])


# -- gaps ---------------------------------------------------------------------------------------------
GAPS = pandas.DataFrame({"word": ["a", None, "b", "a"], "number": [1.0, 2.0, np.nan, 1.0]})


def test_a_gap_has_a_column_or_none():
    own = dense().fit(GAPS)
    assert list(own.get_feature_names_out()) == [
        "word_a",
        "word_b",
        "word_nan",
        "number_1",
        "number_2",
        "number_nan",
    ]
    assert np.array_equal(own.transform(GAPS), TheirEncoder(sparse_output=False).fit_transform(GAPS))
    zeros = dense(missing="zeros").fit(GAPS)
    assert zeros.transform(GAPS).tolist() == [[1, 0, 1, 0], [0, 0, 0, 1], [0, 1, 0, 0], [1, 0, 1, 0]]
    for model in (own, zeros):
        back = model.inverse_transform(model.transform(GAPS))
        assert back[:, 0].tolist() == ["a", None, "b", "a"]
        assert back[2, 1] is None
    numbers = dense().fit(GAPS[["number"]])
    np.testing.assert_array_equal(
        numbers.inverse_transform(numbers.transform(GAPS[["number"]])), GAPS[["number"]]
    )


def test_a_gap_the_fit_has_not_seen_is_a_stranger():
    model = dense().fit(GAPS[["number"]].dropna())
    with pytest.raises(InvalidInput, match="Column 'number' holds a gap at row 2.*missing='zeros'"):
        model.transform(GAPS[["number"]])
    other = dense(handle_unknown="other").fit(GAPS[["number"]].dropna())
    assert other.transform(GAPS[["number"]])[2].tolist() == [0, 0, 1]


@pytest.mark.parametrize("gap", [None, np.nan, pandas.NA, float("nan")])
def test_every_kind_of_gap(gap):
    column = np.array([["a"], [gap], ["b"]], dtype=object)
    assert dense(missing="zeros").fit_transform(column).tolist() == [[1, 0], [0, 0], [0, 1]]


def test_a_column_of_gaps():
    table = np.array([[np.nan, 1.0], [np.nan, 2.0]])
    assert dense().fit_transform(table).tolist() == [[1, 1, 0], [1, 0, 1]]
    assert dense(missing="zeros").fit_transform(table).tolist() == [[1, 0], [0, 1]]


# -- strangers and given categories -------------------------------------------------------------------
def test_strangers_are_named_ignored_or_kept_apart():
    new = pandas.DataFrame({"color": ["red", "mauve"], "size": [9, 1]})
    seen = TABLE[["color", "size"]]
    with pytest.raises(
        InvalidInput, match=r"Column 'color' holds 'mauve' at row 1, .* \['blue', 'green', 'red'\]"
    ):
        dense().fit(seen).transform(new)
    assert dense(handle_unknown="ignore").fit(seen).transform(new).sum(axis=1).tolist() == [1, 1]
    other = dense(handle_unknown="other").fit(seen)
    assert list(other.get_feature_names_out())[3] == "color_other"
    Z = other.transform(new)
    assert Z[:, 3].tolist() == [0, 1]
    assert Z[:, -1].tolist() == [1, 0]
    assert other.inverse_transform(Z).tolist() == [["red", None], [None, 1]]


def test_gaps_and_strangers_have_columns_of_their_own():
    model = dense(handle_unknown="other").fit(GAPS)
    Z = model.transform(pandas.DataFrame({"word": [None, "z", "b"], "number": [7.0, np.nan, 2.0]}))
    assert Z.tolist() == [[0, 0, 1, 0, 0, 0, 0, 1], [0, 0, 0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1, 0, 0]]
    assert [n.split("_")[1] for n in model.get_feature_names_out()][2:4] == ["nan", "other"]


def test_given_categories_keep_their_order():
    model = dense(categories=[["red", "green", "blue"], [4, 3, 2, 1]]).fit(TABLE[["color", "size"]])
    assert list(model.get_feature_names_out())[:4] == ["color_red", "color_green", "color_blue", "size_4"]
    Z = model.transform(TABLE[["color", "size"]])
    assert Z[:, 0].tolist() == (COLORS == "red").astype(float).tolist()
    assert Z[:, 3].tolist() == (SIZES == 4).astype(float).tolist()
    by_name = dense(categories={"size": [4, 3, 2, 1], "color": ["red", "green", "blue"]})
    assert np.array_equal(by_name.fit_transform(TABLE[["color", "size"]]), Z)
    assert model.inverse_transform(Z).tolist() == TABLE[["color", "size"]].to_numpy().tolist()


def test_given_categories_with_a_gap():
    model = dense(categories=[["a", "b", None]]).fit([["a"], ["b"]])
    assert model.transform(np.array([["a"], [None]], dtype=object)).tolist() == [[1, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    "wrong",
    [[["a"]], "all", 5, None, [["a", "a"], [1]], [["a"], []], ["ab", "c"], {"color": ["a"]}, [["a"], 3]],
)
def test_wrong_categories(wrong):
    with pytest.raises(InvalidParameter, match="categories"):
        dense(categories=wrong).fit(TABLE[["color", "size"]])


def test_rows_outside_given_categories():
    with pytest.raises(InvalidInput, match="Column 'color' holds 'blue', which is not among its categories"):
        dense(categories=[["red", "green"]]).fit(TABLE[["color"]])
    Z = dense(categories=[["red", "green"]], handle_unknown="ignore").fit_transform(TABLE[["color"]])
    assert np.array_equal(Z.sum(axis=1) == 0, COLORS == "blue")


@pytest.mark.parametrize(
    ("name", "value"),
    [("drop", "last"), ("handle_unknown", "infrequent"), ("missing", "drop"), ("sparse_output", "no")],
)
def test_wrong_parameters(name, value):
    with pytest.raises(InvalidParameter, match=f"{name} must be .*{value!r}"):
        OneHotEncoder(**{name: value}).fit(TABLE)


# -- statistics ---------------------------------------------------------------------------------------
def test_parts_unite_their_categories():
    order = np.argsort(COLORS)
    parts = [TABLE.iloc[rows] for rows in np.array_split(order, 5)]
    whole = dense().fit(TABLE)
    pieces = dense()
    for part in parts:
        pieces.partial_fit(part)
    for model in (pieces, suffice.merge([dense().fit(p) for p in parts]), engine.fit(dense(), iter(parts))):
        assert [c.tolist() for c in model.categories_] == [c.tolist() for c in whole.categories_]
        assert model.statistics_ == whole.statistics_
        assert np.array_equal(model.transform(TABLE), whole.transform(TABLE))


def test_files(tmp_path):
    for name in ("rows.parquet", "rows.csv"):
        frame = polars.from_pandas(TABLE[["color", "size"]])
        frame.write_parquet(tmp_path / name) if name.endswith("parquet") else frame.write_csv(tmp_path / name)
        model = engine.fit(dense(), tmp_path / name)
        assert np.array_equal(model.transform(frame), dense().fit_transform(TABLE[["color", "size"]]))


def test_forgetting_rows_forgets_their_categories():
    whole = dense().fit(TABLE)
    blue = (COLORS == "blue").nonzero()[0]
    rest = suffice.forget(whole, TABLE.iloc[blue])
    expected = dense().fit(TABLE.drop(index=blue))
    assert [c.tolist() for c in rest.categories_] == [c.tolist() for c in expected.categories_]
    assert rest.statistics_ == expected.statistics_
    with pytest.raises((InvalidInput, ArithmeticError), match="Column 'color'.*'mauve'|Cannot take"):
        suffice.forget(whole, TABLE.iloc[:1].assign(color="mauve"))


def test_weights_count_rows():
    kept = np.repeat(np.arange(60), COUNTS.astype(int))
    weighted, repeated = dense().fit(TABLE, None, COUNTS), dense().fit(TABLE.iloc[kept])
    for a, b in zip(weighted.statistics_.columns, repeated.statistics_.columns, strict=True):
        assert np.array_equal(a.classes, b.classes)
        assert np.array_equal(a.counts, b.counts)
    only_red = (COLORS == "red").astype(float)
    assert dense().fit(TABLE[["color"]], None, only_red).categories_[0].tolist() == ["red"]
    with pytest.raises(InvalidInput, match="sample_weight is zero for all 60 rows"):
        dense().fit(TABLE, None, np.zeros(60))


def test_parts_of_different_kinds_do_not_merge():
    with pytest.raises(
        HeaderMismatch, match="Column 'x0': .*strings.*numbers|Column 'x0': .*numbers.*strings"
    ):
        dense().fit([["a"]]).partial_fit([[1]])
    with pytest.raises(ValueError, match="feature names should match"):
        dense().fit(TABLE).partial_fit(TABLE.rename(columns={"size": "weight"}))


def test_saved_and_loaded(tmp_path):
    for model in (
        OneHotEncoder(),
        dense(categories={"word": ["b", "a", None], "number": [2.0, 1.0, 3.5]}, missing="zeros"),
    ):
        model.fit(GAPS)
        suffice.save(model, tmp_path / "m.suffice")
        again = suffice.load(tmp_path / "m.suffice")
        assert again.state_ == model.state_
        assert again.statistics_ == model.statistics_
        a, b = again.transform(GAPS), model.transform(GAPS)
        assert np.array_equal(
            a.toarray() if sparse.issparse(a) else a, b.toarray() if sparse.issparse(b) else b
        )


# -- bad tables ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("table", "words"),
    [
        (np.zeros((0, 2)), "0 sample"),
        (pandas.DataFrame({"a": []}), "0 sample"),
        (pandas.DataFrame(), "0 feature"),
        (np.zeros(3), "Expected 2D array"),
        (np.array([["a", 1], [2, "b"]], dtype=object), "Column 'x0' holds 'a' and 2"),
        ([["a", 1], ["b"]], "different lengths"),
        (np.array([["2020-01-01"]], dtype="M8[D]"), "Column 'x0' holds times"),
        (np.array([[np.inf]]), "X contains inf at row 0, column 'x0'"),
        (np.array([[[1], 2]], dtype=object), "Column 'x0' holds"),
        (sparse.csr_array(np.eye(2)), "does not take sparse"),
        (pandas.DataFrame([[1, 2]], columns=["a", "a"]), "2 columns called 'a'"),
        (np.array([[1j]]), "Complex data not supported"),
    ],
    ids=str,
)
def test_bad_tables(table, words):
    with pytest.raises(ValueError, match=words):
        OneHotEncoder().fit(table)


def test_other_columns_after_the_fit():
    model = dense().fit(TABLE)
    with pytest.raises(ValueError, match="feature names should match"):
        model.transform(TABLE[["size", "color", "share", "flag"]])
    with pytest.raises(InvalidInput, match="X has 3 columns, but transform of this OneHotEncoder gives"):
        model.inverse_transform(np.eye(3))
    with pytest.raises(NotFittedError, match="not fitted"):
        dense().transform(TABLE)
    with pytest.raises(InvalidInput, match="would be called 'a_b_c'"):
        dense().fit(pandas.DataFrame({"a": ["b_c"], "a_b": ["c"]})).get_feature_names_out()


def test_among_other_transformers():
    mixed = ColumnTransformer([("words", OneHotEncoder(), ["color"])], remainder="passthrough")
    assert mixed.fit_transform(TABLE[["color", "size"]]).shape == (60, 4)


def test_many_categories_and_odd_text():
    words = np.array([[f"w{i % 400}"] for i in range(1000)], dtype=object)
    model = OneHotEncoder().fit(words)
    assert model.transform(words).shape == (1000, 400)
    assert np.array_equal(model.inverse_transform(model.transform(words)), words)
    with pytest.raises(InvalidInput, match="Column 'x0' holds 'w401' at row 0"):
        model.transform([["w401"]])
    with pytest.raises(InvalidInput, match="which ends in a NUL character"):
        OneHotEncoder().fit([["a"], ["a\0"]])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.none(), st.text(max_size=3)), min_size=1, max_size=12), st.booleans())
def test_any_text_comes_back(words, zeros):
    column = np.array([[w] for w in words], dtype=object)
    if not any(words) or any(w and w.endswith("\0") for w in words):
        return
    model = dense(missing="zeros" if zeros else "column").fit(column)
    assert model.inverse_transform(model.transform(column))[:, 0].tolist() == words


@pytest.mark.slow
@pytest.mark.parametrize(
    "setting",
    [
        {},
        {"sparse_output": False, "handle_unknown": "ignore"},
        {"drop": "if_binary", "handle_unknown": "other", "missing": "zeros"},
    ],
    ids=str,
)
def test_scikit_learns_checks(setting):
    """One check gives every row of weight zero a value of its own, which then is no category: that is meant."""
    failed = []
    for estimator, check in estimator_checks_generator(OneHotEncoder(**setting)):
        try:
            check(estimator)
        except SkipTest:
            continue
        except InvalidInput as error:
            failed.append((check.func.__name__, "not among its categories" in str(error)))
    assert failed == ([] if setting else [("check_sample_weight_equivalence_on_dense_data", True)])
