"""Many candidates on the same folds: the table is opened once, and every level answers for all it can.

Candidates that differ in one parameter form a *line* (all penalties from one decomposition); lines that are
fitted from the same statistics form a *group* (one pass over the rows for all of them).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, TypeVar

import numpy as np
from joblib import Parallel
from sklearn.base import clone

from suffice._core.losses import Loss
from suffice._core.records import record
from suffice.engine import one_blas_thread, parallel
from suffice.engine.threads import count
from suffice.evaluation._levels.arguments import fitted_alone
from suffice.evaluation._levels.densities import prepared
from suffice.evaluation._levels.fits import (
    Doubt,
    Failure,
    HeldOutFolds,
    ValidationTable,
    ask,
    attempt,
    kept,
    losses_of,
    mean_loss,
    report,
    scored_by,
    sizes_of_tests,
    solved,
    weighted_mean,
)
from suffice.evaluation._levels.groups import CandidateGroup, CandidateLine, narrowed
from suffice.evaluation._levels.piped import PIPED, Piped, see_through
from suffice.evaluation._levels.routing import under_config
from suffice.evaluation._levels.warm import (
    alone,
    decided,
    or_raise,
    warm_distributions,
    warm_fits,
    why_not_warm,
)
from suffice.evaluation.protocols import CountsErrors, RefitsTogether, SolvesPath, offers
from suffice.statistics.folds import Folds, Partition

A = TypeVar("A")
LEVELS = ("statistics", "closed form", "warm refit", "refit")
STATISTICS, CLOSED_FORM, WARM, REFIT = range(4)
TOGETHER = 16  # folds at most that are solved in one call


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


class SearchCandidates:
    """Candidates of a search over one table, scored on any folds of its rows.

    `visits` tells how many rows the folds to come will read in all: where they overlap much, the rows are
    prepared for that once.
    """

    def __init__(
        self,
        model: Any,
        grid: Sequence[dict[str, Any]],
        table: ValidationTable,
        loss: Loss,
        *,
        visits: int,
        n_jobs: int | None = None,
        scorer: Callable | None = None,
        name: str = "",
        pre_dispatch: Any = "2*n_jobs",
    ):
        self.model, self.grid, self.table, self.loss = model, list(grid), table, loss
        self.n_jobs, self.scorer, self.pre_dispatch = n_jobs, scorer, pre_dispatch
        self.name, self.layer = name, ""  # for messages
        self.groups: list[CandidateGroup] = []
        self.refitted: list[int] = []
        self.warm: list[CandidateLine] = []
        self.notes: tuple[str, ...] = ()
        self._sort()
        self.notes += prepared(model, loss) + fitted_alone(table.params)
        self._visits = visits

    def candidate(self, i: int) -> Any:
        """The i-th candidate, not fitted."""
        return clone(self.model).set_params(**{k: clone(v, safe=False) for k, v in self.grid[i].items()})

    # -- who can be answered how ----------------------------------------------------------------------
    def _sort(self) -> None:
        reasons: list[str | None] = []
        for numbers in self._families():
            seen: Any = None
            reason: str | None = "fit has further arguments"
            if not self.table.params:
                seen, reason = see_through(self.candidate(numbers[0]), self.table)
            if seen is not None and self.scorer is not None and isinstance(seen, PIPED):
                seen, reason = None, "a scorer needs the whole Pipeline"
            if seen is None:
                first = self.candidate(numbers[0])
                if why_not_warm(first, self.table) is None:
                    self.warm += self._warm_lines(first, numbers)
                else:
                    self.refitted += numbers
                reasons.append(reason)
                continue
            for line in self._lines(seen, numbers):
                if not any(group.takes(line) for group in self.groups):
                    self.groups.append(CandidateGroup(line))
        self.refitted.sort()
        self.notes = tuple(dict.fromkeys(r for r in reasons if r))

    def _families(self) -> list[list[int]]:
        """Numbers of candidates that differ only in a parameter that the first one has paths for."""
        first, _ = see_through(self.candidate(0), self.table)
        paths: tuple[str, ...] = first.path_parameters if isinstance(first, SolvesPath) else ()
        if first is None and isinstance(candidate := self.candidate(0), RefitsTogether):
            paths = candidate.refit_parameters
        self._path = next((p for p in paths if any(p in params for params in self.grid)), None)
        families: dict[Any, list[int]] = {}
        for i, params in enumerate(self.grid):
            rest = tuple((k, _key(v)) for k, v in sorted(params.items()) if k != self._path)
            families.setdefault((rest, self._path in params), []).append(i)
        return list(families.values())

    def _lines(self, seen: Any, numbers: list[int]) -> list[CandidateLine]:
        path = self._path
        if path is None or len(numbers) == 1 or self.scorer is not None:
            return self._single_lines(seen, numbers)
        if not isinstance(seen, SolvesPath) or path not in seen.path_parameters:
            return self._single_lines(seen, numbers)
        return [CandidateLine(seen, numbers, path, tuple(self.grid[i][path] for i in numbers))]

    def _warm_lines(self, first: Any, numbers: list[int]) -> list[CandidateLine]:
        path = self._path
        if path is None or path not in self.grid[numbers[0]]:
            return [CandidateLine(self.candidate(n), [n]) for n in numbers]
        return [CandidateLine(first, numbers, path, tuple(self.grid[i][path] for i in numbers))]

    def _single_lines(self, seen: Any, numbers: list[int]) -> list[CandidateLine]:
        models = [seen, *(see_through(self.candidate(i), self.table)[0] for i in numbers[1:])]
        return [CandidateLine(m, [i]) for m, i in zip(models, numbers, strict=True)]

    # -- scoring --------------------------------------------------------------------------------------
    @one_blas_thread()
    def scores(self, folds: Folds, train: bool = True, strict: bool = False) -> Scores:
        """Every candidate in every fold; with `strict` the first failure is raised."""
        shape, sizes = (len(self.grid), len(folds)), sizes_of_tests(self.table, folds)
        out = {"test": np.full(shape, np.nan), "train": np.full(shape, np.nan)}
        level, notes = 0, self.notes
        failures: list[Failure] = []
        for group in self.groups:
            answer = self._grouped(group, folds, out, train)
            level, notes, failures = max(level, answer[0]), notes + answer[1], failures + answer[2]
        if self.warm:
            mine = copy.copy(self)
            mine.table, among = alone(self.table, folds)
            failures += [f for line in self.warm for f in mine._warmly(line, among, out, train)]
            level = max(level, WARM)
        if self.refitted:
            failures += self._refit(folds, out, train)
            level = REFIT
        notes += report(failures, len(failures) if strict else out["test"].size)
        return Scores(out["test"], out["train"], sizes, LEVELS[level], notes)

    def every(self, layers: Sequence[Folds]) -> list[Scores]:
        """The test scores on several sets of folds; statistics are shared, so these are spread over threads."""

        def one(i: int) -> Scores:
            mine = copy.copy(self)  # messages name the layer
            mine.layer = f" in the inner layer of outer fold {i}"
            return mine.scores(layers[i], train=False)

        ready = attempt(self._open, "every fold")
        if self.refitted or self.warm or isinstance(ready, Failure):
            return [one(i) for i in range(len(layers))]
        return parallel(one, range(len(layers)))

    def _open(self) -> None:
        for group in self.groups:
            group.open(self.table, self._visits)
            _ = group.gatherer

    def _grouped(
        self, group: CandidateGroup, folds: Folds, out: dict, train: bool
    ) -> tuple[int, tuple, list[Failure]]:
        """The level that answered for a group, its notes, and what failed.

        A group that cannot even be read is taken apart, so that one candidate does not spoil the others.
        """
        answer = attempt(
            lambda: self._together(group, folds, out, train), self._where(group.lines[0].numbers[0])
        )
        if not isinstance(answer, Failure):
            return answer
        if len(group.lines) == 1:
            return 0, (), [answer] * (len(group.lines[0].numbers) * len(folds))
        parts = [self._grouped(CandidateGroup(line), folds, out, train) for line in group.lines]
        levels, notes, failures = zip(*parts, strict=True)
        return max(levels), tuple(chain(*notes)), list(chain(*failures))

    def _together(
        self, group: CandidateGroup, folds: Folds, out: dict, train: bool
    ) -> tuple[int, tuple, list[Failure]]:
        group.open(self.table, self._visits)
        closed = self.scorer is None and (self.loss.squared or not train) and group.closed_form(folds)
        if closed:
            alone, failures = self._closed_form(group, folds, out)
            return (REFIT if alone else CLOSED_FORM), alone, failures
        self._doubted: dict[int, str] = {}
        failures = self._from_statistics(group, folds, out, train)
        notes = tuple(f"fold {i} was refitted: {self._doubted[i]}" for i in sorted(self._doubted))
        return (REFIT if notes else STATISTICS), notes, failures

    def _from_statistics(self, group: CandidateGroup, folds: Folds, out: dict, train: bool) -> list[Failure]:
        def some(pairs: Sequence[tuple[int, tuple[Any, Any]]]) -> list[tuple[list[int], int, Any]]:
            return [a for line in group.lines for a in self._at_once(line, folds, pairs, train)]

        size = min(TOGETHER, -(-len(folds) // count()))
        failures = []
        for numbers, i, answer in chain(*parallel(some, _chunks(enumerate(group.pairs(folds)), size))):
            if isinstance(answer, Failure):
                failures.append(answer)
            else:
                out["train"][numbers, i], out["test"][numbers, i] = answer
        return failures

    def _at_once(
        self, line: CandidateLine, folds: Folds, pairs: Sequence[tuple[int, tuple[Any, Any]]], train: bool
    ) -> list[tuple[list[int], int, Any]]:
        """The line in several folds together; if that fails, fold by fold, so that one does not spoil the others."""
        if len(pairs) > 1 and self._from_errors(line):
            try:
                answers = attempt(lambda: line.errors([pair for _, pair in pairs], train), "several folds")
            except Doubt as reason:
                answers = reason
            if isinstance(answers, list):
                return [(line.numbers, i, a) for (i, _), a in zip(pairs, answers, strict=True)]
        return [
            (numbers, i, answer)
            for i, pair in pairs
            for numbers, answer in self._answers(line, folds, i, pair, train)
        ]

    def _answers(
        self, line: CandidateLine, folds: Folds, i: int, pair: tuple[Any, Any], train: bool
    ) -> list[tuple[list[int], Any]]:
        """The line at once; if that fails, its candidates one by one, so that one does not spoil the others."""
        try:
            answer = attempt(lambda: self._line(line, folds, i, pair, train), self._where(line.numbers[0], i))
        except Doubt as reason:
            self._doubted[i] = str(reason)
            return [([n], self._again(n, folds, i, train)) for n in line.numbers]
        if not isinstance(answer, Failure) or len(line.numbers) == 1:
            return [(line.numbers, answer)]
        singles = [CandidateLine(m, [n]) for m, n in zip(line.members(), line.numbers, strict=True)]
        return [pair_ for single in singles for pair_ in self._answers(single, folds, i, pair, train)]

    def _again(self, number: int, folds: Folds, i: int, train: bool) -> Any:
        """One candidate in one fold, fitted to the rows."""
        sets = folds.train(i), folds.test(i)
        return _refit_one(
            self.candidate(number), self.table, *sets, self.loss, self.scorer, train, self._where(number, i)
        )

    def _line(self, line: CandidateLine, folds: Folds, i: int, pair: tuple[Any, Any], train: bool) -> tuple:
        """Training and test losses of the candidates of one line in one fold."""
        if self._from_errors(line):
            return line.errors([pair], train)[0]
        fits = [solved(m, narrowed(m, pair[0])) for m in line.members()]
        rows = folds.train(i) if train else None
        return (
            np.array([self._judge(f, rows) if train else np.nan for f in fits]),
            np.array([self._judge(f, folds.test(i)) for f in fits]),
        )

    def _from_errors(self, line: CandidateLine) -> bool:
        """Whether the statistics alone tell the losses of a line."""
        counts = isinstance(line.model, Piped) or offers(line.model, CountsErrors)
        return self.loss.squared and self.scorer is None and counts

    def _judge(self, fitted: Any, rows: Any) -> float:
        if self.scorer is not None:
            return -scored_by(self.scorer, fitted, self.table, rows)
        return mean_loss(fitted, self.table, rows, self.loss)

    def _mean(self, losses: np.ndarray, rows: Any) -> float:
        """The weighted mean of losses of all rows over some of them."""
        return weighted_mean(losses[rows], self.table.weights(rows))

    def _closed_form(
        self, group: CandidateGroup, folds: Any, out: dict
    ) -> tuple[tuple[str, ...], list[Failure]]:
        """One fit per candidate answers for all folds; those it cannot are solved from their rows."""
        local = Partition.of_sizes(folds.sizes)  # the rows in the order of the folds, some perhaps twice
        reading = group.lead.reading(group.rows[folds.between(0, len(folds))], group.plan)
        w = self.table.weights(folds.order)
        notes: dict[str, None] = {}
        failures: list[Failure] = []
        for line in group.lines:
            for number, model in zip(line.numbers, line.members(), strict=True):
                left = model.left_out(reading, local)
                losses = self._row_losses(model, left, folds.order)
                weighted = np.add.reduceat(w * losses, local.starts[:-1])
                out["test"][number] = weighted / np.add.reduceat(w, local.starts[:-1])
                out["train"][number] = left.sse.mean(axis=1) / left.n
                for i in np.flatnonzero(left.alone).tolist():
                    answer = self._again(number, folds, i, self.loss.squared)
                    notes[f"fold {i} was refitted: its rows determine a direction alone"] = None
                    if isinstance(answer, Failure):
                        failures.append(answer)
                        answer = np.nan, np.nan
                    out["train"][number, i], out["test"][number, i] = answer
        return tuple(notes), failures

    def _row_losses(self, model: Any, left: Any, rows: np.ndarray) -> np.ndarray:
        single = np.ndim(self.table.y) == 1
        y = self.table.targets(rows)
        if self.loss.needs == "predict_dist":
            return self.loss(y, model.left_out_dist(left, single))
        return self.loss(y, left.predictions[:, 0] if single else left.predictions, rows)

    def _warmly(self, line: CandidateLine, folds: Folds, out: dict, train: bool) -> list[Failure]:
        """The fits of a line share their work; each is judged by itself."""
        where = self._where(line.numbers[0])
        if not train and self.scorer is None and self.loss.modest:
            line = self._at_a_glance(line, folds, out, where)
            if not line.numbers:
                return []
        fits = attempt(
            lambda: warm_fits(line.model, self.table, folds, line.parameter, line.values or (None,)), where
        )
        if isinstance(fits, Failure):
            return [fits] * (len(line.numbers) * len(folds))
        tasks = [(j, i) for j in range(len(line.numbers)) for i in range(len(folds))]
        whole = train and self.scorer is None and isinstance(folds, Partition)  # all rows are asked about

        def judged(task: tuple[int, int]) -> Any:
            j, i = task

            def work() -> tuple[float, float]:
                fitted, test = or_raise(fits[j][i]), folds.test(i)
                if whole:
                    losses = losses_of(fitted, self.table, slice(None), self.loss)
                    return self._mean(losses, folds.train(i)), self._mean(losses, test)
                return (self._judge(fitted, folds.train(i)) if train else np.nan), self._judge(fitted, test)

            return attempt(work, self._where(line.numbers[j], i))

        failures = []
        for (j, i), answer in zip(tasks, parallel(judged, tasks), strict=True):
            if isinstance(answer, Failure):
                failures.append(answer)
            else:
                out["train"][line.numbers[j], i], out["test"][line.numbers[j], i] = answer
        return failures

    def _at_a_glance(self, line: CandidateLine, folds: Folds, out: dict, where: str) -> CandidateLine:
        """Test losses of values whose refits tell them all at once; what is left of the line."""
        values = line.values or (None,)
        found = attempt(
            lambda: warm_distributions(line.model, self.table, folds, line.parameter, values), where
        )
        if isinstance(found, Failure):
            return line
        y, w, left = self.table.targets(slice(None)), self.table.weights(slice(None)), []
        for j, distribution in enumerate(found):
            if distribution is None:
                left.append(j)
                continue
            losses = self.loss(
                y, distribution if self.loss.needs == "predict_dist" else decided(distribution)
            )
            counted = np.where(w > 0, losses, 0.0) * w
            tests = [folds.test(i) for i in range(len(folds))]
            out["test"][line.numbers[j]] = [counted[t].sum() / w[t].sum() for t in tests]
        kept = tuple(values[j] for j in left) if line.parameter is not None else ()
        return CandidateLine(line.model, [line.numbers[j] for j in left], line.parameter, kept)

    def _refit(self, folds: Folds, out: dict, train: bool) -> list[Failure]:
        tasks = [(c, i) for c in self.refitted for i in range(len(folds))]
        one = under_config(_refit_one)
        answers = Parallel(n_jobs=self.n_jobs, pre_dispatch=self.pre_dispatch)(
            one(self.candidate(c), self.table, folds.train(i), folds.test(i), self.loss, self.scorer, train,
                self._where(c, i)) for c, i in tasks)  # fmt: skip
        failures = []
        for (c, i), answer in zip(tasks, answers, strict=True):
            if isinstance(answer, Failure):
                failures.append(answer)
            else:
                out["train"][c, i], out["test"][c, i] = answer
        return failures

    def _where(self, candidate: int, fold: int | None = None) -> str:
        params = self.grid[candidate]
        place = "every fold" if fold is None else f"fold {fold}"
        owner = f"model {self.name!r}, " if self.name else ""
        return owner + place + self.layer + (f" with {params}" if params else "")

    def fitted(self, number: int) -> Any:
        """A candidate fitted to all rows from statistics that the folds left behind, or None."""
        for group in self.groups:
            for line in group.lines:
                if number in line.numbers and group.whole is not None and not isinstance(group.lead, PIPED):
                    model = line.member(line.numbers.index(number))
                    try:
                        return solved(model, narrowed(model, group.whole))
                    except Doubt:
                        return None
        return None

    # -- predictions of chosen candidates -------------------------------------------------------------
    @one_blas_thread()
    def hold(self, chosen: Sequence[int], folds: Folds) -> tuple[str, tuple[str, ...], list[HeldOutFolds]]:
        """The predictions of candidate `chosen[i]`, fitted to the training rows of fold i, for its test rows."""
        self.layer = ""
        held: dict[int, HeldOutFolds] = {}
        for group in self.groups:
            lines = {n: (line, j) for line in group.lines for j, n in enumerate(line.numbers)}
            if not any(c in lines for c in chosen):
                continue
            group.open(self.table, self._visits)
            for i, (stat, _) in enumerate(group.gatherer.pairs(folds)):
                if chosen[i] in lines:
                    line, j = lines[chosen[i]]
                    held[i] = self._ask_solved(line.member(j), stat, chosen[i], folds, i)
        again = [i for i in range(len(folds)) if i not in held]
        for i in again:
            fit = partial(self.table.fit, self.candidate(chosen[i]), folds.train(i))
            held[i] = self._ask(fit, chosen[i], folds, i)
        return (
            "refit" if again else "statistics",
            self.notes if again else (),
            [held[i] for i in range(len(folds))],
        )

    def _ask_solved(self, model: Any, stat: Any, number: int, folds: Folds, i: int) -> HeldOutFolds:
        try:
            return self._ask(lambda: solved(model, narrowed(model, stat)), number, folds, i)
        except Doubt:
            return self._ask(lambda: self.table.fit(self.candidate(number), folds.train(i)), number, folds, i)

    def _ask(self, fit: Callable[[], Any], number: int, folds: Folds, i: int) -> HeldOutFolds:
        answer = attempt(lambda: ask(fit(), self.table, folds.test(i), self.loss, i), self._where(number, i))
        return kept(answer, self.table, folds, i)


def _refit_one(
    model: Any,
    table: ValidationTable,
    train: Any,
    test: Any,
    loss: Loss,
    scorer: Callable | None,
    judge: bool,
    where: str,
) -> Any:
    def measured(fitted: Any, rows: Any) -> float:
        if scorer is not None:
            return -scored_by(scorer, fitted, table, rows)
        return mean_loss(fitted, table, rows, loss)

    def work() -> tuple[float, float]:
        fitted = table.fit(model, train)
        return (measured(fitted, train) if judge else np.nan), measured(fitted, test)

    return attempt(work, where)


def _chunks(items: Iterable[A], size: int) -> Iterator[list[A]]:
    items = iter(items)
    while chunk := list(islice(items, size)):
        yield chunk


def _key(value: Any) -> Any:
    """Something to group equal parameter values by; values that cannot be hashed stand for themselves."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value
