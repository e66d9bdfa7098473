"""The steps of a study: pure functions from data to section records."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from suffice._core.errors import NumericalError, SufficeError
from suffice._core.losses import mean_interval
from suffice._core.records import record
from suffice._core.validation import Validation
from suffice.evaluation import cross_validate
from suffice.study import _words
from suffice.study._registry import BASELINE, Candidate
from suffice.study._sections import (
    Answer,
    Candidates,
    Chosen,
    Compared,
    Comparison,
    Difference,
    Failed,
    Interval,
    Predictive,
    Tried,
)
from suffice.study._table import Prepared, spread

T = TypeVar("T")
Splits = list[tuple[np.ndarray, np.ndarray]]


@record
class Heldout:
    """Row by row: what was observed, what was predicted without that row, and the interval around it."""

    observed: np.ndarray
    predicted: np.ndarray
    low: np.ndarray | None
    high: np.ndarray | None

    @property
    def inside(self) -> np.ndarray | None:
        """Whether each observation lies in its interval; None without intervals."""
        if self.low is None or self.high is None:
            return None
        return (self.observed >= self.low) & (self.observed <= self.high)

    def thinned(self, step: int) -> Heldout:
        """One row in `step`."""
        low, high = (None if column is None else column[::step] for column in (self.low, self.high))
        return Heldout(self.observed[::step], self.predicted[::step], low, high)


@record
class Trial:
    """A candidate that could be validated, its out-of-fold rows, and remarks."""

    candidate: Candidate
    validation: Validation
    rows: Heldout
    notes: tuple[str, ...]


# -- trying a model ------------------------------------------------------------------------------------
def watched(work: Callable[[], T]) -> tuple[T, tuple[str, ...]]:
    """The value, and what was warned about on the way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = work()
    return value, tuple(str(w.message) for w in caught)


def digest(notes: Sequence[str]) -> tuple[str, ...]:
    """Each note once; those that differ in nothing but numbers are told by the first."""
    alike: dict[str, list[str]] = {}
    for note in notes:
        alike.setdefault(re.sub(r"\d[\d.e+-]*", "#", note), []).append(note)
    return tuple(
        first if not rest else f"{first} (Similar in other folds.)" for first, *rest in alike.values()
    )


def attempt(candidate: Candidate, data: Prepared, splits: Splits, confidence: float) -> Trial | Failed:
    """Cross-validate one candidate; a failure of its own is a result too."""

    def validate() -> Validation:
        return cross_validate(
            candidate.build(), data.X, data.y, cv=splits, loss="squared", confidence=confidence
        )

    try:
        v, notes = watched(validate)
    except SufficeError as error:
        return Failed(candidate.name, candidate.title, _told(error))
    low, high = (None, None) if v.distributions is None else v.distributions.interval(confidence)
    return Trial(candidate, v, Heldout(data.y, v.predictions, low, high), digest(notes + v.notes))


def _told(error: Exception) -> str:
    return " ".join([str(error), *getattr(error, "__notes__", ())])


# -- sections ------------------------------------------------------------------------------------------
def candidates_section(candidates: Sequence[Candidate]) -> Candidates:
    """The list of models, before any result."""
    return Candidates(
        tuple(
            Tried(c.name, c.title, c.description, repr(c.build()), c.name == BASELINE.name)
            for c in candidates
        )
    )


def comparison_section(trials: Sequence[Trial | Failed], folds: int, confidence: float) -> Comparison:
    """Every model on the same folds, against the baseline and against the best."""
    failed = tuple(t for t in trials if isinstance(t, Failed))
    done = {t.candidate.name: t for t in trials if isinstance(t, Trial)}
    if BASELINE.name not in done:
        raise NumericalError(f"The baseline failed: {failed[0].reason}")
    losses = {name: t.validation.losses for name, t in done.items()}
    best = min(done, key=lambda name: losses[name].mean())
    models = tuple(_compared(t, losses, best, confidence) for t in done.values())
    return Comparison("squared", folds, confidence, BASELINE.name, best, models, failed)


