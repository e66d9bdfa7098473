"""What a fitted model says of rows it has not seen, and how wrong it is about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from suffice._core.errors import NumericalError, Unsupported
from suffice._core.losses import Loss
from suffice._core.records import record
from suffice.distributions import Categorical, Distribution
from suffice.evaluation._levels.arguments import arguments_for, bind_arguments, wrapped_estimator
from suffice.evaluation._levels.densities import log_densities
from suffice.evaluation._levels.failures import Failure, attempt
from suffice.evaluation._levels.pipelines import steps_of
from suffice.evaluation._levels.validation_table import ValidationTable
from suffice.evaluation.protocols import Predictive
from suffice.statistics.folds import Folds, Index

TINY = 1e-300  # probabilities below have lost digits, or everything


@record
class HeldOutFolds:
    """What folds leave behind: their test rows, the fold of each (or of all), and what the models said."""

    test: np.ndarray
    fold: Any
    predictions: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    distribution: Distribution | None = None
    note: str | None = None
    failure: Failure | None = None
    log_density: np.ndarray | None = None


def predict_fold(fitted: Any, table: ValidationTable, rows: Index, loss: Loss, fold: int) -> HeldOutFolds:
    """Predictions, probabilities and distributions for the test rows of a fold; of a density their log densities."""
    X, index, given = table.inputs(rows), np.arange(len(table))[rows], table.arguments(rows)
    if loss.of_density:
        return HeldOutFolds(index, fold, log_density=log_densities(fitted, X, index, given))
    note, distribution = None, None
    try:
        distribution = distribution_of(fitted, X, given)
    except NumericalError as error:
        if loss.needs == "predict_dist":
            raise
        note = f"fold {fold} has no predictive distribution: {error}"
    if isinstance(distribution, Categorical) and isinstance(fitted, Predictive):
        predictions, proba = distribution.mode, distribution.probabilities  # what these are by contract
    else:
        predictions, proba = fitted.predict(X, **arguments_for(fitted, "predict", given)), None
    if not (is_classifier(fitted) and hasattr(fitted, "predict_proba")):
        return HeldOutFolds(index, fold, predictions, None, distribution, note)
    classes = table.labels
    if proba is None:
        proba = fitted.predict_proba(X, **arguments_for(fitted, "predict_proba", given))
    proba = _spread_over_classes(proba, fitted.classes_, classes)
    if isinstance(distribution, Categorical) and len(classes) > len(fitted.classes_):
        missing = ", ".join(map(repr, np.setdiff1d(classes, fitted.classes_).tolist()))
        note = f"fold {fold} has no training row of class {missing}; its probability there is zero"
        distribution = _with_all_classes(distribution, classes)
    return HeldOutFolds(index, fold, predictions, proba, distribution, note)


def predict_held_out(
    fit: Callable[[], Any], table: ValidationTable, folds: Folds, loss: Loss, i: int, where: str
) -> HeldOutFolds:
    """The predictions of the model of fold i; where it failed, the fold has rows and nothing to say about them."""
    answer = attempt(lambda: predict_fold(fit(), table, folds.test(i), loss, i), where)
    return (
        answer
        if isinstance(answer, HeldOutFolds)
        else HeldOutFolds(np.arange(len(table))[folds.test(i)], i, failure=answer)
    )


def _spread_over_classes(
    values: np.ndarray, classes: np.ndarray, everything: np.ndarray, rest: float = 0.0
) -> np.ndarray:
    """A column for each of all classes; those that a fold has not seen have `rest` everywhere."""
    out = np.full((len(values), len(everything)), rest)
    out[:, np.searchsorted(everything, classes)] = values
    return out


def _with_all_classes(distribution: Categorical, classes: np.ndarray) -> Categorical:
    """The same over more classes, which have probability zero."""
    proba = _spread_over_classes(distribution.probabilities, distribution.classes, classes)
    logs = distribution.log_probabilities
    return Categorical(
        proba,
        classes,
        None if logs is None else _spread_over_classes(logs, distribution.classes, classes, -np.inf),
    )


def distribution_of(fitted: Any, X: Any, given: dict[str, Any] | None = None) -> Distribution | None:
    """`predict_dist`, or the probabilities of a classifier as a distribution over its classes; else None.

    `given` are the further arguments of `fit` for these rows.
    """
    given, steps = given or {}, steps_of(fitted)
    if steps is not None and isinstance(steps[-1][1], Predictive):
        last, options = wrapped_estimator(fitted, given)
        return last.predict_dist(
            fitted[:-1].transform(X) if len(steps) > 1 else X, **arguments_for(last, "predict_dist", options)
        )
    if isinstance(fitted, Predictive):
        return fitted.predict_dist(X, **arguments_for(fitted, "predict_dist", given))
    if is_classifier(fitted) and hasattr(fitted, "predict_proba"):
        proba = fitted.predict_proba(X, **arguments_for(fitted, "predict_proba", given))
        return Categorical(proba, fitted.classes_, _logs_of_tiny(fitted, X, given, np.asarray(proba)))
    return None


def _logs_of_tiny(fitted: Any, X: Any, given: dict[str, Any], proba: np.ndarray) -> np.ndarray | None:
    """Logarithms of probabilities of which some are too small for a float, from a model that has these too."""
    tiny = proba < TINY
    if not tiny.any() or not hasattr(fitted, "predict_log_proba"):
        return None
    with np.errstate(divide="ignore"):
        said = np.asarray(fitted.predict_log_proba(X, **arguments_for(fitted, "predict_log_proba", given)))
        own = np.log(proba / proba.sum(axis=1, keepdims=True))
    return np.where(tiny & (said < np.log(TINY)), said, own)


def losses_of(fitted: Any, table: ValidationTable, rows: Index, loss: Loss) -> np.ndarray:
    """One loss per row."""
    X, index, given = table.inputs(rows), np.arange(len(table))[rows], table.arguments(rows)
    if loss.of_density:
        return loss(None, log_densities(fitted, X, index, given))
    if loss.needs == "predict":
        return loss(table.targets(rows), fitted.predict(X, **arguments_for(fitted, "predict", given)), index)
    distribution = distribution_of(fitted, X, given)
    if distribution is None:
        raise Unsupported(
            f"The loss {loss.name!r} needs predict_dist, which {type(fitted).__name__} does not have."
        )
    if isinstance(distribution, Categorical) and is_classifier(fitted):
        known = np.union1d(table.labels, distribution.classes)
        if len(known) > len(distribution.classes):
            distribution = _with_all_classes(distribution, known)
    return loss(table.targets(rows), distribution)


def mean_loss(fitted: Any, table: ValidationTable, rows: Index, loss: Loss) -> float:
    """The weighted mean of the loss over some rows."""
    return weighted_mean(losses_of(fitted, table, rows, loss), table.weights(rows))


def weighted_mean(losses: np.ndarray, w: np.ndarray) -> float:
    """An infinite loss of a row that does not count is none."""
    return float(w @ np.where(w > 0, losses, 0.0) / w.sum())


def score_rows(scorer: Callable, fitted: Any, table: ValidationTable, rows: Index) -> float:
    """What a scorer says of some rows; it is asked without targets where there are none."""
    target = () if table.y is None else (table.targets(rows),)
    return float(scorer(bind_arguments(fitted, table.arguments(rows)), table.inputs(rows), *target))
