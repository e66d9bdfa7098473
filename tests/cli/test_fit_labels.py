"""`suffice fit` of labels: classes, mistakes and what tells the classes apart are those of the library."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from sklearn.feature_selection import f_classif
from sklearn.model_selection import PredefinedSplit

import suffice
from suffice._core.proportions import jeffreys
from suffice.engine.hashing import folds_of_rows
from suffice.evaluation import confusion, cross_validate
from suffice.generative import (
    BayesClassifier,
    BernoulliNB,
    CategoricalNB,
    FisherDiscriminant,
    GaussianNB,
    JointTableClassifier,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    MixedNB,
    MultinomialNB,
    QuadraticDiscriminantAnalysis,
)

COLUMNS = ["a", "b", "junk"]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    n = 300
    kind = rng.choice(["apple", "[bold]pear", "plum"], n, p=[0.5, 0.3, 0.2])
    a = rng.standard_normal(n) + 2.0 * (kind == "plum")
    b = 3 * rng.standard_normal(n) - 4.0 * (kind == "apple") * (1 + 0.1 * a)
    return pl.DataFrame({"a": a, "b": b, "junk": rng.standard_normal(n), "kind": kind})


@pytest.fixture
def fit_kind(run, table):
    table.write_parquet("fruit.parquet")

    def call(*words):
        result = run("fit", "fruit.parquet", "--target", "kind", "--json", *words)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return call


MODELS = {
    "lda": (LinearDiscriminantAnalysis(), ()),
    "qda": (
        QuadraticDiscriminantAnalysis(priors="uniform", shrinkage="auto"),
        ("--set", "priors=uniform", "--set", "shrinkage=auto"),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_mistakes_are_those_of_cross_validation(fit_kind, table, name):
    model, words = MODELS[name]
    tree = fit_kind("--model", name, "--folds", 6, "--seed", 2, *words)
    X, y = table.select(COLUMNS).to_numpy(), table["kind"].to_numpy().astype(str)
    splits = PredefinedSplit(folds_of_rows(0, 0, len(y), 6, 2))
    brute = cross_validate(model, X, y, cv=splits)
    table_of = confusion(y, brute.predictions)
    assert 0.02 < brute.estimate < 0.5
    assert tree["confusion"]["labels"] == table_of.labels.tolist()
    np.testing.assert_array_equal(tree["confusion"]["table"], table_of.table)
    v = tree["validation"]
    assert v["estimate"] == pytest.approx(brute.estimate, rel=1e-12)
    np.testing.assert_allclose(v["interval"], brute.interval, rtol=1e-12)
    labels, counts = np.unique(y, return_counts=True)
    majority = [np.unique(y[a], return_counts=True) for a, _ in splits.split()]
    missed = sum(
        np.sum(y[test] != u[np.argmax(c)]) for (_, test), (u, c) in zip(splits.split(), majority, strict=True)
    )
    assert v["baseline"] == pytest.approx(missed / len(y), rel=1e-12)
    for c, label, n in zip(tree["classes"], labels, counts, strict=True):
        wrong = np.sum((y == label) & (brute.predictions != label))
        low, high = (float(end) for end in jeffreys(wrong, n, 0.95))
        assert c["label"] == label
        assert (c["weight"], c["share"]) == (n, pytest.approx(n / len(y), rel=1e-12))
        assert c["prior"] == pytest.approx(n / len(y) if name == "lda" else 1 / 3, rel=1e-12)
        assert (c["error"], c["low"], c["high"]) == pytest.approx((wrong / n, low, high), rel=1e-12)
    assert tree["facts"]["Parameters"] == model.fit(X, y).n_parameters_


@pytest.mark.parametrize("words", [["lda"], ["qda", "--set", "shrinkage=0.5"]])
def test_separation_is_the_share_of_variance_between_classes(fit_kind, table, words):
    tree = fit_kind("--model", *words)
    F, _ = f_classif(table.select(COLUMNS).to_numpy(), table["kind"].to_numpy())
    expected = F * 2 / (F * 2 + len(table) - 3)  # η² from the F statistic of 3 classes
    assert tree["separation"] == pytest.approx(dict(zip(COLUMNS, expected, strict=True)), rel=1e-10)
    shares = list(tree["separation"].values())
    assert shares == sorted(shares, reverse=True)
    assert tree["confusion"] is tree["validation"] is None
    assert all("error" not in c for c in tree["classes"])


def test_numbers_have_no_classes(run, table):
    table.write_parquet("t.parquet")
    tree = json.loads(
        run("fit", "t.parquet", "--target", "a", "--columns", "b", "--folds", 3, "--json").stdout
    )
    assert (tree["classes"], tree["confusion"], tree["separation"]) == ([], None, {})
    assert tree["validation"]["interval"] is None
    assert tree["validation"]["baseline"] > 0


def test_what_a_person_reads(run, table):
    table.write_parquet("t.parquet")
    words = ["fit", "t.parquet", "--target", "kind", "--model", "lda", "--folds", 5]
    result = run(*words)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [" ".join(line.replace("\u202f", " ").split()) for line in result.stdout.splitlines()]
    assert "class rows share prior wrong 95 % interval" in lines
    assert "true \\ given [bold]pear apple plum" in lines
    assert any(line.startswith("Wrong labels, 5 folds") and " to " in line for line in lines)
    assert any(line.startswith("The most frequent label on the same folds") for line in lines)
    assert any(line.startswith("[bold]pear ") for line in lines)
    assert lines[lines.index("column variance between classes") + 1].startswith("a ")


def test_weights_and_whole_numbers(run, table):
    numbered = table.with_columns(
        kind=pl.Series(np.unique(table["kind"].to_numpy(), return_inverse=True)[1]),
        w=pl.Series(np.arange(len(table)) % 3),
    )
    numbered.write_parquet("t.parquet")
    words = ["fit", "t.parquet", "--target", "kind", "--model", "qda", "--weight", "w", "--folds", 4]
    tree = json.loads(run(*words, "--json", "-o", "m.suffice").stdout)
    assert [c["label"] for c in tree["classes"]] == [0, 1, 2]
    w, y = numbered["w"].to_numpy(), numbered["kind"].to_numpy()
    assert [c["weight"] for c in tree["classes"]] == [float(w[y == k].sum()) for k in range(3)]
    assert np.sum(tree["confusion"]["table"]) == w.sum()
    assert "weight" in run(*words).stdout
    direct = QuadraticDiscriminantAnalysis().fit(numbered.select(COLUMNS), y, w)
    X = numbered.select(COLUMNS)
    saved = suffice.load("m.suffice")
    np.testing.assert_allclose(saved.predict_proba(X), direct.predict_proba(X), rtol=1e-9, atol=1e-12)


def test_many_classes_have_no_table_of_mistakes(run):
    rng = np.random.default_rng(0)
    y = np.arange(600) % 60
    pl.DataFrame({"x": y + rng.standard_normal(600), "y": [f"k{k:02}" for k in y]}).write_parquet("t.parquet")
    text = run("fit", "t.parquet", "--target", "y", "--model", "lda", "--folds", 3).stdout
    assert "true \\ given" not in text
    assert "k39" in text
    assert "k40" not in text
    assert "and 20 more classes" in text


ROOM = {
    "gaussian-nb": GaussianNB(),
    "bernoulli-nb": BernoulliNB(),
    "mixed-nb": MixedNB(),
    "bayes": BayesClassifier(),
    "fisher": FisherDiscriminant(),
    "least-squares-labels": LeastSquaresClassifier(),
    "categorical-nb": CategoricalNB(),
    "multinomial-nb": MultinomialNB(),
    "joint-table": JointTableClassifier(),
}


@pytest.mark.parametrize("name", ROOM)
def test_every_classifier_is_that_of_the_library(run, table, name):
    """Categories and counts are whole numbers; the others get the numbers as they are."""
    whole = name in ("categorical-nb", "multinomial-nb", "joint-table")
    some = table.with_columns((pl.col(c) > 0).cast(float) for c in COLUMNS) if whole else table
    some.write_parquet("t.parquet")
    words = ["fit", "t.parquet", "--target", "kind", "--model", name, "--folds", 4, "-o", "m.suffice"]
    tree = json.loads(run(*words, "--json").stdout)
    X, y = some.select(COLUMNS), some["kind"].to_numpy().astype(str)
    direct = ROOM[name].fit(X, y)
    np.testing.assert_array_equal(suffice.load("m.suffice").predict(X), direct.predict(X))
    splits = PredefinedSplit(folds_of_rows(0, 0, len(y), 4, 0))
    brute = cross_validate(ROOM[name], X, y, cv=splits)
    assert tree["validation"]["estimate"] == pytest.approx(brute.estimate, rel=1e-12)
    assert [c["label"] for c in tree["classes"]] == direct.classes_.tolist()
    assert run(*words, "--force").exit_code == 0


@pytest.mark.parametrize("name", ["gaussian-nb", "mixed-nb"])
def test_missing_cells_are_taken_by_naive_models(run, table, name):
    rng = np.random.default_rng(1)
    gaps = table.with_columns(
        pl.when(pl.Series(rng.random(len(table)) < 0.2)).then(None).otherwise(pl.col(c)).alias(c)
        for c in COLUMNS
    )
    gaps.write_csv("t.csv")
    result = run(
        "fit", "t.csv", "--target", "kind", "--model", name, "--folds", 5, "--json", "-o", "m.suffice"
    )
    assert result.exit_code == 0, result.output
    tree = json.loads(result.stdout)
    assert tree["rows"] == len(table)
    assert tree["validation"]["estimate"] < tree["validation"]["baseline"]
    read = pl.read_csv("t.csv")
    direct = ROOM[name].fit(read.select(COLUMNS), read["kind"].to_numpy().astype(str))
    np.testing.assert_allclose(
        suffice.load("m.suffice").predict_proba(read.select(COLUMNS)),
        direct.predict_proba(read.select(COLUMNS)),
        rtol=1e-9,
        atol=1e-12,
    )


def test_models_are_listed(run):
    listed = {m["name"]: m["for"] for m in json.loads(run("models", "--json").stdout)}
    for name, use in dict.fromkeys(["lda", "qda", *ROOM], "fit").items() | {("perceptron", "Python")}:
        assert use in listed[name]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "lda", "--path", "shrinkage=0,0.5", "--folds", 3], "--path compares squared losses"),
        (["--model", "lda", "--select", "--folds", 3], "--select needs a linear model"),
        (["--model", "lad"], "Did you mean 'lda'"),
        (["--model", "lda", "--set", "shrinkag=auto"], "Did you mean 'shrinkage'?"),
        (["--model", "lda", "--set", "priors=flat"], "priors must be None, 'empirical', 'uniform'"),
        (["--model", "qda", "--set", "shrinkage=2"], "shrinkage"),
        (["--model", "qda", "--set", "priors=[0.5,0.5]"], "Number of priors must match number of classes, 3"),
        (["--model", "lda", "--columns", "a,missing"], "no column 'missing'"),
        (["--model", "perceptron"], "in Python, use suffice.generative.Perceptron"),
        (["--model", "multinomial-nb"], "Negative values in data"),
        (["--model", "categorical-nb"], "Negative values in data"),
    ],
)
def test_refusals(run, table, words, message):
    table.write_parquet("t.parquet")
    result = run("fit", "t.parquet", "--target", "kind", *words)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output
