"""One registry of formats: fits, folds, descriptions and studies open the same files, and read the same rows."""

import sqlite3

import numpy as np
import pytest

from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.engine.sources import as_source
from suffice.generative import GaussianNB, MixedNB
from suffice.linear import LinearRegression
from suffice.prepare import OneHotEncoder, SimpleImputer, describe
from suffice.study.reading.source import read

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
pytest.importorskip("duckdb")
pytest.importorskip("openpyxl")

RNG = np.random.default_rng(0)
ROWS = {
    "area": RNG.normal(50, 9, 40).round(2),
    "rooms": RNG.integers(1, 6, 40),
    "city": RNG.choice(["Oslo", "Rome"], 40),
}
ROWS |= {"price": (2.0 * ROWS["area"] + ROWS["rooms"]).round(3)}
TABLE = pl.DataFrame(ROWS)


def sqlite(path):
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE homes (area REAL, rooms INTEGER, city TEXT, price REAL)")
        base.executemany("INSERT INTO homes VALUES (?, ?, ?, ?)", TABLE.rows())
    base.close()


def duckdb(path):
    import duckdb as library

    homes = TABLE.to_arrow()  # noqa: F841
    with library.connect(str(path)) as base:
        base.execute("CREATE TABLE homes AS SELECT * FROM homes")


def excel(path):
    from openpyxl import Workbook

    book = Workbook()
    for row in [TABLE.columns, *TABLE.rows()]:
        book.active.append(row)
    book.save(path)


WRITE = {
    "homes.csv": TABLE.write_csv,
    "marked.csv": lambda path: path.write_text("sep=;\n" + TABLE.write_csv(separator=";")),
    "homes.parquet": TABLE.write_parquet,
    "homes.arrow": TABLE.write_ipc,
    "homes.jsonl": TABLE.write_ndjson,
    "homes.xlsx": excel,
    "homes.sqlite": sqlite,
    "homes.duckdb": duckdb,
}


@pytest.fixture(params=WRITE)
def path(request, tmp_path):
    WRITE[request.param](tmp_path / request.param)
    return str(tmp_path / request.param)


def test_every_format_is_fitted(path):
    model = engine.fit(LinearRegression(), path, "price", ["area", "rooms"])
    np.testing.assert_allclose(model.coef_, [2.0, 1.0], rtol=1e-9)
    named = engine.fit(LinearRegression(), path, "price", categories={"city": ["Oslo", "Rome"]})
    assert named.feature_names_in_.tolist() == ["area", "rooms", "city=Rome"]
    some = engine.fit(LinearRegression(), path, "price", ["area", "rooms"], where=[("city", "==", "Oslo")])
    assert some.statistics_.n == (ROWS["city"] == "Oslo").sum()


def test_every_format_is_cut_into_the_same_folds(path):
    found = engine.cross_validate(LinearRegression(), path, "price", ["area", "rooms"], folds=4)
    known = engine.cross_validate(LinearRegression(), TABLE, "price", ["area", "rooms"], folds=4)
    np.testing.assert_allclose(found.fold_losses, known.fold_losses, rtol=1e-6, atol=1e-20)


def test_labels_and_columns_of_text_come_from_every_format(path):
    classes = engine.fit(GaussianNB(), path, "city", ["area"])
    np.testing.assert_allclose(classes.theta_, engine.fit(GaussianNB(), TABLE, "city", ["area"]).theta_)
    mixed = engine.fit(MixedNB(), path, "city", ["area", "rooms"])
    assert list(mixed.kinds_) == ["area", "rooms"]
    codes = engine.fit(OneHotEncoder(), path, columns=["city"])
    assert codes.get_feature_names_out().tolist() == ["city_Oslo", "city_Rome"]
    assert engine.fit(SimpleImputer("auto"), path, columns=["city", "area"]).n_features_in_ == 2


def test_descriptions_and_studies_read_the_same_rows(path):
    assert describe(path)["area"].mean == pytest.approx(ROWS["area"].mean(), rel=1e-12)
    np.testing.assert_array_equal(read(path).columns["area"], ROWS["area"])


def test_a_table_inside_a_file_is_named(tmp_path):
    sqlite(tmp_path / "two.db")
    with sqlite3.connect(tmp_path / "two.db") as base:
        base.execute("CREATE TABLE other (a REAL)")
    base.close()
    with pytest.raises(InvalidParameter, match=r"Name the table as two.db::table; .* has homes, other"):
        as_source(str(tmp_path / "two.db"))
    assert as_source(f"{tmp_path}/two.db::homes").names == tuple(ROWS)
    TABLE.write_csv(tmp_path / "homes.csv")
    with pytest.raises(InvalidParameter, match="names a table of a database or a sheet; .* is CSV"):
        as_source(f"{tmp_path}/homes.csv::homes")
    with pytest.raises(InvalidInput, match="must be of one format; .*is CSV, .*is SQLite. Name the ending"):
        as_source([str(tmp_path / "homes.csv"), str(tmp_path / "two.db")])
