"""Names to numbers: roles, categories, conditions, gaps, and what is said of columns that cannot be used."""

from __future__ import annotations

import datetime
import decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.engine.columns import Columns
from suffice.engine.conditions import OPERATORS, as_conditions, holds
from suffice.engine.hashing import folds_of_groups, folds_of_rows
from suffice.engine.values import array, n_rows, numbers
from suffice.tables.cells import gaps
from suffice.tables.frames import frame_of

pytestmark = pytest.mark.sampled(4)

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

NAMES = ["city", "area", "rooms", "price", "weight"]
TABLE = pa.table(
    {
        "city": ["Oslo", "Rome", "Rome", "Bonn", "Oslo"],
        "area": [50.0, 70.0, 90.0, 40.0, 55.0],
        "rooms": [2, 3, 4, 1, 2],
        "price": [5.0, 4.0, 6.0, 2.0, 5.5],
        "weight": [1, 1, 0, 2, 1],
    }
)
CITIES = {"city": ["Bonn", "Oslo", "Rome"]}
KINDS = {"arrow": lambda t: t, "pandas": lambda t: t.to_pandas(), "polars": pl.from_arrow,
         "record batch": lambda t: t.combine_chunks().to_batches()[0]}  # fmt: skip


# -- roles ---------------------------------------------------------------------------------------------------------
def test_all_other_columns_are_inputs():
    columns = Columns.of(NAMES, "price", weight="weight", categories=CITIES)
    assert columns.inputs == ("city", "area", "rooms")
    assert columns.features == ("city=Oslo", "city=Rome", "area", "rooms")
    assert columns.needed == ["city", "area", "rooms", "price", "weight"]
    assert Columns.of(NAMES, "price", ["rooms", "area"]).needed == ["rooms", "area", "price"]
    assert Columns.of(NAMES, columns=["rooms"], where=[("price", ">", 1)]).needed == ["rooms", "price"]


@pytest.mark.parametrize("kind", [list, tuple, pd.Index, np.array, iter])
def test_names_in_any_collection(kind):
    assert Columns.of(NAMES, kind(["area", "rooms"])).target == ("area", "rooms")
    assert Columns.of(NAMES, columns=kind(["area", "rooms"])).inputs == ("area", "rooms")


