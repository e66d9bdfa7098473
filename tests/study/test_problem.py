"""The second half of the door of a study: roles, tasks, rows and splits, and what is said about each."""

import numpy as np
import pandas as pd
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read

N = 60
RNG = np.random.default_rng(0)
X = RNG.normal(size=N)
Y = 2 * X + RNG.normal(size=N)
WORDS = np.array(["a", "b", "c"], dtype=object)[np.arange(N) % 3]


def problem(table, target="y", **options):
    return make_problem(read(table), Options(target, **{"effort": "quick", **options}))


def told(table, **options):
    return " ".join(problem(table, **options).remarks)


# -- roles ------------------------------------------------------------------------------------------------
def test_every_column_has_a_role_and_a_reason_if_it_does_not_predict():
    table = {
        "id": [f"row {i}" for i in range(N)],
        "x": X,
        "word": WORDS,
        "still": np.ones(N),
        "empty": [None] * N,
        "who": np.arange(N) // 5,
        "often": 1 + np.arange(N) % 3,
        "out": X**2,
        "y": Y,
    }
    found = problem(table, group="who", weights="often", ignore=["out"])
    assert found.roles == {
        "id": "not used",
        "x": "feature",
        "word": "feature",
        "still": "not used",
        "empty": "not used",
        "who": "group",
        "often": "weight",
        "out": "not used",
        "y": "target",
    }
    assert set(found.reasons) == {"id", "still", "empty", "out", "who", "often"}
    assert "keeps its rows together" in found.reasons["who"]
    assert "how often a row counts" in found.reasons["often"]
    assert found.reasons["out"] == "left out on request"
    np.testing.assert_array_equal(found.weight, 1 + found.rows % 3)
    for train, test in found.splits:
        assert not set(found.groups[train]) & set(found.groups[test])


def test_columns_that_are_not_there_or_have_two_roles():
    table = {"Price": X, "area": X**2, "y": Y}
    with pytest.raises(InvalidParameter, match=r"target: there is no column 'price'\. Did you mean 'Price'"):
        problem(table, "price")
    with pytest.raises(InvalidParameter, match=r"group: there is no column 'Area'\. Did you mean 'area'"):
        problem(table, group="Area")
    with pytest.raises(InvalidParameter, match=r"types: there is no column 'aera'"):
        problem(table, types={"aera": "nominal"})
    with pytest.raises(InvalidParameter, match=r"time: 'y' is the target already"):
        problem(table, time="y")
    with pytest.raises(InvalidParameter, match=r"ignore: 'y' is the target, so it cannot be left out"):
        problem(table, ignore=["y"])
    with pytest.raises(InvalidParameter, match=r"target must name the column .* 'Price', 'area', 'y'\."):
        problem(table, None)


