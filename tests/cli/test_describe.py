"""`suffice describe`: every format says what the library says of the table in memory."""

from __future__ import annotations

import datetime as dt
import json
import re
import sqlite3

import polars as pl
import pytest
from typer.testing import CliRunner

from suffice import cli
from suffice.cli.describing import ending
from suffice.prepare import describe

from .conftest import make_sales


@pytest.fixture(scope="module")
def table():
    t = make_sales(120)
    gone = pl.when(pl.col("age") > 60).then(None)
    return t.with_columns(b=gone.otherwise(pl.col("b")), city=gone.otherwise(pl.col("city"))).select(
        "a", "b", "city", "age"
    )


def write_excel(table, path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "first"
    sheet = book.create_sheet("sales")
    sheet.append(table.columns)
    for row in table.iter_rows():
        sheet.append(row)
    book.save(path)


def write_sqlite(table, path):
    base = sqlite3.connect(path)
    base.execute('CREATE TABLE "sales" (a REAL, b REAL, city TEXT, age INTEGER)')
    base.executemany("INSERT INTO sales VALUES (?, ?, ?, ?)", table.rows())
    base.execute("CREATE TABLE other (x)")
    base.commit()
    base.close()


def write_duckdb(table, path):
    import duckdb

    rows = table.to_arrow()
    with duckdb.connect(str(path)) as base:
        base.register("rows", rows)
        base.execute("CREATE TABLE sales AS SELECT * FROM rows")


WRITERS = {
    "d.csv": lambda t, p: t.write_csv(p),
    "d.tsv": lambda t, p: t.write_csv(p, separator="\t"),
    "d.csv.gz": lambda t, p: t.write_csv(p, compression="gzip"),
    "d.parquet": lambda t, p: t.write_parquet(p),
    "d.feather": lambda t, p: t.write_ipc(p),
    "d.jsonl": lambda t, p: t.write_ndjson(p),
    "d.xlsx::sales": write_excel,
    "d.db::sales": write_sqlite,
    "d.duckdb::sales": write_duckdb,
    "d.duckdb": write_duckdb,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_says_the_same(run, table, tmp_path, name):
    WRITERS[name](table, tmp_path / name.partition("::")[0])
    result = run("describe", name, "--json")
    assert result.exit_code == 0, result.output
    tree, whole = json.loads(result.stdout), describe(table)
    assert tree["rows"] == 120
    for found, c in zip(tree["columns"], whole, strict=True):
        assert (found["name"], found["scale"], found["missing"]) == (c.name, c.attribute.scale, c.missing)
        assert (found["distinct"], found["mode_count"]) == (c.distinct, c.mode_count)
        assert found["mean"] == (None if c.mean is None else pytest.approx(c.mean, rel=1e-12))
    assert tree["correlated"] == list(whole.correlated)


@pytest.mark.parametrize(
    "name", ["d.csv", "d.csv.gz", "d.parquet", "d.feather", "d.jsonl", "d.xlsx", "d.db", "d.duckdb"]
)
def test_a_pipe_is_read_by_its_first_bytes(table, tmp_path, name):
    match = next(n for n in WRITERS if n.partition("::")[0] == name)
    WRITERS[match](table, tmp_path / name)
    content = (tmp_path / name).read_bytes()
    same = {"d.feather": ".arrow", "d.db": ".sqlite"}
    assert ending(content[: 1 << 16]) == same.get(name, name[1:])
    if name in ("d.xlsx", "d.db"):
        return  # several tables, and no name to choose by
    result = CliRunner().invoke(cli.application(), ["describe", "-", "--json"], input=content)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["rows"] == 120


def test_sheets_as_people_leave_them(run, tmp_path):
    import openpyxl

    book, day = openpyxl.Workbook(), dt.datetime(2024, 2, 29)
    for row in (["day", None, "n", "n"], [day, 1, 2, 3], [None], [dt.date(2024, 3, 1), "x", 4, 5.5]):
        book.active.append(row)
    book.save(tmp_path / "d.xlsx")
    columns = json.loads(run("describe", "d.xlsx", "--json").stdout)["columns"]
    assert [c["name"] for c in columns] == ["day", "column 2", "n", "n (2)"]
    assert (columns[0]["quartiles"][4], columns[0]["missing"]) == ("2024-03-01", 1)
    assert columns[1]["mixed"] == [["numbers", 1], ["text", 1]]
    book.active.append([1, 2, 3, 4, "beyond"])
    book.save(tmp_path / "d.xlsx")
    last = json.loads(run("describe", "d.xlsx", "--json").stdout)["columns"][-1]
    assert (last["name"], last["missing"], last["modes"]) == ("column 5", 3, ["beyond"])


def test_types_columns_and_what_is_printed(run, table, tmp_path):
    table.write_csv(tmp_path / "d.csv")
    plain = run("describe", "d.csv", "--columns", "city,age", "--types", "age=ordinal").output
    assert re.search(r"age\s+ordinal.*median \d+", plain)
    assert "mode" in plain
    assert "120 rows × 2 columns" in plain
    ordered = json.loads(run("describe", "d.csv", "--json", "--types", "city=Oslo<Rome<Lima").stdout)
    assert ordered["columns"][2]["quartiles"][4] == "Lima"
    assert run("describe", "@olympic_100m_men").exit_code == 0


def test_a_narrow_terminal_gets_lines_that_fit(run, table, tmp_path, monkeypatch):
    table.with_columns(pl.lit("x" * 90).alias("y" * 90)).write_csv(tmp_path / "d.csv")
    assert re.search(r"std .*entropy", run("describe", "d.csv").output, re.S)
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("describe", "d.csv").output.splitlines()
    assert len(lines) == 8
    assert max(map(len, lines)) <= 80
    assert re.search(r"b\s+interval\s+[\d.]+ %", "\n".join(lines))


def test_the_page_has_a_line_and_bars_per_column_and_needs_nothing(run, table, tmp_path):
    table.with_columns(c=pl.col("a") * 2 + 1).write_parquet(tmp_path / "d.parquet")
    result = run("describe", "d.parquet", "--html", "page.html")
    assert result.exit_code == 0, result.output
    assert "Strongest correlations: c and a 1.00" in result.output
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 5
    assert "prefers-color-scheme: dark" in page
    assert not re.search(r"src=|href=|url\(|<script", page)
    assert "exists; --force replaces it" in run("describe", "d.parquet", "--html", "page.html").output
    assert run("describe", "d.parquet", "--html", "page.html", "--force").exit_code == 0


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["nowhere.csv"], "There is no file at 'nowhere.csv'"),
        (["d.csv", "--types", "aeg=ordinal"], "there is no column 'aeg' in the table. Did you mean"),
        (["d.csv", "--types", "age"], "--types takes name=value"),
        (["d.csv", "--types", "age=round"], "must be one of nominal, ordinal, interval, ratio"),
        (["d.csv", "--columns", "zip"], "there is no column 'zip'"),
        (["d.csv", "--html", "page.txt"], "ends in .html"),
        (["d.csv", "--html", "no/page.html"], "There is no folder"),
        (["d.csv", "d.parquet"], "must be of one format"),
        (["d.csv", "-"], "stand alone"),
        (["d.csv::sales"], "names a table of a database"),
        (["d.db"], "Name the table as d.db::table"),
        (["d.db::sale"], "There is no table 'sale'"),
        (["d.xlsx::nope"], "There is no sheet 'nope'"),
        (["d.md"], "no known ending"),
    ],
)
def test_refusals_are_one_line(run, table, tmp_path, arguments, told):
    for name in ("d.csv", "d.parquet", "d.db::sales", "d.xlsx::sales"):
        WRITERS[name](table, tmp_path / name.partition("::")[0])
    (tmp_path / "d.md").write_text("# no table\n")
    result = run("describe", *arguments)
    assert result.exit_code == 2
    assert told in result.output
    assert len(result.output.strip().splitlines()) == 1
