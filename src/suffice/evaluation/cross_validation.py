"""Cross-validation: from statistics where the model allows it, by refitting otherwise.

Level 1, *statistics*: the table is read once, each fold leaves a statistic, and the model of all other
folds is solved from their sum. Level 3, *refit*: any scikit-learn estimator, one clone per fold.
Both predict the held-out rows once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, indexable

from suffice._core.errors import (
    InvalidInput,
    NumericalError,
    SufficeError,
    Unsupported,
    check_choice,
    check_fraction,
)
from suffice._core.records import record
from suffice._core.validation import Validation
from suffice.distributions import Distribution
from suffice.engine import one_blas_thread, parallel
from suffice.engine.source import FromStatistics
from suffice.evaluation.losses import Loss, mean_interval, resolve_loss
from suffice.statistics import leave_one_out_merges

Split = tuple[np.ndarray, np.ndarray]


@record
class Held:
    """What one fold leaves behind: its test rows and what the fold's model said about them."""

    test: np.ndarray
    predictions: np.ndarray
    probabilities: np.ndarray | None
    distribution: Distribution | None
    note: str | None = None


@runtime_checkable
class Predictive(Protocol):
    """A model with a distribution for every prediction."""

    def predict_dist(self, X: Any) -> Distribution: ...


def cross_validate(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    cv: Any = 10,
    loss: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    average: str = "size",
    confidence: float = 0.95,
    n_jobs: int | None = None,
) -> Validation:
    """The loss of a model on rows it has not seen.

    Parameters
    ----------
    model
        Any scikit-learn estimator; those fitted from statistics are not refitted.
    cv
        An integer (as scikit-learn's `check_cv`), a splitter, or pairs of training and test indices.
    loss
        "squared", "absolute", "misclassification", "log", a function of (y, prediction) with one value
        per row, or None for the default of the model's kind.
    sample_weight
        Counts in training and in the average.
    params
        Further arguments of `fit`, sliced where they have one entry per row.
    average
        "size": over all test rows; "fold": over folds, each counting once.
    n_jobs
        Parallel refits.

    Examples
    --------
    >>> from suffice.datasets import olympic_100m_men
    >>> from suffice.evaluation import cross_validate
    >>> from suffice.linear import LinearRegression
    >>> data = olympic_100m_men()
    >>> result = cross_validate(LinearRegression(), data.X, data.y, cv=len(data.y))
    >>> print(f"{result.estimate:.5f} from {result.how}")
    0.06243 from statistics
    """
    check_choice("average", average, ("size", "fold"))
    check_fraction("confidence", confidence)
    loss = resolve_loss(loss, model)
    X, y, groups = indexable(X, y, groups)
    target = None if y is None else np.asarray(y)
    splits = _splits(cv, model, X, y, groups)
    notes = _why_refit(model, params)
    with one_blas_thread():
        if notes is None:
            how, held = "statistics", _from_statistics(model, X, y, sample_weight, splits, loss)
        else:
            how, held = "refit", _refits(model, X, y, sample_weight, splits, loss, params or {}, n_jobs)
        return _assemble(held, target, sample_weight, loss, how, notes or (), average, confidence)


def _why_refit(model: Any, params: dict[str, Any] | None) -> tuple[str, ...] | None:
    """None if statistics can answer; else why not, in words."""
    if not isinstance(model, FromStatistics):
        return (f"{type(model).__name__} is not fitted from statistics",)
    if model.state_needs_data:
        return ("its basis takes centres from the rows of each training set",)
    if params:
        return ("fit has further arguments",)
    return None


# -- splits -------------------------------------------------------------------------------------------
def _splits(cv: Any, model: Any, X: Any, y: Any, groups: Any) -> list[Split]:
    splitter = check_cv(cv, y, classifier=is_classifier(model))
    splits = [(np.asarray(a), np.asarray(b)) for a, b in splitter.split(X, y, groups)]
    if not splits:
        raise InvalidInput("The splitter yields no folds.")
    for i, (train, test) in enumerate(splits):
        for name, index in (("training", train), ("test", test)):
            if len(index) == 0:
                raise InvalidInput(f"Fold {i} has no {name} rows.")
    return splits


def _is_partition(splits: Sequence[Split], n: int) -> bool:
    """Every row is tested once, and each fold is trained on all others, once each."""
    if len(splits) < 2 or any(len(a) + len(b) != n for a, b in splits):
        return False
    tested = np.bincount(np.concatenate([b for _, b in splits]), minlength=n)
    return _all_ones(tested) and all(_all_ones(np.bincount(np.concatenate(s), minlength=n)) for s in splits)


def _all_ones(counts: np.ndarray) -> bool:
    return bool(np.all(counts == 1))