def test_types_are_heard_and_those_of_the_group_do_no_harm():
    table = {"code": np.arange(N) % 3, "who": np.arange(N) // 5, "y": Y}
    assert problem(table, types={"code": "nominal"}).names == ("code = 1", "code = 2", "who")
    assert problem(table, types={"code": "ratio"}).names == ("code", "who")
    assert problem(table, types={"who": "nominal"}, group="who").roles["who"] == "group"


def test_categories_of_a_frame_keep_what_the_frame_says():
    sizes = pd.Categorical(["L", "S", "M"] * (N // 3), categories=["S", "M", "L"], ordered=True)
    frame = pd.DataFrame({"size": sizes, "code": pd.Categorical(np.arange(N) % 3), "y": Y})
    found = problem(frame)
    assert found.names == ("size as rank", "code = 1", "code = 2")
    ranks = np.unique(found.Z[:, 0], return_inverse=True)[1]
    np.testing.assert_array_equal(ranks, np.array([2, 0, 1])[found.rows % 3])
    assert problem(frame, types={"size": "nominal"}).names[0].startswith("size = ")


# -- tasks ------------------------------------------------------------------------------------------------
COUNTS = np.random.default_rng(1).poisson(1.5, N)


@pytest.mark.parametrize(
    ("y", "said", "task", "loss"),
    [
        (Y, None, "regression", "squared"),
        (WORDS, None, "multi-class", "log"),
        (X > 0, None, "binary", "log"),
        ((X > 0).astype(int), None, "binary", "log"),
        ((X > 0).astype(int), "regression", "regression", "squared"),
        (np.arange(N) % 4, None, "multi-class", "log"),
        (np.arange(N) % 4, "counts", "counts", "poisson"),
        (COUNTS, None, "counts", "poisson"),
        (np.random.default_rng(1).poisson(20, N), None, "counts", "poisson"),
        (np.random.default_rng(1).poisson(5000, N), None, "regression", "squared"),
        (np.arange(N) % 2 + 1.5, "binary", "binary", "log"),
        (np.array(["low", "medium", "high"], dtype=object)[np.arange(N) % 3], None, "multi-class", "log"),
        ([str(v) for v in Y], None, "regression", "squared"),
    ],
)
def test_the_task_is_what_the_values_say_or_the_user(y, said, task, loss):
    found = problem({"x": X, "y": y}, task=said)
    assert (found.task.name, found.loss) == (task, loss)
    assert len(found.labels) == (0 if loss != "log" else len(np.unique(np.asarray(y).astype(str))))


def test_classes_that_are_numbers_are_labels():
    found = problem({"x": X, "y": (np.arange(N) % 3).astype(float)}, task="multi-class")
    assert found.labels == ("0", "1", "2")


def test_what_the_target_may_be_too_is_told():
    assert "the option task decides" in told({"x": X, "y": np.arange(N) % 4})
    assert told({"x": X, "y": np.arange(N) % 4}, task="multi-class") == ""
    for codes in (np.arange(N) % 5 + 1, np.arange(N) % 5 - 2):
        assert "is taken for a quantity" in told({"x": X, "y": codes})
        assert "It may also be classes; the option task decides." in told({"x": X, "y": codes})
        assert told({"x": X, "y": codes}, task="regression") == ""
    assert problem({"x": X, "y": np.arange(N) % 4}, types={"y": "ordinal"}).task.name == "regression"


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        (np.datetime64("2024-01-01") + np.arange(N), {}, r"target 'y' holds times; .* Make a number of it"),
        (["x"] * N, {}, r"one class only in the 60 rows used \('x'\)"),
        (np.full(N, 7.0), {}, r"target 'y' has one value only in the 60 rows used \(7"),
        ([None] * N, {}, r"target 'y' has no values"),
        (
            [[1, 2]] * N,
            {},
            r"target 'y' holds \[1, 2\] in row 0 \(counted from 0\), which is neither a number",
        ),
        (
            ["?", *map(str, Y[1:])],
            {},
            r"holds numbers, but '\?' in row 0 .* in 1 of 60 rows\. Leave such cells",
        ),
        ([f"name {i}" for i in range(N)], {}, r"60 different texts in 60 rows; a study tells at most 50"),
        (
            WORDS,
            {"task": "regression"},
            r"task is 'regression', but target 'y' holds 'a', which is no number",
        ),
        (Y, {"task": "counts"}, r"task is 'counts', but target 'y' holds .*; counts are 0, 1, 2"),
        (WORDS, {"task": "binary"}, r"task is 'binary', but target 'y' has 3 different values"),
        (np.arange(N), {"task": "multi-class"}, r"60 classes; .* say task='regression' if they are numbers"),
        (["rare", *["a", "b"] * 29, "b"], {}, r"Class 'rare' has 1 row; 3 folds with 3 inside each need one"),
        (
            [*["rare"] * 3, *["a", "b", "b"] * 19],
            {},
            r"Class 'rare' has 3 rows; .* With folds=3 and inner=2 there are enough\. Or join it",
        ),
        ([*["p"] * 2, *["q"] * 2, *["r"] * 56], {}, r"Class 'p' has 2 rows, and 1 more classes have too few"),
    ],
)
def test_targets_that_cannot_be_predicted(y, options, message):
    with pytest.raises(InvalidInput, match=message):
        problem({"x": X, "y": y}, **options)


# -- rows -------------------------------------------------------------------------------------------------
def test_rows_without_a_target_are_counted_and_left_out():
    y = Y.copy()
    y[[3, 4]], y[7], y[8] = np.nan, np.inf, -np.inf
    found = problem({"x": X, "y": y})
    np.testing.assert_array_equal(np.sort(found.rows), np.delete(np.arange(N), [3, 4, 7, 8]))
    assert found.remarks[:2] == (
        "2 of 60 rows have no 'y' and are left out.",
        "2 of 60 rows have an infinite 'y' and are left out.",
    )
    words = WORDS.copy()
    words[5] = None
    assert "1 of 60 rows has no 'y' and is left out." in told({"x": X, "y": words})


def test_weights():
    w = np.ones(N)
    w[0], w[1], w[2] = 0, np.nan, 3
    found = problem({"x": X, "w": w, "y": Y}, weights="w")
    assert (found.n, found.weight[found.rows == 2].item()) == (N - 2, 3)
    assert "2 of 60 rows have no weight, or the weight 0, and are left out." in found.remarks
    assert "All rows have the weight 2 in 'w'" in told({"x": X, "w": np.full(N, 2), "y": Y}, weights="w")
    w[5] = -1
    with pytest.raises(InvalidInput, match=r"weights: 'w' is -1 in row 5 \(counted from 0\), as in 1 rows"):
        problem({"x": X, "w": w, "y": Y}, weights="w")
    with pytest.raises(InvalidInput, match=r"weights: column 'w' holds no numbers"):
        problem({"x": X, "w": WORDS, "y": Y}, weights="w")
    with pytest.raises(InvalidInput, match=r"weights: 'w' is 'b' in row 1 .*, which is no weight"):
        problem({"x": X, "w": [1.0, "b", *[1.0] * (N - 2)], "y": Y}, weights="w")


def test_weights_are_whole_numbers():
    w = np.ones(N)
    w[4] = 0.5
    with pytest.raises(
        InvalidInput, match=r"weights: 'w' is 0\.5 in row 4 .* a whole number\. Weights of a survey"
    ):
        problem({"x": X, "w": w, "y": Y}, weights="w")


def test_equal_rows_of_few_values_are_no_copies():
    rng = np.random.default_rng(2)
    table = {f"x{j}": rng.integers(0, 2, 300) for j in range(3)} | {"y": rng.integers(0, 2, 300)}
    assert problem(table).groups is None
    assert problem({"x": rng.integers(0, 2, 400), "y": rng.integers(0, 300, 400) + 0.5}).groups is None
    assert problem({"x": X, "y": Y}).groups is None


def test_copies_in_time_are_told():
    table = {"t": np.arange(2 * N), "x": np.tile(X, 2), "y": np.tile(Y, 2)}
    assert problem(table, time="t").groups is None
    assert "60 of 120 rows equal an earlier one in all features and the target, and may be tested" in told(
        table, time="t", horizon=0
    )


def test_what_cells_are_filled_with_is_told_once():
    gaps = np.where(np.arange(N) % 9 == 0, np.nan, X)
    said = problem({"x": gaps, "z": gaps**2, "word": WORDS, "y": Y}).remarks
    assert sum("median of all rows in use" in s and "never looks at the target" in s for s in said) == 1
    assert "median" not in told({"x": X, "y": Y})


def test_time_orders_the_rows_whatever_it_is_written_in():
    order = np.random.default_rng(3).permutation(N)
    days = np.datetime64("2024-01-01") + order
    for column in (days, [str(d) for d in days], order, order / 7, [f"{d}T12:30:00Z" for d in days]):
        found = problem({"when": column, "x": X, "y": Y}, time="when", folds=2, inner=2, horizon=0)
        np.testing.assert_array_equal(found.rows, np.argsort(order))
        assert found.roles["when"] == "time"
        assert "orders the rows" in found.reasons["when"]
        assert all(train.max() < test.min() for train, test in found.splits)
    months = [f"{2020 + i // 12}-{i % 12 + 1:02d}" for i in order]
    found = problem({"m": months, "x": X, "y": Y}, time="m", horizon=0)
    np.testing.assert_array_equal(found.rows, np.argsort(order))


def test_times_that_do_not_order():
    with pytest.raises(InvalidInput, match=r"time: all rows have the same 't'"):
        problem({"t": np.ones(N), "x": X, "y": Y}, time="t")
    with pytest.raises(
        InvalidInput, match=r"time: 't' is 'soon' in row 1 .*neither a number nor a date as 2024"
    ):
        problem({"t": ["2024-01-01", "soon"] * (N // 2), "x": X, "y": Y}, time="t")
    remarks = told({"t": [None, *np.arange(N - 1) // 2], "x": X, "y": Y}, time="t")
    assert "1 of 60 rows has no 't' and is left out." in remarks
    assert "58 rows share their 't' with another" in remarks
    with pytest.raises(
        InvalidInput, match=r"need at least 36 rows .* there are 20\. With folds=5 and inner=2"
    ):
        problem({"t": np.arange(20), "x": X[:20], "y": Y[:20]}, time="t", effort="default", horizon=0)


def test_groups():
    table = {"x": X, "y": Y, "who": np.arange(N) // 15}
    with pytest.raises(InvalidInput, match=r"need at least 7 groups; 'who' has 4\. With folds=4 and inner=3"):
        problem(table, group="who", effort="default")
    gap = [None, None, *map(str, np.arange(N - 2) // 4)]
    found = problem({**table, "who": gap}, group="who")
    assert "2 of 60 rows have no 'who' and are left out." in found.remarks
    assert "None" not in found.groups
    assert "a 'who' of its own" in told({**table, "who": np.arange(N)}, group="who")
    most = np.where(np.arange(N) < 40, 0, np.arange(N))
    assert "40 of 60 rows are of one 'who' ('0')" in told({**table, "who": most}, group="who")
    both = told({**table, "t": np.arange(N)}, group="who", time="t")
    assert "those of one 'who' may be on both sides of a split" in both


def test_a_class_that_is_met_too_late_or_in_one_group_only():
    late = np.where(np.arange(N) < 50, WORDS, "new")
    with pytest.raises(
        InvalidInput, match=r"Split by 't', class 'new' is not met in the 15 training rows of block 1"
    ):
        problem({"x": X, "t": np.arange(N), "y": late}, time="t")
    with pytest.raises(
        InvalidInput, match=r"Split by 'g', class 'new' is not met in the \d+ training rows of fold"
    ):
        problem({"x": X, "g": np.arange(N) // 10, "y": late}, group="g")


def test_a_class_that_the_inner_layer_meets_too_late():
    late = np.where(np.arange(N) < 8, "a", WORDS)
    with pytest.raises(InvalidInput, match=r"class 'b' is not met in the 6 training rows of the first inner"):
        problem({"x": X, "t": np.arange(N), "y": late}, time="t")


def test_truths_with_gaps_may_be_numbers():
    y = [None if i % 9 == 0 else bool(v > 0) for i, v in enumerate(X)]
    found = problem({"x": X, "y": y}, task="regression")
    np.testing.assert_array_equal(found.y, [float(y[i]) for i in found.rows])
    assert found.n == sum(v is not None for v in y)


# -- drawing ----------------------------------------------------------------------------------------------
def test_drawn_rows_keep_the_shares_of_the_classes():
    n = 5000
    y = np.where(np.arange(n) % 500 == 0, "rare", np.where(np.arange(n) % 5 == 0, "some", "most"))
    found = problem({"x": np.arange(n) / 7 % 1, "y": y}, max_rows=400)
    counts = dict(zip(*np.unique(found.y, return_counts=True), strict=True))
    assert sum(counts.values()) == found.n == 400
    assert counts["rare"] >= 5
    assert counts["some"] == pytest.approx(400 * 0.198, abs=2)
    assert (
        "400 of 5000 rows were drawn at random, with the shares of the classes kept (max_rows)."
        in found.remarks
    )
    again = problem({"x": np.arange(n) / 7 % 1, "y": y}, max_rows=400)
    np.testing.assert_array_equal(found.rows, again.rows)
    other = problem({"x": np.arange(n) / 7 % 1, "y": y}, max_rows=400, seed=1)
    assert not np.array_equal(found.rows, other.rows)


def test_drawn_rows_keep_groups_whole():
    table = {"x": np.tile(X, 10), "y": np.tile(Y, 10), "who": np.arange(10 * N) // 20}
    found = problem(table, group="who", max_rows=210)
    assert found.n == 200
    assert set(np.unique(found.groups, return_counts=True)[1]) == {20}
    few = problem(table, group="who", max_rows=90)
    assert few.n == 90
    assert "90 of 600 rows were drawn at random (max_rows)." in few.remarks


@pytest.mark.parametrize("most", [7, 50, 59])
def test_never_more_rows_than_asked(most):
    assert problem({"x": X, "y": Y}, max_rows=most, folds=2, inner=2).n == most
    assert problem({"x": X, "y": WORDS}, max_rows=max(most, 12), folds=2, inner=2).n == max(most, 12)


# -- too little -------------------------------------------------------------------------------------------
def test_tables_without_enough():
    with pytest.raises(InvalidInput, match=r"The table has 2 columns and no rows"):
        problem({"x": [], "y": []})
    with pytest.raises(InvalidInput, match=r"at least 2 rows with a target; 1 of 1 can be used"):
        problem({"x": [1.0], "y": [2.5]})
    with pytest.raises(
        InvalidInput, match=r"at least 2 rows .* 1 of 3 can be used\. 2 of 3 rows have no 'y'"
    ):
        problem({"x": [1.0, 2, 3], "y": [2.5, None, None]})
    with pytest.raises(
        InvalidInput, match=r"3 folds with 3 inside each need at least 6 rows .* there are 4\. With"
    ):
        problem({"x": X[:4], "y": Y[:4]})
    with pytest.raises(InvalidInput, match=r"No column can be used to predict 'y': 'e' has no values"):
        problem({"e": [None] * N, "y": Y})
    with pytest.raises(InvalidInput, match=r"There is no column to predict 'y' from"):
        problem({"y": Y})


def test_the_smallest_table_that_is_allowed_runs_both_layers():
    found = problem({"x": X[:6], "y": Y[:6]})
    for train, _ in found.splits:
        assert len(list(found.inner.split(train[:, None]))) == 3
