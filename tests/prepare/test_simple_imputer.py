"""SimpleImputer and drop_missing: the text's baselines by brute force, scikit-learn's answers, and parts that add."""

from __future__ import annotations

import warnings
from unittest import SkipTest

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from scipy import sparse
from sklearn.impute import SimpleImputer as TheirImputer
from sklearn.utils.estimator_checks import estimator_checks_generator

import suffice
from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, NoInformation, Unsupported
from suffice.prepare import SimpleImputer, attribute_types, drop_missing
from suffice.prepare.looking.attributes import Attribute

rng = np.random.default_rng(4)
X = np.round(rng.standard_normal((70, 4)) * [1.0, 3.0, 2.0, 1e3], 1)
X[:, 1] = np.round(X[:, 1])
HOLES = np.where(rng.random(X.shape) < 0.25, np.nan, X)
COUNTS = rng.integers(0, 4, 70).astype(float)
# DTU Table 2.1, the rows that are printed
CARS = pandas.DataFrame(
    {
        "MPG": [18, 28, 26, 29, np.nan, 24, 17.5, 25, 15],
        "Cylinders": [8, 4, 4, 4, 8, 4, 6, 4, 8],
        "Safety": [4, 4, 3, 1, 2, 3, 4, np.nan, 2],  # −100, which no car has, marked as missing
        "Origin": ["France", "USA", "USA", "Germany", "USA", None, "USA", "France", "USA"],
    }
)


# -- the fills ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("mean", "mean"), ("median", "median"), ("mode", "most_frequent"), ("most_frequent", "most_frequent")],
)
def test_scikit_learns_fills(ours, theirs):
    a, b = SimpleImputer(ours).fit(HOLES), TheirImputer(strategy=theirs).fit(HOLES)
    np.testing.assert_allclose([f.value for f in a.state_], b.statistics_, rtol=1e-12)
    np.testing.assert_allclose(a.transform(HOLES), b.transform(HOLES), rtol=1e-12)
    both = SimpleImputer(ours, add_indicator=True).fit_transform(HOLES)
    np.testing.assert_allclose(
        both, TheirImputer(strategy=theirs, add_indicator=True).fit_transform(HOLES), rtol=1e-12
    )


def test_the_cars_of_the_text():
    out = SimpleImputer({"Safety": "mode"}).fit(CARS)
    fills = {n: (f.rule, f.value) for n, f in zip(CARS.columns, out.state_, strict=True)}
    assert fills["MPG"] == ("mean", pytest.approx(np.nanmean(CARS["MPG"]), rel=1e-14))
    assert fills["Safety"] == ("mode", 4.0)
    assert fills["Cylinders"] == ("rounded_mean", 6.0)  # 50 / 9
    assert fills["Origin"] == ("mode", "USA")
    filled = out.transform(CARS)
    assert filled[5, 3] == "USA"
    assert not pandas.isna(filled).any()


def test_the_type_of_a_column_implies_its_fill():
    def attribute(name, scale, continuity):
        return Attribute(name, "numbers", scale, continuity, "given", 9, 1, 5)

    types = {
        "MPG": attribute("MPG", "ratio", "continuous"),
        "Cylinders": attribute("Cylinders", "ratio", "discrete"),
        "Safety": attribute("Safety", "ordinal", "discrete"),
    }
    for found in (types, attribute_types(CARS)):
        rules = [f.rule for f in SimpleImputer(found).fit(CARS).state_]
        assert rules == ["mean", "rounded_mean", "mode", "mode"]


def test_halves_round_up():
    model = SimpleImputer("rounded_mean").fit([[1.0, -1.0], [2.0, -2.0], [np.nan, np.nan]])
    assert [f.value for f in model.state_] == [2.0, -1.0]


def test_weights_are_rows():
    rows = np.repeat(np.arange(70), COUNTS.astype(int))
    for strategy in ("mean", "rounded_mean", "mode", "median", "auto"):
        a = SimpleImputer(strategy).fit(HOLES, None, COUNTS)
        b = SimpleImputer(strategy).fit(HOLES[rows])
        np.testing.assert_allclose([f.value for f in a.state_], [f.value for f in b.state_], rtol=1e-12)
        assert [f.rule for f in a.state_] == [f.rule for f in b.state_]


