"""Sources without an end: sheets whose last cell is far away, views that are programs, and far too many workers."""

import sqlite3
import time

import numpy as np
import openpyxl
import pytest
from typer.testing import CliRunner

from suffice import cli
from suffice._core.errors import InvalidParameter, NoInformation, UnreadableSource
from suffice.engine import Processes, Threads
from suffice.engine.sources import sheets, tables
from suffice.engine.sources.formats import AS_THEY_ARE, open_files
from suffice.engine.threads import most_workers
from suffice.prepare import describe
from suffice.study import Study


def sheet(path, *stray, rows=30):
    book = openpyxl.Workbook()
    page = book.active
    page.append(["a", "b"])
    for i in range(rows):
        page.append([i, 2 * i])
    for row, column in stray:
        page.cell(row, column, 7)
    book.save(path)
    return str(path)


def rows_of(path):
    return sum(grid.n for part in open_files([path], AS_THEY_ARE).parts() for grid in part.batches())


@pytest.mark.parametrize("stray", [(1_048_576, 1), (1_048_576, 16_384), (1_500, 2)])
def test_a_stray_cell_far_below_is_no_row(tmp_path, stray):
    path, start = sheet(tmp_path / "t.xlsx", stray), time.monotonic()
    with pytest.warns(NoInformation, match=rf"row {stray[0]:,} stands alone after 1,"):
        found = describe(path)
    assert (found.rows, len(found)) == (30, 2)
    assert time.monotonic() - start < 30


def test_a_stray_cell_far_to_the_right_is_no_column(tmp_path):
    path = sheet(tmp_path / "t.xlsx", (1, 16_384))
    with pytest.warns(NoInformation, match=r"column 16,384 stands alone after 16,381 empty ones"):
        assert len(describe(path)) == 2
    path = sheet(tmp_path / "u.xlsx", (5, 16_384))
    with pytest.raises(UnreadableSource, match=r"row 5 has 16384 cells, the header 2"):
        describe(path)


def test_empty_rows_within_a_table_stay_and_those_at_its_end_go(tmp_path):
    path = sheet(tmp_path / "t.xlsx", (40, 1))
    assert rows_of(path) == 39
    book = openpyxl.load_workbook(path)
    book.active.cell(50, 1).font = openpyxl.styles.Font(bold=True)  # a row that is written down, and is empty
    book.save(path)
    assert rows_of(path) == 39


def test_a_row_number_that_no_sheet_has_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(sheets, "LAST_ROW", 20)
    assert rows_of(sheet(tmp_path / "t.xlsx")) == 19


# -- views ----------------------------------------------------------------------------------------------------------
COUNTING = "CREATE VIEW v AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"


@pytest.fixture
def base(tmp_path):
    def made(view):
        path = tmp_path / "t.sqlite"
        connection = sqlite3.connect(path)
        connection.execute(view)
        connection.execute("CREATE TABLE t AS SELECT 1 AS x UNION SELECT 2")
        connection.commit()
        connection.close()
        return f"{path}::v"

    return made


def test_a_view_without_an_end_is_refused(base, monkeypatch):
    path = base(COUNTING)
    monkeypatch.setattr(tables, "VIEW_ROWS", 10_000)
    with pytest.raises(
        UnreadableSource, match=r"view 'v' has more than 10,000 rows, and perhaps no end.*CREATE TABLE"
    ):
        describe(path)
    assert describe(path.replace("::v", "::t")).rows == 2


def test_a_view_that_never_gives_a_row_is_refused(base, monkeypatch):
    path = base(COUNTING + " WHERE x < 0")
    monkeypatch.setattr(tables, "VIEW_SECONDS", 0.3)
    with pytest.raises(UnreadableSource, match=r"view 'v' gave no row for 0 seconds"):
        describe(path)


def test_a_view_with_an_end_is_read(base):
    assert describe(base(COUNTING + " LIMIT 1000")).rows == 1000


# -- workers --------------------------------------------------------------------------------------------------------
def test_so_many_workers_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    most = most_workers()
    for kind in (Threads, Processes):
        with pytest.raises(
            InvalidParameter, match=rf"workers must be at most {most} on this machine .*got 100000"
        ):
            kind(100_000)
    assert Threads(most).workers == most
    np.savetxt(
        "t.csv", np.random.default_rng(0).normal(size=(20, 2)), delimiter=",", header="a,b", comments=""
    )
    words = ["fit", "t.csv", "--target", "b", "--executor", "processes", "--workers", "100000"]
    done = CliRunner().invoke(cli.application(), words)
    assert done.exit_code == 2
    assert "workers must be at most" in done.output
    with pytest.raises(InvalidParameter, match=rf"jobs must be a whole number from 1 to {most}, or -1"):
        Study({"a": [1.0, 2.0], "b": [2.0, 3.0]}, "b", jobs=100_000).run()
