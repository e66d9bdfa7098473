"""`suffice book`: places in the texts, scripts that draw them, numbers that stand there."""

from __future__ import annotations

import json
import tomllib
from itertools import takewhile
from pathlib import Path

import pytest

from suffice.cli import book_index
from suffice.cli.book import brief, distance
from suffice.cli.references import Reference, fit_of, numbers, numbers_between, question, references

ROOT = Path(__file__).parents[2]


def places(*triples):
    return tuple(Reference(*t) for t in triples)


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("PRML Fig. 3.7: learning a line", "prml", [("prml", "figure", "3.7")]),
        (
            "FCML Figs. 3.4 and 3.6–3.8: coins",
            "fcml",
            [("fcml", "figure", n) for n in ("3.4", "3.6", "3.7", "3.8")],
        ),
        (
            "§14.1, eqs 14.3 and 14.4: λ = 0.5",
            "dtu",
            [("dtu", "section", "14.1"), ("dtu", "equation", "14.3"), ("dtu", "equation", "14.4")],
        ),
        (
            "Herbst & du Preez §4.1.3 (PRML Figs. 4.4, 4.5)",
            "herbst",
            [("herbst", "section", "4.1.3"), ("prml", "figure", "4.4"), ("prml", "figure", "4.5")],
        ),
        ("quiz 10.7, statement B: 10 of 12", "dtu", [("dtu", "quiz", "10.7")]),
        ("§1.2.1, example 2: 40 of 100,000", "herbst", [("herbst", "section", "1.2.1")]),
        ("Table 10.3, all columns", "dtu", [("dtu", "table", "10.3")]),
        ("the same with 1/α = 1.5", "prml", []),
    ],
)
def test_places_that_a_title_names(words, text, found):
    assert references(words, text) == places(*found)


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("PRML 3.7", ("prml", None, "3.7")),
        ("Figure 3.7", (None, "figure", "3.7")),
        ("FCML fig 4.5", ("fcml", "figure", "4.5")),
        ("fcml FIG. 4.5", ("fcml", "figure", "4.5")),
        ("DTU table 2.1", ("dtu", "table", "2.1")),
        ("Herbst 1.G", ("herbst", None, "1.G")),
        ("herbst 1.g", ("herbst", None, "1.G")),
        ("prml eq. (3.54)", ("prml", "equation", "3.54")),
        ("dtu §16", ("dtu", "section", "16")),
        ("Bishop chapter 3", ("prml", "chapter", "3")),
        ("Lecture 3", ("lecture3", None, None)),
        ("evidence", (None, None, None)),
    ],
)
def test_questions(words, asked):
    assert question(words) == Reference(*asked)


def test_ranges_and_fits():
    assert list(numbers("3.9–3.11, 4.2")) == ["3.9", "3.10", "3.11", "4.2"]
    assert numbers_between("1.9", "2.1") == ["1.9", "2.1"]
    section = Reference("prml", "section", "3.1.4")
    assert fit_of(Reference(None, "section", "3.1"), section) == 1
    assert fit_of(Reference("prml", None, "3"), section) == 1
    assert fit_of(Reference("prml", None, "3.1"), section) == 0
    assert fit_of(Reference("fcml", None, "3.1.4"), section) == 0
    assert fit_of(Reference("prml", None, "3.1.4"), section) == 2
    assert fit_of(Reference("prml", "figure", "3.1.4"), section) == 0
    assert distance("3.7", "3.9") < distance("3.7", "4.7")
    assert brief({"value": [0.5, 1], "absolute": 0.1}) == "[0.5, 1]"


def test_every_script_and_every_number_is_in_the_index():
    held = book_index.read_book_index()
    scripts = {p.stem for p in (ROOT / "examples").glob("*.py") if not p.name.startswith("_")}
    assert {s.name for s in held.scripts} == scripts
    files = sorted((ROOT / "tests" / "conformance").glob("*.toml"))
    cases = sum(len(tomllib.loads(p.read_text(encoding="utf-8"))["case"]) for p in files)
    assert len(held.numbers) == cases
    for s in held.scripts:  # a file named after a figure or a section is found by it
        parts = s.name.split("_")
        if s.name.startswith("lecture3") or len(parts) < 4 or parts[1] not in ("fig", "sec"):
            continue
        number = ".".join(str(int(p)) for p in takewhile(str.isdigit, parts[2:]))
        if parts[1] == "fig":
            assert s in held.find(question(f"{parts[0]} fig {number}"))[0], s.name


