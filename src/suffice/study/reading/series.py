"""Whether a table in time is a series, and what its past says: new columns, by rules that no test row has a say in.

A series has numbers or counts to predict, one row per moment (per moment and group, for several series side by side),
equal steps or nearly so, and few other columns; with `horizon` it may have any number. Nothing is dropped without a
word: rows whose past is not known are counted, and what was assumed about the other columns is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.records import record
from suffice.evaluation import Rolling
from suffice.prepare import Task
from suffice.study.options import Options
from suffice.study.reading.rows import Rows
from suffice.study.reading.series_choice import chosen_rule
from suffice.study.reading.series_rule import Clock, SeriesRule
from suffice.study.reading.series_steps import Steps, steps_of
from suffice.study.reading.splits import Split

FEW = 5  # other columns that a series may have without being asked for
LEAST = 12  # rows
FIRST, MOST_FIRST = (
    3,
    60,
)  # the first block trains on one row in three, at most so many, or on some whole seasons
SEASONS = 3
MOST_NAMED = 4


@record
class Series:
    """A table as a series: the rows whose past is known, and the columns made of it.

    `rule` makes the columns of any table, `used` are the rows in use, `places` their places among `every` row of the
    series; `made` are the new columns, and `dropped` those of the `others` that they replace. The first block trains on
    `first` rows, of the first `block` of all.
    """

    rule: SeriesRule
    every: Rows
    used: Rows
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
            raise InvalidInput(
                f"{len(self.places)} rows with a known past are too few for {outer} blocks in time with {inner} inside "
                f"each, {self.rule.horizon} steps ahead. Ask for fewer folds or a smaller horizon."
            ) from error
        return found

    def kind_of_splits(self, k: int) -> str:
        """The outer layer in words."""
        h, unit = self.rule.horizon, self.rule.steps.unit
        ahead = f"one {unit}" if h == 1 else f"{h} {unit}s"
        return f"{k} blocks in the order of {self.rule.time!r}, each predicted {ahead} ahead from what came before it"

    def features(self, columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Columns of the rows in use that are features as they stand, with those made of the past."""
        kept = {n: v[self.used.rows] for n, v in columns.items() if n not in self.dropped}
        return kept | self.made

    def types(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """What columns mean, with those made of the past."""
        h = self.rule.horizon
        late = {f"{n} {h} before": said[n] for n in self.dropped if n in said}
        own = {n for n in self.made if n not in {f"{name} {h} before" for name in self.dropped}}
        return (
            {n: v for n, v in said.items() if n not in self.dropped} | late | dict.fromkeys(own, "interval")
        )


def blocks_after(first: int, n: int, k: int, padding: int, series: np.ndarray | None) -> Rolling:
    """k blocks of equal size at the end, none before row `first`; of series side by side, each has whole moments."""
    size = max((n - first) // k, 1)
    side = 1 if series is None else len(np.unique(series))
    return Rolling(k, test_size=size if size < side else size // side * side, padding=padding)


def find_series(
    columns: Mapping[str, np.ndarray],
    target: str,
    used: Rows,
    y: np.ndarray,
    task: Task,
    options: Options,
    plain: int,
) -> tuple[Series | None, list[str]]:
    """The series, or None; and what is to be said where there is none though one might think so.

    `plain` is the number of other columns. Where `horizon` asks for a series and there is none, the reason is raised.
    """
    if options.time is None or options.horizon == 0 or (plain > FEW and options.horizon is None):
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
    columns: Mapping[str, np.ndarray], target: str, used: Rows, task: Task, options: Options
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
    columns: Mapping[str, np.ndarray], target: str, used: Rows, y: np.ndarray, steps: Steps, options: Options
) -> Series:
    told: list[str] = []
    most = options.amount.max_rows
    if most is not None and len(y) > most:
        used, told = (
            used.pick(np.arange(len(y))[-most:], f"The latest {most} of {len(y)} rows are used (max_rows)."),
            told,
        )
        y = y[-most:]
    h, taken = options.horizon or 1, {n: v[used.rows] for n, v in columns.items()}
    others = _others(columns, target, options)
    rule = SeriesRule(target, str(options.time), options.group, h, steps)
    clock = rule.clock(taken)
    first = _first(clock, steps.season, options.amount.outer, h)
    start = Clock(
        clock.step[:first], None if clock.series is None else clock.series[:first], clock.along[:first]
    )
    rule = chosen_rule(rule, y[:first], start)
    facts = tuple(n for n in others if _is_calendar(taken[n], clock, rule))
    if options.horizon is not None:
        rule = replace(rule, behind=tuple(n for n in others if n not in facts))
    past = rule.made(y, clock)
    known = np.all([np.isfinite(v) for v in past.values()], axis=0)
    places = np.flatnonzero(known)
    block, first = first, int(known[:first].sum())
    if len(places) < LEAST or first < 4:
        raise InvalidInput(
            f"Of {len(y)} rows, {len(places)} have a known past of {rule.longest} steps; too few to try a model on. "
            "Ask for a smaller horizon, or for none (horizon 0)."
        )
    new = past | rule.late(taken, clock)
    if clash := next((n for n in new if n in others), None):
        raise InvalidInput(
            f"Column {clash!r:.60} has the name of a column that is made of the past; rename it, or leave it out "
            "(ignore)."
        )
    made = {n: v[known] for n, v in new.items()}
    said = (*told, *_told(rule, len(y), len(places), others, facts, options))
    return Series(rule, used, _picked(used, places), places, made, others, rule.behind, block, first, said)


def _picked(used: Rows, places: np.ndarray) -> Rows:
    return replace(used.pick(places, ""), remarks=used.remarks)


def _others(columns: Mapping[str, np.ndarray], target: str, options: Options) -> tuple[str, ...]:
    roles = {target, options.time, options.group, options.weights, *options.ignore}
    return tuple(name for name in columns if name not in roles)


def _first(clock: Clock, season: int | None, blocks: int, horizon: int) -> int:
    """Rows of the first training block: enough for lags and some seasons, and not more than half."""
    n = len(clock.step)
    side = 1 if clock.series is None else len(np.unique(clock.series))
    wanted = max(n // (blocks + 1), min(n // FIRST, side * MOST_FIRST))
    if season is not None:
        wanted = max(wanted, min(side * SEASONS * season, n // 2))
    return min(max(wanted, side * (2 * horizon + 4)), n - blocks)


def _is_calendar(values: np.ndarray, clock: Clock, rule: SeriesRule) -> bool:
    """Whether a column says nothing but the time: it goes up evenly, or repeats itself with every season."""
    if values.dtype.kind in "mM":
        return True
    m = rule.steps.season
    if m is not None and _repeats(values, clock, m):
        return True
    if values.dtype.kind not in "iuf":
        return False
    x = values.astype(float)
    if np.isnan(x).any() or np.ptp(x) == 0:
        return False
    line = np.polynomial.Polynomial.fit(clock.along, x, 1)(clock.along)
    whole = bool(np.all(x == np.round(x))) and np.ptp(x) >= 4  # as the year of a quarter
    return bool(np.abs(x - line).max() <= (1.0 if whole else 1e-6 * np.ptp(x)))


def _repeats(values: np.ndarray, clock: Clock, m: int) -> bool:
    """Whether every place in the season has one value of its own."""
    words = values.astype(str)
    places = clock.step % m
    return len(np.unique(words)) > 1 and all(
        len(np.unique(words[places == k])) <= 1 for k in np.unique(places)
    )


# -- words ----------------------------------------------------------------------------------------------------
def _told(
    rule: SeriesRule, n: int, kept: int, others: tuple[str, ...], facts: tuple[str, ...], options: Options
) -> list[str]:
    """What was made, from what, and what was assumed."""
    h, unit = rule.horizon, rule.steps.unit
    ahead = f"{h} {unit}{'s' if h > 1 else ''} ahead"
    parts = [f"the newest known value of {rule.target!r}"]
    parts += [f"{rule.lags - 1} change{'s' if rule.lags > 2 else ''} before it"] if rule.lags > 1 else []
    parts += [f"the season of {rule.season} steps"] if rule.season is not None else []
    parts += ["the trend"] if rule.trend else []
    shown = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    said = [
        f"{rule.target!r} is predicted {ahead} from its own past: {shown}, chosen from the rows of the first training "
        "block alone."
    ]
    if kept < n:
        said.append(_lost(n - kept, n, rule.longest))
    return said + _assumed(rule, others, facts, options)


def _lost(lost: int, n: int, steps: int) -> str:
    rows, them = ("rows is", "it") if lost == 1 else ("rows are", "them")
    before = f"the step before {them} is" if steps == 1 else f"the {steps} steps before {them} are"
    return f"{lost} of {n} {rows} left out: {before} not known{'' if steps == 1 else ' completely'}."


def _columns(names: Sequence[str]) -> str:
    shown = ", ".join(f"{name!r:.60}" for name in names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"Column{'' if len(names) == 1 else 's'} {shown}{more}"


def _assumed(
    rule: SeriesRule, others: tuple[str, ...], facts: tuple[str, ...], options: Options
) -> list[str]:
    if rule.behind:
        steps = "one step" if rule.horizon == 1 else f"{rule.horizon} steps"
        return [f"{_columns(rule.behind)}: used as known {steps} before the row to predict."]
    given = [n for n in others if n not in facts]
    if not given or options.horizon is not None:
        return []
    it = "it is" if len(given) == 1 else "they are"
    return [
        f"{_columns(given)}: used as in the row to predict, as if known beforehand. If {it} not, say horizon 1: then "
        "what was known one step before is used."
    ]
