"""Every command on tables that nobody would want, on terminals of several encodings: words, and never a traceback."""

import io
import json
import os
import re
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from suffice import cli, engine
from suffice._core.errors import InvalidParameter, UnreadableSource
from suffice._core.showing import UNSEEN, escape, visible
from suffice.linear import LinearRegression
from suffice.plots import _style
from suffice.prepare import describe
from suffice.study import Study

from .hostile_tables import Hostile, hostile

pytestmark = pytest.mark.slow

TERMINALS = ("utf-8", "cp1252", "ascii")
STUCK = 60  # seconds
COLOR = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """What a program printed, in the encoding of a terminal; an encoding error is one of the program."""

    def __init__(self, encoding: str):
        self.streams = [io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="") for _ in range(2)]
        self.encoding = encoding

    def run(self, words: list[str]) -> int:
        out, error = self.streams
        with redirect_stdout(out), redirect_stderr(error):
            try:
                cli.application()(words, prog_name="suffice")
            except SystemExit as end:
                return int(end.code or 0)
        raise AssertionError("a command returns its exit code")

    @property
    def text(self) -> str:
        for stream in self.streams:
            stream.flush()
        return b"".join(s.buffer.getvalue() for s in self.streams).decode(self.encoding)


def commands(table: Hostile) -> list[list[str]]:
    fitted = "lda" if table.labelled else "linear"
    few = ("--quick", "--folds", "3", "--inner", "2", "--no-references")
    return [
        ["describe", table.name, "--html", "page.html", "--force"],
        ["fit", table.name, "--target", table.target, "--model", fitted, "--out", "m.suffice", "--force"],
        ["study", table.name, "--target", table.target, *few, "--models", fitted, "--out", "s", "--force"],
        ["study", table.name, *few, "--out", "e", "--force"],
        ["predict", "m.suffice", table.name],
        ["predict", "s/model.suffice", table.name],
    ]


def complaints(seed: int, terminals: tuple[str, ...]) -> tuple[list[str], int]:
    """What is wrong with the commands on a table, and how many of them did their work."""
    table, wrong, done = hostile(seed), [], 0
    Path(table.name).write_bytes(table.content)
    for i, words in enumerate(commands(table)):
        if words[0] == "predict" and not Path(words[1]).exists():
            continue
        terminal, start = Terminal(terminals[(seed + i) % len(terminals)]), time.monotonic()
        try:
            code = terminal.run(words)
        except Exception as error:
            wrong.append(f"{seed} {terminal.encoding} {words}: {error!r:.300}")
            continue
        shown = COLOR.sub("", terminal.text).replace("\r\n", "\n")
        done += code == 0
        if code not in (0, 2) or "Traceback" in shown or "Exception ignored" in shown:
            wrong.append(f"{seed} {terminal.encoding} {words}: exit {code}: {shown[-300:]}")
        if "\ufffd" in shown or (words[0] != "predict" and UNSEEN.search(shown)):
            wrong.append(f"{seed} {terminal.encoding} {words}: {shown!r:.300}")
        if time.monotonic() - start > STUCK:
            wrong.append(f"{seed} {words}: {time.monotonic() - start:.0f} s")
    for picture in (p for folder in "se" for p in Path(folder).glob("figures/*.svg")):
        try:
            ET.parse(picture)
        except ET.ParseError as error:
            wrong.append(f"{seed} {picture}: {error}")
    for page in (p for p in map(Path, ("page.html", "s/report.html", "e/report.html")) if p.exists()):
        found = UNSEEN.findall(page.read_text(encoding="utf-8").replace("\t", " "))
        wrong += [f"{seed} {page}: {found!r:.100}"] if found else []
    return wrong, done


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(1, 13), id="short"),
        *(
            pytest.param(range(a, a + 40), id=f"{a} and on", marks=pytest.mark.long)
            for a in range(0, 400, 40)
        ),
    ],
)
def test_every_command_ends_in_words(tmp_path, monkeypatch, seeds):
    total = 0
    for seed in seeds:
        (folder := tmp_path / str(seed)).mkdir()
        monkeypatch.chdir(folder)
        wrong, done = complaints(seed, TERMINALS)
        assert wrong == []
        total += done
    assert total > 2 * len(seeds)