@pytest.mark.parametrize("n", range(1, 8))
def test_the_median_by_sorting(n):
    x = rng.integers(0, 4, n).astype(float)
    w = rng.integers(1, 4, n).astype(float)
    model = SimpleImputer("median").fit(x[:, None], None, w)
    assert model.state_[0].value == np.median(np.repeat(x, w.astype(int)))


def test_cells_that_are_there_are_left_alone():
    for strategy in ("mean", "median", "mode", "auto"):
        out = SimpleImputer(strategy).fit_transform(HOLES)
        assert np.array_equal(out[~np.isnan(HOLES)], HOLES[~np.isnan(HOLES)])
        assert not np.isnan(out).any()


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_any_scale(scale):
    out = SimpleImputer("mean").fit([[scale], [3 * scale], [np.nan]]).state_[0].value
    assert out == pytest.approx(2 * scale, rel=1e-14, abs=0)


# -- constants and text -------------------------------------------------------------------------------
def test_constants_by_column():
    model = SimpleImputer(
        "constant", fill_value={"MPG": 0, "Cylinders": 1, "Safety": 3, "Origin": "unknown"}
    ).fit(CARS)
    out = model.transform(CARS)
    assert out[4, 0] == 0
    assert out[7, 2] == 3
    assert out[5, 3] == "unknown"
    with pytest.raises(
        InvalidParameter, match="fill_value must be a finite number for column 'MPG'; got 'none'"
    ):
        SimpleImputer("constant", fill_value="none").fit(CARS)
    for bad in (None, np.nan, True, [1.0]):
        with pytest.raises(InvalidParameter, match="fill_value must be a finite number"):
            SimpleImputer("constant", fill_value=bad).fit(HOLES)


def test_text_has_no_mean():
    with pytest.raises(
        InvalidInput, match=r"Column 'Origin' holds text \('France'\), which has no mean; .*'mode'"
    ):
        SimpleImputer().fit(CARS)
    with pytest.raises(InvalidInput, match="no rounded mean"):
        SimpleImputer("rounded_mean").fit(CARS)


@pytest.mark.parametrize("wrong", ["average", None, 3, {"speed": "mean"}, {"MPG": "middle"}])
def test_wrong_strategies(wrong):
    with pytest.raises(InvalidParameter, match="strategy"):
        SimpleImputer(wrong).fit(CARS)
    with pytest.raises(InvalidParameter, match="add_indicator must be True or False"):
        SimpleImputer(add_indicator="yes").fit(HOLES)


def test_a_column_without_cells_is_named():
    table = HOLES.copy()
    table[:, 2] = np.nan
    model = SimpleImputer().fit(table)
    with pytest.warns(
        NoInformation, match=r"\['x2'\] had no cell at fit to go by, so they are left out.*'constant'"
    ):
        assert np.array_equal(model.transform(X), np.delete(X, 2, axis=1))
    assert list(model.get_feature_names_out()) == [f"x{j}" for j in range(X.shape[1]) if j != 2]
    kept = SimpleImputer(keep_empty_features=True).fit(table)
    assert np.all(kept.transform(table)[:, 2] == 0)
    assert SimpleImputer("constant", fill_value=9.0).fit_transform(table)[0, 2] == 9.0
    later = model.partial_fit(HOLES)
    assert later.state_[2].value == pytest.approx(np.nanmean(HOLES[:, 2]), rel=1e-12)


@pytest.mark.parametrize("mark", [-70001, 0.12345, np.int64(70001)])
def test_a_number_may_mark_gaps(mark):
    table = np.where(np.isnan(HOLES), mark, HOLES)
    model = SimpleImputer(missing_values=mark, add_indicator=True).fit(table)
    expected = SimpleImputer(add_indicator=True).fit(HOLES)
    np.testing.assert_array_equal(model.transform(table), expected.transform(HOLES))
    np.testing.assert_allclose(model.inverse_transform(model.transform(table)), table)
    with pytest.raises(InvalidInput, match="X contains NaN at row .*, but missing_values="):
        model.transform(HOLES)


