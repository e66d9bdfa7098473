"""`suffice predict`: the numbers of the model, whatever the format and the batches, and every oddity told."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from suffice import cli, load, save
from suffice.cli import batches
from suffice.linear import LinearRegression
from suffice.statistics import Triangle
from suffice.study import Study


def make_homes(n=240, seed=3):
    rng = np.random.default_rng(seed)
    area, age = rng.normal(80, 20, n), rng.integers(0, 60, n).astype(float)
    town = rng.choice(["Lima", "Oslo", "Rome"], n)
    price = 2 * area - age + 30 * (town == "Rome") + rng.normal(0, 8, n)
    return {"id": [f"h{i}" for i in range(n)], "area": area, "age": age, "town": town, "price": price}


@pytest.fixture(scope="module")
def homes(tmp_path_factory):
    """A folder with the table, a model of prices, and one of labels."""
    folder, table = tmp_path_factory.mktemp("homes"), make_homes()
    pl.DataFrame(table).write_csv(folder / "homes.csv")
    few = {"effort": "quick", "references": False, "ignore": ["id"]}
    prices = Study(table, "price", models=["linear"], **few).run()
    save(prices.model, folder / "price.suffice")
    labels = {**table, "dear": np.where(table["price"] > 150, "yes", "no")}
    del labels["price"]
    save(Study(labels, "dear", models=["logistic"], **few).run().model, folder / "dear.suffice")
    pl.DataFrame(labels).write_csv(folder / "dear.csv")
    return folder


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_predictions_are_those_of_the_model(run, homes):
    result = run(
        "predict",
        homes / "price.suffice",
        homes / "homes.csv",
        "--out",
        "p.csv",
        "--keep",
        "id",
        "--level",
        0.8,
    )
    assert result.exit_code == 0, result.output
    rows, table = read_csv("p.csv"), make_homes()
    model = load(homes / "price.suffice")
    low, high = model.interval(table, 0.8)
    assert list(rows[0]) == ["id", "prediction", "low", "high", "std"]
    assert [r["id"] for r in rows] == table["id"]
    for name, expected in {"prediction": model.predict(table), "low": low, "high": high}.items():
        np.testing.assert_allclose([float(r[name]) for r in rows], expected, rtol=1e-9)
    off = np.square(model.predict(table) - table["price"]).mean()
    assert f"typical error {np.sqrt(off):.3f}" in result.output
    inside = np.mean((table["price"] >= low) & (table["price"] <= high))
    assert f"{100 * inside:.1f}\u202f% of them lie in their 80 % intervals" in result.output
    assert "240 predictions are in p.csv" in result.output


def test_labels_have_probabilities_and_a_log_loss(run, homes):
    result = run("predict", homes / "dear.suffice", homes / "dear.csv", "--out", "p.csv")
    assert result.exit_code == 0, result.output
    rows, model = read_csv("p.csv"), load(homes / "dear.suffice")
    table = pl.read_csv(homes / "dear.csv").to_dict(as_series=False)
    p = model.predict_proba(table)
    assert list(rows[0]) == ["prediction", "probability of no", "probability of yes"]
    np.testing.assert_allclose([float(r["probability of yes"]) for r in rows], p[:, 1], rtol=1e-9)
    truth = np.array(table["dear"])
    loss = -np.log(p[np.arange(len(p)), (truth == "yes").astype(int)]).mean()
    assert f"log loss {loss:.4f}"[:13] in result.output
    right = np.mean(np.where(p[:, 1] > 0.5, "yes", "no") == truth)
    assert f"{100 * right:.1f}\u202f% right" in result.output


def test_batches_formats_and_pipes_give_the_same(run, homes, monkeypatch):
    csv_file, model = homes / "homes.csv", homes / "price.suffice"
    assert run("predict", model, csv_file, "-o", "whole.csv", "--keep", "id,area").exit_code == 0
    pl.read_csv(csv_file).write_parquet("homes.parquet")
    monkeypatch.setattr(batches, "ROWS", 37)
    assert run("predict", model, csv_file, "-o", "parts.csv", "--keep", "id,area").exit_code == 0
    assert run("predict", model, "homes.parquet", "-o", "other.csv", "--keep", "id,area").exit_code == 0
    piped = CliRunner().invoke(
        cli.application(), ["predict", str(model), "-", "--keep", "id,area"], input=csv_file.read_bytes()
    )
    whole = Path("whole.csv").read_text(encoding="utf-8")
    assert Path("parts.csv").read_text(encoding="utf-8") == whole
    assert Path("other.csv").read_text(encoding="utf-8") == whole
    assert piped.stdout == whole
    assert run("predict", model, csv_file, "-o", "p.parquet", "--keep", "id,area").exit_code == 0
    written = pl.read_parquet("p.parquet")
    assert written.columns == ["id", "area", "prediction", "low", "high", "std"]
    np.testing.assert_array_equal(
        written["prediction"], [float(r["prediction"]) for r in read_csv("whole.csv")]
    )


def test_oddities_are_told_with_counts_across_batches(run, homes, monkeypatch):
    table = make_homes(60)
    table["town"] = ["Bonn" if i % 10 == 0 else t for i, t in enumerate(table["town"])]
    table["age"] = [None if i % 20 == 0 else a for i, a in enumerate(table["age"])]
    table["colour"] = ["red"] * 60
    del table["price"]
    pl.DataFrame(table).write_csv("odd.csv")
    monkeypatch.setattr(batches, "ROWS", 7)
    result = run("predict", homes / "price.suffice", "odd.csv", "-o", "p.csv")
    assert result.exit_code == 0, result.output
    assert "'Bonn' 6×" in result.stderr
    assert "Column 'age' has 3 gaps" in result.stderr
    assert "'colour'" in result.stderr
    assert "known" not in result.stderr  # there is no target to compare with
    assert all(r["prediction"] for r in read_csv("p.csv"))


def test_names_and_cells_are_quoted(run, homes):
    table = make_homes(3)
    table['say "id"'] = ['a,"b"', "line\nbreak", "=1+1"]
    pl.DataFrame(table).write_csv("q.csv")
    assert (
        run("predict", homes / "price.suffice", "q.csv", "-o", "p.csv", "--keep", 'say "id"').exit_code == 0
    )
    assert [r['say "id"'] for r in read_csv("p.csv")] == ['a,"b"', "line\nbreak", "=1+1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.suffice", "homes.csv"], "There is no model 'no.suffice'"),
        (["price.suffice", "no.csv"], "There is no file at 'no.csv'"),
        (["price.suffice", "homes.csv", "--out", "p.txt"], "ends in .csv or .parquet"),
        (["price.suffice", "homes.csv", "--out", "homes.csv"], "exists; --force replaces it"),
        (["price.suffice", "homes.csv", "--out", "nowhere/p.csv"], "There is no folder 'nowhere'"),
        (["price.suffice", "homes.csv", "--level", "1.5"], "--level must lie between 0 and 1"),
        (["price.suffice", "homes.csv", "--keep", "aera"], "there is no column 'aera'. Did you mean 'area'"),
        (
            ["price.suffice", "renamed.csv", "--keep", "prediction"],
            "also the name of a column of the predictions",
        ),
        (["price.suffice", "short.csv", "--out", "p.csv"], "The table lacks 'town'"),
        (["homes.csv", "homes.csv"], "homes.csv"),
        (["triangle.suffice", "homes.csv"], "predicts nothing"),
        (["nameless.suffice", "homes.csv"], "fitted without names of columns"),
    ],
)
def test_a_refusal_is_one_line_and_leaves_no_file(run, homes, tmp_path, arguments, message):
    for name in ("homes.csv", "price.suffice"):
        (tmp_path / name).write_bytes((homes / name).read_bytes())
    table = pl.read_csv("homes.csv")
    table.drop("town").write_csv("short.csv")
    table.with_columns(prediction=pl.lit(1)).write_csv("renamed.csv")
    X = table.select("area", "age").to_numpy()
    nameless = LinearRegression().fit(X, table["price"].to_numpy())
    save(nameless, "nameless.suffice")
    save(nameless.statistics_, "triangle.suffice")
    assert isinstance(nameless.statistics_, Triangle)
    before = sorted(p.name for p in tmp_path.iterdir())
    result = run("predict", *arguments)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert len(result.stderr.strip().splitlines()) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == before


# -- models of `suffice fit` ----------------------------------------------------------------------------------------
def test_a_model_of_fit_takes_tables_too(run, sales):
    table, folder = sales
    fitted = run(
        "fit", folder / "part-*.parquet", "--target", "price", "--columns", "a,b,city", "--categories", "city",
        "--out", "m.suffice",
    )  # fmt: skip
    assert fitted.exit_code == 0, fitted.output
    result = run("predict", "m.suffice", folder / "part-*.parquet", "--target", "price", "-o", "p.csv")
    assert result.exit_code == 0, result.output
    marks = [(table["city"] == c).to_numpy() for c in ("Oslo", "Rome")]
    A = np.column_stack([np.ones(len(table)), table["a"], table["b"], *marks])
    expected = A @ np.linalg.lstsq(A, table["price"].to_numpy(), rcond=None)[0]
    np.testing.assert_allclose([float(r["prediction"]) for r in read_csv("p.csv")], expected, rtol=1e-8)
    rmse = np.sqrt(np.square(expected - table["price"].to_numpy()).mean())
    assert f"typical error {rmse:.3f}" in result.output
    lima = int((table["city"] == "Lima").sum())
    assert f"'Lima' {lima}×" in result.stderr  # no mark names the first category


@pytest.mark.parametrize(("model", "does_without"), [("logistic", False), ("lda", True)])
def test_rows_with_gaps_get_no_prediction_unless_the_model_does_without(run, sales, model, does_without):
    _, folder = sales
    words = ["--target", "label", "--model", model, "--columns", "a,b", "--out", "m.suffice"]
    assert run("fit", folder / "part-*.parquet", *words).exit_code == 0
    with open("gaps.csv", "w", encoding="utf-8") as file:
        file.write("a,b,label\n1,2,dear\n,1,cheap\nx,0,cheap\n-3,1,new\n")
    result = run("predict", "m.suffice", "gaps.csv", "--target", "label", "-o", "p.csv")
    assert result.exit_code == 0, result.output
    rows = read_csv("p.csv")
    assert [bool(r["prediction"]) for r in rows] == [True, does_without, does_without, True]
    assert rows[0]["prediction"] == "dear"
    assert float(rows[0]["probability of cheap"]) + float(rows[0]["probability of dear"]) == pytest.approx(1)
    assert "Column 'a' has 1 gap" in result.stderr
    assert "'x' 1×" in result.stderr
    rule = "the model does without such cells" if does_without else "rows with such cells get no prediction"
    assert rule in result.stderr
    assert f"On {4 if does_without else 2} rows with a known 'label'" in result.stderr
    assert "1 row has a label that the model does not know" in result.stderr


def test_the_model_of_a_study_is_found_and_used(run, homes):
    study = run(
        "study", homes / "homes.csv", "--target", "price", "--quick", "--models", "linear", "--ignore", "id",
        "--out", "here",
    )  # fmt: skip
    assert study.exit_code == 0, study.output
    assert "suffice predict here/model.suffice NEW.csv" in study.output
    result = run("predict", "here/model.suffice", homes / "homes.csv")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0] == "prediction,low,high,std"
    assert len(result.stdout.splitlines()) == 241
    assert json.loads(Path("here/result.json").read_text(encoding="utf-8"))["data_sheet"]["target"] == "price"


@pytest.mark.parametrize("name", ["price", "dear"])
def test_a_table_without_rows_gives_a_header(run, homes, name):
    Path("none.csv").write_text("id,area,age,town,price,dear\n", encoding="utf-8")
    result = run("predict", homes / f"{name}.suffice", "none.csv")
    assert result.exit_code == 0, result.output
    (head,) = result.stdout.splitlines()
    assert head.startswith("prediction,low,high,std" if name == "price" else "prediction,probability of no")
    assert "The table has no rows." in result.stderr
    kept = run("predict", homes / f"{name}.suffice", "none.csv", "--keep", "id", "--out", "none.parquet")
    assert kept.exit_code == 0, kept.output
    assert pl.read_parquet("none.parquet").shape == (0, 5 if name == "price" else 4)


def test_a_table_in_place_of_the_model_is_refused_in_plain_words(run, homes):
    result = run("predict", homes / "homes.csv", homes / "homes.csv")
    assert result.exit_code == 2
    assert "is not a model that Suffice saved. The model comes first, then the table" in result.output
    assert "BadZipFile" not in result.output
