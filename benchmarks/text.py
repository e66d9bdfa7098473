"""Words: counts of texts, their weights, and naive Bayes of sparse tables, against scikit-learn's."""

from __future__ import annotations

import tracemalloc

import numpy as np
from scipy import sparse
from sklearn import naive_bayes as naive
from sklearn.feature_extraction import text as peer_text
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict

from benchmarks.harness import Figure, Result, race
from benchmarks.tables import BOTH, small
from suffice.evaluation import cross_validate
from suffice.generative import BernoulliNB, MultinomialNB
from suffice.prepare import CountVectorizer, TfidfTransformer

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


def documents(n: int, length: int = 100, words: int = 30_000, seed: int = 0) -> list[str]:
    """Sentences of made-up words; the first of the list are frequent."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 10, words)
    known = np.array(["".join(map(chr, rng.integers(97, 123, size))) for size in sizes])
    places = (rng.random((n, length)) ** 3 * words).astype(int)
    return [f"{' '.join(known[row]).capitalize()}." for row in places]


def words_counted(quick: bool) -> list[Result]:
    """20,000 documents of 100 words to counts, and counts to weights."""
    texts = documents(small(20_000, quick))
    given = CountVectorizer().fit(texts)
    theirs = peer_text.CountVectorizer().fit(texts)
    X = given.transform(texts)
    what = f"{len(texts):,} documents of 100 words"
    bars = dict.fromkeys(BOTH, 1.0)
    return [
        race(
            f"CountVectorizer, fit and transform, {what}",
            lambda: CountVectorizer().fit_transform(texts),
            {"scikit-learn CountVectorizer": lambda: peer_text.CountVectorizer().fit_transform(texts)},
            cells_apart,
            bars=bars,
            why="ASCII text is cut by translate and split, and every word is looked up in a dictionary in C.",
        ),
        race(
            f"CountVectorizer, transform, {what}",
            lambda: given.transform(texts),
            {"scikit-learn CountVectorizer": lambda: theirs.transform(texts)},
            cells_apart,
            bars=bars,
        ),
        race(
            f"CountVectorizer, one and two words, {what}",
            lambda: CountVectorizer(ngram_range=(1, 2), min_df=2).fit_transform(texts),
            {
                "scikit-learn CountVectorizer": lambda: peer_text.CountVectorizer(
                    ngram_range=(1, 2), min_df=2
                ).fit_transform(texts)
            },
            cells_apart,
            runs=3,
            why="Runs below min_df are kept in the statistics, so that parts add exactly; the peer forgets them.",
        ),
        race(
            f"TfidfTransformer, fit and transform, {X.shape[0]:,} × {X.shape[1]:,}",
            lambda: TfidfTransformer().fit_transform(X),
            {"scikit-learn TfidfTransformer": lambda: peer_text.TfidfTransformer().fit_transform(X)},
            cells_apart,
            why="Cells given twice are added and rows divided by their largest cell first, so that no square "
            "overflows; scikit-learn does neither.",
        ),
    ]


def cells_apart(a, b) -> float:
    """The largest difference of two sparse tables."""
    return float(abs(a - b).max())


ROWS = (words_of_classes, words_validated, words_counted)
