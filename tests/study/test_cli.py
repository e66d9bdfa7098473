"""The program, from the outside."""

import json
import sys

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from suffice import cli
from suffice._version import __version__


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *arguments: CliRunner().invoke(cli.application(), [str(a) for a in arguments])


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    columns = {"size": x, "[red]colour": ["a", "b"] * 25, "price": 3 * x + rng.normal(size=50)}
    pl.DataFrame(columns).with_columns(
        size=pl.when(pl.col("size") > 1.5).then(None).otherwise("size")
    ).write_csv(tmp_path / "houses.csv")
    return "houses.csv"


def test_a_file_from_end_to_end(run, table, tmp_path):
    result = run("study", table, "--target", "price", "--folds", 5, "--seed", 2, "--out", "here")
    assert result.exit_code == 0, result.output
    tree = json.loads((tmp_path / "here" / "result.json").read_text(encoding="utf-8"))
    page = (tmp_path / "here" / "report.html").read_text(encoding="utf-8")
    sheet = tree["data_sheet"]
    assert tree["answer"]["headline"] in result.output
    assert f"{sheet['n_used']} of 50 rows used; 1 columns not used" in result.output
    assert 0 < sheet["n_used"] < 50
    assert "report.html" in result.output
    for title in ("Mean", "Linear regression", "Ridge regression", "Bayesian linear regression"):
        assert title in result.output
        assert title in page
    assert "[red]colour" in page
    assert (tree["appendix"]["folds"], tree["appendix"]["seed"]) == (5, 2)


def test_a_bundled_set_in_the_default_folder(run, tmp_path):
    result = run("study", "@olympic_100m_men", "--quick", "--models", "linear, ridge")
    assert result.exit_code == 0, result.output
    tree = json.loads((tmp_path / "suffice-study" / "result.json").read_text(encoding="utf-8"))
    assert tree["target"] == "seconds"
    assert tree["appendix"]["folds"] == cli.QUICK_FOLDS
    assert [m["name"] for m in tree["comparison"]["models"]] == ["mean", "linear", "ridge"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["houses.csv", "--target", "prise"], "there is no column 'prise'. Did you mean 'price'?"),
        (["houses.csv", "--target", "[red]colour"], "'[red]colour' is text"),
        (["houses.csv"], "target must name the column to predict"),
        (["nowhere.csv", "--target", "y"], "There is no file 'nowhere.csv'."),
        (["@nothing_like_it"], "There is no bundled data set"),
        (["houses.csv", "--target", "price", "--models", "lineal"], "Did you mean 'linear'?"),
        (["houses.csv", "--target", "price", "--folds", "1"], "folds must be an integer"),
        (["houses.csv", "--target", "price", "--ignore", "siez"], "Did you mean 'size'?"),
        (["houses.csv", "--target", "price", "--out", "houses.csv"], "houses.csv"),
    ],
)
def test_a_refusal_is_one_line_and_code_two(run, table, arguments, message):
    result = run("study", *arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_models_versions_version_and_help(run):
    listed = run("models")
    assert listed.exit_code == 0
    assert all(name in listed.output for name in ("mean", "linear", "ridge", "bayesian"))
    assert run("--version").output.strip() == f"suffice {__version__}"
    assert "scikit-learn" in run("versions").output
    assert "--target" in run("study", "--help").output
    assert "study" in run().output


def test_without_the_extra_the_program_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "typer", None)
    with pytest.raises(SystemExit, match="1"):
        cli.main()
    assert "typer is not installed; try: pip install 'suffice[study]'." in capsys.readouterr().err


def test_a_missing_part_of_the_extra_is_code_one(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    result = run("study", "@diabetes")
    assert result.exit_code == 1
    assert "pip install 'suffice[study]'" in result.output
