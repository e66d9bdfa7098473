"""Naive Bayes for words: fits, predictions and validation of sparse tables, against scikit-learn's."""

from __future__ import annotations

import tracemalloc

import numpy as np
from scipy import sparse
from sklearn import naive_bayes as naive
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict

from benchmarks.harness import Figure, Result, race
from benchmarks.tables import BOTH, small
from suffice.evaluation import cross_validate
from suffice.generative import BernoulliNB, MultinomialNB

TOPICS = 20


def corpus(n: int, words: int, seed: int = 0) -> tuple[sparse.csr_array, np.ndarray]:
    """Documents of 0.2 % of all words; frequent words are frequent in all topics, some are a topic's own."""
    rng = np.random.default_rng(seed)
    y, size = rng.integers(0, TOPICS, n), words // 500
    place = rng.random((n, size)) ** 3
    own = rng.random((n, size)) < 0.1
    columns = np.where(own, (place / TOPICS + y[:, None] / TOPICS) % 1, place) * words
    rows = np.repeat(np.arange(n), size)
    data = rng.integers(1, 4, n * size).astype(float)
    return sparse.csr_array((data, (rows, columns.astype(np.int32).ravel())), shape=(n, words)), y


def unequal(a: np.ndarray, b: np.ndarray) -> float:
    """The share of labels that differ."""
    return float(np.mean(np.asarray(a) != np.asarray(b)))


def words_of_classes(quick: bool) -> list[Result]:
    """Fit and predict 10,000 documents of 50,000 words; peak memory of both."""
    X, y = corpus(small(10_000, quick), 50_000)
    out: list[Result] = []
    for ours, theirs, bar in (
        (MultinomialNB, naive.MultinomialNB, 1.0),
        (BernoulliNB, naive.BernoulliNB, None),
    ):
        what = f"{ours.__name__}, fit and predict, {X.shape[0]:,} × {X.shape[1]:,}, {X.nnz:,} cells"
        out += [
            race(
                what,
                lambda ours=ours: ours().fit(X, y).predict(X),
                {f"scikit-learn {theirs.__name__}": lambda theirs=theirs: theirs().fit(X, y).predict(X)},
                unequal,
                bars={} if bar is None else dict.fromkeys(BOTH, bar),
                why="Both log-probabilities of a cell are kept, for missing cells and thresholds below zero.",
            ),
            Figure(
                f"{what}: peak memory", _peak(ours, X, y), "MB", beside=f"peer {_peak(theirs, X, y):.0f} MB"
            ),
        ]
    return out


def _peak(cls, X, y) -> float:
    tracemalloc.start()
    cls().fit(X, y).predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def words_validated(quick: bool) -> list[Result]:
    """Ten folds from statistics, and leave-one-out in closed form, of a sparse table."""
    X, y = corpus(small(10_000, quick), 50_000)
    few, labels = corpus(200, small(50_000, quick))
    return [
        _validated(X, y, KFold(10), "ten folds", "statistics", None),
        _validated(few, labels, LeaveOneOut(), "leave-one-out", "closed form", None),
    ]


def _validated(X, y, cv, words: str, how: str, bar: float | None) -> Result:
    def ours() -> np.ndarray:
        result = cross_validate(MultinomialNB(), X, y, cv=cv)
        assert result.how == how, result.notes
        return result.predictions

    return race(
        f"MultinomialNB, {words}, {X.shape[0]:,} × {X.shape[1]:,}",
        ours,
        {"cross_val_predict": lambda: cross_val_predict(naive.MultinomialNB(), X, y, cv=cv)},
        unequal,
        runs=3,
        bars={} if bar is None else dict.fromkeys(BOTH, bar),
    )


ROWS = (words_of_classes, words_validated)
