"""Transformers against scikit-learn's: learning and transforming the same table, which is what a pipeline does."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder as TheirEncoder

from benchmarks.harness import Race, Result, race, relative
from benchmarks.tables import small, table
from suffice._core.frames import require
from suffice.prepare import OneHotEncoder, TableEncoder, Whitener

CATEGORIES = 20


def one_hot(quick: bool) -> list[Result]:
    """Five columns of twenty categories each, as words and as whole numbers; the result is sparse."""
    codes = np.random.default_rng(0).integers(0, CATEGORIES, (small(1_000_000, quick), 5))
    words = np.array([f"category {i}" for i in range(CATEGORIES)], dtype=object)
    return [_encoding("words", words[codes]), _encoding("whole numbers", codes)]


def _encoding(what: str, X: np.ndarray) -> Race:
    return race(
        f"OneHotEncoder of {what}, {len(X):,} × 5",
        lambda: OneHotEncoder().fit_transform(X),
        {"scikit-learn OneHotEncoder": lambda: TheirEncoder().fit_transform(X)},
        lambda ours, theirs: float(abs(ours - theirs).max()),
        runs=3,
        why="Ours counts how often each category occurs, so that parts merge and rows can be forgotten; scikit-learn "
        "collects the set of words and no counts.",
    )


def whitening(quick: bool) -> list[Result]:
    """The axes of the ellipse, in units of the spread along them; scikit-learn divides by n − 1."""
    X, _ = table(small(1_000_000, quick), 30)
    unit = np.sqrt(len(X) / (len(X) - 1))
    return [
        race(
            f"Whitener, {len(X):,} × 30",
            lambda: np.abs(Whitener().fit_transform(X)[:1000]),
            {
                "scikit-learn PCA(whiten=True)": lambda: (
                    np.abs(PCA(whiten=True).fit_transform(X)[:1000]) * unit
                )
            },
            relative,
            runs=3,
            why="scikit-learn squares the condition of the columns, for it forms their covariance, and subtracts the "
            "mean after the product, where a large mean costs digits. Ours factors the centered columns.",
        )
    ]


def table_encoding(quick: bool) -> list[Result]:
    """Ten columns of numbers, half of them with gaps, and ten of words with 2 to 40 levels: to a dense matrix."""
    X = _mixed(small(300_000, quick))
    numbers, words = [n for n in X if n.startswith("x")], [n for n in X if n.startswith("c")]
    theirs = ColumnTransformer(
        [
            ("", SimpleImputer(strategy="median", add_indicator=True), numbers),
            ("w", TheirEncoder(drop="first", max_categories=21, min_frequency=5, sparse_output=False), words),
        ],
        sparse_threshold=0,
    )
    # their numbers come first and their marks of gaps after them; ours are beside each other
    names = TableEncoder().fit(X).get_feature_names_out()
    order = np.argsort([(0 if n in numbers else 1 if n.startswith("x") else 2) for n in names], kind="stable")
    return [
        race(
            f"TableEncoder, {len(X):,} × 20 mixed columns",
            lambda: TableEncoder().fit_transform(X)[:1000, order],
            {"scikit-learn ColumnTransformer": lambda: theirs.fit_transform(X)[:1000]},
            lambda ours, peer: float(np.abs(ours - peer).max()),
            runs=3,
            why="Ours looks at every column first: what it means, whether its text is numbers or dates, whether it "
            "only names its rows; scikit-learn is told which columns are numbers and which are words.",
        )
    ]


def _mixed(n: int) -> Any:
    """Levels are the rarer the later they are in the alphabet, so that both sides leave out the same one."""
    rng, columns = np.random.default_rng(0), {}
    for j in range(10):
        columns[f"x{j}"] = rng.normal(size=n)
        if j % 2:
            columns[f"x{j}"][rng.random(n) < 0.1] = np.nan
    for j in range(10):
        levels = np.array([f"level {i:02d}" for i in range(2 + j if j < 9 else 40)], dtype=object)
        shares = np.linspace(2.0, 1.0, len(levels))
        ends = np.round(n * np.cumsum(shares) / shares.sum()).astype(int)
        columns[f"c{j}"] = rng.permutation(np.repeat(levels, np.diff(ends, prepend=0)))
    return require("pandas").DataFrame(columns)


ROWS = (one_hot, whitening, table_encoding)
