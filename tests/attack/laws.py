"""Laws of invariance over the whole registry: units, order, rows repeated, a constant added."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor

from suffice.bases import Polynomial

from ..contract.registry import ENTRIES, Entry
from . import answers
from .models import build, condition, fit, pick
from .tables import Problem, draw, new_rows, rows, weights
from .trial import Skip, Trial
from .units import in_units

SAMPLED = "numbers, by sampling"
WEIGHING = [e for e in ENTRIES if e.capabilities.weights and e.takes != SAMPLED and not e.by_folds]


def said_of(trial: Trial, model: Any, problem: Problem, new: Any) -> dict[str, np.ndarray]:
    """The answers of a fit, asked of the library."""
    if problem.numbers:
        trial.posed(condition(model, problem.X, problem.weight))
    return trial.ask(lambda: answers.said(fit(model, problem.X, problem.y, problem.weight), new))


def expected(trial: Trial, model: Any, X: Any, y: Any, weight: Any, new: Any) -> dict[str, np.ndarray]:
    """The answers of the same model fitted to what is the same table, written otherwise."""
    return trial.honest(lambda: answers.said(fit(model, X, y, weight), new))


def only_predictions(said: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Without what depends on the number of rows."""
    return {k: v for k, v in said.items() if k not in ("std", "evidence")}


# -- order -----------------------------------------------------------------------------------------------
def order(trial: Trial) -> None:
    """Rows, columns, or both in another order."""
    entry = pick(trial, [e for e in ENTRIES if not e.ordered and not e.by_folds and e.takes != SAMPLED])
    model, problem = build(trial, entry), draw(trial, entry)
    new = new_rows(trial, problem.X, model)
    mine = said_of(trial, model, problem, new)
    at = trial.rng.permutation(len(problem))
    w = None if problem.weight is None else problem.weight[at]
    X, table = rows(problem.X, at), new
    if columns_alike(model, problem) and trial.chance(0.5):
        turn = trial.rng.permutation(problem.X.shape[1])
        X, table = X[:, turn], new[:, turn]
        trial.note("columns too")
    theirs = expected(trial, model, X, None if problem.y is None else problem.y[at], w, table)
    answers.compare(trial, mine, theirs, problem.y)


def columns_alike(model: Any, problem: Problem) -> bool:
    """Whether a model treats all columns alike, and returns none of them."""
    basis = getattr(model, "basis", None)
    returns = not (is_classifier(model) or is_regressor(model))
    return (
        problem.numbers
        and not returns  # nor a density: where a mixture begins depends on the order of the columns
        and type(model).__name__ != "LastValue"
        and (basis is None or isinstance(basis, Polynomial))
    )


# -- rows that count ---------------------------------------------------------------------------------------
def duplicates(trial: Trial) -> None:
    """A weight of k is the row k times; a weight of 0 is no row."""
    entry = pick(trial, WEIGHING)
    model, problem = build(trial, entry), draw(trial, entry, weighted=0)
    w, name = weights(trial, len(problem), ["counts", "some zero", "mostly zero"])
    trial.note(name)
    new = new_rows(trial, problem.X, model)
    whole = Problem(problem.X, problem.y, w)
    mine = said_of(trial, model, whole, new)
    at = np.repeat(np.arange(len(problem)), w.astype(int))
    if is_classifier(model) and len(np.unique(problem.y[at])) < len(np.unique(problem.y)):
        raise Skip("a class without weight")
    theirs = expected(
        trial, model, rows(problem.X, at), None if problem.y is None else problem.y[at], None, new
    )
    if getattr(model, "weight_kind", "counts") == "precision":
        mine, theirs = only_predictions(mine), only_predictions(theirs)
        if getattr(model, "prior_precision", 1.0) == "evidence" or type(model).__name__ == "ARDRegression":
            raise Skip("how many rows there are is part of the evidence")
        if getattr(model, "penalty_scale", "sum") != "sum":
            raise Skip("how many rows there are is part of the penalty")
    answers.compare(trial, mine, theirs, problem.y)


