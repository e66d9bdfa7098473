"""Measures of classifiers: an area with its interval against sorting the scores, tables against scikit-learn's."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
from sklearn import metrics

from benchmarks.harness import Figure, Result, _timed, race, relative
from benchmarks.tables import small
from suffice.evaluation import confusion, roc


def areas(quick: bool) -> list[Result]:
    """DeLong's interval costs little more than the order of the scores."""
    n = small(1_000_000, quick)
    rng = np.random.default_rng(0)
    y = rng.random(n) < 0.3
    score = rng.standard_normal(n) + y
    works = {"ours": lambda: roc(y, score).interval, "sort": lambda: np.sort(score)}
    seconds = {k: np.median([_timed(nullcontext, w)[0] for _ in range(7)]) for k, w in works.items()}
    beside = f"{1e3 * seconds['ours']:.0f} ms; np.sort {1e3 * seconds['sort']:.0f} ms"
    what = f"area under the ROC curve with DeLong's interval over one sort, {n:,} scores"
    return [
        Figure(what, float(seconds["ours"] / seconds["sort"]), "×", 4.0, beside),
        race(
            f"area with DeLong's interval, {n:,} scores",
            lambda: float(roc(y, score).area),
            {"scikit-learn roc_auc_score (no interval)": lambda: metrics.roc_auc_score(y, score)},
            relative,
        ),
    ]


def tables(quick: bool) -> list[Result]:
    """A confusion table of ten classes."""
    n = small(1_000_000, quick)
    rng = np.random.default_rng(1)
    y = rng.integers(0, 10, n)
    yhat = np.where(rng.random(n) < 0.8, y, rng.integers(0, 10, n))
    return [
        race(
            f"confusion, ten classes, {n:,} rows",
            lambda: confusion(y, yhat).table,
            {"scikit-learn confusion_matrix": lambda: metrics.confusion_matrix(y, yhat)},
            relative,
        )
    ]


ROWS = (areas, tables)
