"""The first half of the door of a study: any table to columns, with its name, origin and hash."""

import datetime as dt
import gzip
import hashlib
import sqlite3

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.feather as feather
import pytest

from suffice import datasets
from suffice._core.errors import InvalidInput
from suffice.study.reading.source import read

N = 30
X = np.linspace(-1, 1, N)
Y = 3 * X + np.sin(17 * X)


def mixed():
    return {
        "x": X,
        "count": list(range(N)),
        "word": ["a", "b, c"] * (N // 2),
        "day": [dt.date(2020, 1, 1 + i) for i in range(N)],
        "holes": [None if i % 7 == 0 else i / 4 for i in range(N)],
        "y": Y,
    }


def sqlite(frame, path):
    with sqlite3.connect(path) as base:
        frame.to_pandas().assign(day=lambda t: t["day"].astype(str)).to_sql("t", base, index=False)
    base.close()
    return f"{path}::t"


def lines(frame, path):
    frame.with_columns(pl.col("day").cast(str)).write_ndjson(path)
    return path


def zipped(frame, path):
    path.write_bytes(gzip.compress(frame.write_csv().encode()))
    return path


KINDS = {
    "csv": lambda f, p: f.write_csv(p / "t.csv") or p / "t.csv",
    "semicolon": lambda f, p: f.write_csv(p / "t.csv", separator=";") or str(p / "t.csv"),
    "tab": lambda f, p: f.write_csv(p / "t.tsv", separator="\t") or p / "t.tsv",
    "gzip": lambda f, p: zipped(f, p / "t.csv.gz"),
    "parquet": lambda f, p: f.write_parquet(p / "t.parquet") or p / "t.parquet",
    "feather": lambda f, p: feather.write_feather(f.to_arrow(), p / "t.feather") or p / "t.feather",
    "json lines": lambda f, p: lines(f, p / "t.jsonl"),
    "sqlite": lambda f, p: sqlite(f, p / "t.db"),
    "polars": lambda f, p: f,
    "lazy": lambda f, p: f.lazy(),
    "pandas": lambda f, p: f.to_pandas(),
    "arrow": lambda f, p: f.to_arrow(),
    "dict": lambda f, p: mixed(),
    "list of dicts": lambda f, p: f.to_dicts(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_gives_the_same_columns(kind, tmp_path):
    source = read(KINDS[kind](pl.DataFrame(mixed()), tmp_path))
    assert list(source.columns) == list(mixed())
    assert source.n_rows == N
    np.testing.assert_allclose(source.columns["x"], X, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(source.columns["y"], Y, rtol=1e-12)
    np.testing.assert_array_equal(source.columns["count"], range(N))
    np.testing.assert_array_equal(np.isnan(source.columns["holes"]), np.arange(N) % 7 == 0)
    assert source.columns["word"].tolist() == ["a", "b, c"] * (N // 2)
    days = np.array(mixed()["day"], dtype="datetime64[D]")
    assert [str(d)[:10] for d in source.columns["day"]] == [str(d) for d in days]
    assert source.name == ("table" if source.sha256 is None else "t")


def test_arrays_have_columns_by_place():
    source = read(np.column_stack([X, Y]))
    assert list(source.columns) == ["x0", "x1"]
    assert source.origin == "a numpy ndarray"


def test_a_pattern_reads_several_files_in_order(tmp_path):
    for i in range(3):
        (tmp_path / f"part-{i}.csv").write_text(f"a,y\n{i},{10 * i}\n", encoding="utf-8")
    source = read(tmp_path / "part-*.csv")
    assert source.columns["a"].tolist() == [0, 1, 2]
    assert source.columns["y"].tolist() == [0, 10, 20]
    together = b"".join((tmp_path / f"part-{i}.csv").read_bytes() for i in range(3))
    assert source.sha256 == hashlib.sha256(together).hexdigest()
    assert source.name == "part"
    assert source.remarks[-1].startswith("The table is in 3 files, from ")
    listed = read([tmp_path / "part-1.csv", str(tmp_path / "part-0.csv")])
    assert listed.columns["a"].tolist() == [1, 0]


def test_a_file_is_known_by_its_hash(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"a,y\n1,2\n")
    source = read(tmp_path / "t.csv")
    assert source.sha256 == hashlib.sha256(b"a,y\n1,2\n").hexdigest()
    assert source.remarks == ()


def test_bundled_sets_know_their_target():
    source = read("@olympic_100m_men")
    assert source.target == "seconds"
    assert "Rogers & Girolami" in source.remarks[0]
    assert read(datasets.traffic()).target == datasets.traffic().target_name
    same, other = read("@sinusoid", 1).columns["t"], read("@sinusoid", 2).columns["t"]
    assert np.array_equal(read("@sinusoid", 1).columns["t"], same)
    assert not np.array_equal(same, other)
    with pytest.raises(InvalidInput, match=r"no bundled data set 'diabete'\. Did you mean 'diabetes'"):
        read("@diabete")
    with pytest.raises(InvalidInput, match="no bundled data set 'Dataset'"):
        read("@Dataset")


# -- names ------------------------------------------------------------------------------------------------
def test_names_that_repeat_or_are_empty_are_told(tmp_path):
    (tmp_path / "t.csv").write_text("a,a,,y\n1,2,3,4\n5,6,7,8\n", encoding="utf-8")
    source = read(tmp_path / "t.csv")
    assert list(source.columns) == ["a", "a (2)", "column 3", "y"]
    assert source.remarks == (
        "Columns that share a name were numbered: 'a (2)'.",
        "Columns without a name in the file are called by their place: 'column 3'.",
    )
    frame = read(pd.DataFrame([[1, 2, 3]], columns=["a", "a", ""]))
    assert list(frame.columns) == ["a", "a (2)", ""]
    assert frame.remarks == (
        "Columns that share a name were numbered: 'a (2)'.",
        "1 column has an empty name.",
    )


def test_names_that_only_look_numbered_are_not_told(tmp_path):
    (tmp_path / "t.csv").write_text("a,a (2),column 3\n1,2,3\n", encoding="utf-8")
    assert read(tmp_path / "t.csv").remarks == ()


def test_a_header_that_is_not_utf8_is_told(tmp_path):
    (tmp_path / "t.csv").write_bytes("café,y\n1,2\n3,4\n".encode("latin-1"))
    with pytest.raises(InvalidInput, match=r"t\.csv' cannot be read: it is not UTF-8 .*--encoding cp1252"):
        read(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_text("caf\ufffd,y\n1,2\n3,4\n", encoding="utf-8")  # somebody else has lost it
    assert "not UTF-8" in read(tmp_path / "t.csv").remarks[0]


# -- what is no table -------------------------------------------------------------------------------------
@pytest.mark.parametrize("table", [None, 5, 2.5, b"a,b", {1, 2}])
def test_things_that_are_no_tables(table):
    with pytest.raises(InvalidInput, match=r"A study needs the path of a file .*; got "):
        read(table)


@pytest.mark.parametrize("table", [{}, [], pd.DataFrame(), pl.DataFrame()], ids=repr)
def test_tables_without_columns(table):
    with pytest.raises(InvalidInput, match=r"has no columns"):
        read(table)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("e.csv", b"", r"e\.csv' cannot be read: it is empty"),
        ("r.csv", b"a,b\n1,2\n1,2,3\n", r"row 3 has 3 cells, the header 2"),
        ("s.csv", b"a,b\n1,2\n1\n", r"row 3 has 1 cells, the header 2"),
        ("q.csv", b'a,b\n"1,2\n3,4\n', r"row 2 has 1 cells, the header 2"),
        ("u.csv", b"a,b\ncaf\xe9,1\ncaf\xc3\xa9,2\n", r"row 2, column 'a' is not UTF-8"),
        ("p.parquet", b"PAR1xxxx", r"p\.parquet' cannot be read"),
        ("x.xlsx", b"PK", r"x\.xlsx' cannot be read"),
        ("x.json", b"[]", r"has no known ending; the name must end in .*\.csv"),
    ],
)
def test_files_that_are_no_tables(name, content, message, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidInput, match=message):
        read(tmp_path / name)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(InvalidInput, match=r"There is no file at .*none\.csv"):
        read(tmp_path / "none.csv")
    with pytest.raises(InvalidInput, match=r"There is no file at"):
        read(tmp_path / "*.csv")
