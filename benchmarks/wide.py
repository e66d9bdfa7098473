"""More columns than rows: solved in as many unknowns as rows, against scikit-learn."""

from __future__ import annotations

import warnings
from timeit import repeat
from typing import Any

import numpy as np
from sklearn import discriminant_analysis, linear_model

from benchmarks.harness import Figure, Result, Work, race, relative, weigh
from benchmarks.tables import BOTH
from suffice.evaluation import cross_validate
from suffice.generative import LinearDiscriminantAnalysis
from suffice.linear import BayesianLinearRegression, BayesianRidge, Ridge

ROWS_OF_TABLE = 100


def more_columns_than_rows(quick: bool) -> list[Result]:
    """One fit each, ten folds, and the memory of a wider table."""
    X, y = _table(400 if quick else 4_000)
    narrower, _ = _table(200 if quick else 1_000)  # the peer's covariance takes minutes of 4,000 columns
    labels = np.where(y > 0, "a", "b")
    races = [
        _race("Ridge", X, y, Ridge(), linear_model.Ridge(), None),
        _race("BayesianRidge", X, y, BayesianRidge(), linear_model.BayesianRidge(), 3.0),
        _race(
            "LinearDiscriminantAnalysis('lsqr', shrinkage=0.3)",
            narrower,
            labels,
            LinearDiscriminantAnalysis("lsqr", shrinkage=0.3),
            discriminant_analysis.LinearDiscriminantAnalysis("lsqr", shrinkage=0.3),
            2.0,
        ),
    ]
    evidence, classes = BayesianLinearRegression(), LinearDiscriminantAnalysis(shrinkage="auto")
    seconds = [
        _seconds("Ridge", X, lambda: Ridge().fit(X, y), 1.0),
        _seconds("BayesianLinearRegression, evidence", X, lambda: evidence.fit(X, y), 1.0),
        _seconds("LinearDiscriminantAnalysis(shrinkage='auto')", X, lambda: classes.fit(X, labels), 1.0),
        _seconds("10 folds of Ridge", X, lambda: cross_validate(Ridge(), X, y, cv=10), 5.0),
        _seconds("10 folds of evidence", X, lambda: cross_validate(evidence, X, y, cv=10), 5.0),
        _seconds("10 folds of classes", X, lambda: cross_validate(classes, X, labels, cv=10), 10.0),
    ]
    return [*races, *seconds, _memory()]


def _table(columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Fifty columns matter."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS_OF_TABLE, columns)) + rng.uniform(-3, 3, columns)
    return X, (X - X.mean(axis=0))[:, :50].sum(axis=1) + rng.standard_normal(ROWS_OF_TABLE)


def _race(name: str, X: np.ndarray, y: np.ndarray, ours: Any, peer: Any, bar: float | None) -> Result:
    return race(
        f"{name}, {X.shape[0]} × {X.shape[1]:,}",
        lambda: ours.fit(X, y),
        {"scikit-learn": lambda: peer.fit(X, y)},
        lambda a, b: relative(a.coef_, b.coef_),
        runs=3,
        bars={} if bar is None else dict.fromkeys(BOTH, bar),
        why="The peer solves with the rows' products XXᵀ, which square the condition; ours factors the rows twice: "
        "into the triangle that merges and folds, and into the span in which it is solved.",
    )


def _seconds(name: str, X: np.ndarray, work: Work, bar: float) -> Figure:
    """The best of three runs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of so many columns the evidence may find no noise
        best = min(repeat(work, number=1, repeat=3))
    return Figure(f"{name}, {X.shape[0]} × {X.shape[1]:,}", best, "s", bar)


def _memory() -> Figure:
    prepare = (
        "import numpy as np\nfrom suffice.linear import BayesianLinearRegression\n"
        "X = np.random.default_rng(0).standard_normal((30, 20_000))\ny = X[:, 0].copy()\n"
        "BayesianLinearRegression(1.0, noise_precision=1.0).fit(X[:, :50], y)"
    )
    work = "BayesianLinearRegression(1.0, noise_precision=1.0).fit(X, y).predict_dist(X)"
    return Figure(
        "BayesianLinearRegression, 30 × 20,000, memory", weigh(prepare, work)["megabytes"], "MB", 100.0,
        "a square of columns: 3,200 MB",
    )  # fmt: skip


ROWS = (more_columns_than_rows,)
