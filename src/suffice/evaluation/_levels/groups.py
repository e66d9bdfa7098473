"""Candidates that can be answered together: lines along one parameter, groups that share statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.records import record
from suffice.evaluation._levels.failures import Doubt
from suffice.evaluation._levels.validation_table import ValidationTable
from suffice.evaluation.protocols import (
    Conditioned,
    Doubts,
    GathersFolds,
    HoldsOut,
    ListsClasses,
    Narrows,
    offers,
)
from suffice.statistics.fold_statistics import FoldStatistics
from suffice.statistics.folds import Folds, Partition

WORST = 1e12  # scaled condition of a training set beyond which merged statistics are not trusted


def solve_fold(model: Any, statistics: Any) -> Any:
    """A fitted copy of a model that is fitted from statistics; raises `Doubt` where those have lost digits."""
    refuse_doubtful(model, statistics)
    if offers(statistics, ListsClasses):
        statistics = statistics.of_classes_with_rows()  # one without training rows is none to the model
    fitted = clone(model).solve(statistics)
    if offers(fitted, Conditioned) and fitted.condition_ > WORST:
        raise Doubt("its columns are too ill-conditioned")
    return fitted


def refuse_doubtful(model: Any, statistics: Any) -> None:
    """Raise `Doubt` where the model says that the statistics have lost digits."""
    if offers(model, Doubts) and (reason := model.doubt(statistics)):
        raise Doubt(reason)


def narrow(model: Any, statistics: Any) -> Any:
    return model.narrow(statistics) if offers(model, Narrows) else statistics


@record
class CandidateLine:
    """Candidates that differ in one parameter at most: a model, their numbers, and the parameter's values."""

    model: Any
    numbers: list[int]
    parameter: str | None = None
    values: tuple[Any, ...] = (None,)

    @cached_property
    def members(self) -> list[Any]:
        """The candidates as models of their own."""
        if self.parameter is None:
            return [self.model]
        return [clone(self.model).set_params(**{self.parameter: value}) for value in self.values]

    def singles(self) -> list[CandidateLine]:
        """The candidates as lines of their own."""
        return [CandidateLine(m, [n]) for m, n in zip(self.members, self.numbers, strict=True)]

    def errors(self, pairs: Sequence[tuple[Any, Any]], both: bool) -> list[tuple[Any, np.ndarray]]:
        """Per pair of statistics the mean squared error on training rows, if `both`, and on test rows.

        Each is an array over the candidates of the line.
        """
        pairs = [(narrow(self.model, train), narrow(self.model, test)) for train, test in pairs]
        return [
            (_mean_error(fit, train) if both else np.nan, _mean_error(fit, test))
            for fit, (train, test) in zip(self._fits([train for train, _ in pairs]), pairs, strict=True)
        ]

    def _fits(self, statistics: list[Any]) -> Sequence[Any]:
        if self.parameter is None:
            return [solve_fold(self.model, t) for t in statistics]
        for t in statistics:
            refuse_doubtful(self.model, t)
        return self.model.solve_paths(statistics, self.parameter, self.values)


def _mean_error(fit: Any, statistics: Any) -> np.ndarray:
    return np.atleast_1d(fit.squared_error(statistics)) / statistics.n


class CandidateGroup:
    """Lines of one table that the same level answers; `reasons` say why they are not read from statistics.

    Those that are read from statistics share them: they are gathered once, under the richest of their keys. `visits`
    tells how many rows the folds to come will read in all.
    """

    def __init__(
        self,
        lines: list[CandidateLine],
        table: ValidationTable,
        visits: int,
        reasons: Sequence[str] = (),
        warm: bool = False,
    ):
        self.lines, self.reasons, self.warm = lines, tuple(reasons), warm
        self._table, self._visits = table, visits
        self.lead, self.whole = lines[0].model, None

    @property
    def numbers(self) -> list[int]:
        """The candidates of all lines, in order."""
        return sorted(n for line in self.lines for n in line.numbers)

    def takes(self, line: CandidateLine) -> bool:
        """Add the line if its statistics are mine, a part of mine, or the other way round."""
        mine, theirs = self.lead, line.model
        if mine.statistics_key == theirs.statistics_key or _narrows(theirs, mine):
            self.lines.append(line)
        elif all(_narrows(old.model, theirs) for old in self.lines):
            self.lead = theirs
            self.lines.append(line)
        else:
            return False
        return True

    def apart(self) -> list[CandidateGroup]:
        """A group for each line."""
        return [
            CandidateGroup([line], self._table, self._visits, self.reasons, self.warm) for line in self.lines
        ]

    # -- what statistics are made of ----------------------------------------------------------------------
    @cached_property
    def opened(self) -> tuple[Any, Any]:
        """Validated rows and their plan: the table is read here, and nowhere else."""
        return self.lead.door(self._table.X, self._table.y, self._table.weight)

    @cached_property
    def gatherer(self) -> Any:
        """Makes the statistics of folds."""
        (rows, plan), lead = self.opened, self.lead
        if offers(lead, GathersFolds):
            return lead.fold_gatherer(rows, plan, self._visits)
        return FoldStatistics(lambda index: lead.gather(rows[index], plan), len(rows))

    def pairs(self, folds: Folds) -> Iterator[tuple[Any, Any]]:
        """Training and test statistics of every fold; the first fold also leaves the statistics of all rows."""
        everything = isinstance(folds, Partition) and folds.rows == len(self.opened[0])
        for i, (train, test) in enumerate(self.gatherer.pairs(folds)):
            if i == 0 and everything and type(train) is type(test):
                self.whole = train + test
            yield train, test

    # -- what the closed form needs -----------------------------------------------------------------------
    def why_not_held_out(self, folds: Folds) -> str | None:
        """None where leaving folds out of one fit answers for all lines, and pays; else the reason."""
        if not isinstance(folds, Partition):
            return "the folds do not test every row once"
        if not all(offers(line.model, HoldsOut) for line in self.lines):
            return "the model has no closed form"
        if not self.lead.left_out_pays(folds, self.opened[1]):
            return "statistics answer faster for folds of this size"
        reasons = (model.why_not_held_out(folds) for line in self.lines for model in line.members)
        return next((reason for reason in reasons if reason is not None), None)


def _narrows(a: Any, b: Any) -> bool:
    return offers(a, Narrows) and a.narrows(b.statistics_key)
