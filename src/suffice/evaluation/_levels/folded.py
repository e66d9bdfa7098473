"""Candidates judged from statistics of folds that the engine has collected: the rows are not there to be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.base import clone

from suffice._core.errors import HeaderMismatch, InvalidInput, Unsupported
from suffice._core.losses import Loss
from suffice.engine import Folded, one_blas_thread
from suffice.evaluation._levels.groups import CandidateLine
from suffice.evaluation._levels.ladder import Scores
from suffice.evaluation._levels.question import FoldLosses
from suffice.evaluation.protocols import CountsErrors, FromStatistics, Narrows, SolvesPath, offers


@one_blas_thread()
def folded_scores(model: Any, parameter: str, values: Sequence[Any], folded: Folded, loss: Loss) -> Scores:
    """Every value of a parameter in every fold."""
    out, pairs = FoldLosses(len(values), len(folded)), folded.pairs()
    for line in _lines_of_values(model, parameter, values):
        check_folded(line.model, folded, loss)
        for i, answer in enumerate(line.errors(pairs, both=True)):
            out.enter(line.numbers, i, answer)
    return Scores(out.test, out.train, folded.sizes, "statistics", ())


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


def _lines_of_values(model: Any, parameter: str, values: Sequence[Any]) -> list[CandidateLine]:
    """One line where the model has a path along the parameter, else a line for each value."""
    numbers = list(range(len(values)))
    if isinstance(model, SolvesPath) and parameter in model.path_parameters:
        return [CandidateLine(model, numbers, parameter, tuple(values))]
    return [CandidateLine(clone(model).set_params(**{parameter: v}), [n]) for n, v in enumerate(values)]
