"""A program to call, and a table to call it on: three Parquet files with numbers, text and weights."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from suffice import cli


def make_sales(n=400, seed=0):
    rng = np.random.default_rng(seed)
    a, b, junk = rng.standard_normal((3, n))
    city = rng.choice(["Lima", "Oslo", "Rome"], n)
    price = 10 + 2 * a - b + 3 * (city == "Rome") + rng.standard_normal(n)
    return pl.DataFrame(
        {
            "a": a,
            "b": b,
            "junk": junk,
            "city": city,
            "age": rng.integers(0, 90, n),
            "w": rng.integers(0, 3, n),
            "price": price,
            "label": np.where(price > 10, "dear", "cheap"),
        }
    )


@pytest.fixture(scope="session")
def sales(tmp_path_factory):
    """The whole table, and the folder of its three files."""
    folder, table = tmp_path_factory.mktemp("sales"), make_sales()
    for i in range(3):
        table[i * 150 : (i + 1) * 150].write_parquet(folder / f"part-{i}.parquet")
    return table, folder


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *arguments: CliRunner().invoke(cli.application(), [str(a) for a in arguments])


@pytest.fixture
def fit(run, sales):
    """`suffice fit` of the files, as the tree it prints; it must succeed."""

    def call(*arguments, target="price"):
        result = run("fit", sales[1] / "part-*.parquet", "--target", target, "--json", *arguments)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return call
