"""Where the rows alone do not bound a weight: classes that columns tell apart without an error, and levels of one kind.

The likelihood of a logistic model then grows without end with the weight, and what is printed is as large as the prior
or penalty lets it be. The same holds for counts that are 0 wherever a level holds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.glm import (
    BayesianLogisticRegression,
    BayesianPoissonRegression,
    LogisticRegression,
    PoissonRegression,
    ProbitRegression,
)
from suffice.study.models.negative_binomial import NegativeBinomialRegression
from suffice.study.numbers import list_names, number
from suffice.study.reading.problem import Problem

NAMED = 3
LINEAR = (LogisticRegression, BayesianLogisticRegression, ProbitRegression)
RATES = (PoissonRegression, BayesianPoissonRegression, NegativeBinomialRegression)
LIMIT = "only the prior or penalty keeps the weights finite, so their sizes and intervals say little"


def separation(model: Any, problem: Problem) -> tuple[str, ...]:
    """Sentences on weights that nothing but the prior bounds; none where the rows do."""
    if isinstance(model, LINEAR):
        whole = _separated(model, problem)
        return whole or _of_one_kind(problem, problem.y)
    if isinstance(model, RATES):
        return _of_one_kind(problem, np.where(problem.y == 0, "0", "more"), ("0",))
    return ()


def _separated(model: Any, problem: Problem) -> tuple[str, ...]:
    """All classes, by the model itself; and by which column alone, if one does."""
    if not np.array_equal(np.asarray(model.predict(problem.Z)).astype(str), problem.y.astype(str)):
        return ()
    single = [repr(problem.names[j]) for j in _alone(problem)]
    by = f"{list_names(single, NAMED)} alone" if single else "the columns together"
    return (
        f"In these {number(problem.n)} rows the classes are separated by {by} without an error: {LIMIT}.",
    )


def _alone(problem: Problem) -> list[int]:
    """Columns in which the values of one class all lie on one side of those of the other."""
    labels = problem.labels
    if len(labels) != 2:
        return []
    first = problem.Z[problem.y == labels[0]]
    second = problem.Z[problem.y == labels[1]]
    apart = (first.max(axis=0) < second.min(axis=0)) | (second.max(axis=0) < first.min(axis=0))
    return np.flatnonzero(apart).tolist()


def _of_one_kind(
    problem: Problem, kinds: np.ndarray, which: tuple[str, ...] | None = None
) -> tuple[str, ...]:
    """Columns of zeros and ones where all rows with a one are of one kind, one of `which` if that is given."""
    found = []
    for j, name in enumerate(problem.names):
        column = problem.Z[:, j]
        if not np.isin(column, (0.0, 1.0)).all() or not column.any() or column.all():
            continue
        here = np.unique(kinds[column == 1])
        if len(here) == 1 and len(np.unique(kinds)) > 1 and (which is None or str(here[0]) in which):
            found.append(f"where {name!r} holds ({number(int(column.sum()))} rows), all are {str(here[0])!r}")
    if not found:
        return ()
    sentence = "; ".join(found[:NAMED]) + (
        f"; and so for {len(found) - NAMED} more columns" if len(found) > NAMED else ""
    )
    return (f"{sentence[0].upper()}{sentence[1:]}: {LIMIT.replace('the weights', 'such weights')}.",)
