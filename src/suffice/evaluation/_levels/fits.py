"""One fit, asked about rows it has not seen: what every level of validation has in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils import _safe_indexing

from suffice._core.errors import FitFailed, InvalidInput, NumericalError, Unsupported, warn
from suffice._core.losses import Loss
from suffice._core.records import record
from suffice.distributions import Categorical, Distribution
from suffice.evaluation._levels.arguments import answering, bound, inside, taken_by_fit
from suffice.evaluation._levels.densities import log_densities
from suffice.evaluation._levels.piped import PIPED
from suffice.evaluation._levels.pipelines import steps_of
from suffice.evaluation._levels.routing import refuse_unrequested, with_weights
from suffice.evaluation.protocols import Conditioned, Doubts, FromStatistics, Predictive, offers
from suffice.statistics import ClassStatistics
from suffice.statistics.folds import Folds, Index, Partition

TINY = 1e-300  # probabilities below have lost digits, or everything
WORST = 1e12  # scaled condition of a training set beyond which merged statistics are not trusted


@record
class ValidationTable:
    """The rows of a validation: inputs and targets as given, weights, and further arguments of `fit`."""

    X: Any
    y: Any
    weight: np.ndarray | None
    params: dict[str, Any]

    def __len__(self) -> int:
        return self.X.shape[0] if hasattr(self.X, "shape") else len(self.X)

    @cached_property
    def labels(self) -> np.ndarray:
        """The different targets, in order."""
        return np.unique(np.asarray(self.y))

    def inputs(self, rows: Index) -> Any:
        return _safe_indexing(self.X, rows)

    def targets(self, rows: Index) -> np.ndarray:
        if self.y is None:
            raise InvalidInput("This loss compares predictions with y, and there is no y; give it.")
        return np.asarray(self.y)[rows]

    def weights(self, rows: Index) -> np.ndarray:
        """The weights of some rows: ones where none were given."""
        if self.weight is not None:
            return self.weight[rows]
        return np.ones(len(range(*rows.indices(len(self))) if isinstance(rows, slice) else rows))

    def fit(self, model: Any, rows: np.ndarray) -> Any:
        """A fitted copy of the model, with everything that has one entry per row cut to these rows."""
        refuse_unrequested(model, self.params)
        new, weights = (clone(model), {}) if self.weight is None else with_weights(model, self.weight[rows])
        target = () if self.y is None else (_safe_indexing(self.y, rows),)
        return new.fit(self.inputs(rows), *target, **self.arguments(rows), **weights)

    def arguments(self, rows: Index) -> dict[str, Any]:
        """Further arguments of `fit` for some rows."""
        return {k: _safe_indexing(v, rows) if self._has_rows(v) else v for k, v in self.params.items()}

    def for_baseline(self, model: Any) -> ValidationTable:
        """The same rows for a constant, which takes no arguments but those its `fit` names."""
        return replace(self, params=taken_by_fit(model, self.params))

    def _has_rows(self, value: Any) -> bool:
        return np.ndim(value) > 0 and len(value) == len(self)


@record
class Failure:
    """A fit that did not work: where, and what it said."""

    where: str
    message: str
    error: Any


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


def ask(fitted: Any, table: ValidationTable, rows: Index, loss: Loss, fold: int) -> HeldOutFolds:
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
        predictions, proba = fitted.predict(X, **answering(fitted, "predict", given)), None
    if not (is_classifier(fitted) and hasattr(fitted, "predict_proba")):
        return HeldOutFolds(index, fold, predictions, None, distribution, note)
    classes = table.labels
    if proba is None:
        proba = fitted.predict_proba(X, **answering(fitted, "predict_proba", given))
    proba = _over_all(proba, fitted.classes_, classes)
    if isinstance(distribution, Categorical) and len(classes) > len(fitted.classes_):
        missing = ", ".join(map(repr, np.setdiff1d(classes, fitted.classes_).tolist()))
        note = f"fold {fold} has no training row of class {missing}; its probability there is zero"
        distribution = _of_all_classes(distribution, classes)
    return HeldOutFolds(index, fold, predictions, proba, distribution, note)


def _over_all(
    values: np.ndarray, classes: np.ndarray, everything: np.ndarray, rest: float = 0.0
) -> np.ndarray:
    """A column for each of all classes; those that a fold has not seen have `rest` everywhere."""
    out = np.full((len(values), len(everything)), rest)
    out[:, np.searchsorted(everything, classes)] = values
    return out


def _of_all_classes(distribution: Categorical, classes: np.ndarray) -> Categorical:
    """The same over more classes, which have probability zero."""
    proba = _over_all(distribution.probabilities, distribution.classes, classes)
    logs = distribution.log_probabilities
    return Categorical(
        proba, classes, None if logs is None else _over_all(logs, distribution.classes, classes, -np.inf)
    )


def distribution_of(fitted: Any, X: Any, given: dict[str, Any] | None = None) -> Distribution | None:
    """`predict_dist`, or the probabilities of a classifier as a distribution over its classes; else None.

    `given` are the further arguments of `fit` for these rows.
    """
    given, steps = given or {}, steps_of(fitted)
    if steps is not None and isinstance(steps[-1][1], Predictive):
        last, options = inside(fitted, given)
        return last.predict_dist(
            fitted[:-1].transform(X) if len(steps) > 1 else X, **answering(last, "predict_dist", options)
        )
    if isinstance(fitted, Predictive):
        return fitted.predict_dist(X, **answering(fitted, "predict_dist", given))
    if is_classifier(fitted) and hasattr(fitted, "predict_proba"):
        proba = fitted.predict_proba(X, **answering(fitted, "predict_proba", given))
        return Categorical(proba, fitted.classes_, _logs_of_tiny(fitted, X, given, np.asarray(proba)))
    return None


def _logs_of_tiny(fitted: Any, X: Any, given: dict[str, Any], proba: np.ndarray) -> np.ndarray | None:
    """Logarithms of probabilities of which some are too small for a float, from a model that has these too."""
    tiny = proba < TINY
    if not tiny.any() or not hasattr(fitted, "predict_log_proba"):
        return None
    with np.errstate(divide="ignore"):
        said = np.asarray(fitted.predict_log_proba(X, **answering(fitted, "predict_log_proba", given)))
        own = np.log(proba / proba.sum(axis=1, keepdims=True))
    return np.where(tiny & (said < np.log(TINY)), said, own)


def losses_of(fitted: Any, table: ValidationTable, rows: Index, loss: Loss) -> np.ndarray:
    """One loss per row."""
    X, index, given = table.inputs(rows), np.arange(len(table))[rows], table.arguments(rows)
    if loss.of_density:
        return loss(None, log_densities(fitted, X, index, given))
    if loss.needs == "predict":
        return loss(table.targets(rows), fitted.predict(X, **answering(fitted, "predict", given)), index)
    distribution = distribution_of(fitted, X, given)
    if distribution is None:
        raise Unsupported(
            f"The loss {loss.name!r} needs predict_dist, which {type(fitted).__name__} does not have."
        )
    if isinstance(distribution, Categorical) and is_classifier(fitted):
        known = np.union1d(table.labels, distribution.classes)
        if len(known) > len(distribution.classes):
            distribution = _of_all_classes(distribution, known)
    return loss(table.targets(rows), distribution)


def mean_loss(fitted: Any, table: ValidationTable, rows: Index, loss: Loss) -> float:
    """The weighted mean of the loss over some rows."""
    return weighted_mean(losses_of(fitted, table, rows, loss), table.weights(rows))


def weighted_mean(losses: np.ndarray, w: np.ndarray) -> float:
    """An infinite loss of a row that does not count is none."""
    return float(w @ np.where(w > 0, losses, 0.0) / w.sum())


def scored_by(scorer: Callable, fitted: Any, table: ValidationTable, rows: Index) -> float:
    """What a scorer says of some rows; it is asked without targets where there are none."""
    target = () if table.y is None else (table.targets(rows),)
    return float(scorer(bound(fitted, table.arguments(rows)), table.inputs(rows), *target))


def solved(model: Any, statistics: Any) -> Any:
    """A fitted copy of a model that is fitted from statistics; raises `Doubt` where those have lost digits."""
    if offers(model, Doubts) and (reason := model.doubt(statistics)):
        raise Doubt(reason)
    if isinstance(statistics, ClassStatistics):
        statistics = (
            statistics.of_classes_with_rows()
        )  # a class that is not in a training set is none to its model
    fitted: Any = model.solve(statistics) if isinstance(model, PIPED) else clone(model).solve(statistics)
    if offers(fitted, Conditioned) and fitted.condition_ > WORST:
        raise Doubt("its columns are too ill-conditioned")
    return fitted


class Doubt(Exception):
    """Statistics of these rows are not trusted; the message says why. The rows are fitted instead."""


def attempt(work: Callable[[], Any], where: str) -> Any:
    """The result, or the error as text with the place it happened."""
    try:
        return work()
    except Doubt:
        raise
    except Exception as error:  # a foreign estimator may raise anything; what it said is reported
        return Failure(where, f"{type(error).__name__}: {error}", error)


def kept(answer: HeldOutFolds | Failure, table: ValidationTable, folds: Folds, i: int) -> HeldOutFolds:
    """A fold that failed has rows, but nothing to say about them."""
    if isinstance(answer, HeldOutFolds):
        return answer
    return HeldOutFolds(np.arange(len(table))[folds.test(i)], i, failure=answer)


def report(failures: list[Failure], attempts: int) -> tuple[str, ...]:
    """Warn about fits that failed and return the notes; raise if none worked."""
    if not failures:
        return ()
    first = failures[0]
    if len(failures) == attempts:
        first.error.add_note(f"This happened in {first.where} of a validation.")
        raise first.error
    notes = tuple(f"{f.where} failed: {f.message}" for f in failures)
    more = f" (and {len(failures) - 1} more; see notes)" if len(failures) > 1 else ""
    warn(f"{notes[0].rstrip('.')}{more}. Its loss is NaN; the other fits are kept.", FitFailed)
    return notes


def open_rows(model: FromStatistics, table: ValidationTable) -> tuple[Any, Any]:
    """Validated rows and their plan."""
    return model.door(table.X, table.y, table.weight)


def sizes_of_tests(table: ValidationTable, folds: Folds) -> np.ndarray:
    """Total weight of the test rows of every fold."""
    if table.weight is None:
        return folds.sizes.astype(float)
    return check_counted(np.array([table.weight[folds.test(i)].sum() for i in range(len(folds))]))


def check_counted(sizes: np.ndarray) -> np.ndarray:
    """The total weights of folds; a fold without weight has no mean loss."""
    if np.any(sizes == 0):
        raise InvalidInput(
            f"Fold {int(np.argmin(sizes))} has no test rows with positive weight. Leave rows of weight 0 out of the "
            "table, or give folds that each test rows that count."
        )
    return sizes


def visits(folds: Folds) -> int:
    """How many rows reading every training set would take; a partition is read once."""
    return folds.rows if isinstance(folds, Partition) else sum(len(a) + len(b) for a, b in folds.splits)