# -- terminals ------------------------------------------------------------------------------------------------------
NAMES = ("größe", "温度", "a\x1b[31mred", "\u202ex", "−5")


def table_with_odd_names(path: Path) -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40, 4))
    cells = np.c_[X, X.sum(axis=1) + rng.normal(size=40)]
    rows = [",".join(NAMES), *(",".join(f"{v:.4f}" for v in row) for row in cells)]
    path.write_text("\n".join(rows), encoding="utf-8")


@pytest.mark.parametrize("encoding", [*TERMINALS, "latin-1"])
def test_names_are_shown_on_any_terminal(tmp_path, monkeypatch, encoding):
    monkeypatch.chdir(tmp_path)
    table_with_odd_names(Path("t.csv"))
    terminal = Terminal(encoding)
    assert terminal.run(["fit", "t.csv", "--target", "−5", "--folds", "4", "--out", "m.suffice"]) == 0
    assert terminal.run(["describe", "t.csv"]) == 0
    text = terminal.text
    shown = [visible(n).encode(encoding, "backslashreplace").decode(encoding) for n in NAMES[:4]]
    assert [n for n in shown if n not in text] == []
    assert not UNSEEN.search(COLOR.sub("", text))


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_predictions_on_a_terminal_that_lacks_letters_are_escaped_and_it_is_said(
    tmp_path, monkeypatch, encoding
):
    monkeypatch.chdir(tmp_path)
    table_with_odd_names(Path("t.csv"))
    assert Terminal(encoding).run(["fit", "t.csv", "--target", "−5", "--out", "m.suffice"]) == 0
    terminal = Terminal(encoding)
    assert terminal.run(["predict", "m.suffice", "t.csv", "--keep", "温度"]) == 0
    assert r"\u6e29\u5ea6" in terminal.text
    assert f"The output is {encoding}, which lacks characters of the table" in terminal.text