# -- the two levels -----------------------------------------------------------------------------------
def _from_statistics(
    model: FromStatistics, X: Any, y: Any, weight: Any, splits: list[Split], loss: Loss
) -> list[Held]:
    rows, plan = model.door(X, y, weight)
    if _is_partition(splits, len(rows)):
        parts = [model.gather(rows[test], plan) for _, test in splits]
        training = leave_one_out_merges(parts)
    else:
        training = [model.gather(rows[train], plan) for train, _ in splits]

    def one(i: int) -> Held:
        fitted = _named(i, lambda: clone(model).solve(training[i]))
        return _hold(i, fitted, _safe_indexing(X, splits[i][1]), splits[i][1], loss)

    return parallel(one, range(len(splits)))


def _refits(
    model: Any, X: Any, y: Any, weight: Any, splits: list[Split], loss: Loss, params: dict, n_jobs: int | None
) -> list[Held]:

    def one(i: int) -> Held:
        train, test = splits[i]
        options = {k: _safe_indexing(v, train) if _has_rows(v, X) else v for k, v in params.items()}
        if weight is not None:
            options["sample_weight"] = np.asarray(weight)[train]
        target = () if y is None else (_safe_indexing(y, train),)
        fitted = _named(i, lambda: clone(model).fit(_safe_indexing(X, train), *target, **options))
        return _hold(i, fitted, _safe_indexing(X, test), test, loss)

    return Parallel(n_jobs=n_jobs)(delayed(one)(i) for i in range(len(splits)))


def _has_rows(value: Any, X: Any) -> bool:
    return np.ndim(value) > 0 and len(value) == X.shape[0]


def _named(i: int, work: Any) -> Any:
    """Run, and say which fold failed if it does."""
    try:
        return work()
    except SufficeError as error:
        error.add_note(f"This happened in fold {i} of a cross-validation.")
        raise


def _hold(i: int, fitted: Any, X: Any, test: np.ndarray, loss: Loss) -> Held:
    distribution, note = None, None
    if loss.needs == "predict_dist" and not isinstance(fitted, Predictive):
        raise Unsupported(
            f"The loss {loss.name!r} needs predict_dist, which {type(fitted).__name__} does not have."
        )
    if isinstance(fitted, Predictive):
        try:
            distribution = fitted.predict_dist(X)
        except NumericalError as error:
            if loss.needs == "predict_dist":
                error.add_note(f"This happened in fold {i} of a cross-validation.")
                raise
            note = f"fold {i} has no predictive distribution: {error}"
    probabilities = (
        fitted.predict_proba(X) if is_classifier(fitted) and hasattr(fitted, "predict_proba") else None
    )
    return Held(test, fitted.predict(X), probabilities, distribution, note)


# -- the record ---------------------------------------------------------------------------------------
def _assemble(
    held: list[Held],
    y: Any,
    weight: Any,
    loss: Loss,
    how: str,
    notes: tuple[str, ...],
    average: str,
    confidence: float,
) -> Validation:
    n = len(y)
    weight = np.ones(n) if weight is None else np.asarray(weight, dtype=float)
    losses = [loss(y[h.test], h.predictions if loss.needs == "predict" else h.distribution) for h in held]
    weights = [weight[h.test] for h in held]
    sizes = np.array([w.sum() for w in weights])
    if np.any(sizes == 0):
        raise InvalidInput(f"Fold {int(np.argmin(sizes))} has no test rows with positive weight.")
    folds = np.array([w @ v / w.sum() for v, w in zip(losses, weights, strict=True)])
    estimate = float(folds.mean() if average == "fold" else sizes @ folds / sizes.sum())
    once = np.bincount(np.concatenate([h.test for h in held]), minlength=n).max() <= 1
    interval = None
    if once:
        interval = mean_interval(np.concatenate(losses), np.concatenate(weights), confidence, loss.binary)
    probabilities = (
        None if held[0].probabilities is None else _aligned(held, [h.probabilities for h in held], n, once)
    )
    notes += tuple(h.note for h in held if h.note)
    return Validation(
        estimate,
        interval,
        folds,
        sizes,
        _aligned(held, losses, n, once),
        _aligned(held, [h.predictions for h in held], n, once),
        probabilities,
        _joined(held, n, once),
        how,
        notes,
        loss.name,
        confidence,
    )


def _joined(held: list[Held], n: int, once: bool) -> Any:
    """One distribution over all rows where each is tested exactly once; else one per fold; None without."""
    parts = [h.distribution for h in held if h.distribution is not None]
    if len(parts) < len(held):
        return None
    rows = np.concatenate([h.test for h in held])
    if not once or len(rows) < n:
        return parts
    return Distribution.concatenate(parts)[np.argsort(rows)]


def _aligned(held: list[Held], parts: list[Any], n: int, once: bool) -> Any:
    """One array over all rows where each is tested at most once; else one array per fold."""
    if not once:
        return parts
    tested = sum(len(h.test) for h in held)
    first = np.asarray(parts[0])
    out = np.empty(
        (n, *first.shape[1:]), dtype=first.dtype if tested == n else np.result_type(first.dtype, float)
    )
    if tested < n:
        out[:] = np.nan
    for h, part in zip(held, parts, strict=True):
        out[h.test] = part
    return out