def test_groups_are_inputs_only_if_named():
    assert Columns.of(NAMES, "price").with_groups("city").inputs == ("area", "rooms", "weight")
    named = Columns.of(NAMES, "price", ["city", "area"], categories=CITIES).with_groups("city")
    assert named.inputs == ("city", "area")
    assert named.features == ("city=Oslo", "city=Rome", "area")
    free = Columns.of(NAMES, "price", categories=CITIES).with_groups("city")
    assert (free.features, free.categories) == (("area", "rooms", "weight"), ())
    assert "city" in free.needed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "prize"}, "no column 'prize' in the table. Did you mean 'price'"),
        ({"target": "price", "columns": ["aera"]}, "no column 'aera' in the table. Did you mean 'area'"),
        ({"target": "price", "weight": "wait"}, "no column 'wait'"),
        ({"target": "price", "where": [("reach", ">", 1)]}, "no column 'reach'"),
        ({"target": "price", "categories": {"town": ["a"]}}, "no column 'town'"),
        ({"target": "price", "columns": ["price", "area"]}, "'price' is given twice, in target and in columns"),
        ({"target": "price", "columns": ["area", "area"]}, "'area' is given twice, in columns; once"),
        ({"target": ["price", "price"]}, "'price' is given twice, in target; once"),
        ({"target": "price", "weight": "price"}, "'price' is given twice, in target and in weight"),
        ({"target": "price", "weight": "area", "columns": ["area"]}, "'area' is given twice, in weight and in columns"),
        ({"target": "price", "weight": ["area", "rooms"]}, "weight must be the name of one column"),
        ({"target": 3}, "target must name columns by text; got 3"),
        ({"target": []}, r"target must name at least one column; got \[\]"),
        ({"target": "price", "columns": []}, r"columns must name at least one column; got \[\]"),
        ({"target": "price", "columns": "area"}, r"columns must be a list of names, such as \['area'\]"),
        ({"target": "price", "columns": [0, 1]}, r"columns must name columns by text; got \[0, 1\]"),
        ({"target": NAMES}, "no input columns left"),
        ({"target": "price", "columns": ["city"], "categories": {"city": ["Oslo"]}}, "no input columns left"),
        ({"columns": ["area"], "categories": CITIES}, "'city' is not among the input columns"),
        ({"target": "city", "categories": CITIES}, "'city' is not among the input columns"),
        ({"categories": {"city": []}}, "must be a list of different texts or numbers, at least one"),
        ({"categories": {"city": "Oslo"}}, "different texts or numbers, at least one; got 'Oslo'"),
        ({"categories": {"city": ["Oslo", "Oslo"]}}, "different texts or numbers"),
        ({"categories": {"city": ["Oslo", None]}}, "different texts or numbers"),
        ({"categories": {"city": [1.0, np.nan]}}, "different texts or numbers"),
        ({"categories": {"city": [datetime.date(2020, 1, 1)]}}, "different texts or numbers"),
        ({"where": ["area"]}, "where must be a list of .column, operator, value.*got 'area'"),
        ({"where": [("area", ">")]}, "where must be a list of"),
        ({"where": [("area", "=", 3)]}, "must be one of ==, !=, <, <=, >, >=, in, not in"),
        ({"where": [("city", "in", "Oslo")]}, "'in' needs a list of values; got 'Oslo'"),
        ({"where": [("city", "not in", 3)]}, "'not in' needs a list of values; got 3"),
    ],
)  # fmt: skip
def test_roles_that_cannot_be(options, message):
    with pytest.raises(InvalidParameter, match=message):
        Columns.of(NAMES, **options)


def test_names_that_are_not_unique():
    for options in ({}, {"columns": ["a"]}, {"target": "a"}, {"weight": "a"}):
        with pytest.raises(InvalidInput, match="The table has 2 columns called 'a'; rename them"):
            Columns.of(["a", "b", "a"], **options)
    assert Columns.of(["a", "b", "a", "y"], "y", ["b"]).inputs == ("b",)


def test_a_column_named_like_a_category():
    with pytest.raises(InvalidParameter, match="Two inputs would be called 'city=Rome'"):
        Columns.of(["city", "city=Rome", "y"], "y", categories={"city": ["Oslo", "Rome"]})
    with pytest.raises(InvalidParameter, match="Two inputs would be called 'c=1'"):
        Columns.of(["c", "y"], "y", categories={"c": [0, 1, "1"]})


# -- numbers -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [None, np.array([3, 0, 4]), np.array([], dtype=int)])
def test_a_batch_becomes_numbers(kind, rows):
    batch = KINDS[kind](TABLE)
    columns = Columns.of(NAMES, "price", weight="weight", categories=CITIES)
    index = slice(None) if rows is None else rows
    city = np.array(TABLE["city"].to_pylist())
    expected = np.column_stack([city == "Oslo", city == "Rome", TABLE["area"], TABLE["rooms"]])[index]
    np.testing.assert_array_equal(columns.matrix(batch, rows), expected.astype(float))
    np.testing.assert_array_equal(columns.outcome(batch, rows), TABLE["price"].to_numpy()[index])
    np.testing.assert_array_equal(columns.weights(batch, rows), TABLE["weight"].to_numpy()[index])
    several = Columns.of(NAMES, ["rooms", "price"], ["area"])
    both = np.column_stack([TABLE["rooms"], TABLE["price"]])[index]
    np.testing.assert_array_equal(several.outcome(batch, rows), both)
    assert Columns.of(NAMES, columns=["area"]).outcome(batch, rows) is None
    assert Columns.of(NAMES, columns=["area"]).weights(batch, rows) is None


