"""`suffice study`, from the outside."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from suffice import cli
from suffice._core.errors import InvalidParameter
from suffice._version import __version__
from suffice.cli import study as command
from suffice.cli.study import chosen_effort, chosen_options, stopped
from suffice.cli.study_tables import warned
from suffice.study import Study
from suffice.study.options import Options, read_options
from suffice.study.steps import kept

pytestmark = pytest.mark.slow


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return lambda *arguments, **more: CliRunner().invoke(
        cli.application(), [str(a) for a in arguments], **more
    )


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(2, 60))
    price = 3 * x + z + rng.normal(size=60)
    columns = {
        "size": x,
        "z": z,
        "[red]colour": ["a", "b", "c"] * 20,
        "key": [f"k{i}" for i in range(60)],
        "price": [None if i < 4 else p for i, p in enumerate(price)],
    }
    pl.DataFrame(columns).write_csv(tmp_path / "houses.csv")
    return "houses.csv"


def result_of(folder):
    return json.loads(Path(folder, "result.json").read_text(encoding="utf-8"))


FEW = ("--models", "linear,ridge", "--no-references", "--folds", 3, "--inner", 3)


@pytest.mark.slow
def test_a_file_from_end_to_end(run, table):
    result = run("study", table, "--target", "price", *FEW, "--seed", 2, "--confidence", 0.9, "--out", "here")
    assert result.exit_code == 0, result.output
    tree = result_of("here")
    words = " ".join(result.output.split())
    assert tree["answer"]["headline"] in words
    assert "56 of 60 rows are used; 1 column is not. The report says why." in words
    lines = result.output.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("model"))
    titles = {m["title"]: m["estimate"] for m in tree["comparison"]["models"]}
    listed = [
        next(t for t in titles if line.startswith(t)) for line in lines[first + 1 : first + 1 + len(titles)]
    ]
    assert listed == sorted(titles, key=titles.get)
    assert max(map(len, lines)) <= 80
    assert "The report is here/report.html" in result.output
    told = tree["appendix"]["options"]
    assert (told["seed"], told["folds"], told["confidence"], told["references"]) == (2, 3, 0.9, False)
    assert not Path("here/unfinished").exists()


def test_the_options_of_a_file_and_those_given_beside_it(run, table):
    Path("mine.toml").write_text(
        'data = "houses.csv"\ntarget = "price"\nmodels = ["linear"]\neffort = "quick"\nseed = 5\nout = "there"\n'
        '[types]\nz = "unused"\n',
        encoding="utf-8",
    )
    result = run("study", "--config", "mine.toml", "--seed", 7)
    assert result.exit_code == 0, result.output
    tree = result_of("there")
    assert tree["appendix"]["options"]["seed"] == 7
    roles = {c["name"]: c["role"] for c in tree["data_sheet"]["columns"]}
    assert roles["z"] == "not used"
    joined = chosen_options({"types": {"size": "ratio"}, "seed": 1, "group": None}, Path("mine.toml"))
    assert joined["types"] == {"z": "unused", "size": "ratio"}
    assert "group" not in joined


@pytest.mark.parametrize("line", ["types = 3", "out = 3", "data = [1]", 'tagret = "price"'])
def test_a_wrong_line_in_the_file_is_refused(run, line):
    Path("mine.toml").write_text(line + "\n", encoding="utf-8")
    result = run("study", "houses.csv", "--config", "mine.toml")
    assert result.exit_code == 2
    assert f"'mine.toml': {'there is no option' if 'tagret' in line else line.split()[0]}" in result.output


def test_a_study_toml_is_not_read_unless_it_is_named(run, table):
    Path("study.toml").write_text('target = "price"\n', encoding="utf-8")
    result = run("study", table)
    assert result.exit_code == 0, result.output
    assert result_of("suffice-study").get("comparison") is None


def test_without_a_target_the_table_is_explored(run, table):
    result = run("study", table)
    assert result.exit_code == 0, result.output
    assert "Name a column with --target" in result.output
    assert Path("suffice-study/report.html").is_file()


@pytest.mark.slow
def test_a_bundled_set_a_pipe_and_an_example(run, table):
    bundled = run("study", "@olympic_100m_men", "--quick", "--models", "linear, ridge", "--out", "a")
    assert bundled.exit_code == 0, bundled.output
    tree = result_of("a")
    assert tree["data_sheet"]["target"] == "seconds"
    assert {m["name"] for m in tree["comparison"]["models"]} == {"mean", "linear", "ridge"}
    piped = run("study", "-", "--out", "b", input=Path(table).read_bytes())
    assert piped.exit_code == 0, piped.output
    assert result_of("b")["name"] == "standard input"
    assert "/tmp" not in json.dumps(result_of("b")["appendix"])
    example = run("study", "--example", "rents", "--quick", "--models", "linear", "--out", "c.html")
    assert example.exit_code == 0, example.output
    assert Path("c.html").is_file()


def test_leaks_are_told_first(run):
    rng = np.random.default_rng(1)
    y = rng.normal(size=80)
    columns = {"constant": [1.0] * 80, "x": rng.normal(size=80), "copy": 2 * y + 1, "y": y}
    pl.DataFrame(columns).write_csv("leak.csv")
    result = run("study", "leak.csv", "--target", "y", *FEW)
    assert result.exit_code == 0, result.output
    lines = warned(Study("leak.csv", "y", models=["linear"], effort="quick").run())
    told = [line for line in lines if "rows are used" not in line]
    assert told[0].startswith("Leak")
    assert "'copy'" in told[0]
    assert "'copy'" in result.output


def test_what_no_study_wrote_is_not_replaced(run, table):
    Path("mine/figures").mkdir(parents=True)
    Path("mine/report.html").write_text("precious", encoding="utf-8")
    Path("mine/figures/own.svg").write_text("<svg/>", encoding="utf-8")
    refused = run("study", table, "--out", "mine")
    assert refused.exit_code == 2
    assert "no study wrote 'mine/report.html' and 1 more" in refused.output
    assert run("study", table, "--out", "mine/page.html").exit_code == 2  # figures/own.svg would go
    Path("mine/result.json").write_text('{"format": 1}', encoding="utf-8")
    assert run("study", table, "--out", "mine").exit_code == 2
    assert Path("mine/report.html").read_text(encoding="utf-8") == "precious"
    assert run("study", table, "--out", "mine", "--force").exit_code == 0
    again = run("study", table, "--out", "mine")  # a study's own folder by now
    assert again.exit_code == 0, again.output


@pytest.mark.parametrize(
    ("lines", "effort"),
    [
        ("quick = true", "quick"),
        ("thorough = true\nquick = false", "thorough"),
        ('effort = "quick"\nquick = true', "quick"),
        ("quick = false", None),
    ],
)
def test_flags_in_a_file_mean_what_they_mean_here(tmp_path, lines, effort):
    (tmp_path / "study.toml").write_text(lines, encoding="utf-8")
    assert read_options(tmp_path / "study.toml").get("effort") == effort
    assert chosen_effort(effort == "quick", effort == "thorough", effort) == effort


@pytest.mark.parametrize(
    "line", ["quick = 1", "quick = true\nthorough = true", 'quick = true\neffort = "thorough"']
)
def test_flags_in_a_file_that_cannot_be_meant(tmp_path, line):
    (tmp_path / "study.toml").write_text(line, encoding="utf-8")
    with pytest.raises(InvalidParameter, match="true or false|contradict each other"):
        read_options(tmp_path / "study.toml")


def test_the_options_in_force_are_on_record():
    told = Options("y", folds=4).given()
    assert told == {
        "target": "y", "effort": "default", "folds": 4, "inner": 5, "seed": 0, "confidence": 0.95, "references": True
    }  # fmt: skip
    assert Options(effort="quick").given()["max_rows"] == 10_000
    assert Options(**told).amount == Options("y", folds=4).amount


def test_models_not_tried_and_columns_renamed_are_told(run, table):
    rng = np.random.default_rng(3)
    rows = [f"{a:.4f},{b:.4f},{a + b + c:.4f}" for a, b, c in rng.normal(size=(60, 3))]
    Path("twice.csv").write_text("\n".join(["x,x,y", *rows]) + "\n", encoding="utf-8")
    result = run("study", "twice.csv", "--target", "y", *FEW)
    assert result.exit_code == 0, result.output
    words = " ".join(result.output.split())
    assert "Columns that share a name were numbered: 'x (2)'." in words
    assert "Typical error " in words
    assert "95 % intervals are in brackets." in words
    study = Study("twice.csv", "y", models=["linear"], effort="quick").run()
    skipped = replace(study.candidates, skipped={"Splines": "too few rows", "Trees": "too many columns"})
    assert "Not tried: Splines, Trees. The report says why." in warned(replace(study, candidates=skipped))


def test_the_program_of_a_piped_table_says_where_to_put_it(run, table):
    piped = run("study", "-", "--out", "b", input=Path(table).read_bytes())
    assert piped.exit_code == 0, piped.output
    script = result_of("b")["appendix"]["script"]
    assert "save it under this name first" in script
    Path("table.csv").write_bytes(Path(table).read_bytes())
    exec(compile(script, "script", "exec"), {})
    again, first = result_of("suffice-study"), result_of("b")
    assert again["data_sheet"]["columns"] == first["data_sheet"]["columns"]


def test_the_program_of_an_example_repeats_it(run):
    first = run("study", "--example", "power", "--quick", "--models", "linear", "--out", "a")
    assert first.exit_code == 0, first.output
    script = result_of("a")["appendix"]["script"]
    exec(compile(script, "script", "exec"), {})
    again = result_of("suffice-study")
    assert again["answer"] == result_of("a")["answer"]
    assert again["appendix"]["options"] == result_of("a")["appendix"]["options"]


# -- Ctrl-C ---------------------------------------------------------------------------------------------------------
def test_ctrl_c_keeps_finished_models_and_the_same_command_goes_on(run, table, monkeypatch):
    @contextmanager
    def impatient():
        def tell(step, done, total):
            if step.startswith("comparing"):
                raise KeyboardInterrupt

        yield tell

    words = ("study", table, "--target", "price", *FEW, "--out", "here")
    with monkeypatch.context() as patch:
        patch.setattr(command, "progress_bar", impatient)
        result = run(*words)
    assert result.exit_code == 130
    assert len(list(Path("here/unfinished").glob("*.suffice"))) == 3
    assert "Stopped. 3 finished models are kept in here/unfinished; the same command goes on" in result.output
    assert len(result.output.strip().splitlines()) == 1

    def never(*given):
        raise AssertionError("a finished model was validated again")

    monkeypatch.setattr(kept, "validate_candidate", never)
    again = run(*words)
    assert again.exit_code == 0, again.output
    assert not Path("here/unfinished").exists()


def test_stopped_before_anything_was_finished(tmp_path):
    assert stopped(tmp_path / "none") == "Stopped before any model was finished, so nothing is kept."


# -- refusals -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["houses.csv", "--target", "prise"], "there is no column 'prise'. Did you mean 'price'"),
        (["houses.csv", "--target", "key"], "'key'"),
        ([], "There is no table: name a file"),
        (["houses.csv", "--example", "rents"], "--example rents brings its own table"),
        (["--example", "list"], "rents (Rents in a town)"),
        (["nowhere.csv", "--target", "y"], "nowhere.csv"),
        (["@nothing_like_it"], "There is no bundled data set"),
        (["houses.csv", "--target", "price", "--models", "lineal"], "Did you mean 'linear'"),
        (
            ["houses.csv", "--target", "price", "--folds", "1"],
            "folds must be a whole number from 2 on; got 1",
        ),
        (["houses.csv", "--target", "price", "--task", "guess"], "task must be one of"),
        (["houses.csv", "--target", "price", "--ignore", "siez"], "Did you mean 'size'"),
        (["houses.csv", "--target", "price", "--types", "size"], "--types takes name=value"),
        (["houses.csv", "--target", "price", "--quick", "--thorough"], "contradict each other"),
        (["houses.csv", "--target", "price", "--out", "houses.csv"], "'houses.csv' is a file"),
        (["--config", "none.toml"], "There is no file 'none.toml'."),
        (
            ["houses.csv", "--target", "price", "--jobs", "0"],
            "jobs must be a whole number from 1 to 64, or -1",
        ),
        (["houses.csv", "--target", "price", "--jobs", "-2"], "or -1 for every core; got -2"),
        (["houses.csv", "--quick", "--effort", "thorough"], "--quick and --effort thorough contradict"),
        (["--config", "houses.csv"], "is not TOML"),
    ],
)
def test_a_refusal_is_one_line_and_code_two(run, table, arguments, message):
    result = run("study", *arguments)
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert "Traceback" not in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_versions_version_and_help(run):
    assert run("--version").output.strip() == f"suffice {__version__}"
    assert "scikit-learn" in run("versions").output
    assert "--target" in run("study", "--help").output
    assert "--effort" in run("study", "--help").output
    listed = run("--help").output
    assert all(name in listed for name in ("study", "predict", "describe", "fit", "merge", "models", "book"))
    for name in ("study", "predict", "models", "book"):
        assert max(map(len, run(name, "--help").output.splitlines())) <= 80


def test_without_the_extra_the_program_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "typer", None)
    with pytest.raises(SystemExit, match="1"):
        cli.main()
    assert "typer is not installed; try: pip install 'suffice[study]'." in capsys.readouterr().err


def test_a_missing_part_of_the_extra_is_code_one(run, table, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = run("study", table)
    assert result.exit_code == 1
    assert "pip install 'suffice[study]'" in result.output
