"""What attributes without meaning do: training loss falls, test loss rises (DTU §10.2, Figs 10.11 and 10.12)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, check_integer
from suffice._core.losses import Loss, resolve_loss
from suffice._core.random import streams
from suffice.evaluation._levels.densities import refuse_density
from suffice.evaluation._levels.ladder import Scores
from suffice.evaluation._levels.splits import make_folds
from suffice.evaluation._levels.validation_table import ValidationTable, make_table
from suffice.evaluation.learning import score_named_folds
from suffice.evaluation.path import ValidationPath
from suffice.statistics.folds import Folds
from suffice.tables.giving import appended

NAME = "junk attributes"


def junk_attributes(
    model: Any,
    X: Any,
    y: Any,
    counts: Iterable[int] = range(8),
    *,
    cv: Any = 10,
    loss: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    repeats: int = 1,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> ValidationPath:
    """Training and test loss with more and more columns of random numbers appended.

    A model that loses little has room for weak columns; one that loses much needs fewer columns, a penalty or
    more rows.

    Parameters
    ----------
    counts
        How many columns to append, uniform on [0, 1]. Larger counts keep the columns of smaller ones.
    cv
        The folds, the same for all counts.
    repeats
        How many draws of the columns to average over.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.datasets import quadratic_curve
    >>> from suffice.evaluation import junk_attributes
    >>> from suffice.linear import LinearRegression
    >>> data = quadratic_curve(20, random_state=0)
    >>> X = np.column_stack([data.X, data.X**2])
    >>> path = junk_attributes(LinearRegression(), X, data.y, [0, 4, 8], cv=5, repeats=20, random_state=0)
    >>> path.train.round(2), path.test.round(2)
    (array([0.27, 0.19, 0.11]), array([0.39, 0.56, 1.04]))
    """
    numbers = _numbers(counts)
    loss = resolve_loss(loss, model)
    refuse_density(loss, model)
    table = make_table(X, y, sample_weight, None)
    folds = make_folds(cv, model, table.X, table.y, groups)
    rngs = streams(random_state, check_integer("repeats", repeats, 1))
    draws = [rng.random((len(table), numbers[-1])) for rng in rngs]
    answers = [
        [_score_widened(model, table, junk[:, :s], folds, loss, n_jobs) for s in numbers] for junk in draws
    ]
    first = answers[0][0][0]
    train, test = (_average_draws(answers, side) for side in ("train", "test"))
    mean_train, mean_test = (m @ first.sizes / first.sizes.sum() for m in (train, test))
    notes = tuple(dict.fromkeys(note for row in answers for _, told in row for note in told))
    return ValidationPath(
        NAME, numbers, mean_train, mean_test, train, test, first.sizes, "first", first.how, notes, loss.name
    )


def _score_widened(
    model: Any, table: ValidationTable, junk: np.ndarray, folds: Folds, loss: Loss, n_jobs: int | None
) -> tuple[Scores, tuple[str, ...]]:
    columns = {f"junk{j}": junk[:, j] for j in range(junk.shape[1])}
    wider = replace(table, X=appended(table.X, columns))
    return score_named_folds(model, wider, folds, loss, n_jobs)


def _average_draws(answers: list[list[tuple[Scores, Any]]], side: str) -> np.ndarray:
    """Losses by count and fold, averaged over the draws."""
    return np.mean([[getattr(scores, side)[0] for scores, _ in row] for row in answers], axis=0)


def _numbers(counts: Any) -> tuple[int, ...]:
    """Ascending, without repetition."""
    values = [counts] if np.ndim(counts) == 0 else list(counts)
    for v in values:
        if isinstance(v, bool) or not isinstance(v, int | np.integer) or v < 0:
            raise InvalidParameter(f"counts must be integers >= 0; got {v!r}.")
    if not values:
        raise InvalidParameter("counts must name at least one number of columns; got none.")
    return tuple(sorted({int(v) for v in values}))