@given(
    st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=40),
    st.permutations(["a", "b", "c", "d"]),
)
@settings(max_examples=60, deadline=None)
def test_categories_are_one_hot_in_the_order_given(cells, order):
    columns = Columns.of(["c"], categories={"c": order})
    X = columns.matrix(pa.table({"c": cells}))
    assert columns.features == tuple(f"c={v}" for v in order[1:])
    np.testing.assert_array_equal(X, (np.array(cells)[:, None] == np.array(order[1:])[None]).astype(float))


def test_categories_of_numbers_and_truths():
    table = pa.table({"i": [3, 1, 3], "f": [0.5, 0.25, 0.5], "t": [True, False, True]})
    columns = Columns.of(table.column_names, categories={"i": [1, 3.0], "f": [0.25, 0.5], "t": [False, True]})
    np.testing.assert_array_equal(columns.matrix(table), np.outer([1.0, 0.0, 1.0], np.ones(3)))
    assert columns.features == ("i=3.0", "f=0.5", "t=True")


@pytest.mark.parametrize("kind", KINDS)
def test_a_cell_outside_the_categories_is_placed_in_its_file(kind):
    columns = Columns.of(NAMES, "price", ["city"], categories={"city": ["Oslo", "Rome"]})
    message = r"'city' holds 'Bonn' at row 1003, which is not among its categories \['Oslo', 'Rome'\]. Add it"
    with pytest.raises(InvalidInput, match=message):
        columns.matrix(KINDS[kind](TABLE), start=1000)
    with pytest.raises(InvalidInput, match="'Bonn' at row 1003"):
        columns.matrix(KINDS[kind](TABLE), np.array([4, 3]), start=1000)
    kept = Columns.of(
        NAMES, "price", ["city"], categories={"city": ["Oslo", "Rome"]}, where=("city", "!=", "Bonn")
    )
    assert kept.matrix(TABLE, kept.rows(TABLE)).shape == (4, 1)
    many = Columns.of(NAMES, "price", ["rooms"], categories={"rooms": list(range(2, 40))})
    with pytest.raises(InvalidInput, match=r"'1' at row 3.*12, 13\] and 26 more"):
        many.matrix(TABLE)


def test_rows_that_do_not_count_may_hold_anything():
    table = pa.table({"a": pa.array(["1", "x"]), "keep": [True, False], "b": [1.0, None]})
    odd = pd.DataFrame({"a": np.array([1.5, "x"], dtype=object), "keep": [True, False], "w": [1.0, -1.0]})
    columns = Columns.of(odd.columns, columns=["a"], weight="w", where=("keep", "==", True))
    rows = columns.rows(odd)
    np.testing.assert_array_equal(columns.matrix(odd, rows), [[1.5]])
    assert columns.complaint(odd) is None
    assert Columns.of(table.column_names, columns=["b"], where=("keep", "==", True)).complaint(table) is None
    assert "a gap" not in Columns.of(table.column_names, columns=["b"]).complaint(table)


@pytest.mark.parametrize("role", ["an input", "a target", "the weight"])
def test_text_is_no_number_in_any_role(role):
    values = np.array([1.0, None, "x", "y"], dtype=object)
    with pytest.raises(InvalidInput, match=rf"'c' is {role} but holds text: 'x' at row 12\. \w"):
        numbers(values, "c", role, None, 10)
    with pytest.raises(InvalidInput, match=r"'x' at row 27"):
        numbers(values, "c", role, np.array([0, 5, 7, 9]), 20)


def test_numbers_among_objects():
    values = np.array([True, None, 2, decimal.Decimal("1.5"), np.float32(0.25), np.nan], dtype=object)
    np.testing.assert_array_equal(numbers(values, "c"), [1.0, np.nan, 2.0, 1.5, 0.25, np.nan])
    assert numbers(np.array([], dtype=object), "c").shape == (0,)
    assert numbers(np.array([], dtype="M8[s]"), "c").shape == (0,)


