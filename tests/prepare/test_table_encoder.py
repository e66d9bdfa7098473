"""TableEncoder: every kind of column against a computation of its own, and the laws that an encoder keeps."""

from __future__ import annotations

import datetime as dt
import re
from unittest import SkipTest

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import estimator_checks_generator

import suffice
from suffice._core.errors import InvalidParameter
from suffice.prepare import TableEncoder

N = 240


def mixed(n: int = N, seed: int = 0) -> pandas.DataFrame:
    """A table with a column of every kind, gaps among them."""
    rng = np.random.default_rng(seed)
    days = np.datetime64("2019-01-01") + rng.integers(0, 1500, n)
    table = pandas.DataFrame(
        {
            "height": rng.normal(170, 10, n),
            "age": rng.integers(18, 90, n),
            "city": rng.choice(["Oslo", "Rome", "other", "missing", "Lima"], n, p=[0.4, 0.3, 0.1, 0.1, 0.1]),
            "smoker": rng.random(n) < 0.3,
            "seen": days,
            "since": days.astype(str).astype(object),
            "wait": pandas.to_timedelta(rng.integers(0, 5000, n), unit="min"),
            "size": pandas.Categorical(rng.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True),
            "region_code": rng.integers(1, 5, n),
            "price": [f"{v:.2f}" for v in rng.uniform(0, 100, n)],
        }
    )
    for name in ("height", "city", "seen", "size"):
        table.loc[rng.random(n) < 0.1, name] = None
    return table


def encoded(table, **options):
    model = TableEncoder(**options).fit(table)
    return dict(zip(model.get_feature_names_out(), model.transform(table).T, strict=True)), model


# -- kinds of columns -------------------------------------------------------------------------------------
def test_numbers_are_filled_by_the_median_and_marked():
    table = mixed()
    Z, _ = encoded(table[["height", "age"]])
    expected = SimpleImputer(strategy="median", add_indicator=True).fit_transform(table[["height", "age"]])
    np.testing.assert_array_equal(np.column_stack([Z["height"], Z["age"], Z["height is missing"]]), expected)


def test_complete_numbers_stay_as_they_are():
    rng = np.random.default_rng(1)
    X = np.column_stack(
        [rng.normal(size=60), rng.integers(0, 2, 60), rng.integers(1, 3, 60), 1e9 * rng.random(60)]
    )
    np.testing.assert_array_equal(TableEncoder().fit_transform(X), X)


def test_levels_are_scikit_learns_without_the_reference():
    words = mixed()[["city"]].dropna()
    Z, model = encoded(words)
    assert model.state_[0].reference == words["city"].value_counts().index[0]
    theirs = OneHotEncoder(drop=[model.state_[0].reference], sparse_output=False).fit(words)
    for level, column in zip(
        [c for c in theirs.categories_[0] if c != "Oslo"], theirs.transform(words).T, strict=True
    ):
        np.testing.assert_array_equal(Z[f"city = {level}"], column)


def test_levels_called_other_and_missing_are_not_the_rare_ones_or_gaps():
    cells = ["a"] * 20 + ["other"] * 10 + ["missing"] * 8 + ["r1", "r2"] + [None] * 6
    Z, _ = encoded({"k": cells})
    assert {name: column.sum() for name, column in Z.items()} == {
        "k = other": 10, "k = missing": 8, "k is other": 2, "k is missing": 6,
    }  # fmt: skip


def test_one_rare_level_alone_keeps_its_name():
    assert list(encoded({"k": ["a"] * 9 + ["b"] * 9 + ["c"]})[0]) == ["k = b", "k = c"]


def test_most_levels_and_least_rows():
    cells = [f"w{i}" for i in range(30) for _ in range(i + 1)]
    assert len(encoded({"k": cells})[0]) == 20  # nineteen and "other"
    Z, model = encoded({"k": cells}, most_levels=40, least_rows=26)
    assert set(model.state_[0].levels) == {f"w{i}" for i in range(25, 30)}
    assert Z["k is other"].sum() == sum(range(1, 26))


