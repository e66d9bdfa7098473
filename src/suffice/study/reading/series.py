"""Whether a table in time is a series, and what its past says: new columns, by rules that no test row has a say in.

A series has numbers or counts to predict, one row per moment (per moment and group, for several series side by side),
equal steps or nearly so, and few other columns; with `horizon` it may have any number. Nothing is dropped without a
word: rows whose past is not known are counted, and what was assumed about the other columns is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, TooFewRows
from suffice._core.records import record
from suffice.evaluation import Rolling
from suffice.prepare import Task
from suffice.study.options import Options
from suffice.study.reading.rows import StudyRows
from suffice.study.reading.series_choice import chosen_rule, is_calendar
from suffice.study.reading.series_rule import Clock, SeriesRule
from suffice.study.reading.series_steps import Steps, steps_of
from suffice.study.reading.series_words import ahead, series_remarks
from suffice.study.reading.splits import Split

FEW = 20  # other columns that a series may have without being asked for
LEAST = 12  # rows
FIRST, MOST_FIRST = (
    3,
    60,
)  # the first block trains on one row in three, at most so many, or on some whole seasons
SEASONS = 3


@record
class Series:
    """A table as a series: the rows whose past is known, and the columns made of it.

    `rule` makes the columns of any table, `used` are the rows in use, `places` their places among `every` row of the
    series; `made` are the new columns, and `dropped` those of the `others` that they replace. The first block trains on
    `first` rows, of the first `block` of all.
    """

    rule: SeriesRule
    every: StudyRows
    used: StudyRows
    places: np.ndarray
    made: dict[str, np.ndarray]
    others: tuple[str, ...]
    dropped: tuple[str, ...]
    block: int
    first: int
    remarks: tuple[str, ...]

    @property
    def padding(self) -> int:
        """Rows before a block that are not known yet when its first row is predicted."""
        return self.rule.horizon - 1

    def splitters(self, outer: int, inner: int) -> tuple[Rolling, Rolling]:
        """Blocks in time, for both layers; the first rows only train."""
        blocks = blocks_after(self.first, len(self.places), outer, self.padding, self.used.groups)
        return blocks, Rolling(inner, padding=self.padding)

    def splits(self, outer: int, inner: int) -> list[Split]:
        """The splits of the outer layer, after a look whether the first training rows can be split again."""
        try:
            found = list(self.splitters(outer, inner)[0].split(self.places, groups=self.used.groups))
            train = found[0][0]
            groups = None if self.used.groups is None else self.used.groups[train]
            next(iter(self.splitters(outer, inner)[1].split(train, groups=groups)))
        except InvalidInput as error:
            raise TooFewRows(
                f"{len(self.places)} rows with a known past are too few for {outer} blocks in time with {inner} inside "
                f"each, {self.rule.horizon} steps ahead. Ask for fewer folds or a smaller horizon."
            ) from error
        return found

    def kind_of_splits(self, k: int) -> str:
        """The outer layer in words."""
        blocks = f"{k} blocks in the order of {self.rule.time!r}"
        return f"{blocks}, each predicted {ahead(self.rule)} ahead from what came before it"

    def features(self, columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Columns of the rows in use that are features as they stand, with those made of the past."""
        kept = {n: v[self.used.rows] for n, v in columns.items() if n not in self.dropped}
        return kept | self.made

    def types(self, given_types: Mapping[str, Any]) -> dict[str, Any]:
        """What columns mean, with those made of the past."""
        h = self.rule.horizon
        late = {f"{n} {h} before": given_types[n] for n in self.dropped if n in given_types}
        own = {n for n in self.made if n not in {f"{name} {h} before" for name in self.dropped}}
        return (
            {n: v for n, v in given_types.items() if n not in self.dropped}
            | late
            | dict.fromkeys(own, "interval")
        )


