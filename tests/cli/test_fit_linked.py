"""`suffice fit` of models with a link: weights, deviance, classes and losses are those of the library."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from sklearn.model_selection import PredefinedSplit

import suffice
from suffice.baselines import MeanRegressor
from suffice.engine.hashing import folds_of_rows
from suffice.evaluation import confusion, cross_validate
from suffice.glm import (
    GLM,
    BayesianLogisticRegression,
    BayesianPoissonRegression,
    LogisticRegression,
    PoissonRegression,
    ProbitRegression,
    SoftmaxRegression,
)

COLUMNS = ["a", "b", "junk"]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(7)
    n = 240
    a, b, junk = rng.standard_normal((3, n))
    city = rng.choice(["Lima", "Oslo", "Rome"], n)
    eta = 1.2 * a - 0.8 * b + 1.0 * (city == "Rome")
    noisy = eta + rng.logistic(size=n)
    return pl.DataFrame(
        {
            "a": a,
            "b": b,
            "junk": junk,
            "city": city,
            "w": rng.integers(0, 3, n),
            "bought": np.where(noisy > 0, "yes", "no"),
            "kind": np.array(["apple", "[bold]pear", "plum"])[np.digitize(noisy, [-1, 1])],
            "visits": rng.poisson(np.exp(0.3 * eta)),
            "cost": np.exp(0.3 * eta) * rng.gamma(3.0, 1 / 3, n),
        }
    )


@pytest.fixture
def fitted(run, table):
    table.write_parquet("t.parquet")

    def call(target, *words):
        columns = [] if "--columns" in words else ["--columns", ",".join(COLUMNS)]
        result = run("fit", "t.parquet", "--target", target, "--json", *columns, *words)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return call


MODELS = {
    "logistic": ("bought", LogisticRegression(prior_precision=0), ()),
    "logistic, three classes": (
        "kind",
        LogisticRegression(prior_precision=2.0),
        ("--set", "prior_precision=2"),
    ),
    "softmax": (
        "kind",
        SoftmaxRegression(parametrization="reduced"),
        ("--set", "parametrization=reduced"),
    ),
    "probit": ("bought", ProbitRegression(fit_intercept=False), ("--set", "fit_intercept=false")),
    "poisson": ("visits", PoissonRegression(), ()),
    "glm": (
        "cost",
        GLM("gamma", "log", dispersion="pearson"),
        ("--set", "likelihood=gamma", "--set", "link=log", "--set", "dispersion=pearson"),
    ),
    "bayesian-logistic": (
        "bought",
        BayesianLogisticRegression(1.5, standardize=True),
        ("--set", "prior_precision=1.5"),
    ),
    "bayesian-logistic, by draws": (
        "bought",
        BayesianLogisticRegression(1.5, standardize=True, inference="metropolis-hastings"),
        ("--set", "prior_precision=1.5", "--set", "inference=metropolis-hastings"),
    ),
    "bayesian-poisson": (
        "visits",
        BayesianPoissonRegression(1.5, standardize=True),
        ("--set", "prior_precision=1.5"),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_that_of_the_library(fitted, table, name):
    target, model, words = MODELS[name]
    tree = fitted(target, "--model", name.split(",")[0], *words, "-o", "m.suffice")
    X, y = table.select(COLUMNS), table[target].to_numpy()
    s = model.fit(X, y.astype(str) if y.dtype == object else y).summary()
    assert [c["term"] for c in tree["coefficients"]] == list(s.term)
    for key in ("estimate", "std_error", "low", "high"):
        told = [c[key] for c in tree["coefficients"]]
        np.testing.assert_allclose(told, getattr(s, key), rtol=1e-6, atol=1e-9)
    assert tree["facts"]["Log likelihood"] == pytest.approx(model.log_likelihood_, rel=1e-9)
    if name.startswith("bayesian"):
        assert tree["facts"]["Log evidence"] == pytest.approx(model.log_evidence_, rel=1e-6)
        assert ("Worst R-hat" in tree["facts"]) == name.endswith("draws")
    else:
        assert tree["facts"]["Deviance"] == pytest.approx(model.deviance_, rel=1e-9)
        assert ("AIC" in tree["facts"]) == (model.prior_precision == 0)
    saved = suffice.load("m.suffice")
    np.testing.assert_allclose(saved.coef_, model.coef_, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(saved.predict(X) == y, model.predict(X) == y)
    assert tree["rows"] == len(table)


def test_mistakes_are_those_of_cross_validation(fitted, table):
    tree = fitted("kind", "--model", "logistic", "--folds", 4, "--seed", 3)
    X, y = table.select(COLUMNS), table["kind"].to_numpy().astype(str)
    splits = PredefinedSplit(folds_of_rows(0, 0, len(y), 4, 3))
    brute = cross_validate(LogisticRegression(prior_precision=0), X, y, cv=splits)
    found = confusion(y, brute.predictions)
    np.testing.assert_array_equal(tree["confusion"]["table"], found.table)
    assert tree["validation"]["estimate"] == pytest.approx(brute.estimate, rel=1e-12)
    np.testing.assert_allclose(tree["validation"]["interval"], brute.interval, rtol=1e-12)
    majority = [np.unique(y[a], return_counts=True) for a, _ in splits.split()]
    missed = sum(
        np.sum(y[test] != u[np.argmax(c)]) for (_, test), (u, c) in zip(splits.split(), majority, strict=True)
    )
    assert tree["validation"]["baseline"] == pytest.approx(missed / len(y), rel=1e-12)
    labels, counts = np.unique(y, return_counts=True)
    assert [(c["label"], c["weight"]) for c in tree["classes"]] == list(
        zip(labels.tolist(), counts.tolist(), strict=True)
    )
    assert all(c["prior"] is None for c in tree["classes"])


def test_losses_of_counts_are_those_of_cross_validation(fitted, table):
    tree = fitted("visits", "--model", "poisson", "--folds", 5)
    X, y = table.select(COLUMNS), table["visits"].to_numpy()
    splits = PredefinedSplit(folds_of_rows(0, 0, len(y), 5, 0))
    for key, model in (("estimate", PoissonRegression()), ("baseline", MeanRegressor())):
        brute = cross_validate(model, X, y, cv=splits, average="size").estimate
        assert tree["validation"][key] == pytest.approx(brute, rel=1e-6)
    assert tree["validation"]["estimate"] < tree["validation"]["baseline"]


def test_weights_and_categories(fitted, table):
    words = ("--model", "logistic", "--columns", "a,city", "--categories", "city", "--weight", "w")
    tree = fitted("bought", *words, "--folds", 3)
    X = np.column_stack([table["a"], table["city"] == "Oslo", table["city"] == "Rome"])
    w, y = table["w"].to_numpy(), table["bought"].to_numpy().astype(str)
    model = LogisticRegression(prior_precision=0).fit(X.astype(float), y, w)
    told = {c["term"]: c["estimate"] for c in tree["coefficients"]}
    assert list(told) == ["intercept", "a", "city=Oslo", "city=Rome"]
    np.testing.assert_allclose(list(told.values())[1:], model.coef_[0], rtol=1e-8)
    assert tree["weight"] == w.sum()
    assert tree["rows"] == np.count_nonzero(w)
    assert [c["weight"] for c in tree["classes"]] == [float(w[y == k].sum()) for k in ("no", "yes")]
    assert np.sum(tree["confusion"]["table"]) == w.sum()


def test_a_class_that_one_fold_alone_has(run):
    """Seen by no other fold, it cannot be given; the rows count as wrong."""
    rng = np.random.default_rng(1)
    fold = folds_of_rows(0, 0, 90, 3, 0)
    kind = np.where(rng.random(90) < 0.5, "x", "y").astype(object)
    kind[np.flatnonzero(fold == 1)[:2]] = "rare"
    pl.DataFrame({"a": rng.standard_normal(90), "kind": kind.astype(str)}).write_parquet("t.parquet")
    words = ["fit", "t.parquet", "--target", "kind", "--model", "logistic", "--set", "prior_precision=1"]
    tree = json.loads(run(*words, "--folds", 3, "--json").stdout)
    assert tree["confusion"]["labels"] == ["rare", "x", "y"]
    assert tree["confusion"]["table"][0][0] == 0
    assert sum(tree["confusion"]["table"][0]) == 2


def test_what_a_person_reads(run, table):
    table.write_parquet("t.parquet")
    words = ["--columns", "a,b", "--model", "logistic", "--folds", 5]
    result = run("fit", "t.parquet", "--target", "kind", *words)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [" ".join(line.replace("\u202f", " ").split()) for line in result.stdout.splitlines()]
    assert "term estimate std error 95 % interval" in lines
    assert "class rows share wrong 95 % interval" in lines
    assert any(line.startswith("[bold]pear: intercept ") for line in lines)
    assert any(line.startswith("Deviance ") for line in lines)
    assert any(line.startswith("Wrong labels, 5 folds") for line in lines)


def test_separated_classes_are_told(run):
    x = np.arange(20.0)
    pl.DataFrame({"x": x, "y": np.where(x > 9, "b", "a")}).write_csv("t.csv")
    result = run("fit", "t.csv", "--target", "y", "--model", "logistic")
    assert result.exit_code == 0
    assert "has no maximum" in result.stderr
    assert "prior_precision > 0" in result.stderr


def test_models_are_listed(run):
    listed = {m["name"]: m["for"] for m in json.loads(run("models", "--json").stdout)}
    for name in {name.split(",")[0] for name in MODELS}:
        assert "fit" in listed[name]


@pytest.mark.parametrize(
    ("target", "words", "message"),
    [
        ("bought", ["--model", "logistc"], "Did you mean 'logistic'"),
        ("bought", ["--model", "logistic", "--set", "prior_precision=-1"], "prior_precision must be"),
        (
            "bought",
            ["--model", "logistic", "--path", "prior_precision=1,2", "--folds", 3],
            "--path compares squared",
        ),
        (
            "visits",
            ["--model", "poisson", "--path", "prior_precision=1,2", "--folds", 3],
            "--path reads statistics",
        ),
        (
            "visits",
            ["--model", "poisson", "--statistics", "s.suffice"],
            "passes over the rows several times",
        ),
        ("visits", ["--model", "poisson", "--select", "--folds", 3], "--select needs a linear model"),
        ("kind", ["--model", "probit"], "tells two classes apart"),
        ("a", ["--model", "poisson", "--columns", "b"], "negative"),
        ("bought", ["--model", "poisson"], "y must be numbers; got 'no' at row 0"),
        ("bought", ["--model", "logistic", "--where", "bought == yes"], "at least 2 classes"),
        ("cost", ["--model", "glm", "--set", "likelihood=gama"], "likelihood"),
    ],
)
def test_refusals(run, table, target, words, message):
    table.write_parquet("t.parquet")
    columns = [] if "--columns" in words else ["--columns", "a,b"]
    result = run("fit", "t.parquet", "--target", target, *columns, *words)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_c_takes_the_place_of_the_precision(run, table):
    table.write_parquet("t.parquet")
    words = ["fit", "t.parquet", "--target", "bought", "--columns", "a,b", "--model", "logistic"]
    a, b = (run(*words, "--set", setting) for setting in ("C=2", "prior_precision=0.5"))
    assert a.exit_code == b.exit_code == 0
    weights = [[line for line in r.output.splitlines() if line.startswith(("a ", "b "))] for r in (a, b)]
    assert weights[0] == weights[1] != []
