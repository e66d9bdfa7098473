"""From whatever a caller means by `cv` to folds: checked once, and never iterated where the kind says it all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    StratifiedGroupKFold,
    StratifiedKFold,
    check_cv,
)

from suffice._core.errors import InvalidInput, SufficeWarning, warn
from suffice.evaluation._levels.pipelines import n_rows
from suffice.statistics.folds import Folds, Partition, as_folds

PARTITIONS = (KFold, StratifiedKFold, GroupKFold, StratifiedGroupKFold, LeaveOneGroupOut)


def make_folds(cv: Any, model: Any, X: Any, y: Any = None, groups: Any = None) -> Folds:
    """Folds from an integer (as scikit-learn's `check_cv`), a splitter, or pairs of row numbers."""
    n = n_rows(X)
    if isinstance(cv, float | type) or (isinstance(cv, Iterable) and not hasattr(cv, "split")):
        cv = _check_pairs(cv)
    try:
        splitter = check_cv(cv, y, classifier=is_classifier(model))
        folds = _folds_of_kind(splitter, n) or _iterate_splitter(splitter, X, y, groups, n)
    except InvalidInput:
        raise
    except ValueError as error:
        raise InvalidInput(f"{_name_splitter(cv)} cannot split these {n} rows: {error}") from error
    _check_folds(folds)
    if groups is not None and type(splitter) is KFold and not splitter.shuffle:
        warn("KFold takes no notice of groups; use GroupKFold to keep them together.", SufficeWarning)
    return folds


def _check_pairs(cv: Any) -> list[tuple[Any, Any]]:
    """Pairs of training and test rows, or the sentence that says what `cv` may be."""
    pairs = list(cv) if isinstance(cv, Iterable) and not isinstance(cv, type | str) else [cv]
    if not all(_is_pair(p) for p in pairs):
        hint = " One pair goes into a list." if _is_pair(cv) else ""
        raise InvalidInput(
            f"cv must be an integer, a splitter or pairs (training rows, test rows); got {cv!r:.120}.{hint}"
        )
    return pairs


def _is_pair(value: Any) -> bool:
    sized = isinstance(value, tuple | list | np.ndarray) and len(value) == 2
    return sized and all(np.ndim(rows) == 1 for rows in value)


def _name_splitter(cv: Any) -> str:
    return f"cv={cv!r}" if isinstance(cv, int) else type(cv).__name__


def _folds_of_kind(splitter: Any, n: int) -> Partition | None:
    """Folds that the splitter's type determines."""
    if type(splitter) is LeaveOneOut:
        return _blocks(n, n)
    if type(splitter) is KFold and not splitter.shuffle:
        return _blocks(n, splitter.n_splits)
    return None


def _blocks(n: int, k: int) -> Partition:
    """Consecutive blocks, the first n mod k of them one row longer."""
    if n < max(k, 2):
        raise InvalidInput(f"{k} folds need at least {max(k, 2)} rows; got n_samples={n}.")
    sizes = np.full(k, n // k)
    sizes[: n % k] += 1
    return Partition.of_sizes(sizes)


def _iterate_splitter(splitter: Any, X: Any, y: Any, groups: Any, n: int) -> Folds:
    if type(splitter) in PARTITIONS:  # by their definition each row is tested once, by the others
        tests = [np.asarray(test) for _, test in splitter.split(X, y, groups)]
        if len(tests) > 1:
            return Partition.of_tests(tests)
    return as_folds(list(splitter.split(X, y, groups)), n)


def _check_folds(folds: Folds) -> None:
    if len(folds) == 0:
        raise InvalidInput("The splitter yields no folds.")
    for i in np.flatnonzero(folds.sizes == 0)[:1]:
        raise InvalidInput(f"Fold {i} has no test rows. Use fewer folds, or a splitter that fills each.")
    if isinstance(folds, Partition):
        return
    for i, (train, _) in enumerate(folds.splits):
        if len(train) == 0:
            raise InvalidInput(f"Fold {i} has no training rows. Use fewer folds or a later start.")


def note_flattering_folds(folds: Folds) -> tuple[str, ...]:
    """What a reader should know about the folds: rows that are tested by a model that has seen them."""
    if isinstance(folds, Partition):
        return ()
    seen = [i for i, (train, test) in enumerate(folds.splits) if len(np.intersect1d(train, test))]
    if not seen:
        return ()
    return (f"{len(seen)} folds (first: {seen[0]}) test rows that they train on, which flatters the model",)