def test_truths_are_zero_and_one():
    Z, model = encoded({"f": [True, None, False, True, True]})
    assert Z["f"].tolist() == [1, 0.75, 0, 1, 1]  # the share of true ones
    assert Z["f is missing"].tolist() == [0, 1, 0, 0, 0]
    assert model.state_[0].only == (0.0, 1.0)


def test_numbers_that_are_names_become_levels():
    Z, _ = encoded({"region_code": [1, 1, 1, 2, 3] * 10})
    assert {k: v.sum() for k, v in Z.items()} == {"region_code = 2": 10, "region_code = 3": 10}
    held = pandas.DataFrame({"k": pandas.Categorical([7, 7, 8, 9] * 10)})
    assert list(encoded(held)[0]) == ["k = 8", "k = 9"]


def test_long_whole_numbers_do_not_become_one_level():
    assert list(encoded({"zip": np.repeat([1234567.0, 1234568.0, 1234569.0], 10)})[0]) == [
        "zip = 1234568",
        "zip = 1234569",
    ]


def test_orders_become_ranks():
    table = mixed()
    Z, model = encoded(table[["size"]])
    codes = table["size"].cat.codes.to_numpy().astype(float)
    codes[codes < 0] = np.median(codes[codes >= 0])
    np.testing.assert_array_equal(Z["size as rank"], codes)
    assert model.state_[0].order == ("S", "M", "L")
    words = {"w": ["low", "high", "medium", "low"] * 5}
    assert encoded(words)[0]["w as rank"][:4].tolist() == [0, 2, 1, 0]
    given = {"w": ["b", "a", "c", "b"] * 5}
    assert encoded(given, types={"w": ["c", "b", "a"]})[0]["w as rank"][:4].tolist() == [1, 2, 0, 1]
    assert list(encoded(words, types={"w": "nominal"})[0]) == ["w = high", "w = medium"]


def test_moments_become_days_and_circles():
    moments = [dt.datetime(2015, 3, 1, 6) + dt.timedelta(hours=31 * i) for i in range(900)]
    Z, model = encoded({"t": [*moments, None]})
    days = np.array([(m - moments[0]).total_seconds() / 86400 for m in moments])
    epoch = np.array([(m - dt.datetime(1970, 1, 1)).total_seconds() / 86400 for m in moments])
    np.testing.assert_allclose(Z["t in days"], [*days, np.median(days)], rtol=1e-13)
    for turn, length in {"year": 365.2425, "week": 7, "day": 1}.items():
        wave = np.cos(2 * np.pi * epoch / length)
        np.testing.assert_allclose(Z[f"t cosine of the {turn}"], [*wave, wave.mean()], atol=1e-9)
        wave = np.sin(2 * np.pi * epoch / length)
        np.testing.assert_allclose(Z[f"t sine of the {turn}"], [*wave, wave.mean()], atol=1e-9)
    assert Z["t is missing"].sum() == 1
    assert model.state_[0].turns == ("year", "week", "day")


def test_turns_need_two_rounds_and_a_clock():
    assert list(encoded({"t": np.datetime64("2020-01-01") + np.arange(10)})[0]) == ["t in days"]
    assert "t sine of the day" not in encoded({"t": np.datetime64("2020-01-01") + np.arange(400)})[0]


def test_spans_are_told_in_days():
    Z, _ = encoded({"w": np.array([36, 12, "NaT", 24], dtype="m8[h]")})
    assert Z["w in days"].tolist() == [1.5, 0.5, 1.0, 1.0]
    assert Z["w is missing"].tolist() == [0, 0, 1, 0]


def test_infinity_is_a_gap():
    Z, model = encoded({"x": [1.0, np.inf, 3.0, 5.0, -np.inf]})
    assert Z["x"].tolist() == [1, 3, 3, 5, 3]
    assert Z["x is missing"].tolist() == [0, 1, 0, 0, 1]
    assert model.remarks_ == {"x": "2 cells are infinite and taken as missing"}


def test_the_median_of_the_largest_numbers_is_a_number():
    assert encoded({"x": [1.7e308, 1.7e308, 1.6e308, 1.7e308]})[1].state_[0].fill == 1.7e308


