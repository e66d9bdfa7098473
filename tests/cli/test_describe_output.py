"""`suffice describe`: outputs that cannot write everything, odd sources, and what a file hides."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from suffice import cli

PROGRAM = [sys.executable, "-c", "from suffice.cli import main; main()", "describe"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("encoding", "json_too"), [("cp1252", False), ("ascii", True)])
def test_an_output_that_cannot_write_a_letter(here, encoding, json_too):
    (here / "a.jsonl").write_text('{"näme": "☃\\ud800"}\n{"näme": "☃\\ud800"}\n', encoding="utf-8")
    around = {**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "140"}
    done = subprocess.run([*PROGRAM, "a.jsonl", *["--json"] * json_too], capture_output=True, env=around)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode(encoding)
    if json_too:
        assert json.loads(text)["columns"][0]["modes"] == ["☃\ud800"]
    else:
        assert "\\u2603" in text


def test_half_of_a_pair_of_surrogates(run, tmp_path):
    (tmp_path / "s.jsonl").write_text('{"a": "\\ud800é"}\n{"a": "x"}\n')
    result = run("describe", "s.jsonl", "--html", "p.html")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "p.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b'[{"a": 1}, {"a": 2}]', "Standard input holds one JSON array; describe reads JSON lines"),
        (b"a,b\n1\n", "Standard input cannot be read: row 2 has 1 cells, the header 2"),
        (b"", "There is nothing on standard input"),
    ],
)
def test_refusals_of_standard_input_name_no_file(sent, told):
    result = CliRunner().invoke(cli.application(), ["describe", "-"], input=sent)
    assert result.exit_code == 2
    assert told in result.output
    assert "/tmp" not in result.output


def test_pipes_and_devices_are_no_files(run, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in ("pipe", "/dev/null"):
        result = run("describe", path)
        assert result.exit_code == 2
        assert f"'{path}' is a pipe or a device, not a file" in result.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["a.csv", "--columns", ""], "--columns names no column"),
        (["a.csv", "--types", "k"], "for example --types k=nominal"),
        (["a.csv", "--types", "k=0<1<2"], "the order of 'k' leaves out '8'"),
        (["a.sqlite"], "Name the table as a.sqlite::table; 'a.sqlite' has one, two."),
        (["a.sqlite::three"], "There is no table 'three' in 'a.sqlite'. There are: 'one', 'two'."),
        (["empty.sqlite"], "'empty.sqlite' has no table at all"),
    ],
)
def test_refusals_say_the_way_out(run, tmp_path, arguments, told):
    (tmp_path / "a.csv").write_text("k\n0\n1\n8\n")
    for name, tables in (("a.sqlite", ("one", "two")), ("empty.sqlite", ())):
        with sqlite3.connect(tmp_path / name) as base:
            base.execute("PRAGMA user_version = 1")
            for table in tables:
                base.execute(f"CREATE TABLE {table} (x)")
        base.close()
    result = run("describe", *arguments)
    assert result.exit_code == 2
    assert told in " ".join(result.output.split())


def test_infinite_numbers_in_json(run, tmp_path):
    (tmp_path / "i.csv").write_text("a\ninf\n-inf\n3\nInfinity\n")
    tree = json.loads(run("describe", "i.csv", "--json").stdout)
    assert tree["columns"][0]["modes"] == ["inf"]
    assert tree["columns"][0]["top"] == [["inf", 2], ["-inf", 1], [3.0, 1]]
    assert "is infinite in 3 of 4 rows" in tree["notes"][0]


def test_formulas_without_a_value_are_told(run, tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["a", "b"], [1, "=A2*2"], [2, "=A3*2"], [5, 7]):
        book.active.append(row)
    book.save(tmp_path / "f.xlsx")
    output = " ".join(run("describe", "f.xlsx").output.split())
    assert "'f.xlsx': 2 formulas of sheet 'Sheet' have no stored value and count as missing" in output
    book.active["B2"], book.active["B3"] = 2, 4
    book.save(tmp_path / "g.xlsx")
    assert "formulas" not in run("describe", "g.xlsx").output


def test_spans_of_a_database(run, tmp_path):
    import duckdb

    with duckdb.connect(str(tmp_path / "d.duckdb")) as base:
        base.execute("CREATE TABLE t AS SELECT INTERVAL 3 DAY AS i UNION ALL SELECT INTERVAL 3 DAY")
        base.execute("CREATE TABLE none (x INT, y TEXT)")
    spans = json.loads(run("describe", "d.duckdb::t", "--json").stdout)["columns"][0]
    assert spans["modes"] == ["0 months 3 days 0 s"]
    assert json.loads(run("describe", "d.duckdb::none", "--json").stdout)["rows"] == 0


def test_the_separator_that_a_spreadsheet_writes_first(run, tmp_path):
    (tmp_path / "s.csv").write_text("sep=;\na;b\n1,5;2\n2,5;3\n3,5;4\n")
    tree = json.loads(run("describe", "s.csv", "--json").stdout)
    assert ([c["name"] for c in tree["columns"]], tree["rows"]) == (["a", "b"], 3)
    assert tree["notes"] == [
        "Column 'a' holds numbers written as text: a decimal comma; make numbers of them to compute with them."
    ]
    assert tree["covariance"] is None
