"""Scores as scikit-learn's validation defines them, read off the statistics where the model allows it.

A score is what a scorer says of one test fold, and folds count alike. Where anything but the folds, the scorers and
models of this library is asked for, or a fit fails, there is no answer here and scikit-learn's own road is taken.
"""

from __future__ import annotations

import numbers
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.pipeline import Pipeline

from suffice._core.errors import SufficeError
from suffice._core.losses import LOSSES
from suffice._core.records import record
from suffice.evaluation._levels.ladder import Ladder
from suffice.evaluation._levels.question import slowest_level
from suffice.evaluation._levels.splits import make_folds
from suffice.evaluation._levels.validation_table import ValidationTable, make_table, rows_to_read
from suffice.statistics.folds import Folds, Index

# of mean losses and variances of the targets, per fold
Score = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _minus(loss: np.ndarray, _: np.ndarray) -> np.ndarray:
    return -loss


def _minus_root(loss: np.ndarray, _: np.ndarray) -> np.ndarray:
    return -np.sqrt(loss)


def _share(loss: np.ndarray, _: np.ndarray) -> np.ndarray:
    return 1 - loss


def _explained(loss: np.ndarray, variance: np.ndarray) -> np.ndarray:
    return 1 - loss / variance


FORMULAS: dict[str, tuple[str, Score]] = {  # scorers that are functions of a mean loss
    "accuracy": ("misclassification", _share),
    "r2": ("squared", _explained),
    "neg_mean_squared_error": ("squared", _minus),
    "neg_root_mean_squared_error": ("squared", _minus_root),
    "neg_mean_absolute_error": ("absolute", _minus),
    "neg_mean_poisson_deviance": ("poisson", _minus),
}


@record
class PeerScores:
    """By scorer: the score of every candidate (rows) in every fold (columns), on test and perhaps training rows."""

    test: dict[str, np.ndarray]
    train: dict[str, np.ndarray]
    sizes: np.ndarray
    how: str
    notes: tuple[str, ...]
    seconds: float


def peer_scores(
    estimator: Any,
    grid: Sequence[Mapping[str, Any]],
    X: Any,
    y: Any,
    *,
    scoring: Any,
    cv: Any,
    groups: Any = None,
    train: bool = False,
) -> PeerScores | None:
    """The scores of all candidates, or None where each has to be fitted to each training set."""
    if not is_repeatable(cv):
        return None
    try:
        table = make_table(X, y, None, None, estimator)
        splitter = check_cv(cv, table.y, classifier=is_classifier(estimator))
        folds = make_folds(splitter, estimator, table.X, table.y, groups)
    except (SufficeError, ValueError, TypeError):
        return None  # the slow road says what is wrong, as scikit-learn says it
    return scores_in_folds(estimator, grid, table, folds, scoring, train)


def scores_in_folds(
    estimator: Any,
    grid: Sequence[Mapping[str, Any]],
    table: ValidationTable,
    folds: Folds,
    scoring: Any,
    train: bool,
) -> PeerScores | None:
    """The same in folds that are known."""
    scorers = _name_scorers(scoring)
    if scorers is None or not grid or table.weight is not None or table.params:
        return None
    start = time.perf_counter()
    try:
        ladder = Ladder(estimator, [dict(g) for g in grid], table, visits=rows_to_read(folds))
        found = [_score_candidates(ladder, folds, name, train) for name in scorers.values()]
    except (SufficeError, ValueError, TypeError):
        return None
    answers = [answer for answer in found if answer is not None]
    if len(answers) < len(found):
        return None
    tests, trains, hows, notes = zip(*answers, strict=True)
    return PeerScores(
        dict(zip(scorers, tests, strict=True)),
        dict(zip(scorers, trains, strict=True)),
        folds.sizes,
        slowest_level(hows),
        tuple(dict.fromkeys(chain(*notes))),
        time.perf_counter() - start,
    )


def _name_scorers(scoring: Any) -> dict[str, Any] | None:
    """Scorers by the names of their columns, where all are given by name (or left out)."""
    if scoring is None or isinstance(scoring, str):
        return {"score": scoring}
    if isinstance(scoring, dict) and all(isinstance(v, str) for v in scoring.values()):
        return dict(scoring)
    if isinstance(scoring, list | tuple) and len({*map(str, scoring)}) == len(scoring):
        return {v: v for v in scoring} if all(isinstance(v, str) for v in scoring) else None
    return None


def is_repeatable(cv: Any) -> bool:
    """Whether asking for the folds again gives the same ones and uses nothing up."""
    if cv is None or isinstance(cv, numbers.Integral):
        return True
    known = type(cv).__module__ == check_cv(2).__module__
    drawn = isinstance(getattr(cv, "random_state", 0), np.random.RandomState | type(None))
    return known and not (drawn and getattr(cv, "shuffle", True))


def _score_candidates(
    ladder: Ladder, folds: Folds, name: str | None, train: bool
) -> tuple[np.ndarray, np.ndarray, str, tuple[str, ...]] | None:
    estimator, table = ladder.grid.model, ladder.table
    formula = FORMULAS.get(name or _default_score(estimator))
    scorer = None if formula else check_scoring(estimator, scoring=name)
    loss = LOSSES[formula[0] if formula else "squared"]
    if ladder.refits(scorer) or (name in (None, "r2") and formula is not None and np.ndim(table.y) != 1):
        return None
    scores = ladder.scores(folds, loss, scorer=scorer, train=train, strict=True)
    if formula is None:
        test, trained = -scores.test, -scores.train
    else:
        test = formula[1](scores.test, _variances(table, folds, folds.test))
        trained = formula[1](scores.train, _variances(table, folds, folds.train)) if train else scores.train
    if not (np.isfinite(test).all() and (np.isfinite(trained).all() or not train)):
        return None
    return test, trained, scores.how, scores.notes


def _default_score(estimator: Any) -> str:
    """What `score` of an estimator measures, where it is scikit-learn's own."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    score = getattr(type(estimator), "score", None) if isinstance(estimator, BaseEstimator) else None
    return {ClassifierMixin.score: "accuracy", RegressorMixin.score: "r2"}.get(score, "")


def _variances(table: ValidationTable, folds: Folds, rows_of: Callable[[int], Index]) -> np.ndarray:
    """Of the targets in each fold; NaN, so that the slow road decides, where they do not vary."""
    y = np.asarray(table.y)
    if y.dtype.kind not in "biuf":
        return np.ones(len(folds))
    values = np.array([np.var(y[rows_of(i)]) for i in range(len(folds))])
    return np.where(values > 0, values, np.nan)