# -- columns that are left out ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "cells", "why"),
    [
        ("c", ["Oslo"] * 30, "does not vary: every row has 'Oslo'"),
        ("c", [3] * 30, "does not vary: every row has 3"),
        ("c", [None] * 30, "has no values in 30 rows"),
        ("c", [np.inf] * 30, "has no values in 30 rows"),
        ("user_id", range(100, 130), "only names its rows: 30 different values in 30 rows, such as 100"),
        ("c", [f"A-{i}" for i in range(10, 40)], "only names its rows: .* such as 'A-10'"),
        (
            "c",
            [f"we met {i} of them there" for i in range(30)],
            "nearly every row has its own text: 30 different",
        ),
    ],
)
def test_unused_columns_carry_a_reason(name, cells, why):
    model = TableEncoder().fit({name: list(cells), "x": np.arange(30) ** 2})
    assert list(model.get_feature_names_out()) == ["x"]
    assert list(model.unused_) == [name]
    assert re.match(why, model.unused_[name])


def test_of_a_constant_with_gaps_only_the_gaps_are_told():
    Z, _ = encoded({"c": [3.0, None, 3.0, 3.0], "t": ["2020-01-01", None, "2020-01-01", "2020-01-01"]})
    assert {k: v.tolist() for k, v in Z.items()} == {
        "c is missing": [0, 1, 0, 0],
        "t is missing": [0, 1, 0, 0],
    }


def test_left_out_on_request_and_kept_on_request():
    table = {"user_id": [5, 9, 7, 1], "x": [1.5, 2, 3, 4]}
    assert TableEncoder(types={"x": "unused"}).fit(table).unused_["x"] == "left out on request"
    assert list(encoded(table, types={"user_id": "ratio"})[0]) == ["user_id", "x"]
    words = {"t": [f"text number {i} of these" for i in range(30)]}
    assert "t is other" in encoded(words, types={"t": "nominal"})[0]


def test_a_table_without_any_use_gives_no_columns():
    assert TableEncoder().fit_transform({"a": [1, 1, 1], "b": ["x", "x", "x"]}).shape == (3, 0)


# -- names ------------------------------------------------------------------------------------------------
def test_names_differ_where_columns_and_levels_spell_alike():
    table = {"a": ["x", "x", "b = c"] * 4, "a = b": ["d", "d", "c"] * 4, "a is missing": [2.0, 3.5, 4] * 4}
    table["a"][0] = None
    model = TableEncoder(least_rows=1).fit(table)
    names = list(model.get_feature_names_out())
    assert names == ["a = b = c", "a is missing", "a = b = c (2)", "a is missing (2)"]
    assert [name for code in model.state_ for name in code.names] == names
    assert model.sources() == ("a", "a", "a = b", "a is missing")


def test_blank_levels_are_seen_in_the_names():
    assert list(encoded({"k": ["a", "a", "", " b"] * 6})[0]) == ["k = ''", "k = ' b'"]


def test_names_of_arrays():
    X = np.array([[1.0, np.nan], [2.0, 5.0], [4.0, 6.0]])
    model = TableEncoder().fit(X)
    assert not hasattr(model, "feature_names_in_")
    assert list(model.get_feature_names_out()) == ["x0", "x1", "x1 is missing"]
    assert list(model.get_feature_names_out(["p", "q"])) == ["p", "q", "q is missing"]
    with pytest.raises(ValueError, match="input_features"):
        model.get_feature_names_out(["p"])


# -- laws -------------------------------------------------------------------------------------------------
def test_least_squares_does_not_depend_on_the_fill():
    """A marked gap has a weight of its own, which takes up whatever number is written there."""
    table, rng = mixed(), np.random.default_rng(2)
    model = TableEncoder().fit(table)
    Z, y = model.transform(table), rng.normal(size=N)
    first = Z @ np.linalg.lstsq(Z, y, rcond=None)[0]
    names = list(model.get_feature_names_out())
    for name in ("height", "size as rank", "seen in days"):
        gap = Z[:, names.index(f"{name.partition(' ')[0]} is missing")] == 1
        other = Z.copy()
        other[gap, names.index(name)] += 17.0
        np.testing.assert_allclose(other @ np.linalg.lstsq(other, y, rcond=None)[0], first, atol=1e-8)


