"""Candidates that can be answered together: lines along one parameter, groups that share statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.records import record
from suffice.evaluation._levels.fits import Doubt, ValidationTable, open_rows, solved
from suffice.evaluation._levels.piped import Piped
from suffice.evaluation.protocols import Doubts, GathersFolds, HoldsOut, Narrows, offers
from suffice.statistics.fold_statistics import FoldStatistics
from suffice.statistics.folds import Folds, Partition


@record
class CandidateLine:
    """Candidates that differ in one parameter at most: a model, their numbers, and the parameter's values."""

    model: Any
    numbers: list[int]
    parameter: str | None = None
    values: tuple[Any, ...] = ()

    def members(self) -> list[Any]:
        """The candidates as models of their own."""
        return [self.member(j) for j in range(len(self.numbers))]

    def member(self, j: int) -> Any:
        """The j-th candidate as a model of its own."""
        return self.model if self.parameter is None else _with(self.model, self.parameter, self.values[j])

    def errors(self, pairs: Sequence[tuple[Any, Any]], both: bool) -> list[tuple[Any, np.ndarray]]:
        """Per pair of statistics the mean squared error on training rows, if `both`, and on test rows.

        Each is an array over the candidates of the line.
        """
        pairs = [(narrowed(self.model, train), narrowed(self.model, test)) for train, test in pairs]
        return [
            (_mean_error(fit, train) if both else np.nan, _mean_error(fit, test))
            for fit, (train, test) in zip(self._fits([train for train, _ in pairs]), pairs, strict=True)
        ]

    def _fits(self, statistics: list[Any]) -> Sequence[Any]:
        if self.parameter is None:
            return [solved(self.model, t) for t in statistics]
        if offers(self.model, Doubts):
            for reason in map(self.model.doubt, statistics):
                if reason:
                    raise Doubt(reason)
        return self.model.solve_paths(statistics, self.parameter, self.values)


def _mean_error(fit: Any, statistics: Any) -> np.ndarray:
    return np.atleast_1d(fit.squared_error(statistics)) / statistics.n


def _with(model: Any, parameter: str, value: Any) -> Any:
    if isinstance(model, Piped):
        return model.with_parameter(parameter, value)
    return clone(model).set_params(**{parameter: value})


class CandidateGroup:
    """Lines that read the same statistics, gathered under the richest of their keys."""

    def __init__(self, line: CandidateLine):
        self.lead, self.lines = line.model, [line]
        self.whole: Any = None
        self._opened: Any = None
        self._gatherer: Any = None

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

    def open(self, table: ValidationTable, visits: int) -> None:
        """Read the table, once: validated rows, and what folds will be made from."""
        if self._opened is None:
            self._opened = open_rows(self.lead, table)
        self.rows, self.plan = self._opened
        self._visits = visits

    @property
    def gatherer(self) -> Any:
        if self._gatherer is None:
            lead, rows, plan = self.lead, self.rows, self.plan
            if isinstance(lead, GathersFolds):
                self._gatherer = lead.fold_gatherer(rows, plan, self._visits)
            else:
                self._gatherer = FoldStatistics(lambda index: lead.gather(rows[index], plan), len(rows))
        return self._gatherer

    def pairs(self, folds: Folds) -> Iterator[tuple[Any, Any]]:
        """Training and test statistics of every fold; the first fold also leaves the statistics of all rows."""
        for i, (train, test) in enumerate(self.gatherer.pairs(folds)):
            everything = isinstance(folds, Partition) and folds.rows == len(self.rows)
            if i == 0 and everything and type(train) is type(test):
                self.whole = train + test
            yield train, test

    def closed_form(self, folds: Folds) -> bool:
        """Whether leaving folds out of one fit answers for all lines, and pays."""
        models = [line.model for line in self.lines]
        return (
            isinstance(folds, Partition)
            and all(isinstance(m, HoldsOut) for m in models)
            and self.lead.left_out_pays(folds, self.plan)
            and all(m.why_not_held_out(folds) is None for line in self.lines for m in line.members())
        )


def _narrows(a: Any, b: Any) -> bool:
    return isinstance(a, Narrows) and a.narrows(b.statistics_key)


def narrowed(model: Any, statistics: Any) -> Any:
    return model.narrow(statistics) if offers(model, Narrows) else statistics
