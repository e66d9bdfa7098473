"""The last level: any scikit-learn estimator, fitted from scratch to every training set, in parallel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from joblib import Parallel

from suffice._core.losses import Loss
from suffice.evaluation._levels.failures import attempt
from suffice.evaluation._levels.groups import CandidateGroup
from suffice.evaluation._levels.predictions import HeldOutFolds, predict_held_out
from suffice.evaluation._levels.question import Answered, FoldLosses, Question, measure_loss
from suffice.evaluation._levels.routing import under_config
from suffice.evaluation._levels.validation_table import ValidationTable
from suffice.statistics.folds import Folds


class RefitLevel:
    """Answers for everything."""

    def why_not(self, group: CandidateGroup, asked: Question) -> str | None:
        return None

    def losses(self, group: CandidateGroup, asked: Question, out: FoldLosses) -> Answered:
        tasks = [(c, i) for c in group.numbers for i in range(len(asked.folds))]
        answers = Parallel(n_jobs=asked.n_jobs, pre_dispatch=asked.pre_dispatch)(
            under_config(_losses)(*_task(asked, c, i)) for c, i in tasks
        )
        for (c, i), answer in zip(tasks, answers, strict=True):
            out.enter(c, i, answer)
        return Answered("refit")

    def predictions(self, group: CandidateGroup, asked: Question, chosen: Mapping[int, int]) -> Answered:
        one, given = under_config(_predictions), (asked.table, asked.folds, asked.loss)
        tasks = (one(asked.grid[c], *given, i, asked.where(c, i)) for i, c in chosen.items())
        return Answered("refit", group.reasons, Parallel(n_jobs=asked.n_jobs)(tasks))


def predict_refitted(asked: Question, candidate: int, i: int) -> HeldOutFolds:
    """Predictions of one candidate for one fold, fitted to the rows."""
    where = asked.where(candidate, i)
    return _predictions(asked.grid[candidate], asked.table, asked.folds, asked.loss, i, where)


def refit_fold(asked: Question, candidate: int, i: int) -> Any:
    """Losses of one candidate in one fold, fitted to the rows; or what failed."""
    return _losses(*_task(asked, candidate, i))


def _task(asked: Question, c: int, i: int) -> tuple:
    """What other processes need for one candidate in one fold."""
    sets = asked.folds.train(i), asked.folds.test(i)
    return asked.grid[c], asked.table, *sets, asked.loss, asked.scorer, asked.train, asked.where(c, i)


def _losses(
    model: Any,
    table: ValidationTable,
    train: Any,
    test: Any,
    loss: Loss,
    scorer: Callable | None,
    both: bool,
    where: str,
) -> Any:
    def work() -> tuple[float, float]:
        measure = partial(measure_loss, table.fit(model, train), table, loss=loss, scorer=scorer)
        return (measure(train) if both else np.nan), measure(test)

    return attempt(work, where)


def _predictions(
    model: Any, table: ValidationTable, folds: Folds, loss: Loss, i: int, where: str
) -> HeldOutFolds:
    return predict_held_out(lambda: table.fit(model, folds.train(i)), table, folds, loss, i, where)
