"""Candidates judged from statistics of folds that the engine has collected: the rows are not there to be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.errors import HeaderMismatch, InvalidInput, Unsupported
from suffice._core.losses import Loss
from suffice.engine import Folded, one_blas_thread
from suffice.evaluation._levels.groups import CandidateLine
from suffice.evaluation._levels.ladder import Scores
from suffice.evaluation.protocols import CountsErrors, FromStatistics, Narrows, SolvesPath, offers


@one_blas_thread()
def folded_scores(
    model: Any, grid: Sequence[dict[str, Any]], folded: Folded, loss: Loss, train: bool
) -> Scores:
    """Every candidate in every fold."""
    shape = (len(grid), len(folded))
    out = {"test": np.full(shape, np.nan), "train": np.full(shape, np.nan)}
    pairs = folded.pairs()
    for line in _lines(model, grid):
        check_folded(line.model, folded, loss)
        for i, answer in enumerate(line.errors(pairs, train)):
            out["train"][line.numbers, i], out["test"][line.numbers, i] = answer
    return Scores(out["test"], out["train"], folded.sizes, "statistics", ())


def check_folded(model: Any, folded: Folded, loss: Loss) -> None:
    """Raise unless a model can be judged from these statistics alone."""
    if not loss.squared:
        raise Unsupported(
            f"Statistics tell the squared loss, not {loss.name!r}; engine.cross_validate reads the source for that."
        )
    if not isinstance(model, FromStatistics) or not offers(model, CountsErrors):
        raise Unsupported(f"{type(model).__name__} cannot be judged from statistics without their rows.")
    header = getattr(folded.whole, "header", None)
    key = getattr(header, "basis", None)
    narrows = isinstance(model, Narrows) and model.narrows(key)
    if model.statistics_key != key and not narrows:
        raise HeaderMismatch(
            f"The folds were collected for {key!r}, and {type(model).__name__} needs {model.statistics_key!r}; collect "
            "them for that."
        )


def refuse_rows(**given: Any) -> None:
    """Raise for what belongs to rows: the statistics of folds have settled it."""
    for name, value in given.items():
        if value is not None:
            raise InvalidInput(
                f"The statistics of folds need no {name}; it was decided when they were collected."
            )


def _lines(model: Any, grid: Sequence[dict[str, Any]]) -> list[CandidateLine]:
    """Candidates that differ in one parameter which the model has paths for, together; the others one by one."""
    numbers = list(range(len(grid)))
    names = {name for params in grid for name in params}
    if len(names) == 1 and isinstance(model, SolvesPath) and names <= set(model.path_parameters):
        (name,) = names
        return [CandidateLine(model, numbers, name, tuple(params[name] for params in grid))]
    return [CandidateLine(clone(model).set_params(**grid[i]), [i]) for i in numbers]