def blocks_after(first: int, n: int, k: int, padding: int, series: np.ndarray | None) -> Rolling:
    """k blocks of equal size at the end, none before row `first`; of series side by side, each has whole moments."""
    size = max((n - first) // k, 1)
    side = 1 if series is None else len(np.unique(series))
    return Rolling(k, test_size=size if size < side else size // side * side, padding=padding)


def find_series(
    columns: Mapping[str, np.ndarray],
    target: str,
    used: StudyRows,
    y: np.ndarray,
    task: Task,
    options: Options,
    plain: int,
) -> tuple[Series | None, list[str]]:
    """The series, or None; and what is to be said where there is none though one might think so.

    `plain` is the number of other columns. Where `horizon` asks for a series and there is none, the reason is raised.
    """
    unasked = options.horizon is None and (plain > FEW or (task.is_classification and plain > 0))
    if options.time is None or options.horizon == 0 or unasked:
        return None, []
    steps = _steps(columns, target, used, task, options)
    if isinstance(steps, str):
        if options.horizon is not None:
            raise InvalidParameter(f"horizon: {steps}")
        if not plain:
            raise InvalidInput(
                f"There is no column to predict {target!r} from, and its past cannot be used: {steps}"
            )
        return None, [f"The past of {target!r} is not used: {steps}"]
    return _series(columns, target, used, y, steps, options), []


def _steps(
    columns: Mapping[str, np.ndarray], target: str, used: StudyRows, task: Task, options: Options
) -> Steps | str:
    """The steps of the series, or in a sentence why it is none."""
    if task.is_classification:
        return "a series has numbers or counts to predict, and these are classes."
    if len(used.rows) < LEAST:
        return f"a series needs at least {LEAST} rows; there are {len(used.rows)}."
    if used.weight is not None:
        return "rows of a series count once each, and there are weights."
    found = steps_of(columns[str(options.time)][used.rows], used.groups)
    if not isinstance(found, str):
        return found
    several = found.startswith("has several rows")
    way = (
        " If they are of different series, name the column that tells these apart (group)." if several else ""
    )
    within = "" if options.group is None else f" within one {options.group!r}"
    return f"{options.time!r} {found}{within}.{way}"


def _series(
    columns: Mapping[str, np.ndarray],
    target: str,
    used: StudyRows,
    y: np.ndarray,
    steps: Steps,
    options: Options,
) -> Series:
    most = options.amount.max_rows
    if most is not None and len(y) > most:
        remark = f"The latest {most} of {len(y)} rows are used (max_rows)."
        used, y = used.pick(np.arange(len(y))[-most:], remark), y[-most:]
    h, taken = options.horizon or 1, {n: v[used.rows] for n, v in columns.items()}
    others = _others(columns, target, options)
    rule = SeriesRule(target, str(options.time), options.group, h, steps)
    clock = rule.clock(taken)
    block = _first(clock, steps.season, options.amount.outer, h)
    start = Clock(
        clock.step[:block], None if clock.series is None else clock.series[:block], clock.along[:block]
    )
    rule = chosen_rule(rule, y[:block], start)
    facts = tuple(n for n in others if is_calendar(taken[n], clock, rule))
    if options.horizon is not None:
        rule = replace(rule, behind=tuple(n for n in others if n not in facts))
    past = rule.made(y, clock)
    known = np.all([np.isfinite(v) for v in past.values()], axis=0)
    places = np.flatnonzero(known)
    first = max(int(known[:block].sum()), _needed(clock, h, options))
    if len(places) < max(LEAST, first + options.amount.outer):
        raise TooFewRows(
            f"Of {len(y)} rows, {len(places)} have a known past of {rule.longest} steps: too few to try a model on "
            f"{ahead(rule)} ahead. Ask for a smaller horizon, or for none (horizon 0)."
        )
    new = past | rule.late(taken, clock)
    if clash := next((n for n in new if n in others), None):
        raise InvalidInput(
            f"Column {clash!r:.60} has the name of a column that is made of the past; rename it, or leave it out "
            "(ignore)."
        )
    made = {n: v[known] for n, v in new.items()}
    remarks = tuple(series_remarks(rule, len(y), len(places), others, facts, options))
    return Series(rule, used, _picked(used, places), places, made, others, rule.behind, block, first, remarks)


def _picked(used: StudyRows, places: np.ndarray) -> StudyRows:
    return replace(used.pick(places, ""), remarks=used.remarks)


def _others(columns: Mapping[str, np.ndarray], target: str, options: Options) -> tuple[str, ...]:
    roles = {target, options.time, options.group, options.weights, *options.ignore}
    return tuple(name for name in columns if name not in roles)


def _needed(clock: Clock, horizon: int, options: Options) -> int:
    """Rows that both layers lose to the horizon, and some to train on in the smallest part."""
    side = 1 if clock.series is None else len(np.unique(clock.series))
    return 2 * side * (horizon - 1) + options.amount.inner + 3


def _first(clock: Clock, season: int | None, blocks: int, horizon: int) -> int:
    """Rows of the first training block: enough for lags and some seasons, and not more than half."""
    n = len(clock.step)
    side = 1 if clock.series is None else len(np.unique(clock.series))
    wanted = max(n // (blocks + 1), min(n // FIRST, side * MOST_FIRST))
    if season is not None:
        turns = max(SEASONS, 2 + -(-2 * horizon // season))
        wanted = max(wanted, min(side * turns * season, n // 2))
    return min(max(wanted, side * (2 * horizon + 4)), n - blocks)
