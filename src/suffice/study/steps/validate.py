"""One model by two-layer cross-validation: parameters are chosen inside, judged outside (DTU Algorithm 6)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from suffice._core.errors import SufficeError
from suffice._core.filters import heard
from suffice._core.records import record
from suffice._core.validation import Validation
from suffice.evaluation import SearchCV, TwoLayer, two_layer
from suffice.study.models import Candidate, baseline_of
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Failed
from suffice.study.steps.column_names import name_columns

T = TypeVar("T")
SLOWLY = ("is not fitted from statistics", "is fitted from scratch")  # said by `how` already


@record
class Trial:
    """A candidate that could be validated: both layers of it (and of the baseline), remarks, and the time it took."""

    candidate: Candidate
    layers: TwoLayer
    notes: tuple[str, ...]
    seconds: float

    @property
    def name(self) -> str:
        return self.candidate.name

    @property
    def validation(self) -> Validation:
        """The outer layer."""
        return self.layers.validations[self.name]

    @property
    def chosen(self) -> tuple[dict[str, Any], ...]:
        """The parameters picked in each outer fold."""
        return self.layers.chosen[self.name]


def validate_candidate(candidate: Candidate, problem: Problem, options: Options) -> Trial | Failed:
    """Validate one candidate; a failure of its own is a result too."""
    base = baseline_of(problem.task.name)
    entries: dict[str, Any] = {base.name: base.tried(problem)}
    if candidate.name != base.name:
        entries[candidate.name] = with_grid(candidate, problem)
    start = time.perf_counter()

    try:
        with alone():
            layers, notes = collect_notes(lambda: validate_entries(entries, problem, options))
    except (SufficeError, ValueError, ArithmeticError) as error:  # ValueError: models from outside raise it
        return Failed(candidate.name, candidate.title, describe_error(error, problem.names))
    if not np.isfinite(layers.estimates[candidate.name]):
        return Failed(
            candidate.name, candidate.title, name_columns(_infinite(layers, candidate.name), problem.names)
        )
    new_notes = [n for n in (*notes, *layers.validations[candidate.name].notes) if not n.endswith(SLOWLY)]
    notes = merge_notes([name_columns(n, problem.names) for n in new_notes])
    return Trial(candidate, layers, notes, time.perf_counter() - start)


def _infinite(layers: TwoLayer, name: str) -> str:
    """Why a loss is not finite: a class that came true had the probability zero, or a fold could not be fitted."""
    losses = np.asarray(layers.losses[name], dtype=float)[tested_rows(layers)]
    if np.isposinf(losses).any():
        n = int(np.isposinf(losses).sum())
        return f"It gave the probability zero to what came true in {n} rows, so its {layers.loss} loss is infinite."
    notes = layers.validations[name].notes
    return notes[0] if notes else "It could not be fitted in every fold."


def alone() -> Any:
    """Outside models work in one thread: theirs wait for each other, on a busy machine for longer than they work."""
    return threadpool_limits(1, user_api="openmp")


def validate_entries(entries: dict[str, Any], problem: Problem, options: Options) -> TwoLayer:
    """Both layers of models by name, on the folds and weights of a problem."""
    return two_layer(
        entries,
        problem.Z,
        problem.y,
        problem.splits,
        problem.inner,
        loss=problem.loss,
        sample_weight=problem.weight,
        groups=problem.groups,
        confidence=options.confidence,
        n_jobs=options.jobs,
    )


def with_grid(candidate: Candidate, problem: Problem) -> Any:
    """The estimator, with its grid where there is a choice."""
    model = candidate.tried(problem)
    grid = grid_of(candidate, problem)
    return (model, grid) if grid else model


def grid_of(candidate: Candidate, problem: Problem) -> dict[str, list[Any]]:
    """The values to choose among."""
    if candidate.study is None:
        return {}
    return {name: list(values) for name, values in candidate.study.grid(problem).items()}


def choose(
    candidate: Candidate, problem: Problem, options: Options
) -> tuple[Any, dict[str, Any], tuple[str, ...]]:
    """The estimator with parameters chosen on all rows, unfitted; those parameters; and what was warned about."""
    model, grid = candidate.tried(problem), grid_of(candidate, problem)
    if not grid:
        return model, {}, ()
    search = SearchCV(model, grid, cv=problem.inner, loss=problem.loss, refit=False, n_jobs=options.jobs)
    found, notes = collect_notes(
        lambda: search.fit(problem.Z, problem.y, sample_weight=problem.weight, groups=problem.groups),
        problem.names,
    )
    return clone(model).set_params(**found.best_params_), found.best_params_, merge_notes(notes)


def join_layers(trials: Sequence[Trial]) -> TwoLayer:
    """The layers of all trials in one record, the baseline first; all saw the same folds."""
    first = trials[0].layers
    return replace(
        first,
        validations={t.name: t.validation for t in trials},
        chosen={t.name: t.chosen for t in trials},
        inner={t.name: t.layers.inner[t.name] for t in trials},
        candidates={t.name: t.layers.candidates[t.name] for t in trials},
    )


# -- notes and errors -----------------------------------------------------------------------------
def collect_notes(work: Callable[[], T], names: Sequence[str] = ()) -> tuple[T, tuple[str, ...]]:
    """The value, and what was warned about on the way, with the names of the columns of Z."""
    with heard() as caught:
        value = work()
    return value, tuple(name_columns(str(w.message), names) for w in caught)


def merge_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """Each note once; those that differ in nothing but numbers are told by the first."""
    alike: dict[str, list[str]] = {}
    for note in notes:
        alike.setdefault(re.sub(r"\d[\d.e+-]*", "#", note), []).append(note)
    return tuple(
        first if not rest else f"{first.rstrip('.')}. (Similar in other folds.)"
        for first, *rest in alike.values()
    )


def describe_error(error: Exception, names: Sequence[str] = ()) -> str:
    """An error in one line, with its notes and the names of the columns of Z."""
    return name_columns(" ".join(" ".join([str(error), *getattr(error, "__notes__", ())]).split()), names)


def tested_rows(layers: TwoLayer) -> np.ndarray:
    """Rows that were tested; with a rolling origin the first ones only train."""
    return np.flatnonzero(layers.fold >= 0)
