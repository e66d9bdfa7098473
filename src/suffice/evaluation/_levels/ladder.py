"""The ladder of validation: candidates on the same folds, each answered by the first level that can.

closed form ─▶ statistics ─▶ warm refit ─▶ refit
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import IllConditioned, warn
from suffice._core.losses import Loss
from suffice._core.records import record
from suffice.engine import one_blas_thread, parallel
from suffice.evaluation._levels.arguments import note_fit_weights
from suffice.evaluation._levels.closed_form_level import ClosedFormLevel, LabelsClosedFormLevel
from suffice.evaluation._levels.densities import note_prepared_density
from suffice.evaluation._levels.failures import Doubt, Failure, attempt, report
from suffice.evaluation._levels.groups import CandidateGroup, narrow, solve_fold
from suffice.evaluation._levels.level import Level, LossLevel
from suffice.evaluation._levels.predictions import HeldOutFolds
from suffice.evaluation._levels.question import Answered, CandidateGrid, FoldLosses, Question, slowest_level
from suffice.evaluation._levels.refit_level import RefitLevel
from suffice.evaluation._levels.sorting import CandidateSorter
from suffice.evaluation._levels.statistics_level import StatisticsLevel
from suffice.evaluation._levels.validation_table import ValidationTable, sizes_of_tests
from suffice.evaluation._levels.warm_level import WarmRefitLevel
from suffice.statistics.folds import Folds

STATISTICS, WARM_REFIT, REFIT = StatisticsLevel(), WarmRefitLevel(), RefitLevel()
LINES: tuple[LossLevel, ...] = (ClosedFormLevel(), STATISTICS, WARM_REFIT, REFIT)  # asked in this order
SINGLE: tuple[Level, ...] = (LINES[0], LabelsClosedFormLevel(), *LINES[1:])  # for one candidate, row by row


@record
class Scores:
    """Mean loss of every candidate (rows) in every fold (columns), on test and training rows."""

    test: np.ndarray
    train: np.ndarray
    sizes: np.ndarray
    how: str
    notes: tuple[str, ...]

    @property
    def estimates(self) -> np.ndarray:
        """Size-weighted mean over the folds, per candidate."""
        return self.test @ self.sizes / self.sizes.sum()


class Ladder:
    """Candidates of one table, sorted by who can answer for them.

    `visits` tells how many rows the folds to come will read in all: where they overlap much, the rows are
    prepared for that once. `name` is what messages call the model.
    """

    def __init__(
        self,
        model: Any,
        grid: Sequence[dict[str, Any]],
        table: ValidationTable,
        *,
        visits: int,
        name: str = "",
        n_jobs: int | None = None,
        pre_dispatch: Any = "2*n_jobs",
    ):
        self.grid, self.table = CandidateGrid(model, list(grid), name), table
        self.groups = CandidateSorter(self.grid, table, visits).groups()
        self._jobs = {"n_jobs": n_jobs, "pre_dispatch": pre_dispatch}

    # -- losses of all candidates ---------------------------------------------------------------------
    @one_blas_thread()
    def scores(
        self,
        folds: Folds,
        loss: Loss,
        *,
        train: bool = True,
        strict: bool = False,
        scorer: Callable | None = None,
        layer: str = "",
    ) -> Scores:
        """Every candidate in every fold; with `strict` the first failure is raised."""
        sizes = sizes_of_tests(self.table, folds)
        asked = Question(self.grid, self.table, folds, loss, scorer, train, layer=layer, **self._jobs)
        out = FoldLosses(len(self.grid), len(folds))
        answers = [answer for group in self.groups for answer in self._losses(group, asked, out)]
        notes = self.notes(asked) + tuple(note for answer in answers for note in answer.notes)
        notes += report(out.failures, len(out.failures) if strict else out.test.size)
        return Scores(out.test, out.train, sizes, slowest_level([answer.how for answer in answers]), notes)

    def _losses(self, group: CandidateGroup, asked: Question, out: FoldLosses) -> list[Answered]:
        """The answers for a group; one that cannot even be read is taken apart, so that its candidates fail alone."""
        if STATISTICS.why_not(group, asked) is not None:
            return [_level(group, asked).losses(group, asked, out)]
        known = len(out.failures)
        answer = attempt(
            lambda: _level(group, asked).losses(group, asked, out), asked.where(group.lines[0].numbers[0])
        )
        if not isinstance(answer, Failure):
            return [answer]
        del out.failures[known:]
        if len(group.lines) > 1:
            return [found for part in group.apart() for found in self._losses(part, asked, out)]
        out.failures += [answer] * (len(group.numbers) * len(asked.folds))
        return [Answered("statistics")]

    def notes(self, asked: Question) -> tuple[str, ...]:
        """Why candidates are refitted, and what else to know of these losses."""
        reasons = (r for g in self.groups for r in (g.reasons or (STATISTICS.why_not(g, asked),)) if r)
        return (
            *dict.fromkeys(reasons),
            *note_prepared_density(self.grid.model, asked.loss),
            *note_fit_weights(self.table.params),
        )

    def refits(self, scorer: Callable | None = None) -> bool:
        """Whether a candidate is fitted from scratch."""
        return any(
            not g.warm and (g.reasons or (scorer is not None and self.grid.is_pipeline)) for g in self.groups
        )

    def scores_of_layers(self, layers: Sequence[Folds], loss: Loss) -> list[Scores]:
        """The test scores on several sets of folds; statistics are shared, so these are spread over threads."""

        def one(i: int) -> Scores:
            return self.scores(layers[i], loss, train=False, layer=f" in the inner layer of outer fold {i}")

        def ready() -> bool:
            return all(not group.reasons and group.gatherer is not None for group in self.groups)

        if attempt(ready, "every fold") is True:
            return parallel(one, range(len(layers)))
        return [one(i) for i in range(len(layers))]

    # -- predictions of one candidate per fold --------------------------------------------------------
    def predictions(self, folds: Folds, loss: Loss) -> Answered:
        """What the only candidate, without each fold, says of its rows; by the first level that can answer."""
        (group,) = self.groups
        asked = Question(self.grid, self.table, folds, loss, **self._jobs)
        chosen = dict.fromkeys(range(len(folds)), 0)
        answers = (
            (level, level.predictions(group, asked, chosen))
            for level in SINGLE
            if level.why_not(group, asked) is None
        )
        level, answer = next((level, answer) for level, answer in answers if answer is not None)
        if level is STATISTICS and answer.notes:
            more = f", and so were {len(answer.notes) - 1} more" if answer.notes[1:] else ""
            warn(f"{answer.notes[0]}{more}.", IllConditioned)
        return answer

    @one_blas_thread()
    def chosen_predictions(self, chosen: Sequence[int], folds: Folds, loss: Loss) -> Answered:
        """What candidate `chosen[i]`, fitted to the training rows of fold i, says of its test rows."""
        asked = Question(self.grid, self.table, folds, loss, warn_by_fold=True, **self._jobs)
        held: dict[int, HeldOutFolds] = {}
        answers: list[Answered] = []
        for group in self.groups:
            mine = {i: c for i, c in enumerate(chosen) if c in group.numbers}
            if mine and not group.reasons:
                answers.append(STATISTICS.predictions(group, asked, mine))
                held |= zip(mine, answers[-1].held, strict=True)
        again = {i: c for i, c in enumerate(chosen) if i not in held}
        if again:
            found = REFIT.predictions(self.groups[-1], asked, again)
            answers.append(replace(found, notes=self.notes(asked)))
            held |= zip(again, found.held, strict=True)
        notes = tuple(note for answer in answers for note in answer.notes)
        how = slowest_level(answer.how for answer in answers)
        return Answered(how, notes, [held[i] for i in range(len(folds))])

    def fitted(self, number: int) -> Any:
        """A candidate fitted to all rows from statistics that the folds left behind, or None."""
        group = next(g for g in self.groups if number in g.numbers)
        if group.whole is None or self.grid.is_pipeline:
            return None
        model = next(
            line.members[line.numbers.index(number)] for line in group.lines if number in line.numbers
        )
        try:
            return solve_fold(model, narrow(model, group.whole))
        except Doubt:
            return None


def _level(group: CandidateGroup, asked: Question) -> LossLevel:
    return next(level for level in LINES if level.why_not(group, asked) is None)