def test_text_and_whole_numbers_with_marks():
    words = np.array([["a"], ["?"], ["b"], ["b"]], dtype=object)
    assert SimpleImputer("mode", missing_values="?").fit_transform(words)[1, 0] == "b"
    np.testing.assert_array_equal(
        SimpleImputer(missing_values=0).fit_transform([[1], [0], [4]])[:, 0], [1, 2.5, 4]
    )
    with pytest.raises(
        InvalidParameter, match="missing_values must be NaN, None, a number or text; got True"
    ):
        SimpleImputer(missing_values=True).fit([[1.0]])


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent", "constant"])
@pytest.mark.parametrize(
    "options", [{}, {"keep_empty_features": True}, {"add_indicator": True, "missing_values": -70001}]
)
@pytest.mark.filterwarnings("ignore")
def test_numbers_are_scikit_learns(strategy, options):
    table = HOLES.copy()
    table[:, 1] = np.nan
    table = np.nan_to_num(table, nan=options.get("missing_values", np.nan))
    options = options | ({"fill_value": 3.0} if strategy == "constant" else {})
    mine, other = (cls(strategy=strategy, **options).fit(table) for cls in (SimpleImputer, TheirImputer))
    if strategy == "constant" and not options.get("keep_empty_features"):
        np.testing.assert_allclose(np.delete(mine.transform(table), 1, axis=1), other.transform(table))
        return
    np.testing.assert_allclose(mine.transform(table), other.transform(table), rtol=1e-12)


def test_gaps_come_back_by_their_indicators():
    model = SimpleImputer("auto", add_indicator=True).fit(CARS)
    assert list(model.get_feature_names_out())[4:] == [
        f"missingindicator_{n}" for n in ("MPG", "Safety", "Origin")
    ]
    back = model.inverse_transform(model.transform(CARS))
    assert pandas.isna(back).tolist() == CARS.isna().to_numpy().tolist()
    numbers = SimpleImputer(add_indicator=True).fit(HOLES)
    np.testing.assert_array_equal(numbers.inverse_transform(numbers.transform(HOLES)), HOLES)
    with pytest.raises(Unsupported, match="add_indicator=True"):
        SimpleImputer().fit(HOLES).inverse_transform(HOLES)
    with pytest.raises(InvalidInput, match="gives 8 columns"):
        numbers.inverse_transform(HOLES)


# -- parts --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("strategy", ["mean", "median", "mode", "auto", {"MPG": "median", "Origin": "mode"}])
def test_parts_are_the_whole(strategy):
    table = CARS if isinstance(strategy, dict) or strategy in ("auto", "mode") else CARS[["MPG", "Safety"]]
    parts = [table.iloc[a:b] for a, b in ((0, 4), (4, 5), (5, 9))]
    whole = SimpleImputer(strategy).fit(table)
    pieces = SimpleImputer(strategy)
    for part in parts:
        pieces.partial_fit(part)
    merged = suffice.merge([SimpleImputer(strategy).fit(p) for p in parts])
    streamed = engine.fit(SimpleImputer(strategy), iter(parts))
    rest = suffice.forget(SimpleImputer(strategy).fit(pandas.concat([table, table[:3]])), table[:3])
    for model in (pieces, merged, streamed, rest):
        for a, b in zip(model.state_, whole.state_, strict=True):
            assert (a.rule, a.gaps) == (b.rule, b.gaps)
            assert (
                a.value == b.value
                if isinstance(a.value, str)
                else a.value == pytest.approx(b.value, rel=1e-9)
            )


def test_files(tmp_path):
    polars.from_pandas(CARS).write_parquet(tmp_path / "cars.parquet")
    model = engine.fit(SimpleImputer("auto"), tmp_path / "cars.parquet")
    assert [f.value for f in model.state_] == [f.value for f in SimpleImputer("auto").fit(CARS).state_]


def test_text_in_one_part_and_numbers_in_another():
    a, b = SimpleImputer("auto").fit([["a"]]), SimpleImputer("auto").fit([[1.0]])
    with pytest.raises(InvalidInput, match="Column 'x0'"):
        suffice.merge([a, b])