def _compared(trial: Trial, losses: dict[str, np.ndarray], best: str, confidence: float) -> Compared:
    v, name, title = trial.validation, trial.candidate.name, trial.candidate.title
    low, high = student_interval(losses[name], confidence)
    interval = (max(low, 0.0), high)  # no squared error is negative
    to_baseline = difference(losses, name, BASELINE.name, confidence)
    return Compared(
        name,
        title,
        v.estimate,
        interval,
        math.sqrt(v.estimate),
        1 - float(losses[name].mean() / losses[BASELINE.name].mean()),
        to_baseline,
        difference(losses, name, best, confidence),
        *coverage(trial.rows, confidence),
        v.how,
        trial.notes,
        _words.baseline_sentence(title, v.estimate, interval, confidence)
        if to_baseline is None
        else _words.against(title, "the mean", to_baseline, confidence),
    )


def student_interval(values: np.ndarray, confidence: float) -> Interval:
    """Student-t interval of a mean over rows."""
    interval = mean_interval(values, np.ones(len(values)), confidence, False)
    if interval is None:
        raise NumericalError(f"An interval needs at least 2 rows; got {len(values)}.")
    return interval


def difference(losses: dict[str, np.ndarray], a: str, b: str, confidence: float) -> Difference | None:
    """Mean of the paired per-row differences a − b, with its interval; None against itself."""
    if a == b:
        return None
    d = losses[a] - losses[b]
    return Difference(float(d.mean()), student_interval(d, confidence))


def coverage(rows: Heldout, confidence: float) -> tuple[float | None, Interval | None]:
    """The share of rows inside their interval, with Jeffreys' interval for it."""
    if rows.inside is None:
        return None, None
    hits = rows.inside.astype(float)
    return float(hits.mean()), mean_interval(hits, np.ones(len(hits)), confidence, True)


def chosen_section(candidate: Candidate, data: Prepared, confidence: float) -> tuple[Any, Chosen]:
    """The winner fitted to all rows, and what it says about them."""
    X, y = data.X, data.y
    model, notes = watched(lambda: candidate.build().fit(X, y))
    residual = y - model.predict(X)
    try:
        weights = candidate.estimates(model, X.columns, confidence)
    except SufficeError as error:
        weights, notes = None, (*notes, f"No weights with intervals: {error}")
    effects = (
        None if weights is None else weights.effects(np.array([spread(column) for column in np.asarray(X).T]))
    )
    section = Chosen(
        candidate.name,
        candidate.title,
        repr(model),
        len(y),
        1 - float(residual @ residual / np.sum((y - y.mean()) ** 2)),
        spread(residual),
        {name: float(value) for name, value in candidate.facts(model).items()},
        weights,
        effects,
        confidence,
        notes,
    )
    return model, section


def predictive_section(trial: Trial, level: float) -> Predictive:
    """How well intervals held on rows not seen."""
    rows, name = trial.rows, trial.candidate.name
    n, largest = len(rows.observed), float(np.abs(rows.observed - rows.predicted).max())
    share, bounds = coverage(rows, level)
    if share is None or bounds is None:
        sentence = "This model states no predictive intervals here."
        return Predictive(name, level, None, n, None, None, largest, sentence)
    inside = round(share * n)
    sentence = _words.coverage_sentence(inside, n, level, bounds)
    return Predictive(name, level, inside, n, share, bounds, largest, sentence)


def answer_section(target: str, c: Comparison) -> Answer:
    """The first thing a reader sees."""
    best = c.of(c.best)
    low, high = (math.sqrt(v) for v in best.interval)
    return Answer(
        _words.headline(target, best, c),
        _words.how_sure(best, c),
        best.rmse,
        (low, high),
        c.of(c.baseline).rmse,
        best.explained,
        best.coverage,
    )
