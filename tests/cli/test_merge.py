"""`suffice merge`: models or statistics of several sites become one."""

from __future__ import annotations

import os

import numpy as np
import polars as pl
import pytest

import suffice
from suffice import engine
from suffice.linear import LinearRegression, Ridge
from suffice.statistics import Triangle

rng = np.random.default_rng(3)
X = rng.standard_normal((90, 3))
y = X @ [1.0, 2.0, 3.0] + rng.standard_normal(90)
SITES = {"oslo": slice(0, 30), "lima": slice(30, 60), "rome": slice(60, 90)}
FILES = [f"{name}.suffice" for name in SITES]


def save_all(make):
    for name, rows in SITES.items():
        suffice.save(make(X[rows], y[rows]), f"{name}.suffice", minimum_rows=0)


def words(line):
    return " ".join(line.split())


MAKERS = {
    "LinearRegression": lambda X, y: LinearRegression().fit(X, y),
    "Triangle": Triangle.of,
    "Folded": lambda X, y: engine.cross_validate(Ridge(), (X, y), folds=3).statistics,
}


@pytest.mark.parametrize("kind", MAKERS)
def test_merged_files_are_the_fit_of_all_rows(run, kind):
    save_all(MAKERS[kind])
    result = run("merge", *FILES, "-o", "all.suffice", "--minimum-rows", 0)
    assert result.exit_code == 0, result.output
    lines = list(map(words, result.stdout.splitlines()))
    assert lines == ["file holds rows", *(f"{f} {kind} 30" for f in FILES), f"all.suffice {kind} 90"]
    value = suffice.load("all.suffice")
    assert type(value).__name__ == kind
    model = value if kind == "LinearRegression" else LinearRegression().solve(getattr(value, "whole", value))
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-10)


def test_from_fit_to_merge(run):
    for name, rows in SITES.items():
        pl.DataFrame({"a": X[rows, 0], "b": X[rows, 1], "y": y[rows]}).write_parquet(f"{name}.parquet")
        assert (
            run("fit", f"{name}.parquet", "--target", "y", "--statistics", f"{name}.suffice").exit_code == 0
        )
    assert run("merge", *FILES, "-o", "all.suffice").exit_code == 0
    merged = LinearRegression().solve(suffice.load("all.suffice"))
    np.testing.assert_allclose(merged.coef_, LinearRegression().fit(X[:, :2], y).coef_, rtol=1e-10)
    assert merged.feature_names_in_.tolist() == ["a", "b"]


def test_a_file_is_replaced_only_by_force(run):
    save_all(Triangle.of)
    refused = run("merge", "oslo.suffice", "lima.suffice", "-o", "rome.suffice")
    assert refused.exit_code == 2
    assert "'rome.suffice' exists; --force replaces it." in refused.stderr
    assert suffice.load("rome.suffice") == Triangle.of(X[60:], y[60:])
    assert run("merge", "oslo.suffice", "lima.suffice", "-o", "rome.suffice", "--force").exit_code == 0
    assert suffice.load("rome.suffice").rows == 60
    assert run("merge", *FILES, "-o", "oslo.suffice", "--force").exit_code == 0  # also onto one of its parts
    assert suffice.load("oslo.suffice").rows == 120


def test_sums_of_few_rows_stay_here(run):
    for name in ("oslo", "lima"):
        suffice.save(Triangle.of(X[:5], y[:5]), f"{name}.suffice", minimum_rows=0)
    refused = run("merge", "oslo.suffice", "lima.suffice", "-o", "all.suffice")
    assert refused.exit_code == 2
    assert "of 10 rows and 4 columns" in refused.stderr
    assert "--minimum-rows 0" in refused.stderr
    assert not os.path.exists("all.suffice")


OTHERS = {
    "narrow": lambda: Triangle.of(X[:30, :2], y[:30]),
    "model": lambda: Ridge().fit(X, y),
    "unfitted": lambda: Ridge(),
    "number": lambda: 3.0,
}


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ("narrow", "other.suffice: Cannot combine statistics with different numbers of columns"),
        ("model", "other.suffice: Cannot merge Triangle with Ridge"),
        ("unfitted", "other.suffice: This Ridge is not fitted"),
        ("number", "other.suffice: float is not a sum over rows"),
    ],
)
def test_a_mismatch_names_its_file(run, other, message):
    save_all(Triangle.of)
    suffice.save(OTHERS[other](), "other.suffice", minimum_rows=0)
    result = run("merge", *FILES, "other.suffice", "-o", "all.suffice")
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not os.path.exists("all.suffice")


def test_models_with_other_parameters(run):
    suffice.save(Ridge(1.0).fit(X, y), "a.suffice")
    suffice.save(Ridge(2.0).fit(X, y), "b.suffice")
    result = run("merge", "a.suffice", "b.suffice", "-o", "all.suffice")
    assert result.exit_code == 2
    assert "b.suffice: Cannot merge models with different alpha: 1.0 and 2.0." in result.stderr


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["oslo.suffice", "./oslo.suffice"], "is given twice; its rows would count twice"),
        (["oslo.suffice", "nowhere.suffice"], "nowhere.suffice"),
        (["oslo.suffice", "text.suffice"], "'text.suffice' is not a Suffice file"),
    ],
)
def test_files_that_cannot_be_used(run, files, message):
    save_all(Triangle.of)
    with open("text.suffice", "w") as file:
        file.write("text")
    result = run("merge", *files, "-o", "all.suffice")
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("out", "message"),
    [("all.zip", "end in '.suffice'; got 'all.zip'"), ("no/all.suffice", "no folder 'no'")],
)
def test_where_to_write(run, out, message):
    save_all(Triangle.of)
    result = run("merge", *FILES, "-o", out)
    assert result.exit_code == 2
    assert message in result.stderr
