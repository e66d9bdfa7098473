"""Level 1: one pass leaves a statistic per fold, and the model of all other folds is solved from their sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, TypeVar

import numpy as np

from suffice.engine import parallel
from suffice.engine.threads import count
from suffice.evaluation._levels.failures import Doubt, Failure, attempt
from suffice.evaluation._levels.groups import CandidateGroup, CandidateLine, narrow, solve_fold
from suffice.evaluation._levels.predictions import HeldOutFolds, predict_held_out
from suffice.evaluation._levels.question import Answered, FoldLosses, Question
from suffice.evaluation._levels.refit_level import refit_fold
from suffice.evaluation.protocols import CountsErrors, offers

A = TypeVar("A")
AT_ONCE = 16  # folds at most that are solved in one call


class StatisticsLevel:
    """Answers for whatever is fitted from statistics; a fold whose statistics are doubtful is fitted to its rows."""

    def why_not(self, group: CandidateGroup, asked: Question) -> str | None:
        if group.reasons:
            return group.reasons[0]
        if asked.scorer is not None and asked.grid.is_pipeline:
            return "a scorer needs the whole Pipeline"
        return None

    def losses(self, group: CandidateGroup, asked: Question, out: FoldLosses) -> Answered:
        solving = SolvedFolds(asked)

        def some(pairs: Sequence[tuple[int, tuple[Any, Any]]]) -> list[tuple[list[int], int, Any]]:
            return [a for line in group.lines for a in solving.at_once(line, pairs)]

        size = min(AT_ONCE, -(-len(asked.folds) // count()))
        for numbers, i, answer in chain(*parallel(some, _chunks(enumerate(group.pairs(asked.folds)), size))):
            out.enter(numbers, i, answer)
        notes = note_refits(solving.doubts)
        return Answered("refit" if notes else "statistics", notes)

    def predictions(self, group: CandidateGroup, asked: Question, chosen: Mapping[int, int]) -> Answered:
        models = {n: m for line in group.lines for n, m in zip(line.numbers, line.members, strict=True)}
        doubts: dict[int, str] = {}

        def one(task: tuple[int, tuple[Any, Any]]) -> HeldOutFolds:
            i, (statistics, _) = task
            model = models[chosen[i]]

            def fit() -> Any:
                try:
                    return solve_fold(model, statistics if model is group.lead else narrow(model, statistics))
                except Doubt as reason:
                    doubts[i] = str(reason)
                    return asked.table.fit(asked.grid[chosen[i]], asked.folds.train(i))

            return predict_held_out(fit, asked.table, asked.folds, asked.loss, i, asked.where(chosen[i], i))

        pairs = (task for task in enumerate(group.gatherer.pairs(asked.folds)) if task[0] in chosen)
        held = parallel(one, pairs, warn_once=not asked.warn_by_fold)
        notes = note_refits(doubts)
        return Answered("refit" if notes else "statistics", notes, held)


def note_refits(doubts: Mapping[int, str]) -> tuple[str, ...]:
    """Which folds were fitted to their rows, and why."""
    return tuple(f"fold {i} was refitted: {doubts[i]}" for i in sorted(doubts))


@dataclass(frozen=True)
class SolvedFolds:
    """Losses of lines of candidates from the statistics of folds, and which folds were not trusted."""

    asked: Question
    doubts: dict[int, str] = field(default_factory=dict)

    def at_once(
        self, line: CandidateLine, pairs: Sequence[tuple[int, tuple[Any, Any]]]
    ) -> list[tuple[list[int], int, Any]]:
        """The line in several folds together; if that fails, fold by fold, so that one does not spoil the others."""
        if len(pairs) > 1 and self._from_errors(line):
            try:
                answers = attempt(
                    lambda: line.errors([pair for _, pair in pairs], self.asked.train), "several folds"
                )
            except Doubt as reason:
                answers = reason
            if isinstance(answers, list):
                return [(line.numbers, i, a) for (i, _), a in zip(pairs, answers, strict=True)]
        return [(numbers, i, answer) for i, pair in pairs for numbers, answer in self._fold(line, i, pair)]

    def _fold(self, line: CandidateLine, i: int, pair: tuple[Any, Any]) -> list[tuple[list[int], Any]]:
        """The line at once; if that fails, its candidates one by one, so that one does not spoil the others."""
        try:
            answer = attempt(lambda: self._line(line, i, pair), self.asked.where(line.numbers[0], i))
        except Doubt as reason:
            self.doubts[i] = str(reason)
            return [([n], refit_fold(self.asked, n, i)) for n in line.numbers]
        if not isinstance(answer, Failure) or len(line.numbers) == 1:
            return [(line.numbers, answer)]
        return [found for single in line.singles() for found in self._fold(single, i, pair)]

    def _line(self, line: CandidateLine, i: int, pair: tuple[Any, Any]) -> tuple[Any, Any]:
        """Training and test losses of the candidates of one line in one fold."""
        if self._from_errors(line):
            return line.errors([pair], self.asked.train)[0]
        folds, train = self.asked.folds, self.asked.train
        fits = [solve_fold(m, narrow(m, pair[0])) for m in line.members]
        rows = folds.train(i) if train else None
        return (
            np.array([self.asked.measure(f, rows) if train else np.nan for f in fits]),
            np.array([self.asked.measure(f, folds.test(i)) for f in fits]),
        )

    def _from_errors(self, line: CandidateLine) -> bool:
        """Whether the statistics alone tell the losses of a line."""
        return self.asked.loss.squared and self.asked.scorer is None and offers(line.model, CountsErrors)


def _chunks(items: Iterable[A], size: int) -> Iterator[list[A]]:
    items = iter(items)
    while chunk := list(islice(items, size)):
        yield chunk
