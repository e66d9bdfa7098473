"""The honest loop: clone, fit on the training rows, predict the test rows, average. No statistics anywhere."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    check_cv,
)
from sklearn.pipeline import Pipeline

from suffice.evaluation import Consecutive, Rolling

from ..contract.registry import is_density
from . import answers
from .minima import asked, trained
from .models import last
from .tables import Problem, rows
from .trial import Trial

SPLITTERS = {
    "an integer": lambda t, n: t.one([2, 3, 5]),
    "blocks": lambda t, n: KFold(t.one([2, 4])),
    "shuffled": lambda t, n: KFold(3, shuffle=True, random_state=t.seed % 1000),
    "strata": lambda t, n: StratifiedKFold(3),
    "groups": lambda t, n: GroupKFold(3),
    "one group out": lambda t, n: LeaveOneGroupOut(),
    "one out": lambda t, n: LeaveOneOut(),
    "pairs of rows": lambda t, n: KFold(max(2, n // 2), shuffle=True, random_state=3),
    "repeated": lambda t, n: RepeatedKFold(n_splits=2, n_repeats=2, random_state=1),
    "shuffles": lambda t, n: ShuffleSplit(3, test_size=0.3, random_state=t.seed % 1000),
    "time": lambda t, n: TimeSeriesSplit(2),
    "consecutive": lambda t, n: Consecutive(3),
    "rolling": lambda t, n: Rolling(2, window=t.one(["expanding", "sliding"])),
    "predefined": lambda t, n: PredefinedSplit(np.arange(n) % 3 - 1),
    "bootstrap": lambda t, n: bootstrap(t, n),
    "hold-out": lambda t, n: [(np.arange(n - n // 3), np.arange(n - n // 3, n))],
    "masks": lambda t, n: [(np.arange(n) % 3 != i, np.arange(n) % 3 == i) for i in range(3)],
    "omitting": lambda t, n: [(np.arange(n // 2), np.arange(n // 2 + 1, n)), (np.arange(n // 3, n), np.arange(n // 4))],
}  # fmt: skip


def bootstrap(trial: Trial, n: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Training sets that hold rows several times; tests are what was not drawn."""
    drawn = [trial.rng.integers(0, n, n) for _ in range(2)]
    return [(d, np.setdiff1d(np.arange(n), d)) for d in drawn]


FEW = (
    "an integer",
    "blocks",
    "shuffled",
    "strata",
    "groups",
    "shuffles",
    "time",
    "predefined",
    "hold-out",
    "bootstrap",
)
GROUPED = (GroupKFold, LeaveOneGroupOut)


def groups_for(cv: Any, problem: Problem) -> Any:
    """Groups, for the splitters that ask for them."""
    return problem.groups if isinstance(cv, GROUPED) else None


def splitter(
    trial: Trial, problem: Problem, model: Any, names: Any = SPLITTERS
) -> tuple[Any, list[tuple[np.ndarray, np.ndarray]]]:
    """A splitter, and the row numbers of its folds as a caller would loop over them."""
    n, name = len(problem), trial.one(names)
    cv = SPLITTERS[name](trial, n)
    trial.note(f"cv: {name}")
    return cv, pairs(cv, problem, model)