def test_a_figure_with_its_script_and_numbers(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    result = run("book", "PRML 3.7")
    assert result.exit_code == 0, result.output
    assert "learning a line point by point" in result.output
    assert "prml_fig_3_07_sequential.py" in result.output
    assert "--draw FILE.png" in result.output
    assert "[-0.075188, -0.037594] *" in result.output
    assert max(len(line) for line in result.output.splitlines() if "/" not in line) <= 80
    tree = json.loads(run("book", "prml", "fig", "3.7", "--json").stdout)
    assert [s["name"] for s in tree["scripts"]] == ["prml_fig_3_07_sequential"]
    assert all("PRML figure 3.7" in n["places"] for n in tree["numbers"])
    assert "from suffice.linear import" in run("book", "fcml_fig_1_17_ridge", "--code").output


def test_several_answers_are_listed(run):
    result = run("book", "Figure 3.7")
    assert "fcml_fig_3_04_coin_game" in result.output
    assert "prml_fig_3_07_sequential" in result.output
    drawn = run("book", "Figure 3.7", "--draw", "x.png")
    assert drawn.exit_code == 2
    assert "2 scripts answer to 'Figure 3.7'; name one" in drawn.output
    assert "fcml_fig_3_15_evidence" in run("book", "fcml evidence").output


@pytest.mark.slow
def test_a_figure_is_drawn(run):
    result = run("book", "FCML fig 1.17", "--draw", "ridge.png")
    assert result.exit_code == 0, result.output
    assert Path("ridge.png").read_bytes().startswith(b"\x89PNG")
    assert Path("ridge.png").stat().st_size > 20_000
    again = run("book", "FCML fig 1.17", "--draw", "ridge.png")
    assert again.exit_code == 2
    assert "exists; --force replaces it" in again.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["PRML 99.9"], "There is nothing for 'PRML 99.9'. Nearest: PRML"),
        (["Herbst 1.G"], "Nearest: Herbst"),
        (["PRML 99.99"], "Nearest: PRML figure 4.5, PRML figure 4.4, PRML figure 3."),
        (["PRML eq 99.99"], "Nearest: PRML equation "),
        (["Murphy 3.1"], "'Murphy' is not one of the texts; there are PRML, FCML, DTU, Herbst, Lecture 3."),
        (["Barber", "fig", "3.1"], "'Barber' is not one of the texts"),
        (["prml_fig_3_07_sequentail"], "Did you mean 'prml_fig_3_07_sequential'"),
        (["PRML eq 3.28", "--draw", "x.png"], "There is no script for 'PRML eq 3.28', only numbers"),
        (["PRML 3.7", "--draw", "x.gif"], "ends in .png"),
        (["PRML 3.7", "--draw", "no/x.png"], "There is no folder 'no'"),
    ],
)
def test_refusals(run, arguments, message):
    result = run("book", *arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_without_the_files_it_says_so(run, monkeypatch, tmp_path):
    monkeypatch.setattr(book_index.suffice, "__file__", str(tmp_path / "a" / "b" / "suffice" / "__init__.py"))
    result = run("book", "PRML 3.7")
    assert result.exit_code == 2
    assert "are not in this installation" in result.output


def test_a_script_that_fails_is_told(run, monkeypatch, tmp_path):
    broken = tmp_path / "prml_fig_9_99_broken.py"
    broken.write_text('"""PRML Fig. 9.99: nothing."""\nraise ValueError("no luck")\n', encoding="utf-8")
    held = book_index.BookIndex((book_index.gallery_script(broken),), ())
    monkeypatch.setattr(book_index, "read_book_index", lambda: held)
    result = run("book", "PRML 9.99", "--draw", "x.png")
    assert result.exit_code == 2
    assert "prml_fig_9_99_broken could not be drawn: ValueError: no luck" in result.output
    assert not Path("x.png").exists()
