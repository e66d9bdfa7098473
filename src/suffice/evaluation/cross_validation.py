"""Cross-validation: in closed form or from statistics where the model allows it, by refitting otherwise.

Level 1, *statistics*: the table is read once, each fold leaves a statistic, and the model of all other folds
is solved from their sum. Level 2, *closed form*: one fit to all rows says what each row would be predicted
without its fold. Level 3, *refit*: any scikit-learn estimator, one clone per fold. All predict the held-out
rows once; `suffice.evaluation.protocols` says what a model implements for each.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import (
    Unsupported,
    check_choice,
    check_fraction,
)
from suffice._core.losses import Loss, mean_interval, resolve_loss
from suffice._core.validation import Validation
from suffice.distributions import Distribution
from suffice.engine import one_blas_thread
from suffice.evaluation._levels.approximate import HOW, held_by_steps
from suffice.evaluation._levels.arguments import note_fit_weights
from suffice.evaluation._levels.densities import note_impossible_rows, note_prepared_density
from suffice.evaluation._levels.failures import report
from suffice.evaluation._levels.ladder import Ladder
from suffice.evaluation._levels.peer_record import peer_record
from suffice.evaluation._levels.predictions import HeldOutFolds
from suffice.evaluation._levels.question import Answered
from suffice.evaluation._levels.splits import make_folds, note_flattering_folds
from suffice.evaluation._levels.validation_table import (
    ValidationTable,
    check_counted,
    make_table,
    rows_to_read,
    sizes_of_tests,
)


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
    approximate: bool = False,
    scoring: Any = None,
    return_train_score: bool = False,
    return_estimator: bool = False,
) -> Validation:
    """The loss of a model on rows it has not seen.

    Parameters
    ----------
    model
        Any scikit-learn estimator; those fitted from statistics are not refitted.
    cv
        An integer (as scikit-learn's `check_cv`), a splitter, or pairs of training and test indices.
    loss
        "squared", "absolute", "poisson" (the deviance), "misclassification", "log", a function of (y, prediction) with
        one value per row, or None for the default of the model's kind: squared, misclassification, or "log density",
        −log p(x) of every row, for a density (`score_samples` and no targets; it has no predictions).
    sample_weight
        How often each row counts, in training (of a Pipeline: in every step that takes weights) and in the average. A
        fold whose test rows all weigh nothing is refused. Where metadata routing is switched on, what
        `set_fit_request(sample_weight=False)` keeps them from is fitted without, and they count in the average.
    params
        Further arguments of `fit`, sliced where they have one entry per row. What `predict` takes too, such as an
        offset, reaches it for the rows it predicts. Weights given here count in the fit alone, as in scikit-learn,
        and a note says so.
    average
        "size": over all test rows; "fold": over folds, each counting once.
    n_jobs
        Parallel refits.
    approximate
        For `LeaveOneOut` of models with a likelihood: leave each row out by one Newton step from the fit to all rows
        instead of refitting. `how` says so, and a note how far that is from exact refits of the most influential rows.
    scoring, return_train_score, return_estimator
        As in scikit-learn's `cross_validate`: a scorer or several, by name, and what else `scores` holds beside the
        test scores of the folds; `result["test_score"]` reads it. Without one it is the model's own (R², accuracy).

    Examples
    --------
    >>> from suffice.datasets import olympic_100m_men
    >>> from suffice.evaluation import cross_validate
    >>> from suffice.linear import LinearRegression
    >>> data = olympic_100m_men()
    >>> result = cross_validate(LinearRegression(), data.X, data.y, cv=len(data.y))
    >>> print(f"{result.estimate:.5f} from {result.how}")
    0.06243 from closed form
    """
    check_choice("average", average, ("size", "fold"))
    check_fraction("confidence", confidence)
    loss = resolve_loss(loss, model)
    table = make_table(X, y, sample_weight, params, model)
    folds = make_folds(cv, model, table.X, table.y, groups)
    sizes_of_tests(table, folds)
    with one_blas_thread():
        if approximate:
            notes, held = held_by_steps(model, table, folds, loss)
            found = Answered(HOW, notes, held)
        else:
            ladder = Ladder(model, [{}], table, visits=rows_to_read(folds), n_jobs=n_jobs)
            found = ladder.predictions(folds, loss)
        notes = (
            found.notes
            + note_prepared_density(model, loss)
            + note_flattering_folds(folds)
            + note_fit_weights(table.params)
        )
        result = assemble(found.held, table, loss, found.how, notes, average, confidence)
        if scoring is None and not return_train_score and not return_estimator:
            return result
        scores = peer_record(model, table, folds, scoring, return_train_score, return_estimator, n_jobs)
        return replace(result, scores=scores)


# -- the record -----------------------------------------------------------------------------------------
def assemble(
    held: list[HeldOutFolds],
    table: ValidationTable,
    loss: Loss,
    how: str,
    notes: tuple[str, ...],
    average: str,
    confidence: float,
) -> Validation:
    notes += report([h.failure for h in held if h.failure is not None], len(held))
    losses = [_losses(h, table, loss) for h in held]
    weights = [table.weights(h.test) for h in held]
    notes += note_impossible_rows(losses, weights) if loss.of_density else ()
    sizes, folds = fold_means(held, losses, weights)
    estimate = float(folds.mean() if average == "fold" else sizes @ folds / sizes.sum())
    n, tested = len(table), np.concatenate([h.test for h in held])
    once = np.bincount(tested, minlength=n).max() <= 1
    interval = None
    if once and np.isfinite(estimate):
        w = np.concatenate(weights)
        interval = mean_interval(np.where(w > 0, np.concatenate(losses), 0.0), w, confidence, loss.binary)
    return Validation(
        estimate,
        interval,
        folds,
        sizes,
        _align_rows(held, losses, n, once),
        _align_rows(held, [h.predictions for h in held], n, once),
        _align_rows(held, [h.probabilities for h in held], n, once),
        _join_distributions(held, n, once),
        how,
        notes + tuple(h.note for h in held if h.note),
        loss.name,
        confidence,
    )


def _losses(h: HeldOutFolds, table: ValidationTable, loss: Loss) -> np.ndarray:
    if h.failure is not None:
        return np.full(len(h.test), np.nan)
    if loss.of_density:
        return loss(None, h.log_density)
    if loss.needs == "predict":
        return loss(table.targets(h.test), h.predictions, h.test)
    if h.distribution is None:
        raise Unsupported(f"The loss {loss.name!r} needs predict_dist, which this model does not have.")
    return loss(table.targets(h.test), h.distribution)


def fold_means(
    held: list[HeldOutFolds], losses: list[np.ndarray], weights: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Total weight and weighted mean loss of every fold."""
    fold = np.concatenate([np.broadcast_to(h.fold, len(h.test)) for h in held])
    w = np.concatenate(weights)
    sizes = check_counted(np.bincount(fold, weights=w))
    counted = np.where(w > 0, np.concatenate(losses), 0.0)  # an infinite loss of weight zero is none
    return sizes, np.bincount(fold, weights=w * counted) / sizes


def _join_distributions(held: list[HeldOutFolds], n: int, once: bool) -> Any:
    """One distribution over all rows where each is tested exactly once; else one per fold; None without.

    One per fold, too, where folds have several kinds: overdispersed counts in some training rows, Poisson in others.
    """
    parts = [h.distribution for h in held if h.distribution is not None]
    if len(parts) < len(held):
        return None
    rows = np.concatenate([h.test for h in held])
    if not once or len(rows) < n or len({type(p) for p in parts}) > 1:
        return parts
    return Distribution.concatenate(parts)[np.argsort(rows)]


def _align_rows(held: list[HeldOutFolds], parts: list[Any], n: int, once: bool) -> Any:
    """One array over all rows where each is tested at most once; else one array per fold; None without."""
    if not once:
        return parts if any(p is not None for p in parts) else None
    present = [(h.test, np.asarray(p)) for h, p in zip(held, parts, strict=True) if p is not None]
    if not present:
        return None
    first = present[0][1]
    complete = sum(len(rows) for rows, _ in present) == n
    numeric = first.dtype.kind in "biuf"
    kind: Any = np.result_type(*(p.dtype for _, p in present))
    kind = kind if complete else (np.result_type(kind, float) if numeric else object)
    out = np.empty((n, *first.shape[1:]), dtype=kind)
    if not complete:
        out[:] = np.nan if numeric else None
    for rows, part in present:
        out[rows] = part
    return out