# -- a constant added --------------------------------------------------------------------------------------
def constant(trial: Trial) -> None:
    """A constant added to y moves predictions by it; one added to columns moves nothing."""
    entry = pick(trial, [e for e in ENTRIES if e.takes in ("numbers", "one column") and not e.ordered])
    model, problem = build(trial, entry), draw(trial, entry, extreme=trial.chance(0.3))
    if not problem.numbers:
        raise Skip("no numbers")
    new = new_rows(trial, problem.X, model)
    y_too = moves_with_y(entry, model) and trial.chance(0.6)
    if not y_too and not ignores_places(entry, model):
        raise Skip("it has an origin")
    mine = said_of(trial, model, problem, new)
    size = trial.one([1.0, -37.5, 1e3])
    if y_too:
        c = size * answers.spread(problem.y)
        trial.note(f"y + {c:g}")
        trial.rounded()
        theirs = expected(trial, model, problem.X, problem.y + c, problem.weight, new)
        theirs = {k: v - c if k == "prediction" else v for k, v in theirs.items()}
        answers.compare(trial, mine, theirs, np.concatenate([problem.y, problem.y + c]) if c else problem.y)
        return
    c = size * np.ptp(problem.X, axis=0)
    trial.note("X + c")
    X = problem.X + c
    trial.posed(condition(model, X, problem.weight))
    trial.rounded()
    theirs = expected(trial, model, X, problem.y, problem.weight, new + c)
    answers.compare(trial, mine, theirs, problem.y)


def flat(model: Any) -> bool:
    """Whether the intercept is free."""
    return (
        getattr(model, "fit_intercept", True)
        and not getattr(model, "penalize_intercept", False)
        and getattr(model, "intercept", "flat") == "flat"
        and getattr(model, "solver", "") != "liblinear"  # penalizes the constant
    )


LINK = ("PoissonRegression", "BayesianPoissonRegression", "GLM")


def moves_with_y(entry: Entry, model: Any) -> bool:
    named = type(model).__name__
    return entry.kind == "regressor" and flat(model) and named not in (*LINK, "LastValue")


def ignores_places(entry: Entry, model: Any) -> bool:
    """Whether columns may be moved: no origin, no penalty on functions of the columns, no table returned."""
    named = type(model).__name__
    if entry.kind in ("transformer", "density") or named in (
        "LastValue",
        "BernoulliNB",
        "MixedNB",
        "BayesClassifier",
    ):
        return False
    return flat(model) and getattr(model, "basis", None) is None


# -- units -----------------------------------------------------------------------------------------------
def units(trial: Trial) -> None:
    """Columns and targets in other units, with parameters that have units moved along, say the same."""
    entry = pick(trial, [e for e in ENTRIES if e.takes in ("numbers", "one column") or e.one_target])
    model, problem = build(trial, entry), draw(trial, entry, extreme=trial.chance(0.3))
    if not problem.numbers:
        raise Skip("no numbers")
    reach = trial.one([1, 4, 4, 9, 100])
    a, b = 10.0 ** trial.rng.uniform(-reach, reach, 2)
    other, each = in_units(model, a, b if entry.kind == "regressor" and entry.takes != "counts" else 1.0)
    if other is None:
        raise Skip(str(each))
    if entry.kind != "regressor" or entry.takes == "counts":
        b = 1.0
    by = a * 10.0 ** trial.rng.uniform(-3, 3, problem.X.shape[1]) if each else a
    trial.note(f"X in units of {a:.3g}{' and more' if each else ''}, y of {b:.3g}")
    new = new_rows(trial, problem.X, model)
    mine = said_of(trial, model, problem, new)
    trial.rounded()
    y = problem.y * b if entry.kind == "regressor" and entry.takes != "counts" else problem.y
    theirs = trial.ask(lambda: answers.said(fit(other, problem.X * by, y, problem.weight), new * by))
    back = {"prediction": 1 / b, "std": 1 / b}
    theirs = {k: v * back.get(k, 1.0) for k, v in theirs.items() if k != "evidence"}
    answers.compare(trial, mine, theirs, problem.y)
