"""The door of a study: what is read, what is used, and what is said about the rest."""

import datetime as dt
import hashlib

import numpy as np
import pandas as pd
import polars as pl
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.study import Study
from suffice.study._numbers import number, percent, span
from suffice.study._read import read
from suffice.study._table import prepare

N = 30
X = np.linspace(-1, 1, N)
Y = 3 * X + np.sin(17 * X)


def prepared(table, target="y", ignore=(), folds=5, max_rows=None):
    return prepare(read(table), target, ignore, folds, max_rows, seed=0)


def reasons(data):
    return {c.name: c.reason for c in data.sheet.of_role("not used")}


def mixed():
    return {
        "x": X,
        "count": list(range(N)),
        "flag": [True, False] * (N // 2),
        "word": ["a", "b"] * (N // 2),
        "day": [dt.date(2020, 1, 1 + i) for i in range(N)],
        "still": [2.5] * N,
        "nearly": ["?", *map(str, X[1:])],
        "y": Y,
    }


KINDS = ["decimal", "integer", "boolean", "text", "date or time", "decimal", "text", "decimal"]
EXPECTED = {
    "word": "text, not a number",
    "day": "date or time, not a number",
    "still": "does not vary (always 2.5)",
    "nearly": "text, not a number; 1 of 30 cells are not numbers, first '?' (leave missing cells empty)",
}


# -- reading -------------------------------------------------------------------------------------------
def _csv(path, separator=","):
    pl.DataFrame(mixed()).write_csv(path / "t.csv", separator=separator)
    return path / "t.csv"


@pytest.mark.parametrize("kind", ["csv", "semicolon", "tab", "parquet", "polars", "lazy", "pandas", "arrow"])
def test_every_kind_of_table_gives_the_same_sheet(kind, tmp_path):
    frame = pl.DataFrame(mixed())
    pandas = pd.DataFrame(mixed()).assign(day=lambda t: pd.to_datetime(t["day"]))
    table = {
        "csv": lambda: _csv(tmp_path),
        "semicolon": lambda: str(_csv(tmp_path, ";")),
        "tab": lambda: _csv(tmp_path, "\t"),
        "parquet": lambda: frame.write_parquet(tmp_path / "t.parquet") or tmp_path / "t.parquet",
        "polars": lambda: frame,
        "lazy": lambda: frame.lazy(),
        "pandas": lambda: pandas,
        "arrow": lambda: frame.to_arrow(),
    }[kind]()
    data = prepared(table)
    assert reasons(data) == EXPECTED
    assert data.X.columns == ["x", "count", "flag"]
    np.testing.assert_allclose(data.X["x"].to_numpy(), X, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(data.X["flag"].to_numpy(), [1.0, 0.0] * (N // 2))
    np.testing.assert_allclose(data.y, Y, rtol=1e-12)
    assert [c.kind for c in data.sheet.columns] == KINDS


def test_pandas_columns_with_gaps_keep_them():
    table = pd.DataFrame(
        {
            "i": pd.array([1, None, *range(N - 2)], dtype="Int64"),
            "b": pd.array([True, None] * (N // 2), dtype="boolean"),
            "s": pd.array(["u", None] * (N // 2), dtype="string"),
            "c": pd.Categorical(["u", "v"] * (N // 2)),
            "t": pd.date_range("2020-01-01", periods=N, tz="UTC"),
            "y": Y,
        }
    )
    sheet = prepared(table, ignore=["b"]).sheet
    assert {c.name: c.missing for c in sheet.columns} == {"i": 1, "b": 15, "s": 15, "c": 0, "t": 0, "y": 0}
    with pytest.raises(InvalidInput, match="Two columns are named 'a'"):
        read(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_bundled_sets_know_their_target():
    data = prepare(read("@olympic_100m_men"), None, (), 5, None, 0)
    assert data.sheet.target == "seconds"
    assert any("Rogers & Girolami" in remark for remark in data.sheet.remarks)
    assert read("@sinusoid", 1).frame.equals(read("@sinusoid", 1).frame)
    assert not read("@sinusoid", 1).frame.equals(read("@sinusoid", 2).frame)
    with pytest.raises(InvalidInput, match=r"no bundled data set 'diabete'\. Did you mean 'diabetes'"):
        read("@diabete")
    with pytest.raises(InvalidInput, match="no bundled data set 'Dataset'"):
        read("@Dataset")


def test_files_that_are_no_tables(tmp_path):
    def file(name, content):
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    with pytest.raises(InvalidInput, match=r"There is no file .*none\.csv"):
        read(tmp_path / "none.csv")
    with pytest.raises(InvalidInput, match=r"There is no file"):
        read(tmp_path)
    with pytest.raises(InvalidInput, match=r"reads \.csv, .*; got 'a\.xlsx'"):
        read(file("a.xlsx", b"PK"))
    for name, content in {
        "e.csv": b"",
        "r.csv": b"a,b\n1,2,3\n",
        "u.csv": b"a\n\xff\n",
        "p.parquet": b"a",
    }.items():
        with pytest.raises(InvalidInput, match="cannot be read as a table"):
            read(file(name, content))
    with pytest.raises(InvalidInput, match=r"A study needs a path .* got list"):
        read([[1, 2]])


def test_columns_that_share_a_name_are_told(tmp_path):
    (tmp_path / "t.csv").write_text("a,a,y\n1,2,3\n4,5,6\n", encoding="utf-8")
    assert read(tmp_path / "t.csv").remarks == ("Columns that share a name were renamed: a_duplicated_0.",)


def test_a_file_is_known_by_its_hash(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"a,y\n1,2\n")
    source = read(tmp_path / "t.csv")
    assert source.sha256 == hashlib.sha256(b"a,y\n1,2\n").hexdigest()
    assert source.name == "t"


# -- rows and columns ----------------------------------------------------------------------------------
def test_rows_with_gaps_are_counted_and_left_out(tmp_path):
    lines = ["x,z,w,y"] + [f"{x},{2 * x * x},k,{y}" for x, y in zip(X, Y, strict=True)]
    lines[1], lines[2], lines[3], lines[4] = "NA,1,k,1", "1,,k,1", "1,1,,1", "1,1,k,NaN"
    (tmp_path / "t.csv").write_text("\n".join(lines), encoding="utf-8")
    sheet = prepared(tmp_path / "t.csv").sheet
    assert (sheet.n_rows, sheet.n_used, sheet.n_target_missing) == (N, N - 3, 1)
    assert {c.name: c.missing for c in sheet.columns} == {"x": 1, "z": 1, "w": 1, "y": 1}
    assert "3 of 30 rows have a missing or infinite value" in sheet.remarks[0]


def test_infinities_count_as_missing():
    sheet = prepared(pl.DataFrame({"x": [np.inf, -np.inf, *X[2:]], "y": Y})).sheet
    assert (sheet.n_used, sheet.columns[0].missing) == (N - 2, 2)
    assert sheet.columns[0].max == 1.0


def test_a_column_that_is_constant_where_rows_are_complete_is_told():
    table = pl.DataFrame({"x": X, "z": [7.0] * (N - 1) + [8.0], "y": [*Y[:-1], None]})
    assert reasons(prepared(table)) == {"z": "does not vary in the rows used (always 7)"}


def test_numbers_of_the_sheet():
    values = [1.0, 2.0, 2.0, 4.0, 8.0, None]
    (column, _) = prepared(pl.DataFrame({"x": values, "y": [1.0, 2, 3, 5, 4, 6]}), folds=2).sheet.columns
    assert (column.missing, column.distinct, column.mean) == (1, 4, 3.4)
    assert column.std == pytest.approx(np.std(values[:-1], ddof=1), rel=1e-12)
    assert (column.min, column.q1, column.median, column.q3, column.max) == (1, 2, 2, 4, 8)
    assert sum(column.histogram) == 5


def test_huge_numbers_have_a_spread():
    column = prepared(pl.DataFrame({"x": X * 1e200, "y": Y})).sheet.columns[0]
    assert column.std == pytest.approx(1e200 * X.std(ddof=1), rel=1e-12)


def test_remarks_on_what_may_surprise():
    table = pl.DataFrame({"id": range(1, N + 1), "x": X, "y": [0, 1] * (N // 2)})
    remarks = " ".join(prepared(table).sheet.remarks)
    assert "Column 'id' counts up row by row" in remarks
    assert "'y' has only 2 distinct values" in remarks


def test_ignored_columns_and_drawn_rows_are_told():
    data = prepared(pl.DataFrame({"x": X, "z": X**2, "y": Y}), ignore=["z"], max_rows=12)
    assert reasons(data) == {"z": "left out on request"}
    assert len(data.y) == data.sheet.n_used == 12
    assert "12 of the 30 complete rows were drawn at random." in data.sheet.remarks


# -- the target ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("flag", r"target 'flag' is boolean \(Boolean; 2 distinct values: True, False\).*numeric target"),
        ("word", r"target 'word' is text \(String; 2 distinct values: 'a', 'b'\).*integer or decimal"),
        ("day", r"target 'day' is date or time \(Date; 30 distinct"),
        ("nearly", r"target 'nearly' is text .*1 of 30 cells are not numbers, first '\?'"),
        ("still", r"target 'still' does not vary in the rows used \(always 2.5\)"),
    ],
)
def test_targets_that_cannot_be_predicted(target, message):
    with pytest.raises(InvalidInput, match=message):
        prepared(pl.DataFrame(mixed()), target)


def test_a_target_that_is_not_there():
    table = pl.DataFrame({"Price": X, "area": X**2})
    with pytest.raises(InvalidParameter, match=r"there is no column 'price'\. Did you mean 'Price'"):
        prepared(table, "price")
    with pytest.raises(InvalidParameter, match=r"there is no column 'zzz'\. There are: 'Price', 'area'"):
        prepared(table, "zzz")
    with pytest.raises(InvalidParameter, match=r"target must name the column to predict; .* 'Price', 'area'"):
        prepared(table, None)


def test_tables_without_enough():
    with pytest.raises(InvalidInput, match="The table has no rows"):
        prepared(pl.DataFrame({"x": [], "y": []}))
    with pytest.raises(InvalidInput, match="5 folds need at least 5 complete rows; 3 of 3 are"):
        prepared(pl.DataFrame({"x": X[:3], "y": Y[:3]}))
    with pytest.raises(InvalidInput, match=r"2 of 30 are\. 'z' has 28 missing cells; ignore it"):
        prepared(pl.DataFrame({"x": X, "z": [1.0, 2.0] + [None] * (N - 2), "y": Y}))
    with pytest.raises(InvalidInput, match=r"No column can be used to predict 'y'\. 'w': text"):
        prepared(pl.DataFrame({"w": ["a", "b"] * (N // 2), "y": Y}))
    with pytest.raises(InvalidInput, match="'e': has no values"):
        prepared(pl.DataFrame({"e": [None] * N, "y": Y}))


def test_a_study_reads_a_decimal_column():
    table = pl.DataFrame({"x": X, "y": Y}).with_columns(pl.col("y").cast(pl.Decimal(10, 2)))
    assert Study(table, "y", folds=3, models=["linear"]).run().comparison.best == "linear"


# -- numbers for people --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (float("nan"), "–"),
        (0.0, "0"),
        (1896.0, "1896"),
        (1952.4321, "1952"),
        (-0.013334, "−0.01333"),
        (1234567.0, "1\u202f234\u202f567"),
        (7.4424e-16, "7.442 × 10⁻¹⁶"),
        (-2.5e9, "−2.500 × 10⁹"),
    ],
)
def test_numbers(value, text):
    assert number(value) == text


def test_intervals_and_shares():
    assert span((0.04121, 0.08361)) == "0.0412 to 0.0836"
    assert span(None) == "–"
    assert percent(0.957, 1) == "95.7\u202f%"
    assert percent(None) == "–"
