"""Generative classifiers: validation without refitting, single fits, and missing cells, against scikit-learn's."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from scipy.special import softmax
from sklearn import discriminant_analysis as discriminant
from sklearn import linear_model
from sklearn import naive_bayes as naive
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_wine
from sklearn.impute import SimpleImputer
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

from benchmarks.harness import Figure, Race, Result, race
from benchmarks.tables import BOTH, small
from suffice.evaluation import cross_validate
from suffice.generative import (
    BayesClassifier,
    BernoulliNB,
    CategoricalNB,
    FisherDiscriminant,
    GaussianNB,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    MixedNB,
    Perceptron,
    QuadraticDiscriminantAnalysis,
)

CLASSES = 4
FOLDED = (
    (GaussianNB, naive.GaussianNB, 3.0),
    (LinearDiscriminantAnalysis, discriminant.LinearDiscriminantAnalysis, 8.0),
    (QuadraticDiscriminantAnalysis, discriminant.QuadraticDiscriminantAnalysis, 4.0),
)


def labelled(n: int, d: int, classes: int = CLASSES, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Correlated columns whose means and spreads differ from class to class; every class overlaps with others."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.standard_normal((n, d)) * rng.uniform(0.7, 1.5, (classes, d))[y]
    return X @ (np.eye(d) + 0.1 * rng.standard_normal((d, d))) + 0.4 * rng.standard_normal((classes, d))[y], y


def unequal(a: np.ndarray, b: np.ndarray) -> float:
    """The share of labels that differ."""
    return float(np.mean(np.asarray(a) != np.asarray(b)))


def folded(quick: bool) -> list[Result]:
    """Ten folds: labels of every row by the model without its fold."""
    X, y = labelled(small(200_000, quick), 30)
    return [_folded(ours(), theirs(), X, y, bar, quick) for ours, theirs, bar in FOLDED]


def _folded(ours, theirs, X: np.ndarray, y: np.ndarray, bar: float, quick: bool) -> Race:
    cv = StratifiedKFold(10)

    def our() -> np.ndarray:
        result = cross_validate(ours, X, y, cv=cv)
        assert result.how == "statistics", result.notes
        return result.predictions

    def their(n_jobs: int | None) -> Callable[[], np.ndarray]:
        return lambda: cross_val_predict(theirs, X, y, cv=cv, n_jobs=n_jobs)

    peers = {"cross_val_predict": their(None)} | ({} if quick else {"n_jobs=-1": their(-1)})
    what = f"10 folds of {type(ours).__name__}, {len(y):,} × {X.shape[1]}"
    return race(what, our, peers, unequal, runs=3, bars=dict.fromkeys(BOTH, bar))


def rows_left_out(quick: bool) -> list[Result]:
    """Every row left out once. The peer refits only some of them, and its seconds are scaled up."""
    n, some = small(2_000, quick), 100 if quick else 400
    X, y = labelled(n, 60 if not quick else 10)
    splits = [(np.delete(np.arange(n), i), np.array([i])) for i in range(min(some, n))]
    pairs = (
        (LinearDiscriminantAnalysis(), discriminant.LinearDiscriminantAnalysis(), 300.0),
        (QuadraticDiscriminantAnalysis(), discriminant.QuadraticDiscriminantAnalysis(), None),
        (GaussianNB(), naive.GaussianNB(), None),
    )
    return [_left_out(ours, theirs, X, y, splits, bar) for ours, theirs, bar in pairs]


def _left_out(ours, theirs, X: np.ndarray, y: np.ndarray, splits: list, bar: float | None) -> Race:
    def their() -> np.ndarray:
        return np.array([theirs.fit(X[a], y[a]).predict(X[b])[0] for a, b in splits])

    return race(
        f"leave-one-out of {type(ours).__name__}, {len(y):,} × {X.shape[1]} (peer: {len(splits)} rows, scaled)",
        lambda: cross_validate(ours, X, y, cv=LeaveOneOut()).predictions,
        {"scikit-learn": their},
        lambda a, b: unequal(a[: len(splits)], b),
        runs=3,
        share=len(splits) / len(y),
        bars={} if bar is None else dict.fromkeys(BOTH, bar),
    )


def single_fits(quick: bool) -> list[Result]:
    """One fit and the probabilities of all rows."""
    X, y = labelled(small(200_000, quick), 30)
    codes = np.clip(2 * X + 4, 0, 7).astype(int)
    mixed = np.hstack([X[:, :15], codes[:, 15:]])
    return [
        *(_once(ours(), theirs(), X, y) for ours, theirs, _ in FOLDED),
        _once(BernoulliNB(), naive.BernoulliNB(), X, y),
        _once(CategoricalNB(min_categories=8), naive.CategoricalNB(min_categories=8), codes, y),
        _once(MixedNB(["gaussian"] * 15 + ["categorical"] * 15), Glued(15), mixed, y),
        _once(BayesClassifier(), discriminant.QuadraticDiscriminantAnalysis(), X, y),
    ]


class Glued:
    """scikit-learn's two naive models side by side: numbers first, then codes."""

    def __init__(self, n_numbers: int) -> None:
        self.n_numbers = n_numbers

    def fit(self, X: np.ndarray, y: np.ndarray) -> Glued:
        """One model for each kind of columns."""
        self.numbers = naive.GaussianNB().fit(X[:, : self.n_numbers], y)
        self.codes = naive.CategoricalNB(min_categories=8).fit(X[:, self.n_numbers :].astype(int), y)
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """The product of both, with one prior."""
        numbers = self.numbers.predict_joint_log_proba(X[:, : self.n_numbers])
        codes = self.codes.predict_joint_log_proba(X[:, self.n_numbers :].astype(int))
        return softmax(numbers + codes - self.codes.class_log_prior_, axis=1)