def pairs(cv: Any, problem: Problem, model: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    whole = check_cv(cv, problem.y, classifier=is_classifier(model))
    every = np.arange(len(problem))
    with_nothing = np.zeros((len(problem), 1))
    return [(every[a], every[b]) for a, b in whole.split(with_nothing, problem.y, groups_for(cv, problem))]


@dataclass(frozen=True)
class Answer:
    """What the model of one fold says about some rows."""

    at: np.ndarray
    y: Any
    prediction: Any
    probability: Any
    dist: Any
    margin: Any
    density: Any
    classes: Any = None


def predicted(fitted: Any, X: Any, y: Any, at: np.ndarray, dist: bool, **options: Any) -> Answer:
    """Of rows, by the public methods of a fitted model."""
    table = rows(X, at)
    truth = None if y is None else y[at]
    if is_density(last(fitted)):
        return Answer(at, truth, None, None, None, None, np.asarray(fitted.score_samples(table)))
    piped = isinstance(fitted, Pipeline) and len(fitted) > 1
    inner, inside = (fitted[-1], fitted[:-1].transform(table)) if piped else (fitted, table)
    asked(inner, inside)
    d = inner.predict_dist(inside, **options) if dist and hasattr(inner, "predict_dist") else None
    prediction = fitted.predict(table, **options)
    if not is_classifier(fitted):
        return Answer(at, truth, prediction, None, d, None, None)
    p = fitted.predict_proba(table) if hasattr(fitted, "predict_proba") else None
    return Answer(at, truth, prediction, p, d, answers.margins(fitted, table), None, fitted.classes_)


LOSSES = {
    "squared": lambda a: per_row((a.y - a.prediction) ** 2),
    "absolute": lambda a: per_row(np.abs(a.y - a.prediction)),
    "misclassification": lambda a: (a.y != a.prediction).astype(float),
    "log": lambda a: per_row(-a.dist.log_prob(a.y)),
    "log density": lambda a: -a.density,
}


def pinball(y: np.ndarray, prediction: np.ndarray) -> np.ndarray:
    """A loss that no statistic knows."""
    return np.maximum(0.9 * (y - prediction), -0.1 * (y - prediction))


def loss_of(answer: Answer, loss: Any) -> np.ndarray:
    return pinball(answer.y, answer.prediction) if loss is pinball else LOSSES[loss](answer)


def per_row(values: np.ndarray) -> np.ndarray:
    return values if values.ndim == 1 else values.mean(axis=1)


def options_at(options: dict[str, Any], at: np.ndarray) -> dict[str, Any]:
    return {k: v[at] for k, v in options.items()}


def fitted_to(model: Any, problem: Problem, at: np.ndarray, options: dict[str, Any]) -> Any:
    """A clone fitted to some rows; weights go to every step of a Pipeline that takes them."""
    extra = options_at(options, at)
    if problem.weight is not None:
        steps = model.steps if isinstance(model, Pipeline) else [("", model)]
        for name, step in steps:
            if step != "passthrough" and "sample_weight" in inspect.signature(step.fit).parameters:
                extra[f"{name}__sample_weight" if name else "sample_weight"] = problem.weight[at]
    y = None if problem.y is None else problem.y[at]
    table = rows(problem.X, at)
    fitted = clone(model).fit(table, y, **extra)
    piped = isinstance(fitted, Pipeline) and len(fitted) > 1
    inside = fitted[:-1].transform(table) if piped else table
    trained(last(fitted), inside, y, None if problem.weight is None else problem.weight[at])
    return fitted


def refitted(
    model: Any, problem: Problem, splits: Any, dist: bool, options: dict[str, Any] | None = None
) -> list[Answer]:
    """Every fold by hand."""
    options = options or {}
    known = (
        {k: v for k, v in options.items() if k in inspect.signature(last(model).predict).parameters}
        if problem.y is not None
        else {}
    )
    out = []
    for train, test in splits:
        fitted = fitted_to(model, problem, train, options)
        out.append(predicted(fitted, problem.X, problem.y, test, dist, **options_at(known, test)))
    return out


def averaged(values: np.ndarray, weight: np.ndarray | None, at: np.ndarray) -> float:
    if weight is None:
        return float(np.mean(values))
    counted = weight[at] > 0
    return float(np.average(values[counted], weights=weight[at][counted]))


def pooled(fold_losses: Any, weight: np.ndarray | None, splits: Any) -> float:
    """The mean over all test rows."""
    sizes = np.array([len(b) if weight is None else weight[b].sum() for _, b in splits])
    with np.errstate(all="ignore"):
        return float(np.asarray(fold_losses) @ (sizes / sizes.sum()))