def test_large_integers_keep_their_digits():
    big = 2**53 - 1
    for source in (pa.table({"a": [big, 1]}), pd.DataFrame({"a": [big, 1]}), pl.DataFrame({"a": [big, 1]})):
        assert Columns.of(["a"]).matrix(source)[0, 0] == big


# -- complaints -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (("area", None), "X contains NaN at row 102, column 'area'"),
        (("area", np.inf), "X contains inf at row 102, column 'area'"),
        (("price", None), "y contains NaN at row 102, column 'price'"),
        (("weight", None), "weight contains NaN at row 102, column 'weight'. Weights must be"),
        (
            ("weight", -2),
            "weight contains -2 at row 102, column 'weight'. Weights must be finite and zero or more",
        ),
        (("city", None), "X contains a gap at row 102, column 'city'"),
    ],
)
def test_the_first_bad_cell_is_named(kind, cell, message):
    name, value = cell
    held = TABLE[name].to_pylist()
    held[2] = value
    batch = KINDS[kind](TABLE.set_column(NAMES.index(name), name, pa.array(held)))
    columns = Columns.of(NAMES, "price", weight="weight", categories=CITIES)
    assert columns.complaint(batch, 100).startswith(message)
    assert columns.complaint(KINDS[kind](TABLE), 100) is None
    only = Columns.of(NAMES, "price", weight="weight", categories=CITIES, where=("rooms", "!=", 4))
    assert only.complaint(batch, 100) is None


# -- conditions --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ([("area", ">", 50)], [1, 2, 4]),
        ([("area", ">=", 50), ("city", "==", "Oslo")], [0, 4]),
        ([("city", "in", ["Bonn", "Oslo"])], [0, 3, 4]),
        ([("city", "not in", ["Bonn", "Oslo"])], [1, 2]),
        ([("rooms", "!=", 2)], [1, 2, 3]),
        ([("city", "<", "Oslo")], [3]),
        ([("city", "==", 7)], []),
        (("rooms", "<=", 1), [3]),
        ([], None),
    ],
)
def test_conditions(kind, where, expected):
    found = Columns.of(NAMES, "price", where=where).rows(KINDS[kind](TABLE))
    assert (found if expected is None else found.tolist()) == expected


@pytest.mark.parametrize("symbol", OPERATORS)
def test_a_gap_fulfils_no_condition(symbol):
    value = [1.0] if symbol in ("in", "not in") else 1.0
    assert not holds(np.array([np.nan]), "a", symbol, value).any()
    text = ["x"] if symbol in ("in", "not in") else "x"
    assert not holds(np.array([None], dtype=object), "a", symbol, text).any()


@pytest.mark.parametrize("value", ["2020-06-01", datetime.date(2020, 6, 1), np.datetime64("2020-06-01")])
def test_conditions_on_dates(value):
    days = [datetime.datetime(2020, 1, 1), datetime.datetime(2020, 6, 1), None]
    for table in (
        pa.table({"d": days}),
        pl.DataFrame({"d": days}),
        pd.DataFrame({"d": pd.to_datetime(days)}),
    ):
        assert Columns.of(["d"], where=("d", ">=", value)).rows(table).tolist() == [1]
        assert Columns.of(["d"], where=("d", "in", [value])).rows(table).tolist() == [1]


@pytest.mark.parametrize(("name", "value"), [("area", "large"), ("city", 3)])
def test_conditions_that_cannot_be_asked(name, value):
    with pytest.raises(InvalidParameter, match=f"where: column '{name}' .* cannot be compared by '>' with"):
        Columns.of(NAMES, "price", where=[(name, ">", value)]).rows(TABLE)
    days = pa.table({"d": [datetime.date(2020, 1, 1)]})
    with pytest.raises(InvalidParameter, match="'d' .* cannot be compared by '>' with 'soon'"):
        Columns.of(["d"], where=[("d", ">", "soon")]).rows(days)