def _once(ours, theirs, X: np.ndarray, y: np.ndarray) -> Race:
    name = type(theirs).__name__
    return race(
        f"fit and predict_proba of {type(ours).__name__}, {X.shape[0]:,} × {X.shape[1]}",
        lambda: ours.fit(X, y).predict_proba(X),
        {
            "GaussianNB and CategoricalNB" if name == "Glued" else name: lambda: theirs.fit(
                X, y
            ).predict_proba(X)
        },
        lambda a, b: float(np.max(np.abs(a - b))),
        runs=3,
        bars=dict.fromkeys(BOTH, 1.0),
    )


def lines(quick: bool) -> list[Result]:
    """Boundaries without densities, and Fisher's directions: one fit and the labels of all rows."""
    X, y = labelled(small(200_000, quick), 30)
    ten_passes = {"shuffle": False, "max_iter": 10, "tol": None}
    pairs = (
        (FisherDiscriminant(), discriminant.LinearDiscriminantAnalysis(solver="eigen")),
        (LeastSquaresClassifier(), linear_model.RidgeClassifier(alpha=0.0)),
        (Perceptron(**ten_passes), linear_model.Perceptron(**ten_passes)),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no plane separates these classes
        return [_labels(ours, theirs, X, y) for ours, theirs in pairs]


def _labels(ours, theirs, X: np.ndarray, y: np.ndarray) -> Race:
    return race(
        f"fit and predict of {type(ours).__name__}, {X.shape[0]:,} × {X.shape[1]}",
        lambda: ours.fit(X, y).predict(X),
        {type(theirs).__name__: lambda: theirs.fit(X, y).predict(X)},
        unequal,
        runs=3,
        bars=dict.fromkeys(BOTH, 1.0),
    )


def missing_cells(quick: bool) -> list[Result]:
    """Wine with a fifth of its cells gone: marginalized, or filled with the means of the training rows."""
    X, y = load_wine(return_X_y=True)
    gaps = np.random.default_rng(0).random(X.shape) < 0.2
    X = np.where(gaps, np.nan, X)
    shrunk = QuadraticDiscriminantAnalysis(shrinkage="auto")
    models = {
        "QDA, shrunk": shrunk,
        "QDA, shrunk, after mean imputation": make_pipeline(SimpleImputer(), shrunk),
        "QDA, as it is": QuadraticDiscriminantAnalysis(),
        "GaussianNB": GaussianNB(),
    }
    cv = StratifiedKFold(10, shuffle=True, random_state=0)
    found = {name: _judged(model, X, y, cv) for name, model in models.items()}
    imputed = found["QDA, shrunk, after mean imputation"][1]
    bars = {"QDA, shrunk": (0.07, imputed)}
    out: list[Result] = []
    for name, (error, loss) in found.items():
        bar = bars.get(name, (None, None))
        out.append(Figure(f"errors on wine with 20 % of cells missing, {name}", error, "", bar[0]))
        out.append(Figure(f"log loss on wine with 20 % of cells missing, {name}", loss, "", bar[1]))
    return out


def _judged(model: ClassifierMixin, X: np.ndarray, y: np.ndarray, cv) -> tuple[float, float]:
    """Share of wrong labels and log loss over ten folds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes with few complete rows are regularized, and say so
        found = cross_validate(model, X, y, cv=cv, loss="log")
    return unequal(found.predictions, y), found.estimate


ROWS = (folded, rows_left_out, single_fits, lines, missing_cells)
