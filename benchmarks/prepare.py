"""Transformers against scikit-learn's: learning and transforming the same table, which is what a pipeline does."""

from __future__ import annotations

import numpy as np
from sklearn.decomposition import PCA
from sklearn.preprocessing import OneHotEncoder as TheirEncoder

from benchmarks.harness import Race, Result, race, relative
from benchmarks.tables import small, table
from suffice.prepare import OneHotEncoder, Whitener

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


ROWS = (one_hot, whitening)
