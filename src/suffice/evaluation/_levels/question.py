"""What is asked of candidates, and the room for the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.losses import Loss
from suffice.evaluation._levels.failures import Failure
from suffice.evaluation._levels.pipelines import steps_of
from suffice.evaluation._levels.predictions import HeldOutFolds, mean_loss, score_rows
from suffice.evaluation._levels.validation_table import ValidationTable
from suffice.statistics.folds import Folds

HOWS = ("statistics", "closed form", "warm refit", "refit")  # from the fastest to the slowest


def slowest_level(hows: Iterable[str]) -> str:
    """Of the levels that answered, the one that a result is named after."""
    return max(hows, key=HOWS.index, default=HOWS[0])


@dataclass(frozen=True)
class CandidateGrid:
    """Parameters of one model to try; `name` is what messages call it."""

    model: Any
    params: Sequence[dict[str, Any]]
    name: str = ""

    def __len__(self) -> int:
        return len(self.params)

    def __getitem__(self, i: int) -> Any:
        """The i-th candidate, not fitted."""
        if not self.params[i]:
            return self.model
        return clone(self.model).set_params(**{k: clone(v, safe=False) for k, v in self.params[i].items()})

    @property
    def is_pipeline(self) -> bool:
        return steps_of(self.model) is not None

    def where(self, candidate: int, place: str) -> str:
        """A place in a validation, for messages."""
        owner = f"model {self.name!r}, " if self.name else ""
        params = self.params[candidate]
        return owner + place + (f" with {params}" if params else "")


@dataclass(frozen=True)
class Question:
    """What is asked: the loss of candidates in every fold, or what `scorer` says, on test rows.

    With `train` it is asked of training rows too. `layer` is the place of the folds, for messages. With `warn_by_fold`
    a warning is given as often as there are folds that it is true of.
    """

    grid: CandidateGrid
    table: ValidationTable
    folds: Folds
    loss: Loss
    scorer: Callable | None = None
    train: bool = False
    n_jobs: int | None = None
    pre_dispatch: Any = "2*n_jobs"
    layer: str = ""
    warn_by_fold: bool = False

    def where(self, candidate: int, fold: int | None = None) -> str:
        """A fold, or all of them, for messages."""
        place = "every fold" if fold is None else f"fold {fold}"
        return self.grid.where(candidate, place + self.layer)

    def measure(self, fitted: Any, rows: Any) -> float:
        """The loss of a fitted model on some rows: smaller is better."""
        return measure_loss(fitted, self.table, rows, self.loss, self.scorer)


def measure_loss(
    fitted: Any, table: ValidationTable, rows: Any, loss: Loss, scorer: Callable | None
) -> float:
    """The mean loss of a fitted model on some rows, or minus what a scorer says of them."""
    return (
        mean_loss(fitted, table, rows, loss) if scorer is None else -score_rows(scorer, fitted, table, rows)
    )


class FoldLosses:
    """Mean losses of candidates (rows) in folds (columns), NaN where there is none, and the fits that failed."""

    def __init__(self, candidates: int, folds: int):
        self.test, self.train = np.full((candidates, folds), np.nan), np.full((candidates, folds), np.nan)
        self.failures: list[Failure] = []

    def enter(self, candidates: Any, fold: int, answer: Failure | tuple[Any, Any]) -> None:
        """Losses on training and test rows, or what kept them from being known."""
        if isinstance(answer, Failure):
            self.failures.append(answer)
            answer = np.nan, np.nan
        self.train[candidates, fold], self.test[candidates, fold] = answer


@dataclass(frozen=True)
class Answered:
    """Which level answered, and which folds it fitted again, or what else is worth a note."""

    how: str
    notes: tuple[str, ...] = ()
    held: list[HeldOutFolds] = field(default_factory=list)
