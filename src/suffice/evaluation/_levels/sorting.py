"""Which candidates are answered together.

Candidates that differ in one parameter form a *line* (all penalties from one decomposition); lines that are fitted from
the same statistics form a *group* (one pass over the rows for all of them). A group opens the table once, whatever is
asked of it, in however many folds.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from suffice.evaluation._levels.groups import CandidateGroup, CandidateLine
from suffice.evaluation._levels.question import CandidateGrid
from suffice.evaluation._levels.see_through import see_through
from suffice.evaluation._levels.validation_table import ValidationTable
from suffice.evaluation._levels.warm_level import why_not_warm
from suffice.evaluation.protocols import RefitsTogether, SolvesPath, offers


class CandidateSorter:
    """Sorts the candidates of a grid by who can answer for them."""

    def __init__(self, grid: CandidateGrid, table: ValidationTable, visits: int):
        self.grid, self.table, self.visits = grid, table, visits
        self._views: dict[int, tuple[Any, str | None]] = {}
        self._path = self._path_parameter()

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

    def groups(self) -> list[CandidateGroup]:
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
                        groups.append(CandidateGroup([line], self.table, self.visits))
                continue
            reasons[str(reason)] = None
            first = self.grid[numbers[0]]
            if why_not_warm(first, self.table) is None:
                warm += self._warm_lines(first, numbers)
            else:
                rest += [CandidateLine(first, [n]) for n in numbers]
        given = self.table, self.visits, tuple(reasons)
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


def _key(value: Any) -> Hashable:
    """Something to group equal parameter values by; values that cannot be hashed stand for themselves."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value
