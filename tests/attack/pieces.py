"""Rows in pieces: merged, added one part after the other, and taken out again, are the fit to the rows that remain."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

import suffice

from ..contract.registry import ENTRIES
from . import answers
from .models import build, condition, fit, pick
from .tables import Problem, draw, new_rows, rows
from .trial import Skip, Trial

TIE = 1e-6  # of the size of decisions
ADDING = [e for e in ENTRIES if e.capabilities.statistics]


def pieces(trial: Trial) -> None:
    """`merge`, `partial_fit`, `forget`, and a round of all three."""
    entry = pick(trial, ADDING)
    model, problem = build(trial, entry), draw(trial, entry)
    if model.state_needs_data:
        raise Skip("places taken from data")
    new = new_rows(trial, problem.X, model)
    way = trial.one([merged, added, forgotten])
    trial.note(way.__name__)
    trial.posed(condition(model, problem.X, problem.weight))
    mine, kept = way(trial, model, problem)
    part = piece(problem, kept)
    trial.posed(condition(model, part.X, part.weight))
    again = trial.honest(fit, model, part.X, part.y, part.weight)
    said, theirs = trial.ask(answers.said, mine, new), trial.honest(answers.said, again, new)
    if "decision" in said and len(mine.classes_) > len(again.classes_):
        clear = answers.margins(again, new) > TIE
        trial.equal("label", mine.predict(new)[clear], again.predict(new)[clear])
        return
    answers.compare(trial, aligned(mine, said, again), theirs, problem.y)


def aligned(model: Any, said: dict[str, np.ndarray], again: Any) -> dict[str, np.ndarray]:
    """Probabilities of the classes that remain: those whose rows were all forgotten are no part of a new fit."""
    if "probability" not in said:
        return said
    there = np.isin(model.classes_, again.classes_)
    return said | {"probability": said["probability"][:, there]}


def piece(problem: Problem, at: np.ndarray) -> Problem:
    """Some of the rows."""
    return Problem(
        rows(problem.X, at), None if problem.y is None else problem.y[at],
        None if problem.weight is None else problem.weight[at],
    )  # fmt: skip


def fitted(trial: Trial, model: Any, part: Problem) -> Any:
    return trial.ask(fit, model, part.X, part.y, part.weight)


def cuts(trial: Trial, n: int, k: int) -> list[np.ndarray]:
    """k parts of rows in some order, of any sizes above zero."""
    at = np.sort(trial.rng.choice(np.arange(1, n), min(k - 1, n - 1), replace=False))
    return np.split(trial.rng.permutation(n), at)


def merged(trial: Trial, model: Any, problem: Problem) -> tuple[Any, np.ndarray]:
    parts = [fitted(trial, model, piece(problem, at)) for at in cuts(trial, len(problem), trial.one([2, 3]))]
    trial.said.clear()  # what the small parts warned of
    return trial.ask(suffice.merge, parts), np.arange(len(problem))


def added(trial: Trial, model: Any, problem: Problem) -> tuple[Any, np.ndarray]:
    growing = clone(model)
    for at in cuts(trial, len(problem), trial.one([2, 4])):
        part = piece(problem, at)
        extra = {} if part.weight is None else {"sample_weight": part.weight}
        trial.said.clear()
        trial.ask(growing.partial_fit, part.X, part.y, **extra)
    return growing, np.arange(len(problem))


def forgotten(trial: Trial, model: Any, problem: Problem) -> tuple[Any, np.ndarray]:
    kept, out = cuts(trial, len(problem), 2)
    gone = piece(problem, out)
    whole = fitted(trial, model, problem)
    trial.said.clear()
    extra = () if gone.weight is None else (gone.weight,)
    return trial.ask(suffice.forget, whole, gone.X, gone.y, *extra), kept