def test_saved_and_loaded(tmp_path):
    model = SimpleImputer({"Safety": "mode"}, add_indicator=True).fit(CARS)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert again.state_ == model.state_
    assert again.statistics_ == model.statistics_
    assert again.transform(CARS).tolist() == model.transform(CARS).tolist()


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frames(kind):
    table = CARS if kind == "pandas" else polars.from_pandas(CARS)
    out = SimpleImputer("auto").set_output(transform=kind).fit_transform(table)
    assert list(out.columns) == list(CARS.columns)
    assert out["Origin"][5] == "USA"


def test_bad_tables():
    with pytest.raises(InvalidInput, match="X contains inf at row 0, column 'x0'"):
        SimpleImputer().fit([[np.inf]])
    with pytest.raises(InvalidInput, match="does not take sparse"):
        SimpleImputer().fit(sparse.csr_array(X))
    with pytest.raises(ValueError, match="0 sample"):
        SimpleImputer().fit(np.zeros((0, 2)))
    with pytest.raises(ValueError, match="expecting 4 features"):
        SimpleImputer().fit(X).transform(X[:, :2])
    with pytest.raises(InvalidInput, match="sample_weight is zero for all"):
        SimpleImputer().fit(X, None, np.zeros(70))
    one = SimpleImputer("median").fit([[2.0]])
    assert one.transform([[np.nan]]).tolist() == [[2.0]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        SimpleImputer(),
        SimpleImputer("auto", add_indicator=True),
        SimpleImputer("median"),
        SimpleImputer("constant", fill_value=-3.0, add_indicator=True),
    ],
    ids=str,
)
def test_scikit_learns_checks(model):
    for estimator, check in estimator_checks_generator(model):
        with warnings.catch_warnings():
            try:
                check(estimator)
            except SkipTest:
                continue


# -- dropping -----------------------------------------------------------------------------------------
def kinds(frame):
    return {
        "pandas": frame,
        "polars": polars.from_pandas(frame),
        "pyarrow": pyarrow.Table.from_pandas(frame, preserve_index=False),
    }


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_what_is_dropped_is_told(kind):
    table = kinds(CARS)[kind]
    rows = drop_missing(table)
    assert rows.rows == (4, 5, 7)
    assert type(rows.table) is type(table)
    assert rows.table.shape == (6, 4)
    assert rows.shares[4] == 0.25
    columns = drop_missing(table, "columns")
    assert columns.names == ("MPG", "Safety", "Origin")
    assert columns.columns == (0, 2, 3)
    assert columns.table.shape == (9, 1)
    assert str(columns) == "Dropped(3 of 4 columns (MPG, Safety, Origin))"


def test_dropping_by_brute_force():
    for threshold in (0.0, 0.25, 0.5, 1.0):
        out = drop_missing(HOLES, "rows", threshold)
        keep = [i for i, row in enumerate(HOLES) if sum(np.isnan(row)) / 4 <= threshold]
        np.testing.assert_array_equal(out.table, HOLES[keep])
        assert sorted([*keep, *out.rows]) == list(range(70))
    assert drop_missing([[1, None], [2, 3]]).table == [[2, 3]]
    assert drop_missing([[1, None], [2, 3]], "columns").table == [[1], [2]]
    assert drop_missing(CARS.drop(columns=["MPG", "Safety", "Origin"])).rows == ()


def test_what_cannot_be_dropped():
    with pytest.raises(InvalidInput, match="Every one of the 2 rows .* nothing would be left"):
        drop_missing([[None, 1], [2, None]])
    with pytest.raises(InvalidInput, match="is empty"):
        drop_missing(np.zeros((0, 2)))
    with pytest.raises(InvalidInput, match="two dimensions"):
        drop_missing(np.zeros(3))
    with pytest.raises(InvalidParameter, match="axis must be one of 'rows', 'columns'; got 0"):
        drop_missing(X, 0)
    for bad in (-0.1, 1.5, "half", None):
        with pytest.raises(InvalidParameter, match="threshold must"):
            drop_missing(X, "rows", bad)
