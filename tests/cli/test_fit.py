"""`suffice fit`: what it prints and saves is what the library, or brute force, computes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import suffice
from suffice import cli, engine
from suffice.baselines import MeanRegressor
from suffice.cli.fitting import passes_bar
from suffice.evaluation import select_features, validate_path
from suffice.linear import (
    ARDRegression,
    BayesianLinearRegression,
    ConjugateLinearRegression,
    Lasso,
    LinearRegression,
    QNormRegression,
    Ridge,
)

INPUTS = ["--columns", "a,b,junk"]


def column(tree, key):
    return np.array([c[key] for c in tree["coefficients"]])


def brute(X, y, w=None):
    """Weighted least squares with a constant, and standard errors, from the normal equations."""
    w = np.ones(len(y)) if w is None else w
    A = np.column_stack([np.ones(len(y)), X])
    inverse = np.linalg.inv(A.T @ (w[:, None] * A))
    beta = inverse @ A.T @ (w * y)
    noise = w @ (y - A @ beta) ** 2 / (w.sum() - A.shape[1])
    return beta, np.sqrt(noise * np.diag(inverse)), np.sqrt(noise)


# -- numbers ------------------------------------------------------------------------------------------
def test_weights_conditions_and_categories_are_least_squares_of_those_rows(fit, sales):
    tree = fit(
        *["--columns", "a,junk", "--columns", "city", "--categories", "city", "--weight", "w"],
        *["--where", "age >= 18", "--where", "b != 0"],
    )
    t = sales[0].filter(pl.col("age") >= 18)
    X = np.column_stack([t["a"], t["junk"], t["city"] == "Oslo", t["city"] == "Rome"]).astype(float)
    w = t["w"].to_numpy().astype(float)
    beta, errors, noise = brute(X, t["price"].to_numpy(), w)
    assert [c["term"] for c in tree["coefficients"]] == ["intercept", "a", "junk", "city=Oslo", "city=Rome"]
    np.testing.assert_allclose(column(tree, "estimate"), beta, rtol=1e-10)
    np.testing.assert_allclose(column(tree, "std_error"), errors, rtol=1e-10)
    assert tree["facts"]["Noise standard deviation"] == pytest.approx(noise, rel=1e-10)
    assert (tree["rows"], tree["weight"]) == (np.count_nonzero(w), w.sum())
    assert np.all(column(tree, "low") < beta)
    assert np.all(column(tree, "high") > beta)
    assert tree["validation"] is tree["path"] is tree["selection"] is None


def test_listed_rows(fit, sales):
    tree = fit(*INPUTS, "--where", "city in Oslo, Rome", "--where", "city not in Oslo")
    assert tree["rows"] == (sales[0]["city"] == "Rome").sum()


def test_losses_are_those_of_the_engine(fit, sales):
    tree = fit(*INPUTS, "--folds", 7, "--seed", 3)
    files = str(sales[1] / "part-*.parquet")
    options = {"folds": 7, "seed": 3, "columns": ["a", "b", "junk"]}
    mine = engine.cross_validate(LinearRegression(), files, "price", **options)
    mean = engine.cross_validate(MeanRegressor(), files, "price", **options)
    v = tree["validation"]
    assert v["estimate"] == pytest.approx(mine.estimate, rel=1e-12)
    assert v["std_error"] == pytest.approx(mine.fold_losses.std(ddof=1) / np.sqrt(7), rel=1e-12)
    assert v["baseline"] == pytest.approx(mean.estimate, rel=1e-12)
    assert v["baseline"] > 2 * v["estimate"]
    assert (v["loss"], v["folds"], v["chosen_by_this_loss"]) == ("squared", 7, False)
    whole = LinearRegression().fit(sales[0].select("a", "b", "junk"), sales[0]["price"])
    np.testing.assert_allclose(column(tree, "estimate")[1:], whole.coef_, rtol=1e-10)


@pytest.mark.parametrize("rule", ["best", "one_standard_error"])
def test_a_path_and_its_choice(fit, sales, rule):
    values = [0.01, 1.0, 30.0, 1e4]
    words = ["--path", "alpha=0.01,1,30,1e4", *(["--one-se"] if rule != "best" else [])]
    tree = fit(
        *INPUTS, "--model", "ridge", "--set", "standardize=false", "--folds", 5, *words, "-o", "m.suffice"
    )
    model = Ridge()
    options = {"folds": 5, "columns": ["a", "b", "junk"]}
    folded = engine.cross_validate(model, str(sales[1] / "part-*.parquet"), "price", **options).statistics
    path = validate_path(model, folded, param="alpha", values=values)
    assert path.best != path.one_standard_error
    chosen = getattr(path, rule)
    np.testing.assert_allclose(tree["path"]["test"], path.test, rtol=1e-12)
    assert tree["path"]["chosen"] == chosen
    assert tree["parameters"]["alpha"] == chosen
    assert tree["validation"]["estimate"] == pytest.approx(path.test[values.index(chosen)], rel=1e-12)
    assert tree["validation"]["chosen_by_this_loss"]
    saved = suffice.load("m.suffice")
    assert saved.alpha == chosen
    np.testing.assert_allclose(saved.coef_, folded.fit(Ridge(chosen)).coef_, rtol=1e-12)
    np.testing.assert_allclose(column(tree, "estimate")[1:], saved.coef_, rtol=1e-12)


def test_a_selection_keeps_what_helps(fit, sales):
    tree = fit(*INPUTS, "--folds", 5, "--select", "-o", "m.suffice")
    options = {"folds": 5, "columns": ["a", "b", "junk"]}
    folded = engine.cross_validate(
        LinearRegression(), str(sales[1] / "part-*.parquet"), "price", **options
    ).statistics
    found = select_features(LinearRegression(), folded)
    assert tuple(tree["selection"]["selected"]) == found.selected == ("a", "b")
    assert tree["validation"]["estimate"] == pytest.approx(found.error, rel=1e-12)
    model = suffice.load("m.suffice")
    some = sales[0].select("a", "b")
    direct = LinearRegression().fit(some, sales[0]["price"])
    np.testing.assert_allclose(model.predict(some), direct.predict(some), rtol=1e-10)
    assert tree["columns"] == ["a", "b"]


def test_a_selection_of_nothing_is_the_mean(run, tmp_path):
    rng = np.random.default_rng(1)
    pl.DataFrame({"x": rng.standard_normal(60), "y": rng.standard_normal(60)}).write_parquet("t.parquet")
    result = run("fit", "t.parquet", "--target", "y", "--folds", 5, "--select", "--json")
    tree = json.loads(result.stdout)
    assert tree["selection"]["selected"] == []
    assert tree["validation"]["estimate"] == pytest.approx(tree["validation"]["baseline"], rel=1e-12)


def test_evidence(fit, sales):
    tree = fit(
        *INPUTS, "--model", "bayesian", "--set", "standardize=false", "--set", 'prior_precision="evidence"'
    )
    model = BayesianLinearRegression().fit(sales[0].select("a", "b", "junk"), sales[0]["price"])
    assert tree["facts"]["Log evidence"] == pytest.approx(model.log_evidence_, rel=1e-10)
    np.testing.assert_allclose(column(tree, "std_error"), np.sqrt(np.diag(model.posterior_.cov)), rtol=1e-6)


@pytest.mark.parametrize("model", ["majority", "prior"])
def test_labels(fit, sales, model):
    tree = fit(*INPUTS, "--model", model, "--folds", 4, target="label")
    share = float((sales[0]["label"] == "dear").mean())
    shares = {c["label"]: c["share"] for c in tree["classes"]}
    assert shares == pytest.approx({"cheap": 1 - share, "dear": share}, rel=1e-12)
    assert tree["validation"]["estimate"] == pytest.approx(min(share, 1 - share), rel=1e-12)
    assert tree["validation"]["baseline"] is None


def test_last_value_and_mean(fit, sales):
    t = sales[0]
    last = fit("--columns", "a,b", "--model", "last")
    spread = float(np.sqrt(np.mean((t["price"] - t["b"]).to_numpy() ** 2)))
    assert last["facts"]["Noise standard deviation"] == pytest.approx(spread, rel=1e-10)
    mean = fit("--columns", "a,b", "--model", "mean", "--folds", 3)
    assert mean["facts"]["Mean of the target"] == pytest.approx(t["price"].mean(), rel=1e-12)
    assert mean["validation"]["baseline"] is None


@pytest.mark.parametrize("model", ["linear", "bayesian"])
def test_without_an_intercept_estimates_keep_their_names(fit, sales, model):
    tree = fit(
        "--columns", "a,b", "--model", model, "--set", "fit_intercept=false", "--set", "standardize=false"
    )
    assert [c["term"] for c in tree["coefficients"]] == ["a", "b"]
    X, y = sales[0].select("a", "b").to_numpy(), sales[0]["price"].to_numpy()
    cls = {"linear": LinearRegression, "bayesian": BayesianLinearRegression}[model]
    np.testing.assert_allclose(column(tree, "estimate"), cls(fit_intercept=False).fit(X, y).coef_, rtol=1e-6)


def test_too_few_rows_for_errors(run):
    pl.DataFrame({"x": [1.0, 2.0], "y": [3.0, 5.0]}).write_csv("two.csv")
    tree = json.loads(run("fit", "two.csv", "--target", "y", "--json").stdout)
    np.testing.assert_allclose(column(tree, "estimate"), [1.0, 2.0], rtol=1e-12)
    assert [c["std_error"] for c in tree["coefficients"]] == [None, None]
    assert run("fit", "two.csv", "--target", "y").exit_code == 0


def test_a_bundled_set_knows_its_target(run):
    result = run("fit", "@olympic_100m_men", "--json")
    tree = json.loads(result.stdout)
    assert tree["target"] == "seconds"
    assert column(tree, "estimate")[0] == pytest.approx(36.4165, rel=1e-5)


# -- who works, and what is wrong with files ----------------------------------------------------------------
def test_executors_agree_to_the_last_bit(fit):
    runs = [
        fit(*INPUTS, "--folds", 3, *words)
        for words in (
            ["--executor", "serial"],
            ["--workers", 1],
            ["--executor", "threads", "--workers", 3],
        )
    ]
    assert runs[0]["coefficients"] == runs[1]["coefficients"] == runs[2]["coefficients"]
    assert runs[0]["validation"] == runs[1]["validation"] == runs[2]["validation"]


@pytest.mark.long
def test_processes_agree_too(fit):
    plain, far = fit(*INPUTS), fit(*INPUTS, "--executor", "processes", "--workers", 2)
    assert plain["coefficients"] == far["coefficients"]


def test_corrupt_files_stop_or_are_counted(run, sales, tmp_path):
    for path in sales[1].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "part-9.parquet").write_bytes(b"nothing of the kind")
    words = ["fit", "part-*.parquet", "--target", "price", *INPUTS]
    stopped = run(*words)
    assert stopped.exit_code == 2
    assert "part-9.parquet" in stopped.output
    skipped = run(*words, "--skip-corrupt", "--json")
    assert skipped.exit_code == 0
    assert "1 of 4 files were left out" in skipped.stderr
    tree = json.loads(skipped.stdout)
    assert tree["rows"] == 400
    assert "part-9.parquet" in tree["warnings"][0]


def test_a_warning_is_a_line_and_not_an_error(run):
    pl.DataFrame({"x": np.arange(9.0), "one": np.ones(9), "y": np.arange(9.0) ** 2}).write_parquet(
        "t.parquet"
    )
    result = run("fit", "t.parquet", "--target", "y")
    assert result.exit_code == 0
    assert "Columns 'one' do not vary" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


# -- what is printed ----------------------------------------------------------------------------------------
def test_the_table(run, sales):
    words = ["--model", "ridge", "--folds", 5, "--path", "alpha=1,100", "--select"]
    result = run("fit", sales[1], "--target", "price", *INPUTS, *words)
    assert result.exit_code == 0, result.output
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "Ridge regression of price Ridge(alpha=1, standardize=True)" in lines
    assert "Rows 400" in lines
    assert "Columns 2" in lines
    assert any(line.startswith("Squared loss, 5 folds (chosen by it)") and " ± " in line for line in lines)
    assert any(line.startswith("The mean on the same folds") for line in lines)
    assert any(line.startswith("Rows per second") for line in lines)
    assert [line.split()[0] for line in lines if line.endswith("chosen")] == ["1", "+"]
    assert result.stderr == ""


def test_many_coefficients_are_cut(run):
    rng = np.random.default_rng(0)
    table = {f"[red]x{j}": rng.standard_normal(200) for j in range(50)}
    pl.DataFrame(table | {"y": rng.standard_normal(200)}).write_parquet("wide.parquet")
    text = run("fit", "wide.parquet", "--target", "y").stdout
    assert "[red]x38" in text
    assert "[red]x39" not in text
    assert "and 11 more" in text


# -- files --------------------------------------------------------------------------------------------------
def test_model_and_statistics_are_saved(fit, sales):
    fit(*INPUTS, "--folds", 5, "-o", "m.suffice", "--statistics", "s.suffice")
    folded, model = suffice.load("s.suffice"), suffice.load("m.suffice")
    assert isinstance(folded, engine.Folded)
    np.testing.assert_array_equal(folded.fit(LinearRegression()).coef_, model.coef_)
    fit(*INPUTS, "--statistics", "t.suffice")
    assert suffice.load("t.suffice").rows == 400


def test_statistics_of_few_rows_are_refused_and_the_model_is_kept(run, sales):
    words = ["fit", sales[1], "--target", "price", *INPUTS, "--folds", 25, "-o", "m.suffice"]
    refused = run(*words, "--statistics", "s.suffice")
    assert refused.exit_code == 2
    assert "s.suffice: statistics[" in refused.stderr
    assert "--minimum-rows 0" in refused.stderr
    assert not os.path.exists("s.suffice")
    assert suffice.load("m.suffice").statistics_.rows == 400
    assert run(*words, "--statistics", "s.suffice", "--minimum-rows", 0, "--force").exit_code == 0
    assert len(suffice.load("s.suffice")) == 25


def test_a_file_is_replaced_only_by_force(run, sales):
    words = ["fit", sales[1], "--target", "price", *INPUTS, "-o", "m.suffice"]
    assert run(*words).exit_code == 0
    before = os.stat("m.suffice").st_mtime_ns
    again = run(*words)
    assert again.exit_code == 2
    assert again.stdout == ""
    assert "'m.suffice' exists; --force replaces it." in again.stderr
    assert os.stat("m.suffice").st_mtime_ns == before
    assert run(*words, "--force").exit_code == 0
    assert os.stat("m.suffice").st_mtime_ns > before


# -- refusals -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "--target must name the column to predict"),
        (["--target", "prise", *INPUTS], "There is no column 'prise' in the table. Did you mean 'price'?"),
        (["--target", "price"], "Leave it out with --columns, or name it in --categories."),
        (["--target", "label", *INPUTS], "y must be numbers"),
        (["--target", "price", "--columns", "a,bb"], "no column 'bb'"),
        (["--target", "price", "--columns", "a,a"], "'a' is given twice"),
        (["--target", "price", *INPUTS, "--weight", "weight"], "no column 'weight'"),
        (["--target", "price", *INPUTS, "--categories", "city"], "'city' is not among the input columns"),
        (["--target", "price", *INPUTS, "--where", "age"], "--where takes a column"),
        (["--target", "price", *INPUTS, "--where", "age = 3"], "--where takes a column"),
        (["--target", "price", *INPUTS, "--where", "agee > 3"], "Did you mean 'age'?"),
        (["--target", "price", *INPUTS, "--where", "age > 300"], "no rows to fit"),
        (["--target", "price", *INPUTS, "--model", "rige"], "Did you mean 'ridge'?"),
        (["--target", "price", *INPUTS, "--model", "ridge", "--set", "alpa=1"], "Did you mean 'alpha'?"),
        (["--target", "price", *INPUTS, "--model", "ridge", "--set", "alpha"], "--set takes name=value"),
        (["--target", "price", *INPUTS, "--model", "ridge", "--set", "alpha=-1"], "alpha must be"),
        (["--target", "price", *INPUTS, "--model", "ridge", "--set", "alpha=one"], "got 'one'"),
        (["--target", "price", *INPUTS, "--model", "mean", "--set", "alpha=1"], "It has none."),
        (["--target", "price", *INPUTS, "--set", "fit_intercept=maybe"], "True or False; got 'maybe'"),
        (["--target", "price", *INPUTS, "--folds", "1"], "folds must be an integer >= 2; got 1"),
        (["--target", "price", *INPUTS, "--folds", "5", "--seed", "-1"], "seed must be an integer >= 0"),
        (["--target", "price", *INPUTS, "--model", "ridge", "--path", "alpha=1,2"], "add --folds 10"),
        (["--target", "price", *INPUTS, "--select"], "add --folds 10"),
        (["--target", "price", *INPUTS, "--one-se"], "--one-se chooses among the values of --path"),
        (
            ["--target", "price", *INPUTS, "--folds", "5", "--path", "alpha=1"],
            "LinearRegression has no parameter",
        ),
        (["--target", "price", *INPUTS, "--model", "mean", "--folds", "5", "--select"], "no columns to drop"),
        (
            ["--target", "price", *INPUTS, "--model", "least-absolute"],
            "use suffice.linear.LeastAbsoluteDeviations",
        ),
        (["--target", "price", *INPUTS, "--model", "laso"], "Did you mean 'lasso'"),
        (["--target", "price", *INPUTS, "--executor", "gpu"], "--executor must be one of threads"),
        (["--target", "price", *INPUTS, "--executor", "serial", "--workers", "2"], "one worker"),
        (["--target", "price", *INPUTS, "--workers", "0"], "workers must be an integer >= 1"),
        (["--target", "price", *INPUTS, "-o", "model.pkl"], "end in '.suffice'; got 'model.pkl'"),
        (["--target", "price", *INPUTS, "-o", "nowhere/m.suffice"], "There is no folder 'nowhere'"),
        (["--target", "price", *INPUTS, "-o", "m.suffice", "--statistics", "m.suffice"], "the same file"),
        (["--target", "price", "@diabetes"], "A bundled set stands alone"),
    ],
    ids=lambda v: " ".join(v[2:])[:50] if isinstance(v, list) else "",
)
def test_a_refusal_is_one_line_and_code_two(run, sales, words, message):
    result = run("fit", sales[1], *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    assert not list(os.scandir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere*.csv"], "There is no file at 'nowhere*.csv'"),
        (["@diabetis"], "Did you mean 'diabetes'?"),
    ],
)
def test_no_such_data(run, words, message):
    result = run("fit", *words, "--target", "y")
    assert result.exit_code == 2
    assert message in result.stderr


def test_gaps_are_named(run):
    pl.DataFrame({"x": [1.0, None, 3.0] * 9, "y": [1.0, 2.0, 3.0] * 9}).write_parquet("t.parquet")
    result = run("fit", "t.parquet", "--target", "y")
    assert result.exit_code == 2
    assert "'x'" in result.stderr
    assert "t.parquet" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


# -- the terminal -------------------------------------------------------------------------------------------
class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_only_where_somebody_watches(monkeypatch):
    pytest.importorskip("sklearn.callback")
    model = LinearRegression()

    def watched(quiet):
        with passes_bar(model, quiet):
            return bool(getattr(model, "_skl_callbacks", None))

    assert not watched(False)
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert not watched(False)  # standard error goes to a file
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert watched(False)
    assert not watched(True)
    assert not getattr(model, "_skl_callbacks", None)


@pytest.mark.slow
def test_the_program_itself(sales, tmp_path):
    program = [sys.executable, "-W", "error", "-c", "from suffice.cli import main; main()"]
    words = ["fit", str(sales[1]), "--target", "price", *INPUTS, "--folds", "4", "--json"]
    done = subprocess.run([*program, *words], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert json.loads(done.stdout)["rows"] == 400
    assert done.stderr == ""


def test_the_program_ends_with_code_two_where_it_refuses(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["suffice", "fit", "no.csv", "--target", "y"])
    with pytest.raises(SystemExit, match="^2$"):
        cli.main()
    said = capsys.readouterr().err
    assert "no.csv" in said
    assert "Traceback" not in said


# -- other linear models ----------------------------------------------------------------------------------
LINEAR = {
    "lasso": Lasso(1.0, standardize=True),
    "q-norm": QNormRegression(1.5, 1.0, standardize=True),
    "conjugate": ConjugateLinearRegression(standardize=True),
    "ard": ARDRegression(standardize=True),
}


@pytest.mark.parametrize("name", LINEAR)
def test_linear_models_are_those_of_the_library(fit, sales, name):
    model = LINEAR[name].fit(sales[0].select("a", "b", "junk"), sales[0]["price"])
    tree = fit(*INPUTS, "--model", name, "--folds", 4, "--seed", 3)
    assert [c["term"] for c in tree["coefficients"]] == ["intercept", "a", "b", "junk"]
    np.testing.assert_allclose(
        column(tree, "estimate"), [model.intercept_, *model.coef_], rtol=1e-6, atol=1e-12
    )
    assert tree["facts"]["Effective parameters"] == pytest.approx(model.effective_parameters_, rel=1e-6)
    options = {"folds": 4, "seed": 3, "columns": ["a", "b", "junk"]}
    mine = engine.cross_validate(LINEAR[name], str(sales[1] / "part-*.parquet"), "price", **options)
    assert tree["validation"]["estimate"] == pytest.approx(mine.estimate, rel=1e-10)


def test_intervals_of_weights_are_those_of_the_posterior(fit, sales):
    X, y = sales[0].select("a", "b", "junk"), sales[0]["price"]
    d = LINEAR["conjugate"].fit(X, y).posterior_
    draws = d.sample(40_000, 0)[0]
    tree = fit(*INPUTS, "--model", "conjugate")
    spread = column(tree, "std_error")
    np.testing.assert_allclose(
        spread, draws.std(axis=0), rtol=0.02
    )  # 5 standard errors of a standard deviation
    for end, level in (("low", 0.025), ("high", 0.975)):
        gap = (column(tree, end) - np.quantile(draws, level, axis=0)) / spread
        assert np.all(np.abs(gap) < 0.07)  # 5 standard errors of a 2.5 % quantile
    ard = fit(*INPUTS, "--model", "ard")
    sure = np.sqrt(np.diag(LINEAR["ard"].fit(X, y).posterior_.cov))
    np.testing.assert_allclose(column(ard, "std_error"), sure, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(
        column(ard, "high") - column(ard, "low"), 2 * 1.959964 * sure, rtol=1e-5, atol=1e-12
    )


def test_an_intercept_that_is_not_fitted_is_shown_where_it_is_not_zero(fit):
    shown = fit(*INPUTS, "--model", "lasso", "--set", "fit_intercept=false")
    assert [c["term"] for c in shown["coefficients"]] == ["intercept", "a", "b", "junk"]
    plain = fit(*INPUTS, "--model", "lasso", "--set", "fit_intercept=false", "--set", "standardize=false")
    assert [c["term"] for c in plain["coefficients"]] == ["a", "b", "junk"]


def test_models_are_listed_with_what_they_are_for(run):
    listed = {m["name"]: m["for"] for m in json.loads(run("models", "--json").stdout)}
    for name, use in {
        "lasso": "fit",
        "q-norm": "fit",
        "conjugate": "fit",
        "ard": "fit",
        "least-absolute": "Python",
    }.items():
        assert use in listed[name]