@pytest.mark.slow
def test_a_program_of_its_own_whose_output_is_cp1252(tmp_path):
    table_with_odd_names(tmp_path / "t.csv")
    line = [sys.executable, "-m", "suffice", "fit", "t.csv", "--target", "−5"]
    env = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = subprocess.run(line, cwd=tmp_path, env=env, capture_output=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "größe" in done.stdout.decode("cp1252")


def test_cells_keep_their_signs_in_a_table_that_is_printed(capsys):
    from suffice._core.terminals import any_terminal, escaping_cells

    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    with redirect_stdout(stream), any_terminal():
        print("−5 … é")
        with escaping_cells(stream) as lacking:
            print("−5,é")
        print("−5")
    stream.flush()
    assert stream.buffer.getvalue() == b"-5 ... \\xe9\n\\u22125,\\xe9\n-5\n"
    assert lacking == ["ascii"]
    assert stream.errors == "strict"


def test_json_has_no_control_characters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("a\x9b1m,\u202eb\n1,2\n3,4\n", encoding="utf-8")
    terminal = Terminal("utf-8")
    assert terminal.run(["describe", "t.csv", "--json"]) == 0
    assert not UNSEEN.search(terminal.text)
    assert [c["name"] for c in json.loads(terminal.text)["columns"]] == ["a\x9b1m", "\u202eb"]


@pytest.mark.parametrize(
    "words", [["--help"], ["study", "--help"], ["models"], ["models", "ridge"], ["versions"]]
)
def test_what_explains_the_program_is_printed_everywhere(words):
    for encoding in ("cp1252", "ascii"):
        terminal = Terminal(encoding)
        assert terminal.run(words) == 0
        assert len(terminal.text) > 100


# -- pages ----------------------------------------------------------------------------------------------------------
ODD = "bell\x07 \x9b \u202eback \ud800 \ufffe"


def test_names_in_pictures_and_pages_are_shown_as_escapes(tmp_path):
    assert visible(ODD) == r"bell\x07 \x9b \u202eback \ud800 \ufffe"
    assert escape(f"<{ODD}>") == rf"&lt;{visible(ODD)}&gt;"
    picture = ET.fromstring(_style.svg(lambda ax: ax.set_xlabel(_style.plain(ODD))))
    assert picture.tag.endswith("svg")
    with pytest.warns(UserWarning, match="Glyph 7"):
        ET.fromstring(_style.svg(lambda ax: ax.set_xlabel("\x07")))
    rng = np.random.default_rng(3)
    x = rng.normal(size=40)
    result = Study(
        {ODD: x, "y": x + rng.normal(size=40)}, "y", models=["linear"], folds=3, inner=3, references=False
    ).run()
    page = result.report(tmp_path / "s")
    for file in (page, page.with_name("report.md")):
        text = file.read_text(encoding="utf-8")
        assert not UNSEEN.search(text), file
        assert "x07" in text
    for file in page.parent.glob("figures/*.svg"):
        ET.parse(file)
    assert "x07" in describe({ODD: x})._repr_html_()


# -- encodings ------------------------------------------------------------------------------------------------------
LATIN = "größe,preis €,ort\n1,2,Köln\n3,5,Ürümqi\n2,1,Köln\n".encode("cp1252")


@pytest.mark.parametrize("words", [("describe",), ("fit", "--target", "x"), ("study", "--target", "x")])
def test_a_table_that_is_not_utf_8_is_refused_with_a_way_out(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_bytes(LATIN)
    terminal = Terminal("utf-8")
    assert terminal.run([words[0], "t.csv", *words[1:]]) == 2
    assert terminal.text.count("'t.csv' cannot be read") == 1
    assert "it is not UTF-8" in terminal.text
    assert "--encoding cp1252" in terminal.text


def test_a_table_is_read_in_the_encoding_that_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_bytes(LATIN)
    for words in (
        ["describe", "t.csv", "--encoding", "cp1252"],
        [
            "fit",
            "t.csv",
            "--target",
            "preis €",
            "--columns",
            "größe",
            "--encoding",
            "cp1252",
            "--out",
            "m.suffice",
        ],
        ["predict", "m.suffice", "t.csv", "--keep", "ort", "--encoding", "cp1252"],
    ):
        terminal = Terminal("utf-8")
        assert terminal.run(words) == 0, terminal.text
        assert ("Köln" if words[0] == "predict" else "größe") in terminal.text
    terminal = Terminal("utf-8")
    assert terminal.run(["describe", "t.csv", "--encoding", "klingon"]) == 2
    assert "encoding must be one that Python knows" in terminal.text


@pytest.mark.parametrize("executor", ["serial", "threads"])
@pytest.mark.parametrize("name", ["cp1252", "utf-16", "utf-16-le", "shift_jis"])
def test_an_encoding_travels_with_the_source(tmp_path, name, executor):
    path = tmp_path / "t.csv"
    path.write_bytes(
        ("\n".join(["a,價" if name == "utf-16" else "a,x", *(f"{i},{2 * i + 1}" for i in range(9))])).encode(
            name
        )
    )
    with engine.encoding(name):
        model = engine.fit(LinearRegression(), str(path), "a", executor=executor)
    np.testing.assert_allclose(model.coef_, 0.5, rtol=1e-12)
    if name.startswith("utf-16"):
        with pytest.raises(UnreadableSource, match=r"it seems to be utf-16.*--encoding utf-16"):
            engine.fit(LinearRegression(), str(path), "a")


def test_encodings_that_are_none():
    for bad in ("klingon", "", "rot13", 7):
        with (
            pytest.raises(InvalidParameter, match="encoding must be one that Python knows"),
            engine.encoding(bad),
        ):
            pass


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_row_that_is_no_text_and_of_another_length_leaves_nothing_to_the_interpreter(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n1,2\nus[\xdc\x18,3,4\n")
    with pytest.raises(UnreadableSource, match="row 3 has 3 cells, the header 2. Perhaps"):
        describe(str(path))