def test_order_of_rows_does_not_change_the_rules():
    table = mixed()
    table["row"], table["note"] = np.arange(N), [f"note {i} on the row" for i in range(N)]
    model = TableEncoder().fit(table)
    for seed in range(3):
        again = TableEncoder().fit(table.sample(frac=1, random_state=seed))
        assert again.state_ == model.state_
        assert again.unused_ == model.unused_
        assert again.remarks_ == model.remarks_


def test_transform_acts_on_rows():
    table = mixed()
    model, rows = TableEncoder().fit(table), np.random.default_rng(3).permutation(N)[:50]
    np.testing.assert_array_equal(model.transform(table.iloc[rows]), model.transform(table)[rows])


def test_order_of_columns_only_permutes_the_result():
    table = mixed()
    model, again = TableEncoder().fit(table), TableEncoder().fit(table[table.columns[::-1]])
    assert set(again.state_) == set(model.state_)
    np.testing.assert_array_equal(model.transform(table[table.columns[::-1]]), model.transform(table))


# -- contract ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("options", [{}, {"types": {}, "most_levels": 2, "least_rows": 1}], ids=str)
def test_scikit_learns_checks(options):
    ran = 0
    for estimator, check in estimator_checks_generator(TableEncoder(**options)):
        try:
            check(estimator)
        except SkipTest:
            continue
        ran += 1
    assert ran >= 35


def test_saved_and_loaded(tmp_path):
    table = mixed()
    model = TableEncoder(types={"age": "nominal"}, most_levels=3).fit(table)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert again.state_ == model.state_
    assert (again.unused_, again.remarks_) == (model.unused_, model.remarks_)
    assert again.mismatch(table.iloc[:5]) == model.mismatch(table.iloc[:5])
    np.testing.assert_array_equal(again.transform(table), model.transform(table))


def test_frames_out_pipelines_and_clones():
    table, y = mixed(), np.arange(N, dtype=float)
    out = TableEncoder().set_output(transform="pandas").fit_transform(table.set_index(np.arange(N) + 7))
    assert list(out.index[:2]) == [7, 8]
    assert "city = Rome" in out.columns
    model = make_pipeline(TableEncoder(), LinearRegression()).fit(table, y)
    Z = TableEncoder().fit_transform(table)
    np.testing.assert_allclose(model.predict(table), LinearRegression().fit(Z, y).predict(Z), rtol=1e-9)
    copy = clone(TableEncoder(types={"age": "ratio"}, least_rows=3))
    assert copy.get_params() == {
        "types": {"age": "ratio"},
        "most_levels": 20,
        "least_rows": 3,
        "decimal": None,
    }


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"most_levels": 0}, "most_levels must be a number >= 1; got 0"),
        ({"least_rows": 1.5}, "least_rows must be a whole number; got 1.5"),
        ({"decimal": ";"}, "decimal must be one of .*';'"),
        (
            {"decimal": {"sise": ","}},
            "decimal must name columns of the table; got 'sise'. Did you mean 'size'",
        ),
        ({"types": 3}, "types must be a mapping from columns to their meaning; got 3"),
        (
            {"types": {"sise": "nominal"}},
            "types must name columns of the table; got 'sise'. Did you mean 'size'",
        ),
        ({"types": {"size": "purple"}}, "types.*'size' must be one of .*'purple'"),
        (
            {"types": {"size": ["x", "y"]}},
            r"types\['size'\] must list levels of the column, which has 'p', 'q'",
        ),
        (
            {"types": {"size": "ordinal"}},
            r"types\['size'\] is 'ordinal', but the order of its words is not known",
        ),
    ],
)
def test_wrong_parameters(options, words):
    with pytest.raises(InvalidParameter, match=words):
        TableEncoder(**options).fit({"size": ["p", "q", "p", "r"] * 5})
