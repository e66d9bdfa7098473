"""The ladder of validation: candidates on the same folds, each answered by the first level that can.

    closed form ─▶ statistics ─▶ warm refit ─▶ refit

Candidates that differ in one parameter form a *line* (all penalties from one decomposition); lines that are fitted from
the same statistics form a *group* (one pass over the rows for all of them). A group opens the table once, whatever is
asked of it, in however many folds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
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
from suffice.evaluation._levels.groups import CandidateGroup, CandidateLine, narrow, solve_fold
from suffice.evaluation._levels.level import Level, LossLevel
from suffice.evaluation._levels.predictions import HeldOutFolds
from suffice.evaluation._levels.question import Answered, CandidateGrid, FoldLosses, Question, slowest_level
from suffice.evaluation._levels.refit_level import RefitLevel
from suffice.evaluation._levels.see_through import see_through
from suffice.evaluation._levels.statistics_level import StatisticsLevel
from suffice.evaluation._levels.validation_table import ValidationTable, sizes_of_tests
from suffice.evaluation._levels.warm_level import WarmRefitLevel, why_not_warm
from suffice.evaluation.protocols import RefitsTogether, SolvesPath, offers
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
        self.grid, self.table, self._visits = CandidateGrid(model, list(grid), name), table, visits
        self._jobs = {"n_jobs": n_jobs, "pre_dispatch": pre_dispatch}
        self._views: dict[int, tuple[Any, str | None]] = {}
        self._path = self._path_parameter()
        self.groups = self._sorted()

    # -- who belongs together -------------------------------------------------------------------------
    def _view(self, i: int) -> tuple[Any, str | None]:
        """A candidate as one that is fitted from statistics, or None and why not."""
        if self.table.params:
            return None, "fit has further arguments"
        if i not in self._views:
            self._views[i] = see_through(self.grid[i], self.table)
        return self._views[i]

    def _path_parameter(self) -> str | None:
        """The parameter whose values are answered at once, of those that the grid has."""
        seen, model = self._view(0)[0], self.grid.model
        paths: tuple[str, ...] = seen.path_parameters if offers(seen, SolvesPath) else ()
        if seen is None and isinstance(model, RefitsTogether):
            paths = model.refit_parameters
        return next((p for p in paths if any(p in params for params in self.grid.params)), None)

    def _sorted(self) -> list[CandidateGroup]:
        """Groups that share statistics, then the lines whose refits share work, then all others."""
        groups: list[CandidateGroup] = []
        warm: list[CandidateLine] = []
        rest: list[CandidateLine] = []
        reasons: dict[str, None] = {}
        for numbers in self._families():
            seen, reason = self._view(numbers[0])
            if seen is not None:
                for line in self._statistics_lines(seen, numbers):
                    if not any(group.takes(line) for group in groups):
                        groups.append(CandidateGroup([line], self.table, self._visits))
                continue
            reasons[str(reason)] = None
            first = self.grid[numbers[0]]
            if why_not_warm(first, self.table) is None:
                warm += self._warm_lines(first, numbers)
            else:
                rest += [CandidateLine(first, [n]) for n in numbers]
        given = self.table, self._visits, tuple(reasons)
        groups += [CandidateGroup(lines, *given, warm=True) for lines in (warm,) if lines]
        return groups + [CandidateGroup(lines, *given) for lines in (rest,) if lines]

    def _families(self) -> list[list[int]]:
        """Numbers of candidates that differ only in the parameter whose values are answered at once."""
        families: dict[Any, list[int]] = {}
        for i, params in enumerate(self.grid.params):
            rest = tuple((k, _key(v)) for k, v in sorted(params.items()) if k != self._path)
            families.setdefault((rest, self._path in params), []).append(i)
        return list(families.values())

    def _statistics_lines(self, seen: Any, numbers: list[int]) -> list[CandidateLine]:
        if len(numbers) > 1 and offers(seen, SolvesPath) and self._path in seen.path_parameters:
            return [self._along_path(seen, numbers, str(self._path))]
        return [CandidateLine(self._view(n)[0], [n]) for n in numbers]

    def _warm_lines(self, first: Any, numbers: list[int]) -> list[CandidateLine]:
        if self._path in self.grid.params[numbers[0]]:
            return [self._along_path(first, numbers, str(self._path))]
        return [CandidateLine(self.grid[n], [n]) for n in numbers]

    def _along_path(self, first: Any, numbers: list[int], path: str) -> CandidateLine:
        return CandidateLine(first, numbers, path, tuple(self.grid.params[n][path] for n in numbers))

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
        asked = Question(self.grid, self.table, folds, loss, **self._jobs)
        held: dict[int, HeldOutFolds] = {}
        for group in self.groups:
            mine = {i: c for i, c in enumerate(chosen) if c in group.numbers}
            if mine and not group.reasons:
                held |= zip(mine, STATISTICS.predictions(group, asked, mine).held, strict=True)
        again = {i: c for i, c in enumerate(chosen) if i not in held}
        if again:
            held |= zip(again, REFIT.predictions(self.groups[-1], asked, again).held, strict=True)
        how, notes = ("refit", self.notes(asked)) if again else ("statistics", ())
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


def _key(value: Any) -> Hashable:
    """Something to group equal parameter values by; values that cannot be hashed stand for themselves."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value
