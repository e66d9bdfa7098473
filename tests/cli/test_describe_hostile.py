"""`suffice describe` on tables that nobody would write on purpose: the right answer, or one line that says where."""

from __future__ import annotations

import gzip
import json

import pytest


@pytest.fixture
def describe(run, tmp_path):
    """Write bytes to a file and describe it: the tree it prints, or the message it ends with."""

    def call(content, name="data.csv", *arguments):
        if content is not None:
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        result = run("describe", name, "--json", *arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert "Traceback" not in result.output
        if result.exit_code:
            assert result.exit_code == 2
            return " ".join(result.output.split())
        tree = json.loads(result.stdout)
        return tree | {"by": {c["name"]: c for c in tree["columns"]}}

    return call


def test_a_byte_order_mark_is_no_part_of_a_name(describe):
    assert list(describe(b"\xef\xbb\xbfa,b\n1,2\n3,4\n")["by"]) == ["a", "b"]
    found = describe("a,b\n1,å\n3,ø\n".encode("utf-16"))["by"]
    assert found["a"]["mean"] == 2
    assert found["b"]["modes"] == ["å", "ø"]


def test_bytes_of_another_encoding_are_named_with_row_and_column(describe):
    told = describe(b"a,b\n1,fine\n2,caf\xe9\n")
    assert "row 3, column 'b' is not UTF-8" in told
    assert "or save it as UTF-8" in told


@pytest.mark.parametrize("line, cells", [("3", 1), ("3,4,5", 3), ("3,4,5,6", 4)])
def test_ragged_rows_are_named(describe, line, cells):
    told = describe(f"a,b\n1,2\n{line}\n5,6\n")
    assert f"row 3 has {cells} cells, the header 2" in told


def test_duplicate_and_empty_names_are_told_apart(describe):
    found = describe("x,x,,x, \n1,2,3,4,5\n6,7,8,9,10\n")["by"]
    assert list(found) == ["x", "x (2)", "column 3", "x (3)", "column 5"]
    assert [c["mean"] for c in found.values()] == [3.5, 4.5, 5.5, 6.5, 7.5]


@pytest.mark.long
def test_five_thousand_columns(describe):
    names, row = ",".join(f"c{j}" for j in range(5000)), ",".join(str(j) for j in range(5000))
    tree = describe(f"{names}\n{row}\n{row}\n")
    assert len(tree["columns"]) == 5000
    assert tree["by"]["c4321"]["top"] == [[4321, 2]]
    assert "more than 100 columns" in tree["notes"][0]


def test_all_missing_one_row_and_no_row(describe):
    found = describe("a,b\n,\nNA,null\n")["by"]
    assert [(c["kind"], c["missing"], c["mean"], c["modes"]) for c in found.values()] == [
        ("nothing", 2, None, [])
    ] * 2
    one = describe("a,b\n3,x\n", "data.csv", "--types", "a=interval")["by"]["a"]
    assert (one["rows"], one["mean"], one["std"], one["quartiles"]) == (1, 3, 0, [3] * 5)
    none = describe("a,b\n")
    assert none["rows"] == 0
    assert [c["kind"] for c in none["columns"]] == ["nothing"] * 2
    assert "it is empty" in describe("")


def test_nul_bytes_are_kept_as_text(describe):
    found = describe(b"a,b\nx\x00y,1\nx\x00y,2\n")["by"]["a"]
    assert (found["modes"], found["mode_count"]) == (["x\x00y"], 2)


def test_the_largest_and_the_smallest_numbers(describe):
    found = describe("a,b,t\n1e308,1e400,1e-308\n-1e308,1,3e-308\n1e308,2,5e-308\n")["by"]
    assert found["a"]["mean"] == pytest.approx(1e308 / 3, rel=1e-14)
    assert found["a"]["std"] == pytest.approx(2 / 3**0.5 * 1e308, rel=1e-14)
    assert (found["b"]["infinite"], found["b"]["mean"]) == (1, 1.5)
    assert found["t"]["mean"] == pytest.approx(3e-308, rel=1e-14)
    assert found["t"]["std"] == pytest.approx(2e-308, rel=1e-14)


def test_quotes_delimiters_and_newlines_in_cells(describe):
    found = describe('"a\nb",c\n"say ""hi"",\nand go",1\n"say ""hi"",\nand go",2.25\nx,8\n')["by"]
    assert found["a\nb"]["modes"] == ['say "hi",\nand go']
    assert found["c"]["mean"] == 3.75
    assert "no end" in describe('a,b\n1,"' + "x,y\n" * 5_000_000)
    assert "row 3, column 'b' begins with a quote that is never closed" in describe('a,b\n1,2\n3,"4\n5,6\n')
    assert describe('a,b\n1,2\n3,"4\n5,6"\n')["rows"] == 2


def test_mixed_kinds_are_counted_apart_and_said(describe):
    tree = describe("a\n1\n2\nunknown\n2\n")
    assert tree["by"]["a"]["mixed"] == [["numbers", 3], ["text", 1]]
    assert (tree["by"]["a"]["mean"], tree["by"]["a"]["modes"]) == (None, ["2"])
    assert tree["notes"] == ["Column 'a' is mixed: 3 numbers, 1 text."]


def test_every_way_to_write_a_number(describe):
    found = describe("a,b,c\n+5,1.,-Infinity\n 7 ,.5,+inf\n-3,+1E+2,Inf\n9,-0,2\n")["by"]
    assert [c["kind"] for c in found.values()] == ["numbers"] * 3
    assert (found["a"]["top"][0][0], found["b"]["distinct"], found["c"]["infinite"]) == (-3, 4, 3)


def test_codes_keep_their_zeros(describe):
    found = describe("zip,n\n01234,0\n94110,10\n01234,0.5\n")["by"]
    assert (found["zip"]["kind"], found["zip"]["modes"], found["n"]["kind"]) == ("text", ["01234"], "numbers")


def test_a_kind_that_changes_between_blocks(describe, monkeypatch):
    from suffice.engine.sources import loose

    monkeypatch.setattr(loose, "BLOCK", 64)
    lines = ["a,b", *(f"{i},{i / 2}" for i in range(60)), "late,7", *(f"{i},1e3" for i in range(60))]
    found = describe("\n".join(lines))["by"]
    assert found["a"]["mixed"] == [["numbers", 120], ["text", 1]]
    assert found["b"]["distinct"] == len({i / 2 for i in range(60)} | {7.0, 1000.0})


def test_dates_that_no_month_has_stay_text(describe):
    assert describe("d\n2024-02-30\n2024-01-01\n")["by"]["d"]["kind"] == "text"
    found = describe("d\n2024-02-29\n\n2024-01-01T12:30\n")["by"]["d"]
    assert (found["kind"], found["missing"], found["quartiles"][0]) == ("times", 1, "2024-01-01T12:30:00")


def test_json_lines(describe):
    found = describe('{"a": 1, "b": "x"}\n\n{"b": "y"}\n{"a": null, "b": ["z"]}\n', "data.jsonl")["by"]
    assert (found["a"]["missing"], found["b"]["distinct"]) == (2, 3)
    assert "row 2 is not JSON" in describe('{"a": 1}\n{"a": \n', "data.jsonl")
    assert "row 2 holds a list" in describe('{"a": 1}\n[1]\n', "data.jsonl")
    assert "row 1 is not JSON" in describe("[" * 100_000, "data.jsonl")
    late = "".join('{"a": 1}\n' for _ in range(1000)) + '{"zz": 1}\n'
    assert "row 1001 has a column 'zz'" in describe(late, "data.jsonl")


@pytest.mark.parametrize(
    "name", ["d.parquet", "d.arrow", "d.xlsx", "d.sqlite", "d.duckdb", "d.csv.gz", "d.jsonl.gz"]
)
@pytest.mark.parametrize("content", [b"", b"\x00\x01garbage\xff" * 50])
def test_files_that_are_not_what_their_name_says(describe, name, content):
    assert isinstance(describe(content, name), str)


def test_a_compressed_file_that_is_cut(describe):
    whole = gzip.compress("\n".join(["a,b", *(f"{i},{i * i}" for i in range(20_000))]).encode())
    assert "cannot be read" in describe(whole[: len(whole) // 2], "d.csv.gz")


def test_what_a_table_says_cannot_reach_the_page_or_the_terminal(run, tmp_path):
    (tmp_path / "d.csv").write_text(
        "<script>alert(1)</script>,[bold red]b[/]\n<img src=x>,\x1b[31m\n<img src=x>,\x1b[31m\n"
    )
    result = run("describe", "d.csv", "--html", "page.html")
    assert result.exit_code == 0, result.output
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script&gt;" in page
    assert "http" not in page
    assert "\x1b[31m" not in result.output
    assert "[bold red]b[/]" in result.output
    (tmp_path / "e.csv").write_text("\x1b[31ma,\x1b[32mb\n1.5,2\n2.25,4\n3,5\n")
    told = run("describe", "e.csv").output
    assert "Strongest" in told
    assert "\x1b[3" not in told


@pytest.mark.long
@pytest.mark.parametrize("name", ["d.csv", "d.jsonl"])
def test_a_line_of_two_hundred_megabytes(describe, tmp_path, name):
    with open(tmp_path / name, "wb") as file:
        file.write(b"a,b\n1,2\n" if name == "d.csv" else b'{"a": 1}\n')
        for _ in range(200):
            file.write(b"7" * (1 << 20))
    assert "row 2" in describe(None, name)


@pytest.mark.long
def test_a_header_of_two_hundred_megabytes(describe, tmp_path):
    with open(tmp_path / "d.csv", "wb") as file:
        for _ in range(200):
            file.write(b"7" * (1 << 20))
    assert "row 1 has no end" in describe(None, "d.csv")