def test_one_condition_or_several():
    assert as_conditions(None) == ()
    assert as_conditions(("abc", ">", 1)) == as_conditions([("abc", ">", 1)]) == (("abc", ">", 1),)
    assert as_conditions((("a", ">", 1), ("b", "<", 2), ("c", "in", {3}))) [2] == ("c", "in", (3,))  # fmt: skip


# -- values ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_gaps_are_nan_or_none(kind):
    table = pa.table({"i": [1, None], "f": [1.5, None], "t": ["x", None], "b": [True, None],
                      "d": [datetime.date(2020, 1, 1), None], "n": pa.nulls(2),
                      "m": pa.array([decimal.Decimal("1.5"), None])})  # fmt: skip
    batch = KINDS[kind](table)
    for name in "iftbdm":
        assert gaps(array(batch, name)).tolist() == [False, True]
    assert gaps(array(batch, "n")).all()
    assert array(batch, "i").dtype == array(batch, "f").dtype == float
    assert numbers(array(batch, "m"), "m")[0] == 1.5
    assert array(batch, "t")[1] is None
    assert n_rows(batch) == 2
    assert frame_of(batch).names == tuple("iftbdnm")


def test_a_column_that_a_batch_lacks():
    for table in (TABLE, TABLE.to_pandas(), pl.from_arrow(TABLE)):
        with pytest.raises(InvalidInput, match="no column 'aera' in this batch. Did you mean 'area'"):
            array(table, "aera")
    twice = TABLE.rename_columns(["area", "area", "rooms", "price", "weight"])
    for table in (twice, twice.to_pandas()):
        with pytest.raises(InvalidInput, match="There are 2 columns called 'area' in this batch"):
            array(table, "area")


# -- folds -------------------------------------------------------------------------------------------------------------
@given(
    st.integers(0, 10**12),
    st.integers(0, 200),
    st.integers(0, 200),
    st.integers(2, 400),
    st.integers(0, 2**70),
)
@settings(max_examples=60, deadline=None)
def test_the_fold_of_a_row_does_not_depend_on_its_batch(start, n, cut, folds, seed):
    cut = min(cut, n)
    whole = folds_of_rows(3, start, n, folds, seed)
    parts = folds_of_rows(3, start, cut, folds, seed), folds_of_rows(3, start + cut, n - cut, folds, seed)
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    assert not len(whole) or whole.max() < folds


def test_folds_are_even_and_independent_between_files_and_seeds():
    """Counts of 100,000 rows in 7 folds: standard error 111, so 600 is more than 5 of them."""
    n, folds = 100_000, 7
    for a, b in [((0, 0), (1, 0)), ((0, 0), (0, 1)), ((5, 2), (6, 2))]:
        first, second = (folds_of_rows(f, 0, n, folds, s).astype(int) for f, s in (a, b))
        assert np.abs(np.bincount(first, minlength=folds) - n / folds).max() < 600
        joint = np.bincount(first * folds + second, minlength=folds**2)
        assert np.abs(joint - n / folds**2).max() < 5 * np.sqrt(n / folds**2)


def test_all_gaps_are_one_group_whatever_their_kind():
    floats = folds_of_groups(np.array([1.0, np.nan, np.nan]), 1000, 0)
    objects = folds_of_groups(np.array([None, np.nan, "nan", "None", 1], dtype=object), 1000, 0)
    times = folds_of_groups(np.array(["NaT", "2020-01-01"], dtype="M8[ns]"), 1000, 0)
    assert floats[1] == floats[2] == objects[0] == objects[1] == times[0]
    assert len({int(objects[0]), int(objects[2]), int(objects[3])}) == 3  # words are not gaps
    assert objects[4] == floats[0]


def test_equal_times_are_one_group_whatever_their_unit():
    day = [
        folds_of_groups(np.array(["2020-03-01"], dtype=f"M8[{u}]"), 1000, 0)[0]
        for u in ("D", "s", "us", "ns")
    ]
    assert len(set(day)) == 1
